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
"""Hits of each side among which the largest evidence is looked for."""
_SAMPLE = 1000
"""Chunks among which the least similarity is looked for: all would cost more than the walk."""


@dataclass(frozen=True)
class TextEvidence:
    """H(c) = (0.2 * bm25(c) / max bm25 + 0.8 * (cos(c) - low) / (high - low)) / max H, from 0 to 1.

    Without a vector, H is bm25 alone. best : the rows with the most evidence, best first.
    """

    best: Rows
    _words: Floats
    _meaning: _Meaning | None
    _most: float

    @classmethod
    def of(
        cls,
        terms: Sequence[str],
        generation: Generation,
        meaning: _Meaning | None,
    ) -> TextEvidence:
        """Return the evidence of a question's terms and vector."""
        index = generation.keywords
        ids = [known.id for term in terms if (known := index.statistics(term)) is not None]
        words = index.scores(ids)
        words = words / (words.max(initial=0.0) or 1.0)
        hits = np.flatnonzero(words)
        rows, _ = best_rows(hits, words[hits], _BEST)
        if meaning is not None:
            rows = np.union1d(rows, meaning.best)
        raw = cls(rows, words, meaning, 1.0)
        worth = raw(np.sort(rows))
        best, _ = best_rows(np.sort(rows), worth.astype(np.float32), _BEST)
        return cls(best, words, meaning, float(worth.max(initial=0.0)) or 1.0)

    def __call__(self, rows: Rows) -> Numbers:
        """Return the evidence of each row."""
        words = self._words[rows].astype(np.float64)
        if self._meaning is not None:
            words = _WORDS * words + (1 - _WORDS) * self._meaning(rows)
        return np.minimum(words / self._most, 1.0)


@dataclass(frozen=True)
class _Meaning:
    """Similarities stretched so that the best of all is 1 and the least of a sample is 0."""

    best: Rows
    index: VectorIndex
    vector: Floats
    low: float
    high: float

    def __call__(self, rows: Rows) -> Numbers:
        similar = self.index.similarities(self.vector, rows).astype(np.float64)
        stretched = (similar - self.low) / ((self.high - self.low) or 1.0)
        return np.clip(stretched, 0.0, 1.0) * self.index.present(rows)


def meaning(question: Question, generation: Generation) -> _Meaning | None:
    """Return what the question's vector says of chunks, None if there is none. Embeds it."""
    index = generation.vectors
    if index.dim == 0 or not generation.size or question.vector is None:
        return None
    best, similar = index.search(question.vector, depth=_BEST)
    if not len(best):
        return None
    sample = np.arange(0, generation.size, -(-generation.size // _SAMPLE))
    least = index.similarities(question.vector, sample)[index.present(sample)]
    low = float(least.min(initial=float(similar[-1])))
    return _Meaning(best, index, question.vector, low, float(similar[0]))
