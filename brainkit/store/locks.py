"""One writer per brain, any number of readers per generation. Locks die with their process.

Some network and container file systems have no locks. There a brain can be read, and nobody deletes
what somebody reads, but not written: two writers would not know of each other.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
import socket
import time
import weakref
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

import portalocker

from brainkit.errors import BrainBusy, BrainNotWritten
from brainkit.store.layout import Layout, read_json
from brainkit.store.refused import gone, refused

_NOW = portalocker.LockFlags.NON_BLOCKING


class WriterLock:
    """The exclusive right to write a brain, with the holder's name beside it.

    make : make the folder if there is none; otherwise it was moved or deleted, and one in its place
        would hide that. Raises BrainBusy naming the holder, BrainReadOnly or BrainNotWritten.
    """

    def __init__(self, layout: Layout, *, make: bool = False) -> None:
        self._layout = layout
        self._make = make
        self._file: IO[Any] | None = None

    def __enter__(self) -> Self:
        holder = {"pid": os.getpid(), "host": socket.gethostname(), "since": time.time()}
        file: IO[Any] | None = None
        try:
            if self._make:
                self._layout.folder.mkdir(parents=True, exist_ok=True)
            file = open(self._layout.lock_file, "a+b")  # held until __exit__
            portalocker.lock(file, portalocker.LockFlags.EXCLUSIVE | _NOW)
            if not _is_at(file, self._layout.lock_file):
                raise FileNotFoundError(errno.ENOENT, "replaced meanwhile")
            self._layout.holder_file.write_text(json.dumps(holder), "utf-8")
        except (OSError, portalocker.exceptions.LockException) as error:
            if file is not None:
                file.close()
            if isinstance(error, portalocker.exceptions.AlreadyLocked):
                raise BrainBusy(self._busy()) from None
            if isinstance(error, portalocker.exceptions.LockException):
                raise BrainNotWritten(no_locks(self._layout.folder, error)) from None
            raise refused(self._layout.folder, error) from None
        self._file = file
        return self

    def check(self) -> None:
        """Raise BrainNotWritten if the brain at this path is another than the one locked."""
        if self._file is None or not _is_at(self._file, self._layout.lock_file):
            raise BrainNotWritten(gone(self._layout.folder))

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._file is None:
            return
        file, self._file = self._file, None
        # None of this may hide an error of the block, or keep the lock.
        with suppress(OSError):
            self._layout.holder_file.unlink(missing_ok=True)
        with file, suppress(OSError, portalocker.exceptions.LockException):
            portalocker.unlock(file)

    def _busy(self) -> str:
        try:
            holder = read_json(self._layout.holder_file)
            minutes = (time.time() - float(holder["since"])) / 60
            who = f"process {holder['pid']} on {holder['host']}, for {minutes:.1f} minutes"
            if holder["pid"] == os.getpid() and holder["host"] == socket.gethostname():
                who += " (this very process, another thread)"
        except (OSError, ValueError, TypeError, KeyError):
            who = "another process that has not said its name yet"
        return (
            f"{self._layout.folder} is being written by {who}. "
            "Queries go on meanwhile; wait for it to finish, or stop it, and try again."
        )


class ReaderLock:
    """Keeps a generation from being deleted while somebody reads it."""

    def __init__(self, path: Path) -> None:
        self._file: IO[Any] | None = None
        try:
            file = open(path, "rb")  # noqa: SIM115  # held until release
        except PermissionError:
            return
        try:
            portalocker.lock(file, portalocker.LockFlags.SHARED | _NOW)
        except portalocker.exceptions.AlreadyLocked:
            file.close()
            raise FileNotFoundError(f"{path.parent} was deleted meanwhile") from None
        except portalocker.exceptions.LockException:
            pass  # no locks here, so no writer either that would delete it
        if not _is_at(file, path):
            file.close()
            raise FileNotFoundError(f"{path.parent} was deleted meanwhile")
        self._file = file
        self._path = path
        weakref.finalize(self, file.close)  # also where nobody calls release

    def holds(self) -> bool:
        """Tell whether the generation it keeps is the one that is there now."""
        return self._file is None or _is_at(self._file, self._path)

    def release(self) -> None:
        """Let the generation go."""
        if self._file is not None:
            self._file.close()
            self._file = None


def _is_at(file: IO[Any], path: Path) -> bool:
    """Tell whether an open file is the one that is at a path now."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), os.stat(path))
    except OSError:
        return False


def delete_if_unused(generation: Path, lock_file: str) -> bool:
    """Delete a generation that no reader holds; tell whether it is gone.

    The folder is renamed while the lock is held, so that a reader arriving meanwhile finds either
    the whole generation or none.
    """
    trash = generation.with_name(f".trash-{generation.name}-{os.getpid()}")
    try:
        with open(generation / lock_file, "a+b") as file:
            portalocker.lock(file, portalocker.LockFlags.EXCLUSIVE | _NOW)
            generation.rename(trash)
    except FileNotFoundError:
        return not generation.exists()
    except (portalocker.exceptions.LockException, OSError):
        return False
    shutil.rmtree(trash, ignore_errors=True)
    return True


def no_locks(folder: Path, error: Exception) -> str:
    """Return the message about a folder whose file system refuses a lock, other than to wait."""
    reason = getattr(error.__cause__, "strerror", None) or str(error)
    return (
        f"{folder} is on a file system where files cannot be locked ({reason}), so two writers "
        "could damage it, and nothing was changed. Copy the brain to a local disk to change it."
    )
