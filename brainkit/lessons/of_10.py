"""Lesson 10: publish."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from brainkit.lessons.exercise import Exercise, Mistake, NothingToFind, Prediction
from brainkit.lessons.four import CHUNKS, QUESTION, bm25, cosines
from brainkit.lessons.of_04 import crossing, scores
from brainkit.lessons.reading import number, word

if TYPE_CHECKING:
    from brainkit.answer import Answer

_TENTHS: Final = tuple(step / 10 for step in range(11))
_HUNDREDTHS: Final = tuple(step / 100 for step in range(101))


def held(depth: int) -> set[str]:
    """Return the chunks of the four that a report holds: what either list has to a depth.

    >>> sorted(held(1))
    ['a', 'd']
    """
    lists = bm25(QUESTION), cosines()
    return {name for side in lists for name in sorted(side, key=lambda n: -side[n])[:depth]}


def first(alpha: float, depth: int = len(CHUNKS)) -> str:
    """Return the chunk that a report puts first.

    Each side is divided by its maximum, which every list holds: a depth changes no score.

    >>> first(0.7), first(0.7, depth=1)
    ('c', 'a')
    """
    score = scores(alpha)
    return max(sorted(held(depth)), key=lambda name: score.get(name, 0.0))


def enough() -> int:
    """Return the smallest depth with which the right one of the four is first at every alpha."""
    every = range(1, len(CHUNKS) + 1)
    return next(n for n in every if all(first(a, n) == first(a) for a in _HUNDREDTHS))


def _shown(answer: Answer, alpha: float, depth: int) -> list[str]:
    return [result.chunk_id for result in answer.refuse(alpha=alpha, depth=depth).results]


def _is_right(depth: int, everything: Answer) -> bool:
    whole = everything.request.depth
    return all(_shown(everything, at, depth) == _shown(everything, at, whole) for at in _TENTHS)


def _bounds(everything: Answer) -> tuple[int, int]:
    request = everything.request
    if request.depth == request.top_k:
        raise NothingToFind("this answer is no deeper than it shows; ask with depth=1000")
    return request.top_k, request.depth


def _is_smallest(given: float, everything: Answer) -> bool:
    least, most = _bounds(everything)
    if given != int(given) or not least <= given <= most or not _is_right(int(given), everything):
        return False
    return given == least or not _is_right(int(given) - 1, everything)


def _not_smallest(given: float, everything: Answer) -> str:
    least, most = _bounds(everything)
    if given != int(given):
        return "a depth is a whole number."
    if not least <= given <= most:
        return f"a depth of this answer is from {least} to {most:,}."
    if _is_right(int(given), everything):
        return "all settings are right there, but already before: go lower."
    return "not all settings are right there: go higher."


PREDICTIONS: Final[Mapping[str, Prediction]] = {
    "first": Prediction(word(), lambda: first(0.7, depth=1)),
}

EXERCISES: Final[Mapping[int, Exercise]] = {
    1: Exercise(
        number(within=0.001),
        lambda: crossing("a", "d"),
        "1 / (1 + 0.375) = 0.7273. In lesson 04 nobody saw this crossing, as c was above it.",
        (
            Mistake(lambda: crossing("a", "c"), "that is where a and c cross; c is not in it."),
            Mistake(lambda: crossing("c", "d"), "that is where c and d cross; c is not in it."),
            Mistake(lambda: 1 - crossing("a", "d"), "that is 1 - alpha."),
            Mistake(lambda: crossing("a", "d", "none"), "that is with raw scores."),
            Mistake(lambda: crossing("a", "d", "minmax"), "that is with min-max; take max."),
        ),
        "only a and d are in it, so it is where their two lines cross.",
    ),
    2: Exercise(
        number(within=0),
        enough,
        "with lists of two, c is listed by meaning and b by words, so all four are in the file.",
        (
            Mistake(lambda: 1, "with one, c is in neither list."),
            Mistake(
                lambda given: given in (3, 4, 50), "that is enough; is less enough?", is_test=True
            ),
        ),
        "at which place of its better list is c?",
    ),
    3: Exercise(
        number(within=0),
        _is_smallest,
        "below it some setting shows another five, and says nothing.",
        otherwise=_not_smallest,
        is_test=True,
    ),
    4: Exercise(
        number(within=0),
        lambda real: len(real.trace.candidates),
        "whatever a retriever listed is in the file: len(real.trace.candidates).",
        (
            Mistake(lambda real: len(real.results), "those are shown; the file holds more."),
            Mistake(
                lambda real: real.request.depth,
                "that is the length of one list; the lists are not the same.",
            ),
            Mistake(
                lambda real: sum(len(one.hits) for one in real.trace.lists.values()),
                "a chunk in two lists is in the file once.",
            ),
        ),
        "every chunk that a retriever listed, once: real.trace.candidates.",
    ),
}
