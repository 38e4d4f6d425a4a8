"""How much a chunk's own text speaks for it, by words and by vector."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from brainkit.retrieve.base import Floats, Question, Rows
from brainkit.store.generation import Generation
from brainkit.store.ranking import best_rows
from brainkit.store.vectors import VectorIndex

Numbers = NDArray[np.float64]

_WORDS = 0.2
"""Weight of BM25 beside 0.8 for the vector: with .1 or .3, R@5 under stress is .003 lower."""
_BEST = 20
"""Chunks with the most keyword evidence, which may begin paths and set the scale."""
_SAMPLE = 1000
"""Chunks that set the scale of similarities: a search for the very best would cost more than all
the rest (10 ms among 100,000), and changes no figure of tests/bench/multihop.py."""


@dataclass(frozen=True)
class TextEvidence:
    """H(c) = (0.2 * bm25(c) / max bm25 + 0.8 * (cos(c) - low) / (high - low)) / max H, from 0 to 1.

    Without a vector, H is bm25 alone. best : the rows with the most evidence, best first, of those
    that the question names and those with the most keyword evidence; max H is the first one's.
    """

    best: Rows
    _words: Floats
    _meaning: _Meaning | None
    _most: float = 1.0

    def __call__(self, rows: Rows) -> Numbers:
        """Return the evidence of each row."""
        words = self._words[rows].astype(np.float64)
        if self._meaning is not None:
            words = _WORDS * words + (1 - _WORDS) * self._meaning(rows)
        return np.minimum(words / self._most, 1.0)


def evidence(
    question: Question, rest: Sequence[str], generation: Generation, *, named: Rows
) -> tuple[TextEvidence, TextEvidence]:
    """Return the evidence of a whole question, and that of only some of its terms. Embeds it once.

    named : rows that the question names. The scale of similarities spans from the least to the
    greatest of these, of the best by keywords, and of a sample of all.
    """
    whole, some = (_keywords(terms, generation) for terms in (question.terms, rest))
    likely = np.union1d(named, _best(whole))
    meaning = _meaning(question, generation, likely)
    return _scaled(likely, whole, meaning), _scaled(np.union1d(likely, _best(some)), some, meaning)


@dataclass(frozen=True)
class _Meaning:
    """Similarities stretched from 0 at ``low`` to 1 at ``high``, and cut there."""

    index: VectorIndex
    vector: Floats
    low: float
    high: float

    def __call__(self, rows: Rows) -> Numbers:
        similar = self.index.similarities(self.vector, rows).astype(np.float64)
        stretched = (similar - self.low) / ((self.high - self.low) or 1.0)
        return np.clip(stretched, 0.0, 1.0) * self.index.present(rows)


def _meaning(question: Question, generation: Generation, likely: Rows) -> _Meaning | None:
    index = generation.vectors
    if index.dim == 0 or not generation.size or question.vector is None:
        return None
    sample = generation.remembered("sample of vectors", lambda: _sample(index, generation.size))
    similar = np.append(
        sample.similarities(question.vector, slice(None)),
        index.similarities(question.vector, likely[index.present(likely)]),
    )
    if not len(similar):
        return None
    return _Meaning(index, question.vector, float(similar.min()), float(similar.max()))


def _sample(index: VectorIndex, size: int) -> VectorIndex:
    rows = np.arange(0, size, -(-size // _SAMPLE))
    return VectorIndex(index.at(rows[index.present(rows)]))


def _scaled(rows: Rows, words: Floats, meaning: _Meaning | None) -> TextEvidence:
    worth = TextEvidence(rows, words, meaning)(rows)
    best, _ = best_rows(rows, worth.astype(np.float32), _BEST)
    return TextEvidence(best, words, meaning, float(worth.max(initial=0.0)) or 1.0)


def _keywords(terms: Sequence[str], generation: Generation) -> Floats:
    """Return BM25 of every chunk, divided by the most."""
    index = generation.keywords
    ids = [known.id for term in terms if (known := index.statistics(term)) is not None]
    scores = index.scores(ids)
    return scores / (scores.max(initial=0.0) or np.float32(1.0))


def _best(words: Floats) -> Rows:
    """Return the rows with the most, ascending."""
    hits = np.flatnonzero(words)
    rows, _ = best_rows(hits, words[hits], _BEST)
    return np.sort(rows)
