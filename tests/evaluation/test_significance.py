from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brainkit.evaluation.significance import holm, interval, p_value, tally

floats = st.floats(-1, 1, allow_nan=False, width=32)


def brute_force(differences: list[float]) -> float:
    signs = itertools.product((-1.0, 1.0), repeat=len(differences))
    sums = [abs(sum(s * d for s, d in zip(row, differences, strict=True))) for row in signs]
    seen = abs(sum(differences))
    return sum(one >= seen - 1e-9 for one in sums) / len(sums)


@given(st.lists(st.integers(-9, 9).map(lambda n: n / 10), min_size=1, max_size=9))
def test_few_queries_are_counted_over_every_sign_pattern(differences: list[float]) -> None:
    assert p_value(differences) == pytest.approx(brute_force(differences))


def test_by_hand() -> None:
    # Of the 8 sign patterns of .1, .2, .3 only +++ and --- reach a sum of .6.
    assert p_value([0.1, 0.2, 0.3]) == 2 / 8


def test_no_difference_is_no_evidence() -> None:
    assert p_value([]) == p_value([0.0] * 50) == 1.0


def test_drawn_patterns_agree_with_counting_all_of_them() -> None:
    generator = np.random.default_rng(3)
    twelve = generator.normal(0.1, 0.3, 12)
    # Two queries whose differences are nearly nothing push it over the limit for counting.
    drawn = p_value([*twelve, 1e-9, 1e-9], seed=1)
    assert drawn == pytest.approx(p_value(twelve), abs=0.015)


def test_chance_is_called_significant_as_often_as_the_level_says() -> None:
    generator = np.random.default_rng(0)
    p_values = [p_value(generator.normal(0, 1, 40), seed=n) for n in range(200)]
    assert 0.02 <= float(np.mean(np.array(p_values) < 0.05)) <= 0.09


def test_a_large_difference_is_never_given_p_zero() -> None:
    assert 0 < p_value([0.5] * 100) <= 2 / 10_001


def test_equal_input_gives_an_equal_value() -> None:
    values = np.random.default_rng(0).normal(0.05, 0.2, 60)
    assert p_value(values) == p_value(values)
    assert interval(values) == interval(values)


def test_holm_by_hand() -> None:
    # Sorted .01 .03 .04: 3 x .01, then 2 x .03, then 1 x .04 raised to the .06 before it.
    assert holm([0.01, 0.04, 0.03]) == [0.03, 0.06, 0.06]
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []


@given(st.lists(st.floats(0, 1), max_size=8))
def test_correction_never_lowers_and_keeps_the_order(p_values: list[float]) -> None:
    corrected = holm(p_values)
    assert all(after >= before for before, after in zip(p_values, corrected, strict=True))
    for one, other in itertools.combinations(range(len(p_values)), 2):
        if p_values[one] < p_values[other]:
            assert corrected[one] <= corrected[other]


@given(st.lists(floats, min_size=2, max_size=40))
def test_an_interval_holds_the_mean(values: list[float]) -> None:
    found = interval(values)
    assert found.mean == pytest.approx(float(np.mean(values)), abs=1e-9)
    assert found.low - 1e-9 <= found.mean <= found.high + 1e-9


def test_intervals_cover_the_truth_about_as_often_as_they_say() -> None:
    generator = np.random.default_rng(1)
    covered = 0
    for seed in range(200):
        found = interval(generator.normal(0.3, 1, 50), seed=seed)
        covered += found.low <= 0.3 <= found.high
    assert 180 <= covered <= 199


def test_few_values_have_no_spread() -> None:
    assert interval([]) == (0.0, 0.0, 0.0)
    assert interval([0.4]) == (0.4, 0.4, 0.4)


def test_wins_ties_and_losses() -> None:
    assert tally([0.2, 0.0, 1e-15, -0.1, 0.3]) == (2, 2, 1)
