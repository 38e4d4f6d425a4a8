from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import ir_measures
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brainkit.errors import InvalidMeasure
from brainkit.evaluation.measures import Measure, grades_of, parse

NAMES = ["nDCG@10", "nDCG@3", "nDCG", "R@5", "R@100", "P@5", "RR@10", "RR", "AP@100", "AP@2",
         "Success@1"]  # fmt: skip


def value(name: str, ranking: Sequence[str], judged: dict[str, int], depth: int = 200) -> float:
    grades = grades_of(ranking, judged, depth)[np.newaxis]
    return float(parse(name).of(grades, list(judged.values()))[0])


def by_ir_measures(name: str, ranking: Sequence[str], judged: dict[str, int]) -> float:
    run = {"q": {unit: 1.0 / rank for rank, unit in enumerate(ranking, 1)}}
    measure = ir_measures.parse_measure(name)
    found = list(ir_measures.iter_calc([measure], {"q": judged}, run))
    return float(found[0].value) if found else 0.0


judgements = st.dictionaries(st.sampled_from("abcdefghij"), st.integers(0, 3), min_size=1)
rankings = st.lists(st.sampled_from("abcdefghijklmnop"), unique=True, min_size=1)


@pytest.mark.parametrize("name", NAMES)
@given(ranking=rankings, judged=judgements)
def test_every_value_is_that_of_trec_eval(
    name: str, ranking: list[str], judged: dict[str, int]
) -> None:
    ours = value(name, ranking, judged)
    if any(grade > 0 for grade in judged.values()):
        assert ours == pytest.approx(by_ir_measures(name, ranking, judged), abs=1e-9)
    else:
        assert ours == 0.0


def test_ndcg_by_hand() -> None:
    judged = {"a": 3, "b": 2, "c": 1}
    # Found: b at rank 1, nothing at 2, a at 3. Best: a, b, c.
    dcg = 2 / math.log2(2) + 3 / math.log2(4)
    ideal = 3 / math.log2(2) + 2 / math.log2(3) + 1 / math.log2(4)
    assert value("nDCG@10", ["b", "x", "a"], judged) == pytest.approx(dcg / ideal, abs=1e-15)
    exp_dcg = (2**2 - 1) / math.log2(2) + (2**3 - 1) / math.log2(4)
    exp_ideal = 7 / math.log2(2) + 3 / math.log2(3) + 1 / math.log2(4)
    assert value("nDCG(exp)@10", ["b", "x", "a"], judged) == pytest.approx(exp_dcg / exp_ideal)


def test_exp_and_linear_gain_differ_only_where_grades_do() -> None:
    same = {"a": 1, "b": 1}
    assert value("nDCG@5", ["x", "a", "b"], same) == value("nDCG(exp)@5", ["x", "a", "b"], same)
    graded = {"a": 3, "b": 1}
    assert value("nDCG@5", ["b", "a"], graded) > value("nDCG(exp)@5", ["b", "a"], graded)


def test_many_rankings_are_measured_as_one_by_one() -> None:
    generator = np.random.default_rng(0)
    judged = {"a": 2, "b": 1, "c": 1}
    stack = [list(generator.permutation(list("abcdefgh"))) for _ in range(50)]
    rows = np.stack([grades_of(ranking, judged, 8) for ranking in stack])
    for name in NAMES:
        at_once = parse(name).of(rows, [2, 1, 1])
        assert at_once.tolist() == [value(name, ranking, judged, 8) for ranking in stack]


@pytest.mark.parametrize("name", [*NAMES, "nDCG(exp)@10"])
def test_a_name_survives_the_round_trip(name: str) -> None:
    assert str(parse(name)) == name
    assert parse(parse(name)) == parse(name)


def test_other_spellings() -> None:
    assert parse("ndcg@10") == parse("nDCG@10")
    assert parse("MRR@10") == Measure("RR", 10)
    assert parse("recall@5") == Measure("R", 5)
    assert parse("nDCG(dcg='exp-log2')@10") == Measure("nDCG", 10, "exp")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("nDGC@10", "did you mean 'ndcg'"),
        ("", "no measure known"),
        ("P", "needs a cutoff"),
        ("nDCG@0", "1 or more"),
        ("R(exp)@5", "no measure known"),
        (5, "no measure known"),
    ],
)
def test_an_unknown_measure_is_named_with_what_there_is(name: Any, told: str) -> None:
    with pytest.raises(InvalidMeasure, match=told):
        parse(name)
