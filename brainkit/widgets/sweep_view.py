"""The view of a sweep: the curve, where it can be read off, and what held-out queries say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from brainkit import markup
from brainkit.evaluation.held import Held
from brainkit.evaluation.resampling import intervals
from brainkit.evaluation.significance import tally
from brainkit.evaluation.swept import Sweep
from brainkit.widgets.compact import Json
from brainkit.widgets.evaluation_view import NOTES_MAX, plain, text_of
from brainkit.widgets.view import SCHEMA

Floats = NDArray[np.float64]
STEPS_MAX: Final = 20_000
"""Steps of an exact curve in a view; of more, the smallest are left out, and the view says so."""
_GRID: Final = 100
_DIGITS: Final = 9


def sweep_view(sweep: Sweep) -> Json:
    """Return the view of a sweep (``SweepView`` in ``js/evaluation/types.js``).

    ``stops`` : where the marker can stand, ascending: every value that was tried; for alpha every
    hundredth, the default, the best, and what each fold chose. Each has its mean and its gain over
    the default, with 95 % intervals. ``steps`` : for alpha, the mean as the step function it is.
    ``axes`` : of two settings together, the values of each, between which stops have a ``cell``.
    """
    stops = _stops(sweep)
    scores = np.array([sweep.score_at(value) for value in stops]).reshape(len(stops), -1)
    gains = scores - sweep.default_scores
    held = sweep.held
    axes = _axes(sweep)
    return {
        "schema": SCHEMA,
        "kind": "sweep",
        "title": sweep_title(sweep),
        "setting": sweep.setting,
        "measure": str(sweep.measure),
        "unit": sweep.unit,
        "dataset": sweep.dataset.name,
        "queries": len(sweep.dataset),
        "notes": list(sweep.notes[:NOTES_MAX]),
        "stops": [
            {
                "label": text_of(value),
                "at": float(value) if sweep.edges is not None else None,
                "cell": [a.index(one) for a, one in zip(axes, value, strict=True)]
                if axes
                else None,
                "mean": plain(mean.mean),
                "low": plain(mean.low),
                "high": plain(mean.high),
                "gain": [plain(number) for number in gain],
                "tally": list(tally(difference)),
            }
            for value, mean, gain, difference in zip(
                stops, intervals(scores.T), intervals(gains.T), gains, strict=True
            )
        ],
        "default": _index(stops, sweep.default),
        "best": _index(stops, sweep.best),
        "ordered": all(_is_number(value) for value in stops),
        "held": None if held is None else _held(held, stops),
        "axes": [
            {"name": name, "labels": [text_of(value) for value in values]}
            for name, values in zip(sweep.settings, axes, strict=True)
        ]
        if axes
        else None,
        "steps": None if sweep.edges is None else _steps(sweep.edges, sweep.means),
        "table": _table(sweep),
    }


def sweep_title(sweep: Sweep) -> str:
    """Return what a page of a sweep is called."""
    return f"{sweep.dataset.name}: {sweep.measure} over {sweep.setting}"


def _stops(sweep: Sweep) -> list[Any]:
    if sweep.edges is None:
        values = list(sweep.values)
        return sorted(values) if all(_is_number(value) for value in values) else values
    chosen = sweep.held.chosen if sweep.held else ()
    grid = [number / _GRID for number in range(_GRID + 1)]
    return sorted({*grid, float(sweep.default), float(sweep.best), *map(float, chosen)})


def _axes(sweep: Sweep) -> list[list[Any]]:
    """Return the values of each of two settings, numbers ascending; nothing for more or fewer."""
    if len(sweep.settings) != 2:
        return []
    found: list[list[Any]] = [[], []]
    for pair in sweep.values:
        for axis, value in zip(found, pair, strict=True):
            if value not in axis:
                axis.append(value)
    return [sorted(axis) if all(map(_is_number, axis)) else axis for axis in found]


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _index(stops: Sequence[Any], value: Any) -> int:
    return next(at for at, one in enumerate(stops) if one == value)


def _held(held: Held, stops: Sequence[Any]) -> Json:
    return {
        "chosen": [_index(stops, value) for value in held.chosen],
        "tuned": plain(held.tuned),
        "default": plain(held.default),
        "gain": [plain(number) for number in held.gain],
        "tally": list(held.tally),
        "p": plain(held.p),
        "beyond_noise": held.beyond_noise,
        "enough": held.enough,
        "text": str(held),
    }


def _steps(edges: Floats, means: Floats) -> Json:
    """Return where the mean changes and to what, from 0 to 1, and its values at the two ends.

    ``left_out`` : steps that are not here, the smallest.
    """
    between = means[1:-1]
    jumps = np.abs(np.diff(between))
    changes = np.flatnonzero(jumps > 1e-12) + 1
    left_out = max(0, len(changes) - STEPS_MAX)
    if left_out:
        largest = np.argsort(-jumps[changes - 1], kind="stable")[:STEPS_MAX]
        changes = np.sort(changes[largest])
    kept = np.concatenate(([0], changes)).astype(np.int64)
    return {
        "edges": [*_rounded(edges[kept]), 1.0],
        "means": _rounded(between[kept]),
        "ends": _rounded(means[[0, -1]]),
        "left_out": left_out,
    }


def _rounded(values: Floats) -> list[float]:
    return [round(value, _DIGITS) for value in values.tolist()]


def _table(sweep: Sweep) -> str:
    """The curve as HTML that stands without style and without scripts."""
    if not len(sweep.dataset):
        return markup.block([f"<div><b>{markup.text(sweep_title(sweep))}</b></div>no queries"])
    table = sweep.table()
    marks = {"default": sweep.default, "best here": sweep.best}
    rows = [
        (
            text_of(value),
            *(f"{number:.4f}" for number in row),
            ", ".join(name for name, marked in marks.items() if marked == value),
        )
        for value, row in zip(table.index.tolist(), table.to_numpy().tolist(), strict=True)
    ]
    return markup.table(
        (sweep.setting, str(sweep.measure), "low", "high", ""),
        rows,
        caption=sweep_title(sweep),
        footer=" ".join([sweep.summary(), *sweep.notes[:NOTES_MAX]]),
        right=(1, 2, 3),
    )
