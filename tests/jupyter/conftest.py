"""The real JupyterLab in a browser: one server and page for all tests, a notebook per module."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import brainkit
from brainkit.kit import kit_folder
from brainkit.lab import BRAIN

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def chromium(start_chromium: Callable[[], Any]) -> Iterator[Any]:
    """A headless Chromium with an empty profile that reaches this machine only."""
    with start_chromium() as browser:
        browser.allow("clipboardReadWrite", "clipboardSanitizedWrite")
        yield browser


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The working folder, with the sample in a brain of fast vectors for `brainkit lab` to find."""
    target = tmp_path_factory.mktemp("jupyter") / "lessons"
    target.mkdir()
    with brainkit.open(target / BRAIN, embedder="static") as brain:
        brain.ingest(kit_folder("data") / "sample", label="sample", progress=False)
    return target


@pytest.fixture(scope="session")
def server(
    folder: Path, tmp_path_factory: pytest.TempPathFactory, load: Callable[[str], ModuleType]
) -> Iterator[str]:
    """The address of the server that `brainkit lab` starts."""
    with load("jupyter/server.py").serving(folder, tmp_path_factory.mktemp("home")) as address:
        yield address


@pytest.fixture(scope="session")
def lab(server: str, chromium: Any, load: Callable[[str], ModuleType]) -> Iterator[Any]:
    """JupyterLab as `brainkit lab` opens it, which must not ask any other machine for anything."""
    token = load("jupyter/server.py").TOKEN
    opened = load("jupyter/notebook.py").Lab(chromium.page(), server, token)
    yield opened
    own = (f"{server}/", f"{server.replace('http', 'ws')}/")
    foreign = [url for url in opened.page.requests if not url.startswith(own)]
    opened.page.close()
    assert foreign == []


@pytest.fixture(scope="module")
def notebook(lab: Any, request: pytest.FixtureRequest) -> Iterator[Any]:
    """A notebook of this module's own, in which ``brain`` is the sample's."""
    made = lab.new(f"{request.module.__name__.rpartition('.')[2]}.ipynb")
    made.run('import brainkit\nbrain = brainkit.open("sample.brain")', cell=0)
    yield made
    made.close()
