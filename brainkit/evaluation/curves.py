"""The measure of every query as a function of a setting: on a grid, or exactly for alpha."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from brainkit.evaluation.lines import Steps

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]
_DIGITS = 10


class Curves(Protocol):
    """The measure of n queries at any of m values.

    values : what was tried. edges : (m - 1,), the crossings that bound the values, for alpha.
    """

    values: tuple[Any, ...]
    edges: Floats | None

    def at(self, value: Any) -> Floats:
        """Return the measure of each query, shape (n,), at a value."""
        ...

    def sums(self, groups: Numbers, count: int) -> Floats:
        """Return the sum over the queries of each group at each value, shape (count, m).

        groups : (n,), the number of the group that each query is in.
        """
        ...


class Grid:
    """Scores at given values, shape (m, n)."""

    edges: Floats | None = None

    def __init__(self, values: Sequence[Any], scores: Floats) -> None:
        self.values = tuple(values)
        self._scores = scores

    def at(self, value: Any) -> Floats:
        """Return the scores at one of the values."""
        found: Floats = self._scores[self.values.index(value)]
        return found

    def sums(self, groups: Numbers, count: int) -> Floats:
        """Return the sum of each group at each value."""
        return np.stack([self._scores[:, groups == n].sum(axis=1) for n in range(count)])


class Exact:
    """Step functions of alpha: every value between two crossings is the same, so all are known.

    values : the shortest decimal in every interval between crossings of any query, and the ends.
    """

    def __init__(self, steps: Sequence[Steps]) -> None:
        self._steps = steps
        self.edges: Floats | None = np.unique(np.concatenate([one.edges for one in steps]))
        inside = _shortest(self.edges[:-1], self.edges[1:])
        self.values = (0.0, *inside.tolist(), 1.0)

    def at(self, value: Any) -> Floats:
        """Return the measure of each query at an alpha."""
        return np.array([one.at(np.array([float(value)]))[0] for one in self._steps])

    def sums(self, groups: Numbers, count: int) -> Floats:
        """Return the sum of each group at each value.

        Each query adds its changes where they are, and the running total of these is the curve:
        asking each query at each value would take as many steps again for every query.
        """
        edges = np.asarray(self.edges)
        found = np.zeros((count, len(self.values)))
        for one, group in zip(self._steps, groups.tolist(), strict=True):
            places = np.searchsorted(edges, one.edges[:-1]) + 1  # values[0] is alpha 0 itself
            found[group, places] += np.diff(one.values, prepend=0.0)
        found = found.cumsum(axis=1)
        for end, name in ((0, "at_zero"), (-1, "at_one")):
            here = np.array([getattr(one, name) for one in self._steps])
            found[:, end] = np.bincount(groups, here, minlength=count)
        return found


def _shortest(low: Floats, high: Floats) -> Floats:
    """Return the number of fewest decimals between each pair; their middle where none is near."""
    found = (low + high) / 2
    open_ = np.ones(len(found), np.bool_)
    for digits in range(1, _DIGITS):
        near = np.round((low + high) / 2, digits)
        fits = open_ & (near > low) & (near < high)
        found[fits] = near[fits]
        open_ &= ~fits
    return found
