"""Cosine search over the chunk vectors: exact, or by usearch's HNSW above a size limit.

Row i of the matrix is the chunk of tie order i, a unit vector, or zeros for a chunk whose embedding
was refused. Every similarity that leaves this module comes from one function, ``similarities``,
whatever found the row, so it does not depend on batch, position or index.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from brainkit.store.hnsw import Hnsw
from brainkit.store.ranking import best_rows

Floats = NDArray[np.float32]
Rows = NDArray[np.int64]
Mask = NDArray[np.bool_]

_FEW = 20_000  # allowed rows up to which a filtered search is exact even above the limit


class VectorIndex:
    """Finds the rows most similar to a query vector.

    matrix : (n, dim) float32. approximate : the HNSW index over its rows, or None for exact search.
    """

    def __init__(self, matrix: Floats, approximate: Hnsw | None = None) -> None:
        self._matrix = matrix
        self._hnsw = approximate

    def __len__(self) -> int:
        return len(self._matrix)

    @property
    def dim(self) -> int:
        """Length of a vector."""
        return int(self._matrix.shape[1])

    def holds(self, matrix: Floats) -> bool:
        """Tell whether these are exactly the vectors searched, and HNSW knows each nonzero one."""
        if not np.array_equal(self._matrix, matrix):
            return False
        return self._hnsw is None or self._hnsw.holds(matrix)

    def similarities(self, query: Floats, rows: Rows | slice) -> Floats:
        """Return the cosine similarity (1 - cosine distance, -1 to 1) of each row to a unit query.

        Summed in float64 and rounded once to float32, so equal vectors have equal similarity.
        """
        products = self._matrix[rows].astype(np.float64) * query.astype(np.float64)
        similar: Floats = np.clip(products.sum(axis=1), -1.0, 1.0).astype(np.float32)
        return similar

    def at(self, rows: Rows) -> Floats:
        """Return the vectors of these rows, shape (n, dim)."""
        return np.asarray(self._matrix[rows], np.float32)

    def present(self, rows: Rows) -> Mask:
        """Tell which rows have a vector at all."""
        return np.asarray(self._matrix[rows].any(axis=1))

    def search(
        self, query: Floats, *, depth: int, least: float = 0.0, allowed: Mask | None = None
    ) -> tuple[Rows, Floats]:
        """Return at most ``depth`` rows with similarity > 0 and >= ``least``, and the similarities.

        Best first, equal similarities in row order. ``allowed`` masks rows out before the search.
        """
        if self._hnsw is None:
            rows = self._near_exact(query, depth, allowed)
        elif allowed is None:
            rows = self._hnsw.near(query, depth)
        elif int(allowed.sum()) <= _FEW:
            rows = self._near_exact(query, depth, allowed)
        else:
            rows = self._near_hnsw(self._hnsw, query, depth, allowed)
        similar = self.similarities(query, rows)
        good = (similar > 0.0) & (similar.astype(np.float64) >= least)  # as fusion compares
        return best_rows(rows[good], similar[good], depth)

    def _near_exact(self, query: Floats, depth: int, allowed: Mask | None) -> Rows:
        """Rows that may be among the best, by a fast product whose error is below the margin."""
        if allowed is None:
            rows = np.arange(len(self._matrix), dtype=np.int64)
            rough = self._matrix @ query
        else:
            rows = np.flatnonzero(allowed)
            if len(rows) * 4 < len(allowed):
                rough = self._matrix[rows] @ query
            else:
                rough = (self._matrix @ query)[rows]
        if len(rows) > depth:
            margin = self.dim * np.finfo(np.float32).eps
            edge = np.partition(rough, -depth)[-depth] - margin
            rows = rows[rough >= edge]
        return rows

    def _near_hnsw(self, index: Hnsw, query: Floats, depth: int, allowed: Mask) -> Rows:
        """Over-fetch until the filter leaves enough; exact if HNSW cannot fill the depth."""
        count, share = depth, float(allowed.mean())
        while count < len(allowed):
            count = min(len(allowed), int(count / share * 1.5) + depth)
            if count > len(allowed) // 8:
                break
            rows = index.near(query, count)
            rows = rows[allowed[rows]]
            if len(rows) >= depth:
                return rows
        return self._near_exact(query, depth, allowed)


def measured_recall(index: VectorIndex, matrix: Floats, *, samples: int = 100) -> float:
    """Return recall@10 of the HNSW search against exact search, over noisy stored vectors.

    Seeded; each query is a stored vector turned by about 40 degrees, since a stored vector itself
    is too easy to find.
    """
    random = np.random.default_rng(0)
    picked = random.choice(len(matrix), size=min(samples, len(matrix)), replace=False)
    exact = VectorIndex(matrix)
    found = wanted = 0
    for row in picked:
        noise = random.standard_normal((matrix.shape[1],)).astype(np.float32)
        turned = matrix[row] + 0.8 * noise / np.linalg.norm(noise)
        query = np.asarray(turned / np.linalg.norm(turned), np.float32)
        truth, _ = exact.search(query, depth=10)
        got, _ = index.search(query, depth=10)
        found += len(set(truth.tolist()) & set(got.tolist()))
        wanted += len(truth)
    return found / wanted if wanted else 1.0
