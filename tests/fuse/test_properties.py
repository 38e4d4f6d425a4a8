"""What holds for every fusion, whatever the lists."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ranx import Run
from ranx import fuse as ranx_fuse

from brainkit.errors import DuplicateChunk
from brainkit.fuse import blend, fuse, normalize, rrf
from brainkit.models import QueryRequest

SCORE = st.floats(2**-10, 128, width=32)
LIST = st.dictionaries(st.integers(0, 30), SCORE, min_size=1, max_size=12)
SIDE = st.dictionaries(st.integers(0, 30), st.floats(-1, 1, width=32), min_size=1, max_size=12)


def ranked(scores: dict[int, float]) -> list[tuple[int, float]]:
    return sorted(scores.items(), key=lambda hit: (-hit[1], hit[0]))


def test_rrf_by_hand() -> None:
    fused = rrf({"vector": [7, 8], "bm25": [8, 9, 7]})
    assert [(id_, score) for id_, score, _ in fused] == [
        (8, 1 / (60 + 2) + 1 / (60 + 1)),
        (7, 1 / (60 + 1) + 1 / (60 + 3)),
        (9, 1 / (60 + 2)),
    ]


def test_ranks_one_and_three_beat_two_twice_at_k_60() -> None:
    assert 1 / (60 + 1) + 1 / (60 + 3) > 2 / (60 + 2)
    fused = rrf({"vector": [1, 2, 3], "bm25": [4, 2, 1]})
    assert [id_ for id_, _, _ in fused][:2] == [1, 2]


@pytest.mark.parametrize("k", [1, 2, 5, 60])
def test_rank_n_in_both_lists_beats_a_single_winner_exactly_below_k_plus_2(k: int) -> None:
    for n in range(2, k + 5):
        fillers = range(100, 100 + n - 2)
        both = rrf({"a": [0, *fillers, 1], "b": [-1, *(f + 500 for f in fillers), 1]}, rrf_k=k)
        scores = {id_: score for id_, score, _ in both}
        assert (scores[1] > scores[0]) == (n < k + 2)


def test_a_list_that_names_a_chunk_twice_is_refused() -> None:
    with pytest.raises(DuplicateChunk, match="'bm25' names chunk 3 twice"):
        rrf({"bm25": [3, 1, 3]})


@given(LIST, LIST, LIST, st.integers(1, 1000))
def test_rrf_agrees_with_ranx(
    a: dict[int, float], b: dict[int, float], c: dict[int, float], k: int
) -> None:
    lists = {"vector": a, "bm25": b, "graph": c}
    # ranx breaks ties within a list in its own way: give it scores that follow our ranks.
    runs = [
        Run({"q": {str(id_): 1.0 / (rank + 1) for rank, (id_, _) in enumerate(ranked(scores))}})
        for scores in lists.values()
    ]
    theirs = ranx_fuse(runs, method="rrf", params={"k": k}).to_dict()["q"]
    ours = rrf({name: [id_ for id_, _ in ranked(s)] for name, s in lists.items()}, rrf_k=k)
    assert {str(id_) for id_, _, _ in ours} == set(theirs)
    for id_, score, _ in ours:
        assert math.isclose(score, theirs[str(id_)], rel_tol=1e-9)


@given(LIST, LIST, st.integers(1, 1000))
def test_rrf_sees_ranks_only(a: dict[int, float], b: dict[int, float], k: int) -> None:
    lists = {"vector": ranked(a), "bm25": ranked(b)}
    stretched = {name: [(id_, s**3 * 7) for id_, s in hits] for name, hits in lists.items()}
    request = QueryRequest(query="q", mode="multi", rrf_k=k)
    assert fuse(lists, {}, request) == fuse(stretched, {}, request)


@given(LIST, LIST, LIST)
def test_rrf_does_not_depend_on_the_order_of_the_lists(
    a: dict[int, float], b: dict[int, float], c: dict[int, float]
) -> None:
    lists = {"vector": ranked(a), "bm25": ranked(b), "graph": ranked(c)}
    request = QueryRequest(query="q", mode="multi")
    assert fuse(lists, {}, request) == fuse(dict(reversed(lists.items())), {}, request)


@given(LIST, LIST, LIST)
def test_weight_zero_equals_leaving_the_retriever_out(
    a: dict[int, float], b: dict[int, float], c: dict[int, float]
) -> None:
    lists = {"vector": ranked(a), "bm25": ranked(b), "graph": ranked(c)}
    silent = QueryRequest(query="q", mode="multi", weights={"graph": 0})
    without = {name: lists[name] for name in ("vector", "bm25")}
    assert fuse(lists, {}, silent) == fuse(without, {}, QueryRequest(query="q", mode="multi"))


@given(SIDE, SIDE, st.floats(0, 1), st.sampled_from(["max", "minmax", "none"]))
def test_blend_keeps_every_candidate_with_evidence(
    v: dict[int, float], b: dict[int, float], alpha: float, how: str
) -> None:
    vector = {id_: v.get(id_, 0.0) for id_ in {*v, *b}}
    bm25 = {id_: b.get(id_, 0.0) for id_ in {*v, *b}}
    kept = {one.id for one in blend(vector, bm25, alpha=alpha, normalize=how)}
    assert kept == {
        id_ for id_ in vector if (alpha > 0 and vector[id_] > 0) or (alpha < 1 and bm25[id_] > 0)
    }


@given(SIDE, st.sampled_from(["max", "minmax"]))
def test_normalised_scores_lie_in_0_1_and_keep_the_order(
    scores: dict[int, float], how: str
) -> None:
    out = normalize(scores, how)
    assert all(0.0 <= value <= 1.0 for value in out.values())
    by_raw = sorted(scores, key=lambda id_: max(scores[id_], 0.0))
    assert [out[id_] for id_ in by_raw] == sorted(out.values())
    if max(scores.values()) > 0:
        assert max(out.values()) == 1.0


@given(SIDE, SIDE, st.floats(0.01, 0.99))
def test_blend_is_the_same_in_any_order_of_candidates(
    v: dict[int, float], b: dict[int, float], alpha: float
) -> None:
    ids = sorted({*v, *b})
    vector = {id_: v.get(id_, 0.0) for id_ in ids}
    bm25 = {id_: b.get(id_, 0.0) for id_ in ids}
    backwards = blend(dict(reversed(vector.items())), dict(reversed(bm25.items())), alpha=alpha)
    assert blend(vector, bm25, alpha=alpha) == backwards
