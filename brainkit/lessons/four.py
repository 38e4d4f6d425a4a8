"""The four chunks that the lessons check by hand, and the arithmetic of what they score."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from brainkit.analyze import Analyzer

CHUNKS: Final = {
    "a": "The cat sat on the mat",
    "b": "The cat chased the cat",
    "c": "The dog sat",
    "d": "Birds sing",
}
QUESTION: Final = "cat sat"
VECTORS: Final = {"a": (6.0, 8.0), "b": (7.0, 24.0), "c": (4.0, 3.0), "d": (2.4, 0.7)}
"""Vectors chosen by hand; the question's is (1, 0)."""
ASKED: Final = (1.0, 0.0)


def terms(text: str) -> list[str]:
    """Return the terms that the index keeps of a text."""
    return Analyzer().terms(text)


def idf(documents: int, *, chunks: int = len(CHUNKS)) -> float:
    """Return ln(1 + (N - n + 0.5) / (n + 0.5)).

    >>> round(idf(2), 4)
    0.6931
    """
    return math.log(1 + (chunks - documents + 0.5) / (documents + 0.5))


def bm25(question: str, *, k1: float = 1.5, b: float = 0.75) -> dict[str, float]:
    """Return the BM25 score of each chunk that holds a term of the question.

    >>> {name: round(score, 4) for name, score in bm25("cat sat").items()}
    {'a': 1.2718, 'b': 0.9304, 'c': 0.7617}
    """
    held = {name: terms(text) for name, text in CHUNKS.items()}
    average = sum(map(len, held.values())) / len(held)
    scores = dict.fromkeys(held, 0.0)
    for term in terms(question):
        weight = idf(sum(term in one for one in held.values()))
        for name, one in held.items():
            f = one.count(term)
            if f == 0:
                continue  # with k1 = 0 it would be 0 / 0
            scores[name] += weight * f * (k1 + 1) / (f + k1 * (1 - b + b * len(one) / average))
    return {name: score for name, score in scores.items() if score > 0}


def found_by(question: str) -> set[str]:
    """Return the chunks that share a term with a question."""
    asked = set(terms(question))
    return {name for name, text in CHUNKS.items() if asked & set(terms(text))}


def cosine(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the cosine of the angle between two vectors.

    >>> cosine((3, 4), (4, 3))
    0.96
    """
    product = sum(x * y for x, y in zip(one, other, strict=True))
    return product / (math.hypot(*one) * math.hypot(*other))


def cosines() -> dict[str, float]:
    """Return the cosine of each chunk's vector with the question's."""
    return {name: cosine(vector, ASKED) for name, vector in VECTORS.items()}
