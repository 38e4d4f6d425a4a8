"""Shortest ways between two entities along relations, around hubs where there is a way around."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from brainkit import settings
from brainkit.store.graph import GraphIndex

Ints = NDArray[np.int32]

_FAR: Final = -1


class Ways(NamedTuple):
    """The best ways from one entity to another, both ends included.

    paths : some of them. total : how many there are. hubs : how many hubs each passes through.
    reach : entities that relations lead to from either end, itself left out; 0 and 0 where there
        is a way, as nobody counted.
    """

    paths: tuple[tuple[int, ...], ...] = ()
    total: int = 0
    hubs: int = 0
    reach: tuple[int, int] = (0, 0)


class _Costs(NamedTuple):
    """What it takes to get to the end: hubs passed through, then hops; far where there is no way.

    Arrays of shape (n,); valid for all that cost no more than the start.
    """

    hubs: Ints
    hops: Ints

    def reached(self) -> int:
        return int(np.count_nonzero(self.hops != _FAR))


def shortest_ways(graph: GraphIndex, start: int, end: int, *, most: int) -> Ways:
    """Return the ways of fewest hubs between the ends, and of these of fewest hops.

    Relations are walked in both directions. A hub has more than ``settings.GRAPH_HUB_DEGREE``
    neighbours; at an end it costs nothing.
    most : how many to return, 1 or more: those whose entities have the fewest neighbours, step by
        step from the start, then the first key.
    """
    is_hub = graph.degree > settings.GRAPH_HUB_DEGREE
    costs = _costs(graph, end, start, is_hub)
    if costs.hops[start] == _FAR:
        back = _costs(graph, start, end, is_hub)
        return Ways(reach=(back.reached() - 1, costs.reached() - 1))
    onward = _onward(graph, start, end, costs, is_hub)
    paths = islice(_walked(start, end, onward), most)
    return Ways(tuple(paths), _count(start, end, onward), int(costs.hubs[start]))


def _costs(graph: GraphIndex, end: int, start: int, is_hub: NDArray[np.bool_]) -> _Costs:
    """Search breadth-first from the end until the start is met.

    Hubs that are met wait until nothing is left to be found without passing through them.
    """
    hubs, hops = (np.full(graph.size, _FAR, np.int32) for _ in range(2))
    hubs[end] = hops[end] = 0
    found, waiting = {0: [np.array([end])]}, dict[int, list[Ints]]()
    passed = 0
    while hops[start] == _FAR:
        if not found:
            if not waiting:
                break
            found, waiting, passed = waiting, {}, passed + 1
        at = min(found)
        around = _around(graph, np.concatenate(found.pop(at)))
        new = around[hops[around] == _FAR]
        hubs[new], hops[new] = passed, at + 1
        for some, later in ((new[~is_hub[new]], found), (new[is_hub[new]], waiting)):
            if len(some):
                later.setdefault(at + 1, []).append(some)
    return _Costs(hubs, hops)


def _around(graph: GraphIndex, entities: Ints) -> Ints:
    """Return all that relations join to any of these, ascending."""
    into = graph.arrays["into"][_spans(graph.arrays["into_from"], entities)]
    objects = graph.objects[_spans(graph.arrays["out_from"], entities)]
    found: Ints = np.unique(np.concatenate((objects, graph.subjects[into])))
    return found


def _spans(starts: Ints, owners: Ints) -> NDArray[np.int64]:
    """Return the positions of what these owners have, where each one's begins at ``starts``."""
    lengths = (starts[owners + 1] - starts[owners]).astype(np.int64)
    before = np.cumsum(lengths) - lengths
    return np.repeat(starts[owners] - before, lengths) + np.arange(lengths.sum())


def _onward(
    graph: GraphIndex, start: int, end: int, costs: _Costs, is_hub: NDArray[np.bool_]
) -> dict[int, list[int]]:
    """Return for every entity on a best way the next ones, best first; farthest from the end first.

    The next one is a hop nearer to the end, and a hub nearer too if it is itself a hub.
    """
    onward: dict[int, list[int]] = {}
    layer = [start]
    while layer != [end]:
        following: dict[int, None] = {}
        for entity in layer:
            around = _around(graph, np.array([entity]))
            passes = is_hub[around] & (around != end)
            nearer = (costs.hops[around] != _FAR) & (costs.hops[around] + 1 == costs.hops[entity])
            nearer &= costs.hubs[around] + passes == costs.hubs[entity]
            chosen = around[nearer]
            chosen = chosen[np.lexsort((chosen, graph.degree[chosen]))]
            onward[entity] = chosen.tolist()
            following.update(dict.fromkeys(onward[entity]))
        layer = list(following)
    return onward


def _count(start: int, end: int, onward: Mapping[int, Sequence[int]]) -> int:
    counts = {end: 1}
    for entity in reversed(list(onward)):  # nearest to the end first
        counts[entity] = sum(counts[one] for one in onward[entity])
    return counts[start]


def _walked(start: int, end: int, onward: Mapping[int, Sequence[int]]) -> Iterator[tuple[int, ...]]:
    """Yield every way, depth-first; without recursion, as a way may be long."""
    path, choices = [start], [iter(onward.get(start, ()))]
    if start == end:
        yield (start,)
    while choices:
        entity = next(choices[-1], None)
        if entity is None:
            choices.pop()
            path.pop()
        elif entity == end:
            yield (*path, end)
        else:
            path.append(entity)
            choices.append(iter(onward[entity]))
