"""A graph as one request lets it be walked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from brainkit import settings
from brainkit.models import QueryRequest
from brainkit.retrieve.graph.paths import Linked
from brainkit.store.graph import Ends, GraphIndex, Ints

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Ground:
    """A graph as a request lets it be walked.

    predicates : mask of those allowed. kinds : casefolded, an entity needs one of them unless the
        question names it; None for all. wanted : mask of the predicates that the question asks for.
    forward : on which side of them the named entity stands.
    """

    graph: GraphIndex
    predicates: Mask
    kinds: frozenset[str] | None
    wanted: Mask
    forward: bool

    @classmethod
    def of(cls, graph: GraphIndex, request: QueryRequest, linked: Linked) -> Ground:
        """Return the ground of a request.

        The predicates asked for are wanted if some named entity has one, on the side asked; else
        those that will do instead.
        """
        kinds, asked = request.entity_types, linked.asked
        ground = cls(
            graph,
            _mask(graph, request.relationship_types),
            None if kinds is None else frozenset(map(str.casefold, kinds)),
            np.zeros(len(graph.predicates), np.bool_),
            asked is not None and asked.forward,
        )
        if asked is None:
            return ground
        ends = ground._allowed(np.array([seed.entity for seed in linked.seeds], np.int32))
        there = np.zeros(len(graph.predicates), np.bool_)
        there[ends.predicate[ends.forward == asked.forward]] = True
        for names in (asked.predicates, asked.instead):
            wanted = there & _mask(graph, names)
            if wanted.any():
                return replace(ground, wanted=wanted)
        return ground

    @property
    def asks(self) -> bool:
        """Whether the question asks for a relation that is there."""
        return bool(self.wanted.any())

    def ends_of(self, entities: Ints) -> tuple[Ends, dict[int, int]]:
        """Return the relations of entities that may be walked, and how many each has too many.

        Of those of one entity that are too many: those wanted, then those to the rarest.
        """
        ends = self._allowed(entities)
        counts = np.bincount(ends.at, minlength=len(entities))
        crowded = np.flatnonzero(counts > settings.GRAPH_FANOUT).tolist()
        if not crowded:
            return ends, {}
        kept = np.ones(len(ends.at), np.bool_)
        starts, wanted = np.cumsum(counts) - counts, self.is_wanted(ends)
        for position in crowded:
            own = np.arange(starts[position], starts[position] + counts[position])
            rarest = np.lexsort((own, self.graph.documents[ends.other[own]], ~wanted[own]))
            kept[own[rarest[settings.GRAPH_FANOUT :]]] = False
        left = {
            int(entities[position]): int(counts[position]) - settings.GRAPH_FANOUT
            for position in crowded
        }
        return _only(ends, kept), left

    def is_wanted(self, ends: Ends) -> Mask:
        """Return which of the relations are those that the question asks for."""
        wanted: Mask = self.wanted[ends.predicate] & (ends.forward == self.forward)
        return wanted

    def _allowed(self, entities: Ints) -> Ends:
        ends = self.graph.ends_of(entities)
        if not self.predicates.all():
            ends = _only(ends, self.predicates[ends.predicate])
        if self.kinds is None:
            return ends
        others, at = np.unique(ends.other, return_inverse=True)
        fits = [
            not self.kinds.isdisjoint(map(str.casefold, self.graph.kinds[other]))
            for other in others.tolist()
        ]
        return _only(ends, np.array(fits, np.bool_)[at])


def _only(ends: Ends, kept: Mask) -> Ends:
    return Ends._make(column[kept] for column in ends)


def _mask(graph: GraphIndex, names: Sequence[str] | None) -> Mask:
    if names is None:
        return np.ones(len(graph.predicates), np.bool_)
    wanted = {name.casefold() for name in names}
    return np.array([name.casefold() in wanted for name in graph.predicates], np.bool_)
