"""The answer to an embedding request: one row of numbers per text, in the order of the texts."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from brainkit.hosted.failure import Failure


class Rows(NamedTuple):
    """numbers : float64 (n, dim), as they came. tokens : as the server counts, None if it does not.

    A row that is no row of numbers is NaN. Fewer tokens than texts, such as the 0 that some servers
    always say, are no count.
    """

    numbers: NDArray[np.float64]
    tokens: int | None


def rows_of(body: bytes, *, count: int, dim: int | None) -> Rows:
    """Read an answer and put its rows in the order of the texts.

    count : texts that were sent. dim : numbers to expect in each row, None if not known yet.
    Raises Failure (garbled) unless it is JSON with exactly one row for each text, all as long as
    expected: a row in doubt must never come to stand for a text. Raises Failure (fatal) if all rows
    are alike and of another length: then it is another model, or one that ignores ``dimensions``.

    >>> rows_of(b'{"data": [{"index": 1, "embedding": [2]}, {"index": 0, "embedding": [1]}]}',
    ...         count=2, dim=1).numbers.tolist()
    [[1.0], [2.0]]
    """
    try:
        answer = json.loads(body)
        if "data" not in answer and "error" in answer:
            raise Failure("garbled", f"an error instead of vectors: {answer['error']!s:.200}")
        data = answer["data"]
        entries = [(entry.get("index"), entry["embedding"]) for entry in data]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise Failure("garbled", f"an answer of {len(body):,} bytes that is not the JSON asked for"
                      ) from None  # fmt: skip
    if len(entries) != count:
        raise Failure("garbled", f"{len(entries):,} vectors for {count:,} texts")
    if any(index is not None for index, _ in entries):
        places = [index for index, _ in entries]
        if any(type(place) is not int for place in places) or sorted(places) != [*range(count)]:
            raise Failure("garbled", f"indexes that are not 0 to {count - 1}, each once")
        entries.sort(key=lambda entry: entry[0])
    rows = [_numbers(row) for _, row in entries]
    lengths = {len(row) for row in rows if row is not None}
    if dim is None and len(lengths) == 1:
        (dim,) = lengths
    if not dim or not lengths:
        raise Failure("garbled", "rows that are no vectors, or of several lengths")
    if lengths != {dim}:
        found = " and ".join(map(str, sorted(lengths)))
        told = f"{found} numbers for a text, not {dim}"
        if len(lengths) > 1:
            raise Failure("garbled", told)
        raise Failure("fatal", f"{told}; it is another model, or ignores dimensions=")
    matrix = np.full((count, dim), np.nan)
    for at, row in enumerate(rows):
        if row is not None:
            matrix[at] = row
    return Rows(matrix, _tokens(answer, least=count))


def _numbers(row: Any) -> NDArray[np.float64] | None:
    if isinstance(row, str):  # base64 of float32, which some servers send though asked for numbers
        try:
            return np.frombuffer(base64.b64decode(row, validate=True), "<f4").astype(np.float64)
        except (binascii.Error, ValueError):
            return None
    try:
        numbers = np.asarray(row, np.float64)
    except (TypeError, ValueError, OverflowError):
        return None
    return numbers if numbers.ndim == 1 else None


def _tokens(answer: Any, *, least: int) -> int | None:
    usage = answer.get("usage")
    if not isinstance(usage, Mapping):
        return None
    found = usage.get("total_tokens") or usage.get("prompt_tokens")
    return found if type(found) is int and found >= least else None
