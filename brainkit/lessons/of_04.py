"""Lesson 04: hybrid and alpha."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import TYPE_CHECKING, Final

from brainkit.fuse.alpha import blend
from brainkit.fuse.normalize import normalize
from brainkit.lessons.exercise import Exercise, Mistake, NothingToFind, Prediction
from brainkit.lessons.four import CHUNKS, QUESTION, bm25, cosines
from brainkit.lessons.reading import number, word
from brainkit.models import Normalize

if TYPE_CHECKING:
    from brainkit.answer import Answer

_NUMBER: Final = {name: at for at, name in enumerate(CHUNKS)}
_STEP: Final = 0.01


def _sides() -> tuple[dict[int, float], dict[int, float]]:
    words, meaning = bm25(QUESTION), cosines()
    return (
        {at: meaning[name] for name, at in _NUMBER.items()},
        {at: words.get(name, 0.0) for name, at in _NUMBER.items()},
    )


def scores(alpha: float, how: Normalize = "max") -> dict[str, float]:
    """Return the blended score of each of the four chunks."""
    vector, words = _sides()
    names = list(_NUMBER)
    return {names[c.id]: c.score for c in blend(vector, words, alpha=alpha, normalize=how)}


def crossing(one: str, other: str, how: Normalize = "max") -> float:
    """Return the alpha at which two of the four score the same: (bj-bi) / ((vi-vj) + (bj-bi))."""
    v, b = (normalize(side, how) for side in _sides())
    i, j = _NUMBER[one], _NUMBER[other]
    return (b[j] - b[i]) / ((v[i] - v[j]) + (b[j] - b[i]))


def rankings() -> int:
    """Return how many orders the four go through as alpha moves from just above 0 to below 1."""
    inside = {round(crossing(*pair), 12) for pair in combinations(CHUNKS, 2)}
    return 1 + sum(0 < at < 1 for at in inside)


def _favourite(answer: Answer) -> str:
    """Return the chunk_id that leads by meaning alone, if words alone have another first."""
    meaning, keywords = (answer.refuse(alpha=alpha).results for alpha in (1.0, 0.0))
    if not meaning or not keywords or meaning[0].chunk_id == keywords[0].chunk_id:
        raise NothingToFind("both sides have the same chunk first; ask another question")
    return meaning[0].chunk_id


def _leads(answer: Answer, alpha: float) -> bool:
    if alpha < 0:
        return False
    return answer.refuse(alpha=alpha).results[0].chunk_id == _favourite(answer)


def _begins_to_lead(alpha: float, answer: Answer) -> bool:
    step = round(alpha, 2)
    if abs(step - alpha) > 1e-9 or not 0 <= step <= 1:
        return False
    return _leads(answer, step) and not _leads(answer, round(step - _STEP, 2))


def _begins_elsewhere(alpha: float, answer: Answer) -> str:
    if not 0 <= alpha <= 1:
        return "alpha is from 0 to 1."
    if abs(round(alpha, 2) - alpha) > 1e-9:
        return "two decimals are asked for."
    if _leads(answer, alpha):
        return "it leads there, but already before: go lower."
    return "it does not lead there: go higher."


PREDICTIONS: Final[Mapping[str, Prediction]] = {
    "first": Prediction(word(), lambda: max((s := scores(0.7)), key=s.__getitem__)),
}

EXERCISES: Final[Mapping[int, Exercise]] = {
    1: Exercise(
        number(within=0.0005),
        lambda: scores(0.25)["b"],
        "0.25 * 0.28 / 0.96 + 0.75 * 0.9304 / 1.2718 = 0.6216.",
        (
            Mistake(
                lambda: scores(0.75)["b"],
                "alpha is the weight of the vector side; you swapped them.",
            ),
            Mistake(
                lambda: scores(0.25, "none")["b"],
                "each side is divided by its largest value first.",
            ),
            Mistake(lambda: scores(0.25, "minmax")["b"], "that is min-max; divide by the maximum."),
            Mistake(lambda: scores(0.5)["b"], "that is at alpha 0.5."),
        ),
        "alpha * v + (1 - alpha) * b, with v and b from the table above.",
    ),
    2: Exercise(
        number(within=0.001),
        lambda: crossing("a", "d"),
        "1 / (1 + 0.375) = 0.7273. But c is ahead of both there, so nobody sees it at the top.",
        (
            Mistake(
                lambda: crossing("a", "d", "none"),
                "that is with raw scores; take the normalised ones.",
            ),
            Mistake(lambda: crossing("a", "d", "minmax"), "that is with min-max; take max."),
            Mistake(lambda: crossing("a", "c"), "that is where a and c cross."),
            Mistake(lambda: crossing("c", "d"), "that is where c and d cross."),
            Mistake(lambda: 1 - crossing("a", "d"), "that is 1 - alpha."),
        ),
        "(bj - bi) / ((vi - vj) + (bj - bi)), with i = a and j = d.",
    ),
    3: Exercise(
        number(within=0),
        rankings,
        "five crossings between 0 and 1, and one order more than crossings.",
        (
            Mistake(
                lambda: rankings() - 1, "that is the crossings; how many stretches do they leave?"
            ),
            Mistake(
                lambda: 7, "a and b have no crossing between 0 and 1: a is ahead on both sides."
            ),
            Mistake(lambda: 24, "that is all orders of four; straight lines cross once at most."),
        ),
        "count the crossings between 0 and 1; each of them swaps two neighbours.",
    ),
    4: Exercise(
        number(within=1e-9),
        _begins_to_lead,
        "below it the words decide who is first, above it the meaning does.",
        otherwise=_begins_elsewhere,
        is_test=True,
    ),
}
