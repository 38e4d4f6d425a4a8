"""An experiment: configurations x measures over judged queries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from brainkit.errors import BrainkitError, InvalidDataset, InvalidSetting, nearest
from brainkit.evaluation.candidates import Searcher, Unit, at_own_depth, fetch, groups, units_of
from brainkit.evaluation.configs import Config, named
from brainkit.evaluation.datasets import Dataset
from brainkit.evaluation.measures import Measure, grades_of, parse
from brainkit.evaluation.outcome import Comparison, Evaluation
from brainkit.models import QueryRequest
from brainkit.progress import bar

__all__ = ["MEASURES", "Comparison", "Evaluation", "evaluate", "named"]

MEASURES: Final = ("nDCG@10", "R@5", "RR@10", "AP@100")
_ALL: Final = 1000
_SHOWN: Final = 5


def evaluate(
    searcher: Searcher,
    dataset: Dataset,
    configs: Mapping[str, Config] | Sequence[Config],
    *,
    measures: Sequence[str | Measure] = MEASURES,
    unit: Unit = "source",
    baseline: str | None = None,
    known: set[str] | None = None,
    progress: bool = True,
) -> Evaluation:
    """Measure configurations on judged queries.

    configs : name -> settings as a dict or QueryRequest, or a list of these, named by what they
        set. Those that differ only in fusion share the candidates, fetched once per query.
    measures : such as nDCG@10, nDCG(exp)@10, R@5, P@5, RR@10, AP@100. unit : ``source`` ranks
        distinct sources, the best chunk of each counting; ``chunk`` ranks chunk ids.
    baseline : name of the configuration that the others are compared with, the first by default.
    known : all units there are, so that judgements of others can be told; a brain is asked for its
        own.
    Settings that a configuration leaves out are the built-in defaults, whatever the brain's are,
    so that the same call gives the same table everywhere.
    A ranking is not bound by ``top_k``. A query without results counts 0. Interrupted, it returns
    what is done, the same queries for all configurations: those not run are NaN, not 0.
    Raises InvalidDataset if no judged unit is known; InvalidMeasure; InvalidRequest.
    """
    if unit not in ("source", "chunk"):
        raise InvalidSetting(f"unit={unit!r} is not one of source, chunk.")
    requests = named(configs)
    first = baseline or next(iter(requests))
    if first not in requests:
        raise InvalidSetting(
            f"baseline={first!r} is no configuration{nearest(first, requests)}; there are "
            f"{', '.join(requests)}."
        )
    chosen = tuple(parse(one) for one in measures)
    if not chosen:
        raise InvalidSetting("measures is empty; give at least one, such as 'nDCG@10'.")
    if known is None:
        known = units_of(searcher, unit)
    notes = [*dataset.notes, *_unknown(dataset, known, unit)]
    run = _Run(searcher, dataset, requests, chosen, unit)
    interrupted = False
    try:
        run.all(progress=progress)
    except KeyboardInterrupt:
        interrupted = True
        notes.append("Interrupted: what was not run is missing, not 0.")
    notes += [f"{name} was not run: {reason}" for name, reason in run.not_run.items()]
    if run.empty:
        shown = ", ".join(map(repr, run.empty[:_SHOWN]))
        more = f" and {len(run.empty) - _SHOWN:,} more" if len(run.empty) > _SHOWN else ""
        notes.append(
            f"{len(run.empty):,} (configuration, query) pairs found nothing and count 0: {shown}"
            f"{more}."
        )
    return Evaluation(
        dataset=dataset,
        unit=unit,
        measures=chosen,
        configs=requests,
        baseline=first,
        scores=run.scores,
        rankings=run.rankings,
        ms=run.ms,
        unjudged=run.unjudged,
        not_run=run.not_run,
        notes=tuple(notes),
        generation=run.generation,
        depths=run.depths,
        empty=tuple(run.empty),
        interrupted=interrupted,
    )


class _Run:
    """The loop over queries, and what it has so far."""

    def __init__(
        self,
        searcher: Searcher,
        dataset: Dataset,
        requests: Mapping[str, QueryRequest],
        measures: tuple[Measure, ...],
        unit: Unit,
    ) -> None:
        self._searcher, self._dataset, self._unit = searcher, dataset, unit
        self._requests, self._measures = requests, measures
        self._cutoff = max(m.cutoff or _ALL for m in measures)
        count = len(dataset)
        self.scores = {
            (name, str(m)): np.full(count, np.nan) for name in requests for m in measures
        }
        self.ms = {name: np.full(count, np.nan) for name in requests}
        self.unjudged = {name: np.full(count, np.nan) for name in requests}
        self.rankings: dict[str, dict[str, list[str]]] = {name: {} for name in requests}
        self.not_run: dict[str, str] = {}
        self.empty: list[tuple[str, str]] = []
        self.depths: dict[str, int] = {}
        self.generation = ""

    def all(self, *, progress: bool) -> None:
        """Run every group on a query before the next: an interrupt leaves no group behind."""
        apart = groups(self._requests)
        total = len(apart) * len(self._dataset)
        with bar(total=total, what="evaluating", unit="query", on=progress) as step:
            for at, (query, text) in enumerate(self._dataset.queries.items()):
                for together in apart:
                    if not together.keys() <= self.not_run.keys():
                        self._one(at, query, text, together)
                    step(1)

    def _one(self, at: int, query: str, text: str, together: Mapping[str, QueryRequest]) -> None:
        asked = list(together.values())
        try:
            found = fetch(self._searcher, text, asked, unit=self._unit, least=self._cutoff)
        except BrainkitError as error:
            for name in together:
                self.not_run[name] = str(error)
            return
        self.generation = found.generation
        judged = self._dataset.qrels[query]
        for name, request in together.items():
            deep = at_own_depth(found, request, self._cutoff)
            ranking = found.ranking(deep)[: self._cutoff]
            self.depths[name] = max(deep.depth, self.depths.get(name, 0))
            self.rankings[name][query] = ranking
            self.ms[name][at] = found.ms(request)
            if not ranking:
                self.empty.append((name, query))
            top = ranking[: self._measures[0].cutoff or 10]
            self.unjudged[name][at] = sum(u not in judged for u in top) / max(1, len(top))
            grades = grades_of(ranking, judged, self._cutoff)[np.newaxis]
            for measure in self._measures:
                value = measure.of(grades, list(judged.values()))[0]
                self.scores[name, str(measure)][at] = value


def _unknown(dataset: Dataset, known: set[str] | None, unit: Unit) -> list[str]:
    if known is None:
        return []
    judged = {unit for row in dataset.qrels.values() for unit, grade in row.items() if grade > 0}
    missing = sorted(judged - known)
    if len(missing) == len(judged):
        raise InvalidDataset(
            f"none of the {len(judged):,} relevant {unit}s of {dataset.name} is in this brain, "
            f"such as {missing[0]!r}; {_way_in(dataset)}."
        )
    if not missing:
        return []
    shown = ", ".join(map(repr, missing[:_SHOWN]))
    return [
        f"{len(missing):,} of {len(judged):,} relevant {unit}s are not in this brain and can never "
        f"be found: {shown}."
    ]


def _way_in(dataset: Dataset) -> str:
    if dataset.corpus is None:
        return "ingest what the judgements are about"
    return (
        "take its documents in: brain.ingest_texts(dataset.records(), split=False), or "
        "`brainkit eval ... --ingest`"
    )
