"""Hybrid mode: blend two sides by alpha."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from brainkit.fuse.normalize import normalize as normalized
from brainkit.models import Normalize


class Blended(NamedTuple):
    """One fused candidate: ``score = vector + bm25``; a side that was not used is None."""

    id: int
    score: float
    vector: float | None
    bm25: float | None


def blend(
    vector: Mapping[int, float],
    bm25: Mapping[int, float],
    *,
    alpha: float = 0.5,
    normalize: Normalize = "max",
    similarity_threshold: float = 0.0,
) -> list[Blended]:
    """Fuse two score lists: score(c) = alpha * v(c) + (1 - alpha) * b(c), each side normalised.

    vector, bm25 : raw score of every candidate on each side, so that a 0 is a real 0. At alpha 1
        only ``vector`` is read, at alpha 0 only ``bm25``: pass the single list of that side.
    alpha : 0 to 1. Moving it up trusts meaning more and words less.
    similarity_threshold : a similarity below it contributes 0.
    Returns the candidates best first; equal scores in id order. A candidate is dropped only when no
    side of weight above 0 has positive raw evidence for it, never because it normalises to 0.
    Source: the seed's hybrid rule; Bruch, Gai and Ingber, ACM TOIS 42(1), 2023, on its behaviour.

    >>> [(c.id, c.score) for c in blend({1: 0.8, 2: 0.4}, {1: 0.0, 2: 5.0}, alpha=0.5)]
    [(2, 0.75), (1, 0.5)]
    """
    similar = {c: (s if s >= similarity_threshold else 0.0) for c, s in vector.items()}
    if alpha == 1.0:
        v = normalized(similar, normalize)
        fused = [Blended(c, v[c], v[c], None) for c in v if similar[c] > 0.0]
    elif alpha == 0.0:
        b = normalized(bm25, normalize)
        fused = [Blended(c, b[c], None, b[c]) for c in b if bm25[c] > 0.0]
    else:
        v, b = normalized(similar, normalize), normalized(bm25, normalize)
        fused = []
        for c in v:
            if similar[c] > 0.0 or bm25[c] > 0.0:
                left, right = alpha * v[c], (1.0 - alpha) * b[c]
                fused.append(Blended(c, left + right, left, right))
    fused.sort(key=lambda c: (-c.score, c.id))
    return fused
