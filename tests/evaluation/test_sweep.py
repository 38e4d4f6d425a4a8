from __future__ import annotations

import json
from typing import Any

import bm25s
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import brainkit
from brainkit.analyze import Analyzer
from brainkit.errors import InvalidDataset, InvalidSetting
from brainkit.evaluation.candidates import Candidates
from brainkit.evaluation.curves import Exact
from brainkit.evaluation.datasets import Dataset, load_dataset
from brainkit.evaluation.experiment import evaluate
from brainkit.evaluation.lines import Lines, Steps, steps
from brainkit.evaluation.measures import grades_of, parse
from brainkit.evaluation.sweep import sweep
from brainkit.models import QueryRequest

tenths = st.integers(-2, 10).map(lambda n: n / 10)


def candidates(v: list[float], b: list[float], units: list[str] | None = None) -> Candidates:
    """Every chunk listed by both sides, as far as it has evidence there."""

    def ranked(scores: list[float]) -> list[tuple[int, float]]:
        hits = [(n, s) for n, s in enumerate(scores) if s > 0]
        return sorted(hits, key=lambda hit: (-hit[1], hit[0]))

    return Candidates(
        lists={"vector": ranked(v), "bm25": ranked(b)},
        raw={"vector": dict(enumerate(v)), "bm25": dict(enumerate(b))},
        units=dict(enumerate(units or [f"s{n}" for n in range(len(v))])),
        asked=(50, frozenset({"vector", "bm25"})),
        full=frozenset(),
        timings_ms={},
        generation="gen-000001",
    )


def test_a_crossing_by_hand() -> None:
    # Scores: a = .2 + .6 alpha (b .2, v .8), c = 1 - alpha * .5 (b 1, v .5):
    # equal where .2 + .6 x = 1 - .5 x, at x = .8 / 1.1.
    lines = Lines(np.array([0.8, 0.5]), np.array([0.2, 1.0]), np.array([0, 1]), ["a", "c"])
    assert lines.crossings().tolist() == [pytest.approx(0.8 / 1.1)]
    before, after = lines.rankings(np.array([0.7, 0.75])).tolist()
    assert (before, after) == ([1, 0], [0, 1])


@given(
    st.lists(st.tuples(tenths, tenths, st.sampled_from("pqrst")), min_size=1, max_size=9),
    st.dictionaries(st.sampled_from("pqrst"), st.integers(0, 2), min_size=1),
    st.sampled_from(["max", "minmax", "none"]),
    st.sampled_from([0.0, 0.3]),
    st.sampled_from(["nDCG@3", "RR@10", "R@2", "AP@100"]),
)
def test_steps_are_what_fusing_at_any_alpha_gives(
    chunks: list[tuple[float, float, str]],
    judged: dict[str, int],
    how: Any,
    least: float,
    name: str,
) -> None:
    found = candidates(*map(list, zip(*chunks, strict=True)))  # type: ignore[arg-type]
    request = QueryRequest(query="-", normalize=how, similarity_threshold=least)
    measure = parse(name)
    curve = steps(found, request, judged, measure)
    crossings = Lines.of(found, request).crossings()
    for alpha in [*np.linspace(0, 1, 23), *((crossings[:-1] + crossings[1:]) / 2)]:
        if np.abs(crossings - alpha).min(initial=1.0) < 1e-9:
            continue  # equal scores, where rounding decides
        ranking = found.ranking(request.with_(alpha=float(alpha)))
        grades = grades_of(ranking, judged, 100)[np.newaxis]
        expected = measure.of(grades, list(judged.values()))[0]
        assert curve.at(np.array([alpha]))[0] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("how", ["max", "minmax"])
def test_a_sweep_of_alpha_agrees_with_asking_at_a_hundred_and_one_points(
    library: brainkit.Brain, questions: Dataset, how: str
) -> None:
    found = sweep(library, questions, "alpha", base={"normalize": how}, folds=3, progress=False)
    points = np.linspace(0, 1, 101)
    configs = {f"{a:.2f}": {"alpha": float(a), "normalize": how} for a in points}
    asked = evaluate(library, questions, configs, progress=False)
    for a in points:
        expected = asked.values(f"{a:.2f}", "nDCG@10")
        assert found.score_at(a).tolist() == pytest.approx(expected.tolist(), abs=1e-12)
    top = max(asked.mean(name, "nDCG@10") for name in configs)
    assert found.means.max() >= top - 1e-12
    assert found.interval_at(found.best).mean == pytest.approx(found.means.max())


GRIDS: list[tuple[str, list[Any], dict[str, Any]]] = [
    ("rrf_k", [1, 60, 1000], {"mode": "multi", "weights": {"graph": 0}}),
    ("normalize", ["max", "minmax", "none"], {}),
    ("depth", [1, 3, 50], {"top_k": 1}),
    ("similarity_threshold", [0.0, 0.3], {"mode": "vector"}),
    ("bm25_k1", [0.0, 1.2, 3.0], {"mode": "hybrid", "alpha": 0.2}),
    ("bm25_b", [0.0, 1.0], {"mode": "bm25"}),
    ("traversal_depth", [0, 1, 2], {"mode": "graph"}),
    ("weights", [{"vector": 2, "bm25": 1, "graph": 0}], {"mode": "multi"}),
]


@pytest.mark.parametrize(("setting", "values", "base"), GRIDS)
def test_a_grid_gives_what_each_value_gives_alone(
    library: brainkit.Brain,
    questions: Dataset,
    setting: str,
    values: list[Any],
    base: dict[str, Any],
) -> None:
    found = sweep(
        library, questions, setting, values, base=base, measure="R@5", folds=2, progress=False
    )
    for value, mean in zip(found.values, found.means, strict=True):
        scores = []
        for query, text in questions.queries.items():
            request = QueryRequest(query=text, **{**base, "top_k": 1, setting: value})
            results = library.query(request.with_(top_k=min(50, request.depth))).results
            found_sources = [result.source for result in results][:5]
            judged = questions.qrels[query]
            relevant = sum(grade > 0 for grade in judged.values())
            scores.append(sum(judged.get(s, 0) > 0 for s in found_sources) / relevant)
        assert mean == pytest.approx(np.mean(scores))


def test_the_default_is_always_among_what_is_tried(
    library: brainkit.Brain, questions: Dataset
) -> None:
    base = {"mode": "multi", "weights": {"graph": 0}}
    found = sweep(library, questions, "rrf_k", [5], base=base, folds=0, progress=False)
    assert found.values == (5, 60)
    assert found.held is None
    assert found.config == {**base, "rrf_k": found.best}


def test_held_out_queries_are_scored_by_what_the_others_chose(
    library: brainkit.Brain, questions: Dataset
) -> None:
    found = sweep(library, questions, "alpha", folds=3, seed=4, progress=False)
    assert found.held is not None
    tuned = {}
    for (train, test), choice in zip(questions.folds(3, seed=4), found.held.chosen, strict=True):
        alone = sweep(library, train, "alpha", folds=0, progress=False)
        assert alone.interval_at(choice).mean == pytest.approx(alone.means.max())
        scores = sweep(library, test, "alpha", folds=0, progress=False).score_at(choice)
        tuned |= dict(zip(test.queries, scores.tolist(), strict=True))
    assert found.held.tuned == pytest.approx(np.mean(list(tuned.values())))
    default = found.score_at(0.5)
    assert found.held.default == pytest.approx(default.mean())
    assert found.held.gain.mean == pytest.approx(found.held.tuned - found.held.default)


def noise(library: brainkit.Brain, seed: int) -> Dataset:
    """Forty questions of three words that occur, each with a source drawn by lot."""
    generator = np.random.default_rng(seed)
    texts = library.to_frame()
    words = sorted({word for text in texts["text"] for word in text.lower().split()})
    rows = [
        {
            "query": f"{n} {' '.join(generator.choice(words, 3))}",
            "source": str(generator.choice(texts["source"])),
            "grade": 1,
        }
        for n in range(40)
    ]
    return load_dataset(rows)


def test_noise_is_reported_as_no_gain(library: brainkit.Brain) -> None:
    """At a level of 5 %, noise passes for a gain about once in twenty."""
    alarms = 0
    for seed in range(20):
        held = sweep(library, noise(library, seed), "alpha", folds=4, progress=False).held
        assert held is not None
        assert ("no gain beyond noise" in str(held)) == (not held.beyond_noise)
        alarms += held.beyond_noise
    assert alarms <= 2


def test_few_queries_can_show_no_gain(library: brainkit.Brain, questions: Dataset) -> None:
    held = sweep(library, questions, "alpha", folds=3, progress=False).held
    assert held is not None
    assert not held.beyond_noise
    assert "too few queries to tell (at least 20)" in str(held)


def test_a_report_in_words_and_as_a_table(library: brainkit.Brain, questions: Dataset) -> None:
    found = sweep(library, questions, "alpha", folds=3, progress=False)
    assert "on library, 9 queries, in mode hybrid: nDCG@10 is " in repr(found)
    assert "held-out queries" in repr(found)
    table = found.table(5)
    assert {0.0, 0.25, 0.5, 0.75, 1.0} <= set(table.index)
    assert ((table["low"] <= table["mean"]) & (table["mean"] <= table["high"])).all()


@pytest.mark.parametrize(
    ("setting", "options", "told"),
    [
        ("alhpa", {}, "did you mean 'alpha'"),
        ("top_k", {}, "cannot be swept"),
        ("rrf_k", {"values": []}, "values is empty"),
        ("alpha", {"values": [0.1]}, "covers all of 0 to 1"),
        ("alpha", {"base": {"mode": "bm25"}}, "no part in mode='bm25'"),
        ("k1 x b x k1", {}, "names one setting twice"),
        ("alpha x rrf_k", {}, "no mode reads alpha and rrf_k"),
        ("k1 x b", {"values": [1.2]}, "give 2 each"),
        (
            "k1 x b",
            {"values": {"k1": [1.2]}},
            "values has 'k1', and what is swept is bm25_k1, bm25_b",
        ),
    ],
)
def test_sweeps_that_make_no_sense_are_refused(
    library: brainkit.Brain, questions: Dataset, setting: str, options: Any, told: str
) -> None:
    with pytest.raises(InvalidSetting, match=told):
        sweep(library, questions, setting, progress=False, **options)


def test_k1_and_b_rank_as_an_index_built_with_them(
    library: brainkit.Brain, questions: Dataset
) -> None:
    """A fresh bm25s index over the same terms, for every combination; nothing is ingested."""
    generation = library.info().generation
    pairs = [(0.0, 0.5), (0.8, 0.0), (1.5, 0.75), (3.0, 1.0)]
    found = sweep(library, questions, "k1 x b", pairs, folds=0, measure="R@3", progress=False)
    assert library.info().generation == generation
    assert found.setting == "bm25_k1 x bm25_b"
    texts = library.to_frame()
    analyzed = [analyze_terms(text) for text in texts["text"]]
    for (k1, b), mean in zip(found.values, found.means, strict=True):
        fresh = bm25s.BM25(k1=k1, b=b, method="atire", idf_method="lucene", dtype="float32")
        fresh.index(analyzed, show_progress=False)
        recalls = []
        for query, text in questions.queries.items():
            known = [term for term in analyze_terms(text) if any(term in one for one in analyzed)]
            scores = fresh.get_scores(known) if known else np.zeros(len(texts))
            order = [at for at in np.argsort(-scores, kind="stable") if scores[at] > 0][:3]
            judged = {s for s, grade in questions.qrels[query].items() if grade > 0}
            recalls.append(len(judged & set(texts["source"].iloc[order])) / len(judged))
        assert mean == pytest.approx(np.mean(recalls))


def analyze_terms(text: str) -> list[str]:
    return [term for token in Analyzer(language="english").analyze(text) for term in token.terms]


def test_combinations_are_each_what_they_give_alone(
    library: brainkit.Brain, questions: Dataset
) -> None:
    values = {"normalize": ["max", "minmax"], "alpha": [0.2, 0.8]}
    found = sweep(library, questions, "normalize x alpha", values, folds=2, progress=False)
    assert found.values == (*((n, a) for n in ("max", "minmax") for a in (0.2, 0.8)), ("max", 0.5))
    assert found.default == ("max", 0.5)
    for (how, alpha), mean in zip(found.values, found.means, strict=True):
        alone = sweep(library, questions, "alpha", base={"normalize": how}, folds=0, progress=False)
        assert mean == pytest.approx(alone.score_at(alpha).mean())
    assert found.config == dict(zip(("normalize", "alpha"), found.best, strict=True))
    assert list(found.table().index.names) == ["normalize", "alpha"]


def test_another_split_measures_what_this_one_chose(
    library: brainkit.Brain, questions: Dataset
) -> None:
    ids = list(questions.queries)
    train, test = questions.only(ids[:5]), questions.only(ids[5:])
    found = sweep(library, train, "alpha", test=test, progress=False)
    there = sweep(library, test, "alpha", folds=0, progress=False)
    assert found.held is not None
    assert found.held.chosen == (found.best,)
    assert found.held.tuned == pytest.approx(there.score_at(found.best).mean())
    assert found.held.default == pytest.approx(there.score_at(0.5).mean())
    assert len(found.dataset) == 5
    shared = sweep(library, train, "alpha", test=questions.only(ids[4:]), progress=False)
    assert list(shared.dataset.queries) == ids[:4]
    assert shared.notes == ("1 queries of library left out of choosing, as library has them too.",)
    with pytest.raises(InvalidDataset, match="all 5 queries of library are in library too"):
        sweep(library, train, "alpha", test=questions, progress=False)


def test_the_value_chosen_is_the_shortest_number_of_its_interval() -> None:
    one = Steps(np.array([0.0, 0.3341, 0.71, 1.0]), np.array([0.0, 1.0, 0.5]), 0.0, 0.5)
    other = Steps(np.array([0.0, 0.33412, 1.0]), np.array([0.0, 1.0]), 0.0, 1.0)
    curves = Exact([one, other])
    assert curves.values == (0.0, 0.2, 0.33411, 0.5, 0.9, 1.0)
    sums = curves.sums(np.array([0, 1]), 2)
    assert sums.tolist() == [[0, 0, 1, 1, 0.5, 0.5], [0, 0, 0, 1, 1, 1]]
    for value, both in zip(curves.values, sums.T, strict=True):
        assert curves.at(value).tolist() == both.tolist()


class Interrupted:
    """A brain that is interrupted after so many questions."""

    def __init__(self, brain: brainkit.Brain, left: int) -> None:
        self.brain, self.left = brain, left

    def query(self, query: QueryRequest, *, trace: Any = "needed") -> Any:
        self.left -= 1
        if self.left < 0:
            raise KeyboardInterrupt
        return self.brain.query(query, trace=trace)


@pytest.mark.parametrize("setting", ["alpha", "normalize"])
def test_an_interrupt_keeps_the_queries_that_are_done(
    library: brainkit.Brain, questions: Dataset, setting: str
) -> None:
    found = sweep(Interrupted(library, 6), questions, setting, folds=2, progress=False)
    some = questions.only(list(questions.queries)[:6])
    assert found.interrupted
    assert found.notes == ("Interrupted: 6 of 9 queries were measured.",)
    assert found.held is None
    whole = sweep(library, some, setting, folds=0, progress=False)
    assert found.means.tolist() == whole.means.tolist()
    with pytest.raises(KeyboardInterrupt):
        sweep(Interrupted(library, 0), questions, setting, progress=False)


def test_an_interrupt_before_the_first_held_out_query_keeps_the_curve(
    library: brainkit.Brain, questions: Dataset
) -> None:
    ids = list(questions.queries)
    train, test = questions.only(ids[:5]), questions.only(ids[5:])
    found = sweep(Interrupted(library, 5), train, "alpha", test=test, progress=False)
    whole = sweep(library, train, "alpha", folds=0, progress=False)
    assert found.means.tolist() == whole.means.tolist()
    assert (found.held, found.interrupted) == (None, True)
    assert "Interrupted: 0 of 4 held-out queries measured." in found.notes


def test_what_is_chosen_keeps_the_mode_it_was_chosen_in(
    library: brainkit.Brain, questions: Dataset
) -> None:
    for setting, mode in (("rrf_k", "multi"), ("bm25_b", "bm25"), ("traversal_depth", "graph")):
        found = sweep(library, questions, setting, folds=0, progress=False)
        assert found.config == {"mode": mode, setting: found.best}


def test_what_is_found_is_json_and_says_what_speaks_for_it(
    library: brainkit.Brain, questions: Dataset
) -> None:
    for setting in ("alpha", "k1 x b", "weights"):
        found = sweep(library, questions, setting, folds=3, progress=False)
        back = json.loads(json.dumps(found.to_dict(), allow_nan=False))
        assert back["held_out"]["gain"]["mean"] == found.held.gain.mean  # type: ignore[union-attr]
        assert found.choice.told == f"a sweep of {found.summary()}"
        assert QueryRequest(query="-", **found.config)
    none = sweep(library, questions, "alpha", folds=0, progress=False)
    assert "what that gains is not known" in none.summary()
