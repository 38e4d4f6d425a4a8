"""Sweeps: a setting over its range, with an honest answer to whether tuning it helps."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from brainkit.errors import InvalidSetting
from brainkit.evaluation.candidates import Candidates, Searcher, Unit, at_depth, fetch, groups
from brainkit.evaluation.configs import Config, given_fields
from brainkit.evaluation.curves import Curves, Exact, Grid
from brainkit.evaluation.datasets import Dataset
from brainkit.evaluation.grids import GRIDS, JOINED, based, names_of, tried
from brainkit.evaluation.held import Held, apart, best, by_folds, compared
from brainkit.evaluation.lines import Steps, steps
from brainkit.evaluation.measures import Measure, grades_of, parse
from brainkit.evaluation.swept import Sweep
from brainkit.models import QueryRequest
from brainkit.progress import bar

__all__ = ["GRIDS", "Held", "Sweep", "sweep"]

Floats = NDArray[np.float64]
_ALL: Final = 1000


def sweep(
    searcher: Searcher,
    dataset: Dataset,
    setting: str | Sequence[str],
    values: Sequence[Any] | Mapping[str, Sequence[Any]] | None = None,
    *,
    base: Config | None = None,
    measure: str | Measure = "nDCG@10",
    unit: Unit = "source",
    folds: int = 5,
    test: Dataset | None = None,
    seed: int = 0,
    progress: bool = True,
) -> Sweep:
    """Measure a setting over its range, and what tuning it gains on queries that did not choose.

    setting : alpha, rrf_k, weights, normalize, depth, bm25_k1, bm25_b, similarity_threshold,
        traversal_depth or graph_scorer; or several, whose combinations are tried: ``"k1 x b"``.
    values : what to try, for several settings by name; for alpha alone all there are: rankings
        change at finitely many crossings, so every value between 0 and 1 is covered exactly.
    base : the other settings; its own value of the setting is the default to compare with. Left
        out, those built in, in the first mode where the setting plays a part.
    folds : every query is held out once, from 2 up; 0 leaves the held-out gain away.
    test : queries that are held out instead of folds; those of ``dataset`` that are not among
        them then choose.
    Candidates are fetched once for all that differs only in fusion, and BM25 is worked out anew
    from the stored counts, not ingested again. Interrupted, it returns what is done, with a note.
    Raises InvalidSetting for an unknown setting, one that plays no part, or no values;
    InvalidDataset if every query of ``dataset`` is in ``test`` too.
    """
    names, chosen = names_of(setting), parse(measure)
    request = based(names, base)
    way: _Way
    if names != ("alpha",) or request.rerank:  # a reranker's order has no crossings
        way = _Tried(searcher, chosen, unit, base=request, names=names, values=values)
    elif values is None:
        way = _AllAlphas(searcher, chosen, unit, request)
    else:
        raise InvalidSetting("values: a sweep of alpha covers all of 0 to 1; leave them out.")
    notes = list(dataset.notes)
    if test is not None:
        dataset, told = apart(dataset, test)
        notes += told
    curves, done = way.curves(dataset, progress=progress)
    means = curves.sums(np.zeros(len(done), np.int64), 1)[0] / len(done)
    held, interrupted = None, len(done) < len(dataset)
    if interrupted:
        notes.append(f"Interrupted: {len(done):,} of {len(dataset):,} queries were measured.")
    elif test is not None:
        notes += test.notes
        choice = curves.values[best(means, curves.values, way.default)]
        measured = 0
        try:
            there, asked = way.curves(test, progress=progress)
        except KeyboardInterrupt:
            pass  # before the first of them: what the others chose is kept
        else:
            held = compared((choice,), there.at(choice), there.at(way.default), split=asked.name)
            measured = len(asked)
        if interrupted := measured < len(test):
            notes.append(f"Interrupted: {measured:,} of {len(test):,} held-out queries measured.")
    elif folds:
        held = by_folds(curves, done, way.default, folds=folds, seed=seed)
    return Sweep(
        setting=JOINED.join(names),
        measure=chosen,
        unit=unit,
        dataset=done,
        base=request,
        values=curves.values,
        means=means,
        default=way.default,
        default_scores=curves.at(way.default),
        held=held,
        score_at=curves.at,
        edges=curves.edges,
        given={} if base is None else given_fields(base),
        notes=tuple(notes),
        interrupted=interrupted,
        seconds=way.seconds,
    )


class _Way(ABC):
    """How the curve of one query is found, and the loop over all of them.

    default : the value that others are compared with. seconds : spent so far, by what on.
    """

    default: Any

    def __init__(self, searcher: Searcher, measure: Measure, unit: Unit) -> None:
        self._searcher, self._unit = searcher, unit
        self.measure = measure
        self.cutoff = measure.cutoff or _ALL
        self.seconds = {"fetch": 0.0, "rank": 0.0}

    @abstractmethod
    def asked(self) -> list[list[QueryRequest]]:
        """Requests in groups that differ only in fusion."""

    @abstractmethod
    def row(self, found: Sequence[Candidates], judged: Mapping[str, int]) -> Any:
        """The curve of one query, from the candidates of each group."""

    @abstractmethod
    def joined(self, rows: Sequence[Any]) -> Curves:
        """The curves of all queries."""

    def curves(self, dataset: Dataset, *, progress: bool) -> tuple[Curves, Dataset]:
        """Return the curves and the queries that they are of: fewer if it was interrupted.

        Raises KeyboardInterrupt where there is nothing yet to keep.
        """
        rows: list[Any] = []
        asked = self.asked()
        with bar(total=len(dataset), what="sweep", unit="query", on=progress) as step:
            try:
                for query, text in dataset.queries.items():
                    start = time.perf_counter()
                    found = [self._fetched(text, some) for some in asked]
                    between = time.perf_counter()
                    rows.append(self.row(found, dataset.qrels[query]))
                    self.seconds["fetch"] += between - start
                    self.seconds["rank"] += time.perf_counter() - between
                    step(1)
            except KeyboardInterrupt:
                if not rows:
                    raise
        start = time.perf_counter()
        curves = self.joined(rows)
        self.seconds["rank"] += time.perf_counter() - start
        done = dataset.only(list(dataset.queries)[: len(rows)])
        return curves, done if len(done) < len(dataset) else dataset

    def _fetched(self, text: str, requests: Sequence[QueryRequest]) -> Candidates:
        return fetch(
            self._searcher, text, requests, unit=self._unit, least=self.cutoff, shallow=True
        )


class _AllAlphas(_Way):
    """Every alpha from 0 to 1, exactly."""

    def __init__(
        self, searcher: Searcher, measure: Measure, unit: Unit, request: QueryRequest
    ) -> None:
        super().__init__(searcher, measure, unit)
        self.default, self._request = request.alpha, request

    def asked(self) -> list[list[QueryRequest]]:
        return [[self._request.with_(alpha=0.5)]]

    def row(self, found: Sequence[Candidates], judged: Mapping[str, int]) -> Steps:
        (one,) = found
        return steps(one, at_depth(self._request, one.asked[0]), judged, self.measure)

    def joined(self, rows: Sequence[Steps]) -> Curves:
        return Exact(rows)


class _Tried(_Way):
    """Given values, or combinations of them."""

    def __init__(
        self,
        searcher: Searcher,
        measure: Measure,
        unit: Unit,
        *,
        base: QueryRequest,
        names: Sequence[str],
        values: Sequence[Any] | Mapping[str, Any] | None,
    ) -> None:
        super().__init__(searcher, measure, unit)
        self._values, requests = tried(names, base, values)
        self._by_number = {str(n): request for n, request in enumerate(requests)}
        self._groups = groups(self._by_number)
        self._cuts = "depth" in names
        default = tuple(getattr(base, name) for name in names)
        self.default = default if len(names) > 1 else default[0]

    def asked(self) -> list[list[QueryRequest]]:
        return [list(together.values()) for together in self._groups]

    def row(self, found: Sequence[Candidates], judged: Mapping[str, int]) -> Floats:
        scores = np.zeros(len(self._by_number))
        for one, together in zip(found, self._groups, strict=True):
            for number, request in together.items():
                deep = request if self._cuts else at_depth(request, one.asked[0])
                grades = grades_of(one.ranking(deep), judged, self.cutoff)[np.newaxis]
                scores[int(number)] = self.measure.of(grades, list(judged.values()))[0]
        return scores

    def joined(self, rows: Sequence[Floats]) -> Curves:
        return Grid(self._values, np.stack(rows, axis=1))
