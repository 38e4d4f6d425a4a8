"""The one way to cut and order scored rows: score descending, then row (the tie order)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Rows = NDArray[np.int64]


def best_rows(rows: Rows, scores: Floats, depth: int) -> tuple[Rows, Floats]:
    """Return the ``depth`` best rows and their scores, best first, equal scores by ascending row.

    rows : ascending. scores : one per row. The cut itself obeys the tie rule too.

    >>> best_rows(np.array([2, 5, 7]), np.array([1, 3, 1], np.float32), 2)[0].tolist()
    [5, 2]
    """
    if len(rows) > depth:
        edge = np.partition(scores, -depth)[-depth]
        kept = scores >= edge
        rows, scores = rows[kept], scores[kept]
    order = np.argsort(-scores, kind="stable")[:depth]
    return rows[order], scores[order]
