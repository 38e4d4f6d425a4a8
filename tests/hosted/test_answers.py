"""Rows of an answer: each text gets its own, or the whole answer counts for nothing."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brainkit.hosted.answers import rows_of
from brainkit.hosted.failure import Failure


def body(*rows: Any, **more: Any) -> bytes:
    return json.dumps(
        {"data": [{"index": at, "embedding": row} for at, row in rows], **more}
    ).encode()


@given(st.permutations(range(6)))
def test_rows_stand_in_the_order_of_the_texts_whatever_order_they_come_in(order: list[int]) -> None:
    rows = rows_of(body(*[(at, [at, 1.0]) for at in order]), count=6, dim=2)
    assert rows.numbers[:, 0].tolist() == [0, 1, 2, 3, 4, 5]


def test_without_any_index_the_order_is_believed() -> None:
    answer = json.dumps({"data": [{"embedding": [1]}, {"embedding": [2]}]}).encode()
    assert rows_of(answer, count=2, dim=None).numbers.tolist() == [[1], [2]]


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (b"", "is not the JSON"),
        (b'{"data": [{"index": 0, "embedding": [1', "is not the JSON"),
        (b"[" * 100_000, "is not the JSON"),
        (b'{"data": null}', "is not the JSON"),
        (b'{"data": [3]}', "is not the JSON"),
        (b"\xff\xfe", "is not the JSON"),
        (b'{"error": "Unexpected endpoint"}', "an error instead of vectors: Unexpected endpoint"),
        (body((0, [1, 2])), "1 vectors for 2 texts"),
        (body((0, [1, 2]), (1, [1, 2]), (2, [1, 2])), "3 vectors for 2 texts"),
        (body((0, [1, 2]), (0, [1, 2])), "each once"),
        (body((1, [1, 2]), (2, [1, 2])), "each once"),
        (body((0, [1, 2]), (None, [1, 2])), "each once"),
        (body((0, [1, 2]), ("1", [1, 2])), "each once"),
        (body((False, [1, 2]), (True, [1, 2])), "each once"),
        (body((0, [1, 2]), (1, [1])), "1 and 2 numbers"),
        (body((0, None), (1, None)), "no vectors"),
        (body((0, []), (1, [])), "0 numbers"),
    ],
)
def test_an_answer_in_doubt_is_none(answer: bytes, reason: str) -> None:
    with pytest.raises(Failure, match=reason):
        rows_of(answer, count=2, dim=2)


@pytest.mark.parametrize(
    "row", [None, "not base64!", [1, "x"], [[1, 2]], {"a": 1}, [1, None], [10**400, 1], "AAA="]
)
def test_a_row_that_is_none_spoils_no_other(row: Any) -> None:
    numbers = rows_of(body((0, [1, 2]), (1, row)), count=2, dim=2).numbers
    assert numbers[0].tolist() == [1, 2]
    assert not np.isfinite(numbers[1]).all()


@pytest.mark.parametrize(
    ("usage", "tokens"),
    [
        ({"total_tokens": 7}, 7),
        ({"prompt_tokens": 5}, 5),
        ({"total_tokens": -1}, None),
        ({"total_tokens": "7"}, None),
        (None, None),
    ],
)
def test_tokens_are_the_servers_or_unknown(usage: Any, tokens: int | None) -> None:
    assert rows_of(body((0, [1])), count=1, dim=1).tokens is None
    assert rows_of(body((0, [1]), usage=usage), count=1, dim=1).tokens == tokens
