"""Work that was paid for once: a content hash -> some bytes, in one SQLite file per maker."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import threading
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import chain, count
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

APPLICATION_ID = 0x62726B76  # "brkv", so that a foreign database is recognised
SCHEMA = f"""
PRAGMA page_size = 16384;
BEGIN IMMEDIATE;
PRAGMA application_id = {APPLICATION_ID};
CREATE TABLE IF NOT EXISTS identity (json TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS vectors (
    hash BLOB PRIMARY KEY, vector BLOB NOT NULL, crc INTEGER NOT NULL
);
"""
_ASKED_AT_ONCE = 900  # below the 999 parameters that every SQLite takes

Answer = TypeVar("Answer")


class _Unusable(Exception):
    """The file is damaged, or not a file of this maker."""


def content_hash(text: str) -> bytes:
    """Return the 32-byte SHA-256 of a text's UTF-8, lone surrogates included.

    >>> content_hash("abc").hex()[:16]
    'ba7816bf8f01cfea'
    """
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


class Kept:
    """Keep bytes by the hash of the text they were made from.

    A batch is one transaction: after a kill at any moment every finished batch is there, and no
    half one. Kept work is never worth an error: a damaged or foreign file is set aside as
    ``*.damaged`` and a new one begun; where nothing can be written, everything works without
    keeping. ``note`` says so.

    path : the file; it and its folder are made when the first batch is kept.
    identity : JSON that says what made the work; ``is_ours`` tells it from that of another maker.
    what : for messages: ``embeddings``. maker : ``embedder``.
    whole : tells whether stored bytes can be what was kept.
    """

    def __init__(
        self,
        path: Path,
        *,
        identity: str,
        is_ours: Callable[[str], bool],
        what: str,
        maker: str,
        whole: Callable[[bytes], bool] = lambda _: True,
    ) -> None:
        self.path = path
        self._identity = identity
        self._is_ours = is_ours
        self._what = what
        self._maker = maker
        self._whole = whole
        self._connection: sqlite3.Connection | None = None
        self._lock = threading.Lock()
        self._keeps = True
        self._notes: list[str] = []

    @property
    def note(self) -> str | None:
        """What the user should know about this file, in full sentences; None if all is well."""
        return " ".join(self._notes) or None

    def get(self, hashes: Iterable[bytes]) -> dict[bytes, bytes]:
        """Return what is kept for these hashes."""
        wanted = list(dict.fromkeys(hashes))
        with self._lock:
            return self._read(lambda connection: self._select(connection, wanted)) or {}

    def put(self, items: Sequence[tuple[bytes, bytes]]) -> None:
        """Keep one batch, all or nothing; a hash that is there already gets the new bytes."""
        rows = [(digest, value, _crc(digest, value)) for digest, value in items]
        with self._lock:
            if rows and self._keeps and not self._write(rows):
                self._write(rows)

    @property
    def fault(self) -> str | None:
        """Why nothing more is kept; None as long as nothing is known against it."""
        return None if self._keeps else self.note

    def begin(self) -> str | None:
        """Make the file before anything is paid for; return why nothing can be kept, if so."""
        with self._lock:
            if self._keeps and not self._write([]):
                self._write([])
        return self.fault

    @property
    def count(self) -> int:
        """Number of items kept."""
        with self._lock:
            return self._read(_count) or 0

    def close(self) -> None:
        """Let go of the file; using it again opens it again."""
        with self._lock:
            self._disconnect()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _read(self, question: Callable[[sqlite3.Connection], Answer]) -> Answer | None:
        if self._connection is None and not self.path.exists():
            return None
        try:
            return question(self._connected())
        except _Unusable as error:
            self._set_aside(str(error))
        except (sqlite3.Error, OSError) as error:
            if _is_damage(error):
                self._set_aside(str(error))
            else:
                self._say(f"Stored {self._what} in {self.path} cannot be read ({error}).")
        return None

    def _write(self, rows: Sequence[tuple[bytes, bytes, int]]) -> bool:
        """Return False if the file had to be set aside, so that the same rows deserve a new one."""
        try:
            # Not its parents: a brain that was moved meanwhile would leave a ghost behind.
            self.path.parent.mkdir(exist_ok=True)
            connection = self._connected()
            with _transaction(connection):
                connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)
        except _Unusable as error:
            return not self._set_aside(str(error))
        except (sqlite3.Error, OSError) as error:
            if _is_damage(error):
                return not self._set_aside(str(error))
            self._keeps = False
            self._say(
                f"New {self._what} are not kept, because {self.path} cannot be written ({error}); "
                f"a repeated ingest computes them again."
            )
        return True

    def _select(
        self, connection: sqlite3.Connection, wanted: Sequence[bytes]
    ) -> dict[bytes, bytes]:
        found: dict[bytes, bytes] = {}
        damaged = 0
        for start in range(0, len(wanted), _ASKED_AT_ONCE):
            some = wanted[start : start + _ASKED_AT_ONCE]
            marks = ", ".join("?" * len(some))
            rows = connection.execute(
                f"SELECT hash, vector, crc FROM vectors WHERE hash IN ({marks})", some
            )
            for digest, value, crc in rows:
                if self._whole(value) and _crc(digest, value) == crc:
                    found[digest] = value
                else:
                    damaged += 1
        if damaged:
            self._say(f"{damaged} stored {self._what} are damaged and will be computed again.")
        return found

    def _connected(self) -> sqlite3.Connection:
        if self._connection is None:
            connection = sqlite3.connect(
                self.path, timeout=10, isolation_level=None, check_same_thread=False
            )
            try:
                self._check(connection)
            except BaseException:
                connection.close()
                raise
            self._connection = connection
        return self._connection

    def _check(self, connection: sqlite3.Connection) -> None:
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        if not application and not tables:  # new, or killed before its first transaction ended
            connection.executescript(SCHEMA)
            connection.execute(
                "INSERT INTO identity SELECT ? WHERE NOT EXISTS (SELECT 1 FROM identity)",
                [self._identity],
            )
            connection.execute("COMMIT")
        elif application != APPLICATION_ID:
            raise _Unusable(f"it is not a file of {self._what}")
        stored = connection.execute("SELECT json FROM identity").fetchall()
        if len(stored) != 1 or not self._is_ours(stored[0][0]):
            raise _Unusable(f"it belongs to another {self._maker}")

    def _set_aside(self, reason: str) -> bool:
        """Return whether the file is out of the way."""
        self._disconnect()
        aside = _unused(self.path.with_name(self.path.name + ".damaged"))
        try:
            os.replace(self.path, aside)
            # Left behind, SQLite would roll it back into the new file.
            self.path.with_name(self.path.name + "-journal").unlink(missing_ok=True)
        except OSError as error:
            self._keeps = False
            self._say(
                f"The stored {self._what} in {self.path} cannot be used ({reason}) nor moved away "
                f"({error}); {self._what} are computed again and not kept."
            )
            return False
        self._say(
            f"The stored {self._what} could not be used ({reason}); the file was set aside as "
            f"{aside} and {self._what} are computed again."
        )
        return True

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _say(self, sentence: str) -> None:
        if sentence not in self._notes:
            self._notes.append(sentence)


def identity_in(path: Path) -> str | None:
    """Return what a file says of its maker; None if there is none, or none that can be read."""
    if not path.exists():
        return None
    with suppress(sqlite3.Error, OSError):
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
        try:
            row = connection.execute("SELECT json FROM identity").fetchone()
        finally:
            connection.close()
        return str(row[0]) if row else None
    return None


def _unused(path: Path) -> Path:
    """Return the path, or the first of ``path-2``, ``path-3`` ... that is free."""
    names = (path.with_name(f"{path.name}-{number}") for number in count(2))
    return next(one for one in chain([path], names) if not one.exists())


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        with suppress(sqlite3.Error):  # SQLite may have rolled back already
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _count(connection: sqlite3.Connection) -> int:
    (number,) = connection.execute("SELECT count(*) FROM vectors").fetchone()
    return int(number)


def _crc(digest: bytes, value: bytes) -> int:
    """SQLite checks its own structure but not what it stores."""
    return zlib.crc32(value, zlib.crc32(digest))


def _is_damage(error: Exception) -> bool:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)
