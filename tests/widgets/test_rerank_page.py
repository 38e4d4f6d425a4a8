"""Reranking in views: switched on in the explorer, moved without a kernel, said in the rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

import brainkit
from brainkit.answer import place
from brainkit.report.packed import Pack

Show = Callable[..., Any]
QUERY = "how are sessions signed"
CHIP = ".row .chip:last-child"


def shortest_first(query: str, texts: list[str]) -> list[float]:
    return [100.0 - len(text) / 8 for text in texts]


@pytest.fixture
def brain(sample: brainkit.Brain) -> Iterator[brainkit.Brain]:
    sample.reranker = shortest_first
    yield sample
    sample.reranker = None


@pytest.fixture
def explorer(
    brain: brainkit.Brain, page: Any, tmp_path: Path, support: Callable[[str], ModuleType]
) -> Iterator[Any]:
    """An explorer in Python, its view on a page, and what carries messages between them."""
    widget = brain.explore(QUERY)
    bridge = support("bridge").Bridge(page, widget, tmp_path / "page.html")
    view = support("live").LiveView(page, root="window.here.shadowRoot")
    yield SimpleNamespace(widget=widget, view=view, carry=bridge.carry)
    assert page.errors == []
    widget.close()


def places(answer: brainkit.Answer) -> list[str]:
    return [place(result) for result in answer.results]


def switch(view: Any, value: str) -> None:
    view.set("rerank", value)


def test_the_explorer_reranks_when_it_is_switched_on(explorer: Any, brain: brainkit.Brain) -> None:
    before = explorer.view.texts(".place")
    switch(explorer.view, "on")
    explorer.carry()
    assert explorer.widget.rerank is True
    fresh = brain.query(QUERY, rerank=True)
    assert explorer.view.texts(".place") == places(fresh) == places(explorer.widget.answer)
    assert explorer.view.texts(".place") != before
    assert explorer.view.text("footer code") == explorer.widget.code
    assert "rerank=True, rerank_depth=20" in explorer.widget.code
    assert explorer.view.texts(CHIP) == [
        f"rerank {r.rerank_score:.3f} #{r.explanation.move.before}→{r.explanation.move.after}"
        for r in fresh.results
        if r.explanation.move
    ]
    switch(explorer.view, "")
    explorer.carry()
    assert explorer.view.texts(".place") == before


def test_what_a_moved_slider_brings_up_is_read_when_it_is_let_go(
    explorer: Any, brain: brainkit.Brain
) -> None:
    explorer.widget.rerank_depth = 3
    explorer.carry()
    switch(explorer.view, "on")
    explorer.carry()
    answer = explorer.widget.answer
    away = next(at for at in (0.0, 0.1, 0.9, 1.0) if answer.refuse(alpha=at).response.notices)
    explorer.view.set("alpha", away, settle=False)
    assert "were not read by the reranker" in (explorer.view.text(".notices") or "")
    explorer.view.set("alpha", away)
    explorer.carry()
    assert explorer.view.text(".notices") == ""
    fresh = brain.query(QUERY, alpha=away, rerank=True, rerank_depth=3)
    assert explorer.view.texts(".place") == places(fresh) == places(explorer.widget.answer)


def test_what_is_set_in_python_is_read_before_the_assignment_returns(
    explorer: Any, brain: brainkit.Brain
) -> None:
    explorer.widget.rerank_depth = 3
    explorer.widget.rerank = True
    explorer.widget.alpha = 0.0
    fresh = brain.query(QUERY, alpha=0.0, rerank=True, rerank_depth=3)
    assert explorer.widget.answer.response.results == fresh.response.results
    assert explorer.widget.answer.response.notices == fresh.response.notices
    explorer.carry()
    assert explorer.view.texts(".place") == places(fresh)


def test_without_a_kernel_the_kept_scores_re_order(show: Show, brain: brainkit.Brain) -> None:
    answer = brain.query(QUERY, rerank=True, trace="full", top_k=8)
    view = show(answer.view())
    assert view.texts(".place") == places(answer)
    for change in ({"alpha": 0.95}, {"rerank": False}, {"alpha": 0.2}, {"rerank": True}):
        answer = answer.refuse(**change)
        (name, value), *_ = change.items()
        if name == "rerank":
            switch(view, "on" if value else "")
        else:
            view.set(name, value)
        assert view.texts(".place") == places(answer), change
        assert [one.message for one in answer.response.notices] == [
            text.removeprefix("Note ") for text in view.texts(".notices p")
        ]


def test_a_trace_without_scores_says_that_a_kernel_is_needed(
    show: Show, brain: brainkit.Brain
) -> None:
    view = show(brain.query(QUERY).view())
    before = view.texts(".place")
    switch(view, "on")
    assert "needs a running kernel: no reranker was run" in (view.text(".notices") or "")
    assert view.texts(".place") == before
    assert view.value("rerank") == ""


def test_reasons_flow_and_bars_know_of_it(show: Show, brain: brainkit.Brain) -> None:
    answer = brain.query(QUERY, rerank=True, top_k=8)
    view = show(answer.view())
    assert view.text(".sentence") == answer.explain(1).sentence
    assert "Reranking moved from" in answer.explain(1).sentence
    view.tab("Flow")
    (stage,) = [text for text in view.texts(".stage") if text.startswith("Rerank")]
    assert stage.startswith("Rerank20 readby ")
    assert stage.endswith(" ms")
    shares = view.do(
        "return [...root.querySelectorAll('.row .score .bar')].map(bar =>"
        " [...bar.children].reduce((sum, part) => sum + parseFloat(part.style.width), 0))"
    )
    assert max(shares) == pytest.approx(100, abs=0.5)  # the best score fills its bar, where it is


def test_a_report_keeps_the_scores(brain: brainkit.Brain, ask_node: Any) -> None:
    view = brain.query(QUERY, rerank=True).view()
    pack = Pack()
    packed = pack.add(view)
    trace = ask_node("unpacked", {"packed": packed, "shared": pack.shared()})["trace"]
    scores = [one["rerank"] for one in trace["candidates"]]
    assert scores == [one["rerank"] for one in view["trace"]["candidates"]]
    assert 20 == len(scores) - scores.count(None) < len(scores)
    assert trace["reranked"] == view["trace"]["reranked"]
