"""Lesson 02: BM25 by hand."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from brainkit.lessons.exercise import Exercise, Mistake, NothingToFind, Prediction
from brainkit.lessons.four import QUESTION, bm25, idf
from brainkit.lessons.reading import number, word

if TYPE_CHECKING:
    from brainkit.answer import Answer


def _best_part(answer: Answer) -> str:
    """Return the term that adds most to the first result."""
    if not len(answer):
        raise NothingToFind("this answer has no results; ask with a word that your files have")
    return max(answer.explain(1).parts, key=lambda part: part.value).name


def _is_best_part(given: str, answer: Answer) -> bool:
    one = answer.analyzer.terms(given) if len(given.split()) == 1 else []
    return _best_part(answer) in (given, *one)


def _of_the_question(given: str, answer: Answer) -> bool:
    asked = {term.term for term in answer.trace.terms if term.term}
    return bool(asked.intersection([given, *answer.analyzer.terms(given)]))


PREDICTIONS: Final[Mapping[str, Prediction]] = {
    "first": Prediction(word(), lambda: max((s := bm25(QUESTION)), key=s.__getitem__)),
    "spam": Prediction(word(), lambda answer: answer.results[0].source),
}

EXERCISES: Final[Mapping[int, Exercise]] = {
    1: Exercise(
        number(within=0.005),
        lambda: idf(1),
        "ln(1 + 3.5 / 1.5) = ln 3.3333 = 1.2040: the rarer term weighs more.",
        (
            Mistake(
                lambda: math.log(4), "that is ln(N / n); BM25 adds 0.5 above and below, and 1."
            ),
            Mistake(lambda: math.log(3.5 / 1.5), "the 1 + inside the logarithm is missing."),
            Mistake(lambda: math.log10(1 + 3.5 / 1.5), "ln is the natural logarithm: math.log."),
            Mistake(lambda: math.log2(1 + 3.5 / 1.5), "ln is the natural logarithm: math.log."),
            Mistake(lambda: idf(2), "that is the idf of a term in two chunks; 'birds' is in one."),
        ),
        "ln(1 + (N - n + 0.5) / (n + 0.5)), with N = 4 chunks and n = 1 that holds the term.",
    ),
    2: Exercise(
        number(within=0.005),
        lambda: bm25("birds")["d"],
        "1.2040 * 2.5 / (1 + 1.275) = 1.3231.",
        (
            Mistake(lambda: idf(1), "that is the idf alone, which is what an average chunk earns."),
            Mistake(
                lambda: idf(1) * 2.5 / (1 + 1.5 * (0.25 + 0.75 * 3 / 2.5)),
                "that is for a chunk of three terms; how many has d?",
            ),
            Mistake(
                lambda: bm25("sat")["c"], "the idf is that of 'sat'; 'birds' is in one chunk only."
            ),
            Mistake(lambda: idf(1) * 2.5, "the term's count is divided by f + norm, not by 1."),
        ),
        "idf * f * 2.5 / (f + norm), where norm = 1.5 * (0.25 + 0.75 * 2 / 2.5) and f = 1.",
    ),
    3: Exercise(
        number(within=1e-9),
        lambda: 0.0,
        "at b = 0 the length has dropped out of the formula.",
        (
            Mistake(lambda: 1.0, "at b = 1 the length counts in full, so they differ most."),
            Mistake(
                lambda given: 0 < given < 1,
                "length still counts there, less than before; go on.",
                is_test=True,
            ),
        ),
        "b is from 0 to 1. Which value takes |D| out of 1 - b + b * |D| / avgdl?",
    ),
    4: Exercise(
        word(),
        _is_best_part,
        "rarity and count decide, not where the word stands in the question.",
        (
            Mistake(
                _of_the_question,
                lambda given, answer: (
                    "another term adds more; compare the values of explain(1): "
                    + ", ".join(f"{part.value:.2f}" for part in answer.explain(1).parts)
                    + "."
                ),
                is_test=True,
            ),
        ),
        "a term of the question is asked for; explain(1) lists those that count.",
        is_test=True,
    ),
}
