"""Damaged files: no crash, one message, the same answers; a damaged database names the way back."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from brainkit.engine import Engine
from brainkit.errors import BrainDamaged, BrainReadOnly
from brainkit.models import QueryRequest

Start = Callable[..., subprocess.Popen[str]]
INDEX_FILES = (
    "vectors.npy",
    "vectors.usearch",
    "vectors.equals.npy",
    "keywords/data.csc.index.npy",
    "keywords/indices.csc.index.npy",
    "keywords/indptr.csc.index.npy",
    "keywords/vocab.index.json",
    "keywords/params.index.json",
    "keywords/lengths.npy",
    "keywords/counts.npy",
    "graph/entities.npy",
    "graph/relations.npy",
    "graph/out_from.npy",
    "graph/into.npy",
    "graph/into_from.npy",
    "graph/support.npy",
    "graph/support_from.npy",
    "graph/mentions.npy",
    "graph/mentions_from.npy",
    "graph/about.npy",
    "graph/weights.npy",
    "graph/in_chunk.npy",
    "graph/in_chunk_from.npy",
    "graph/alias_from.npy",
    "graph/alias_of.npy",
    "graph/alias_weights.npy",
    "graph/strings.npy",
    "graph/strings_at.npy",
    "graph/words.json",
)
KINDS = {"vectors": "vector", "keywords": "keyword", "graph": "graph"}

RECORDS = [
    {
        "id": f"{i:03}",
        "title": f"River {i % 9}",
        "text": f"alpha w{i % 11} key w{i % 7} session {'river ' * (i % 3)} of River {i % 7}.",
    }
    for i in range(120)
]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, process: ModuleType) -> Path:
    """A brain of 120 records, some equal, in its third generation, with every kind of index."""
    path = tmp_path_factory.mktemp("damage") / "x.brain"
    with process.open_small(path) as engine:
        engine.ingest_texts(RECORDS[:100], progress=False)
        engine.ingest_texts(RECORDS, progress=False)
    return path


@pytest.fixture
def brain(made: Path, tmp_path: Path) -> Path:
    path = tmp_path / "x.brain"
    shutil.copytree(made, path)
    return path


def outcomes(process: subprocess.Popen[str]) -> Iterator[dict[str, Any]]:
    out, err = process.communicate(timeout=500)
    yield from map(json.loads, out.splitlines())
    assert process.returncode == 0, f"the process died ({process.returncode}): {err[-2000:]}"


def test_all_index_files_are_tried(made: Path) -> None:
    generation = made / (made / "CURRENT").read_text().strip()
    there = {p.relative_to(generation).as_posix() for p in generation.rglob("*") if p.is_file()}
    assert there == {*INDEX_FILES, "manifest.json", "chunks.duckdb", "in-use.lock"}


@pytest.mark.parametrize("name", INDEX_FILES)
def test_a_damaged_index_is_made_again_with_one_message(
    name: str, brain: Path, start: Start
) -> None:
    """That any of 200 flipped bytes is noticed, tests/store/test_indexes.py shows."""
    tries = 0
    kind = next(kind for start_of, kind in KINDS.items() if name.startswith(start_of))
    for found in outcomes(start("damage", brain, name, 1, 2)):
        tries += 1
        assert found["error"] is None, found
        assert found["same"], found
        assert found["faults"] == [], found
        (message,) = found["messages"]
        (notice,) = found["notices"]
        assert message == f"gen-000003: {notice}"
        assert f"the {kind} index was made again from chunks.duckdb." in notice
        assert notice.startswith(name)
    assert tries == 8


def test_a_damaged_manifest_is_made_again_with_one_message(brain: Path, start: Start) -> None:
    tries = noticed = 0
    for found in outcomes(start("damage", brain, "manifest.json", 2, 8)):
        tries += 1
        assert found["error"] is None, found
        assert found["same"], found
        assert found["faults"] == [], found
        if found["messages"]:  # none if one blank became another
            noticed += 1
            assert found["notices"] == [
                "manifest.json is missing or damaged; "
                "the indexes were made again from chunks.duckdb."
            ]
            assert found["messages"] == [f"gen-000003: {found['notices'][0]}"]
    assert tries == 14
    assert noticed >= 10


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_damaged_database_answers_right_or_names_the_way_back(brain: Path, start: Start) -> None:
    """A flip in a block that no query reads is found by check; any other stops at DuckDB's sums."""
    tries = refused = 0
    for found in outcomes(start("damage", brain, "chunks.duckdb", 3, 100)):
        tries += 1
        if found["error"] is None:
            assert found["same"], found
            assert found["faults"], found
        else:
            refused += 1
            assert found["kind"] == "BrainDamaged"
            assert "gen-000003 is damaged" in found["error"]
            assert "gen-000002 was kept: write its name into" in found["error"]
            assert found["error"].count("was kept") == 1
    assert tries == 106
    assert refused >= 6, "half, nothing, not there, text, longer and 200 bytes at least"


def test_many_may_find_the_damage_at_once(brain: Path, process: ModuleType, start: Start) -> None:
    with process.open_small(brain) as engine:
        wanted = json.loads(json.dumps(process.answers(engine)))
    for name in ("vectors.npy", "keywords/lengths.npy", "manifest.json"):
        (brain / "gen-000003" / name).write_bytes(b"damaged")
    others = [start("ask", brain) for _ in range(4)]
    for other in others:
        out, err = other.communicate(timeout=100)
        assert other.returncode == 0, err
        assert json.loads(out) == wanted
    with process.open_small(brain) as engine:
        assert process.answers(engine) == process.answers(engine)
        assert engine.faults() == []
    assert list((brain / "gen-000003").glob("rebuild-*")) == []


@pytest.mark.parametrize("content", [b"", b"not a database" * 1000, None])
def test_the_way_back_works(content: bytes | None, brain: Path, process: ModuleType) -> None:
    with process.open_small(brain) as engine:
        newest = process.answers(engine)
    database = brain / "gen-000003" / "chunks.duckdb"
    database.unlink()
    if content is not None:
        database.write_bytes(content)
    with pytest.raises(BrainDamaged, match="gen-000002 was kept"):
        Engine(brain, embedder=process.words)

    (brain / "CURRENT").write_text("gen-000002\n")
    with process.open_small(brain) as engine:
        assert process.answers(engine) != newest
        report = engine.ingest_texts(RECORDS, progress=False)
        assert report.generation == "gen-000004", "numbers are never used again"
        assert report.embedded == 0, "finished embeddings are reused"
        assert process.answers(engine) == newest
        assert engine.faults() == []
        assert engine.layout.generations() == ["gen-000002", "gen-000004"], "the damaged one went"


def test_a_damaged_generation_never_becomes_the_base_of_a_good_one(
    brain: Path, process: ModuleType
) -> None:
    """A flip that no query meets would be copied, and get a good hash."""
    database = brain / "gen-000003" / "chunks.duckdb"
    content = bytearray(database.read_bytes())
    content[-1] ^= 1
    database.write_bytes(content)
    with process.open_small(brain) as engine:
        assert "chunks.duckdb does not match its hash" in engine.faults()
        with pytest.raises(BrainDamaged, match=r"does not match its hash.*gen-000002 was kept"):
            engine.ingest_texts([{"id": "new", "text": "alpha"}], progress=False)
        assert list(brain.glob("*.part")) == []
        assert engine.search(QueryRequest(query="alpha")).results, "it still answers"


@pytest.mark.parametrize(
    "content", [b"", b"\xff\xfe\0\0", b"gen-1\n", b"../gen-000003", b"gen-000003/..", b"x" * 10_000]
)
def test_garbage_in_current_names_what_is_there(
    content: bytes, brain: Path, process: ModuleType
) -> None:
    (brain / "CURRENT").write_bytes(content)
    with pytest.raises(BrainDamaged, match="name of one that is there: gen-000003, gen-000002"):
        Engine(brain, embedder=process.words)
    (brain / "CURRENT").write_text("gen-000003")
    with process.open_small(brain) as engine:
        assert engine.faults() == []


def test_current_may_name_a_generation_that_went(brain: Path, process: ModuleType) -> None:
    (brain / "CURRENT").write_text("gen-000099\n")
    with pytest.raises(BrainDamaged, match=r"its folder is missing.*gen-000003 was kept"):
        Engine(brain, embedder=process.words)


def test_without_current_the_newest_generation_answers(brain: Path, process: ModuleType) -> None:
    """An empty brain in its place would also delete the generations that are there."""
    with process.open_small(brain) as engine:
        wanted = process.answers(engine)
    (brain / "CURRENT").unlink()
    with process.open_small(brain) as engine:
        assert process.answers(engine) == wanted


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"-3", b"99" * 40])
def test_a_damaged_sequence_does_not_matter(
    content: bytes, brain: Path, process: ModuleType
) -> None:
    (brain / "SEQUENCE").write_bytes(content)
    with process.open_small(brain) as engine:
        report = engine.ingest_texts([{"id": "new", "text": "alpha"}], progress=False)
        assert report.generation not in (None, "gen-000001", "gen-000002", "gen-000003")


@pytest.mark.parametrize("damage", ["missing", "damaged", "a file"])
def test_lost_embeddings_are_made_again(damage: str, brain: Path, process: ModuleType) -> None:
    with process.open_small(brain) as engine:
        wanted = process.answers(engine)
    (cache,) = (brain / "embeddings").glob("*.sqlite")
    if damage == "damaged":
        cache.write_bytes(b"not SQLite at all" * 200)
    else:
        shutil.rmtree(brain / "embeddings")
    if damage == "a file":
        (brain / "embeddings").write_text("in the way")
    with process.open_small(brain) as engine:
        assert process.answers(engine) == wanted
        report = engine.ingest_texts([{"id": "000", "text": "alpha w0 river"}], progress=False)
        assert report.embedded == 1
        assert engine.faults() == []


def test_a_planted_index_file_is_not_trusted(tmp_path: Path, process: ModuleType) -> None:
    """Below the exact limit there is no HNSW file; one that turns up is no reason to load it."""
    path = tmp_path / "x.brain"
    engine = Engine(path, embedder=process.words)
    engine.ingest_texts([{"id": str(i), "text": f"alpha w{i}"} for i in range(60)], progress=False)
    wanted = process.answers(engine)
    engine.close()
    (path / "gen-000002" / "vectors.usearch").write_bytes(b"planted")
    with process.open_small(path) as small:
        assert process.answers(small) == wanted
        notices = small.search(QueryRequest(query="alpha")).notices
    (message,) = [notice.message for notice in notices if notice.kind == "rebuilt"]
    assert message.startswith("vectors.usearch is not in the manifest; the vector index was made")


def test_a_brain_that_cannot_be_written_answers(brain: Path, process: ModuleType) -> None:
    folders = [brain, *(path for path in brain.rglob("*") if path.is_dir())]
    for folder in folders:
        folder.chmod(0o500)
    try:
        try:
            (brain / "probe").touch()
        except PermissionError:
            pass
        else:
            pytest.skip("chmod has no effect here (root)")
        (brain / "gen-000003" / "vectors.npy").write_bytes(b"damaged")
        with process.open_small(brain) as engine:
            assert engine.search(QueryRequest(query="alpha")).results
            with pytest.raises(
                BrainReadOnly, match=r"cannot be written .*Queries work all the same"
            ):
                engine.remove("000")
    finally:
        for folder in folders:
            folder.chmod(0o700)
