"""The one DuckDB file of a generation: its tables, and how it is opened."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from brainkit.errors import BrainBusy, BrainDamaged, BrainkitError, BrainTooNew
from brainkit.store.refused import is_refusal, refused
from brainkit.store.sound import Unsound
from brainkit.store.sound_tables import check, columns_of

SCHEMA_VERSION = 2
SCHEMA_OF_GRAPH = 2

# A brain that someone else made is data, not code: nothing outside the file can be read or loaded.
_SAFE: dict[str, str | bool | int | float | list[str]] = {
    "enable_external_access": False,
    "autoload_known_extensions": False,
    "autoinstall_known_extensions": False,
    "lock_configuration": True,
}

# A query reads a hundred rows: one thread does that sooner than another can be woken.
_READING = {**_SAFE, "threads": 1}

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
_GRAPH_TABLES = """
create table facts (source varchar, facts varchar);
create table entity_edits (ord integer, kind varchar, name varchar, other varchar);
create table entities (
    id integer, key varchar, name varchar, kinds varchar[], documents integer
);
create table aliases (entity integer, name varchar, key varchar, words integer, weight double);
create table relations (id integer, subject integer, predicate varchar, object integer);
create table support (relation integer, key integer, start_at integer, end_at integer);
create table mentions (
    entity integer, key integer, role varchar, weight float, start_at integer, end_at integer
);
create table merges (entity integer, names varchar[], reason varchar);
"""
_OF_SCHEMA = {1: _TABLES, 2: _GRAPH_TABLES}
"""Schema version -> the tables that came with it."""

_DAMAGE = (
    duckdb.IOException,
    duckdb.FatalException,
    duckdb.InternalException,
    duckdb.SerializationException,
)

# A FatalException is how a connection says that an earlier write of it failed.
_REFUSALS = (duckdb.IOException, duckdb.FatalException, duckdb.OutOfMemoryException)


def create(path: Path) -> duckdb.DuckDBPyConnection:
    """Create the tables of an empty brain and return the connection."""
    connection = _to_write(path)
    for tables in _OF_SCHEMA.values():
        connection.execute(tables)
    connection.execute("insert into meta values ('schema_version', ?)", [str(SCHEMA_VERSION)])
    return connection


def open_to_write(path: Path) -> duckdb.DuckDBPyConnection:
    """Open a private copy that no reader knows of yet, and bring its tables up to date."""
    connection = _to_write(path)
    ((stored,),) = connection.execute(
        "select value from meta where name = 'schema_version'"
    ).fetchall()
    for version in range(int(stored) + 1, SCHEMA_VERSION + 1):
        connection.execute(_OF_SCHEMA[version])
    connection.execute(
        "update meta set value = ? where name = 'schema_version'", [str(SCHEMA_VERSION)]
    )
    return connection


def _to_write(path: Path) -> duckdb.DuckDBPyConnection:
    config = {name: value for name, value in _SAFE.items() if name != "lock_configuration"}
    connection = duckdb.connect(str(path), config=config)
    # In notebooks and at the prompt DuckDB draws a bar of its own over a statement of two seconds.
    connection.execute("set enable_progress_bar = false")
    connection.execute("set lock_configuration = true")
    return connection


def open_to_read(path: Path) -> tuple[duckdb.DuckDBPyConnection, int]:
    """Open a finished generation read-only; return the connection and its schema version.

    Raises BrainDamaged if DuckDB cannot read the file, BrainTooNew if a newer brainkit or DuckDB
    wrote it, BrainBusy if another program has it open for writing, OSError if the system refuses.
    """
    if path.with_name(path.name + ".wal").exists():  # DuckDB would add what it holds, unhashed
        raise BrainDamaged(f"{path} has a file .wal beside it, which no finished generation has")
    try:
        connection = duckdb.connect(str(path), read_only=True, config=_READING)
    except duckdb.Error as error:
        if "version number" in str(error):
            raise BrainTooNew(
                f"{path} was written by a newer DuckDB than {duckdb.__version__}; "
                "upgrade duckdb (pip install -U duckdb)."
            ) from None
        if "held in PID 0" in str(error):  # nobody's: the lock itself was refused
            raise OSError(
                errno.ENOLCK, "files cannot be locked there; copy the brain to a local disk"
            ) from None
        if "set lock on file" in str(error):
            raise BrainBusy(
                f"{path} is open for writing in another program; close it there "
                f"({_first_line(error)})."
            ) from None
        raise BrainDamaged(_unreadable(path, error)) from None
    try:
        version = _check_schema(path, connection)
    except BaseException:
        connection.close()
        raise
    return connection, version


def insert(connection: duckdb.DuckDBPyConnection, table: str, rows: pa.Table) -> None:
    """Add rows, given by columns in the order of the table's, to a table."""
    if rows.num_rows:
        connection.register("new_rows", rows)
        connection.execute(f"insert into {table} select * from new_rows")
        connection.unregister("new_rows")


def set_meta(connection: duckdb.DuckDBPyConnection, name: str, value: Any) -> None:
    """Store one setting as JSON."""
    connection.execute("delete from meta where name = ?", [name])
    connection.execute("insert into meta values (?, ?)", [name, json.dumps(value)])


@contextmanager
def damage_named(path: Path) -> Iterator[None]:
    """Raise BrainDamaged where DuckDB finds that the file is not what it wrote."""
    try:
        yield
    except duckdb.Error as error:
        # A block whose checksum is wrong comes as plain duckdb.Error, so its text has to tell.
        if isinstance(error, _DAMAGE) or "Corrupt database file" in str(error):
            raise BrainDamaged(_unreadable(path, error)) from None
        raise


@contextmanager
def refusals_named(folder: Path) -> Iterator[None]:
    """Raise BrainNotWritten or BrainReadOnly where the system refuses a write of the block.

    The block leaves the brain in the folder as it was when it fails.
    """
    try:
        yield
    except BrainkitError:
        raise
    except OSError as error:
        raise refused(folder, error) from None
    except duckdb.Error as error:
        # A write can fail at any statement, under the name of what it failed in.
        if isinstance(error, _REFUSALS) or is_refusal(error):
            raise refused(folder, error) from None
        raise


class HeldFile:
    """A descriptor on a database file, open for as long as a connection to it is.

    POSIX drops a process's locks on a file when *any* descriptor of it is closed, so the file is
    opened before DuckDB opens it and closed after DuckDB closes it, and read only through here.
    """

    def __init__(self, path: Path) -> None:
        self._file = open(path, "rb", buffering=0)  # noqa: SIM115  # held until close
        self._reading = threading.Lock()
        weakref.finalize(self, self._file.close)  # also where nobody calls close

    def copy_to(self, target: Path) -> str:
        """Copy the whole file and return the SHA-256 of what was copied, as hex."""
        with open(target, "wb") as copy:
            return self._through(copy.write)

    def is_at(self, path: Path) -> bool:
        """Tell whether this is the file that is at a path now."""
        try:
            return os.path.samestat(os.fstat(self._file.fileno()), os.stat(path))
        except OSError:
            return False

    def sha256(self) -> str:
        """Return the SHA-256 of the whole file as hex."""
        return self._through(len)

    def close(self) -> None:
        """Close the descriptor; only after every connection to the file is closed."""
        self._file.close()

    def _through(self, take: Callable[[bytes], object]) -> str:
        digest = hashlib.sha256()
        with self._reading:
            self._file.seek(0)
            while block := self._file.read(1 << 23):
                digest.update(block)
                take(block)
        return digest.hexdigest()


def _check_schema(path: Path, connection: duckdb.DuckDBPyConnection) -> int:
    try:
        rows = connection.execute("select value from meta where name = 'schema_version'").fetchall()
        version = int(rows[0][0])
        tables = connection.execute("select table_name from duckdb_tables()").fetchall()
    except (duckdb.Error, IndexError, ValueError, TypeError) as error:
        raise BrainDamaged(_unreadable(path, error)) from None
    if version > SCHEMA_VERSION:
        raise BrainTooNew(
            f"{path} has schema version {version}; this brainkit reads up to {SCHEMA_VERSION}. "
            "Upgrade brainkit (pip install -U brainkit)."
        )
    wanted = columns_of("".join(sql for since, sql in _OF_SCHEMA.items() if since <= version))
    missing = wanted.keys() - {name for (name,) in tables}
    if missing:
        raise BrainDamaged(f"{path} has no table {', '.join(sorted(missing))}")
    try:
        check(connection, wanted, file_bytes=path.stat().st_size)
    except (duckdb.Error, Unsound) as error:
        raise BrainDamaged(_unreadable(path, error)) from None
    return version


def _unreadable(path: Path, error: BaseException) -> str:
    return f"{path} cannot be read ({_first_line(error)})"


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
