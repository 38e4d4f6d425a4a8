"""One writer per brain, any number of readers per generation. Locks die with their process."""

from __future__ import annotations

import json
import os
import shutil
import socket
import time
import weakref
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

import portalocker

from brainkit.errors import BrainBusy, BrainReadOnly
from brainkit.store.layout import Layout, read_json

_NOW = portalocker.LockFlags.NON_BLOCKING


class WriterLock:
    """The exclusive right to write a brain, with the holder's name beside it."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._file: IO[Any] | None = None

    def __enter__(self) -> Self:
        holder = {"pid": os.getpid(), "host": socket.gethostname(), "since": time.time()}
        file: IO[Any] | None = None
        try:
            self._layout.folder.mkdir(parents=True, exist_ok=True)
            file = open(self._layout.lock_file, "a+b")  # held until __exit__
            portalocker.lock(file, portalocker.LockFlags.EXCLUSIVE | _NOW)
            self._layout.holder_file.write_text(json.dumps(holder), "utf-8")
        except (OSError, portalocker.exceptions.LockException) as error:
            if file is not None:
                file.close()
            if isinstance(error, portalocker.exceptions.LockException):
                raise BrainBusy(self._busy()) from None
            raise BrainReadOnly(
                f"{self._layout.folder} cannot be written ({error.strerror}). Queries work all the "
                "same; to change it, copy it to a folder of yours, or get the right to write here."
            ) from None
        self._file = file
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._file is not None:
            self._layout.holder_file.unlink(missing_ok=True)
            portalocker.unlock(self._file)
            self._file.close()
            self._file = None

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
            if not os.path.samestat(os.fstat(file.fileno()), os.stat(path)):
                raise FileNotFoundError
        except (portalocker.exceptions.LockException, FileNotFoundError):
            file.close()
            raise FileNotFoundError(f"{path.parent} was deleted meanwhile") from None
        self._file = file
        self._path = path
        weakref.finalize(self, file.close)  # also where nobody calls release

    def holds(self) -> bool:
        """Tell whether the generation it keeps is the one that is there now."""
        try:
            return self._file is None or os.path.samestat(
                os.fstat(self._file.fileno()), os.stat(self._path)
            )
        except OSError:
            return False

    def release(self) -> None:
        """Let the generation go."""
        if self._file is not None:
            self._file.close()
            self._file = None


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
    except (portalocker.exceptions.LockException, PermissionError):
        return False
    shutil.rmtree(trash, ignore_errors=True)
    return True
