"""Where rows went from one generation to the next."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from brainkit.store.moved import Moved

keys = st.lists(st.integers(1, 30), unique=True, max_size=20)


@given(before=keys, now=keys)
def test_rows_are_followed_by_key(before: list[int], now: list[int]) -> None:
    moved = Moved.between(np.array(before, np.int32), np.array(now, np.int32))
    assert moved.size == len(now)
    assert moved.rows.tolist() == [now.index(key) if key in now else -1 for key in before]
    assert moved.added.tolist() == [row for row, key in enumerate(now) if key not in before]
    assert moved.kept.tolist() == [row for row, key in enumerate(before) if key in now]
