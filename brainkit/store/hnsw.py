"""Approximate search by usearch's HNSW, for brains above the exact limit."""

from __future__ import annotations

from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from brainkit.store import sound
from brainkit.store.moved import Moved

if TYPE_CHECKING:
    from usearch.index import Index

Floats = NDArray[np.float32]
Rows = NDArray[np.int64]

_CONNECTIVITY = 16  # edges per node; usearch's default
_EXPANSION_ADD = 128  # breadth while building
_EXPANSION_SEARCH = 1024  # breadth while searching: of a million, 128 finds .64 of the best ten and
# 1024 finds .96, for 12 ms more. It is not saved in the file, so set at each load.
_LOOSE, _NONE = -1, -2
# Rows that came or went since it was built. Comparing 10,000 one by one takes 1 ms.
_STALE_SHARE, _STALE_MOST = 0.05, 10_000
_BLOCK = 10_000


class Hnsw:
    """Finds rows of a matrix near a vector, mostly the nearest.

    Equal vectors are one node: as many nodes they would be each other's only neighbours, out of
    reach of the rest, and a search would return any of them instead of the first.

    An index follows a matrix that lost and gained some rows: their nodes are then passed over, and
    rows without a node are compared one by one. So what it misses is no more than before.

    index : its keys are numbers of nodes. nodes : (n,) the node of each row, in one just built the
        first row with the same vector; -1 where it came later, -2 where it has no vector.
    matrix : (n, dim).
    """

    def __init__(self, index: Index, nodes: Rows, matrix: Floats) -> None:
        self._index = index
        self._rows = np.argsort(nodes, kind="stable")
        self._nodes = nodes[self._rows]
        loose = slice(*np.searchsorted(self._nodes, (_LOOSE, 0)))
        self._loose = self._rows[loose]
        self._loose_vectors = matrix[self._loose]
        used = np.count_nonzero(np.diff(self._nodes[loose.stop :], prepend=-1))
        self._left = max(0, len(self) - int(used))

    def __len__(self) -> int:
        return len(self._index)

    def near(self, query: Floats, count: int) -> Rows:
        """Return the rows of about the ``count`` nearest different vectors, ascending."""
        loose = self._near_loose(query, count)
        wanted, most = min(count, len(self) - self._left), min(count + self._left, len(self))
        if not wanted:
            return loose
        fetched = count
        while True:
            found = self._index.search(query, min(fetched, most))
            keys = np.asarray(found.keys[: len(found)], dtype=np.int64)
            starts = np.searchsorted(self._nodes, keys, side="left")
            counts = np.searchsorted(self._nodes, keys, side="right") - starts
            if np.count_nonzero(counts) >= wanted or fetched >= most:
                break
            fetched *= 2
        within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        rows = self._rows[np.repeat(starts, counts) + within]
        return np.sort(np.concatenate((rows, loose)))

    @property
    def is_stale(self) -> bool:
        """Whether so many rows came or went that building it anew is better than following on."""
        changed = self._left + len(self._loose)
        return changed > min(_STALE_SHARE * len(self), _STALE_MOST)

    def holds(self, matrix: Floats) -> bool:
        """Tell whether each nonzero row has a node with its vector, or is compared by itself."""
        there = (self._nodes >= 0) & matrix[self._rows].any(axis=1)
        rows, nodes = self._rows[there], self._nodes[there].astype(np.uint64)
        if len(self) != self._left + len(np.unique(nodes)):
            return False
        for start in range(0, len(rows), _BLOCK):
            block = slice(start, start + _BLOCK)
            if not np.all(self._index.contains(nodes[block])):
                return False
            if not np.array_equal(np.asarray(self._index.get(nodes[block])), matrix[rows[block]]):
                return False
        return np.array_equal(self._loose_vectors, matrix[self._loose])

    def save_nodes(self, path: Path) -> None:
        """Write which node each row has."""
        nodes = np.empty(len(self._rows), np.int64)
        nodes[self._rows] = self._nodes
        np.save(path, nodes, allow_pickle=False)

    def save(self, path: Path, nodes: Path) -> None:
        """Write the index, and beside it which node each row has. Raises OSError if it cannot."""
        self.save_nodes(nodes)
        try:
            self._index.save(str(path))
        except RuntimeError as error:  # usearch's word for a disk that is full
            raise OSError(f"{path}: {error}") from None

    def _near_loose(self, query: Floats, count: int) -> Rows:
        rough = self._loose_vectors @ query
        if len(rough) <= count:
            return self._loose
        margin = len(query) * np.finfo(np.float32).eps
        near = rough >= np.partition(rough, -count)[-count] - margin
        nearest: Rows = self._loose[near]
        return nearest


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
    return Hnsw(index, np.where(matrix.any(axis=1), first, _NONE), matrix)


def open_saved(path: Path, nodes: Path, matrix: Floats) -> Hnsw:
    """Map a saved index into memory; its hash must have been checked. Raises Unsound."""
    of_rows = sound.array(nodes, dtypes="i8", shape=(len(matrix),))
    return Hnsw(_viewed(path, matrix.shape[1]), of_rows, matrix)


def followed(path: Path, nodes: Path, moved: Moved, matrix: Floats) -> Hnsw | None:
    """Open the saved index of another matrix for the one that rows went from and came to.

    matrix : the new one. Returns None where too much differs; hashes must have been checked.
    Raises Unsound.
    """
    from usearch.index import Index

    before = sound.array(nodes, dtypes="i8", shape=(None,))
    known = Index.metadata(str(path))
    if known is None or known["dimensions"] != matrix.shape[1] or len(before) != len(moved.rows):
        return None
    now = np.full(moved.size, _LOOSE, np.int64)
    now[moved.rows[moved.kept]] = before[moved.kept]
    now[~matrix.any(axis=1)] = _NONE
    index = Hnsw(_viewed(path, matrix.shape[1]), now, matrix)
    return None if index.is_stale else index


def _viewed(path: Path, dim: int) -> Index:
    from usearch.index import Index

    sound.neighbours(path, dim=dim)  # native code believes what it maps
    index = Index(ndim=dim, metric="cos", dtype="f32", expansion_search=_EXPANSION_SEARCH)
    index.view(str(path))
    return index


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
