"""Multi mode: reciprocal rank fusion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from brainkit.errors import DuplicateChunk


def rrf(
    lists: Mapping[str, Sequence[int]],
    *,
    rrf_k: float = 60,
    weights: Mapping[str, float] | None = None,
) -> list[tuple[int, float, dict[str, float]]]:
    """Fuse ranked lists: score(c) = sum over lists of w / (rrf_k + rank of c), rank from 1.

    lists : ids best first, by name; an id missing from a list earns nothing there. Contributions
        are added in the order in which the lists are given.
    rrf_k : 1 or more. Larger flattens the lead of top ranks, so agreement counts more.
    weights : by list name, 1 where absent; 0 equals leaving the list out.
    Returns (id, score, contribution by list), best first; equal scores in id order.
    Raises DuplicateChunk if a list names an id twice.
    Source: Cormack, Clarke and Buettcher, SIGIR 2009.

    >>> [(c, round(s, 6)) for c, s, _ in rrf({"a": [1, 2], "b": [2, 3, 1]})][:2]
    [(2, 0.032522), (1, 0.032266)]
    """
    votes: dict[int, dict[str, float]] = {}
    scores: dict[int, float] = {}
    for name, ids in lists.items():
        if len(set(ids)) != len(ids):
            twice = next(c for i, c in enumerate(ids) if c in ids[:i])
            raise DuplicateChunk(f"the list {name!r} names chunk {twice} twice; name each once")
        weight = 1.0 if weights is None else weights.get(name, 1.0)
        if weight == 0.0:
            continue
        for rank, c in enumerate(ids, start=1):
            vote = weight / (rrf_k + rank)
            votes.setdefault(c, {})[name] = vote
            scores[c] = scores.get(c, 0.0) + vote
    return sorted(((c, scores[c], votes[c]) for c in scores), key=lambda f: (-f[1], f[0]))
