"""Any sequence of edits answers exactly like a fresh ingest of the final state."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from brainkit.engine import Engine
from brainkit.models import QueryRequest

ROOTS = ("notes", "code")
NAMES = ("a.md", "b.md", "sub/c.txt", "sub/test_m.py", "m.py", "z.txt")
LINES = (
    "# Sessions", "## Signing", "sessions are signed with a key", "the key rotates every day",
    "def sign(session):", "    return hash(session)", "class Key:", "alpha beta gamma", "",
    "searching finds the session", "日本語のテキスト", "rotate_key(session)",
)  # fmt: skip
OTHER_BYTES = (b"", b"  \n\n", b"\x00\x01binary", "sessions caf\xe9\n".encode("utf-16"))
IDS = ("r1", "r2", "sub/c.txt")
REQUESTS = tuple(
    QueryRequest(query=query, top_k=20, **more)
    for query in ("session key", "signed alpha", "日本語")
    for more in (
        {"mode": "vector"},
        {"mode": "bm25"},
        {"mode": "hybrid", "depth": 20},
        {"mode": "multi"},
        {"mode": "hybrid", "source_types": ["code", "test"]},
        {"mode": "multi", "file_paths": ["*.md", "sub/**"], "collapse": "source"},
    )
)

text = st.lists(st.sampled_from(LINES), min_size=1, max_size=14).map("\n".join)
content = st.one_of(text.map(str.encode), st.sampled_from(OTHER_BYTES))
root, name = st.sampled_from(ROOTS), st.sampled_from(NAMES)
edits = st.one_of(
    st.tuples(st.just("write"), root, name, content),
    st.tuples(st.just("copy"), root, name, name),
    st.tuples(st.just("rename"), root, name, name),
    st.tuples(st.just("shorten"), root, name),
    st.tuples(st.just("delete"), root, name),
    st.tuples(st.just("move_root"), root),
    st.tuples(st.just("ingest"), root),
    st.tuples(st.just("ingest"), root),
    st.tuples(st.just("upsert"), st.dictionaries(st.sampled_from(IDS), text, min_size=1)),
    st.tuples(st.just("remove_root"), root),
    st.tuples(st.just("remove_file"), root, name),
    st.tuples(st.just("remove_record"), st.sampled_from(IDS)),
)


@dataclass
class World:
    """A brain, the folders it knows, and what it should hold."""

    home: Path
    engine: Engine
    inside: set[str] = field(default_factory=set)
    records: dict[str, str] = field(default_factory=dict)
    places: dict[str, Path] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for label in ROOTS:
            self.places[label] = self.home / "0" / label
            self.places[label].mkdir(parents=True)
            self.write(label, "own.txt", f"the folder of {label}".encode())  # known by it, if moved

    def apply(self, what: str, *args: Any) -> None:
        getattr(self, what)(*args)

    def write(self, label: str, name: str, content: bytes) -> None:
        path = self.places[label] / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)

    def copy(self, label: str, name: str, other: str) -> None:
        path = self.places[label] / name
        if path.exists():
            self.write(label, other, path.read_bytes())

    def rename(self, label: str, name: str, other: str) -> None:
        self.copy(label, name, other)
        if other != name:
            self.delete(label, name)

    def shorten(self, label: str, name: str) -> None:
        path = self.places[label] / name
        if path.exists():
            self.write(label, name, path.read_bytes()[: path.stat().st_size // 2])

    def delete(self, label: str, name: str) -> None:
        (self.places[label] / name).unlink(missing_ok=True)

    def move_root(self, label: str) -> None:
        before = self.places[label]
        self.places[label] = before.parent.parent / f"{before.parent.name}0" / label
        self.places[label].parent.mkdir(exist_ok=True)
        shutil.move(before, self.places[label])

    def ingest(self, label: str) -> None:
        report = self.engine.ingest(self.places[label], progress=False)
        assert report.label == label  # its own again, also after a move
        self.inside.add(label)
        again = self.engine.ingest(self.places[label], progress=False)
        assert again.generation is None, "nothing differs, so nothing may be written"

    def upsert(self, records: dict[str, str]) -> None:
        rows = [{"id": id_, "text": text, "title": "alpha"} for id_, text in records.items()]
        self.engine.ingest_texts(rows, progress=False)
        self.records |= records

    def remove_root(self, label: str) -> None:
        if label in self.inside:
            self.engine.remove(label)
            self.inside.remove(label)

    def remove_file(self, label: str, name: str) -> None:
        with self.engine.reading() as generation:
            known = generation.chunks.files()
        if f"{label}/{name}" in known:
            self.engine.remove(f"{label}/{name}")

    def remove_record(self, id_: str) -> None:
        if id_ in self.records:
            self.engine.remove(id_)
            del self.records[id_]

    def settle(self) -> None:
        """Take in what was written since the last ingest: now the brain shows the folders."""
        for label in self.inside:
            self.engine.ingest(self.places[label], progress=False)


def everything(engine: Engine) -> dict[str, Any]:
    """All that a user can see of the chunks, and the answers to all requests, scores included."""
    with engine.reading() as generation:
        chunks = generation.chunks.records(np.arange(generation.size))
        files = {source: asdict(row) for source, row in generation.chunks.files().items()}
        terms = generation.chunks.count("terms")
    for chunk in chunks:
        del chunk["key"]  # counts how many chunks there ever were
    answers = {}
    for request in REQUESTS:
        response = engine.search(request)
        answers[request] = [
            (r.chunk_id, r.score, r.vector_score, r.bm25_score, r.text, r.start_line, r.metadata)
            for r in response.results
        ]
        assert response.notices == () or all("made again" not in str(n) for n in response.notices)
    return {"chunks": chunks, "files": files, "answers": answers, "terms": terms}


@pytest.fixture(scope="module")
def fresh_folder(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Path]:
    return lambda: tmp_path_factory.mktemp("edits")


@pytest.mark.slow
@pytest.mark.timeout(600)
@given(steps=st.lists(edits, min_size=3, max_size=12))
@settings(max_examples=15, phases=(Phase.explicit, Phase.reuse, Phase.generate))
def test_edits_answer_like_a_fresh_ingest(
    steps: list[tuple[Any, ...]], fresh_folder: Callable[[], Path], word_vectors: Any
) -> None:
    home = fresh_folder()
    edited = Engine(home / "edited.brain", embedder=word_vectors)
    fresh = Engine(home / "fresh.brain", embedder=word_vectors)
    try:
        world = World(home, edited)
        for step in steps:
            world.apply(*step)
        world.settle()
        rows = [{"id": i, "text": t, "title": "alpha"} for i, t in sorted(world.records.items())]
        fresh.ingest_texts(rows, progress=False)
        for label in sorted(world.inside):
            fresh.ingest(world.places[label], progress=False)
        assert everything(edited) == everything(fresh)
        assert edited.faults() == fresh.faults() == []
    finally:
        edited.close()
        fresh.close()
        shutil.rmtree(home)
