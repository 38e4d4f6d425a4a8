"""Rows that were read before: never others than the stored ones, and never too many."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import brainkit
from brainkit.store.kept_rows import KeptRows


def row(key: int, chars: int = 10) -> dict[str, Any]:
    return {"key": key, "text": "x" * chars, "context": "", "metadata": ""}


@given(st.lists(st.lists(st.integers(0, 30), max_size=8, unique=True), max_size=30))
def test_what_is_found_is_what_was_kept_and_there_is_never_more_than_fits(
    asked: list[list[int]],
) -> None:
    rows = KeptRows(chars_max=200)  # 20 rows of 10
    for keys in asked:
        found = rows.found(keys)
        assert found == {key: row(key) for key in found}
        rows.keep((key, row(key)) for key in keys if key not in found)
        assert set(rows.found(keys)) == set(keys)  # the last ones read are always there
        held = rows._new.keys() | rows._old.keys()
        assert len(held) <= 20 + 2 * 8


def test_rows_in_use_stay() -> None:
    rows = KeptRows(chars_max=200)
    rows.keep([(0, row(0))])
    for key in range(1, 100):
        assert 0 in rows.found([0])
        rows.keep([(key, row(key))])
    assert 1 not in rows.found([1])


def test_a_chunk_larger_than_all_is_answered_and_let_go() -> None:
    rows = KeptRows(chars_max=200)
    rows.keep([(1, row(1, chars=1000))])
    assert set(rows.found([1])) == {1}
    rows.keep([(2, row(2, chars=1000))])
    rows.keep([(3, row(3, chars=1000))])
    assert set(rows.found([1, 2, 3])) == {3}


def test_answers_share_nothing_that_can_be_changed(
    tmp_path: Path, word_vectors: Callable[[list[str]], Any]
) -> None:
    with brainkit.open(tmp_path / "b.brain", embedder=word_vectors) as brain:
        brain.ingest_texts(
            [{"id": str(n), "text": f"session {n}", "metadata": {"n": [n]}} for n in range(5)],
            progress=False,
        )
        first = brain.query("session")
        expected = [result.metadata for result in first.results]
        expected = [{"n": [*one["n"]]} for one in expected]
        for result in first.results:
            result.metadata["n"].append("changed")
        again = brain.query("session")
        assert [result.metadata for result in again.results] == expected


def test_rows_come_in_the_order_asked_for_whether_kept_or_not(
    tmp_path: Path, word_vectors: Callable[[list[str]], Any]
) -> None:
    with brainkit.open(tmp_path / "b.brain", embedder=word_vectors) as brain:
        brain.ingest_texts(
            [{"id": f"{n:02}", "text": f"session {n}"} for n in range(20)], progress=False
        )
        with brain._engine.reading() as generation:
            fresh = generation.chunks.records(np.arange(20))
            generation.chunks._kept = KeptRows()
            generation.chunks.records(np.array([3, 17, 5]))
            assert generation.chunks.records(np.arange(20)) == fresh
            assert [one["order"] for one in fresh] == list(range(20))
