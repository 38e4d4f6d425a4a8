"""What every retriever owes, checked against brute force by one body."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from brainkit.embed import Embedder
from brainkit.engine import Engine
from brainkit.extract.builder import GraphBuilder
from brainkit.extract.graph import Graph, Role
from brainkit.models import QueryRequest
from brainkit.retrieve.base import Found, Question
from brainkit.search import RETRIEVE
from brainkit.store.generation import Generation
from brainkit.store.graph import GraphIndex

WORDS = ("key", "session", "sign", "rotor", "alpha", "beta", "gamma", "delta", "night", "river")
PAIRS = (("key", "session"), ("session", "sign"), ("rotor", "sign"), ("night", "river"))
"""Related words; a chunk is about its first word and mentions the others."""
Oracle = Callable[["Corpus", str], NDArray[np.float64]]


@dataclass(repr=False)
class Corpus:
    """A generation with everything a brute-force search needs."""

    generation: Generation
    engine: Engine
    documents: list[list[str]]
    """Terms of each chunk, in tie order."""

    def ask(self, retriever: str, text: str, allowed: Any = None, **more: Any) -> Found:
        if retriever == "graph":
            text = " ".join(f"`{word}`" for word in text.split())
        question = Question(text, analyzer=self.engine.analyzer, embedder=lambda: self.embedder)
        request = QueryRequest(query=text, **{"graph_scorer": "hops", **more})
        return RETRIEVE[retriever](question, self.generation, request, allowed)

    @property
    def embedder(self) -> Embedder:
        return self.engine.embedder(self.generation)


def cosine(corpus: Corpus, text: str) -> NDArray[np.float64]:
    matrix = corpus.generation.chunks.matrix().astype(np.float64)
    query = corpus.embedder.embed_query(text).astype(np.float64)
    lengths = np.linalg.norm(matrix, axis=1) * np.linalg.norm(query)
    return np.divide(matrix @ query, lengths, out=np.zeros(len(matrix)), where=lengths > 0)


def bm25(corpus: Corpus, text: str) -> NDArray[np.float64]:
    """The seed's formula, k1 = 1.5 and b = 0.75."""
    documents = [Counter(terms) for terms in corpus.documents]
    n, average = len(documents), sum(map(len, corpus.documents)) / len(documents)
    scores = np.zeros(n)
    for term in corpus.engine.analyzer.terms(text):
        holders = sum(term in document for document in documents)
        idf = math.log(1 + (n - holders + 0.5) / (holders + 0.5))
        for row, document in enumerate(documents):
            f, length = document[term], len(corpus.documents[row])
            scores[row] += idf * f * 2.5 / (f + 1.5 * (0.25 + 0.75 * length / average))
    return scores


def by_hops(corpus: Corpus, text: str) -> NDArray[np.float64]:
    """Sum of .5 ** hops over the entities of a chunk, a fifth where it is not about them."""
    hops = {word: 0 for word in text.split() if word in WORDS}
    for distance in (1, 2):
        near = {b for pair in PAIRS for a, b in (pair, pair[::-1]) if hops.get(a, 9) < distance}
        hops |= dict.fromkeys(near - hops.keys(), distance)
    worth = {word: 0.5**distance for word, distance in hops.items()}
    scores = [
        sum(worth.get(word, 0.0) * (1.0 if word == words[0] else 0.2) for word in set(words))
        for words in corpus.documents
    ]
    return np.array(scores) / (sum(worth.values()) or 1.0)


ORACLES: dict[str, Oracle] = {"vector": cosine, "bm25": bm25, "graph": by_hops}


def graph_of(documents: list[list[str]], keys: list[int]) -> Graph:
    builder = GraphBuilder()
    handles = {word: builder.entity(word, name=word, kind="term") for word in WORDS}
    for key, words in zip(keys, documents, strict=True):
        for word in words:
            role: Role = "about" if word == words[0] else "mentions"
            builder.mention(handles[word], chunk=key, role=role)
    for one, other in PAIRS:
        builder.relate(handles[one], "leads_to", handles[other], chunk=keys[0], start=0, end=0)
    return builder.build()


@pytest.fixture(scope="module")
def corpus(
    tmp_path_factory: pytest.TempPathFactory, word_vectors: Any, index_of: Callable[..., GraphIndex]
) -> Iterator[Corpus]:
    """Ninety short texts of ten words, every third one three times, and one without a vector."""
    random = np.random.default_rng(7)
    texts = [" ".join(random.choice(WORDS, size=random.integers(1, 9))) for _ in range(90)]
    texts += texts[::3] * 2 + ["-- ++", "the of and"]
    engine = Engine(tmp_path_factory.mktemp("contract") / "x.brain", embedder=word_vectors)
    engine.ingest_texts(
        [{"id": f"{i:03}", "text": text} for i, text in enumerate(texts)], progress=False
    )
    with engine.reading() as generation:
        records = generation.chunks.records(np.arange(generation.size))
        documents = [engine.analyzer.terms(record["text"]) for record in records]
        keys = generation.chunks.keys.tolist()
        graph = graph_of(documents, keys)
        generation._graph = index_of(graph, {key: row for row, key in enumerate(keys)})
        yield Corpus(generation, engine, documents)
    engine.close()


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory, word_vectors: Any) -> Iterator[Corpus]:
    engine = Engine(tmp_path_factory.mktemp("contract") / "empty.brain", embedder=word_vectors)
    with engine.reading() as generation:
        yield Corpus(generation, engine, [])
    engine.close()


def test_every_retriever_has_an_oracle() -> None:
    assert set(ORACLES) == set(RETRIEVE)


@pytest.mark.parametrize("retriever", RETRIEVE)
@given(
    query=st.lists(st.sampled_from((*WORDS, "unknown", "the")), min_size=1, max_size=5),
    depth=st.integers(1, 60),
    share=st.sampled_from([None, 0.0, 0.05, 0.5, 1.0]),
    threshold=st.sampled_from([0.0, 0.3, 0.95]),
    seed=st.integers(0, 99),
)
def test_a_ranked_list_is_what_brute_force_finds(
    *,
    retriever: str,
    corpus: Corpus,
    query: list[str],
    depth: int,
    share: float | None,
    threshold: float,
    seed: int,
) -> None:
    text = " ".join(query)
    size = corpus.generation.size
    allowed = None if share is None else np.random.default_rng(seed).random(size) < share
    found = corpus.ask(
        retriever, text, allowed, top_k=1, depth=depth, similarity_threshold=threshold
    )
    hits = found.ranked.hits
    rows, scores = [hit.order for hit in hits], [hit.score for hit in hits]

    truth = ORACLES[retriever](corpus, text)
    least = threshold if retriever == "vector" else 0.0
    near = 1e-6 * max(1.0, truth.max())
    may = (truth > near) & (truth >= least - near)
    must = (truth > near) & (truth >= least + near)
    if allowed is not None:
        may, must = may & allowed, must & allowed

    assert len(set(rows)) == len(rows) <= depth, "no duplicates, at most depth"
    assert all(may[rows]), "only what the mask allows, and only with evidence"
    assert len(rows) >= min(depth, int(must.sum())), "no fewer than there are"
    assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))
    assert scores == pytest.approx(truth[rows], rel=1e-6, abs=1e-6)
    pairs = list(zip(scores, rows, strict=True))
    assert pairs == sorted(pairs, key=lambda pair: (-pair[0], pair[1])), "ties by order"
    left = [row for row in np.flatnonzero(must).tolist() if row not in set(rows)]
    if left:
        assert truth[left].max() <= scores[-1] + near, "nothing better was left out"
    assert (found.ranked.reason is None) == bool(hits), "says why it is empty"
    if allowed is None or allowed.any():
        raw = found.raw(np.arange(size))
        scored = ~np.isnan(raw)
        assert raw[scored] == pytest.approx(truth[scored], rel=1e-6, abs=1e-6), "any can be scored"
        assert not truth[~scored].any(), "only a chunk without a vector has no score"


@pytest.mark.parametrize("retriever", RETRIEVE)
@pytest.mark.parametrize("depth", range(1, 9))
def test_equal_chunks_are_cut_in_their_order(retriever: str, depth: int, corpus: Corpus) -> None:
    """Every third text is there three times: the copies score the same to the last bit."""
    text = " ".join(WORDS[:3])
    whole = [h.order for h in corpus.ask(retriever, text, depth=1000).ranked.hits]
    cut = [h.order for h in corpus.ask(retriever, text, top_k=1, depth=depth).ranked.hits]
    assert cut == whole[:depth]
    hits = corpus.ask(retriever, text, depth=1000).ranked.hits
    by_text: dict[tuple[str, ...], set[float]] = {}
    for hit in hits:
        by_text.setdefault(tuple(corpus.documents[hit.order]), set()).add(hit.score)
    assert any(
        sum(tuple(corpus.documents[h.order]) == terms for h in hits) == 3 for terms in by_text
    )
    assert all(len(scores) == 1 for scores in by_text.values())


@pytest.mark.parametrize("retriever", RETRIEVE)
def test_depth_beyond_the_corpus_returns_all_there_is(retriever: str, corpus: Corpus) -> None:
    hits = corpus.ask(retriever, "key", depth=1000).ranked.hits
    assert len(hits) == int((ORACLES[retriever](corpus, "key") > 1e-6).sum()) < 1000


@pytest.mark.parametrize("retriever", RETRIEVE)
def test_nothing_to_search_is_a_reason_not_an_error(
    retriever: str, corpus: Corpus, empty: Corpus
) -> None:
    nothing = np.zeros(corpus.generation.size, np.bool_)
    filtered = corpus.ask(retriever, "key", nothing).ranked
    assert (filtered.hits, filtered.reason) == ((), "the filters leave no chunk to search")
    none_yet = empty.ask(retriever, "key").ranked
    assert none_yet.hits == ()
    assert none_yet.reason == "the brain has no chunks yet; ingest a folder first"


@pytest.mark.parametrize(
    ("retriever", "query", "reason"),
    [
        (
            "bm25",
            "the of",
            "the query has no word to look for: 'the' (stop word), 'of' (stop word)",
        ),
        ("bm25", "zzzz", "no chunk holds any of: zzzz"),
        ("vector", "++", "all zeros"),
        ("graph", "gamma_ray", "names no known entity ('gamma_ray' no entity has this name)"),
    ],
)
def test_the_reason_names_what_was_wrong_with_the_query(
    retriever: str, query: str, reason: str, corpus: Corpus
) -> None:
    ranked = corpus.ask(retriever, query).ranked
    assert ranked.hits == ()
    assert reason in str(ranked.reason)


def test_a_filter_that_leaves_no_holder_is_told_apart_from_an_unknown_word(corpus: Corpus) -> None:
    without = np.array(["key" not in terms for terms in corpus.documents])
    ranked = corpus.ask("bm25", "key", without).ranked
    assert ranked.reason == "no chunk that the filters leave holds any of: key"
    without = np.array([not {"night", "river"} & {*terms} for terms in corpus.documents])
    ranked = corpus.ask("graph", "night", without).ranked
    reason = "no chunk that the filters leave holds what the question names or leads to"
    assert ranked.reason == reason
