from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from brainkit.evaluation.resampling import intervals
from brainkit.evaluation.significance import interval

scores = st.one_of(st.floats(-1, 1), st.just(float("nan")))


@given(arrays(np.float64, st.tuples(st.integers(0, 12), st.integers(0, 4)), elements=scores))
def test_each_column_has_the_interval_that_it_has_alone(columns: np.ndarray) -> None:
    found = intervals(columns)
    assert len(found) == columns.shape[1]
    for at, one in enumerate(found):
        values = columns[:, at]
        assert one == pytest.approx(interval(values[~np.isnan(values)]), abs=1e-12)


def test_by_hand() -> None:
    # One query has no spread; none has nothing.
    assert intervals(np.array([[0.25, np.nan]])) == [(0.25, 0.25, 0.25), (0.0, 0.0, 0.0)]
