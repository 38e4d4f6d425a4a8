"""Approximate search by usearch's HNSW, for brains above the exact limit."""

from __future__ import annotations

from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from usearch.index import Index

Floats = NDArray[np.float32]
Rows = NDArray[np.int64]

_CONNECTIVITY = 16  # edges per node; usearch's default
_EXPANSION_ADD = 128  # breadth while building
_EXPANSION_SEARCH = 128  # breadth while searching; not saved in the file, so set at each load


class Hnsw:
    """Finds rows of a matrix near a vector, mostly the nearest.

    Equal vectors are one node: as many nodes they would be each other's only neighbours, out of
    reach of the rest, and a search would return any of them instead of the first.

    index : its keys are row numbers. first : (n,) the first row with the same vector as row i.
    """

    def __init__(self, index: Index, first: Rows) -> None:
        self._index = index
        self._rows = np.argsort(first, kind="stable")
        self._firsts = first[self._rows]

    def __len__(self) -> int:
        return len(self._index)

    def near(self, query: Floats, count: int) -> Rows:
        """Return the rows of about the ``count`` nearest different vectors, ascending."""
        if len(self._index) == 0:
            return np.empty(0, np.int64)
        found = self._index.search(query, min(count, len(self._index)))
        keys = np.asarray(found.keys[: len(found)], dtype=np.int64)
        starts = np.searchsorted(self._firsts, keys, side="left")
        counts = np.searchsorted(self._firsts, keys, side="right") - starts
        within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        return np.sort(self._rows[np.repeat(starts, counts) + within])

    def save(self, path: Path, firsts: Path) -> None:
        """Write the index, and beside it which rows are equal."""
        first = np.empty(len(self._rows), np.int64)
        first[self._rows] = self._firsts
        np.save(firsts, first, allow_pickle=False)
        self._index.save(str(path))


def build(matrix: Floats) -> Hnsw:
    """Index the nonzero rows of a matrix.

    On one thread: with more, the graph differs from run to run, and an index that is made again
    would answer a little differently.
    """
    from usearch.index import Index

    index = Index(
        ndim=matrix.shape[1],
        metric="cos",
        dtype="f32",  # without it usearch stores bf16
        connectivity=_CONNECTIVITY,
        expansion_add=_EXPANSION_ADD,
        expansion_search=_EXPANSION_SEARCH,
    )
    first = first_of_equals(matrix)
    rows = different(matrix, first)
    if len(rows):
        index.add(rows.astype(np.uint64), np.ascontiguousarray(matrix[rows]), threads=1)
    return Hnsw(index, first)


def open_saved(path: Path, firsts: Path, dim: int) -> Hnsw:
    """Map a saved index into memory; its hash must have been checked, native code trusts it."""
    from usearch.index import Index

    index = Index(ndim=dim, metric="cos", dtype="f32", expansion_search=_EXPANSION_SEARCH)
    index.view(str(path))
    return Hnsw(index, np.load(firsts, allow_pickle=False))


def first_of_equals(matrix: Floats) -> Rows:
    """Return for each row the first row that equals it, shape (n,).

    >>> first_of_equals(np.array([[1, 0], [0, 1], [1, 0]], np.float32)).tolist()
    [0, 1, 0]
    """
    seen: dict[bytes, int] = {}
    digests = (blake2b(row.tobytes(), digest_size=16).digest() for row in matrix)
    return np.fromiter((seen.setdefault(d, i) for i, d in enumerate(digests)), np.int64)


def different(matrix: Floats, first: Rows) -> Rows:
    """Return the first row of every different vector that is not zero, ascending."""
    return np.flatnonzero((first == np.arange(len(first))) & matrix.any(axis=1))
