"""What is known of a server: learned once from how it answers, and remembered between sessions."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

FOLDER: Final = "BRAINKIT_CACHE"
_FILE: Final = "servers.json"
_DAYS: Final = 30
FEWEST_TEXTS: Final = 4
"""Smallest limit of a batch that is remembered: one learned in error would make every run slow."""
_WRITING = threading.Lock()


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What a model at an address can do; None is not known yet.

    batch_texts : most texts in one request that it took after refusing more.
    takes_dimensions : it gives vectors as short as it is asked for.
    """

    batch_texts: int | None = None
    takes_dimensions: bool | None = None


class Memory:
    """What is known of one model at one address, kept in a file of the user's cache folder.

    The file holds addresses (without their query), models and the fields of Known; never a key,
    and nothing that was sent. It is forgotten after 30 days, as servers change. Where it cannot be
    read or written, nothing is remembered, and all works.

    path : of the file; None for the usual one.
    """

    def __init__(self, address: str, model: str, *, path: Path | None = None) -> None:
        self._entry = f"{address} {model}"
        self._path = cache_folder() / _FILE if path is None else path
        self._known: Known | None = None

    @property
    def known(self) -> Known:
        """What is known now."""
        if self._known is None:
            self._known = _read(self._path).get(self._entry, (Known(), 0.0))[0]
        return self._known

    def learn(self, **found: Any) -> None:
        """Remember something; fields of Known that are not named stay."""
        before = self.known
        self._known = replace(before, **found)
        if self._known == before:
            return
        with _WRITING, suppress(OSError):
            _write(self._path, {**_read(self._path), self._entry: (self._known, time.time())})


def cache_folder() -> Path:
    """Return where brainkit keeps what it can do without; ``BRAINKIT_CACHE`` names another."""
    if given := os.environ.get(FOLDER):
        return Path(given)
    home = Path.home()
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = home / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache")
    return base / "brainkit"


def _read(path: Path) -> dict[str, tuple[Known, float]]:
    found: dict[str, tuple[Known, float]] = {}
    try:
        stored = json.loads(path.read_text("utf-8"))
        for name, entry in stored.items():
            learned = float(entry.pop("learned"))
            if 0 <= time.time() - learned < _DAYS * 86_400:
                found[name] = (_sound(entry), learned)
    except (OSError, ValueError, TypeError, AttributeError, KeyError, RecursionError):
        return {}  # damaged, or of another version: it is learned again
    return found


def _sound(entry: Mapping[str, Any]) -> Known:
    known = Known(**entry)
    if known.batch_texts is not None and (
        type(known.batch_texts) is not int or known.batch_texts < 1
    ):
        raise ValueError(f"{known.batch_texts!r} is no size")
    if known.batch_texts is not None and known.batch_texts < FEWEST_TEXTS:
        return replace(known, batch_texts=None)
    return known


def _write(path: Path, entries: Mapping[str, tuple[Known, float]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(
        {n: {**asdict(known), "learned": when} for n, (known, when) in entries.items()}
    )
    with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False, encoding="utf-8") as file:
        file.write(text)
    os.replace(file.name, path)
