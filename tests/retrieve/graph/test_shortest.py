"""Shortest ways: by hand, around hubs, and against an exhaustive search on random graphs."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brainkit import settings
from brainkit.retrieve.graph.shortest import shortest_ways
from brainkit.store.graph import GraphIndex
from brainkit.store.graph_arrays import Columns, Texts

Pair = tuple[int, int]


def graph_of(size: int, pairs: Sequence[Pair]) -> GraphIndex:
    """Entities 0 to size - 1, each related by "r" as the pairs say."""
    import numpy as np

    edges = np.array(sorted(set(pairs)), np.int32).reshape(-1, 2)
    names = Texts.of(f"{n:03}" for n in range(size))
    empty = Columns.empty(rows=0)
    count = len(edges)
    return GraphIndex.build(
        Columns(
            **{
                **{name: getattr(empty, name) for name in Columns.__dataclass_fields__},
                "names": names,
                "keys": names,
                "kinds": [("name",)] * size,
                "documents": np.ones(size, np.int32),
                "predicates": ["r"],
                "relations": {
                    "subject": edges[:, 0],
                    "object": edges[:, 1],
                    "predicate": np.zeros(count, np.int32),
                },
            }
        )
    )


def beside(pairs: Sequence[Pair], one: int) -> set[int]:
    return ({b for a, b in pairs if a == one} | {a for a, b in pairs if b == one}) - {one}


def test_both_directions_are_walked_and_equals_come_by_fewest_neighbours_then_key() -> None:
    #  0 -> 1 -> 4,  2 -> 0 and 2 -> 4,  0 -> 3 -> 4;  1 has one neighbour more.
    graph = graph_of(6, [(0, 1), (1, 4), (2, 0), (2, 4), (0, 3), (3, 4), (1, 5)])
    ways = shortest_ways(graph, 0, 4, most=5)
    assert ways.paths == ((0, 2, 4), (0, 3, 4), (0, 1, 4))
    assert (ways.total, ways.hubs) == (3, 0)
    assert shortest_ways(graph, 0, 4, most=1).paths == ((0, 2, 4),)
    assert shortest_ways(graph, 0, 4, most=1).total == 3


def test_nothing_leads_to_itself_but_the_empty_way() -> None:
    assert shortest_ways(graph_of(2, []), 1, 1, most=5).paths == ((1,),)


def test_without_a_way_it_is_counted_what_either_end_reaches() -> None:
    ways = shortest_ways(graph_of(6, [(0, 1), (1, 2), (3, 4)]), 0, 4, most=5)
    assert (ways.paths, ways.total, ways.reach) == ((), 0, (2, 1))


@pytest.fixture
def small_hubs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "GRAPH_HUB_DEGREE", 3)


@pytest.mark.usefixtures("small_hubs")
def test_a_longer_way_around_a_hub_is_taken_and_a_hub_only_where_there_is_none() -> None:
    hub = [(9, 0), (9, 4), (9, 5), (9, 6)]
    around = [(0, 1), (1, 2), (2, 3), (3, 4)]
    assert shortest_ways(graph_of(10, hub + around), 0, 4, most=5).paths == ((0, 1, 2, 3, 4),)
    through = shortest_ways(graph_of(10, hub), 0, 4, most=5)
    assert (through.paths, through.hubs) == (((0, 9, 4),), 1)


@pytest.mark.usefixtures("small_hubs")
def test_a_hub_at_an_end_costs_nothing() -> None:
    hub = [(9, 0), (9, 4), (9, 5), (9, 6)]
    assert shortest_ways(graph_of(10, hub), 9, 4, most=5) == (((9, 4),), 1, 0, (0, 0))
    assert shortest_ways(graph_of(10, hub), 0, 9, most=5).hubs == 0


def simple_paths(pairs: Sequence[Pair], start: int, end: int) -> Iterator[tuple[int, ...]]:
    queue = deque([(start,)])
    while queue:
        path = queue.popleft()
        if path[-1] == end:
            yield path
            continue
        queue.extend((*path, one) for one in beside(pairs, path[-1]) if one not in path)


@pytest.mark.usefixtures("small_hubs")
@given(
    pairs=st.lists(
        st.tuples(st.integers(0, 6), st.integers(0, 6)).filter(lambda p: p[0] != p[1]), max_size=12
    ),
    ends=st.tuples(st.integers(0, 6), st.integers(0, 6)),
)
def test_ways_are_the_best_of_all_simple_paths(pairs: list[Pair], ends: Pair) -> None:
    """Those of fewest hubs between the ends, then of fewest hops; every one is counted."""
    hubs = {one for one in range(7) if len(beside(pairs, one)) > 3}

    def cost(path: tuple[int, ...]) -> tuple[int, int]:
        return len(hubs.intersection(path[1:-1])), len(path)

    every = list(simple_paths(pairs, *ends))
    best = [path for path in every if cost(path) == min(map(cost, every))]
    found = shortest_ways(graph_of(7, pairs), *ends, most=1000)
    assert sorted(found.paths) == sorted(best)
    assert found.total == len(best)
    assert found.paths == shortest_ways(graph_of(7, [*reversed(pairs)]), *ends, most=1000).paths


def test_a_long_way_needs_no_recursion() -> None:
    size = 5000
    ways = shortest_ways(graph_of(size, [(n, n + 1) for n in range(size - 1)]), 0, size - 1, most=2)
    assert (len(ways.paths[0]), ways.total) == (size, 1)
