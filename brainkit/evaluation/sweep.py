"""Sweeps: one setting over its range, with an honest answer to whether tuning it helps."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from brainkit import markup
from brainkit.errors import InvalidSetting, nearest
from brainkit.evaluation.candidates import Searcher, Unit, at_depth, fetch
from brainkit.evaluation.datasets import Dataset
from brainkit.evaluation.experiment import Config, named
from brainkit.evaluation.lines import Steps, steps
from brainkit.evaluation.measures import Measure, grades_of, parse
from brainkit.evaluation.significance import Interval, Tally, interval, p_value, tally
from brainkit.models import QueryRequest
from brainkit.progress import bar

if TYPE_CHECKING:
    from pandas import DataFrame

Floats = NDArray[np.float64]
_ALL: Final = 1000
_LEVEL: Final = 0.05
QUERIES_MIN: Final = 20
"""With fewer queries a few lucky ones pass for a gain, so none is claimed."""

GRIDS: Final[Mapping[str, tuple[Any, ...]]] = {
    "rrf_k": (1, 2, 5, 10, 20, 40, 60, 100, 200, 500, 1000),
    "normalize": ("max", "minmax", "none"),
    "depth": (10, 20, 50, 100, 200, 500, 1000),
    "similarity_threshold": (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7),
    "traversal_depth": (0, 1, 2, 3, 4),
    "weights": tuple(
        {"vector": v, "bm25": b, "graph": g}
        for v in (0, 1, 2) for b in (0, 1, 2) for g in (0, 1, 2) if v + b + g and max(v, b, g) < 3
    ),
}  # fmt: skip
"""What is tried where no values are given."""


@dataclass(frozen=True)
class Held:
    """The tuned setting on queries that did not choose it.

    chosen : the value that each fold's training queries chose. tuned, default : the mean on the
    held-out queries. gain : with its 95 % bootstrap interval; p : paired randomisation test.
    """

    chosen: tuple[Any, ...]
    tuned: float
    default: float
    gain: Interval
    tally: Tally
    p: float

    @property
    def beyond_noise(self) -> bool:
        """Whether the gain is above 0 and unlikely to be luck, at the 5 % level."""
        return self.enough and self.gain.low > 0.0 and self.p < _LEVEL

    @property
    def enough(self) -> bool:
        """Whether there are queries enough to tell a gain from luck."""
        return sum(self.tally) >= QUERIES_MIN

    def __str__(self) -> str:
        verdict = "a gain beyond noise" if self.beyond_noise else "no gain beyond noise"
        if not self.enough:
            verdict = f"too few queries to tell (at least {QUERIES_MIN})"
        return (
            f"on held-out queries {self.tuned:.4f} against {self.default:.4f} with the default: "
            f"{self.gain.mean:+.4f} [{self.gain.low:+.4f}, {self.gain.high:+.4f}], "
            f"p = {self.p:.3f}, {verdict}"
        )


@dataclass(frozen=True)
class Sweep:
    """A measure over the range of one setting.

    values : (m,) what was tried; for alpha, the middle of every interval between crossings, and
        the two ends. per_query : (m, n) the measure of each query at each value.
    edges : (m + 1,) for alpha, the crossings that bound the intervals of ``values``.
    default : its value in ``base``; default_scores : (n,) the measure of each query there.
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

    @property
    def best(self) -> Any:
        """The value of the highest mean over all queries; the one next to the default in a tie."""
        return self.values[_best(self.means, self.values, self.default)]

    @property
    def config(self) -> dict[str, Any]:
        """What ``brain.use`` takes to make the best value the default."""
        given = {name: getattr(self.base, name) for name in self.base.model_fields_set}
        return {k: v for k, v in given.items() if k != "query"} | {self.setting: self.best}

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
        rows = [
            {self.setting: value, **dict(zip(("mean", "low", "high"), at, strict=True))}
            for value in values
            for at in [self.interval_at(value)]
        ]
        return pd.DataFrame(rows).set_index(self.setting)

    def summary(self) -> str:
        """Return what was found, in a sentence or two."""
        at = int(np.flatnonzero([value == self.best for value in self.values])[0])
        mean = float(self.default_scores.mean())
        text = (
            f"{self.setting} on {self.dataset.name}, {len(self.dataset):,} queries: {self.measure} "
            f"{mean:.4f} at the default {_shown(self.default)}, at most {self.means[at]:.4f} at "
            f"{_shown(self.best)} (chosen on the same queries)"
        )
        return f"{text}; {self.held}." if self.held else f"{text}."

    def __repr__(self) -> str:
        return markup.terminal(f"{self.summary()}\n{self.table().round(4).to_string()}")


def sweep(
    searcher: Searcher,
    dataset: Dataset,
    setting: str,
    values: Sequence[Any] | None = None,
    *,
    base: Config | None = None,
    measure: str | Measure = "nDCG@10",
    unit: Unit = "source",
    folds: int = 5,
    seed: int = 0,
    progress: bool = True,
) -> Sweep:
    """Measure one setting over its range, and what tuning it gains on queries that did not choose.

    setting : alpha, rrf_k, weights, normalize, depth, similarity_threshold or traversal_depth.
    values : what to try; for alpha all there are: rankings change at finitely many crossings, so
        every value between 0 and 1 is covered exactly.
    base : the other settings; its own value of the setting is the default to compare with.
    folds : every query is held out once, from 2 up; 0 leaves the held-out gain away.
    Raises InvalidSetting for an unknown setting or no values.
    """
    chosen = parse(measure)
    request = _based(setting, base)
    if setting == "alpha":
        if values is not None:
            raise InvalidSetting("values: a sweep of alpha covers all of 0 to 1; leave them out.")
        curves = _steps(searcher, dataset, request, chosen, unit=unit, progress=progress)
        return _alpha(dataset, request, chosen, curves, unit=unit, folds=folds, seed=seed)
    tried = tuple(GRIDS[setting] if values is None else values)
    if not tried:
        raise InvalidSetting("values is empty; give at least one.")
    requests = [request.with_(**{setting: value}) for value in tried]
    default = getattr(request, setting)
    if default not in [getattr(one, setting) for one in requests]:
        tried, requests = (*tried, default), [*requests, request]
    together = setting != "traversal_depth"
    scores = np.zeros((len(tried), len(dataset)))
    cutoff = chosen.cutoff or _ALL
    with bar(total=len(dataset), what=setting, unit="query", on=progress) as step:
        for at, (query, text) in enumerate(dataset.queries.items()):
            judged = dataset.qrels[query]
            for some in [range(len(requests))] if together else [[n] for n in range(len(requests))]:
                asked = [requests[n] for n in some]
                found = fetch(searcher, text, asked, unit=unit, least=cutoff)
                for n in some:
                    deep = (
                        requests[n] if setting == "depth" else at_depth(requests[n], found.asked[0])
                    )
                    grades = grades_of(found.ranking(deep), judged, cutoff)
                    scores[n, at] = chosen.of(grades[np.newaxis], list(judged.values()))[0]
            step(1)
    index = [getattr(one, setting) for one in requests].index(default)
    held = _held(dataset, scores, tried, default, scores[index], folds=folds, seed=seed)
    return Sweep(
        setting=setting,
        measure=chosen,
        unit=unit,
        dataset=dataset,
        base=request,
        values=tried,
        means=scores.mean(axis=1),
        default=tried[index],
        default_scores=scores[index],
        held=held,
        score_at=lambda value: scores[[v == value for v in tried].index(True)],
    )


def _steps(
    searcher: Searcher,
    dataset: Dataset,
    request: QueryRequest,
    measure: Measure,
    *,
    unit: Unit,
    progress: bool,
) -> list[Steps]:
    """Return the measure of every query as a function of alpha."""
    found = []
    both = request.with_(alpha=0.5)
    with bar(total=len(dataset), what="alpha", unit="query", on=progress) as step:
        for query, text in dataset.queries.items():
            one = fetch(searcher, text, [both], unit=unit, least=measure.cutoff or _ALL)
            found.append(steps(one, at_depth(request, one.asked[0]), dataset.qrels[query], measure))
            step(1)
    return found


def _alpha(
    dataset: Dataset,
    request: QueryRequest,
    measure: Measure,
    found: Sequence[Steps],
    *,
    unit: Unit,
    folds: int,
    seed: int,
) -> Sweep:
    edges = np.unique(np.concatenate([one.edges for one in found]))
    values = np.concatenate(([0.0], (edges[:-1] + edges[1:]) / 2, [1.0]))
    folds_of = _fold_numbers(dataset, folds, seed)
    # Sums by fold, so that each training set is the whole less its own fold: (folds, m).
    sums = np.zeros((max(1, folds), len(values)))
    for one, fold in zip(found, folds_of, strict=True):
        sums[fold] += one.at(values)
    means = sums.sum(axis=0) / len(dataset)

    def score_at(value: Any) -> Floats:
        return np.array([one.at(np.array([float(value)]))[0] for one in found])

    default = score_at(request.alpha)
    held = None
    if folds:
        total = sums.sum(axis=0)
        choices = [values[_best(total - part, values, request.alpha)] for part in sums]
        tuned = np.array(
            [one.at(np.array([choices[n]]))[0] for one, n in zip(found, folds_of, strict=True)]
        )
        held = _compared(tuple(float(c) for c in choices), tuned, default)
    return Sweep(
        setting="alpha",
        measure=measure,
        unit=unit,
        dataset=dataset,
        base=request,
        values=tuple(values.tolist()),
        means=means,
        default=request.alpha,
        default_scores=default,
        held=held,
        score_at=score_at,
        edges=edges,
    )


def _held(
    dataset: Dataset,
    scores: Floats,
    values: Sequence[Any],
    default: Any,
    default_scores: Floats,
    *,
    folds: int,
    seed: int,
) -> Held | None:
    if not folds:
        return None
    numbers = np.array(_fold_numbers(dataset, folds, seed))
    tuned, choices = np.zeros(len(dataset)), []
    for fold in range(folds):
        best = _best(scores[:, numbers != fold].mean(axis=1), values, default)
        choices.append(values[best])
        tuned[numbers == fold] = scores[best, numbers == fold]
    return _compared(tuple(choices), tuned, default_scores)


def _compared(choices: tuple[Any, ...], tuned: Floats, default: Floats) -> Held:
    gains = tuned - default
    return Held(
        chosen=choices,
        tuned=float(tuned.mean()),
        default=float(default.mean()),
        gain=interval(gains),
        tally=tally(gains),
        p=p_value(gains),
    )


def _fold_numbers(dataset: Dataset, folds: int, seed: int) -> list[int]:
    """Return the fold in which each query is held out; all 0 without folds."""
    if not folds:
        return [0] * len(dataset)
    tests = [test.queries.keys() for _, test in dataset.folds(folds, seed=seed)]
    return [next(n for n, test in enumerate(tests) if one in test) for one in dataset.queries]


def _best(means: Floats, values: Sequence[Any] | Floats, default: Any) -> int:
    """Return the index of the highest mean; among equals the one next to the default."""
    top: list[int] = np.flatnonzero(means >= means.max() - 1e-12).tolist()
    if isinstance(default, int | float) and not isinstance(default, bool):
        return min(top, key=lambda at: (abs(float(values[at]) - default), at))
    return next((at for at in top if values[at] == default), top[0])


def _based(setting: str, base: Config | None) -> QueryRequest:
    known = ("alpha", *GRIDS)
    if setting not in known:
        raise InvalidSetting(
            f"setting={setting!r} cannot be swept{nearest(setting, known)}; there are "
            f"{', '.join(known)}."
        )
    (request,) = named({"base": base if base is not None else _FITTING.get(setting, {})}).values()
    if setting == "alpha" and request.mode != "hybrid":
        raise InvalidSetting(f"alpha plays no part in mode={request.mode.value!r}; use hybrid.")
    return request


def _shown(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


_FITTING: Final[Mapping[str, dict[str, Any]]] = {
    "rrf_k": {"mode": "multi"},
    "weights": {"mode": "multi"},
    "traversal_depth": {"mode": "graph"},
}
"""The mode in which a setting plays a part, where that is not the default one."""
