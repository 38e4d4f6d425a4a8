"""Opening chunks.duckdb: what is refused and why, and reading it as a file without closing it."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from brainkit.engine import Engine
from brainkit.errors import BrainBusy, BrainDamaged, BrainTooNew
from brainkit.store import database
from brainkit.store.chunks import ChunkStore

_OPEN_TO_WRITE = """
import duckdb, sys
connection = duckdb.connect(sys.argv[1])
print("open", flush=True)
sys.stdin.read()
"""
_LOCK_IT = """
import fcntl, sys
with open(sys.argv[1], "r+b") as file:
    fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
"""


@pytest.fixture
def path(tmp_path: Path, word_vectors: Any) -> Path:
    """The database of a closed brain with one record."""
    engine = Engine(tmp_path / "x.brain", embedder=word_vectors)
    engine.ingest_texts([{"id": "a", "text": "alpha"}], progress=False)
    engine.close()
    return tmp_path / "x.brain" / "gen-000002" / "chunks.duckdb"


@pytest.fixture
def store(path: Path) -> Iterator[ChunkStore]:
    store = ChunkStore(path)
    yield store
    store.close()


def test_a_newer_schema_is_refused_with_what_to_do(path: Path) -> None:
    connection = duckdb.connect(str(path))
    connection.execute("update meta set value = '99' where name = 'schema_version'")
    connection.close()
    with pytest.raises(BrainTooNew, match=r"schema version 99.*Upgrade brainkit"):
        ChunkStore(path)


@pytest.mark.parametrize("statement", ["drop table meta", "delete from meta", "drop table ranks"])
def test_a_database_of_something_else_is_damaged(statement: str, path: Path) -> None:
    connection = duckdb.connect(str(path))
    connection.execute(statement)
    connection.close()
    with pytest.raises(BrainDamaged, match=r"cannot be read|has no table ranks"):
        ChunkStore(path)
    path.unlink()  # nothing holds it, so that another may take its place


def test_another_program_that_writes_it_is_told_apart_from_damage(path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", _OPEN_TO_WRITE, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "open\n"
        with pytest.raises(BrainBusy, match="open for writing in another program; close it there"):
            ChunkStore(path)
        other.communicate("close\n")
    ChunkStore(path).close()


@pytest.mark.skipif(os.name != "posix", reason="record locks are POSIX")
def test_hashing_and_copying_keep_duckdbs_lock(store: ChunkStore, tmp_path: Path) -> None:
    """Closing any other descriptor of the file would drop it: then another program could write."""

    def another_can_lock() -> bool:
        run = [sys.executable, "-c", _LOCK_IT, str(store.path)]
        return subprocess.run(run, capture_output=True, check=False).returncode == 0

    assert not another_can_lock()
    whole = store.sha256()
    assert store.copy_to(tmp_path / "copy") == whole
    assert hashlib.sha256((tmp_path / "copy").read_bytes()).hexdigest() == whole
    assert not another_can_lock()


def test_check_keeps_duckdbs_lock(path: Path, word_vectors: Any) -> None:
    engine = Engine(path.parent.parent, embedder=word_vectors)
    assert engine.faults() == []
    run = [sys.executable, "-c", _LOCK_IT, str(path)]
    assert subprocess.run(run, capture_output=True, check=False).returncode != 0
    engine.close()


@pytest.mark.parametrize(
    "statement",
    [
        "copy chunks to '{folder}/out.csv'",
        "select * from read_text('{folder}/secret.txt')",
        "attach '{folder}/other.duckdb'",
        "install httpfs",
        "load httpfs",
        "set enable_external_access = true",
        "insert into meta values ('a', 'b')",
    ],
)
def test_a_brain_is_data_not_code(statement: str, store: ChunkStore, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    with store.cursor() as cursor, pytest.raises(duckdb.Error):
        cursor.execute(statement.format(folder=tmp_path))
    assert not (tmp_path / "out.csv").exists()


def test_a_misspelt_query_is_not_called_damage(path: Path) -> None:
    with pytest.raises(duckdb.CatalogException), database.damage_named(path):
        duckdb.connect().execute("select * from nowhere")
