"""Reranking a query: what moves, what stays, what is said, and what fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import brainkit
from brainkit import Answer, Brain
from brainkit.errors import InvalidRequest, NotInTrace, RerankerUnavailable
from brainkit.models import QueryResponse

Reader = Callable[[str, list[str]], Any]
QUERY = "session token"
# By BM25 the first is best and the last worst: fewer of the words, in a longer text.
TEXTS = {
    "a": "session token",
    "b": "session token and more",
    "c": "session token and more and still more",
    "d": "session with other words, of which there are many, and more, and more still",
    "e": "nothing of that kind",
}
# key=q8Zr... is made up; it only looks like one.
SECRET = "session token = 'q8Zr" + "4mT1xKc7Vb2N'"


def backwards(query: str, texts: list[str]) -> list[float]:
    """The longer the better."""
    return [float(len(text)) for text in texts]


@pytest.fixture(scope="module")
def brain(
    tmp_path_factory: pytest.TempPathFactory, word_vectors: Callable[[list[str]], Any]
) -> Iterator[Brain]:
    path = tmp_path_factory.mktemp("brains") / "five.brain"
    with brainkit.open(path, embedder=word_vectors, reranker=backwards) as opened:
        opened.ingest_texts([{"id": i, "text": t} for i, t in TEXTS.items()], progress=False)
        yield opened


@pytest.fixture
def judge(brain: Brain) -> Iterator[Callable[[Any], None]]:
    """Set another reranker for one test."""
    before = brain.reranker
    yield lambda reranker: setattr(brain, "reranker", reranker)
    brain.reranker = before


def sources(answer: Answer) -> str:
    return "".join(result.source for result in answer.results)


def kinds(response: QueryResponse) -> list[str]:
    return [notice.kind for notice in response.notices]


def test_the_order_is_the_rerankers_and_the_score_the_fusions(brain: Brain) -> None:
    plain = brain.query(QUERY, mode="bm25")
    assert sources(plain) == "abcd"
    answer = brain.query(QUERY, mode="bm25", rerank=True)
    assert sources(answer) == "dcba"
    assert [r.rank for r in answer.results] == [1, 2, 3, 4]
    assert [r.score for r in answer.results] == [r.score for r in plain.results][::-1]
    assert [r.rerank_score for r in answer.results] == [len(TEXTS[i]) for i in "dcba"]
    assert [r.rerank_score for r in plain.results] == [None] * 4
    assert "rerank" in answer.response.timings_ms
    assert "rerank" not in plain.response.timings_ms
    assert answer.response.notices == ()


def test_the_explanation_shows_the_move(brain: Brain) -> None:
    answer = brain.query(QUERY, mode="bm25", rerank=True, rerank_depth=3)
    assert sources(answer) == "cbad"
    first, second, _, last = (answer.explain(rank) for rank in (1, 2, 3, 4))
    assert first.move is not None
    assert first.move.model_dump() == {"score": float(len(TEXTS["c"])), "before": 3, "after": 1}
    assert first.sentence.endswith("Reranking moved from 3 to 1 (score 37.000).")
    assert second.sentence.endswith("Reranking kept second (score 22.000).")
    assert last.move is None
    assert last.sentence.endswith("Not read by the reranker.")
    assert sum(part.value for part in first.parts) == pytest.approx(first.score, rel=1e-6)
    assert "rerank 37.000" in repr(answer)


def test_only_the_first_are_read_with_their_context(
    brain: Brain, judge: Callable[[Any], None]
) -> None:
    read: list[str] = []

    def reader(query: str, texts: list[str]) -> list[float]:
        assert query == QUERY
        read.extend(texts)
        return [0.0 for _ in texts]

    judge(reader)
    brain.query(QUERY, mode="bm25", rerank=True, rerank_depth=2)
    assert read == [TEXTS["a"], TEXTS["b"]]
    brain.query(QUERY, mode="bm25", rerank=True, rerank_depth=3, top_k=1)
    assert read == [TEXTS["a"], TEXTS["b"], TEXTS["c"]]  # the others are remembered


def test_titles_are_read_too(tmp_path: Path, word_vectors: Any) -> None:
    read: list[str] = []
    with brainkit.open(tmp_path / "b.brain", embedder=word_vectors) as brain:
        brain.ingest_texts([{"id": "1", "title": "Tokens", "text": "A session."}], progress=False)
        brain.reranker = lambda query, texts: (read.extend(texts), [0.0])[1]
        brain.query("session", rerank=True)
    assert read == ["Tokens\nA session."]


def test_equal_scores_keep_the_tie_order(brain: Brain, judge: Callable[[Any], None]) -> None:
    judge(lambda query, texts: [1] * len(texts))
    assert sources(brain.query(QUERY, mode="bm25", rerank=True)) == "abcd"


@pytest.mark.parametrize("mode", ["vector", "bm25", "hybrid", "graph", "multi"])
def test_every_mode_can_be_reranked(brain: Brain, mode: str) -> None:
    plain = brain.query(QUERY, mode=mode, top_k=5)
    answer = brain.query(QUERY, mode=mode, top_k=5, rerank=True)
    assert {r.chunk_id for r in answer.results} == {r.chunk_id for r in plain.results}
    lengths = [len(r.text) for r in answer.results]
    assert lengths == sorted(lengths, reverse=True)
    assert answer.response.fallback == plain.response.fallback


@pytest.mark.parametrize(
    ("reader", "told"),
    [
        (lambda query, texts: [1.0], "gave 1 scores for 4 texts"),
        (lambda query, texts: [float("nan")] * len(texts), "the score nan"),
        (lambda query, texts: 1 / 0, "raised ZeroDivisionError"),
        ("http://127.0.0.1:9/rerank", "127.0.0.1:9"),
    ],
    ids=["count", "nan", "exception", "nobody there"],
)
def test_a_failure_leaves_the_fused_order_and_says_why(
    reader: Any, told: str, brain: Brain, judge: Callable[[Any], None]
) -> None:
    judge(reader)
    answer = brain.query(QUERY, mode="bm25", rerank=True)
    assert sources(answer) == "abcd"
    (notice,) = answer.response.notices
    assert notice.kind == "rerank-failed"
    assert told in notice.message
    assert notice.message.endswith("the results are in fused order.")
    assert [r.rerank_score for r in answer.results] == [None] * 4
    assert answer.response.trace.reranked is not None
    assert answer.response.trace.reranked.scored == 0
    assert sources(answer.refuse(rerank=False)) == "abcd"
    assert answer.refuse(rerank=False).response.notices == ()


def test_a_model_that_cannot_work_is_an_error(brain: Brain, judge: Any, tmp_path: Path) -> None:
    from brainkit.rerank.local import LocalReranker

    judge(LocalReranker(tmp_path))
    assert sources(brain.query(QUERY, mode="bm25")) == "abcd"
    with pytest.raises(RerankerUnavailable, match=r"no model\.onnx in"):
        brain.query(QUERY, mode="bm25", rerank=True)


def test_nothing_found_is_nothing_read(brain: Brain, judge: Callable[[Any], None]) -> None:
    judge(lambda query, texts: pytest.fail("there is nothing to read"))
    assert brain.query("zzz", mode="bm25", rerank=True).results == ()


def test_secrets_are_not_shown_to_a_reranker_elsewhere(tmp_path: Path, word_vectors: Any) -> None:
    read: list[str] = []

    class Elsewhere:
        name, sends = "elsewhere", True

        def scores(self, query: str, texts: list[str]) -> list[float]:
            read.extend(texts)
            return [float(n) for n in range(len(texts))]

    with brainkit.open(tmp_path / "b.brain", embedder=word_vectors) as brain:
        texts = {**TEXTS, "s": SECRET}
        brain.ingest_texts([{"id": i, "text": t} for i, t in texts.items()], progress=False)
        brain.reranker = Elsewhere()
        answer = brain.query("session token", mode="bm25", rerank=True, top_k=6)
        assert SECRET not in read
        assert len(read) == 4
        assert sources(answer)[-1] == "s"  # after those that were read
        assert kinds(answer.response) == ["rerank-withheld"]
        assert "1 candidate looks like it holds secrets" in answer.response.notices[0].message
        brain.reranker = backwards  # a function of one's own may see everything
        local = brain.query("session token", mode="bm25", rerank=True, top_k=6)
        assert local.response.notices == ()


def test_a_refusion_keeps_the_scores_that_there_are(brain: Brain) -> None:
    answer = brain.query(QUERY, mode="bm25", rerank=True, rerank_depth=2, trace="full")
    assert sources(answer) == "bacd"
    assert sources(answer.refuse(rerank=False)) == "abcd"
    assert sources(answer.refuse(rerank_depth=1)) == "abcd"
    deeper = answer.refuse(rerank_depth=3)
    assert sources(deeper) == "bacd"  # c was not read: it comes after those that were
    (notice,) = deeper.response.notices
    assert notice.kind == "rerank-unread"
    assert notice.message.startswith("rerank: 1 of the first 3 were not read")
    again = brain.query(deeper.request)
    assert sources(again) == "cbad"
    assert again.response.notices == ()


def test_a_trace_without_a_reranker_cannot_be_reranked(brain: Brain) -> None:
    with pytest.raises(NotInTrace, match="no reranker was run for this trace"):
        brain.query(QUERY).refuse(rerank=True)


CHANGES = st.fixed_dictionaries(
    {
        "mode": st.sampled_from(["vector", "bm25", "hybrid", "multi"]),
        "alpha": st.sampled_from([0, 0.3, 0.5, 1]),
        "top_k": st.integers(1, 6),
        "rerank_depth": st.integers(1, 6),
        "collapse": st.sampled_from(["none", "source"]),
        "rerank": st.booleans(),
    }
)


@given(CHANGES)
def test_a_refusion_is_a_new_query_where_all_was_read(brain: Brain, change: Any) -> None:
    answer = brain.query(QUERY, mode="multi", rerank=True, rerank_depth=20, trace="full")
    refused, fresh = answer.refuse(**change).response, brain.query(QUERY, **change).response
    assert refused.results == fresh.results
    assert refused.notices == fresh.notices


def test_a_response_survives_json(brain: Brain) -> None:
    response = brain.query(QUERY, rerank=True).response
    assert QueryResponse.model_validate_json(response.model_dump_json()) == response


def test_a_comparison_shows_what_reranking_moves(brain: Brain) -> None:
    found = brain.compare(QUERY, a={}, b={"rerank": True}, mode="bm25")
    assert found.changes == {"rerank": (False, True)}
    assert (sources(found.a), sources(found.b)) == ("abcd", "dcba")
    assert {row.result.source: row.move for row in found.rows} == {"a": -3, "b": -1, "c": 1, "d": 3}
    both = brain.compare(QUERY, a={"alpha": 0}, b={"alpha": 1}, rerank=True, rerank_depth=1)
    for side, alpha in ((both.a, 0), (both.b, 1)):
        fresh = brain.query(QUERY, alpha=alpha, rerank=True, rerank_depth=1)
        assert side.response.results == fresh.response.results


def test_the_reranker_of_an_open_brain_can_be_changed(tmp_path: Path, word_vectors: Any) -> None:
    path = tmp_path / "b.brain"
    with brainkit.open(path, embedder=word_vectors) as brain:
        assert brain.reranker.name == "local:reranker_en"
        assert brainkit.open(path, reranker=backwards) is brain
        assert brain.reranker.name.endswith("backwards")
        brainkit.open(path, embedder=word_vectors)
        assert brain.reranker.name.endswith("backwards")
        brain.reranker = None
        assert brain.reranker.name == "local:reranker_en"


@pytest.mark.parametrize("depth", [0, 1001, "many"])
def test_how_many_are_read_has_bounds(depth: Any) -> None:
    with pytest.raises(InvalidRequest, match=r"rerank_depth=.*from 1 to 1000"):
        brainkit.QueryRequest(query="q", rerank_depth=depth)
