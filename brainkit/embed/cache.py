"""Vectors that were paid for once: content hash -> vector, one SQLite file per identity."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import threading
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from brainkit.embed.base import Identity
from brainkit.errors import EmbedderFailed, EmbedderUnavailable

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
_FLOAT32 = np.dtype("<f4")

Answer = TypeVar("Answer")


class _Unusable(Exception):
    """The file is damaged, or not a cache of this identity."""


def content_hash(text: str) -> bytes:
    """Return the 32-byte SHA-256 of a text's UTF-8, lone surrogates included.

    >>> content_hash("abc").hex()[:16]
    'ba7816bf8f01cfea'
    """
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


class EmbeddingCache:
    """Keep vectors by the hash of their text, for one identity.

    A batch is one transaction: after a kill at any moment every finished batch is there, and no
    half one. A cache is never worth an error: a damaged or foreign file is set aside as
    ``*.damaged`` and a new one begun; where nothing can be written, everything works without
    keeping. ``note`` says so.

    folder : the ``embeddings`` folder of a brain; made when the first vector is kept.
    identity : names the file by its digest; one that was begun by an identity of the same digest
        that does not agree with this one is foreign. So vectors of two embedders cannot meet.
    """

    def __init__(self, folder: str | Path, identity: Identity) -> None:
        self.path = Path(folder) / f"{identity.digest}.sqlite"
        self._identity = identity
        self._connection: sqlite3.Connection | None = None
        self._lock = threading.Lock()
        self._keeps = True
        self._notes: list[str] = []

    @property
    def note(self) -> str | None:
        """What the user should know about this cache, in full sentences; None if all is well."""
        return " ".join(self._notes) or None

    def get_many(self, hashes: Iterable[bytes]) -> dict[bytes, NDArray[np.float32]]:
        """Return the vectors that are kept for these hashes; read-only, float32 (dim,) each."""
        wanted = list(dict.fromkeys(hashes))
        with self._lock:
            return self._read(lambda connection: self._select(connection, wanted)) or {}

    def put_many(self, hashes: Sequence[bytes], vectors: NDArray[np.float32]) -> None:
        """Keep one batch, all or nothing; a hash that is there already gets the new vector.

        Raises EmbedderFailed if ``vectors`` is not of shape (len(hashes), dim).
        """
        matrix = np.ascontiguousarray(vectors, _FLOAT32)
        if matrix.shape != (len(hashes), self._identity.dim):
            raise EmbedderFailed(
                f"The cache of {self._identity} was given vectors of shape {matrix.shape} for "
                f"{len(hashes)} texts; expected {(len(hashes), self._identity.dim)}."
            )
        rows = [
            (digest, vector, _crc(digest, vector))
            for digest, vector in zip(hashes, (row.tobytes() for row in matrix), strict=True)
        ]
        with self._lock:
            if rows and self._keeps and not self._write(rows):
                self._write(rows)

    @property
    def count(self) -> int:
        """Number of vectors kept."""
        with self._lock:
            return self._read(_count) or 0

    @property
    def size_bytes(self) -> int:
        """Size of the file; 0 while there is none."""
        with suppress(OSError):
            return self.path.stat().st_size
        return 0

    def close(self) -> None:
        """Let go of the file; using the cache again opens it again."""
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
                self._say(f"Stored embeddings in {self.path} cannot be read ({error}).")
        return None

    def _write(self, rows: Sequence[tuple[bytes, bytes, int]]) -> bool:
        """Return False if the file had to be set aside, so that the same rows deserve a new one."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
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
                f"New embeddings are not kept, because {self.path} cannot be written ({error}); "
                f"a repeated ingest computes them again."
            )
        return True

    def _select(
        self, connection: sqlite3.Connection, wanted: Sequence[bytes]
    ) -> dict[bytes, NDArray[np.float32]]:
        found: dict[bytes, NDArray[np.float32]] = {}
        damaged = 0
        for start in range(0, len(wanted), _ASKED_AT_ONCE):
            some = wanted[start : start + _ASKED_AT_ONCE]
            marks = ", ".join("?" * len(some))
            rows = connection.execute(
                f"SELECT hash, vector, crc FROM vectors WHERE hash IN ({marks})", some
            )
            for digest, vector, crc in rows:
                if len(vector) == self._identity.dim * 4 and _crc(digest, vector) == crc:
                    found[digest] = np.frombuffer(vector, _FLOAT32)
                else:
                    damaged += 1
        if damaged:
            self._say(f"{damaged} stored embeddings are damaged and will be computed again.")
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
        ours = json.dumps(self._identity.to_dict(), sort_keys=True)
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        if not application and not tables:  # new, or killed before its first transaction ended
            connection.executescript(SCHEMA)
            connection.execute(
                "INSERT INTO identity SELECT ? WHERE NOT EXISTS (SELECT 1 FROM identity)", [ours]
            )
            connection.execute("COMMIT")
        elif application != APPLICATION_ID:
            raise _Unusable("it is not an embedding cache")
        stored = connection.execute("SELECT json FROM identity").fetchall()
        if len(stored) != 1 or not self._is_ours(stored[0][0]):
            raise _Unusable("it belongs to another embedder")

    def _is_ours(self, stored: str) -> bool:
        try:
            return self._identity.agrees(Identity.from_dict(json.loads(stored)))
        except (ValueError, TypeError, AttributeError, EmbedderUnavailable):
            return False

    def _set_aside(self, reason: str) -> bool:
        """Return whether the file is out of the way."""
        self._disconnect()
        aside = self.path.with_name(self.path.name + ".damaged")
        try:
            os.replace(self.path, aside)
            # Left behind, SQLite would roll it back into the new file.
            self.path.with_name(self.path.name + "-journal").unlink(missing_ok=True)
        except OSError as error:
            self._keeps = False
            self._say(
                f"The stored embeddings in {self.path} cannot be used ({reason}) nor moved away "
                f"({error}); embeddings are computed again and not kept."
            )
            return False
        self._say(
            f"The stored embeddings could not be used ({reason}); the file was set aside as "
            f"{aside} and embeddings are computed again."
        )
        return True

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _say(self, sentence: str) -> None:
        if sentence not in self._notes:
            self._notes.append(sentence)


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


def _crc(digest: bytes, vector: bytes) -> int:
    """SQLite checks its own structure but not what it stores."""
    return zlib.crc32(vector, zlib.crc32(digest))


def _is_damage(error: Exception) -> bool:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)
