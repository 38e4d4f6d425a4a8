"""Where the chunks of one generation are in the next."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Keys = NDArray[np.int32]
Rows = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Moved:
    """What became of every row, so that an index can follow without being made again.

    size : number of rows now. rows : of each row before, where it is now, -1 if it went.
    added : the rows that are new, ascending.
    """

    size: int
    rows: Rows
    added: Rows

    @classmethod
    def between(cls, before: Keys, now: Keys) -> Moved:
        """Compare the chunk keys of two generations, each in the order of its rows.

        >>> moved = Moved.between(np.array([4, 7, 9]), np.array([4, 12, 9]))
        >>> moved.rows.tolist(), moved.added.tolist()
        ([0, -1, 2], [1])
        """
        rows = rows_of(before, now)
        new = np.ones(len(now), np.bool_)
        new[rows[rows >= 0]] = False
        return cls(len(now), rows, np.flatnonzero(new).astype(np.int32))

    @property
    def kept(self) -> NDArray[np.int64]:
        """The rows before of what is still there, ascending."""
        return np.flatnonzero(self.rows >= 0)


def rows_of(wanted: Keys, keys: Keys) -> Rows:
    """Return at which row each wanted key is, -1 where it is not.

    >>> rows_of(np.array([9, 5, 4]), np.array([4, 7, 9])).tolist()
    [2, -1, 0]
    """
    if not len(keys):
        return np.full(len(wanted), -1, np.int32)
    order = np.argsort(keys).astype(np.int32)
    near = order[np.minimum(np.searchsorted(keys, wanted, sorter=order), len(keys) - 1)]
    return np.where(keys[near] == wanted, near, np.int32(-1))
