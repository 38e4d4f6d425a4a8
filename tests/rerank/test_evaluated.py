"""Reranked configurations in evaluations and sweeps: as a query would rank, read only if asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import brainkit
from brainkit import Brain, Dataset

WORDS = ["session", "token", "sign", "cookie", "index", "rank"]
TEXTS = {f"d{n}": " ".join(WORDS[: n % 6 + 1]) + " filler" * n for n in range(12)}


class Counted:
    """The longer the better; it counts what it reads."""

    name, sends = "counted", False

    def __init__(self) -> None:
        self.read = 0

    def scores(self, query: str, texts: list[str]) -> list[float]:
        self.read += len(texts)
        return [float(len(text)) for text in texts]


@pytest.fixture
def brain(tmp_path: Path, word_vectors: Callable[[list[str]], Any]) -> Iterator[Brain]:
    with brainkit.open(tmp_path / "b.brain", embedder=word_vectors) as opened:
        opened.ingest_texts([{"id": i, "text": t} for i, t in TEXTS.items()], progress=False)
        yield opened


@pytest.fixture
def dataset() -> Dataset:
    return Dataset(
        name="two",
        queries={"1": "session token", "2": "sign cookie"},
        qrels={"1": {"d11": 1, "d0": 1}, "2": {"d5": 1}},
    )


def test_a_reranked_configuration_ranks_as_the_query_does(brain: Brain, dataset: Dataset) -> None:
    brain.reranker = Counted()
    configs: dict[str, dict[str, Any]] = {
        "plain": {"alpha": 0.3},
        "reranked": {"alpha": 0.3, "rerank": True, "rerank_depth": 3},
        "other alpha": {"alpha": 0.9, "rerank": True, "rerank_depth": 3},
        "keywords": {"mode": "bm25", "rerank": True, "rerank_depth": 4},
        "graph": {"mode": "graph", "rerank": True, "rerank_depth": 4},
    }
    found = brainkit.evaluate(brain, dataset, configs, progress=False)
    for name, settings in configs.items():
        for query, text in dataset.queries.items():
            results = brain.query(text, top_k=50, depth=100, **settings).results
            expected = [result.source for result in results]
            assert list(found.rankings[name][query])[: len(expected)] == expected, (name, query)
    assert found.rankings["plain"] != found.rankings["reranked"]


def test_nothing_is_read_unless_a_configuration_says_so(brain: Brain, dataset: Dataset) -> None:
    brain.reranker = counted = Counted()
    counter = counted
    brainkit.evaluate(brain, dataset, {"a": {}, "b": {"mode": "bm25"}}, progress=False)
    assert counter.read == 0
    brainkit.evaluate(brain, dataset, {"a": {"rerank": True, "rerank_depth": 2}}, progress=False)
    assert counter.read == 2 * len(dataset)


def test_a_sweep_of_alpha_tries_values_where_a_reranker_has_no_crossings(
    brain: Brain, dataset: Dataset
) -> None:
    brain.reranker = Counted()
    base = {"mode": "hybrid", "rerank": True, "rerank_depth": 2}
    found = brainkit.sweep(brain, dataset, "alpha", base=base, folds=0, progress=False)
    assert found.edges is None
    for value in (0.0, 0.5, 1.0):
        config = {"now": {**base, "alpha": value}}
        one = brainkit.evaluate(brain, dataset, config, progress=False)
        assert list(found.score_at(value)) == list(one.values("now", "nDCG@10"))
