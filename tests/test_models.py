"""Requests refuse what they cannot mean, by name, and every model survives JSON."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brainkit.errors import BrainkitError, InvalidRequest
from brainkit.models import QueryMode, QueryRequest, Weights

BAD = [
    ({"query": "x", "mode": "hybird"}, "mode='hybird' is not one of vector, bm25, hybrid, graph, "
     "multi; did you mean 'hybrid'?"),
    ({"query": "x", "topk": 3}, "there is no field 'topk'; did you mean 'top_k'?"),
    ({"query": "x", "top_k": 0}, "top_k=0: .*allowed is a whole number from 1 to 50"),
    ({"query": "x", "top_k": 51}, "top_k=51: .*allowed is a whole number from 1 to 50"),
    ({"query": "x", "top_k": 2.5}, "top_k=2.5: .*allowed is a whole number from 1 to 50"),
    ({"query": "x", "alpha": -0.1}, "alpha=-0.1: .*allowed is a number from 0 to 1"),
    ({"query": "x", "alpha": float("nan")}, "alpha=nan: .*allowed is a number from 0 to 1"),
    ({"query": "x", "similarity_threshold": 2}, "similarity_threshold=2: .*from 0 to 1"),
    ({"query": "x", "rrf_k": 0}, "rrf_k=0: .*allowed is a number from 1"),
    ({"query": "x", "depth": 4}, "depth=4 is less than top_k=5; choose 5 to 1000"),
    ({"query": "x", "depth": 1001}, "depth=1001: .*allowed is a whole number from 1 to 1000"),
    ({"query": "x", "weights": {"vectr": 1}}, "no field 'weights.vectr'; did you mean 'vector'?"),
    ({"query": "x", "weights": {"bm25": -1}}, "weights.bm25=-1: .*0 or more for vector, bm25"),
    ({"query": "x", "weights": {"vector": 0, "bm25": 0, "graph": 0}}, "all weights are 0"),
    ({"query": "x", "normalize": "mx"}, "normalize='mx' is not one of max, minmax, none"),
    ({"query": "x", "source_types": ["docs"]}, "'docs' is not one of doc, code, test; did you "
     "mean 'doc'?"),
    ({"query": "x", "languages": []}, "an empty list would match nothing"),
    ({"query": "   "}, "the query is empty"),
    ({"query": "x" * 1001}, "the query has 1001 characters; allowed are 1 to 1000"),
    ({}, "query is missing"),
    ({"query": 3}, "query=3"),
]  # fmt: skip


@pytest.mark.parametrize(("fields", "message"), BAD, ids=lambda v: str(v)[:40])
def test_a_bad_field_is_named_with_its_value_and_what_is_allowed(
    fields: dict[str, Any], message: str
) -> None:
    with pytest.raises(InvalidRequest, match=message):
        QueryRequest(**fields)
    with pytest.raises(InvalidRequest, match=message):
        QueryRequest.model_validate(fields)


def test_errors_are_ours_and_python_s() -> None:
    assert issubclass(InvalidRequest, BrainkitError)
    assert issubclass(InvalidRequest, ValueError)


def test_the_seed_s_request_still_works_with_its_limits() -> None:
    request = QueryRequest(
        query="authentication", source_types=["code"], languages=["python", "typescript"]
    )
    assert (request.top_k, request.mode, request.alpha) == (5, QueryMode.HYBRID, 0.5)
    assert request.similarity_threshold == 0.0
    assert QueryRequest(query="a" * 1000, top_k=50).depth == 50


def test_a_request_is_frozen_and_hashable() -> None:
    request = QueryRequest(query="x", languages="python", weights={"vector": 2})
    assert request.languages == ("python",)
    assert request.weights == Weights(vector=2)
    assert (
        len({request, QueryRequest(query=" x ", languages=["python"], weights={"vector": 2})}) == 1
    )
    with pytest.raises(Exception, match="frozen"):
        request.alpha = 0.1  # type: ignore[misc]


def test_an_unset_depth_grows_with_top_k_and_can_be_changed_later() -> None:
    request = QueryRequest(query="x", top_k=50)
    assert request.depth == 50
    assert request.with_(top_k=10, depth=10).depth == 10


@given(
    st.builds(
        dict,
        query=st.text(min_size=1, max_size=1000).filter(str.strip),
        mode=st.sampled_from(list(QueryMode)),
        top_k=st.integers(1, 50),
        alpha=st.floats(0, 1),
        similarity_threshold=st.floats(0, 1),
        depth=st.integers(50, 1000),
        rrf_k=st.floats(1, 1e6),
        normalize=st.sampled_from(["max", "minmax", "none"]),
        file_paths=st.none() | st.lists(st.text(min_size=1), min_size=1, max_size=3),
        weights=st.builds(dict, vector=st.floats(0.1, 10), graph=st.floats(0, 10)),
        collapse=st.sampled_from(["none", "overlap", "source"]),
    )
)
def test_a_request_survives_json(fields: dict[str, Any]) -> None:
    request = QueryRequest(**fields)
    assert QueryRequest.model_validate_json(request.model_dump_json()) == request


def test_a_lone_surrogate_in_a_query_becomes_storable() -> None:
    assert QueryRequest(query="a\ud800b").query == "a?b"
