"""JupyterLab with the sample's brain in a browser, for the scripts that measure and picture it."""

from __future__ import annotations

import importlib.util
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

TESTS = Path(__file__).resolve().parents[1]


@contextmanager
def sample_notebook(folder: Path) -> Iterator[Any]:
    """Yield a notebook (``tests/jupyter/notebook.py``) in which ``brain`` is the sample's.

    folder : the working folder of `brainkit lab`; its brain is built if it is missing.
    """
    chromium, server, notebook = (
        _load(TESTS / place)
        for place in ("widgets/chromium.py", "jupyter/server.py", "jupyter/notebook.py")
    )
    from brainkit.lab import prepare

    prepare(folder)
    command = chromium.find_chromium()
    if command is None:
        sys.exit("this needs Chromium, and there is none")
    with (
        tempfile.TemporaryDirectory() as scratch,
        server.serving(folder, Path(scratch) / "home") as address,
        chromium.Chromium(command, Path(scratch) / "profile") as browser,
    ):
        lab = notebook.Lab(browser.page(), address, server.TOKEN)
        made = lab.new("made-by-a-script.ipynb")
        made.run('import brainkit\nbrain = brainkit.open("sample.brain")', cell=0)
        yield made
        made.close()
        (folder / made.path).unlink()


def _load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} cannot be loaded")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
