from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brainkit.embed.vectors import encodable, flaws, unit_rows

NAN, INF = float("nan"), float("inf")


def test_rows_are_scaled_alone() -> None:
    # |(3, 4)| = 5, |(0, 0.5)| = 0.5
    scaled = unit_rows(np.array([[3, 4], [0, 0.5]]))
    assert scaled.dtype == np.float32
    np.testing.assert_array_equal(scaled, np.array([[0.6, 0.8], [0, 1]], np.float32))


@given(
    exponent=st.integers(-37, 37),
    row=st.lists(st.floats(-1, 1, width=32), min_size=2, max_size=8).filter(
        lambda row: max(map(abs, row)) > 0.1
    ),
)
def test_any_magnitude_of_float32_has_a_direction(exponent: int, row: list[float]) -> None:
    scaled = unit_rows(np.array([row], np.float32) * np.float32(10.0) ** exponent)
    assert np.linalg.norm(scaled) == pytest.approx(1, abs=1e-6)
    assert flaws(scaled) == {}


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ([0, 0], "all zeros"),
        ([-0.0, 0], "all zeros"),
        ([NAN, 1], "NaN or infinite"),
        ([INF, 1], "NaN or infinite"),
        ([-INF, NAN], "NaN or infinite"),
        ([1e20, 0], "too large for float32"),
        ([1e-30, 0], "too small for float32"),
    ],
)
def test_a_row_without_a_direction_is_named_between_good_ones(
    row: list[float], reason: str
) -> None:
    assert flaws(np.array([[1, 0], row, [0, -1]], np.float32)) == {1: reason}


@pytest.mark.parametrize(
    ("row", "reason"),
    [([0, 0], "all zeros"), ([NAN, 1], "NaN or infinite"), ([1e300, 1e300], "NaN or infinite")],
)
def test_scaling_never_hides_a_flaw(row: list[float], reason: str) -> None:
    assert flaws(unit_rows(np.array([row]))) == {0: reason}


def test_only_lone_surrogates_are_replaced() -> None:
    assert encodable("naïve 東京 🙂 \x00") == "naïve 東京 🙂 \x00"
    assert encodable("a\ud800b\udfff") == "a?b?"
