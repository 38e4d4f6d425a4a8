"""Hybrid scores are straight lines in alpha, so rankings change at finitely many crossings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from brainkit.evaluation.candidates import Candidates
from brainkit.evaluation.measures import Measure
from brainkit.fuse import Lists, Raw, cut, sides
from brainkit.fuse.normalize import normalize
from brainkit.models import QueryMode, QueryRequest

Floats = NDArray[np.float64]
_ROWS_AT_ONCE = 256


@dataclass(frozen=True)
class Steps:
    """A measure of one query as a function of alpha: constant between crossings.

    edges : (m + 1,), from 0 to 1, ascending. values : (m,), between the edges.
    at_zero, at_one : the value at the ends, where one side is not run at all.
    """

    edges: Floats
    values: Floats
    at_zero: float
    at_one: float

    def at(self, alphas: Floats) -> Floats:
        """Return the value at each alpha; at a crossing itself, that of the interval above it."""
        found = self.values[
            np.clip(np.searchsorted(self.edges, alphas, "right") - 1, 0, len(self.values) - 1)
        ]
        return np.where(alphas <= 0.0, self.at_zero, np.where(alphas >= 1.0, self.at_one, found))


@dataclass(frozen=True)
class Lines:
    """The candidates of one query as lines: score = alpha * v + (1 - alpha) * b.

    v, b : (n,), normalised, in tie order. units : (n,), the number of each one's unit.
    names : the unit of each number.
    """

    v: Floats
    b: Floats
    units: NDArray[np.int64]
    names: Sequence[str]

    @classmethod
    def of(cls, found: Candidates, request: QueryRequest) -> Lines:
        """Take the hybrid candidates of a request, whatever its own alpha, as fusion sees them."""
        ids, v, b = sides_of(found.lists, found.raw, request)
        names = list(dict.fromkeys(found.units[c] for c in ids))
        number = {name: at for at, name in enumerate(names)}
        return cls(v, b, np.array([number[found.units[c]] for c in ids], np.int64), names)

    def crossings(self, wanted: NDArray[np.bool_] | None = None) -> Floats:
        """Return the alphas strictly between 0 and 1 where two candidates change places, ascending.

        a* = (b_j - b_i) / ((v_i - v_j) + (b_j - b_i)).
        wanted : mask (n,): only crossings of these candidates with any other.
        """
        rows = np.arange(len(self.v)) if wanted is None else np.flatnonzero(wanted)
        gain = self.b[np.newaxis] - self.b[rows, np.newaxis]
        slope = (self.v[rows, np.newaxis] - self.v[np.newaxis]) + gain
        with np.errstate(divide="ignore", invalid="ignore"):
            at = gain / slope
        return np.unique(at[(at > 0.0) & (at < 1.0)])

    def rankings(self, alphas: Floats) -> NDArray[np.int64]:
        """Return the units in order, best first, at each alpha between 0 and 1: (m, units)."""
        m = alphas[:, np.newaxis]
        scores = m * self.v + (1.0 - m) * self.b
        order = np.argsort(-scores, axis=1, kind="stable")
        if len(self.names) == len(self.units):
            return self.units[order]
        place = np.empty_like(order)
        np.put_along_axis(place, order, np.arange(order.shape[1])[np.newaxis], axis=1)
        by_unit = np.argsort(self.units, kind="stable")
        starts = np.searchsorted(self.units[by_unit], np.arange(len(self.names)))
        best = np.minimum.reduceat(place[:, by_unit], starts, axis=1)
        return np.argsort(best, axis=1)


def sides_of(lists: Lists, raw: Raw, request: QueryRequest) -> tuple[list[int], Floats, Floats]:
    """Return the hybrid candidates of a request in tie order, with both normalised scores."""
    inside = request.with_(mode=QueryMode.HYBRID, alpha=0.5)
    scores = sides(cut(lists, inside), raw, inside)
    least = inside.similarity_threshold
    similar = {c: s if s >= least else 0.0 for c, s in scores["vector"].items()}
    keywords = scores["bm25"]
    v, b = normalize(similar, inside.normalize), normalize(keywords, inside.normalize)
    ids = sorted(c for c in v if similar[c] > 0.0 or keywords[c] > 0.0)
    return ids, np.array([v[c] for c in ids], float), np.array([b[c] for c in ids], float)


def steps(
    found: Candidates, request: QueryRequest, judged: Mapping[str, int], measure: Measure
) -> Steps:
    """Return a measure of one query as a function of alpha, exactly.

    Only crossings with a relevant candidate can change it, so only these are looked at.
    """
    lines = Lines.of(found, request)
    grades = np.array([judged.get(name, 0) for name in lines.names], np.int64)
    ends = [_at_end(found, request, alpha, judged, measure) for alpha in (0.0, 1.0)]
    wanted = grades[lines.units] > 0 if len(lines.units) else np.zeros(0, np.bool_)
    if not wanted.any():
        return Steps(np.array([0.0, 1.0]), np.zeros(1), *ends)
    edges = np.concatenate(([0.0], lines.crossings(wanted), [1.0]))
    middles = (edges[:-1] + edges[1:]) / 2
    values = np.concatenate(
        [
            measure.of(grades[lines.rankings(part)], list(judged.values()))
            for part in np.array_split(middles, -(-len(middles) // _ROWS_AT_ONCE))
        ]
    )
    changes = np.flatnonzero(np.diff(values) != 0.0) + 1
    kept = np.concatenate(([0], changes))
    return Steps(np.concatenate((edges[kept], [1.0])), values[kept], *ends)


def _at_end(
    found: Candidates,
    request: QueryRequest,
    alpha: float,
    judged: Mapping[str, int],
    measure: Measure,
) -> float:
    ranking = found.ranking(request.with_(mode=QueryMode.HYBRID, alpha=alpha))
    grades = np.array([[judged.get(unit, 0) for unit in ranking]], np.int64)
    return float(measure.of(grades, list(judged.values()))[0])
