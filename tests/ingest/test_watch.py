"""Watching: a change on disk is answered for soon after, the brain itself is ignored."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import brainkit
from brainkit import Brain
from brainkit.ingest.report import IngestReport
from brainkit.ingest.watch import Watcher

SECONDS = 30
Embedder = Callable[[list[str]], Any]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.md").write_text("A session is signed.\n")
    return folder


@pytest.fixture
def brain(folder: Path, word_vectors: Embedder) -> Iterator[Brain]:
    """A brain inside the folder that it watches."""
    with brainkit.open(folder / "own.brain", embedder=word_vectors) as brain:
        yield brain


def sources(brain: Brain, query: str) -> list[str]:
    return [r.source for r in brain.query(query, mode="bm25").results]


def test_changes_are_taken_in_and_the_brain_itself_is_not(brain: Brain, folder: Path) -> None:
    with brain.ingest(folder, watch=True) as watcher:
        assert watcher.report.counts["added"] == 1
        (folder / "b.md").write_text("A zebra is striped.\n")
        assert watcher.wait(1, timeout_seconds=SECONDS)
        assert sources(brain, "zebra") == ["notes/b.md"]
        (folder / "b.md").rename(folder / "c.md")
        (folder / "a.md").unlink()
        assert watcher.wait(2, timeout_seconds=SECONDS)
        while sources(brain, "session"):  # the two changes may have come in two rounds
            assert watcher.wait(3, timeout_seconds=SECONDS)
        assert sources(brain, "zebra") == ["notes/c.md"]
        rounds = brain.info().generation
        assert not watcher.wait(99, timeout_seconds=2)  # its own writes start no further round
        assert brain.info().generation == rounds
    assert not watcher.running


def test_a_failing_ingest_is_kept_and_the_next_change_tries_again(
    tmp_path: Path, folder: Path, word_vectors: Embedder
) -> None:
    broken: list[bool] = []

    def embedder(texts: list[str]) -> Any:
        return [[1.0]] if broken else word_vectors(texts)

    embedder.name = "sometimes-broken"  # type: ignore[attr-defined]
    with (
        brainkit.open(tmp_path / "a.brain", embedder=embedder) as brain,
        brain.ingest(folder, watch=True) as watcher,
    ):
        broken.append(True)
        (folder / "b.md").write_text("one two\nthree\n")
        (folder / "c.md").write_text("another zebra\n")
        while watcher.error is None:
            assert watcher.running
        assert "expected" in str(watcher.error)
        assert sources(brain, "session") == ["notes/a.md"]
        broken.clear()
        (folder / "d.md").write_text("four five\n")
        assert watcher.wait(1, timeout_seconds=SECONDS)
        assert watcher.error is None
        assert sources(brain, "zebra") == ["notes/c.md"]


@pytest.mark.parametrize("failure", [ConnectionError("no route"), OSError(28, "disk full")])
def test_what_users_code_raises_does_not_end_the_watch(
    failure: Exception, tmp_path: Path, folder: Path, word_vectors: Embedder
) -> None:
    broken: list[bool] = []

    def embedder(texts: list[str]) -> Any:
        if broken:
            raise failure
        return word_vectors(texts)

    embedder.name = "sometimes-away"  # type: ignore[attr-defined]
    with (
        brainkit.open(tmp_path / "a.brain", embedder=embedder) as brain,
        brain.ingest(folder, watch=True) as watcher,
    ):
        broken.append(True)
        (folder / "b.md").write_text("another zebra\n")
        while watcher.error is None:
            assert watcher.running
        broken.clear()
        (folder / "c.md").write_text("four five\n")
        assert watcher.wait(1, timeout_seconds=SECONDS)
        assert watcher.error is None
        assert sources(brain, "zebra") == ["notes/b.md"]


def test_a_failing_callback_is_kept_and_the_watch_goes_on(
    brain: Brain, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def on_report(_: IngestReport) -> None:
        raise ZeroDivisionError("in a callback")

    def ingest() -> IngestReport:
        return brain.ingest(folder, progress=False)

    with Watcher(ingest, folder, avoid=[brain.folder], on_report=on_report) as watcher:
        for rounds, name in enumerate(["b.md", "c.md"], start=1):
            (folder / name).write_text(f"{name} zebra\n")
            assert watcher.wait(rounds, timeout_seconds=SECONDS)
        assert watcher.running
    assert isinstance(watcher.error, ZeroDivisionError)
    assert "ZeroDivisionError: in a callback" in caplog.text


def test_a_watch_that_cannot_go_on_says_why(
    folder: Path, brain: Brain, caplog: pytest.LogCaptureFixture
) -> None:
    def ingest() -> IngestReport:
        return brain.ingest(folder, progress=False)

    watcher = Watcher(ingest, folder / "not-there", avoid=[])
    watcher.join()
    assert isinstance(watcher.error, FileNotFoundError)
    assert "FileNotFoundError" in caplog.text


def test_without_the_library_the_caller_is_told(
    brain: Brain, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "watchfiles", None)
    with pytest.raises(ImportError, match="watchfiles"):
        brain.ingest(folder, watch=True)


def test_closing_the_brain_ends_the_watch(
    folder: Path, tmp_path: Path, word_vectors: Embedder
) -> None:
    brain = brainkit.open(tmp_path / "a.brain", embedder=word_vectors)
    watcher = brain.ingest(folder, watch=True)
    assert watcher.running
    brain.close()
    assert not watcher.running
