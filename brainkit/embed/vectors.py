"""What makes a row of numbers a usable vector."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

PROBES = [
    "the cat sat on the mat",
    "import numpy as np",
    "interest rates rose",
    "42 + 7 = 49",
    "A lazy fox of Quebec hums a waltz; Jack, by the dozen, views pigs, hens, eggs and geese.",
    "def f(x, y=0): return [z ** 2 for z in x if z != y]  # skip equal keys",
    "Wie weit ist es bis zum n\u00e4chsten Bahnhof? \u6771\u4eac\u306f\u3069\u3053",
    "ERROR 503: the request timed out after 30 s, retrying\nWARNING: disk usage at 97 %\n" * 4,
]
"""Texts whose vectors tell one model from another."""
_PROJECTIONS = 4


def unit_rows(matrix: NDArray[np.floating[Any]]) -> NDArray[np.float32]:
    """Scale each row to Euclidean length 1; a row without a direction is left as it is.

    matrix : (n, dim), of any floating type; lengths are taken in float64, where float32's range
        squared still fits.
    Returns float32 (n, dim). Zero, NaN and infinite rows stay unusable; ``flaws`` names them.

    >>> unit_rows(np.array([[3.0, 4.0], [0.0, 0.0]])).tolist()
    [[0.6000000238418579, 0.800000011920929], [0.0, 0.0]]
    """
    wide = np.asarray(matrix, dtype=np.float64)
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        lengths = np.sqrt(np.square(wide).sum(axis=1, keepdims=True))
        has_direction = np.isfinite(lengths) & (lengths > 0)
        scaled = np.divide(wide, lengths, out=wide.copy(), where=has_direction)
        narrow: NDArray[np.float32] = scaled.astype(np.float32)
    return narrow


def flaws(matrix: NDArray[np.float32]) -> dict[int, str]:
    """Name the rows that cosine similarity cannot use, and why.

    A zero vector has no direction, NaN compares with nothing, and a row whose squared length leaves
    float32 gives one of the two later on.

    >>> flaws(np.array([[1, 0], [0, 0], [np.nan, 1], [1e30, 0]], dtype=np.float32))
    {1: 'all zeros', 2: 'NaN or infinite', 3: 'too large for float32'}
    """
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        squares = np.square(matrix, dtype=np.float32).sum(axis=1)
    found: dict[int, str] = {}
    for row in np.flatnonzero(~(np.isfinite(squares) & (squares > 0))).tolist():
        if not np.isfinite(matrix[row]).all():
            found[row] = "NaN or infinite"
        elif not matrix[row].any():
            found[row] = "all zeros"
        else:
            found[row] = f"too {'small' if squares[row] == 0 else 'large'} for float32"
    return found


def encodable(text: str) -> str:
    """Return the text with lone surrogates replaced: tokenizers take valid Unicode only.

    >>> encodable("caf\\u00e9 \\ud800!") == "caf\\u00e9 ?!"
    True
    """
    return text.encode("utf-8", "replace").decode("utf-8")


def projected(units: NDArray[np.float64]) -> tuple[float, ...]:
    """Return a few random projections of each row: they change when any component does.

    The directions have components of mean 0 and variance 1, from a hash, so that they are the same
    on every machine; a change of a row by a vector of length e moves its projections by about e.
    """
    dim = units.shape[1]
    stream = hashlib.shake_256(b"brainkit probes").digest(dim * _PROJECTIONS)
    directions = (np.frombuffer(stream, np.uint8).reshape(dim, _PROJECTIONS) - 127.5) / 73.9
    return tuple(np.round(units @ directions, 4).ravel().tolist())
