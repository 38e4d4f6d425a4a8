"""Evaluations in Chromium: what they say is what Python computed, by mouse and by keyboard."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import brainkit

Show = Callable[..., Any]
TABS = ("Configurations", "Query by query", "By field", "Overlap")
KEYS = {"ArrowRight": 39, "ArrowLeft": 37, "End": 35, "Home": 36, "PageDown": 34, "Enter": 13}


@pytest.fixture(scope="session")
def measured(support: Callable[[str], ModuleType]) -> ModuleType:
    return support("measured")


@pytest.fixture
def show(
    page: Any, tmp_path: Path, measured: ModuleType, support: Callable[[str], ModuleType]
) -> Show:
    return lambda *views, head="": measured.open_page(
        page, tmp_path, support("live"), *views, head=head
    )


@pytest.fixture(scope="module")
def found(sample: brainkit.Brain, repository: Path) -> Any:
    questions = brainkit.load_dataset(repository / "data" / "sample-questions")
    configs = [{"mode": "bm25"}, {"mode": "vector"}, {"mode": "hybrid", "alpha": 0.3}]
    measures = ["nDCG@10", "R@5", "nDCG(exp)@5", "AP@100"]
    return brainkit.evaluate(sample, questions, configs, measures=measures, progress=False)


@pytest.fixture
def wide(page: Any) -> None:
    page.resize(1100, 900)


def press(page: Any, key: str) -> None:
    page.press(key, KEYS[key])


def cells(live: Any) -> list[list[str]]:
    return live.do(
        "return [...root.querySelectorAll('.configurations tbody tr')]"
        ".map(row => [...row.cells].map(cell => cell.innerText))"
    )


@pytest.mark.usefixtures("wide")
def test_the_table_says_what_python_computed(found: Any, show: Show) -> None:
    live = show(found.view())
    for row, name in zip(cells(live), found.configs, strict=True):
        assert name in row[0]
        for cell, measure in zip(row[1:5], found.measures, strict=True):
            assert f"{found.mean(name, measure):.4f}" in cell
    for row, one in zip(cells(live)[1:], found.compare(), strict=True):
        difference, low, high = one.difference
        assert row[5].split("\n")[-1] == f"[{low:+.4f}, {high:+.4f}]"
        assert row[5].startswith(f"{difference:+.4f}")
        assert row[6].strip() == " / ".join(map(str, one.tally))
        assert row[7] == f"{one.p_corrected:.4f}"


@pytest.mark.usefixtures("wide")
def test_the_best_of_a_column_is_marked_in_words(found: Any, show: Show) -> None:
    live = show(found.view())
    marked = live.texts("td.top .unseen")
    assert marked == ["best "] * len(marked)
    means = [found.mean(name, "R@5") for name in found.configs]
    column = live.do(
        "return [...root.querySelectorAll('tbody tr')].map(r => r.cells[2].matches('.top'))"
    )
    assert column == [mean == max(means) for mean in means]


@pytest.mark.usefixtures("wide")
def test_another_measure_and_baseline_are_compared_in_the_page(found: Any, show: Show) -> None:
    live = show(found.view())
    names = list(found.configs)
    live.set("Measure", "1")
    live.set("Baseline", "2")
    base = found.values(names[2], "R@5")
    for row, name in zip(cells(live)[:2], names[:2], strict=True):
        gains = found.values(name, "R@5") - base
        assert row[5].startswith(f"{gains.mean():+.4f}")
        wins, losses = int((gains > 1e-12).sum()), int((gains < -1e-12).sum())
        assert row[6].strip() == f"{wins} / {len(gains) - wins - losses} / {losses}"
        assert row[7] == "–"  # Python tested against another
    assert "p-values are there against bm25 only" in (live.text(".controls") or "")
    live.set("Baseline", "0")
    assert cells(live)[1][7] == f"{found.compare('R@5')[0].p_corrected:.4f}"


@pytest.mark.usefixtures("wide")
def test_columns_sort_and_keep_the_focus(found: Any, show: Show, page: Any) -> None:
    live = show(found.view())
    live.do("root.querySelector('th[data-column=\"measure 0\"] button').focus()")
    means = {name: found.mean(name, "nDCG@10") for name in found.configs}
    for expected in (sorted(means, key=lambda n: -means[n]), sorted(means, key=lambda n: means[n])):
        press(page, "Enter")
        assert live.texts("tbody .name bdi:first-of-type")[::2] == expected
        assert live.do("return root.activeElement.closest('th').dataset.column") == "measure 0"
    assert live.do("return root.querySelector('[aria-sort]').ariaSort") == "ascending"


@pytest.mark.usefixtures("wide")
def test_bars_are_sorted_and_the_counts_come_first(found: Any, show: Show) -> None:
    live = show(found.view())
    live.tab("Query by query")
    one = found.compare()[0]
    assert live.texts(".count b") == [str(count) for count in one.tally]
    told = live.texts(".queries > *")
    assert "Mean difference of nDCG@10" in told[4]
    assert f"{one.difference.mean:+.4f}" in told[4]
    labels = live.do("return [...root.querySelectorAll('rect')].map(r => r.ariaLabel)")
    values = [float(label.rpartition(": ")[2]) for label in labels]
    assert len(values) == len(found.dataset)
    assert values == sorted(values, reverse=True)


@pytest.mark.usefixtures("wide")
def test_keys_go_from_query_to_query_and_the_drill_down_follows(
    found: Any, show: Show, page: Any
) -> None:
    live = show(found.view())
    live.tab("Query by query")
    names = list(found.configs)
    gains = found.values(names[1], "nDCG@10") - found.values(names[0], "nDCG@10")
    order = sorted(range(len(gains)), key=lambda at: (-gains[at], at))
    ids, texts = list(found.dataset.queries), list(found.dataset.queries.values())
    live.wait("root.querySelector('rect[tabindex=\"0\"]')")
    live.do("root.querySelector('rect[tabindex=\"0\"]').focus()")
    for key, place in (
        ("Home", 0), ("ArrowRight", 1), ("PageDown", 11), ("ArrowLeft", 10),
        ("End", len(order) - 1), ("ArrowRight", len(order) - 1),
    ):  # fmt: skip
        press(page, key)
        query = order[place]
        assert live.text(".asked") == texts[query]
        assert f"Query {place + 1} of {len(order)}, id {ids[query]}" in live.text(".of-query .hint")
        assert live.do("return root.activeElement.getAttribute('aria-selected')") == "true"
        for letter, name in zip("AB", names, strict=False):
            shown = live.texts(f"[aria-label='Ranking of {letter}'] .unit")
            assert shown == list(found.rankings[name][ids[query]])[:10]


@pytest.mark.usefixtures("wide")
def test_a_click_on_a_bar_chooses_its_query(found: Any, show: Show) -> None:
    live = show(found.view())
    live.tab("Query by query")
    live.wait("root.querySelector('rect')")
    live.do(
        "const bar = root.querySelectorAll('rect')[7], box = bar.getBoundingClientRect();"
        "const at = {bubbles: true, clientX: box.x + box.width / 2};"
        "bar.dispatchEvent(new MouseEvent('click', at))"
    )
    assert "Query 8 of" in live.text(".of-query .hint")
    live.click(".walk-queries button", nth=1)
    assert "Query 9 of" in live.text(".of-query .hint")


def test_grades_differ_by_sign_and_not_by_colour_alone(measured: ModuleType, show: Show) -> None:
    rankings = {"A": {"q": ["good", "bad", "new"]}, "B": {"q": ["new", "good"]}}
    live = show(measured.evaluation(rankings, {"q": {"good": 2, "bad": 0, "lost": 1}}).view())
    live.tab("Query by query")
    assert live.texts("[aria-label='Ranking of A'] .grade") == [
        "grade 2 2",
        "grade 0 0",
        "unjudged ?",
    ]
    assert live.do("return [...root.querySelectorAll('ol')[0].children].map(e => e.className)") == [
        "relevant", "judged", "unjudged",
    ]  # fmt: skip
    assert live.texts("[aria-label='Ranking of A'] .there") == ["in B 2", "not in B", "in B 1"]
    assert live.text(".missed") == "Relevant and not in the first 10: lost (grade 1)."


def test_the_arithmetic_of_ndcg_is_that_of_the_ranking(measured: ModuleType, show: Show) -> None:
    # 2/log2(2) + 1/log2(4) = 2.5 of at most 2/log2(2) + 1/log2(3) = 2.6309.
    found = measured.evaluation(
        {"A": {"q": ["a", "x", "b"]}, "B": {"q": ["x"]}},
        {"q": {"a": 2, "b": 1}},
        measures=["nDCG@10", "nDCG(exp)@2", "R@5"],
    )
    live = show(found.view())
    live.tab("Query by query")
    assert live.texts(".sums code") == [
        "DCG = 2/log2(1+1) + 1/log2(3+1) = 2.5000", "nDCG = 2.5000 / 2.6309 = 0.9502",
        "DCG = 0 = 0.0000", "nDCG = 0.0000 / 2.6309 = 0.0000",
        "DCG = 2/log2(1+1) + 1/log2(2+1) = 2.6309",
    ]  # fmt: skip
    assert f"{found.mean('A', 'nDCG@10'):.4f}" == "0.9502"
    live.set("Measure", "1")
    assert live.texts(".sums code")[:2] == [
        "DCG = (2^2-1)/log2(1+1) = 3.0000",
        "nDCG = 3.0000 / 3.6309 = 0.8262",
    ]
    assert f"{found.mean('A', 'nDCG(exp)@2'):.4f}" == "0.8262"
    live.set("Measure", "2")
    assert "the staircase is that of nDCG@5" in live.text(".drill")


@pytest.mark.usefixtures("wide")
def test_every_drill_down_agrees_with_python(found: Any, show: Show, page: Any) -> None:
    live = show(found.view())
    live.tab("Query by query")
    live.set("Measure", "2")
    live.wait("root.querySelector('rect[tabindex=\"0\"]')")
    live.do("root.querySelector('rect[tabindex=\"0\"]').focus()")
    names, ids = list(found.configs), list(found.dataset.queries)
    press(page, "Home")
    for _ in ids:
        query = ids.index(live.do("return root.querySelector('.of-query .hint bdi').textContent"))
        lines = [line for line in live.texts(".sums code") if line.startswith("nDCG")]
        assert [line.rpartition(" = ")[2] for line in lines] == [
            f"{found.values(name, 'nDCG(exp)@5')[query]:.4f}" for name in names[:2]
        ]
        press(page, "ArrowRight")


@pytest.mark.usefixtures("wide")
def test_the_breakdown_is_pythons(found: Any, show: Show) -> None:
    live = show(found.view())
    live.tab("By field")
    frame = found.breakdown("type")
    rows = live.do(
        "return [...root.querySelectorAll('.by-field tbody tr')]"
        ".map(row => [...row.cells].map(cell => cell.innerText))"
    )
    for row, (kind, expected) in zip(rows, frame.iterrows(), strict=True):
        assert row[:2] == [kind, f"{expected['queries']:.0f}"]
        for cell, name in zip(row[2:], found.configs, strict=True):
            assert f"{expected[name]:.4f}" in cell


@pytest.mark.usefixtures("wide")
def test_the_overlap_lists_what_one_alone_finds(found: Any, show: Show) -> None:
    live = show(found.view())
    live.tab("Overlap")
    for depth in (10, 5):
        live.set("'Within rank'", str(depth))
        for at, pairs in enumerate(found.found_only_by(depth).values()):
            count = live.text(f".sets button[data-set='{at}'] .number")
            assert (count or "0") == str(len(pairs))


@pytest.mark.usefixtures("wide")
def test_a_set_opens_and_leads_to_its_query(found: Any, show: Show, page: Any) -> None:
    live = show(found.view())
    live.tab("Overlap")
    live.do("root.querySelector('.sets button').focus()")
    press(page, "Enter")
    assert live.do("return root.activeElement.getAttribute('aria-expanded')") == "true"
    query = live.text(".pairs button")
    live.click(".pairs button")
    assert live.text("[aria-selected=true][role=tab]") == "Query by query"
    assert live.text(".asked") == query


@pytest.mark.parametrize(("queries", "configs"), [(1, 1), (1, 2), (50, 5), (1000, 2)])
def test_every_size_is_drawn(
    queries: int, configs: int, measured: ModuleType, show: Show, page: Any
) -> None:
    live = show(measured.many(queries, configs).view())
    for tab in TABS[: 4 if configs > 1 else 3]:
        live.tab(tab)
    live.tab("Query by query")
    live.wait("root.querySelector('rect')")
    assert len(live.texts("rect")) == queries
    assert live.do(
        "return [...root.querySelectorAll('[role=tab]')].filter(t => t.hidden).length"
    ) == (0 if configs > 1 else 1)
    assert page.errors == []


def test_without_queries_and_with_what_was_not_run(
    measured: ModuleType, show: Show, page: Any
) -> None:
    live = show(measured.evaluation({"A": {}}, {}).view())
    assert "No queries" in live.text(".empty")
    rankings = {"A": {"q1": ["d"], "q2": ["d"]}, "B": {"q1": ["x"]}, "C": {}}
    qrels = {"q1": {"d": 1}, "q2": {"d": 1}}
    live = show(measured.evaluation(rankings, qrels, not_run={"C": "no graph"}).view())
    assert live.text("tr.idle td") == "not run no graph"
    assert "1 of 2 run" in live.text("tbody tr:nth-child(2)")
    live.tab("Query by query")
    live.wait("root.querySelector('rect')")
    assert "1 query was not run" in live.text(".pointed")
    assert live.texts(".count b") == ["0", "0", "1"]
    assert page.errors == []


def test_a_view_that_is_moved_keeps_what_was_set(found: Any, show: Show, page: Any) -> None:
    live = show(found.view())
    live.set("Measure", "1")
    live.tab("Overlap")
    page.value("document.body.append(document.querySelector('brainkit-evaluation-1'))")
    live.wait("root.childElementCount > 0")
    assert live.value("Measure") == "1"
    assert live.text("[aria-selected=true][role=tab]") == "Overlap"


def test_damaged_data_and_other_schemas_leave_the_table(found: Any, show: Show) -> None:
    view = found.view()
    live = show({**view, "scores": None})
    assert "damaged" in live.text(".notice")
    assert live.do("return root.querySelector('slot').assignedElements().length") > 0
    live = show({**view, "schema": 9})
    assert "another version" in live.text(".notice")
