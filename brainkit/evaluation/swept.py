"""What a sweep found: the curve with its interval, and what held-out queries say of its best."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from brainkit import markup
from brainkit.evaluation.candidates import Unit
from brainkit.evaluation.configs import Choice
from brainkit.evaluation.datasets import Dataset
from brainkit.evaluation.held import Held, best, shown
from brainkit.evaluation.measures import Measure
from brainkit.evaluation.significance import Interval, interval
from brainkit.models import QueryMode, QueryRequest

if TYPE_CHECKING:
    from pandas import DataFrame

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Sweep:
    """A measure over the range of one setting, or over a grid of several.

    setting : its name; several are joined as ``bm25_k1 x bm25_b``, and a value is then a tuple.
    values : (m,) what was tried; for alpha, one in every interval between crossings, and the two
        ends. means : (m,) the mean measure at each value.
    edges : (m - 1,) for alpha, the crossings that bound the intervals of ``values``.
    default : its value in ``base``; default_scores : (n,) the measure of each query there.
    held : what the tuned value gains on queries that did not choose it; None if none were kept.
    given : the fields of ``base`` that were given. seconds : spent on fetching and on ranking.
    """

    setting: str
    measure: Measure
    unit: Unit
    dataset: Dataset
    base: QueryRequest
    values: tuple[Any, ...]
    means: Floats
    default: Any
    default_scores: Floats
    held: Held | None
    score_at: Callable[[Any], Floats]
    edges: Floats | None = None
    given: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    interrupted: bool = False
    seconds: Mapping[str, float] = field(default_factory=dict)

    @property
    def settings(self) -> tuple[str, ...]:
        """The names of the settings that were swept."""
        return tuple(self.setting.split(" x "))

    @property
    def best(self) -> Any:
        """The value of the highest mean over all queries; the one next to the default in a tie."""
        return self.values[best(self.means, self.values, self.default)]

    @property
    def config(self) -> dict[str, Any]:
        """The settings to go on with: what ``base`` was given as, and the best value.

        The mode too, unless it is the one that a question has by default.
        """
        chosen = self.best if len(self.settings) > 1 else (self.best,)
        mode = {"mode": self.base.mode.value} if self.base.mode is not QueryMode.HYBRID else {}
        return {**mode, **self.given, **dict(zip(self.settings, chosen, strict=True))}

    @property
    def choice(self) -> Choice:
        """The best value and what speaks for it, as ``brain.use`` stores it."""
        return Choice(self.config, f"a sweep of {self.summary()}", self.figures())

    def interval_at(self, value: Any) -> Interval:
        """Return the mean at a value with its 95 % interval over queries."""
        return interval(self.score_at(value))

    def table(self, points: int = 21) -> DataFrame:
        """Return value, mean and interval; for alpha at evenly spaced points and the best one."""
        import pandas as pd

        values = self.values
        if self.edges is not None:
            spaced = np.linspace(0.0, 1.0, points).tolist()
            values = tuple(sorted({*spaced, self.best, self.default}))
        rows = [tuple(self.interval_at(value)) for value in values]
        if len(self.settings) > 1:
            index = pd.MultiIndex.from_tuples(values, names=self.settings)
        else:
            index = pd.Index(list(values), name=self.setting)
        return pd.DataFrame(rows, index=index, columns=["mean", "low", "high"])

    def figures(self) -> dict[str, Any]:
        """Return what was found as plain data for JSON, without the curve."""
        held = self.held
        return {
            "setting": self.setting,
            "dataset": self.dataset.name,
            "queries": len(self.dataset),
            "measure": str(self.measure),
            "unit": self.unit,
            "base": self.base.model_dump(mode="json", exclude={"query"}),
            "default": plain(self.default),
            "best": plain(self.best),
            "held_out": None
            if held is None
            else {
                "split": held.split,
                "queries": sum(held.tally),
                "chosen": [plain(value) for value in held.chosen],
                "tuned": held.tuned,
                "default": held.default,
                "gain": held.gain._asdict(),
                "tally": held.tally._asdict(),
                "p": held.p,
                "beyond_noise": held.beyond_noise,
            },
        }

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the rankings as plain data for JSON."""
        table = self.table()
        curve = [
            {"value": plain(value), **dict(zip(("mean", "low", "high"), row, strict=True))}
            for value, row in zip(table.index.tolist(), table.to_numpy().tolist(), strict=True)
        ]
        crossings = None if self.edges is None else len(self.edges) - 2
        return {
            **self.figures(),
            "curve": curve,
            "crossings": crossings,
            "interrupted": self.interrupted,
            "seconds": dict(self.seconds),
            "notes": list(self.notes),
        }

    def summary(self) -> str:
        """Return what was found, in a sentence or two: figures of held-out queries only."""
        mean = float(self.default_scores.mean()) if len(self.default_scores) else float("nan")
        text = (
            f"{self.setting} on {self.dataset.name}, {len(self.dataset):,} queries, in mode "
            f"{self.base.mode.value}: {self.measure} is {mean:.4f} at the default "
            f"{shown(self.default)}; all queries together choose {shown(self.best)}"
        )
        if self.held is None:
            return f"{text}; what that gains is not known, as no queries were held out."
        return f"{text}; {self.held}."

    def __repr__(self) -> str:
        table = self.table().round(4).to_string()
        return markup.terminal("\n".join([self.summary(), table, *self.notes]))


def plain(value: Any) -> Any:
    """Return a value of a setting as JSON has it."""
    if isinstance(value, tuple):
        return [plain(one) for one in value]
    return value.model_dump() if hasattr(value, "model_dump") else value
