"""Cohen's kappa by hand, on tables small enough to check."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brainkit.errors import InvalidSetting
from brainkit.evaluation.agreement import agreement
from brainkit.evaluation.judgments import Judgment, Judgments

Pairs = Sequence[tuple[int | None, int | None]]
Label = Callable[[Pairs], Judgments]


def labelled(folder: Path, pairs: Pairs) -> Judgments:
    held = Judgments(folder)
    for n, pair in enumerate(pairs):
        for name, grade in zip(("ana", "ben"), pair, strict=True):
            held.put(Judgment("q", f"s{n}", "1-2", grade, name, "", "", f"c{n}", f"c{n}"))
    return held


def test_kappa_by_hand(tmp_path: Path) -> None:
    # p_o = 3/4; p_e = P(both 1) + P(both 0) = 3/4 * 2/4 + 1/4 * 2/4 = 1/2.
    held = labelled(tmp_path, [(1, 1), (1, 1), (0, 0), (1, 0), (2, None)])
    found = agreement(held, "ana", "ben")
    assert (found.observed, found.expected, found.common) == (3 / 4, 1 / 2, 4)
    assert found.kappa == pytest.approx((3 / 4 - 1 / 2) / (1 - 1 / 2))
    assert found.table == ((1, 0, 0, 0), (1, 2, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0))
    assert found.differing == (("q", "s3", "1-2", 1, 0),)
    assert found.summary() == (
        "ana and ben: kappa 0.500 on 4 chunks that both graded, 3 of them alike"
    )


@pytest.mark.parametrize(("weights", "power"), [("linear", 1), ("quadratic", 2)])
def test_weights_by_hand(weights: str, power: int, tmp_path: Path) -> None:
    # Two pairs: (0, 0) agrees by 1, (3, 2) by 1 - (1/3)^p. By chance each of ana's {0, 3} meets
    # each of ben's {0, 2}: (0,0) 1, (0,2) 1 - (2/3)^p, (3,0) 0, (3,2) 1 - (1/3)^p; a quarter each.
    found = agreement(labelled(tmp_path, [(0, 0), (3, 2)]), "ana", "ben", weights=weights)  # type: ignore[arg-type]
    near, far = 1 - (1 / 3) ** power, 1 - (2 / 3) ** power
    observed, expected = (1 + near) / 2, (1 + far + 0 + near) / 4
    assert found.kappa == pytest.approx((observed - expected) / (1 - expected))
    assert f"({weights} weights)" in found.summary()


def test_what_is_undefined_says_why(tmp_path: Path) -> None:
    apart = agreement(labelled(tmp_path, [(1, None), (None, 2)]), "ana", "ben")
    assert math.isnan(apart.kappa)
    assert apart.undefined == "ana and ben have graded no chunk for the same question."
    (tmp_path / "alike").mkdir()
    alike = agreement(labelled(tmp_path / "alike", [(2, 2), (2, 2)]), "ana", "ben")
    assert math.isnan(alike.kappa)
    assert "cannot be told from chance" in alike.summary()
    assert alike.to_dict()["kappa"] is None
    assert alike.common == 2


def test_full_agreement_is_one_and_less_than_chance_is_below_zero(tmp_path: Path) -> None:
    assert agreement(labelled(tmp_path, [(0, 0), (3, 3)]), "ana", "ben").kappa == 1.0
    (tmp_path / "b").mkdir()
    assert agreement(labelled(tmp_path / "b", [(0, 3), (3, 0)]), "ana", "ben").kappa == -1.0


@given(pairs=st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=12))
def test_kappa_is_symmetric_and_at_most_one(
    tmp_path_factory: pytest.TempPathFactory, pairs: Pairs
) -> None:
    held = labelled(tmp_path_factory.mktemp("labels"), pairs)
    for weights in ("none", "linear", "quadratic"):
        one = agreement(held, "ana", "ben", weights=weights)
        other = agreement(held, "ben", "ana", weights=weights)
        assert one.kappa == pytest.approx(other.kappa, nan_ok=True)
        assert one.undefined or one.kappa <= 1.0 + 1e-12


def test_whom_to_compare_must_be_two_who_have_labels(tmp_path: Path) -> None:
    held = labelled(tmp_path, [(1, 1)])
    with pytest.raises(InvalidSetting, match="'bem' has no labels; did you mean 'ben'"):
        agreement(held, "ana", "bem")
    with pytest.raises(InvalidSetting, match="name two labellers"):
        agreement(held, "ana", "ana")
    with pytest.raises(InvalidSetting, match="weights='cubic' is not one of none, linear"):
        agreement(held, "ana", "ben", weights="cubic")  # type: ignore[arg-type]


def test_the_table_is_shown_with_what_the_grades_mean(tmp_path: Path) -> None:
    shown = repr(agreement(labelled(tmp_path, [(1, 1), (0, 3)]), "ana", "ben"))
    assert "0 not relevant        0    0    0    1" in shown
    html = agreement(labelled(tmp_path, [(1, 1)]), "ana", "ben")._repr_html_()
    assert "1 related" in html
