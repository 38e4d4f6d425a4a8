"""A walk that weighs every relation by the question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from brainkit import settings
from brainkit.retrieve.graph.ground import Ground
from brainkit.retrieve.graph.paths import Reached, Step
from brainkit.retrieve.graph.walk import saying
from brainkit.retrieve.graph.wording import Wording
from brainkit.store.generation import Generation
from brainkit.store.graph import Ends, Ints

Numbers = NDArray[np.float64]
Mask = NDArray[np.bool_]

FORWARD, BACKWARD = 0.7, 0.3
"""What is left of a weight after a relation, and after one taken from its object."""
SHARPNESS = 8.0
"""How much less an entity's other relations count than the one that suits the question best."""
FAINT = 0.05
"""Share of the best below which a path is no evidence. Without it two lists that agree on what is
all but unrelated outvote one that is right (``Weights``)."""
FRONT = 32
"""Entities that a hop goes on from; the weight of further ones has fallen to nothing."""
SENTENCES, SUPPORTS = 50, 3
"""Relations of a hop, and sentences of each, that are read: the heaviest, to bound the time."""
REACHED = 200
"""Entities that a walk keeps, the heaviest of each hop."""


def rarity(documents: Ints, size: int) -> Numbers:
    """Return ln((N + 1) / df) / ln(N + 1) of each: 1 for what is in one chunk, nearly 0 for all.

    >>> rarity(np.array([1, 3], np.int32), 8).round(2).tolist()
    [1.0, 0.5]
    """
    return np.asarray(np.log((size + 1) / np.maximum(documents, 1)) / np.log(size + 1))


@dataclass
class Guide:
    """What a walk reached, by which path and with which weight.

    says : entity -> rows of the chunks that say of it what the question asks for.
    faint : the weight below which nothing is reached.
    """

    ground: Ground
    wording: Wording
    generation: Generation
    reached: dict[int, Reached] = field(default_factory=dict)
    says: dict[int, frozenset[int]] = field(default_factory=dict)
    faint: float = 0.0

    def walk(self, seeds: Mapping[int, float], *, depth: int, reads: bool = True) -> None:
        """Walk from entities with weights; those reached before keep their path.

        reads : whether the sentences that say relations choose among them; else all fit alike.
        """
        new = {
            entity: weight
            for entity, weight in seeds.items()
            if entity not in self.reached and weight > self.faint
        }
        self.faint = max(self.faint, FAINT * max(new.values(), default=0.0))
        for entity, weight in new.items():
            self.reached[entity] = Reached(0, weight, f"{weight:.4g}")
        front = np.array(sorted(new, key=lambda entity: (-new[entity], entity)), np.int32)
        for hops in range(1, depth + 1):
            if not len(front):
                return
            ways = self._ways(front, hops, reads=reads)
            chosen = self._best(ways)
            self._record(ways, chosen, hops)
            others = ways.ends.other[chosen]
            front = others[self.ground.graph.degree[others] <= settings.GRAPH_HUB_DEGREE][:FRONT]

    def _ways(self, front: Ints, hops: int, *, reads: bool) -> _Ways:
        """Weigh the relations that lead on from a front."""
        graph, ground = self.ground.graph, self.ground
        ends, left = ground.ends_of(front)
        for entity, count in left.items():
            self.reached[entity] = replace(self.reached[entity], capped=count)
        wanted = ground.is_wanted(ends)
        if ground.asks and not ground.forward and hops == 1:
            self.says.update(saying(front, ends, ground))
        objects = np.where(ends.forward, ends.other, front[ends.at])
        rare = rarity(graph.documents[objects], self.generation.size)
        way = np.where(ends.forward, FORWARD, BACKWARD)
        if ground.asks and hops == 1:
            way = np.where(wanted, 1.0, way * settings.GRAPH_ASIDE)
            rare = np.where(wanted, 1.0, rare)
        weights = np.array([self.reached[entity].weight for entity in front.tolist()])
        ways = _Ways(front, ends, weights[ends.at], way, rare, np.ones(len(ends.at)))
        likely = ways.weight >= self.faint
        ways, objects, wanted = ways.only(likely), objects[likely], wanted[likely]
        if not reads:
            return ways
        near = self._near(ways, objects)
        best = np.zeros(len(front))
        np.maximum.at(best, ways.ends.at, near)
        fit = np.exp(SHARPNESS * (near - best[ways.ends.at]))
        return replace(ways, fit=np.where(wanted, 1.0, fit))

    def _near(self, ways: _Ways, objects: Ints) -> Numbers:
        """Return how near to the object's name each relation's sentence says the question's words.

        The best sentence counts; 0 where none is known, or the relation is not one of the heaviest.
        """
        graph, found = self.ground.graph, np.zeros(len(objects))
        if not self.wording.weights:
            return found
        chosen = np.argsort(-ways.weight, kind="stable")[:SENTENCES]
        at, rows, starts, ends = graph.support_of_each(ways.ends.relation[chosen], most=SUPPORTS)
        said = ends > 0
        at, rows, starts, ends = at[said], rows[said], starts[said], ends[said]
        if not len(rows):
            return found
        texts = self.generation.chunks.texts(np.unique(rows).astype(np.int64))
        names = [graph.names[entity] for entity in objects[chosen].tolist()]
        near = [
            self.wording.near(names[position], texts[row][start:end])
            for position, row, start, end in zip(
                at.tolist(), rows.tolist(), starts.tolist(), ends.tolist(), strict=True
            )
        ]
        np.maximum.at(found, chosen[at], near)
        return found

    def _best(self, ways: _Ways) -> Ints:
        """Return the heaviest way to each entity that is not known yet, the heaviest first."""
        weight, other = ways.weight, ways.ends.other
        order = np.lexsort((-weight, other))
        order = order[np.diff(other[order], prepend=-1) > 0]
        known = np.fromiter(self.reached, np.int32, len(self.reached))
        order = order[~np.isin(other[order], known) & (weight[order] >= self.faint)]
        order = order[np.argsort(-weight[order], kind="stable")]
        return np.asarray(order[: max(0, REACHED - len(self.reached))], np.int32)

    def _record(self, ways: _Ways, chosen: Ints, hops: int) -> None:
        ends, degree = ways.ends, self.ground.graph.degree
        columns = (ends.other, ways.front[ends.at], ends.relation, ends.predicate, ends.forward)
        factors = (ways.weight, ways.before, ways.way, ways.rare, ways.fit)
        for other, origin, relation, predicate, forward, weight, before, way, rare, fit in zip(
            *(column[chosen].tolist() for column in (*columns, *factors)), strict=True
        ):
            self.reached[other] = Reached(
                hops,
                weight,
                f"{before:.4g} * {way:g} * {rare:.4g} * {fit:.4g}",
                Step(origin, relation, predicate, forward),
                hub=int(degree[other]) > settings.GRAPH_HUB_DEGREE,
            )


@dataclass(frozen=True)
class _Ways:
    """Relations that lead on from a front, and what each leaves of a weight; arrays of shape (n,).

    before : weight of the entity in front. way, rare, fit : its factors.
    """

    front: Ints
    ends: Ends
    before: Numbers
    way: Numbers
    rare: Numbers
    fit: Numbers

    @property
    def weight(self) -> Numbers:
        return self.before * self.way * self.rare * self.fit

    def only(self, kept: Mask) -> _Ways:
        ends = Ends._make(column[kept] for column in self.ends)
        factors = (self.before, self.way, self.rare, self.fit)
        return _Ways(self.front, ends, *(factor[kept] for factor in factors))
