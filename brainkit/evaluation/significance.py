"""Is a difference more than luck? Paired randomisation, Holm's correction, bootstrap intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
ROUNDS: Final = 10_000
_EXACT_UP_TO: Final = 13
_EPSILON: Final = 1e-12


class Interval(NamedTuple):
    """A mean and the bounds that hold it with the given confidence."""

    mean: float
    low: float
    high: float


class Tally(NamedTuple):
    """On how many queries one configuration is better, equal and worse than another."""

    wins: int
    ties: int
    losses: int


def p_value(differences: Sequence[float] | Floats, *, seed: int = 0) -> float:
    """Return how often chance alone gives so large a mean difference, two-sided: in (0, 1].

    Under the null hypothesis each query's difference might as well have the other sign. Up to 13
    queries that differ all sign patterns are counted; beyond, 10,000 are drawn, and the one seen is
    counted among them. Source: Fisher's randomisation test, as in Smucker et al., CIKM 2007.

    >>> p_value([0.1, 0.2, 0.3])
    0.25
    """
    given = np.asarray(differences, np.float64)
    some = given[np.abs(given) > _EPSILON]
    if not len(some):
        return 1.0
    seen = abs(some.sum()) - _EPSILON
    if len(some) <= _EXACT_UP_TO:
        patterns = np.arange(2 ** len(some))[:, np.newaxis] >> np.arange(len(some)) & 1
        sums = (1.0 - 2.0 * patterns) @ some
        return float((np.abs(sums) >= seen).mean())
    generator = np.random.default_rng(seed)
    extreme = 1
    for _ in range(0, ROUNDS, 1000):
        signs = generator.integers(0, 2, (1000, len(some)), np.int8) * 2.0 - 1.0
        extreme += int((np.abs(signs @ some) >= seen).sum())
    return extreme / (ROUNDS + 1)


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values corrected for having been asked together (Holm, 1979), in the same order.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    order = sorted(range(len(p_values)), key=lambda at: p_values[at])
    corrected = [0.0] * len(p_values)
    highest = 0.0
    for done, at in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - done) * p_values[at]))
        corrected[at] = highest
    return corrected


def interval(
    values: Sequence[float] | Floats, *, confidence: float = 0.95, seed: int = 0
) -> Interval:
    """Return the mean over queries with its bootstrap percentile interval.

    values : one per query. With fewer than 2 the bounds are the mean.
    """
    given = np.asarray(values, np.float64)
    if not len(given):
        return Interval(0.0, 0.0, 0.0)
    mean = float(given.mean())
    if len(given) < 2:
        return Interval(mean, mean, mean)
    generator = np.random.default_rng(seed)
    means = np.concatenate(
        [given[generator.integers(0, len(given), (500, len(given)))].mean(axis=1) for _ in range(4)]
    )
    tail = (1.0 - confidence) / 2.0
    low, high = np.quantile(means, [tail, 1.0 - tail])
    return Interval(mean, float(low), float(high))


def tally(differences: Sequence[float] | Floats) -> Tally:
    """Count the queries that gained, stayed and lost.

    >>> tally([0.2, 0.0, -0.1, 0.3])
    Tally(wins=2, ties=1, losses=1)
    """
    given = np.asarray(differences, np.float64)
    wins, losses = int((given > _EPSILON).sum()), int((given < -_EPSILON).sum())
    return Tally(wins, len(given) - wins - losses, losses)
