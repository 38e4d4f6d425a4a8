"""A comparison in a page without a kernel: both lists, what moves, and the reasons of both."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

import brainkit
from brainkit.comparison import Comparison, comparison_of
from brainkit.models import QueryRequest

Show = Callable[..., Any]
QUERY = "how are sessions signed by a key"
ROWS = """
return ['A', 'B'].map(side => [...root.querySelectorAll(`.list.of-${side} li`)].map(row =>
  ['.rank', '.file', '.number', '.badge'].map(part => row.querySelector(part).textContent)));
"""
LINES = "return [...root.querySelectorAll('.moves path')].map(path => path.classList[0])"


@pytest.fixture
def comparison(sample: brainkit.Brain) -> Comparison:
    return sample.compare(QUERY, a={"alpha": 0.2}, b={"alpha": 0.8}, top_k=6)


@pytest.fixture
def view(comparison: Comparison, show: Show, page: Any) -> Any:
    page.resize(1200)
    return show(comparison.view())


def told(comparison: Comparison) -> list[list[list[str]]]:
    """What both lists say, from Python's rows."""
    lists: list[list[list[str]]] = [[], []]
    for at, answer in enumerate((comparison.a, comparison.b)):
        rows = {row.result.chunk_id: row for row in comparison.rows}
        for result in answer.results:
            row = rows[result.chunk_id]
            there = (row.b, row.a)[at]
            name = "BA"[at]
            move = row.move or 0
            mark = "" if at == 0 or not move else f"▲{move} · " if move > 0 else f"▼{-move} · "
            badge = f"{mark}shared · {there.rank} in {name}" if row.where == "both" else "only here"
            if row.where != "both" and there:
                badge += f" · {there.rank} in {name}"
            first, last = result.start_line, result.end_line
            lines = first if first == last else f"{first}-{last}"
            file = f"{result.source.rpartition('/')[2]}:{lines}"
            lists[at].append([str(result.rank), file, f"{result.score:.4f}", badge])
    return lists


def moves(comparison: Comparison) -> list[str]:
    signs = [(row.move or 0) for row in comparison.shared]
    return ["up" if sign > 0 else "down" if sign < 0 else "stays" for sign in signs]


def check(view: Any, comparison: Comparison) -> None:
    assert view.do(ROWS) == told(comparison)
    assert view.do(LINES) == moves(comparison)
    assert view.text(".summary") == comparison.summary()


def test_both_lists_are_pythons(view: Any, comparison: Comparison) -> None:
    check(view, comparison)
    assert view.page.errors == []


def test_a_slider_of_either_side_moves_that_side(view: Any, comparison: Comparison) -> None:
    sliders = "root.querySelectorAll('[aria-label=alpha]')"
    for nth, alpha in ((0, 0.9), (1, 0.05)):
        view.do(
            f"const input = {sliders}[args[0]]; input.value = args[1];"
            "input.dispatchEvent(new Event('input')); input.dispatchEvent(new Event('change'))",
            nth,
            alpha,
        )
        comparison = comparison.refuse(**{"ab"[nth]: {"alpha": alpha}})
        check(view, comparison)


def test_each_side_has_a_mode_of_its_own(view: Any, comparison: Comparison) -> None:
    view.click(".of-B input[value=multi]")
    view.click(".of-A input[value=vector]")
    check(view, comparison.refuse(a={"mode": "vector"}, b={"mode": "multi"}))
    assert view.texts(".side :checked + span") == ["Vector", "Multi"]


def test_a_chunk_is_explained_under_both(view: Any, comparison: Comparison) -> None:
    ids = [row.result.chunk_id for row in comparison.rows]
    for at, answer in enumerate((comparison.a, comparison.b)):
        for nth, result in enumerate(answer.results):
            view.click(f".list.of-{'AB'[at]} button", nth=nth)
            row = comparison.rows[ids.index(result.chunk_id)]
            for side, one in (("A", row.a), ("B", row.b)):
                shown = f".reason.of-{side}"
                if one is None:
                    assert "Not a candidate" in view.text(f"{shown} .hint")
                else:
                    assert view.text(f"{shown} .sentence") == one.explanation.sentence
            assert view.text(".of-chunk .text") == result.text
            pressed = view.do("return root.querySelectorAll('[aria-pressed=true]').length")
            assert pressed == (2 if row.where == "both" else 1)


def test_the_focus_stays_where_a_key_was_pressed(view: Any) -> None:
    view.do("root.querySelectorAll('.list.of-B button')[2].focus()")
    view.page.press(" ", 32)
    view.wait("root.querySelectorAll('.list.of-B button')[2].ariaPressed === 'true'")
    assert view.do("return root.activeElement.textContent") == view.texts(".list.of-B button")[2]


def test_two_traces_answer_each_for_its_side(sample: brainkit.Brain, show: Show) -> None:
    comparison = sample.compare(QUERY, a={"languages": ["python"]}, b={"mode": "graph"})
    view = show(comparison.view())
    check(view, comparison)
    view.click(".of-A input[value=bm25]")
    check(view, comparison.refuse(a={"mode": "bm25"}))


def test_the_code_gives_the_same_comparison(
    sample: brainkit.Brain, comparison: Comparison, view: Any
) -> None:
    view.click(".of-B input[value=multi]")
    code = view.text("footer code")
    again: Comparison = eval(code, {"brain": sample})
    now = comparison.refuse(b={"mode": "multi"})
    assert again.a.results == now.a.results
    assert again.b.results == now.b.results


@pytest.mark.parametrize(
    "settings",
    [
        [{}, {}],
        [{"mode": "bm25", "top_k": 3}, {"mode": "multi", "weights": {"graph": 0}, "rrf_k": 2}],
        [{"languages": ["go"], "collapse": "source"}, {"similarity_threshold": 0.25}],
        [{"file_paths": ["**/*.md"], "filter_stage": "post"}, {"mode": "graph"}],
    ],
)
def test_every_call_says_what_decides(
    settings: list[dict[str, Any]], sample: brainkit.Brain, ask_node: Callable[[str, Any], Any]
) -> None:
    requests = [QueryRequest(query=QUERY, **one) for one in settings]
    code = ask_node("compareCall", [request.model_dump(mode="json") for request in requests])
    again: Comparison = eval(code, {"brain": sample})
    expected = comparison_of(sample._engine, QUERY, *settings, {})
    assert again.a.results == expected.a.results
    assert again.b.results == expected.b.results


def test_moving_the_element_keeps_what_was_set(view: Any, comparison: Comparison) -> None:
    view.click(".of-A input[value=bm25]")
    view.click(".of-B input[value=vector]")
    view.do("const { host } = root; host.remove(); document.body.append(host)")
    check(view, comparison.refuse(a={"mode": "bm25"}, b={"mode": "vector"}))


@pytest.mark.parametrize(("width", "beside"), [(360, False), (690, False), (760, True)])
def test_lists_stand_beside_each_other_where_there_is_room(
    width: int, beside: bool, view: Any
) -> None:
    view.page.resize(width)
    a, b = view.box(".list.of-A"), view.box(".list.of-B")
    assert (a[1] == b[1]) is beside
    assert (view.box(".moves")[2] > 0) is beside
    assert view.page.value("document.documentElement.scrollWidth") <= width


def test_lines_meet_the_rows_they_join(view: Any, comparison: Comparison) -> None:
    top = view.box(".moves")[1]
    ends = view.do(
        "return [...root.querySelectorAll('.moves path')].map(path => path.getAttribute('d'))"
    )
    for row, path in zip(comparison.shared, ends, strict=True):
        assert row.a is not None
        assert row.b is not None
        for side, rank, y in (
            ("A", row.a.rank, float(path.partition("C")[0].split()[1])),
            ("B", row.b.rank, float(path.split()[-1])),
        ):
            _, upper, _, height = view.box(f".list.of-{side} li:nth-child({rank})")
            assert top + y == pytest.approx(upper + height / 2, abs=1)


@pytest.mark.parametrize("top_k", [1, 50])
def test_one_and_fifty_results(top_k: int, sample: brainkit.Brain, show: Show) -> None:
    comparison = sample.compare(QUERY, a={"mode": "vector"}, b={"mode": "bm25"}, top_k=top_k)
    check(show(comparison.view()), comparison)


def test_a_side_without_results_says_so(sample: brainkit.Brain, show: Show) -> None:
    comparison = sample.compare("zzzzqq", a={"mode": "bm25"}, b={"mode": "vector"})
    view = show(comparison.view())
    check(view, comparison)
    assert view.box(".of-A .empty")[3] > 0
    assert "no chunk holds" in view.text(".of-A .notices")


def test_the_view_is_plain_json(comparison: Comparison) -> None:
    view = comparison.view()
    assert json.loads(json.dumps(view)) == view
