from __future__ import annotations

import signal
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from brainkit.embed import Identity
from brainkit.embed.batching import batches, query_vector, room, tokens_cut
from brainkit.errors import EmbedderFailed

Rows = Callable[[Sequence[str]], object]


class Scripted:
    """Embeds by a rule of the test; an answer may be anything."""

    def __init__(self, rule: Rows, *, batch_size: int = 2, normalized: bool = True) -> None:
        self.rule, self.batch_size = rule, batch_size
        self.identity = Identity(
            provider="own",
            model="rule",
            dim=2,
            revision="1",
            document_prefix="passage: ",
            normalized=normalized,
            max_tokens=8,
        )
        self.max_tokens, self.special_tokens = 8, 2
        self.calls: list[list[str]] = []

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.calls.append(list(texts))
        return self.rule(texts)  # type: ignore[return-value]

    def embed_query(self, text: str) -> NDArray[np.float32]:
        return self.rule([text])[0]  # type: ignore[index, no-any-return]

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) for text in texts]


def angle(texts: Sequence[str]) -> NDArray[np.float32]:
    """One direction per length of text, so that a vector tells whose it is."""
    return np.array([[np.cos(len(t)), np.sin(len(t))] for t in texts], np.float32).reshape(-1, 2)


def run(embedder: Scripted, texts: list[str]) -> tuple[dict[int, list[float]], dict[int, str]]:
    got: dict[int, list[float]] = {}
    refused = batches(
        embedder,
        texts,
        on_batch=lambda at, vectors: got.update(zip(at, vectors.tolist(), strict=True)),
    )
    return got, refused


def test_texts_go_longest_first_and_vectors_come_back_to_their_texts() -> None:
    embedder, texts = Scripted(angle), ["bb", "dddd", "a", "ccc", "ee"]
    got, refused = run(embedder, texts)
    assert embedder.calls == [["dddd", "ccc"], ["bb", "ee"], ["a"]]
    assert refused == {}
    assert got == {at: angle([text])[0].tolist() for at, text in enumerate(texts)}


def test_nothing_to_embed_calls_nothing() -> None:
    embedder = Scripted(angle)
    assert run(embedder, []) == ({}, {})
    assert embedder.calls == []


BAD = {"nan!": [np.nan, 1], "zero": [0, 0], "inf!": [np.inf, 0]}


def with_bad(texts: Sequence[str]) -> NDArray[np.float32]:
    return np.array([BAD.get(text, [0.6, 0.8]) for text in texts], np.float32)


def test_unusable_rows_are_refused_with_the_reason_and_the_rest_is_kept() -> None:
    got, refused = run(Scripted(with_bad), ["good", "nan!", "zero", "fine", "inf!"])
    assert list(got) == [0, 3]
    assert refused == {1: "NaN or infinite", 2: "all zeros", 4: "NaN or infinite"}


def test_a_batch_of_refused_texts_is_not_handed_over() -> None:
    sizes: list[int] = []
    batches(
        Scripted(with_bad), ["nan!", "zero", "ok"], on_batch=lambda at, _: sizes.append(len(at))
    )
    assert sizes == [1]


@pytest.mark.parametrize(
    ("rule", "got"),
    [
        (lambda texts: angle(texts)[:-1], r"float32 of shape \(1, 2\) for 2 texts"),
        (lambda texts: np.ones((2, 3), np.float32), r"float32 of shape \(2, 3\)"),
        (lambda texts: np.ones(2, np.float32), r"float32 of shape \(2,\)"),
        (lambda texts: angle(texts).astype(np.float64), r"float64 of shape \(2, 2\)"),
        (lambda texts: None, r"object of shape \(\)"),
    ],
)
def test_an_answer_of_another_shape_is_an_error_with_both_shapes(rule: Rows, got: str) -> None:
    with pytest.raises(EmbedderFailed, match=got + r".*expected float32 of shape \(2, 2\)"):
        run(Scripted(rule), ["a", "b"])


def test_a_promise_of_unit_length_is_held() -> None:
    def double(texts: Sequence[str]) -> NDArray[np.float32]:
        return angle(texts) * 2

    with pytest.raises(EmbedderFailed, match="length 1 but gave one of length 2"):
        run(Scripted(double), ["a", "b"])
    got, _ = run(Scripted(double, normalized=False), ["a"])
    assert np.hypot(*got[0]) == pytest.approx(2)


def test_almost_unit_vectors_become_unit_ones_and_unit_ones_stay_bit_for_bit() -> None:
    def rough(texts: Sequence[str]) -> NDArray[np.float32]:
        return angle(texts) * np.float32(1.0009)

    (row,) = run(Scripted(rough), ["abc"])[0].values()
    assert np.hypot(*row) == pytest.approx(1, abs=1e-7)
    assert np.hypot(*query_vector(Scripted(rough), "abc").tolist()) == pytest.approx(1, abs=1e-7)
    assert np.hypot(*run(Scripted(rough, normalized=False), ["abc"])[0][0]) > 1.0008

    texts = ["x" * n for n in range(1, 200)]
    got, _ = run(Scripted(angle, batch_size=64), texts)
    assert got == {at: angle([text])[0].tolist() for at, text in enumerate(texts)}


def test_an_interrupt_keeps_the_finished_batches() -> None:
    kept: list[int] = []

    def keep(at: Sequence[int], vectors: NDArray[np.float32]) -> None:
        kept.extend(at)
        if len(kept) == 4:
            signal.raise_signal(signal.SIGINT)

    embedder = Scripted(angle)
    with pytest.raises(KeyboardInterrupt):
        batches(embedder, ["same"] * 10, on_batch=keep)
    assert kept == [0, 1, 2, 3]
    assert len(embedder.calls) == 2


def test_a_failure_keeps_the_finished_batches() -> None:
    kept: list[int] = []

    def fail_at_the_short_one(texts: Sequence[str]) -> NDArray[np.float32]:
        if "x" in texts:
            raise TimeoutError("no answer")
        return angle(texts)

    with pytest.raises(TimeoutError):
        batches(
            Scripted(fail_at_the_short_one),
            ["x", "long", "longer"],
            on_batch=lambda at, _: kept.extend(at),
        )
    assert kept == [2, 1]


def test_a_query_vector_is_checked_too() -> None:
    assert query_vector(Scripted(angle), "abc").tolist() == angle(["abc"])[0].tolist()
    with pytest.raises(EmbedderFailed, match=r"unusable vector for the query 'zero': all zeros"):
        query_vector(Scripted(with_bad), "zero")
    with pytest.raises(EmbedderFailed, match=r"shape \(1, 3\).*expected float32 of shape \(1, 2\)"):
        query_vector(Scripted(lambda _: np.ones((1, 3), np.float32)), "a")


def test_prefix_and_special_tokens_take_room() -> None:
    embedder = Scripted(angle)
    assert room(embedder) == 8 - 2 - 1  # window, [CLS] and [SEP], "passage:"
    assert tokens_cut(embedder, ["one", "1 2 3 4 5", "1 2 3 4 5 6 7"]) == [0, 0, 2]
