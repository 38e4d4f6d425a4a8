"""Generations on disk: which are kept, who keeps them, and that no number comes twice."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from brainkit.engine import Engine
from brainkit.models import QueryRequest
from brainkit.store.draft import Draft
from brainkit.store.layout import Layout, write_whole
from brainkit.store.locks import ReaderLock, delete_if_unused

REQUEST = QueryRequest(query="alpha", top_k=20)


@pytest.fixture
def engine(tmp_path: Path, word_vectors: Any) -> Iterator[Engine]:
    engine = Engine(tmp_path / "x.brain", embedder=word_vectors)
    yield engine
    engine.close()


@pytest.fixture
def publish(engine: Engine) -> Callable[[], str]:
    """Add one record; return the name of the new generation."""
    ids = iter(range(1000))

    def published() -> str:
        report = engine.ingest_texts([{"id": str(next(ids)), "text": "alpha"}], progress=False)
        assert report.generation is not None
        return report.generation

    return published


def test_all_but_the_last_two_go(engine: Engine, publish: Callable[[], str]) -> None:
    names = [publish() for _ in range(5)]
    assert names == [f"gen-{number:06d}" for number in range(2, 7)]
    assert engine.layout.generations() == names[-2:]
    assert engine.layout.current() == names[-1]


def test_a_reader_keeps_its_generation_however_old(
    engine: Engine, publish: Callable[[], str]
) -> None:
    first = publish()
    with engine.reading() as generation:
        newer = [publish() for _ in range(3)]
        assert generation.name == first
        assert generation.size == 1
        assert generation.keywords.statistics("alpha") is not None, "an index opened only now"
        assert engine.layout.generations() == [first, *newer[-2:]]
        assert len(engine.search(REQUEST).results) == 4, "others are past it"
    newest = publish()
    assert engine.layout.generations() == [newer[-1], newest]


def test_a_reader_elsewhere_keeps_its_generation_too(
    engine: Engine, publish: Callable[[], str], word_vectors: Any
) -> None:
    """Locks are per open file, so a second engine stands for a second process."""
    first = publish()
    other = Engine(engine.layout.folder, embedder=word_vectors)
    with other.reading() as generation:
        for _ in range(3):
            publish()
        assert first in engine.layout.generations()
        assert generation.faults() == []
    assert len(other.search(REQUEST).results) == 4, "between queries it moves on"
    publish()
    assert first not in engine.layout.generations()
    other.close()


def test_a_draft_given_up_leaves_the_old_generation_and_uses_up_its_number(
    engine: Engine, publish: Callable[[], str]
) -> None:
    before = publish()
    with engine.reading() as base:
        draft = Draft(engine.layout, base.chunks)
        draft.remove(["0"])
        draft.abandon()
    assert engine.layout.current() == before
    assert list(engine.layout.folder.glob("*.part")) == []
    assert publish() == "gen-000004", "gen-000003 was begun"


def test_what_a_killed_writer_left_goes_and_its_numbers_stay_used(
    engine: Engine, publish: Callable[[], str]
) -> None:
    before, folder = publish(), engine.layout.folder
    (folder / "gen-000003.part" / "keywords").mkdir(parents=True)
    (folder / ".trash-gen-000001-99").mkdir()
    orphan = folder / "gen-000007"  # finished, and killed before CURRENT named it
    orphan.mkdir()
    (orphan / "in-use.lock").touch()
    assert publish() == "gen-000008"
    assert engine.layout.generations() == [before, "gen-000008"]
    assert sorted(path.name for path in folder.iterdir()) == [
        "CURRENT", "SEQUENCE", "embeddings", before, "gen-000008", "writer.lock",
    ]  # fmt: skip


def test_a_brain_killed_while_it_was_made_opens(tmp_path: Path, word_vectors: Any) -> None:
    """Between the rename of its first generation and CURRENT."""
    Engine(tmp_path / "x.brain").close()
    (tmp_path / "x.brain" / "CURRENT").unlink()
    engine = Engine(tmp_path / "x.brain", embedder=word_vectors, create=False)
    assert engine.search(QueryRequest(query="alpha", mode="bm25")).results == ()
    engine.ingest_texts([{"id": "a", "text": "alpha"}], progress=False)
    assert engine.layout.current() == "gen-000002"
    engine.close()


def test_current_is_always_whole(tmp_path: Path) -> None:
    layout = Layout(tmp_path)
    names = ("gen-000001", "gen-12345678901234567890")
    layout.set_current(names[0])
    stop, seen = threading.Event(), set()

    def read() -> None:
        while not stop.is_set():
            seen.add(layout.current())

    reader = threading.Thread(target=read)
    reader.start()
    for number in range(300):
        layout.set_current(names[number % 2])
    stop.set()
    reader.join()
    assert seen == set(names)


def test_a_write_that_was_cut_off_is_written_over(tmp_path: Path) -> None:
    path = tmp_path / "CURRENT"
    (tmp_path / "CURRENT.tmp").write_bytes(b"half of a na")
    write_whole(path, b"gen-000002\n")
    assert path.read_bytes() == b"gen-000002\n"
    assert [entry.name for entry in tmp_path.iterdir()] == ["CURRENT"]


def test_what_is_read_cannot_be_deleted(tmp_path: Path) -> None:
    generation = tmp_path / "gen-000001"
    generation.mkdir()
    (generation / "in-use.lock").touch()
    first, second = (ReaderLock(generation / "in-use.lock") for _ in range(2))
    assert not delete_if_unused(generation, "in-use.lock")
    first.release()
    assert not delete_if_unused(generation, "in-use.lock")
    second.release()
    assert delete_if_unused(generation, "in-use.lock")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(FileNotFoundError):
        ReaderLock(generation / "in-use.lock")
