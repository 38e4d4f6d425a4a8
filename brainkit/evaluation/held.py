"""What a tuned setting gains on queries that did not choose it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from brainkit.errors import InvalidDataset
from brainkit.evaluation.curves import Curves
from brainkit.evaluation.datasets import Dataset
from brainkit.evaluation.significance import Interval, Tally, interval, p_value, tally

Floats = NDArray[np.float64]
QUERIES_MIN: Final = 20
"""With fewer queries a few lucky ones pass for a gain, so none is claimed."""
_LEVEL: Final = 0.05
_EQUAL: Final = 1e-9
"""Means that differ by less are the same: far less than one rank of one query."""
_SHOWN: Final = 3


@dataclass(frozen=True)
class Held:
    """The tuned setting on queries that did not choose it.

    chosen : the value that each fold's training queries chose, or the one that another split
    chose. tuned, default : the mean on the held-out queries. gain : with its 95 % bootstrap
    interval; p : paired randomisation test. split : which queries were held out, in words.
    """

    chosen: tuple[Any, ...]
    tuned: float
    default: float
    gain: Interval
    tally: Tally
    p: float
    split: str = ""

    @property
    def beyond_noise(self) -> bool:
        """Whether the gain is above 0 and unlikely to be luck, at the 5 % level."""
        return self.enough and self.gain.low > 0.0 and self.p < _LEVEL

    @property
    def enough(self) -> bool:
        """Whether there are queries enough to tell a gain from luck."""
        return sum(self.tally) >= QUERIES_MIN

    @property
    def verdict(self) -> str:
        """What may be concluded, in words."""
        if not self.enough:
            return f"too few queries to tell (at least {QUERIES_MIN})"
        return "a gain beyond noise" if self.beyond_noise else "no gain beyond noise"

    def __str__(self) -> str:
        return (
            f"on held-out queries ({self.split}) {self.tuned:.4f} with {chosen_by(self.chosen)}, "
            f"against {self.default:.4f} with the default: "
            f"{self.gain.mean:+.4f} [{self.gain.low:+.4f}, {self.gain.high:+.4f}], "
            f"p = {self.p:.3f}, {self.verdict}"
        )


def by_folds(curves: Curves, dataset: Dataset, default: Any, *, folds: int, seed: int) -> Held:
    """Score each query by what the other folds chose."""
    numbers = _fold_numbers(dataset, folds, seed)
    sums = curves.sums(numbers, folds)
    counts = np.bincount(numbers, minlength=folds)
    choices = [
        curves.values[best((sums.sum(axis=0) - own) / (len(dataset) - n), curves.values, default)]
        for own, n in zip(sums, counts, strict=True)
    ]
    each = [curves.at(choice) for choice in choices]
    tuned = np.array([each[fold][at] for at, fold in enumerate(numbers)])
    return compared(tuple(choices), tuned, curves.at(default), split=f"{folds} folds")


def compared(choices: tuple[Any, ...], tuned: Floats, default: Floats, *, split: str) -> Held:
    """Return what the tuned scores gain over those of the default, query by query."""
    gains = tuned - default
    return Held(
        chosen=choices,
        tuned=float(tuned.mean()),
        default=float(default.mean()),
        gain=interval(gains),
        tally=tally(gains),
        p=p_value(gains),
        split=split,
    )


def best(means: Floats, values: Sequence[Any], default: Any) -> int:
    """Return the index of the highest mean; among equals the one next to the default."""
    top: list[int] = np.flatnonzero(means >= means.max() - _EQUAL).tolist()
    if _is_number(default) and all(_is_number(values[at]) for at in top):
        return min(top, key=lambda at: (abs(float(values[at]) - default), at))
    return next((at for at in top if values[at] == default), top[0])


def apart(train: Dataset, test: Dataset) -> tuple[Dataset, list[str]]:
    """Return the training queries that are not also held out, and a note if some were left out.

    A query must not choose the setting that it is measured with. Raises InvalidDataset if none is
    left.
    """
    held = {text.casefold() for text in test.queries.values()}
    kept = [one for one, text in train.queries.items() if text.casefold() not in held]
    shared = len(train) - len(kept)
    if not kept:
        raise InvalidDataset(
            f"all {shared:,} queries of {train.name} are in {test.name} too; a query must not "
            "choose the setting that it is measured with, so give other queries."
        )
    if not shared:
        return train, []
    note = f"{shared:,} queries of {train.name} left out of choosing, as {test.name} has them too."
    return train.only(kept), [note]


def chosen_by(choices: Sequence[Any]) -> str:
    """Return the values that were chosen, in words: one, a range, or a few."""
    found = list(dict.fromkeys(map(shown, choices)))
    if len(found) == 1:
        return found[0]
    if all(_is_number(one) for one in choices):
        return f"{shown(min(choices))} to {shown(max(choices))}"
    more = len(found) - _SHOWN
    return " or ".join(found[:_SHOWN]) + (f" and {more} more" if more > 0 else "")


def shown(value: Any) -> str:
    """Return a value of a setting as people write it."""
    if isinstance(value, tuple):
        return " x ".join(map(shown, value))
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _fold_numbers(dataset: Dataset, folds: int, seed: int) -> NDArray[np.int64]:
    """Return the fold in which each query is held out."""
    tests = [test.queries.keys() for _, test in dataset.folds(folds, seed=seed)]
    return np.array([next(n for n, t in enumerate(tests) if q in t) for q in dataset.queries])
