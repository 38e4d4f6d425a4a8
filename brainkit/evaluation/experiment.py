"""An experiment: configurations x measures over judged queries, with what may be concluded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from brainkit import markup
from brainkit.errors import BrainkitError, InvalidDataset, InvalidSetting, nearest
from brainkit.evaluation.candidates import Searcher, Unit, at_depth, fetch, groups
from brainkit.evaluation.datasets import Dataset
from brainkit.evaluation.measures import Measure, grades_of, parse
from brainkit.evaluation.significance import Interval, Tally, holm, interval, p_value, tally
from brainkit.models import QueryRequest
from brainkit.progress import bar

if TYPE_CHECKING:
    from pandas import DataFrame

MEASURES: Final = ("nDCG@10", "R@5", "RR@10", "AP@100")
Config = Mapping[str, Any] | QueryRequest
Floats = NDArray[np.float64]
_ALL: Final = 1000
_SHOWN: Final = 5


@dataclass(frozen=True)
class Comparison:
    """One configuration against the baseline, on the queries that both answered.

    difference : mean over queries with its 95 % bootstrap interval. p : of the paired
    randomisation test; p_corrected : by Holm over all comparisons of the experiment.
    """

    config: str
    baseline: str
    measure: str
    difference: Interval
    tally: Tally
    p: float
    p_corrected: float


@dataclass(frozen=True)
class Evaluation:
    """Scores per query, and what they say together. ``repr`` shows the table.

    configs : name -> its settings. scores : (name, measure) -> one value per query of
        ``dataset.queries``, NaN where it was not run. rankings : name -> query id -> units, best
        first, down to the largest cutoff. ms : name -> milliseconds per query.
    not_run : name -> why a configuration has no scores. failed : query id -> why it counts 0.
    """

    dataset: Dataset
    unit: Unit
    measures: tuple[Measure, ...]
    configs: Mapping[str, QueryRequest]
    baseline: str
    scores: Mapping[tuple[str, str], Floats]
    rankings: Mapping[str, Mapping[str, Sequence[str]]]
    ms: Mapping[str, Floats]
    unjudged: Mapping[str, Floats]
    not_run: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    generation: str = ""
    depths: Mapping[str, int] = field(default_factory=dict)

    @property
    def done(self) -> int:
        """Number of queries that were run."""
        first = next(iter(self.scores.values()), np.empty(0))
        return int(max((~np.isnan(v)).sum() for v in self.scores.values()) if len(first) else 0)

    def mean(self, config: str, measure: str | Measure) -> float:
        """Return the mean over the queries that were run; NaN if none was."""
        values = self.values(config, measure)
        values = values[~np.isnan(values)]
        return float(values.mean()) if len(values) else float("nan")

    def values(self, config: str, measure: str | Measure) -> Floats:
        """Return one value per query, shape (n,), NaN where not run. Raises InvalidSetting."""
        key = (config, str(parse(measure)))
        if key not in self.scores:
            raise InvalidSetting(
                f"{config!r} with {key[1]} was not evaluated{nearest(config, self.configs)}; there "
                f"are {', '.join(self.configs)} with {', '.join(map(str, self.measures))}."
            )
        return self.scores[key]

    def compare(self, measure: str | Measure | None = None) -> list[Comparison]:
        """Compare every configuration with the baseline by one measure, the first by default."""
        chosen = str(parse(measure or self.measures[0]))
        base = self.values(self.baseline, chosen)
        rows = []
        for name in self.configs:
            if name == self.baseline or name in self.not_run:
                continue
            both = self.values(name, chosen) - base
            differences = both[~np.isnan(both)]
            rows.append((name, differences, p_value(differences)))
        corrected = holm([p for _, _, p in rows])
        return [
            Comparison(name, self.baseline, chosen, interval(values), tally(values), p, adjusted)
            for (name, values, p), adjusted in zip(rows, corrected, strict=True)
        ]

    def table(self) -> DataFrame:
        """Return one row per configuration: measures, against the baseline, unjudged, latency."""
        import pandas as pd

        against = {one.config: one for one in self.compare()}
        first = self.measures[0]
        rows = []
        for name in self.configs:
            row: dict[str, Any] = {"config": name}
            row |= {str(m): self.mean(name, m) for m in self.measures}
            other = against.get(name)
            row["wins/ties/losses"] = "/".join(map(str, other.tally)) if other else ""
            row["p"] = other.p_corrected if other else float("nan")
            row[f"unjudged@{first.cutoff or 10}"] = _mean(self.unjudged.get(name))
            row["p50 ms"], row["p95 ms"] = _percentiles(self.ms.get(name))
            rows.append(row)
        return pd.DataFrame(rows).set_index("config")

    def per_query(self, measure: str | Measure | None = None) -> DataFrame:
        """Return one row per query: its text and the value of each configuration."""
        import pandas as pd

        chosen = str(parse(measure or self.measures[0]))
        columns = {name: self.values(name, chosen) for name in self.configs}
        texts = {"query": list(self.dataset.queries.values())}
        return pd.DataFrame({**texts, **columns}, index=list(self.dataset.queries))

    def breakdown(self, by: str, measure: str | Measure | None = None) -> DataFrame:
        """Return the mean by a field of the queries' metadata. Raises InvalidSetting."""
        import pandas as pd

        fields = {name for facts in self.dataset.metadata.values() for name in facts}
        if by not in fields:
            raise InvalidSetting(
                f"by={by!r}: the queries of {self.dataset.name} have "
                + (f"the fields {', '.join(sorted(fields))}." if fields else "no metadata.")
            )
        kinds = [str(self.dataset.metadata[one].get(by)) for one in self.dataset.queries]
        frame = self.per_query(measure).drop(columns="query")
        grouped = frame.groupby(kinds)
        means: DataFrame = grouped.mean()
        means.insert(0, "queries", pd.Series(grouped.size()))
        means.index.name = by
        return means

    def found_only_by(self, depth: int = 10) -> dict[str, list[tuple[str, str]]]:
        """Return name -> (query id, relevant unit) that no other configuration has so high up."""
        hits = {
            name: {
                (query, unit)
                for query, ranking in rankings.items()
                for unit in ranking[:depth]
                if self.dataset.qrels[query].get(unit, 0) > 0
            }
            for name, rankings in self.rankings.items()
        }
        return {
            name: sorted(own - set().union(*(o for other, o in hits.items() if other != name)))
            for name, own in hits.items()
        }

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data for JSON; what was not run is None."""
        return {
            "dataset": self.dataset.name,
            "queries": len(self.dataset),
            "unit": self.unit,
            "generation": self.generation,
            "baseline": self.baseline,
            "configs": {
                name: {
                    **request.model_dump(mode="json", exclude={"query"}),
                    "effective_depth": self.depths.get(name),
                    "not_run": self.not_run.get(name),
                    "means": {str(m): _plain(self.mean(name, m)) for m in self.measures},
                    "per_query": {
                        str(m): [_plain(v) for v in self.values(name, m).tolist()]
                        for m in self.measures
                    },
                }
                for name, request in self.configs.items()
            },
            "query_ids": list(self.dataset.queries),
            "comparisons": [
                {
                    **asdict(one),
                    "difference": one.difference._asdict(),
                    "tally": one.tally._asdict(),
                }
                for one in self.compare()
            ],
            "notes": list(self.notes),
        }

    def summary(self) -> str:
        """Return one line: what was measured on what."""
        done = "" if self.done == len(self.dataset) else f"{self.done:,} of "
        return (
            f"{self.dataset.name}: {done}{len(self.dataset):,} queries, rankings of "
            f"{self.unit}s, differences from {self.baseline!r}"
        )

    def __repr__(self) -> str:
        with_notes = [self.summary(), self.table().round(4).to_string(), *self.notes]
        return markup.terminal("\n".join(with_notes))


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
    known : all units there are, so that judgements of others can be told.
    A ranking is not bound by ``top_k``. A query without results counts 0. Interrupted, it returns
    what is done: queries that were not run are NaN, not 0.
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
    notes = [*dataset.notes, *_unknown(dataset, known)]
    run = _Run(searcher, dataset, requests, chosen, unit)
    try:
        run.all(progress=progress)
    except KeyboardInterrupt:
        notes.append("Interrupted: what was not run is missing, not 0.")
    notes += [f"{name} was not run: {reason}" for name, reason in run.not_run.items()]
    if run.empty:
        shown = ", ".join(map(repr, run.empty[:_SHOWN]))
        notes.append(f"{len(run.empty):,} (configuration, query) pairs found nothing: {shown}.")
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
        """Run every query of every group."""
        apart = groups(self._requests)
        total = len(apart) * len(self._dataset)
        with bar(total=total, what="evaluating", unit="query", on=progress) as step:
            for together in apart:
                for at, (query, text) in enumerate(self._dataset.queries.items()):
                    if together.keys() <= self.not_run.keys():
                        break
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
            depth = found.asked[0]
            ranking = found.ranking(at_depth(request, depth))[: self._cutoff]
            self.depths[name] = max(depth, self.depths.get(name, 0))
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


def named(configs: Mapping[str, Config] | Sequence[Config]) -> dict[str, QueryRequest]:
    """Return name -> request; without names, configurations are called by what they set.

    Raises InvalidSetting if there is none or two have one name, InvalidRequest for their fields.
    """
    if not isinstance(configs, Mapping | list | tuple) or not configs:
        raise InvalidSetting(
            f"configs={configs!r:.60}: give settings by name, such as "
            "{'keywords': {'mode': 'bm25'}, 'both': {'mode': 'hybrid', 'alpha': 0.3}}."
        )
    if isinstance(configs, Mapping):
        pairs = [(str(name), config) for name, config in configs.items()]
    else:
        pairs = [(_called(config), config) for config in configs]
    found: dict[str, QueryRequest] = {}
    for name, config in pairs:
        if name in found:
            raise InvalidSetting(f"two configurations are called {name!r}; give them names.")
        found[name] = (
            config
            if isinstance(config, QueryRequest)
            else QueryRequest(query="-", **{k: v for k, v in config.items() if k != "query"})
        )
    return found


def _called(config: Config) -> str:
    if isinstance(config, QueryRequest):
        given = {k: getattr(config, k) for k in config.model_fields_set if k != "query"}
    else:
        given = dict(config)
    mode = str(given.pop("mode", "hybrid"))
    return " ".join([mode, *(f"{name}={value}" for name, value in given.items())])


def _unknown(dataset: Dataset, known: set[str] | None) -> list[str]:
    if known is None:
        return []
    judged = {unit for row in dataset.qrels.values() for unit, grade in row.items() if grade > 0}
    missing = sorted(judged - known)
    if len(missing) == len(judged):
        raise InvalidDataset(
            f"none of the {len(judged):,} relevant sources of {dataset.name} is in this brain, "
            f"such as {missing[0]!r}; ingest what the judgements are about."
        )
    if not missing:
        return []
    shown = ", ".join(map(repr, missing[:_SHOWN]))
    return [
        f"{len(missing):,} of {len(judged):,} relevant sources are not in this brain and can never "
        f"be found: {shown}."
    ]


def _mean(values: Floats | None) -> float:
    if values is None or np.isnan(values).all():
        return float("nan")
    return float(np.nanmean(values))


def _percentiles(values: Floats | None) -> tuple[float, float]:
    if values is None or np.isnan(values).all():
        return float("nan"), float("nan")
    low, high = np.nanpercentile(values, [50, 95])
    return float(low), float(high)


def _plain(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
