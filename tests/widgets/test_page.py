"""A view in a page without a kernel, under the policy of a report: it fuses, explains and draws."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import brainkit
from brainkit import settings
from brainkit.analyze import Analyzer
from brainkit.answer import Answer, place
from brainkit.widgets.view import KINDS, answer_view

Show = Callable[..., Any]


@pytest.fixture
def answer(sample: brainkit.Brain) -> Answer:
    return sample.query("how are sessions signed by a key", trace="full", top_k=5)


@pytest.fixture
def view(answer: Answer, show: Show) -> Any:
    return show(answer_view(answer.response, Analyzer()))


def rows(answer: Answer) -> list[list[str]]:
    return [[place(result), f"{result.score:.4f}"] for result in answer.results]


def test_it_draws_what_python_found_under_a_strict_policy(view: Any, answer: Answer) -> None:
    assert view.rows() == rows(answer)
    assert view.text(".query") == answer.request.query
    assert view.page.errors == []


@pytest.mark.parametrize("mode", ["vector", "bm25", "hybrid", "graph", "multi"])
def test_each_mode_gives_pythons_results(mode: str, view: Any, answer: Answer) -> None:
    view.click(f"input[value={mode}]")
    again = answer.refuse(mode=mode)
    assert view.rows() == rows(again)
    sentences = {place(result): result.explanation.sentence for result in again.results}
    assert view.text(".sentence") == sentences[view.text(".row.chosen .place")]


def test_alpha_moves_by_mouse(view: Any, answer: Answer) -> None:
    left, top, width, height = view.box("[aria-label=alpha]")
    y = top + height / 2
    view.page.drag([(left + width * share, y) for share in (0.5, 0.6, 0.7, 0.8)])
    alpha = float(view.value("alpha"))
    assert alpha == pytest.approx(0.8, abs=0.02)
    assert view.rows() == rows(answer.refuse(alpha=alpha))
    assert f"alpha={alpha:g}," in view.text("footer code")


def test_alpha_moves_by_keyboard(view: Any, answer: Answer) -> None:
    view.do("root.querySelector('[aria-label=alpha]').focus()")
    for _ in range(3):
        view.page.press("ArrowLeft", 37)
    assert view.value("alpha") == "0.47"
    assert view.rows() == rows(answer.refuse(alpha=0.47))


def test_no_control_loses_its_keys_to_jupyterlab(view: Any) -> None:
    assert (
        view.do(
            "return [...root.querySelectorAll('input, select, [role=tab]')]"
            ".filter(e => e.dataset.lmSuppressShortcuts !== 'true').map(e => e.outerHTML)"
        )
        == []
    )


def test_moves_are_marked_against_the_start_of_the_drag(view: Any, answer: Answer) -> None:
    view.set("alpha", 0.4, 0.2, 0)
    before = {place(result): result.rank for result in answer.results}
    after = answer.refuse(alpha=0).results
    for result, mark in zip(after, view.texts(".row .move"), strict=True):
        was = before.get(place(result))
        up = 0 if was is None else was - result.rank
        assert mark == ("new" if was is None else f"▲{up}" if up > 0 else f"▼{-up}" if up else "")
    gone = set(before) - {place(result) for result in after}
    assert gone
    assert all(f"{name} (was {before[name]})" in view.text(".gone") for name in gone)


def test_k_weights_and_collapse_give_pythons_results(view: Any, answer: Answer) -> None:
    view.click("input[value=multi]")
    view.set("rrf_k", 100)  # 10 ** (100 / 100)
    view.set("bm25", 0.3)
    view.set("graph", 0)
    view.set("collapse", "source")
    weights = {"vector": 1, "bm25": 0.3, "graph": 0}
    again = answer.refuse(mode="multi", rrf_k=10, weights=weights, collapse="source")
    assert view.rows() == rows(again)


def test_the_last_weight_cannot_be_taken_away(view: Any, answer: Answer) -> None:
    view.click("input[value=multi]")
    for name in ("vector", "bm25", "graph"):
        view.set(name, 0)
    weights = {"vector": 0, "bm25": 0, "graph": settings.GRAPH_WEIGHT}
    assert view.rows() == rows(answer.refuse(mode="multi", weights=weights))
    assert float(view.value("graph")) == settings.GRAPH_WEIGHT


def test_what_the_trace_does_not_hold_is_refused_with_its_reason(
    sample: brainkit.Brain, show: Show
) -> None:
    answer = sample.query("isbn", mode="bm25", depth=7)
    view = show(answer_view(answer.response, Analyzer()))
    off = view.do("return [...root.querySelectorAll('input:disabled')].map(i => i.value)")
    assert off == ["vector", "hybrid", "graph", "multi"]
    title = view.do("return root.querySelector('input[value=vector]').parentElement.title")
    assert title == "Not here: the vector retriever was not run for this answer."
    view.set("depth", 20)
    told = "Note This needs a running kernel: the bm25 list was fetched to depth 7."
    assert view.text(".notices") == told
    assert view.rows() == rows(answer)


def test_a_result_explains_itself_when_chosen(view: Any, answer: Answer) -> None:
    view.click(".place", nth=2)
    explanation = answer.results[2].explanation
    assert view.text(".sentence") == explanation.sentence
    shown = view.texts(".breakdown > :first-child .sum-of")
    assert shown == [part.arithmetic for part in explanation.parts]


def test_the_whole_text_can_be_opened(view: Any, answer: Answer) -> None:
    view.click(".row [aria-expanded]")
    assert view.text(".row .text") == answer.results[0].text
    view.click(".row [aria-expanded]")
    assert len(view.text(".row .text")) < len(answer.results[0].text)


def test_a_crossing_can_be_visited(view: Any) -> None:
    view.tab("Alpha")
    view.wait("root.querySelector('.dot')")
    view.do("root.querySelector('.dot').focus()")
    view.page.press("Enter", 13)
    at = view.text(".pair b").split()[-1]
    view.click(".pair button")
    said = view.text("footer code").partition("alpha=")[2].partition(",")[0]
    assert f"{float(said):.4f}" == at


def test_moving_the_element_keeps_what_was_set(view: Any, answer: Answer) -> None:
    view.set("alpha", 0.9)
    view.do("const { host } = root; host.remove(); document.body.append(host)")
    assert view.rows() == rows(answer.refuse(alpha=0.9))


def test_two_views_on_a_page_do_not_meet(answer: Answer, show: Show) -> None:
    one = answer_view(answer.response, Analyzer())
    view = show(one, one)
    view.click("input[value=bm25]")
    checked = "[...document.querySelectorAll('brainkit-view-1')]"
    checked += ".map(v => v.shadowRoot.querySelector(':checked').value)"
    assert view.page.value(checked) == ["bm25", "hybrid"]


@pytest.mark.parametrize("kind", KINDS)
def test_each_piece_stands_alone(kind: str, answer: Answer, show: Show) -> None:
    view = show(answer_view(answer.refuse(mode="multi").response, Analyzer(), kind=kind))
    view.wait("root.querySelector('.brainkit').firstElementChild.offsetHeight > 10")
    assert view.page.errors == []


@pytest.mark.parametrize(
    ("change", "said"), [({"schema": 2}, "view schema 2"), ({"kind": "hologram"}, "“hologram”")]
)
def test_an_unknown_view_keeps_its_table_and_says_so(
    change: dict[str, Any], said: str, answer: Answer, show: Show
) -> None:
    view = show({**answer_view(answer.response, Analyzer()), **change})
    assert said in view.text(".notice")
    assert view.page.value("document.querySelector('brainkit-view-1 table').offsetHeight") > 20


def test_an_empty_answer_says_why(sample: brainkit.Brain, show: Show) -> None:
    answer = sample.query("zzzzqq", mode="bm25")
    view = show(answer_view(answer.response, Analyzer()))
    assert answer.response.notices[0].message in view.text(".notices")
    assert view.text(".empty").startswith("No results")
