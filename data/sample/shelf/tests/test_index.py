from __future__ import annotations

import math

import pytest

from shelf.errors import InvalidQuery
from shelf.index import TermIndex

CHUNKS = {
    "c1": "sign the session key",
    "c2": "session expired, new session",
    "c3": "retry after the server is unavailable",
    "c4": "the key opens the old shelf behind the front desk",
}


@pytest.fixture
def index() -> TermIndex:
    index = TermIndex(stop_words=frozenset())
    for key, text in CHUNKS.items():
        index.add(key, text)
    return index


def test_idf_of_terms_in_half_of_the_chunks_is_ln_2(index: TermIndex) -> None:
    # 1 + (4 - 2 + 0.5) / (2 + 0.5) = 2
    assert index.idf("session") == index.idf("key") == pytest.approx(math.log(2))


def test_search_scores_by_hand(index: TermIndex) -> None:
    # lengths 4, 4, 6, 10; average 6; k1 = 1.5, b = 0.75
    c1 = 2 * math.log(2) * 1 * 2.5 / (1 + 1.5 * (0.25 + 0.75 * 4 / 6))
    c2 = math.log(2) * 2 * 2.5 / (2 + 1.5 * (0.25 + 0.75 * 4 / 6))
    c4 = math.log(2) * 1 * 2.5 / (1 + 1.5 * (0.25 + 0.75 * 10 / 6))
    hits = index.search("session key")
    assert [(hit.key, hit.rank) for hit in hits] == [("c1", 1), ("c2", 2), ("c4", 3)]
    assert [hit.score for hit in hits] == pytest.approx([c1, c2, c4])
    assert [round(hit.score, 4) for hit in hits] == [1.6309, 1.109, 0.5332]


def test_search_parts_sum_to_the_score(index: TermIndex) -> None:
    for hit in index.search("the session key"):
        assert sum(hit.parts.values()) == pytest.approx(hit.score)


def test_search_returns_no_hit_without_a_shared_term(index: TermIndex) -> None:
    assert index.search("lighthouse") == []
    assert "c3" not in [hit.key for hit in index.search("session key")]


def test_search_breaks_ties_by_key() -> None:
    index = TermIndex()
    for key in ("b", "a", "c"):
        index.add(key, "kettle")
    assert [hit.key for hit in index.search("kettle", depth=2)] == ["a", "b"]


def test_search_refuses_a_query_without_terms() -> None:
    with pytest.raises(InvalidQuery, match="no terms"):
        TermIndex().search("the of and")


def test_search_refuses_depth_zero(index: TermIndex) -> None:
    with pytest.raises(InvalidQuery, match="depth=0"):
        index.search("session", depth=0)


def test_b_zero_ignores_length() -> None:
    index = TermIndex(b=0.0)
    index.add("long", "kettle " + "filler " * 50)
    index.add("short", "kettle")
    long, short = index.search("kettle")
    assert long.score == short.score


def test_remove_leaves_no_trace(index: TermIndex) -> None:
    fresh = TermIndex(stop_words=frozenset())
    for key in ("c1", "c3", "c4"):
        fresh.add(key, CHUNKS[key])
    index.remove("c2")
    assert "c2" not in index
    assert len(index) == 3
    assert index.postings("expired") == {}
    assert index.search("session key") == fresh.search("session key")


def test_add_replaces_the_earlier_text(index: TermIndex) -> None:
    index.add("c2", "kettle")
    assert index.postings("session") == {"c1": 1}
    assert len(index) == 4
