"""Lesson 08: measuring."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from brainkit.evaluation.measures import Floats, grades_of, parse
from brainkit.lessons.exercise import Exercise, Mistake, NothingToFind, Prediction
from brainkit.lessons.reading import number, word

if TYPE_CHECKING:
    from brainkit.evaluation.outcome import Evaluation

GRADES: Final = {"a": 3, "b": 1, "c": 1, "d": 0}
"""What each of the four chunks is worth as an answer to "pet on the mat"."""
LISTS: Final = {"words": ["a"], "meaning": ["d", "c", "a", "b"], "hybrid": ["a", "d", "c", "b"]}
_WINS: Final = 6
_EPSILON: Final = 1e-9
_WORD: Final = word()


def value(measure: str, ranking: Sequence[str], grades: Mapping[str, int] = GRADES) -> float:
    """Return a measure of one ranking.

    >>> round(value("nDCG@4", LISTS["words"]), 4), round(value("nDCG@4", LISTS["meaning"]), 4)
    (0.7262, 0.6201)
    """
    one = parse(measure)
    seen = grades_of(ranking, grades, one.cutoff or len(ranking))
    return float(one.of(seen[np.newaxis], list(grades.values()))[0])


def _prefers_meaning() -> str:
    measures = {"recall": "R@4", "rr": "RR@4", "ndcg": "nDCG@4"}
    [name] = [
        name
        for name, one in measures.items()
        if value(one, LISTS["meaning"]) > value(one, LISTS["words"])
    ]
    return name


def _gain(measured: Evaluation, config: str) -> Floats:
    """Return the difference of each question from words, by the first measure."""
    first = measured.measures[0]
    return measured.values(config, first) - measured.values("words", first)


def _same(measured: Evaluation) -> float:
    return float((np.abs(_gain(measured, "meaning")) < _EPSILON).sum())


def _of_question(given: str, measured: Evaluation) -> float | None:
    """Return what meaning gains on a question, by its id or text; None if it is not there."""
    gain = _gain(measured, "meaning")
    for at, (one, text) in enumerate(measured.dataset.queries.items()):
        if given in (_WORD.read(one), _WORD.read(text)):
            return float(gain[at])
    return None


def _loses_most(given: str, measured: Evaluation) -> bool:
    lowest = float(np.nanmin(_gain(measured, "meaning")))
    if lowest > -_EPSILON:
        raise NothingToFind("meaning loses nowhere to words here; measure more questions")
    gain = _of_question(given, measured)
    return gain is not None and gain < lowest + _EPSILON


def _loses_less(given: str, measured: Evaluation) -> str:
    gain = _of_question(given, measured)
    if gain is None:
        return f"no question here is {given!r}; copy the text of one, or its id."
    if gain > _EPSILON:
        return f"there meaning is ahead, by {gain:.3f}; look at the other end of the strip."
    return f"there it loses {abs(gain):.3f}; it loses more elsewhere."


def _lead(measured: Evaluation) -> Floats:
    """Return what the leader of words and hybrid gains on each question, the most first."""
    gain = _gain(measured, "hybrid")
    gain = gain[~np.isnan(gain)]
    if not len(gain) or abs(gain.mean()) < _EPSILON:
        raise NothingToFind("words and hybrid have the same mean here; measure more questions")
    return np.sort(gain * np.sign(gain.mean()))[::-1]


def _left_out(measured: Evaluation) -> int:
    """Return the fewest questions, best first, without which there is no lead."""
    gain = _lead(measured)
    rest = gain[::-1].cumsum()[::-1]  # of the questions from each place on
    return int((rest > _EPSILON).argmin()) if (rest <= _EPSILON).any() else len(gain)


def _left_out_wrong(given: float, measured: Evaluation) -> str:
    if given < _left_out(measured):
        return "the rest still shows a lead; leave out more."
    return "by then the lead is gone already; fewer are enough."


PREDICTIONS: Final[Mapping[str, Prediction]] = {
    "prefers": Prediction(word(), _prefers_meaning),
    "same": Prediction(number(within=0), _same),
}

EXERCISES: Final[Mapping[int, Exercise]] = {
    1: Exercise(
        number(within=0.0005),
        lambda: value("nDCG@3", LISTS["hybrid"]),
        "(3 + 0 + 1 / 2) / (3 + 0.6309 + 0.5) = 0.8473.",
        (
            Mistake(lambda: 3.5, "that is the DCG; divide it by that of the best possible list."),
            Mistake(
                lambda: 3.5 / (3 + 1 / np.log2(3)),
                "the best possible list has all that was judged relevant, b too.",
            ),
            Mistake(
                lambda: value("nDCG@4", LISTS["hybrid"]), "that looks at four places; b is fourth."
            ),
            Mistake(
                lambda: value("nDCG(exp)@3", LISTS["hybrid"]),
                "that is with the gain 2^grade - 1; take the grade itself.",
            ),
            Mistake(
                lambda: (3 + 1 / 3) / (3 + 1 / 2 + 1 / 3),
                "that divides by the rank; divide by log2(rank + 1).",
            ),
            Mistake(
                lambda: value("nDCG@3", ["a", "c", "b"]),
                "d has grade 0, but it still takes the second place.",
            ),
        ),
        "the sum of grade / log2(rank + 1) over a, d, c, divided by that of the grades 3, 1, 1.",
    ),
    2: Exercise(
        word(),
        _loses_most,
        "read it, and its two lists: one question of this kind may stand for many.",
        otherwise=_loses_less,
        is_test=True,
    ),
    3: Exercise(
        number(within=0),
        _left_out,
        "the lead hangs on these; on the rest there is none.",
        (
            Mistake(
                lambda measured: int((_lead(measured) > _EPSILON).sum()),
                "those are all the questions that it wins; fewer are enough.",
            ),
            Mistake(
                lambda measured: _left_out(measured) - 1,
                "almost: without those the rest still shows a lead.",
            ),
        ),
        _left_out_wrong,
    ),
    4: Exercise(
        number(within=0.0005),
        lambda: 2 / 2**_WINS,
        "2 / 64 = 0.03125: all six one way, or all six the other.",
        (
            Mistake(
                lambda: 1 / 2**_WINS,
                "that is all six for the new one; six for the old one are as large a lead.",
            ),
            Mistake(lambda: 2 / 2**5, "that is for five questions; here it is six."),
            Mistake(lambda: 0, "it is rare, but coins do fall so: how many of the ways?"),
            Mistake(lambda: 2, "that is the number of ways; of how many?"),
        ),
        "there are 2^6 ways for six coins to fall. In how many is the lead as large, either way?",
    ),
}
