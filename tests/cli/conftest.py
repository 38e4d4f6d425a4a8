"""A small corpus, a brain of it, and the commands run in its folder."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from brainkit.cli import main

FILES = (
    "handbook/hubs.md",
    "shelf/docs/sessions.md",
    "shelf/src/shelf/retry.py",
    "shelf/tests/test_signing.py",
)
Run = Callable[..., Result]


@pytest.fixture(autouse=True)
def _plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever runs the tests may have a terminal, colours and a brain of their own."""
    for name in ("BRAINKIT_BRAIN", "COLUMNS", "FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")


@pytest.fixture(scope="session")
def run() -> Run:
    """Run a command in this process; whatever it does not expect itself is raised."""

    def invoke(*args: str, **options: object) -> Result:
        return CliRunner().invoke(main, args, catch_exceptions=False, **options)

    return invoke


@pytest.fixture(scope="session")
def _filled(
    run: Run, repository: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, Path]:
    """Two folders with the corpus in data/sample, the second with sample.brain beside it."""
    bare = tmp_path_factory.mktemp("bare")
    for name in FILES:
        target = bare / "data" / "sample" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(repository / "data" / "sample" / name, target)
    filled = tmp_path_factory.mktemp("filled") / "here"
    shutil.copytree(bare, filled)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(filled)
        result = run("ingest", "data/sample", "--embedder", "local")
    assert result.exit_code == 0, result.output
    return bare, filled


@pytest.fixture
def bare(_filled: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder: holds data/sample and no brain."""
    folder = tmp_path / "here"
    shutil.copytree(_filled[0], folder)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def filled(run: Run, bare: Path, _filled: tuple[Path, Path]) -> Path:
    """The current folder: holds data/sample and sample.brain, both to be changed at will."""
    kept = Path("sample.brain", "embeddings")  # spares embedding the same texts again
    shutil.copytree(_filled[1] / kept, bare / kept)
    result = run("ingest", "data/sample")
    assert result.exit_code == 0, result.output
    return bare


@pytest.fixture
def reading(_filled: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, shared by tests that only read: data/sample and sample.brain."""
    monkeypatch.chdir(_filled[1])
    return _filled[1]
