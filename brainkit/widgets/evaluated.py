"""What ``brainkit.evaluate`` and ``brainkit.sweep`` return: results that draw themselves."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable
from typing import Any, ParamSpec

from brainkit.evaluation import experiment
from brainkit.evaluation import sweep as sweeping
from brainkit.widgets.drawn import Drawn
from brainkit.widgets.evaluation_view import evaluation_view, title_of
from brainkit.widgets.sweep_view import sweep_title, sweep_view

Given = ParamSpec("Given")


class Evaluation(experiment.Evaluation, Drawn):
    """Scores per query of every configuration, live in notebooks and in reports.

    Its fields and tables are those of ``evaluation.outcome.Evaluation``. It is frozen: its view,
    which takes a second for a thousand queries, is made once.
    """

    @property
    def title(self) -> str:
        """The dataset and the measures."""
        return title_of(self)

    def view(self) -> dict[str, Any]:
        """Return it as the browser draws it (``widgets.evaluation_view``)."""
        return self._view

    @functools.cached_property
    def _view(self) -> dict[str, Any]:
        return evaluation_view(self)


class Sweep(sweeping.Sweep, Drawn):
    """A measure over the range of a setting, live in notebooks and in reports.

    Its fields and tables are those of ``evaluation.swept.Sweep``.
    """

    @property
    def title(self) -> str:
        """The dataset, the measure and the setting."""
        return sweep_title(self)

    def view(self) -> dict[str, Any]:
        """Return it as the browser draws it (``widgets.sweep_view``)."""
        return self._view

    @functools.cached_property
    def _view(self) -> dict[str, Any]:
        return sweep_view(self)


def _drawn_evaluation(
    run: Callable[Given, experiment.Evaluation],
) -> Callable[Given, Evaluation]:
    @functools.wraps(run)
    def evaluate(*args: Given.args, **options: Given.kwargs) -> Evaluation:
        return Evaluation(**_fields(run(*args, **options)))

    return evaluate


def _drawn_sweep(run: Callable[Given, sweeping.Sweep]) -> Callable[Given, Sweep]:
    @functools.wraps(run)
    def sweep(*args: Given.args, **options: Given.kwargs) -> Sweep:
        return Sweep(**_fields(run(*args, **options)))

    return sweep


def _fields(found: Any) -> dict[str, Any]:
    return {one.name: getattr(found, one.name) for one in dataclasses.fields(found)}


evaluate = _drawn_evaluation(experiment.evaluate)
sweep = _drawn_sweep(sweeping.sweep)
