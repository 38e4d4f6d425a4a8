"""Bring one side's scores to 0-1 before the blend."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from brainkit.models import Normalize


def normalize(scores: Mapping[int, float], how: Normalize = "max") -> dict[int, float]:
    """Return the scores, brought to 0-1 over the candidates given; a negative score counts 0.

    scores : raw score of every candidate on one side.
    how : ``max`` divides by the maximum, as the seed does: the best becomes 1, ratios stay.
        ``minmax`` also subtracts the minimum: the worst becomes 0, so small differences between
        similarities weigh more. ``none`` keeps the raw values: the side with larger numbers rules.
    A side whose maximum is not above 0 becomes all 0; with ``minmax`` equal scores above 0 become
    all 1.
    Source: Lee, "Analyses of multiple evidence combination", SIGIR 1997 (minmax).

    >>> normalize({1: 2.0, 2: 1.0, 3: -1.0})
    {1: 1.0, 2: 0.5, 3: 0.0}
    >>> normalize({1: 0.9, 2: 0.6, 3: 0.6}, "minmax")
    {1: 1.0, 2: 0.0, 3: 0.0}
    """
    positive = {id_: max(score, 0.0) for id_, score in scores.items()}
    if not positive or max(positive.values()) <= 0.0:
        return dict.fromkeys(positive, 0.0)
    return _RULES[how](positive)


def _by_max(scores: dict[int, float]) -> dict[int, float]:
    best = max(scores.values())
    return {id_: score / best for id_, score in scores.items()}


def _by_range(scores: dict[int, float]) -> dict[int, float]:
    low, high = min(scores.values()), max(scores.values())
    if low == high:
        return dict.fromkeys(scores, 1.0)
    return {id_: (score - low) / (high - low) for id_, score in scores.items()}


_RULES: dict[Normalize, Callable[[dict[int, float]], dict[int, float]]] = {
    "max": _by_max,
    "minmax": _by_range,
    "none": dict,
}
