"""A working folder with the lessons and the sample brain, for JupyterLab to open."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from brainkit.brain import Brain
from brainkit.errors import InvalidSetting
from brainkit.kit import kit_folder
from brainkit.opening import open_brain
from brainkit.store.layout import write_whole

FOLDER: Final = "brainkit-lab"
BRAIN: Final = "sample.brain"
FIRST: Final = "00_start_here.ipynb"
_SOLUTIONS: Final = "solutions"
_COPIES: Final = ".brainkit-lessons.json"
# Defaults for JupyterLab's settings: no question about news and no look for updates, so nothing is
# asked of a network or of the reader before the first lesson. What a user has set comes first.
_SETTINGS: Final = Path(__file__).parent / "jupyter"


@dataclass(frozen=True)
class Prepared:
    """A working folder that is ready.

    copied : lessons written now. kept : lessons that were edited, or are not ours, and so stay as
    they are although this version's differ. chunks : in the sample brain.
    """

    folder: Path
    copied: tuple[str, ...]
    kept: tuple[str, ...]
    chunks: int


def sample_brain(folder: str | os.PathLike[str] = ".", *, progress: bool = True) -> Brain:
    """Open the brain of the sample that comes with brainkit, as ``sample.brain`` in a folder.

    It is built if it is not there, which takes some seconds, and brought up to date if it is.
    """
    brain = open_brain(Path(folder) / BRAIN)
    try:
        brain.ingest(kit_folder("data") / "sample", label="sample", progress=progress)
    except BaseException:
        brain.close()
        raise
    return brain


def prepare(folder: str | os.PathLike[str] = FOLDER, *, progress: bool = True) -> Prepared:
    """Copy the lessons into a folder and build the sample brain there, as far as they are missing.

    A lesson is brought up to date unless it was edited; nothing of the user's is ever overwritten.
    Raises InvalidSetting if the folder is a file or cannot be written.
    """
    target = Path(folder).expanduser().resolve()
    try:
        target.mkdir(parents=True, exist_ok=True)
        copied, kept = _copy_lessons(kit_folder("notebooks"), target)
    except OSError as error:
        raise InvalidSetting(
            f"{str(folder)!r} cannot be the working folder ({error.strerror}); give another one."
        ) from None
    with sample_brain(target, progress=progress) as brain:
        return Prepared(target, copied, kept, int(brain.info().counts["chunks"]))


def launch(prepared: Prepared, *, browser: bool = True, port: int | None = None) -> None:
    """Run JupyterLab on the first lesson in this process, until it is ended.

    browser : open one. port : where to listen, by default the first free one from 8888.
    """
    from jupyterlab.labapp import LabApp

    ours, theirs = str(_SETTINGS), os.environ.get("JUPYTER_CONFIG_PATH")
    os.environ["JUPYTER_CONFIG_PATH"] = os.pathsep.join([ours, theirs] if theirs else [ours])
    options = [
        f"--ServerApp.root_dir={prepared.folder}",
        f"--LabApp.default_url=/lab/tree/{FIRST}",
        f"--ServerApp.open_browser={browser}",
    ]
    if port is not None:
        options.append(f"--ServerApp.port={port}")
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        options.append("--ServerApp.allow_root=True")  # in a container there is often no other user
    LabApp.launch_instance(options)


def _copy_lessons(source: Path, target: Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
    before = _copies(target)
    after: dict[str, str] = {}
    copied, kept = [], []
    for lesson in _lessons(source):
        name = lesson.relative_to(source).as_posix()
        content = lesson.read_bytes()
        path, after[name] = target / name, _sum(content)
        if path.exists():
            there = _sum(path.read_bytes())
            if there == after[name]:
                continue
            if there != before.get(name):
                kept.append(name)
                after[name] = before.get(name, "")
                continue
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, content)
        copied.append(name)
    if after != before:
        write_whole(target / _COPIES, json.dumps(after, indent=1, sort_keys=True).encode())
    return tuple(copied), tuple(kept)


def _lessons(source: Path) -> Iterator[Path]:
    """Every file that learners get: no solutions, and nothing that running a lesson leaves."""
    for path in sorted(source.rglob("*")):
        parts = path.relative_to(source).parts
        left = any(part.startswith((".", "__")) or part.endswith(".brain") for part in parts)
        if path.is_file() and not left and parts[0] != _SOLUTIONS and path.suffix != ".html":
            yield path


def _copies(target: Path) -> Mapping[str, str]:
    """Return name -> hash of each lesson as it was copied last."""
    try:
        found = json.loads((target / _COPIES).read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _sum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
