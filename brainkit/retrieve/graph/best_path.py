"""The best path to each chunk, and what the chunk's own text adds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from brainkit import settings
from brainkit.models import Part
from brainkit.retrieve.base import Rows
from brainkit.retrieve.graph.evidence import share
from brainkit.retrieve.graph.guide import FAINT, Guide
from brainkit.retrieve.graph.paths import Reached, Scored
from brainkit.retrieve.graph.textual import TextEvidence
from brainkit.store.graph import Ints

Numbers = NDArray[np.float64]

TEXT = 0.375
"""Share of a chunk's own text in its score; the rest is its best path."""
_READ = 500
"""Chunks whose text is weighed: those of the best paths."""


@dataclass(frozen=True)
class BestPaths:
    """Chunks, ascending, with the best path to each.

    ends : entity at which it ends. shares : how much of it the chunk says. path : weight of that
    entity times its share. text : evidence of the chunk's own text.
    """

    reached: Mapping[int, Reached]
    names: Sequence[str]
    rows: Rows
    ends: Ints
    shares: Numbers
    path: Numbers
    text: Numbers

    @classmethod
    def of(cls, guide: Guide, text: TextEvidence) -> BestPaths:
        """Find the best path to every chunk that holds, or says, what was reached.

        Of two ends with equal worth the one reached first. Paths that are faint beside the best
        are no evidence.
        """
        graph, reached = guide.ground.graph, guide.reached
        entities = np.fromiter(reached, np.int32, len(reached))
        weights = np.fromiter((one.weight for one in reached.values()), np.float64)
        at, held, about, names = graph.chunks_of_each(entities, most=_READ)
        shares = share(about, names)
        if guide.says:
            # A chunk that says what was asked is about it; one that defines it only names it.
            asked = np.isin(entities, np.fromiter(guide.says, np.int32))
            shares = np.where(asked[at], shares * settings.GRAPH_MENTION, shares)
            number = {entity: position for position, entity in enumerate(reached)}
            said = [(number[e], r) for e, rows in guide.says.items() if e in number for r in rows]
            positions, places = np.array(sorted(said), np.int32).reshape(-1, 2).T
            at, held = np.append(at, positions), np.append(held, places)
            shares = np.append(shares, np.ones(len(said)))
        worth = weights[at] * shares
        likely = np.flatnonzero(worth >= FAINT * worth.max(initial=0.0))
        order = likely[np.argsort(-worth[likely], kind="stable")]
        _, first = np.unique(held[order], return_index=True)
        order = order[np.sort(first)[:_READ]]
        order = order[np.argsort(held[order])]
        rows = held[order].astype(np.int64)
        return cls(
            reached=reached,
            names=graph.names,
            rows=rows,
            ends=entities[at[order]],
            shares=shares[order],
            path=worth[order],
            text=text(rows),
        )

    def scored(self) -> Scored:
        """Return the scores, and how to explain them."""
        scores = (1 - TEXT) * self.path + TEXT * self.text
        return Scored(self.rows, scores.astype(np.float32), self.reached, self.parts, self.end)

    def parts(self, row: int) -> Sequence[Part]:
        """Return what the path adds, and what the chunk's own text does, most first."""
        at = self._at(row)
        if at is None:
            return ()
        end, part = int(self.ends[at]), float(self.shares[at])
        arithmetic = f"{1 - TEXT:g} * {self.reached[end].arithmetic}"
        if part != 1.0:
            arithmetic += f" * {part:.4g}"
        path, text = (1 - TEXT) * float(self.path[at]), float(self.text[at])
        found = (
            Part(name=self.names[end], value=path, arithmetic=arithmetic),
            Part(name="text", value=TEXT * text, arithmetic=f"{TEXT:g} * {text:.4g}"),
        )
        return sorted(found, key=lambda part: -part.value)

    def end(self, row: int) -> int | None:
        """Return the entity at which the best path to a chunk ends."""
        at = self._at(row)
        return None if at is None else int(self.ends[at])

    def _at(self, row: int) -> int | None:
        return self._where.get(row)

    @cached_property
    def _where(self) -> dict[int, int]:
        return {row: at for at, row in enumerate(self.rows.tolist())}
