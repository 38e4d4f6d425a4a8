"""Lends books."""

from __future__ import annotations

import os.path as path
from typing import overload

LIMIT = 3


@overload
def find(name: str) -> Shelf: ...
@overload
def find(name: int) -> Shelf: ...


# Looks everywhere.
@traced(
    "find",
)
async def find(
    name,  # what
    deep: bool = False,
):
    """Find a shelf.

    Deep or not.
    """

    def local(x: int) -> int:
        return x + 1

    return local(1)


class Shelf(Base, kind="small"):
    """A shelf."""

    size = 3

    def __init__(self, name: str) -> None:
        self.name = name

    # Lent for days.
    @property
    def days(self) -> int: return 3

    @days.setter
    def days(self, days: int) -> None:
        '''Set them.'''
        self._days = days

    class Entry:
        def reset(self): pass


try:
    from fast import sort
except ImportError:
    def sort(books):
        return sorted(books)


if __name__ == "__main__":
    find("a")
