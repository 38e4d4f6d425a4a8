"""BM25, the alpha blend and RRF over four chunks, asked of a real brain and worked out by hand."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence

import bm25s
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import brainkit
from brainkit.store.keywords import KeywordIndex

# "The" and "on" are stop words, so the lengths are 3, 3, 2 and 2 terms: 2.5 on average.
CHUNKS = {
    "a": "The cat sat on the mat",
    "b": "The cat chased the cat",
    "c": "The dog sat",
    "d": "Birds sing",
}
QUESTION = "cat sat"

# "cat" is in a and b, "sat" in a and c: two chunks of four each.
IDF = math.log(1 + (4 - 2 + 0.5) / (2 + 0.5))
A = 2 * IDF * (1 * 2.5) / (1 + 1.5 * (0.25 + 0.75 * 3 / 2.5))  # both words once
B = IDF * (2 * 2.5) / (2 + 1.5 * (0.25 + 0.75 * 3 / 2.5))  # "cat" twice
C = IDF * (1 * 2.5) / (1 + 1.5 * (0.25 + 0.75 * 2 / 2.5))  # "sat" once

# Cosines with the question, which points along the first axis.
COSINE = {"a": 0.6, "b": 0.28, "c": 0.8, "d": 0.96}


def directions(texts: Sequence[str]) -> NDArray[np.float64]:
    """Unit vectors in the plane whose first component is the cosine with the question."""
    cosines = np.array([COSINE[id_] if id_ else 1.0 for id_ in map(id_of, texts)])
    return np.stack([cosines, np.sqrt(1 - cosines**2)], axis=1)


directions.name = "by hand"  # type: ignore[attr-defined]


def id_of(text: str) -> str | None:
    return next((id_ for id_, chunk in CHUNKS.items() if chunk == text), None)


@pytest.fixture(scope="module")
def brain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[brainkit.Brain]:
    folder = tmp_path_factory.mktemp("by-hand") / "four.brain"
    with brainkit.open(folder, embedder=directions) as brain:
        records = [{"id": id_, "text": text} for id_, text in CHUNKS.items()]
        brain.ingest_texts(records, split=False, progress=False)
        yield brain


def scored(answer: brainkit.Answer) -> list[tuple[str, float]]:
    return [(result.source, result.score) for result in answer.results]


def expected(scores: dict[str, float]) -> list[tuple[str, object]]:
    best_first = sorted(scores, key=lambda id_: (-scores[id_], id_))
    return [(id_, pytest.approx(scores[id_], abs=1e-6)) for id_ in best_first]


def test_bm25_is_the_seeds_formula(brain: brainkit.Brain) -> None:
    """score = sum over terms of idf * f * (k1 + 1) / (f + k1 * (1 - b + b * |D| / avgdl))."""
    assert A > B > C
    assert scored(brain.query(QUESTION, mode="bm25")) == expected({"a": A, "b": B, "c": C})


def test_bm25_says_which_word_gave_what(brain: brainkit.Brain) -> None:
    first, second, third = brain.query(QUESTION, mode="bm25").trace.candidates
    assert first.bm25_parts == pytest.approx({"cat": A / 2, "sat": A / 2}, abs=1e-6)
    assert second.bm25_parts == pytest.approx({"cat": B}, abs=1e-6)
    assert third.bm25_parts == pytest.approx({"sat": C}, abs=1e-6)
    assert [c.term_counts for c in (first, second, third)] == [
        {"cat": 1, "sat": 1},
        {"cat": 2},
        {"sat": 1},
    ]
    assert [c.length for c in (first, second, third)] == [3, 3, 2]


def test_a_word_asked_twice_counts_twice(brain: brainkit.Brain) -> None:
    answer = brain.query("cat cat", mode="bm25")
    assert scored(answer) == expected({"a": 2 * A / 2, "b": 2 * B})


def test_vector_mode_is_the_cosine(brain: brainkit.Brain) -> None:
    assert scored(brain.query(QUESTION, mode="vector")) == expected(COSINE)


def test_hybrid_divides_each_side_by_its_maximum(brain: brainkit.Brain) -> None:
    """score = 0.3 * cosine / 0.96 + 0.7 * bm25 / A; d has no word of the question: a real 0."""
    answer = brain.query(QUESTION, mode="hybrid", alpha=0.3)
    assert scored(answer) == expected(
        {
            "a": 0.3 * 0.60 / 0.96 + 0.7 * A / A,
            "b": 0.3 * 0.28 / 0.96 + 0.7 * B / A,
            "c": 0.3 * 0.80 / 0.96 + 0.7 * C / A,
            "d": 0.3 * 0.96 / 0.96 + 0.7 * 0 / A,
        }
    )
    assert [result.bm25_score for result in answer.results if result.source == "d"] == [0.0]


def test_hybrid_by_minmax_also_subtracts_the_minimum(brain: brainkit.Brain) -> None:
    """score = 0.5 * (cosine - 0.28) / (0.96 - 0.28) + 0.5 * (bm25 - 0) / (A - 0)."""
    answer = brain.query(QUESTION, mode="hybrid", alpha=0.5, normalize="minmax")
    assert scored(answer) == expected(
        {
            "a": 0.5 * (0.60 - 0.28) / (0.96 - 0.28) + 0.5 * A / A,
            "b": 0.5 * (0.28 - 0.28) / (0.96 - 0.28) + 0.5 * B / A,
            "c": 0.5 * (0.80 - 0.28) / (0.96 - 0.28) + 0.5 * C / A,
            "d": 0.5 * (0.96 - 0.28) / (0.96 - 0.28) + 0.5 * 0 / A,
        }
    )


def test_multi_adds_reciprocal_ranks(brain: brainkit.Brain) -> None:
    """By cosine: d, c, a, b; by BM25: a, b, c. d earns nothing in the list that lacks it."""
    assert scored(brain.query(QUESTION, mode="multi")) == expected(
        {
            "a": 1 / (60 + 3) + 1 / (60 + 1),
            "b": 1 / (60 + 4) + 1 / (60 + 2),
            "c": 1 / (60 + 2) + 1 / (60 + 3),
            "d": 1 / (60 + 1),
        }
    )


def test_multi_weighs_each_vote(brain: brainkit.Brain) -> None:
    answer = brain.query(QUESTION, mode="multi", rrf_k=1, weights={"vector": 2, "bm25": 0.5})
    assert scored(answer) == expected(
        {
            "a": 2 / (1 + 3) + 0.5 / (1 + 1),
            "b": 2 / (1 + 4) + 0.5 / (1 + 2),
            "c": 2 / (1 + 2) + 0.5 / (1 + 3),
            "d": 2 / (1 + 1),
        }
    )


Documents = list[list[int]]
documents_of_any_kind = st.lists(st.lists(st.integers(0, 12), max_size=20), min_size=1, max_size=12)


@given(documents=documents_of_any_kind.filter(any))
def test_the_index_is_the_one_that_bm25s_builds(documents: Documents) -> None:
    """Bit for bit, so what bm25s promises of its index holds for ours."""
    used = sorted({term for document in documents for term in document})
    new = {term: at for at, term in enumerate(used)}
    theirs = bm25s.BM25(k1=1.5, b=0.75, method="atire", idf_method="lucene", dtype="float32")
    theirs.index(
        ([[new[t] for t in d] for d in documents], {f"t{t}": at for t, at in new.items()}),
        create_empty_token=False,
        show_progress=False,
    )
    ours = built(documents)
    for term in used:
        known = ours.statistics(f"t{term}")
        assert known is not None
        scores = theirs.get_scores_from_ids([new[term]])
        assert ours.scores([known.id]).tolist() == scores.tolist()


@given(documents=documents_of_any_kind, query=st.lists(st.integers(0, 14), max_size=6))
def test_any_corpus_is_scored_by_the_formula(documents: Documents, query: list[int]) -> None:
    ours = built(documents)
    ids = [known.id for term in query if (known := ours.statistics(f"t{term}"))]
    assert ours.scores(ids).tolist() == pytest.approx(formula(documents, query), rel=1e-6, abs=1e-6)


def built(documents: Documents) -> KeywordIndex:
    flat = np.array([term for document in documents for term in document], np.int32)
    lengths = np.array([len(document) for document in documents], np.int32)
    return KeywordIndex.build(flat, lengths, {term: f"t{term}" for term in range(15)})


def formula(documents: Documents, query: list[int]) -> list[float]:
    """The seed's BM25, k1 = 1.5 and b = 0.75, in plain Python."""
    n, average = len(documents), sum(map(len, documents)) / len(documents)
    scores = [0.0] * n
    for term in query:
        holders = sum(term in document for document in documents)
        idf = math.log(1 + (n - holders + 0.5) / (holders + 0.5))
        for at, document in enumerate(documents):
            if f := Counter(document)[term]:
                norm = 1.5 * (0.25 + 0.75 * len(document) / average)
                scores[at] += idf * f * 2.5 / (f + norm)
    return scores
