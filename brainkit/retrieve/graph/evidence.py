"""What a chunk is worth by the entities that it holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from brainkit import settings
from brainkit.models import Part
from brainkit.retrieve.graph.paths import Reached, Scored
from brainkit.store.graph import GraphIndex

Ints = NDArray[np.int32]
Numbers = NDArray[np.float64]

_PARTS_MAX = 12
"""Parts that are shown one by one; what is left of a score is one more."""


def share(about: NDArray[np.bool_], weights: NDArray[np.float32]) -> Numbers:
    """Return how much of an entity a chunk says: all if it is about it, else a fifth."""
    return np.where(about, 1.0, settings.GRAPH_MENTION) * weights


@dataclass(frozen=True)
class Evidence:
    """Reached entities, and what each is worth: score(c) = sum of worth(e) * share(e in c) / total.

    total : the sum of all worth, so that scores lie between 0 and 1. says : entity -> rows of the
        chunks that say of it what was asked: these count it whole, others a fifth of what they
        would.
    """

    graph: GraphIndex
    reached: Mapping[int, Reached]
    total: float
    says: Mapping[int, frozenset[int]]
    _in_row: dict[int, list[tuple[int, float]]] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        graph: GraphIndex,
        reached: Mapping[int, Reached],
        *,
        says: Mapping[int, frozenset[int]] = MappingProxyType({}),
    ) -> Evidence:
        """Return the evidence of all that was reached."""
        return cls(graph, reached, sum(one.weight for one in reached.values()), says)

    def scored(self, *, size: int) -> Scored:
        """Score every chunk that holds an entity. size : number of chunks."""
        entities = np.fromiter(self.reached, np.int32, len(self.reached))
        weights = np.fromiter((one.weight for one in self.reached.values()), np.float64)
        at, held, about, names = self.graph.chunks_of_each(entities)
        shares = share(about, names)
        if self.says:
            at, held, shares = self._with_saying(at, held, shares)
        # In a chunk that it is about, and that names it too, an entity counts once; the most first.
        first = (np.diff(at, prepend=-1) > 0) | (np.diff(held, prepend=-1) > 0)
        worth = (weights[at] * shares)[first]
        scores = np.bincount(held[first], worth, minlength=size) / (self.total or 1.0)
        rows = np.flatnonzero(scores > 0.0)
        return Scored(rows, scores[rows].astype(np.float32), self.reached, self.parts, self.end)

    def _with_saying(self, at: Ints, held: Ints, shares: Numbers) -> tuple[Ints, Ints, Numbers]:
        """Add the chunks that say what was asked, and let the others of their entities count less.

        at : position of the entity, held : the row that holds it; by these, the most first.
        """
        asked = np.array([entity in self.says for entity in self.reached])
        number = {entity: position for position, entity in enumerate(self.reached)}
        saying = [
            (number[entity], row)
            for entity, rows in self.says.items()
            for row in rows
            if entity in number
        ]
        at = np.append(at, np.array([position for position, _ in saying], np.int32))
        held = np.append(held, np.array([row for _, row in saying], np.int32))
        least = np.where(asked[at[: len(shares)]], settings.GRAPH_MENTION, 1.0)
        shares = np.append(shares * least, np.ones(len(saying)))
        order = np.lexsort((-shares, held, at))
        return at[order], held[order], shares[order]

    def parts(self, row: int) -> Sequence[Part]:
        """Return what each entity of a chunk adds, most first; the least together as one."""
        found = [
            Part(
                name=self.graph.names[entity],
                value=self.reached[entity].weight * part / self.total,
                arithmetic=f"{self._factors(entity, part)} / {self.total:.6g}",
            )
            for entity, part in self._held(row)
        ]
        if len(found) <= _PARTS_MAX:
            return found
        rest = found[_PARTS_MAX - 1 :]
        value = sum(part.value for part in rest)
        name = f"{len(rest)} more"
        return [*found[: _PARTS_MAX - 1], Part(name=name, value=value, arithmetic=f"{value:.6g}")]

    def end(self, row: int) -> int | None:
        """Return the entity that adds most to a chunk; of equals one that it is about."""
        held = self._held(row)
        return held[0][0] if held else None

    def _held(self, row: int) -> list[tuple[int, float]]:
        """Return (entity, share) of those reached that a chunk holds, by what they add."""
        if row not in self._in_row:
            found = self.graph.entities_in(row)
            shares = {
                entity: 1.0
                for entity, rows in self.says.items()
                if row in rows and entity in self.reached
            }
            for entity, part in zip(
                found.entities.tolist(), share(found.about, found.weights).tolist(), strict=True
            ):
                if entity in self.reached:
                    least = settings.GRAPH_MENTION if entity in self.says else 1.0
                    shares[entity] = max(shares.get(entity, 0.0), part * least)
            self._in_row[row] = sorted(shares.items(), key=self._order)
        return self._in_row[row]

    def _order(self, one: tuple[int, float]) -> tuple[float, float, int, int]:
        entity, part = one
        at = self.reached[entity]
        return -at.weight * part, -part, at.hops, entity

    def _factors(self, entity: int, part: float) -> str:
        arithmetic = self.reached[entity].arithmetic
        return arithmetic if part == 1.0 else f"{arithmetic} * {part:.4g}"
