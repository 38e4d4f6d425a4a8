"""Lesson 07: filters and starvation."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from brainkit.lessons.exercise import Exercise, Mistake, NothingToFind, Prediction
from brainkit.lessons.four import QUESTION, bm25
from brainkit.lessons.reading import number

if TYPE_CHECKING:
    from brainkit.answer import Answer

_CHUNKS, _PASS, _WANTED = 2000, 40, 5


def _place_of_c() -> int:
    scores = bm25(QUESTION)
    return sorted(scores, key=lambda name: -scores[name]).index("c") + 1


def _rank(filtered: Answer, everything: Answer) -> int:
    """Return the rank of the filtered answer's first result in the ranking of everything."""
    if not len(filtered):
        raise NothingToFind("the filtered answer is empty; choose another filter")
    wanted = filtered.results[0].chunk_id
    orders = {c.order for c in everything.trace.candidates if c.chunk_id == wanted}
    ranks = [h.rank for h in everything.trace.lists["vector"].hits if h.order in orders]
    if not ranks:
        raise NothingToFind("it is deeper than the ranking goes; choose another filter")
    return ranks[0]


PREDICTIONS: Final[Mapping[str, Prediction]] = {
    "left": Prediction(number(within=0), lambda answer: float(len(answer))),
}

EXERCISES: Final[Mapping[int, Exercise]] = {
    1: Exercise(
        number(within=0),
        _place_of_c,
        "c is third, so the cut has to come after the third place.",
        (
            Mistake(lambda: 1, "the one best chunk is a, and it is dropped."),
            Mistake(lambda: 2, "the two best are a and b, and both are dropped."),
            Mistake(lambda: 4, "that finds it too; is there a smaller one?"),
        ),
        "at which place of the list without a filter is c?",
    ),
    2: Exercise(
        number(within=0.0005),
        lambda: _WANTED * _PASS / _CHUNKS,
        "5 * 40 / 2000 = 0.1: nine answers in ten are empty.",
        (
            Mistake(lambda: _PASS / _CHUNKS, "that is the share that passes; five are fetched."),
            Mistake(lambda: _WANTED, "five are fetched; only some of them pass."),
            Mistake(
                lambda: math.comb(_CHUNKS - _PASS, _WANTED) / math.comb(_CHUNKS, _WANTED),
                "that is the chance that nothing is left.",
            ),
        ),
        "the number fetched times the share that passes.",
    ),
    3: Exercise(
        number(within=0.5),
        lambda: _WANTED * _CHUNKS / _PASS,
        "5 / 0.02 = 250, and in four cases of ten it is still too few.",
        (
            Mistake(lambda: 50, "50 times 40 / 2000 is 1; five are wanted."),
            Mistake(lambda: _CHUNKS, "that is everything; less is enough on average."),
            Mistake(lambda: 200, "200 times 40 / 2000 is 4."),
        ),
        "the number wanted, divided by the share that passes.",
    ),
    4: Exercise(
        number(within=0),
        _rank,
        "a cut before this rank, with the filter after it, would have left nothing.",
        (
            Mistake(
                lambda filtered, everything: _rank(filtered, everything) - 1,
                "ranks count from 1.",
            ),
            Mistake(
                lambda given, filtered, everything: given < 1, "ranks count from 1.", is_test=True
            ),
        ),
        lambda given, filtered, everything: (
            f"{given:g} is not where {filtered.results[0].source} is; find its chunk_id among "
            "everything.trace.candidates, and that order in the hits of the vector list."
        ),
    ),
}
