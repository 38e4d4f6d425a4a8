"""Rows that were read before: a generation never changes, so a chunk need not be fetched twice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

CHARS_MAX: Final = 16_000_000
"""Characters kept at most, but for the last ones read: some 20,000 chunks, in 40 MB."""

Record = dict[str, Any]


class KeptRows:
    """The rows read last, by key.

    Two halves: what is asked for moves to the new half, and when that is full it becomes the old
    one and the old one goes. So rows in use stay, and no order has to be kept. Safe among threads,
    as each step is one operation of a dict; at worst a row is read again.
    """

    def __init__(self, *, chars_max: int = CHARS_MAX) -> None:
        self._half = chars_max // 2
        self._new: dict[int, Record] = {}
        self._old: dict[int, Record] = {}
        self._chars = 0

    def found(self, keys: Sequence[int]) -> dict[int, Record]:
        """Return key -> row of those that are kept; the rows are shared, so not to be changed."""
        new, old = self._new, self._old
        kept, moving = {}, {}
        for key in keys:
            row = new.get(key)
            if row is None:
                row = old.get(key)
                if row is None:
                    continue
                moving[key] = row
            kept[key] = row
        if moving:
            self.keep(moving.items())
        return kept

    def keep(self, rows: Iterable[tuple[int, Record]]) -> None:
        """Remember rows by key."""
        for key, row in rows:
            self._new[key] = row
            self._chars += len(row["text"]) + len(row["context"]) + len(row["metadata"])
        if self._chars > self._half:
            self._old, self._new, self._chars = self._new, {}, 0
