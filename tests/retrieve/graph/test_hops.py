"""The handbook's walk by hand, what the question asks for, hubs, and random graphs."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brainkit import settings
from brainkit.models import QueryResponse

Make = Callable[..., Any]

CALLS = [
    ("ShelfClient", "calls", "retry_with_backoff"),
    ("ShelfClient", "calls", "HttpTransport"),
    ("retry_with_backoff", "calls", "backoff_delays"),
]
CHUNKS = {
    "client": ("one", ["ShelfClient"], ["retry_with_backoff", "HttpTransport"]),
    "delays": ("two", ["backoff_delays"], []),
    "other": ("three", ["Catalogue"], []),
    "retry": ("four", ["retry_with_backoff"], ["backoff_delays"]),
}
TOTAL = 1 + 0.5 + 0.5 + 0.25  # the weights of the handbook: 2.25 in all


@pytest.fixture(scope="module")
def shelf(make: Make) -> Any:
    return make(CHUNKS, CALLS)


def scores(response: QueryResponse) -> dict[str, Any]:
    return {r.source: pytest.approx(r.score, rel=1e-6) for r in response.results}


def test_the_handbooks_example(shelf: Any) -> None:
    """A chunk about an entity counts it whole, one that only mentions it a fifth."""
    answer = shelf.ask("what decides the pauses of ShelfClient")
    assert scores(answer) == {
        "client": (1 + 0.2 * 0.5 + 0.2 * 0.5) / TOTAL,
        "retry": (0.5 + 0.2 * 0.25) / TOTAL,
        "delays": 0.25 / TOTAL,
    }
    assert [r.source for r in answer.results] == ["client", "retry", "delays"]
    assert [r.graph_score for r in answer.results] == [r.score for r in answer.results]
    assert answer.fallback is None
    assert answer.notices == ()


def test_every_result_says_by_which_path(shelf: Any) -> None:
    client, retry, delays = shelf.ask("what decides the pauses of ShelfClient").results
    assert client.relationship_path == ("client -> mentions -> ShelfClient",)
    assert retry.relationship_path == ("ShelfClient -> calls -> retry_with_backoff",)
    assert delays.relationship_path == (
        "ShelfClient -> calls -> retry_with_backoff",
        "retry_with_backoff -> calls -> backoff_delays",
    )
    assert delays.related_entities == ("backoff_delays", "retry_with_backoff", "ShelfClient")
    assert set(client.related_entities) == {"ShelfClient", "retry_with_backoff", "HttpTransport"}
    assert delays.explanation.sentence == (
        "Third by relations (graph score 0.111: ShelfClient -> calls -> retry_with_backoff, then "
        "retry_with_backoff -> calls -> backoff_delays)."
    )


def test_a_path_keeps_its_direction_and_its_support(shelf: Any) -> None:
    answer = shelf.ask("backoff_delays")
    retry = next(c for c in answer.trace.candidates if c.source == "retry")
    (step,) = retry.path
    assert str(step) == "retry_with_backoff -> calls -> backoff_delays"
    assert step.forward is False
    assert step.chunk_ids == (retry.chunk_id,)


@pytest.mark.parametrize("scorer", ["hops", "guided", "pagerank"])
def test_parts_sum_to_the_score_by_the_arithmetic_shown(shelf: Any, scorer: str) -> None:
    for query in ("ShelfClient", "what calls backoff_delays", "HttpTransport and `Catalogue`"):
        for result in shelf.ask(query, graph_scorer=scorer).results:
            parts = result.explanation.parts
            assert math.fsum(p.value for p in parts) == pytest.approx(result.score, rel=1e-6)
            for part in parts:
                shown = eval(part.arithmetic, {"__builtins__": {}})
                assert shown == pytest.approx(part.value, rel=2e-3)


def test_depth_0_is_what_holds_the_names(shelf: Any) -> None:
    answer = shelf.ask("what decides the pauses of ShelfClient", traversal_depth=0)
    assert scores(answer) == {"client": 1.0}


def test_only_the_relations_and_kinds_wanted_are_walked(make: Make) -> None:
    brain = make(
        {name: (name, [name], []) for name in ("Alpha", "Beta", "Gamma", "Delta")},
        [("Alpha", "calls", "Beta"), ("Alpha", "uses", "Gamma"), ("Gamma", "calls", "Delta")],
        kinds={"Alpha": "function", "Beta": "function"},
    )

    def found(**fields: Any) -> set[str]:
        return {r.source for r in brain.ask("say Alpha", **fields).results}

    assert found() == {"Alpha", "Beta", "Gamma", "Delta"}
    assert found(relationship_types=["calls"]) == {"Alpha", "Beta"}
    assert found(relationship_types=["Uses", "calls"]) == {"Alpha", "Beta", "Gamma", "Delta"}
    assert found(entity_types=["class"]) == {"Alpha", "Gamma", "Delta"}, "Alpha itself was named"
    assert found(entity_types="function") == {"Alpha", "Beta"}


def test_a_relation_that_is_asked_for_costs_nothing_and_the_rest_a_quarter(make: Make) -> None:
    names = ("caller", "called", "helper", "elder")
    brain = make(
        {name: (name, [name], []) for name in names},
        [
            ("caller", "calls", "called"),
            ("called", "calls", "helper"),
            ("elder", "calls", "caller"),
        ],
        kinds=dict.fromkeys(names, "function"),
    )
    answer = brain.ask("what calls called")
    # called itself; its caller for nothing; the caller's caller one hop on; what it calls aside.
    weights = {"called": 1, "caller": 1, "elder": 0.5, "helper": 0.5 * 0.25}
    total = sum(weights.values())
    # The caller's chunk says that it calls; called's own is no answer, and counts a fifth.
    assert scores(answer) == {
        "caller": 1 / total,
        "elder": 0.5 / total,
        "called": 0.2 / total,
        "helper": 0.125 / total,
    }
    assert answer.trace.graph.asked == "what calls called"
    there = brain.ask("what does called call")
    weights = {"called": 1, "helper": 1, "caller": 0.5 * 0.25, "elder": 0.25 * 0.25}
    assert scores(there) == {name: w / sum(weights.values()) for name, w in weights.items()}
    in_vain = brain.ask("what inherits from called")
    assert [n.kind for n in in_vain.notices] == ["asked-in-vain"]
    assert scores(in_vain) == scores(brain.ask("`called`"))


def test_of_a_caller_the_chunk_with_the_call_comes_first(make: Make) -> None:
    brain = make(
        {
            "def": ("def target", ["target"], []),
            "docs": ("docs name target", [], ["target"]),
            "one": ("the call", ["caller"], ["target"]),
            "two": ("the rest of caller", ["caller"], []),
        },
        [("caller", "calls", "target")],
    )
    answer = brain.ask("what calls target")
    assert scores(answer) == {
        "one": (1 + 0.2 * 0.2 * 1) / 2,  # says it, and mentions target, which is no answer
        "def": 0.2 / 2,
        "two": 0.2 / 2,
        "docs": 0.2 * 0.2 / 2,
    }


@pytest.fixture
def small_hubs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "GRAPH_HUB_DEGREE", 4)
    monkeypatch.setattr(settings, "GRAPH_FANOUT", 6)


@pytest.mark.usefixtures("small_hubs")
def test_a_hub_ends_paths_and_counts_less(make: Make) -> None:
    others = [f"Other{i}" for i in range(7)]
    brain = make(
        {name: (name, [name], []) for name in ("Start", "Hub", *others)},
        [("Start", "uses", "Hub"), *((other, "uses", "Hub") for other in others)],
    )
    answer = brain.ask("say Start")
    hub = 0.5 * 4 / 8  # eight neighbours, of which four would be no hub
    assert scores(answer) == {"Start": 1 / (1 + hub), "Hub": hub / (1 + hub)}
    marks = {entity.name: entity.hub for entity in answer.trace.graph.entities}
    assert marks == {"Start": False, "Hub": True}
    asked = brain.ask("what does Start use")
    assert scores(asked) == {"Start": 1 / 2, "Hub": 1 / 2}, "but not where it is the answer"
    named = brain.ask("say Hub", top_k=50)
    assert len(named.results) == 1 + 6
    assert [n.message for n in named.notices] == ["Hub has 8 relations; 6 of them were walked."]
    assert named.trace.graph.capped
    assert [e.capped for e in named.trace.graph.entities if e.name == "Hub"] == [2]


def plain_search(start: int, edges: list[tuple[int, int]], depth: int) -> dict[int, int]:
    """Distance of whatever can be reached in at most ``depth`` hops, either way."""
    distance, queue = {start: 0}, deque([start])
    while queue:
        at = queue.popleft()
        for one, other in [*edges, *((b, a) for a, b in edges)]:
            if one == at and other not in distance and distance[at] < depth:
                distance[other] = distance[at] + 1
                queue.append(other)
    return distance


@st.composite
def random_graph(draw: st.DrawFn) -> tuple[int, list[tuple[int, int]]]:
    size = draw(st.integers(2, 9))
    node = st.integers(0, size - 1)
    pairs = draw(st.lists(st.tuples(node, node), max_size=16))
    return size, sorted({(a, b) for a, b in pairs if a != b})


@pytest.fixture(scope="module")
def nodes(make: Make) -> Any:
    return make({f"{i:02}": ("text", [f"NodeNumber{i}"], []) for i in range(9)})


@given(drawn=random_graph(), depth=st.integers(0, 4), start=st.integers(0, 1))
def test_distance_and_path_are_those_of_a_plain_search(
    nodes: Any, drawn: tuple[int, list[tuple[int, int]]], depth: int, start: int
) -> None:
    size, edges = drawn
    names = [f"NodeNumber{i}" for i in range(size)]
    nodes.wire(
        {f"{i:02}": ("text", [name], []) for i, name in enumerate(names)},
        [(names[a], "leads_to", names[b]) for a, b in edges],
    )
    answer = nodes.ask(f"from {names[start]}", traversal_depth=depth, top_k=50)
    distance = plain_search(start, edges, depth)
    assert {int(c.source): len(c.path) for c in answer.trace.candidates} == distance
    ranked = [distance[int(r.source)] for r in answer.results]
    assert ranked == sorted(ranked), "the score never rises with more hops"
    whole = sum(0.5**hops for hops in distance.values())
    for candidate in answer.trace.candidates:
        at = start
        for step in candidate.path:
            ends = (names.index(step.subject), names.index(step.object))
            assert ends in edges
            one, other = ends if step.forward else ends[::-1]
            assert one == at
            at = other
        assert at == int(candidate.source)
        assert candidate.graph == pytest.approx(0.5 ** distance[at] / whole, rel=1e-6)
