"""An ingest takes over what did not change, and what it gives is what would be made anew."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from brainkit.engine import Engine
from brainkit.models import QueryRequest
from brainkit.store.keywords import KeywordIndex

WORDS = [f"w{number}" for number in range(60)]
FILES = 60


def sentences(seed: int) -> str:
    random = np.random.default_rng(seed)
    return "\n\n".join(" ".join(random.choice(WORDS, 12)) for _ in range(4))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    for number in range(FILES):
        (folder / f"f{number:02}.md").write_text(f"# Note {number}\n\n{sentences(number)}\n")
    return folder


@pytest.fixture
def brain(tmp_path: Path, word_vectors: Any) -> Iterator[Engine]:
    """One with an HNSW index."""
    engine = Engine(
        tmp_path / "x.brain", embedder=word_vectors, settings={"exact_limit_chunks": 20}
    )
    yield engine
    engine.close()


def keyword_files(engine: Engine) -> dict[str, bytes]:
    with engine.reading() as generation:
        assert generation.keywords is not None
        folder = generation.folder / "keywords"
        return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def made_anew(engine: Engine) -> dict[str, bytes]:
    """Lose the keyword index, so that it is made of the database."""
    with engine.reading() as generation:
        shutil.rmtree(generation.folder / "keywords")
        (generation.folder / "keywords").mkdir()
        engine.faults()  # opens the indexes anew
    return keyword_files(engine)


def test_after_any_edit_the_keyword_index_is_the_one_made_anew(
    brain: Engine, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    brain.ingest(folder, progress=False)
    followed: list[int] = []
    whole = KeywordIndex.moved

    def counted(self: KeywordIndex, *given: Any) -> KeywordIndex:
        followed.append(len(given[0].added))
        return whole(self, *given)

    monkeypatch.setattr(KeywordIndex, "moved", counted)

    def change() -> None:
        (folder / "f30.md").write_text("# Other\n\nw1 w2 entirely new words\n")

    def add() -> None:
        (folder / "a.md").write_text("# First\n\nanother word w1\n")

    def rename() -> None:
        (folder / "f10.md").rename(folder / "z.md")

    def empty() -> None:
        for file in folder.iterdir():
            file.write_text("")

    steps: list[Callable[[], object]] = [
        change, add, rename, (folder / "f00.md").unlink, empty, add,
    ]  # fmt: skip
    for step in steps:
        step()
        assert brain.ingest(folder, progress=False).generation is not None
        made = keyword_files(brain)
        assert made == made_anew(brain), step
        assert brain.faults() == []
    assert len(followed) == len(steps), "each led the index before on"


def test_one_changed_file_leaves_the_hnsw_file_as_it_is(
    brain: Engine, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its 240 chunks are in the graph; the new ones are compared one by one."""
    monkeypatch.setattr("brainkit.store.hnsw._STALE_SHARE", 0.1)
    brain.ingest(folder, progress=False)
    with brain.reading() as generation:
        before = (generation.folder / "vectors.usearch").read_bytes()
        assert generation.manifest is not None
        hash_before = generation.manifest.files["vectors.usearch"]
    (folder / "f07.md").write_text("# Note 7\n\nquokka w1 w2\n")
    brain.ingest(folder, progress=False)
    assert brain.faults() == []
    with brain.reading() as generation:
        assert (generation.folder / "vectors.usearch").read_bytes() == before
        assert generation.manifest is not None
        assert generation.manifest.files["vectors.usearch"] == hash_before
        assert generation.manifest.recall_at_10 is not None
        assert generation.manifest.recall_at_10 >= 0.95
    found = brain.search(QueryRequest(query="quokka w1 w2", mode="vector", top_k=50))
    assert found.results[0].source == "notes/f07.md"
    assert [r.text for r in found.results if r.source == "notes/f07.md"] == [
        "# Note 7\n\nquokka w1 w2"
    ], "nothing of the file before"


def test_a_damaged_index_is_not_followed(brain: Engine, folder: Path) -> None:
    brain.ingest(folder, progress=False)
    with brain.reading() as generation:
        for name in ("vectors.usearch", "vectors.equals.npy", "keywords/counts.npy"):
            path = generation.folder / name
            path.write_bytes(path.read_bytes()[:-1] + b"\x7f")
    (folder / "f30.md").write_text("# Other\n\nw1 w2 entirely new words\n")
    brain.ingest(folder, progress=False)
    assert brain.faults() == []
    assert keyword_files(brain) == made_anew(brain)
