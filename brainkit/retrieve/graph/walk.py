"""A breadth-first walk from what a question names, along relations in both directions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from brainkit import settings
from brainkit.models import Notice
from brainkit.retrieve.graph.ground import Ground
from brainkit.retrieve.graph.paths import Linked, Reached, Step
from brainkit.store.graph import Ends, Ints

Numbers = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Walk:
    """Entities by how they were reached, nearest first; ``full`` if there were too many.

    says : entity -> rows of the chunks that say of it what the question asks for ("what calls X"),
        of those for which there is such a question.
    """

    reached: dict[int, Reached]
    full: bool
    says: Mapping[int, frozenset[int]]


@dataclass(frozen=True, slots=True)
class _Front:
    """Entities reached by equally many hops; arrays of shape (n,), the heaviest first.

    Each counts seed * decay ** cost, a quarter of it unless it is ``on`` the relation asked for.
    """

    entities: Ints
    seed: Numbers
    cost: Ints
    on: Mask

    def only(self, kept: NDArray[Any] | slice) -> _Front:
        return _Front(self.entities[kept], self.seed[kept], self.cost[kept], self.on[kept])


def walk(linked: Linked, ground: Ground, *, depth: int) -> Walk:
    """Walk breadth-first from the seeds; an entity belongs to the fewest hops that reach it.

    weight(e) = weight of its seed * decay^hops, where

    - the first hop costs nothing along a relation that the question asks for; whatever is reached
      otherwise than by it, or is named but has none, counts a quarter;
    - a hub ends the path, and counts by as much less as it has too many neighbours, unless the
      question names it or asks for it.

    Of two ways of equal hops the one of more weight holds, then the one found first. Where there
    are too many entities, the heaviest of the last hop are kept.
    """
    front = _seeds(linked, ground)
    reached = _recorded(front, 0, ground, steps=[None] * len(front.entities))
    says: dict[int, frozenset[int]] = {}
    for hops in range(1, depth + 1):
        if hops > 1:
            front = front.only(~_hubs(front, ground))
        ends, left = ground.ends_of(front.entities)
        for entity, count in left.items():
            reached[entity] = replace(reached[entity], capped=count)
        if hops == 1 and ground.asks and not ground.forward:
            says = saying(front.entities, ends, ground)
        room = max(0, settings.GRAPH_REACHED_MAX - len(reached))
        front, steps = _next(front, ends, ground, hops=hops, known=reached)
        reached |= _recorded(front.only(slice(room)), hops, ground, steps=steps[:room])
        if len(steps) > room:
            return Walk(reached, full=True, says=says)
    return Walk(reached, full=False, says=says)


def told(found: Walk, ground: Ground, linked: Linked) -> tuple[Notice, ...]:
    """Return what a reader should know of a walk: what it left out, or looked for in vain."""
    notices, names = [], ground.graph.names
    for entity, one in found.reached.items():
        if one.capped:
            message = (
                f"{names[entity]} has {one.capped + settings.GRAPH_FANOUT} relations; "
                f"{settings.GRAPH_FANOUT} of them were walked."
            )
            notices.append(Notice(kind="capped", message=message))
    if found.full:
        message = f"the walk ended after {len(found.reached):,} entities; more are as near."
        notices.append(Notice(kind="capped", message=message))
    if linked.asked and not ground.asks:
        message = f"nothing is known of {linked.asked.words!r}; results are of what is near."
        notices.append(Notice(kind="asked-in-vain", message=message))
    return tuple(notices)


def _seeds(linked: Linked, ground: Ground) -> _Front:
    entities = np.array([seed.entity for seed in linked.seeds], np.int32)
    ends, _ = ground.ends_of(entities)
    on = np.zeros(len(entities), np.bool_)
    on[ends.at[ground.is_wanted(ends)]] = True
    weights = np.array([seed.weight for seed in linked.seeds], np.float64)
    return _Front(entities, weights, np.zeros(len(entities), np.int32), on)


def _next(
    front: _Front, ends: Ends, ground: Ground, *, hops: int, known: dict[int, Reached]
) -> tuple[_Front, list[Step]]:
    """Take one hop along relations; return what was not known, the heaviest first, and by what."""
    new = ~np.isin(ends.other, np.fromiter(known, np.int32, len(known)))
    wanted = ground.is_wanted(ends)
    cost = front.cost[ends.at] + ~(wanted & (hops == 1))
    ways = _Front(
        ends.other, front.seed[ends.at], cost.astype(np.int32), front.on[ends.at] & wanted
    )
    found = np.flatnonzero(new)
    weight = _weights(ways, ground, hops)
    best = found[np.lexsort((found, -weight[found], ends.other[found]))]
    best = best[np.diff(ends.other[best], prepend=-1) > 0]
    best = best[np.lexsort((ends.other[best], -weight[best]))]
    steps = [
        Step(origin, relation, predicate, forward)
        for origin, relation, predicate, forward in zip(
            front.entities[ends.at[best]].tolist(),
            ends.relation[best].tolist(),
            ends.predicate[best].tolist(),
            ends.forward[best].tolist(),
            strict=True,
        )
    ]
    return ways.only(best), steps


def saying(seeds: Ints, ends: Ends, ground: Ground) -> dict[int, frozenset[int]]:
    """Return the rows that say of an entity what is asked; no chunk does of what is asked about."""
    wanted = ground.is_wanted(ends)
    said: dict[int, set[int]] = {seed: set() for seed in seeds.tolist()}
    for other, relation in zip(
        ends.other[wanted].tolist(), ends.relation[wanted].tolist(), strict=True
    ):
        said.setdefault(other, set()).update(ground.graph.support(relation).rows.tolist())
    return {entity: frozenset(rows) for entity, rows in said.items()}


def _hubs(front: _Front, ground: Ground) -> Mask:
    hubs: Mask = ground.graph.degree[front.entities] > settings.GRAPH_HUB_DEGREE
    return hubs


def _weights(front: _Front, ground: Ground, hops: int) -> Numbers:
    weight = front.seed * np.power(settings.GRAPH_DECAY, front.cost)
    if ground.asks:
        weight = np.where(front.on, weight, weight * settings.GRAPH_ASIDE)
    degree, most = ground.graph.degree[front.entities], settings.GRAPH_HUB_DEGREE
    return np.where(_damped(front, ground, hops), weight * most / np.maximum(degree, 1), weight)


def _damped(front: _Front, ground: Ground, hops: int) -> Mask:
    """Return which are hubs that count less: neither named nor what was asked for."""
    answers = front.on if ground.asks and hops == 1 else np.full(len(front.on), hops == 0)
    return _hubs(front, ground) & ~answers


def _recorded(
    front: _Front, hops: int, ground: Ground, *, steps: Sequence[Step | None]
) -> dict[int, Reached]:
    """Return the entities of a front as they are told, with the arithmetic of their weights."""
    most = settings.GRAPH_HUB_DEGREE
    found = {}
    for entity, weight, seed, cost, on, degree, damped, step in zip(
        front.entities.tolist(),
        _weights(front, ground, hops).tolist(),
        front.seed.tolist(),
        front.cost.tolist(),
        front.on.tolist(),
        ground.graph.degree[front.entities].tolist(),
        _damped(front, ground, hops).tolist(),
        steps,
        strict=True,
    ):
        arithmetic = (
            f"{seed:.4g}"
            + (f" * {settings.GRAPH_DECAY:g} ** {cost}" if cost else "")
            + (f" * {settings.GRAPH_ASIDE:g}" if ground.asks and not on else "")
            + (f" * {most} / {degree}" if damped else "")
        )
        hub = hops > 0 and degree > most
        found[entity] = Reached(hops, weight, arithmetic, step, hub)
    return found
