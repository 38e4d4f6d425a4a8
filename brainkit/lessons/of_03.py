"""Lesson 03: vectors and cosine."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from brainkit.lessons.exercise import Exercise, Mistake, NothingToFind, Prediction
from brainkit.lessons.four import CHUNKS, cosine, cosines, terms
from brainkit.lessons.reading import number, numbers, word

if TYPE_CHECKING:
    from brainkit.answer import Answer
    from brainkit.brain import Brain

_LEFT: Final = 10
_STEP: Final = 0.01


def _survive(answer: Answer, threshold: float) -> int:
    values = [c.vector for c in answer.trace.candidates if c.vector is not None]
    if len(values) <= _LEFT:
        raise NothingToFind(f"only {len(values)} chunks are left already; ask a larger brain")
    return sum(value >= threshold for value in values)


def _leaves_ten(threshold: float, answer: Answer) -> bool:
    step = round(threshold, 2)
    return abs(step - threshold) < 1e-9 and _survive(answer, step) <= _LEFT < _survive(
        answer, round(step - _STEP, 2)
    )


def _leaves_other(threshold: float, answer: Answer) -> str:
    left = _survive(answer, threshold)
    if left > _LEFT:
        return f"{left} are at least {threshold:g} similar: go higher."
    return f"{left} are at least {threshold:g} similar, but a lower threshold does as well."


def _same_way(given: list[float]) -> bool:
    return (
        len(given) == 2
        and math.isclose(math.hypot(*given), 10, abs_tol=0.01)
        and math.isclose(cosine(given, (3, 4)), 1, abs_tol=1e-4)
    )


def _other_way(given: list[float]) -> str:
    if len(given) != 2 or not any(given):
        return "give two numbers, such as (1, 0), that are not both 0."
    length, similarity = math.hypot(*given), cosine(given, (3, 4))
    return (
        f"this vector has length {length:.4g} and cosine {similarity:.4g} with (3, 4); "
        "wanted are 10 and 1."
    )


def _reads_alike(question: str, four: Brain) -> bool:
    shared = set(terms(question)) & set(terms(CHUNKS["a"]))
    return not shared and four.query(question, mode="vector").results[0].source == "a"


def _reads_otherwise(question: str, four: Brain) -> str:
    shared = sorted(set(terms(question)) & set(terms(CHUNKS["a"])))
    if shared:
        return f"it shares {', '.join(shared)} with a; say it in other words."
    first = four.query(question, mode="vector").results[0]
    return f"{first.source} ({first.text!r}) is nearer, at {first.score:.3f}; come closer to a."


PREDICTIONS: Final[Mapping[str, Prediction]] = {
    "first": Prediction(word(), lambda: max((c := cosines()), key=c.__getitem__)),
}

EXERCISES: Final[Mapping[int, Exercise]] = {
    1: Exercise(
        number(within=0.005),
        lambda: cosine((1, 1, 0), (1, 0, 1)),
        "1 / (sqrt 2 * sqrt 2) = 1 / 2, an angle of 60 degrees.",
        (
            Mistake(lambda: 1.0, "that is the sum of products; divide it by both lengths."),
            Mistake(lambda: 1 / math.sqrt(2), "that is divided by one length; there are two."),
            Mistake(lambda: 0.25, "that is divided by the squares of the lengths, 2 * 2."),
            Mistake(lambda: 60.0, "that is the angle; its cosine is asked for."),
        ),
        "sum of products 1*1 + 1*0 + 0*1, divided by the product of the two lengths.",
    ),
    2: Exercise(
        numbers(within=0.01),
        _same_way,
        "twice as long, the same direction: cosine cannot tell it from (3, 4).",
        (
            Mistake(
                lambda: [-6.0, -8.0], "it points the opposite way, and its cosine is -1: turn it."
            ),
            Mistake(lambda: [3.0, 4.0], "that has the direction, and the length 5."),
            Mistake(
                lambda: [8.0, 6.0], "the length is 10, but the direction is that of (4, 3): 0.96."
            ),
        ),
        _other_way,
        is_test=True,
    ),
    3: Exercise(
        number(within=1e-9),
        _leaves_ten,
        "for another question it would be another number: a threshold is chosen by looking.",
        (
            Mistake(
                lambda given, *_: abs(round(given, 2) - given) > 1e-9,
                "two decimals are asked for.",
                is_test=True,
            ),
        ),
        _leaves_other,
        is_test=True,
    ),
    4: Exercise(
        word(),
        _reads_alike,
        "no word in common, so bm25 cannot find a by it; the vectors are near all the same.",
        otherwise=_reads_otherwise,
        is_test=True,
    ),
}
