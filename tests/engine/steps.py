"""What Python asks of the file system in a folder, step by step; what may happen at a step."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

Act = Callable[[int, str], None]
FACED = ("open", "os.rename", "os.mkdir", "os.remove", "os.rmdir", "os.chmod", "os.truncate")
"""Audit events by which Python tells what it is about to ask of the file system."""


class Steps:
    """Count the steps that change something in a folder, and act at each.

    paths : what each step was about.
    act : called with the number, from 1, and the event; what it raises, the caller of the system
        gets. A hook stays for as long as the process; without ``act`` it does nothing.
    """

    def __init__(self, folder: Path, act: Act | None = None) -> None:
        self.paths: list[str] = []
        self.act: Act | None = act or (lambda number, event: None)
        self._folder = str(folder)
        sys.addaudithook(self._hook)

    def _hook(self, event: str, given: tuple[Any, ...]) -> None:
        if self.act is None or event not in FACED:
            return
        if not any(self._inside(one) for one in given[:2]):
            return
        if event == "open":
            flags = given[2] if len(given) > 2 and isinstance(given[2], int) else 0
            if not flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
                return
        self.paths.append(str(given[0]))
        self.act(len(self.paths), event)

    def _inside(self, path: Any) -> bool:
        return isinstance(path, str | os.PathLike) and os.fspath(path).startswith(self._folder)


def denied(at: int, code: int) -> Act:
    """Refuse a step and all that follow; a full disk lets files be deleted."""

    def act(step: int, event: str) -> None:
        frees = event in ("os.remove", "os.rmdir") and code == errno.ENOSPC
        if step >= at and not frees:
            raise OSError(code, os.strerror(code))

    return act
