"""Many dimensions drawn in two: where each vector lands, and which neighbours it keeps there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from brainkit.errors import InvalidSetting

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]

NEIGHBOURS = 10
_FINE = 10**6  # similarities that differ by less than this part of 1 count as equal
_FLAT = 1e-12  # a share of the variance below which a direction is rounding noise


@dataclass(frozen=True, slots=True)
class Plane:
    """Where vectors lie in two dimensions.

    places : shape (n, 2), one row for each vector. query : shape (2,), if there was one.
    shares : share of the variance that each axis keeps, 0 to 1; None where axes are similarities.
    """

    places: Floats
    query: Floats | None = None
    shares: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Near:
    """The nearest neighbours in all dimensions, and whether the plane keeps them near.

    rows : shape (m, k), most similar first, equally similar ones in row order.
    similar : cosine similarity of each. kept : whether it is also among the k nearest in the plane.
    """

    rows: Rows
    similar: Floats
    kept: NDArray[np.bool_]

    @property
    def agreement(self) -> float:
        """Mean number of neighbours kept, 0 to k; 0.0 without rows."""
        return float(self.kept.sum(axis=1).mean()) if self.kept.size else 0.0


def principal(vectors: ArrayLike, *, query: ArrayLike | None = None) -> Plane:
    """Project on the two directions of largest variance: PCA, fitted to the vectors alone.

    vectors : shape (n, dim). query : shape (dim,), placed by the same directions.
    Deterministic: the entry of largest size in each direction is positive, the first of equals.
    Rows in another order give the same places but for rounding, unless two directions have equal
    variance: then any pair that spans them is as good.
    Source: Pearson, Phil. Mag. 1901.

    >>> plane = principal([[0, 0, 0], [2, 0, 0], [1, 1, 0], [1, -1, 0]], query=[3, 0, 0])
    >>> plane.shares
    (0.5, 0.5)
    >>> principal([[1, 2], [3, 2]], query=[4, 9]).query.tolist()
    [2.0, 0.0]
    """
    matrix = _matrix(vectors)
    if not matrix.size:
        centre = np.zeros(matrix.shape[1])
        directions, shares = np.zeros((2, matrix.shape[1])), (0.0, 0.0)
    else:
        centre = matrix.mean(axis=0)
        directions, shares = _directions(matrix - centre)
    return Plane(
        places=(matrix - centre) @ directions.T,
        query=None if query is None else directions @ (np.asarray(query, np.float64) - centre),
        shares=shares,
    )


def by_axes(
    vectors: ArrayLike, x: ArrayLike, y: ArrayLike, *, query: ArrayLike | None = None
) -> Plane:
    """Place vectors by their similarity to two others: exact, and in words one can say.

    vectors : shape (n, dim), unit rows. x, y : unit vectors, shape (dim,); the axes.

    >>> by_axes([[1, 0], [0.6, 0.8]], x=[1, 0], y=[0, 1]).places.tolist()
    [[1.0, 0.0], [0.6, 0.8]]
    """
    axes = np.array([x, y], np.float64)
    return Plane(
        places=_matrix(vectors) @ axes.T,
        query=None if query is None else axes @ np.asarray(query, np.float64),
    )


def neighbours(vectors: ArrayLike, plane: Plane, *, k: int = NEIGHBOURS) -> Near:
    """Find the k most similar other vectors of each, and say which the plane keeps near.

    vectors : shape (n, dim), unit rows, as ``plane`` was made from. k is cut to n - 1.
    """
    matrix = _matrix(vectors)
    count = max(0, min(k, len(matrix) - 1))
    blocks = [
        _near(matrix, plane.places, matrix[at], plane.places[at], count=count, themselves=at)
        for at in np.array_split(np.arange(len(matrix)), len(matrix) // 500 + 1)
    ]
    return Near(*(np.concatenate(column) for column in zip(*blocks, strict=True)))


def query_neighbours(
    vectors: ArrayLike, query: ArrayLike, plane: Plane, *, k: int = NEIGHBOURS
) -> Near:
    """Find the k vectors most similar to the query, and say which the plane keeps near it.

    plane : made with the query. Returns one row. k is cut to n.
    """
    if plane.query is None:
        raise InvalidSetting("this plane was made without the query; give it query=...")
    matrix, asked = _matrix(vectors), np.asarray(query, np.float64)[np.newaxis]
    at, count = plane.query[np.newaxis], min(k, len(matrix))
    return Near(*_near(matrix, plane.places, asked, at, count=count))


def spread(rows: Rows, limit: int, *, always: Rows) -> Rows:
    """Choose at most ``limit`` rows, evenly spaced, in ascending order.

    always : rows to choose first; those that are not in ``rows`` are left out.

    >>> spread(np.arange(9), 4, always=np.array([1])).tolist()
    [0, 1, 5, 8]
    """
    if len(rows) <= limit:
        return rows
    first = always[np.isin(always, rows)][:limit]
    rest = np.setdiff1d(rows, first)
    places = np.linspace(0, len(rest) - 1, limit - len(first)).round().astype(np.int64)
    return np.union1d(first, rest[places])


def _matrix(vectors: ArrayLike) -> Floats:
    matrix = np.asarray(vectors, np.float64)
    if matrix.ndim != 2:
        raise InvalidSetting(f"vectors of shape {matrix.shape}; give one row for each: (n, dim).")
    return matrix


def _directions(centred: Floats) -> tuple[Floats, tuple[float, float]]:
    """The two leading eigenvectors of the covariance, by way of the smaller product."""
    count, dim = centred.shape
    wide = dim > count
    values, columns = np.linalg.eigh(centred @ centred.T if wide else centred.T @ centred)
    total = float((centred * centred).sum())
    directions, shares = np.zeros((2, dim)), [0.0, 0.0]
    for place, at in enumerate(range(len(values) - 1, max(-1, len(values) - 3), -1)):
        if total == 0.0 or values[at] <= total * _FLAT:
            continue
        one = centred.T @ columns[:, at] / np.sqrt(values[at]) if wide else columns[:, at]
        sizes = np.abs(one)
        largest = np.flatnonzero(sizes >= sizes.max() * (1 - 1e-9))[0]  # the first of near equals
        directions[place] = one * np.sign(one[largest])
        shares[place] = min(1.0, float(values[at]) / total)
    return directions, (shares[0], shares[1])


def _near(
    matrix: Floats,
    places: Floats,
    asked: Floats,
    at: Floats,
    *,
    count: int,
    themselves: Rows | None = None,
) -> tuple[Rows, Floats, NDArray[np.bool_]]:
    """Rows, similarities and whether kept, for vectors ``asked`` that lie ``at`` in the plane.

    themselves : the row of each, which is no neighbour of its own.
    """
    similar = np.clip(asked @ matrix.T, -1.0, 1.0)
    apart = ((at[:, np.newaxis] - places[np.newaxis]) ** 2).sum(axis=2)
    scale = apart.max(initial=0.0) or 1.0
    # Whole numbers, so that rounding in the product does not decide between equal vectors.
    rows = _least((_FINE * (1.0 - similar)).round().astype(np.int64), count, themselves)
    close = _least((_FINE**2 * (apart / scale)).round().astype(np.int64), count, themselves)
    kept = (rows[:, :, np.newaxis] == close[:, np.newaxis]).any(axis=2)
    return rows, np.take_along_axis(similar, rows, axis=1), kept


def _least(sizes: Rows, count: int, themselves: Rows | None) -> Rows:
    """The columns of the ``count`` least numbers of each row, the first of equals first."""
    width = sizes.shape[1]
    keys = sizes * width + np.arange(width)
    if themselves is not None:
        keys[np.arange(len(keys)), themselves] = np.iinfo(np.int64).max
    if count < width:
        keys = np.partition(keys, count, axis=1)[:, :count]
    least: Rows = np.sort(keys, axis=1)[:, :count] % width
    return least
