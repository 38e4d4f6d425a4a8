"""Graph mode and multi mode as a user meets them: fallback, votes, re-fusion, filters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brainkit.errors import FilterError, NotInTrace
from brainkit.models import QueryResponse
from brainkit.search import refuse

Make = Callable[..., Any]

CHUNKS = {
    "docs/guide": ("a guide to the service and its store", ["Guide"], ["QueryService"]),
    "src/query": ("the query service asks", ["QueryService"], ["VectorStoreManager"]),
    "src/store": ("the store manager keeps", ["VectorStoreManager"], []),
    "src/other": ("nothing of the kind", ["OtherThing"], []),
}


@pytest.fixture(scope="module")
def brain(make: Make) -> Any:
    return make(CHUNKS, [("QueryService", "uses", "VectorStoreManager")])


def sources(response: QueryResponse) -> list[str]:
    return [result.source for result in response.results]


def test_the_seeds_example(brain: Any) -> None:
    answer = brain.ask("what uses VectorStoreManager")
    by_source = {result.source: result for result in answer.results}
    service = by_source["src/query"]
    assert service.relationship_path == ("QueryService -> uses -> VectorStoreManager",)
    assert set(service.related_entities) == {"QueryService", "VectorStoreManager"}
    assert answer.trace.graph.asked == "what uses VectorStoreManager"
    edge = answer.trace.graph.edges[0]
    names = {entity.id: entity.name for entity in answer.trace.graph.entities}
    assert (names[edge.subject], edge.predicate, names[edge.object]) == (
        "QueryService",
        "uses",
        "VectorStoreManager",
    )


def test_a_question_without_names_falls_back_to_vector_and_says_so(brain: Any) -> None:
    answer = brain.ask("the store keeps what")
    assert answer.fallback == "vector"
    assert [n.kind for n in answer.notices] == ["fallback"]
    assert answer.notices[0].message == (
        "graph: the question names no known entity; vector search answered instead."
    )
    plain = brain.ask("the store keeps what", mode="vector")
    assert sources(answer) == sources(plain) != []
    for result in answer.results:
        assert result.graph_score is result.related_entities is result.relationship_path is None
        assert result.score == result.vector_score
        assert "by meaning" in result.explanation.sentence
    assert plain.fallback is None


def test_a_fallback_casts_no_vote(brain: Any) -> None:
    answer = brain.ask("the store keeps what", mode="multi")
    without = brain.ask("the store keeps what", mode="multi", weights={"graph": 0})
    assert answer.fallback is None
    assert [(r.source, r.score) for r in answer.results] == [
        (r.source, r.score) for r in without.results
    ]
    assert {p.name for r in answer.results for p in r.explanation.parts} <= {"vector", "bm25"}
    assert "graph: the question names no known entity." in [n.message for n in answer.notices]
    assert all(r.graph_score is None for r in answer.results)


def test_graph_votes_in_multi_and_every_result_has_its_fields(brain: Any) -> None:
    answer = brain.ask("store of QueryService", mode="multi")
    ranks = {hit.order: hit.rank for hit in answer.trace.lists["graph"].hits}
    orders = {c.source: c.order for c in answer.trace.candidates}
    for result in answer.results:
        parts = {part.name: part for part in result.explanation.parts}
        rank = ranks.get(orders[result.source])
        if rank is None:
            assert "graph" not in parts
            assert (result.graph_score, result.relationship_path) == (0.0, ())
        else:
            assert parts["graph"].value == 2 / (60 + rank)
            assert result.relationship_path
            assert result.related_entities
    assert ranks


@pytest.mark.parametrize(
    ("query", "fields", "times"),
    [
        ("what uses QueryService", {"mode": "graph"}, 0),
        ("what uses QueryService", {"mode": "graph", "graph_scorer": "pagerank"}, 0),
        ("no name in it", {"mode": "graph"}, 1),
        ("what uses QueryService", {"mode": "multi"}, 1),
        ("no name in it", {"mode": "multi"}, 1),
        ("what uses QueryService", {"mode": "multi", "weights": {"vector": 0}}, 0),
        ("no name in it", {"mode": "bm25"}, 0),
    ],
)
def test_the_query_is_embedded_once_at_most(
    brain: Any, query: str, fields: dict[str, Any], times: int
) -> None:
    brain.embedded.clear()
    timings = brain.ask(query, **fields).timings_ms
    assert len(brain.embedded) == times
    assert ("embed" in timings) == bool(times)


QUERIES = st.sampled_from(
    [
        "what uses VectorStoreManager",
        "OtherThing or QueryService",
        "a store",
        "is `Guide` one",
        "of",
    ]
)


@given(
    query=QUERIES,
    changes=st.fixed_dictionaries(
        {"mode": st.sampled_from(["vector", "bm25", "hybrid", "graph", "multi"])},
        optional={
            "alpha": st.sampled_from([0, 0.3, 1]),
            "top_k": st.integers(1, 4),
            "similarity_threshold": st.sampled_from([0.1, 0.6]),
            "weights": st.sampled_from([{"vector": 0}, {"graph": 2.5}, {"graph": 0}]),
            "collapse": st.sampled_from(["overlap", "source"]),
        },
    ),
    filters=st.sampled_from([{}, {"file_paths": ["src/**"]}, {"file_paths": ["docs/**"]}]),
    scorer=st.sampled_from(["hops", "pagerank"]),
)
def test_refuse_equals_a_new_query(
    brain: Any, query: str, changes: dict[str, Any], filters: dict[str, Any], scorer: str
) -> None:
    given_ = {**filters, "graph_scorer": scorer}
    full = brain.ask(query, full=True, **given_)
    again = refuse(full.trace, full.request.with_(**changes))
    fresh = brain.ask(query, **{**given_, **changes})
    assert again.results == fresh.results
    assert again.notices == fresh.notices
    assert again.fallback == fresh.fallback
    assert QueryResponse.model_validate_json(again.model_dump_json()) == again


@pytest.mark.parametrize(
    "changes",
    [
        {"traversal_depth": 1},
        {"graph_scorer": "pagerank"},
        {"relationship_types": ["uses"]},
        {"entity_types": ["class"]},
    ],
)
def test_another_walk_needs_a_new_query(brain: Any, changes: dict[str, Any]) -> None:
    full = brain.ask("what uses QueryService", full=True)
    (field,) = changes
    with pytest.raises(NotInTrace, match=f"{field}=.* needs a new query"):
        refuse(full.trace, full.request.with_(**changes))


def test_graph_mode_needs_its_list_in_the_trace(brain: Any) -> None:
    only = brain.ask("what uses QueryService", mode="bm25")
    with pytest.raises(NotInTrace, match="graph retriever was not run"):
        refuse(only.trace, only.request.with_(mode="graph"))
    walked = brain.ask("what uses QueryService")
    with pytest.raises(NotInTrace, match="vector retriever was not run"):
        refuse(walked.trace, walked.request.with_(mode="hybrid"))


def test_filters_hold_before_and_after_retrieval(brain: Any) -> None:
    every = brain.ask("what uses VectorStoreManager")
    assert set(sources(every)) == {"docs/guide", "src/query", "src/store"}
    before = brain.ask("what uses VectorStoreManager", file_paths=["src/**"])
    kept = [(r.source, r.score) for r in every.results if r.source.startswith("src")]
    assert [(r.source, r.score) for r in before.results] == kept, "a filter changes no score"
    first = sources(every)[0]
    after = brain.ask(
        "what uses VectorStoreManager", file_paths=["docs/**"], filter_stage="post", top_k=1
    )
    assert first.startswith("src")
    assert sources(after) == []
    assert "starved" in [n.kind for n in after.notices]
    nowhere = brain.ask("what of OtherThing", file_paths=["docs/**"])
    assert nowhere.fallback == "vector"
    assert "no chunk that the filters leave holds" in nowhere.notices[0].message


def test_unknown_types_are_errors_that_name_the_known_ones(brain: Any) -> None:
    with pytest.raises(FilterError, match=r"relationship_types='use'.*did you mean 'uses'.*calls"):
        brain.ask("QueryService", relationship_types=["use"])
    with pytest.raises(FilterError, match=r"entity_types='klass'.*known: class"):
        brain.ask("QueryService", entity_types=["klass"], mode="multi")
    assert brain.ask("say QueryService", relationship_types=["calls"]).results


def test_a_graph_with_gaps_says_so(brain: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(brain.graph, "reason", "old: ingested before graphs; ingest again.")
    kinds = [n.kind for n in brain.ask("say QueryService").notices]
    assert kinds == ["graph-gaps"]
    assert brain.ask("guide", mode="bm25").notices == ()


def test_a_trace_is_bounded(make: Make) -> None:
    names = [f"Thing{i:03}" for i in range(400)]
    brain = make(
        {"all": ("text", ["Centre"], names), "one": ("text", [names[7]], [])},
        [("Centre", "uses", name) for name in names],
    )
    answer = brain.ask("all of Centre", top_k=50)
    graph = answer.trace.graph
    assert (graph.reached, graph.capped) == (1 + 200, True)
    assert len(graph.entities) == 100
    everything = next(c for c in answer.trace.candidates if c.source == "all")
    assert len(everything.graph_parts) == 12
    assert everything.graph_parts[-1].name.endswith(" more")
    total = np.sum([part.value for part in everything.graph_parts])
    assert total == pytest.approx(everything.graph, rel=1e-6)
    assert len(everything.entities) <= 10


@pytest.mark.parametrize("scorer", ["hops", "guided", "pagerank"])
def test_what_no_chunk_is_about_can_be_asked_for(make: Make, scorer: str) -> None:
    """A module from outside the corpus has relations, but no chunk of its own."""
    outside = make(CHUNKS, [("QueryService", "imports", "numpy")])
    answer = outside.ask("what imports `numpy`", graph_scorer=scorer)
    assert answer.fallback is None
    assert sources(answer)[0] == "src/query"
    assert answer.results[0].relationship_path == ("QueryService -> imports -> numpy",)
