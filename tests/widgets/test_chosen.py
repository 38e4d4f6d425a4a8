"""Which result is explained: the best one, as the ranking moves, until a hand chooses another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import brainkit
from brainkit.analyze import Analyzer
from brainkit.answer import Answer, place
from brainkit.widgets.view import answer_view

Show = Callable[..., Any]
CHOSEN = ".row.chosen .place"


@pytest.fixture
def answer(sample: brainkit.Brain) -> Answer:
    return sample.query("how are sessions signed by a key", trace="full", top_k=5)


def best(answer: Answer, **settings: Any) -> str:
    return place(answer.refuse(**settings).results[0])


def test_nothing_picked_means_the_best_of_every_ranking(answer: Answer, show: Show) -> None:
    view = show(answer_view(answer.response, Analyzer()))
    firsts = set()
    for alpha in (0, 0.5, 1):
        view.set("alpha", alpha)
        first = best(answer, alpha=alpha)
        firsts.add(first)
        assert view.text(CHOSEN) == first
        assert view.text(".sentence") == answer.refuse(alpha=alpha).results[0].explanation.sentence
    assert len(firsts) > 1  # or nothing was shown by this


@pytest.mark.parametrize("picked", ["by hand", "in Python"])
def test_what_was_picked_stays_while_it_is_a_result(
    picked: str, answer: Answer, show: Show
) -> None:
    second = answer.results[1]
    name = second.chunk_id if picked == "in Python" else None
    view = show(answer_view(answer.response, Analyzer(), selected=name))
    if picked == "by hand":
        view.click(".row .place", nth=1)
    for alpha in (0, 0.3, 1):
        view.set("alpha", alpha)
        again = answer.refuse(alpha=alpha).results
        still = any(one.chunk_id == second.chunk_id for one in again)
        assert view.text(CHOSEN) == (place(second) if still else place(again[0]))
        if not still:
            break
    view.set("alpha", answer.request.alpha)


def test_what_fell_out_of_the_ranking_is_not_picked_any_more(answer: Answer, show: Show) -> None:
    view = show(answer_view(answer.response, Analyzer()))
    view.click(".row .place", nth=4)
    view.set("top_k", 3)
    view.set("top_k", 5)
    assert view.text(CHOSEN) == place(answer.results[0])


def test_a_host_says_what_is_explained_and_that_none_is_picked(answer: Answer, host: Show) -> None:
    view = host(
        answer_view(answer.response, Analyzer()), "{ subscribe: told => (window.told = told) }"
    )
    third = answer.results[2]
    view.do("window.told({ selected: args[0] })", third.chunk_id)
    assert view.text(CHOSEN) == place(third)
    view.do("window.told({ selected: null })")
    assert view.text(CHOSEN) == place(answer.results[0])
    view.set("alpha", 0)
    assert view.text(CHOSEN) == best(answer, alpha=0)
