"""Lesson 10: its first report in a browser says what a new query of its depth says, and no more."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import brainkit
from brainkit.answer import place
from brainkit.lessons import of_10
from brainkit.lessons.four import CHUNKS, QUESTION, VECTORS


def by_hand(texts: list[str]) -> list[tuple[float, float]]:
    """The vectors of the lessons, and (1, 0) for any other text."""
    named = {CHUNKS[name]: vector for name, vector in VECTORS.items()}
    return [named.get(text, (1.0, 0.0)) for text in texts]


@pytest.fixture
def four(tmp_path: Path) -> Any:
    with brainkit.open(tmp_path / "four.brain", embedder=by_hand) as brain:
        records = [{"id": name, "text": text} for name, text in CHUNKS.items()]
        brain.ingest_texts(records, split=False, progress=False)
        yield brain


@pytest.mark.parametrize("depth", [1, 2])
def test_a_moved_report_says_what_a_new_query_of_its_depth_says(
    depth: int, four: brainkit.Brain, tmp_path: Path, page: Any, load: Callable[[str], ModuleType]
) -> None:
    answer = four.query(QUESTION, top_k=1, depth=depth, trace="full")
    file = four.report(["# Which cat sat?", answer], tmp_path / "cats.html")
    page.resize(1000, 900)
    page.visit(file.as_uri())
    root = "document.querySelector('[data-view]').shadowRoot"
    page.wait(f"document.querySelector('[data-view]')?.shadowRoot?.querySelector('.row') && {root}")
    view = load("widgets/live.py").LiveView(page, root=root)
    leaders = set()
    for step in range(1, 20):
        alpha = step / 20
        view.set("alpha", alpha)
        (best,) = four.query(QUESTION, top_k=1, depth=depth, alpha=alpha).results
        assert view.rows() == [[place(best), f"{best.score:.4f}"]]
        assert best.source == of_10.first(alpha, depth)
        leaders.add(best.source)
    assert leaders == {1: {"a", "d"}, 2: {"a", "c", "d"}}[depth]


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_the_file_holds_the_texts_that_were_listed_and_no_other(
    depth: int, four: brainkit.Brain, tmp_path: Path
) -> None:
    answer = four.query(QUESTION, top_k=1, depth=depth, trace="full")
    page = four.report([answer], tmp_path / "cats.html").read_text("utf-8")
    assert {name for name, text in CHUNKS.items() if text in page} == of_10.held(depth)


def test_the_solution_about_real_data_is_what_new_queries_say(four: brainkit.Brain) -> None:
    """The checker re-fuses one deep answer; here every depth is asked for itself."""
    everything = four.query(QUESTION, top_k=1, trace="full")
    tenths = [step / 10 for step in range(11)]

    def firsts(depth: int) -> list[str]:
        asked = [four.query(QUESTION, top_k=1, depth=depth, alpha=alpha) for alpha in tenths]
        return [answer.results[0].source for answer in asked]

    smallest = next(depth for depth in range(1, 5) if firsts(depth) == firsts(50))
    assert of_10.EXERCISES[3].check(smallest, everything)
    assert not of_10.EXERCISES[3].check(smallest - 1, everything)
    assert of_10.enough() == smallest
