from __future__ import annotations

import functools
import itertools
import json
from collections.abc import Callable

import numpy as np
import pytest

from brainkit.embed.base import Identity
from brainkit.embed.batching import batches, tokens_cut
from brainkit.embed.given import GivenEmbedder
from brainkit.errors import EmbedderFailed


def letters(texts: list[str]) -> list[list[float]]:
    """How often a, b and c occur, as plain lists."""
    return [[float(text.count(letter)) for letter in "abc"] for text in texts]


def rotated(texts: list[str]) -> list[list[float]]:
    return [row[1:] + row[:1] for row in letters(texts)]


def test_plain_lists_become_unit_float32_rows() -> None:
    embedder = GivenEmbedder(letters)
    vectors = embedder.embed_documents(["aaabbbb", "c"])
    # lengths: (3, 4, 0) has 5, (0, 0, 1) has 1
    np.testing.assert_array_equal(vectors, np.array([[0.6, 0.8, 0], [0, 0, 1]], np.float32))
    assert vectors.dtype == np.float32
    np.testing.assert_array_equal(embedder.embed_query("aaabbbb"), vectors[0])
    assert embedder.embed_documents([]).shape == (0, 3)


def test_the_identity_comes_from_one_call() -> None:
    calls: list[int] = []

    def counted(texts: list[str]) -> list[list[float]]:
        calls.append(len(texts))
        return letters(texts)

    embedder = GivenEmbedder(counted)
    assert calls == []
    assert embedder.identity is embedder.identity
    assert len(calls) == 1
    assert (embedder.identity.provider, embedder.identity.dim) == ("callable", 3)
    assert embedder.identity.model.endswith(
        "test_the_identity_comes_from_one_call.<locals>.counted"
    )


def test_two_functions_of_one_name_and_dimension_are_told_apart() -> None:
    def named(function: Callable[[list[str]], list[list[float]]]) -> GivenEmbedder:
        def embed(texts: list[str]) -> list[list[float]]:
            return function(texts)

        return GivenEmbedder(embed)

    first, same, other = named(letters), named(letters), named(rotated)
    assert first.identity.model == other.identity.model
    assert first.identity == same.identity
    assert first.identity.agrees(same.identity)
    assert not first.identity.agrees(other.identity)


@pytest.mark.parametrize("counted", [*itertools.combinations("aeinot", 3)], ids="".join)
def test_a_function_that_bends_its_vectors_a_little_is_another(counted: tuple[str, ...]) -> None:
    """Cubing counts leaves the largest component where it is."""

    def model(texts: list[str], *, power: float) -> np.ndarray:
        return np.array([[text.count(c) for c in counted] for text in texts], float) ** power

    plain = GivenEmbedder(functools.partial(model, power=1.0)).identity
    for power in (3.0, 2.0, 1.2):
        other = GivenEmbedder(functools.partial(model, power=power)).identity
        assert (other.model, other.dim) == (plain.model, plain.dim)
        assert not other.agrees(plain)


def test_the_length_that_a_function_gives_its_rows_is_no_difference() -> None:
    def model(texts: list[str], *, scale: float) -> np.ndarray:
        return np.array(letters(texts)) * scale

    small, large = (GivenEmbedder(functools.partial(model, scale=s)).identity for s in (0.01, 3e30))
    assert small.agrees(large)


def test_probes_without_a_direction_are_numbers_all_the_same() -> None:
    values = [0.0, np.nan, np.inf, 1e300]
    identity = GivenEmbedder(
        lambda texts: [[values[i % 4]] * 3 for i in range(len(texts))]
    ).identity
    assert identity.probes == (0.0,) * 32
    assert identity.agrees(Identity.from_dict(json.loads(json.dumps(identity.to_dict()))))


def test_equal_components_that_rounding_parts_are_no_difference() -> None:
    """Each component occurs twice, so that noise alone decides which of the two is larger."""
    noise = np.random.default_rng(2)

    def model(texts: list[str]) -> np.ndarray:
        twice = np.array([row + row for row in letters(texts)])
        return twice * (1 + 1e-6 * noise.standard_normal(twice.shape))

    first = GivenEmbedder(model).identity
    assert all(GivenEmbedder(model).identity.agrees(first) for _ in range(20))


def test_rounding_errors_do_not_change_the_identity() -> None:
    noise = np.random.default_rng(1)

    def model(texts: list[str], *, error: float) -> np.ndarray:
        exact = np.random.default_rng(0).standard_normal((len(texts), 64))
        return exact * (1 + error * noise.standard_normal(exact.shape))

    exact = GivenEmbedder(functools.partial(model, error=0.0))
    for _ in range(20):
        noisy = GivenEmbedder(functools.partial(model, error=1e-5))
        assert noisy.identity == exact.identity
        assert noisy.identity.agrees(exact.identity)


def test_a_name_given_by_the_user_decides() -> None:
    def first(texts: list[str]) -> list[list[float]]:
        return letters(texts)

    def second(texts: list[str]) -> list[list[float]]:
        return rotated(texts)

    for function in (first, second):
        function.name, function.revision = "letters", "v2"  # type: ignore[attr-defined]
        function.max_tokens, function.batch_size = 100, 7  # type: ignore[attr-defined]
    embedder = GivenEmbedder(first)
    assert embedder.identity == GivenEmbedder(second).identity
    assert embedder.identity.agrees(GivenEmbedder(second).identity)
    assert embedder.identity.probes is None
    assert (embedder.identity.model, embedder.identity.revision) == ("letters", "v2")
    assert (embedder.identity.max_tokens, embedder.max_tokens, embedder.batch_size) == (100, 100, 7)


def test_a_function_may_say_that_it_sends_its_texts_away() -> None:
    def embed(texts: list[str]) -> list[list[float]]:
        return letters(texts)

    assert GivenEmbedder(embed).identity.hosted is None
    embed.hosted = True  # type: ignore[attr-defined]
    assert GivenEmbedder(embed).identity.hosted is True


def test_objects_and_partials_have_names() -> None:
    class Model:
        def __call__(self, texts: list[str]) -> list[list[float]]:
            return letters(texts)

    assert GivenEmbedder(Model()).identity.model.endswith("<locals>.Model")
    assert GivenEmbedder(functools.partial(letters)).identity.model.endswith(".letters")


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda texts: letters(texts)[1:], r"shape \(7, 3\) for 8 texts; expected .*\(8, dim\)"),
        (lambda texts: letters(texts)[0], r"shape \(3,\) for 8 texts"),
        (lambda texts: [[]] * len(texts), r"shape \(8, 0\)"),
        (lambda texts: [[1.0], [1.0, 2.0]] * 4, "list, which NumPy cannot read"),
        (lambda texts: [["a"]] * len(texts), "values of type <U1"),
        (lambda texts: None, "NoneType"),
        (lambda texts: np.ones((8, 2), complex), "values of type complex128"),
    ],
)
def test_an_answer_that_is_not_one_row_per_text(
    function: Callable[[list[str]], object], words: str
) -> None:
    with pytest.raises(EmbedderFailed, match=words):
        GivenEmbedder(function).identity  # type: ignore[arg-type]  # noqa: B018


def test_a_dimension_that_changes_is_an_error() -> None:
    embedder = GivenEmbedder(lambda texts: np.ones((len(texts), 2 + (texts == ["odd"]))))
    with pytest.raises(
        EmbedderFailed, match=r"answered with 3 numbers per text; its first .* had 2"
    ):
        embedder.embed_documents(["odd"])


def test_the_users_own_error_passes_through() -> None:
    def broken(texts: list[str]) -> list[list[float]]:
        raise ConnectionError("server down")

    with pytest.raises(ConnectionError, match="server down"):
        GivenEmbedder(broken).embed_query("a")


def test_rows_without_a_direction_are_refused_by_the_batches() -> None:
    rows = {"zero": [0.0, 0.0], "nan": [np.nan, 1.0], "huge": [1e300, 1e300]}
    embedder = GivenEmbedder(lambda texts: [rows.get(text, [2.0, 0.0]) for text in texts])
    kept: list[int] = []
    refused = batches(
        embedder, ["zero", "fine", "nan", "huge"], on_batch=lambda at, _: kept.extend(at)
    )
    assert kept == [1]
    assert refused == {0: "all zeros", 2: "NaN or infinite", 3: "NaN or infinite"}


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("cat", 1),
        ("retrieval", 2),  # retri | eval
        ("getUserName()", 5),  # getUs | erNam | e | ( | )
        ("2024-01", 4),  # 202 | 4 | - | 01
        ("snake_case", 3),
        ("東京都", 3),
        ("naïve café", 2),
    ],
)
def test_tokens_are_estimated(text: str, count: int) -> None:
    assert GivenEmbedder(letters).count_tokens([text]) == [count]


def test_nothing_counts_as_cut_while_the_window_is_unknown() -> None:
    assert tokens_cut(GivenEmbedder(letters), ["word " * 2000]) == [0]
