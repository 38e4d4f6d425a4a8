"""Functions as rerankers, what may be given as one, and the memory of pairs."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from brainkit.errors import InvalidSetting, RerankerFailed, RerankerUnavailable
from brainkit.rerank import resolve
from brainkit.rerank.kept import KeptScores


def by_length(query: str, texts: list[str]) -> list[float]:
    return [float(len(text)) for text in texts]


@pytest.mark.parametrize("kind", [list, tuple, np.float32, np.int64])
def test_any_numbers_are_scores(kind: Any) -> None:
    made = {np.float32, np.int64}
    give = (lambda x: np.array(x, kind)) if kind in made else kind
    assert resolve(lambda query, texts: give([1, 0])).scores("q", ["a", "b"]) == [1.0, 0.0]


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ([1.0], "gave 1 scores for 2 texts"),
        ([1.0, 2.0, 3.0], "gave 3 scores for 2 texts"),
        ([1.0, float("nan")], "the score nan"),
        ([1.0, float("-inf")], "the score -inf"),
        ([1.0, "high"], "expected one number per text"),
        (None, "expected one number per text"),
        (3, "expected one number per text"),
    ],
)
def test_an_answer_that_is_no_scores(answer: Any, told: str) -> None:
    with pytest.raises(RerankerFailed, match=told):
        resolve(lambda query, texts: answer).scores("q", ["a", "b"])


def test_what_a_function_raises_is_told_with_its_name() -> None:
    def broken(query: str, texts: list[str]) -> list[float]:
        raise KeyError("weights")

    with pytest.raises(RerankerFailed, match=r"broken raised KeyError: 'weights'"):
        resolve(broken).scores("q", ["a"])


def test_a_function_says_what_it_is_and_whether_it_sends() -> None:
    assert resolve(by_length).name.endswith("test_given.by_length")
    assert resolve(by_length).sends is False

    class Service:
        name, hosted = "mine", True

        def __call__(self, query: str, texts: list[str]) -> list[float]:
            return by_length(query, texts)

    assert (resolve(Service()).name, resolve(Service()).sends) == ("mine", True)


class Own:
    """A Reranker as users may write one."""

    name, sends = "own", False

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        return [1.0 for _ in texts]


def test_a_reranker_is_taken_as_it_is() -> None:
    assert resolve(Own()).scores("q", ["a", "b"]) == [1.0, 1.0]


def test_the_variable_names_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    assert resolve(None).name == "local:reranker_en"
    monkeypatch.setenv("BRAINKIT_RERANKER", "http://localhost:8000/v1/rerank#m")
    assert resolve(None).name == "localhost:8000:m"


@pytest.mark.parametrize("given", [3, object(), ["local"]])
def test_what_is_no_reranker(given: Any) -> None:
    with pytest.raises(InvalidSetting, match="is not a reranker; give a name, an address"):
        resolve(given)


def test_an_unknown_name_gets_the_nearest() -> None:
    with pytest.raises(RerankerUnavailable, match="'locl' is not one of local; did you mean 'lo"):
        resolve("locl")


class Counting:
    """By length; it keeps what it was asked."""

    name, sends = "counting", False

    def __init__(self) -> None:
        self.read: list[tuple[str, str]] = []

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        self.read += [(query, text) for text in texts]
        return by_length(query, list(texts))


def test_no_pair_is_read_twice() -> None:
    counting = Counting()
    kept = KeptScores(counting)
    assert kept.scores("q", ["a", "bb"]) == [1.0, 2.0]
    assert kept.scores("q", ["bb", "ccc", "a"]) == [2.0, 3.0, 1.0]
    assert kept.scores("qb", ["b"]) == [1.0]  # and not the pair "q", "bb"
    assert counting.read == [("q", "a"), ("q", "bb"), ("q", "ccc"), ("qb", "b")]


def test_equal_texts_are_one_pair() -> None:
    counting = Counting()
    assert KeptScores(counting).scores("q", ["bb", "a", "bb"]) == [2.0, 1.0, 2.0]
    assert counting.read == [("q", "bb"), ("q", "a")]


def test_the_oldest_pairs_are_forgotten_first() -> None:
    counting = Counting()
    kept = KeptScores(counting, pairs_max=2)
    kept.scores("q", ["a", "bb"])
    kept.scores("q", ["a"])
    kept.scores("q", ["ccc"])  # bb is now the one that was asked for longest ago
    counting.read.clear()
    kept.scores("q", ["a", "bb", "ccc"])
    assert counting.read == [("q", "bb")]


def test_a_failure_is_not_remembered() -> None:
    answers = iter([[float("nan")], [2.0]])
    reranker = resolve(lambda query, texts: next(answers))
    with pytest.raises(RerankerFailed):
        reranker.scores("q", ["a"])
    assert reranker.scores("q", ["a"]) == [2.0]


def test_many_threads_get_their_own_scores() -> None:
    kept = KeptScores(Counting(), pairs_max=5)
    barrier = threading.Barrier(4)

    def ask(n: int) -> bool:
        barrier.wait()
        texts = ["x" * (n + m) for m in range(20)]
        return kept.scores("q", texts) == [float(len(text)) for text in texts]

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(ask, range(4)))
