"""Reranking as fusion sees it: the best of a ranking, ordered by scores that a reranker gave."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, TypeVar


class Ranked(Protocol):
    """Anything that stands in a ranking, by its id."""

    @property
    def id(self) -> int:
        """Its place in the tie order."""
        ...


R = TypeVar("R", bound=Ranked)


def reorder(fused: Sequence[R], scores: Mapping[int, float], *, depth: int) -> list[R]:
    """Order the first ``depth`` of a ranking by the reranker's scores, and leave the rest behind.

    fused : best first.
    scores : by id. Of the first ``depth``, those without a score come after those with one, in
        fused order: what was not read is not judged. Beyond ``depth`` no score counts, so that the
        order is that of a new query whenever all of the first have one.
    Returns the same candidates; equal scores in id order.
    Source: Nogueira and Cho, "Passage Re-ranking with BERT", 2019.

    >>> from brainkit.fuse import Fused
    >>> ranking = [Fused(n, 1.0 / n, {}) for n in (1, 2, 3, 4)]
    >>> [one.id for one in reorder(ranking, {1: -2.0, 3: 5.0, 4: 9.0}, depth=3)]
    [3, 1, 2, 4]
    """
    top = fused[:depth]
    read = sorted((one for one in top if one.id in scores), key=lambda r: (-scores[r.id], r.id))
    return [*read, *(one for one in top if one.id not in scores), *fused[depth:]]
