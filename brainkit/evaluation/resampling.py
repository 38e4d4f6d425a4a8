"""Intervals of many means at once: the resamples are drawn once and shared by all of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from brainkit.evaluation.significance import Interval

Floats = NDArray[np.float64]
_AT_ONCE = 500
_TIMES = 4


def intervals(columns: Floats, *, confidence: float = 0.95, seed: int = 0) -> list[Interval]:
    """Return the bootstrap percentile interval of each column's mean, as ``interval`` gives it.

    columns : (n, m), one row per query. A column with a NaN is resampled by itself, over the
        queries that it has. With fewer than 2 queries the bounds are the mean; without any, 0.
    """
    given = np.asarray(columns, np.float64)
    found: list[Interval] = [Interval(0.0, 0.0, 0.0)] * given.shape[1]
    together: dict[bytes, list[int]] = {}
    has = ~np.isnan(given)
    for at in range(given.shape[1]):
        together.setdefault(has[:, at].tobytes(), []).append(at)
    for ats in together.values():
        some = given[has[:, ats[0]]][:, ats]
        for at, one in zip(ats, _whole(some, confidence=confidence, seed=seed), strict=True):
            found[at] = one
    return found


def _whole(given: Floats, *, confidence: float, seed: int) -> list[Interval]:
    count = len(given)
    if not count:
        return [Interval(0.0, 0.0, 0.0)] * given.shape[1]
    means = given.mean(axis=0)
    if count < 2:
        return [Interval(float(m), float(m), float(m)) for m in means]
    generator = np.random.default_rng(seed)
    rows = np.arange(_AT_ONCE)[:, np.newaxis] * count
    drawn = []
    for _ in range(_TIMES):
        # How often each query is in each resample; the same draws as those of ``interval``.
        flat = (generator.integers(0, count, (_AT_ONCE, count)) + rows).ravel()
        times = np.bincount(flat, minlength=_AT_ONCE * count).reshape(_AT_ONCE, count)
        drawn.append(times @ given / count)
    tail = (1.0 - confidence) / 2.0
    low, high = np.quantile(np.concatenate(drawn), [tail, 1.0 - tail], axis=0)
    return [
        Interval(float(m), float(a), float(b)) for m, a, b in zip(means, low, high, strict=True)
    ]
