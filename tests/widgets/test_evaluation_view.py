"""What Python hands to the browser of an evaluation and a sweep: true, bounded, equal each time."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import brainkit
from brainkit.evaluation import experiment
from brainkit.evaluation.measures import Measure
from brainkit.evaluation.significance import interval
from brainkit.widgets.evaluation_fields import GROUPS_MAX
from brainkit.widgets.evaluation_rankings import DEPTH_MIN, RANKED_MAX
from brainkit.widgets.sweep_view import STEPS_MAX
from brainkit.widgets.view import EVALUATION_TAG, evaluation_source, view_html, view_json, view_of

CONFIGS = [{"mode": "bm25"}, {"mode": "vector"}, {"mode": "hybrid", "alpha": 0.3}]


@pytest.fixture(scope="session")
def measured(support: Callable[[str], ModuleType]) -> ModuleType:
    return support("measured")


@pytest.fixture(scope="module")
def questions(repository: Path) -> Any:
    return brainkit.load_dataset(repository / "data" / "sample-questions")


@pytest.fixture(scope="module")
def found(sample: brainkit.Brain, questions: Any) -> Iterator[Any]:
    return brainkit.evaluate(sample, questions, CONFIGS, progress=False)


def test_the_public_names_draw_themselves_and_are_what_they_were(found: Any) -> None:
    assert type(found) is brainkit.Evaluation
    assert isinstance(found, experiment.Evaluation)
    assert brainkit.evaluate.__doc__ == experiment.evaluate.__doc__
    assert repr(found).startswith("sample-questions: 64 queries")
    assert found._repr_html_() == found.view()["table"]
    assert found._repr_mimebundle_() is None  # outside a notebook


def test_an_output_carries_its_data_and_its_own_module_once(found: Any) -> None:
    html = view_html(found.view())
    assert html.count(f"<{EVALUATION_TAG}>") == html.count(f"</{EVALUATION_TAG}>") == 1
    assert html.count(evaluation_source()) == 1
    assert view_of(html) == json.loads(view_json(found.view()))


def test_scores_and_intervals_are_those_of_the_evaluation(found: Any) -> None:
    view = found.view()
    names = list(found.configs)
    assert [config["name"] for config in view["configs"]] == names
    assert view["configs"][2]["settings"] == [["mode", "hybrid"], ["alpha", "0.3"]]
    for at, measure in enumerate(found.measures):
        for n, name in enumerate(names):
            assert view["scores"][at][n] == found.values(name, measure).tolist()
    for one in found.compare():
        told = view["against"][0][0][names.index(one.config)]
        assert [told["low"], told["high"]] == pytest.approx(one.difference[1:], abs=1e-12)
        assert told["p"] == one.p_corrected
    # Another baseline has its intervals, and no p-value: Python tested against one.
    base, other = found.values(names[1], "nDCG@10"), found.values(names[2], "nDCG@10")
    told = view["against"][0][1][2]
    assert [told["low"], told["high"]] == pytest.approx(interval(other - base)[1:], abs=1e-12)
    assert told["p"] is None


def test_rankings_and_grades_can_be_read_back(found: Any) -> None:
    view = found.view()
    units = view["units"]
    assert len(set(units)) == len(units)
    for n, name in enumerate(found.configs):
        for at, query in enumerate(found.dataset.queries):
            ranking = [units[one] for one in view["rankings"][n][at]]
            assert ranking == list(found.rankings[name][query])[: view["depth"]]
            grades = {units[one]: grade for one, grade in view["grades"][at]}
            judged = found.dataset.qrels[query]
            assert {u: g for u, g in grades.items() if g > 0} == {
                u: g for u, g in judged.items() if g > 0
            }


def test_equal_evaluations_give_equal_bytes(measured: ModuleType) -> None:
    first, second = (view_html(measured.many(20, 3).view()) for _ in range(2))
    assert first == second


@pytest.mark.parametrize(("queries", "configs"), [(1, 1), (50, 5), (1000, 5), (200, 40)])
def test_a_view_is_bounded(measured: ModuleType, queries: int, configs: int) -> None:
    view = measured.many(queries, configs, depth=100).view()
    ranked = sum(len(ranking) for config in view["rankings"] for ranking in config)
    assert view["depth"] >= DEPTH_MIN
    assert ranked <= max(RANKED_MAX, DEPTH_MIN * queries * configs)
    assert len(view_json(view)) < 250 * queries * configs + 300 * queries + 20_000
    assert sum(row is not None for row in view["against"][0]) == (configs if configs < 13 else 1)


def test_what_was_not_run_is_no_zero(measured: ModuleType) -> None:
    rankings = {"A": {"q1": ["d1"], "q2": ["x"]}, "B": {"q1": ["x", "d1"]}, "C": {}}
    qrels = {"q1": {"d1": 1}, "q2": {"d2": 1}}
    view = measured.evaluation(rankings, qrels, not_run={"C": "no graph here"}).view()
    assert view["scores"][0] == [[1.0, 0.0], [pytest.approx(1 / np.log2(3)), None], [None, None]]
    assert view["rankings"] == [[[0], [1]], [[1, 0], None], [None, None]]
    assert view["configs"][2]["not_run"] == "no graph here"
    assert view["against"][0][0][2] is None
    assert view["table"].count("not run") == 2


def test_empty_and_single(measured: ModuleType) -> None:
    assert measured.evaluation({"A": {}}, {}).view()["queries"] == []
    one = measured.evaluation({"A": {"q1": ["d1"]}}, {"q1": {"d1": 1}}).view()
    assert one["against"] == [[[None]], [[None]]]


def test_fields_are_those_that_tell_queries_apart(measured: ModuleType) -> None:
    count = GROUPS_MAX + 2
    qrels = {f"q{n}": {"d": 1, **({"e": 1} if n % 2 else {})} for n in range(count)}
    metadata = {
        f"q{n}": {"type": "ab"[n % 2], "url": f"u{n}", **({"rare": 1} if n == 3 else {})}
        for n in range(count)
    }
    rankings = {"A": {query: ["d"] for query in qrels}}
    found = measured.evaluation(rankings, qrels, metadata=metadata)
    view = found.view()
    assert [field["name"] for field in view["fields"]] == [
        "type", "relevant per query", "words in query",
    ]  # fmt: skip
    assert view["fields_left_out"] == 2
    assert view["fields"][1]["values"] == ["1", "2"]
    means = found.breakdown("type")
    assert view["fields"][0]["values"] == list(means.index)


def test_a_sweep_can_be_read_off_at_its_stops(measured: ModuleType) -> None:
    # .5 1 0 .5 against .5 .5 0 .25: two wins, two ties, a mean gain of .75 / 4.
    view = measured.sweep().view()
    assert [stop["label"] for stop in view["stops"]] == ["10", "60"]
    assert view["stops"][0]["mean"] == 0.5
    assert view["stops"][0]["tally"] == [2, 2, 0]
    assert view["stops"][0]["gain"][0] == pytest.approx(0.1875)
    assert (view["default"], view["best"], view["ordered"]) == (1, 0, True)
    assert view["steps"] is None


def test_the_curve_of_alpha_is_the_step_function(sample: brainkit.Brain, questions: Any) -> None:
    found = brainkit.sweep(sample, questions, "alpha", progress=False)
    assert type(found) is brainkit.Sweep
    view = found.view()
    edges, means = view["steps"]["edges"], view["steps"]["means"]
    assert (edges[0], edges[-1], len(edges)) == (0.0, 1.0, len(means) + 1)
    assert view["steps"]["left_out"] == 0
    for alpha in np.random.default_rng(0).uniform(0, 1, 40):
        at = int(np.searchsorted(edges, alpha, "right")) - 1
        assert means[at] == pytest.approx(found.score_at(alpha).mean(), abs=1e-8)
    stops = view["stops"]
    assert [stop["at"] for stop in stops] == sorted({stop["at"] for stop in stops})
    assert stops[view["default"]]["at"] == 0.5
    assert stops[view["best"]]["at"] == found.best
    assert [stops[at]["at"] for at in view["held"]["chosen"]] == list(found.held.chosen)
    assert view["held"]["text"] == str(found.held)
    for stop in stops[::17]:
        assert [stop["mean"], stop["low"], stop["high"]] == pytest.approx(
            list(found.interval_at(stop["at"])), abs=1e-12
        )


def test_a_curve_of_too_many_steps_says_what_is_missing(measured: ModuleType) -> None:
    count = STEPS_MAX + 10
    edges = np.linspace(0, 1, count + 1)
    jumps = np.where(np.arange(count) % 1000 == 0, 0.01, 1e-6)
    means = np.concatenate(([0.0], np.cumsum(jumps), [0.5]))
    view = measured.sweep(
        setting="alpha",
        values=(0.0, *((edges[:-1] + edges[1:]) / 2).tolist(), 1.0),
        means=means,
        edges=edges,
        default=0.5,
        score_at=lambda value: np.full(4, float(value)),
    ).view()
    assert view["steps"]["left_out"] == 9
    assert len(view["steps"]["means"]) == STEPS_MAX + 1


@given(
    st.lists(st.integers(0, 3), max_size=14),
    st.lists(st.integers(0, 3), max_size=5),
    st.integers(1, 12),
    st.sampled_from(["linear", "exp"]),
)
def test_ndcg_is_the_same_in_both_languages(
    ask_node: Callable[..., Any], grades: list[int], missed: list[int], depth: int, gain: Any
) -> None:
    judged = [*grades, *missed]
    there = Measure("nDCG", depth, gain).of(np.array([grades], np.int64), judged)[0]
    asked = {"grades": grades, "judged": judged, "depth": depth, "gain": gain}
    assert ask_node("ndcg", asked) == pytest.approx(there, abs=1e-12)


def test_means_and_tallies_are_the_same_in_both_languages(
    found: Any, ask_node: Callable[..., Any]
) -> None:
    view = found.view()
    for one in found.compare("R@5"):
        values = view["scores"][1][list(found.configs).index(one.config)]
        told = ask_node("against", {"values": values, "base": view["scores"][1][0]})
        assert told["mean"] == pytest.approx(one.difference.mean, abs=1e-12)
        assert told["tally"] == list(one.tally)
    told = ask_node("against", {"values": [1, None, 0.5], "base": [0.5, 1, None]})
    assert told == {"mean": 0.5, "tally": [1, 0, 0]}
    assert ask_node("best", [None, 0.5, 0.2, 0.5]) == [1, 3]


@pytest.mark.parametrize("depth", [1, 5, 10])
def test_what_one_alone_finds_is_the_same_in_both_languages(
    found: Any, depth: int, ask_node: Callable[..., Any]
) -> None:
    view = found.view()
    ids, units, names = view["ids"], view["units"], list(found.configs)
    sets = ask_node("sets", {"view": view, "depth": depth})
    alone = {
        names[one["by"][0]]: sorted((ids[q], units[u]) for q, u in one["pairs"])
        for one in sets
        if len(one["by"]) == 1
    }
    expected = found.found_only_by(depth)
    assert alone == {name: pairs for name, pairs in expected.items() if pairs}
    relevant = sum(g > 0 for row in found.dataset.qrels.values() for g in row.values())
    assert sum(len(one["pairs"]) for one in sets) == relevant
