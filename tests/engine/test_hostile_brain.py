"""A brain that someone else made is data: its files may lie, with hashes that match."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest

import brainkit
from brainkit.errors import BrainDamaged, BrainkitError

MODES = ("vector", "bm25", "hybrid", "graph", "multi")
QUESTION = "how does the SessionStore sign alpha"


def signed(generation: Path) -> None:
    """Make the manifest say that every file of a generation is what was written."""
    path = generation / "manifest.json"
    manifest = json.loads(path.read_bytes())
    for name in manifest["files"]:
        raw = (generation / name).read_bytes()
        digest = hashlib.sha256(raw).hexdigest()
        manifest["files"][name] = {"sha256": digest, "bytes": len(raw)}
    del manifest["sha256"]
    whole = hashlib.sha256(json.dumps(manifest, sort_keys=True).encode()).hexdigest()
    path.write_text(json.dumps({**manifest, "sha256": whole}))


def answers(brain: brainkit.Brain) -> list[Any]:
    found = [brain.query(QUESTION, mode=mode, trace="full") for mode in MODES]
    return [[(one.chunk_id, one.score) for one in answer.results] for answer in found]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, word_vectors: Any) -> tuple[Path, list[Any]]:
    """A small brain with an HNSW index, and what it answers."""
    folder = tmp_path_factory.mktemp("made")
    docs = folder / "docs"
    docs.mkdir()
    (docs / "a.py").write_text(
        "class SessionStore:\n    def sign(self):\n        return alpha()\n\n"
        "def alpha():\n    pass\n"
    )
    (docs / "b.md").write_text("# SessionStore\n\nThe SessionStore signs alpha with a key.\n")
    (docs / "c.md").write_text("# Keys\n\nA key of the SessionStore is rotated.\n")
    path = folder / "x.brain"
    with brainkit.open(path, embedder=word_vectors, exact_limit_chunks=1) as brain:
        brain.ingest(docs, progress=False)
        expected = answers(brain)
    assert all(expected)
    return path, expected


@pytest.fixture
def owned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that would be there if what is pickled in a brain were run."""
    monkeypatch.setenv("BRAINKIT_TEST_OWNED", str(tmp_path / "owned"))
    return tmp_path / "owned"


@pytest.fixture
def copied(made: tuple[Path, list[Any]], tmp_path: Path) -> Path:
    """The generation of a copy, to be spoiled."""
    shutil.copytree(made[0], tmp_path / "x.brain")
    return tmp_path / "x.brain" / (tmp_path / "x.brain" / "CURRENT").read_text().strip()


Spoil = Callable[[Path], None]


def array(name: str, change: Callable[[Any], Any]) -> tuple[str, Spoil]:
    def spoil(generation: Path) -> None:
        path = generation / name
        np.save(path, change(np.load(path).copy()), allow_pickle=True)

    return name, spoil


def put(values: Any, at: Any, value: Any) -> Any:
    values[at] = value
    return values


class Owned:
    def __reduce__(self) -> Any:
        return os.mkdir, (os.environ["BRAINKIT_TEST_OWNED"],)


def claiming(generation: Path) -> None:
    """An array of a terabyte, by its own account."""
    path = generation / "keywords" / "lengths.npy"
    path.write_bytes(path.read_bytes().replace(b"(3,)", b"(9**11,)").replace(b"(4,)", b"(9**11,)"))
    raw = path.read_bytes()
    length = int.from_bytes(raw[8:10], "little")
    header = b"{'descr': '<i4', 'fortran_order': False, 'shape': (250000000000,), }"
    path.write_bytes(raw[:10] + header.ljust(length - 1) + b"\n" + raw[10 + length :])


def jitted(generation: Path) -> None:
    """Parameters by which bm25s would compile code that believes every index."""
    path = generation / "keywords" / "params.index.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "backend": "numba", "k1": "x"}))


def at_word(generation: Path, name: str, value: Any) -> None:
    path = generation / "graph" / "words.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), name: value}))


def in_usearch(at: Callable[[bytes], int], value: bytes) -> Spoil:
    def spoil(generation: Path) -> None:
        path = generation / "vectors.usearch"
        raw = bytearray(path.read_bytes())
        start = at(bytes(raw))
        raw[start : start + len(value)] = value
        path.write_bytes(raw)

    return spoil


def graph_of(raw: bytes) -> int:
    """Where the sizes of the graph begin."""
    return raw.index(b"usearch") + 64


def nodes_of(raw: bytes) -> int:
    """Where the first node begins: five sizes, then a level for each."""
    return graph_of(raw) + 40 + 2 * int.from_bytes(raw[graph_of(raw) : graph_of(raw) + 8], "little")


BIG = (2**31 - 1).to_bytes(4, "little")
LIES: dict[str, Spoil] = dict(
    [
        array("vectors.npy", lambda held: held[:-1]),
        array("vectors.equals.npy", lambda held: held[:1]),
        array("keywords/indices.csc.index.npy", lambda held: put(held, 0, 2**30)),
        array("keywords/indptr.csc.index.npy", lambda held: put(held, 1, -5)),
        array("keywords/data.csc.index.npy", lambda held: held[:1]),
        array("keywords/counts.npy", lambda held: np.array([Owned()], object)),
        array("graph/out_from.npy", lambda held: put(held, 1, 2**31 - 1)),
        array("graph/mentions.npy", lambda held: put(held, (1, 0), 2**20)),
        array("graph/relations.npy", lambda held: put(held, (0, 0), -1)),
        array("graph/strings.npy", lambda held: put(held, 0, 255)),
        array("graph/strings_at.npy", lambda held: put(held, 1, 2**40)),
        array("graph/in_chunk.npy", lambda held: held.astype(np.float64)),
        array("graph/alias_of.npy", lambda held: held[None]),
    ]
) | {
    "a terabyte": claiming,
    "a compiler": jitted,
    "kinds": lambda generation: at_word(generation, "kinds", []),
    "rows": lambda generation: at_word(generation, "rows", 10**9),
    "strings": lambda generation: at_word(generation, "strings", [10**9] * 4),
    "nesting": lambda generation: (
        (generation / "graph" / "words.json").write_text("[" * 10**5) and None
    ),
    "more nodes": in_usearch(graph_of, (10**6).to_bytes(8, "little")),
    "a wide graph": in_usearch(lambda raw: graph_of(raw) + 16, (900).to_bytes(8, "little")),
    "no entry": in_usearch(lambda raw: graph_of(raw) + 32, (10**6).to_bytes(8, "little")),
    "a high level": in_usearch(lambda raw: graph_of(raw) + 40, (9).to_bytes(2, "little")),
    "a long list": in_usearch(lambda raw: nodes_of(raw) + 10, BIG),
    "a far neighbour": in_usearch(lambda raw: nodes_of(raw) + 14, BIG),
    "a strange key": in_usearch(nodes_of, b"\xff" * 8),
    "another kind": in_usearch(lambda raw: raw.index(b"usearch") + 14, b"\x05"),
    "an empty file": lambda generation: (generation / "vectors.usearch").write_bytes(b"") and None,
}


@pytest.mark.parametrize("lie", LIES)
def test_an_index_that_lies_is_made_again(
    lie: str, copied: Path, made: tuple[Path, list[Any]], word_vectors: Any, owned: Path
) -> None:
    LIES[lie](copied)
    signed(copied)
    with brainkit.open(copied.parent, embedder=word_vectors, exact_limit_chunks=1) as brain:
        assert answers(brain) == made[1]
        assert brain.check()
        kinds = {notice.kind for notice in brain.query(QUESTION).response.notices}
    assert not owned.exists()
    assert ("rebuilt" in kinds) == (lie != "a compiler"), "those parameters are never read"


STATEMENTS = (
    "create view v as select 1",
    "create macro count(x) as 7",
    "create macro answers() as table select * from chunks",
    "create type mood as enum ('a')",
    "alter table chunks add column more integer",
    "update chunks set text = null",
    "update chunks set start_line = -5",
    "update chunks set metadata = '['",
    "update chunks set key = 2000000000 where key = 1",
    "update ranks set ord = ord * 1000",
    "delete from chunks",
    "insert into terms select 1, 'x' from range(50000000)",
    "update chunk_terms set term_ids = [99999999]",
    "update meta set value = '{' where name = 'settings'",
    "update meta set value = '{}' where name = 'settings'",
    "update meta set value = '[1]' where name = 'analyzer'",
    """update meta set value = '{"provider": 1, "dim": -4}' where name = 'embedder'""",
    "delete from meta where name = 'analyzer'",
    "update meta set value = null",
    "update files set source = null",
    "update vectors set vector = null",
    "update entities set kinds = null",
    "update relations set subject = 99999",
    "update aliases set weight = null",
    f"update facts set facts = '{'[' * 5000}'",
    "insert into entity_edits values (1, 'merge', null, null)",
)


@pytest.mark.parametrize("sql", STATEMENTS, ids=[sql[:45] for sql in STATEMENTS])
def test_a_database_that_lies_is_refused(sql: str, copied: Path, word_vectors: Any) -> None:
    with duckdb.connect(str(copied / "chunks.duckdb")) as connection:
        connection.execute(sql)
    (copied / "manifest.json").unlink()  # so that every index is made from these rows

    def used() -> None:
        with brainkit.open(copied.parent, embedder=word_vectors, exact_limit_chunks=1) as brain:
            answers(brain)
            brain.ingest_texts([{"id": "n", "text": "one more"}], progress=False)

    if "facts" in sql or "entity_edits" in sql:
        with pytest.raises(BrainDamaged, match="the graph cannot be made"):
            used()
    else:
        with pytest.raises(BrainkitError):
            used()


def test_what_lies_beside_a_database_is_not_taken_in(copied: Path, word_vectors: Any) -> None:
    (copied / "chunks.duckdb.wal").write_bytes(b"anything")
    with pytest.raises(BrainDamaged, match=r"has a file \.wal beside it"):
        brainkit.open(copied.parent, embedder=word_vectors)


@pytest.mark.skipif(os.name != "posix", reason="needs links")
def test_links_in_a_brain_lead_no_write_out_of_it(
    copied: Path, word_vectors: Any, tmp_path: Path
) -> None:
    outside = tmp_path / "precious.txt"
    outside.write_text("kept")
    for name in ("CURRENT.tmp", "SEQUENCE.tmp", "judgments.tsv.tmp"):
        (copied.parent / name).symlink_to(outside)
    with brainkit.open(copied.parent, embedder=word_vectors) as brain:
        brain.ingest_texts([{"id": "n", "text": "one more"}], progress=False)
        assert brain.query("one more", mode="bm25").results[0].source == "n"
    assert outside.read_text() == "kept"
