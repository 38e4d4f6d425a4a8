"""The one DuckDB file of a generation: its tables, and how it is opened."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import duckdb

from brainkit.errors import BrainDamaged, BrainTooNew

SCHEMA_VERSION = 1

# A brain that someone else made is data, not code: nothing outside the file can be read or loaded.
_SAFE: dict[str, str | bool | int | float | list[str]] = {
    "enable_external_access": False,
    "autoload_known_extensions": False,
    "autoinstall_known_extensions": False,
    "lock_configuration": True,
}

# No secondary or unique indexes and no full-text index: they outlive deletes and slow the replay.
_TABLES = """
create table meta (name varchar, value varchar);
create table roots (label varchar, path varchar);
create table files (
    source varchar, label varchar, relative varchar, size bigint, sha256 varchar,
    source_type varchar, language varchar, decoded_as varchar, note varchar,
    skipped varchar, chunks integer
);
create table chunks (
    key integer, chunk_id varchar, source varchar, start_line integer, end_line integer,
    source_type varchar, language varchar, text varchar, context varchar, metadata varchar,
    content_hash blob, tokens integer
);
create table chunk_terms (key integer, term_ids integer[]);
create table terms (id integer, term varchar);
create table ranks (key integer, ord integer);
"""


def create(path: Path) -> duckdb.DuckDBPyConnection:
    """Create the tables of an empty brain and return the connection."""
    connection = duckdb.connect(str(path), config=_SAFE)
    connection.execute(_TABLES)
    connection.execute("insert into meta values ('schema_version', ?)", [str(SCHEMA_VERSION)])
    return connection


def open_to_write(path: Path) -> duckdb.DuckDBPyConnection:
    """Open a private copy that no reader knows of yet."""
    return duckdb.connect(str(path), config=_SAFE)


def open_to_read(path: Path) -> duckdb.DuckDBPyConnection:
    """Open a finished generation read-only.

    Raises BrainDamaged if DuckDB cannot read the file, BrainTooNew if a newer brainkit or DuckDB
    wrote it.
    """
    try:
        connection = duckdb.connect(str(path), read_only=True, config=_SAFE)
        rows = connection.execute("select value from meta where name = 'schema_version'").fetchall()
        version = int(rows[0][0])
    except (duckdb.Error, IndexError, ValueError) as error:
        if "version number" in str(error):
            raise BrainTooNew(
                f"{path} was written by a newer DuckDB than {duckdb.__version__}; "
                "upgrade duckdb (pip install -U duckdb)."
            ) from None
        raise BrainDamaged(f"{path} cannot be read ({_first_line(error)})") from None
    if version > SCHEMA_VERSION:
        connection.close()
        raise BrainTooNew(
            f"{path} has schema version {version}; this brainkit reads up to {SCHEMA_VERSION}. "
            "Upgrade brainkit (pip install -U brainkit)."
        )
    return connection


class HeldFile:
    """A descriptor on a database file, open for as long as a connection to it is.

    POSIX drops a process's locks on a file when *any* descriptor of it is closed, so the file is
    opened before DuckDB opens it and closed after DuckDB closes it, and read only through here.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))

    def copy_to(self, target: Path) -> None:
        """Copy the whole file, without moving a shared position."""
        if not hasattr(os, "pread"):  # Windows, whose locks are not dropped this way
            shutil.copyfile(self._path, target)
            return
        offset = 0
        with open(target, "wb") as copy:
            while block := os.pread(self._descriptor, 1 << 23, offset):
                copy.write(block)
                offset += len(block)

    def close(self) -> None:
        """Close the descriptor; only after every connection to the file is closed."""
        os.close(self._descriptor)


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
