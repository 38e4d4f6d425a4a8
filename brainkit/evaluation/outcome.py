"""What an experiment found: scores per query, tables, and what may be concluded from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from brainkit import markup
from brainkit.errors import InvalidSetting, nearest
from brainkit.evaluation.candidates import Unit
from brainkit.evaluation.configs import Choice, given_fields
from brainkit.evaluation.datasets import Dataset
from brainkit.evaluation.measures import Measure, parse
from brainkit.evaluation.significance import Interval, Tally, holm, interval, p_value, tally
from brainkit.models import QueryRequest

if TYPE_CHECKING:
    from pandas import DataFrame

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Comparison:
    """One configuration against the baseline, on the queries that both answered.

    difference : mean over queries with its 95 % bootstrap interval. p : of the paired
    randomisation test; p_corrected : by Holm over all comparisons with this baseline.
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
    not_run : name -> why a configuration has no scores, or none from some query on. empty :
        (name, query id) that found nothing, which counts 0. unjudged : name -> share of the first
        results that nobody judged, per query. depths : name -> how deep its lists were fetched.
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
    empty: tuple[tuple[str, str], ...] = ()
    interrupted: bool = False

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

    def interval(self, config: str, measure: str | Measure | None = None) -> Interval:
        """Return the mean with its 95 % interval over queries, by the first measure by default."""
        values = self.values(config, measure or self.measures[0])
        return interval(values[~np.isnan(values)])

    def values(self, config: str, measure: str | Measure) -> Floats:
        """Return one value per query, shape (n,), NaN where not run. Raises InvalidSetting."""
        key = (config, str(parse(measure)))
        if key not in self.scores:
            raise InvalidSetting(
                f"{config!r} with {key[1]} was not evaluated{nearest(config, self.configs)}; there "
                f"are {', '.join(self.configs)} with {', '.join(map(str, self.measures))}."
            )
        return self.scores[key]

    def ran(self, config: str) -> bool:
        """Tell whether a configuration was run on any query."""
        return not bool(np.isnan(self.values(config, self.measures[0])).all())

    def latency_ms(self, config: str) -> tuple[float, float]:
        """Return the 50th and the 95th percentile of milliseconds per query, NaN if not run."""
        return _percentiles(self.ms.get(config))

    def unjudged_share(self, config: str) -> float:
        """Return the mean share of the first results that nobody judged, NaN if not run."""
        return _mean(self.unjudged.get(config))

    def choice(self, config: str) -> Choice:
        """Return a configuration and what speaks for it, as ``brain.use`` stores it.

        Of all queries: they chose it, so what it gains on others is not known.
        """
        first = str(self.measures[0])
        mean = self.mean(config, first)  # raises for one that is not there
        told = (
            f"configuration {config!r} of an evaluation on {self.dataset.name}, {self.done:,} "
            f"queries, in mode {self.configs[config].mode.value}: {first} {mean:.4f}"
        )
        against = next((one for one in self.compare() if one.config == config), None)
        if against is not None:
            low, high = against.difference.low, against.difference.high
            told += (
                f", {against.difference.mean:+.4f} [{low:+.4f}, {high:+.4f}] over "
                f"{self.baseline!r}, p = {against.p_corrected:.3f}, on the same queries"
            )
        figures = {
            "dataset": self.dataset.name,
            "queries": self.done,
            "unit": self.unit,
            "means": {str(m): _plain(self.mean(config, m)) for m in self.measures},
            "baseline": self.baseline,
            "against": None if against is None else _compared(against),
        }
        return Choice(given_fields(self.configs[config]), told, figures)

    def compare(
        self, measure: str | Measure | None = None, *, baseline: str | None = None
    ) -> list[Comparison]:
        """Compare every configuration with a baseline by one measure.

        By default that of the experiment and the first measure. Raises InvalidSetting.
        """
        chosen, against = str(parse(measure or self.measures[0])), baseline or self.baseline
        base = self.values(against, chosen)
        rows = []
        for name in self.configs:
            if name == against or name in self.not_run:
                continue
            both = self.values(name, chosen) - base
            differences = both[~np.isnan(both)]
            rows.append((name, differences, p_value(differences)))
        corrected = holm([p for _, _, p in rows])
        return [
            Comparison(name, against, chosen, interval(values), tally(values), p, adjusted)
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
            row[f"unjudged@{first.cutoff or 10}"] = self.unjudged_share(name)
            row["p50 ms"], row["p95 ms"] = self.latency_ms(name)
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
        facts = self.dataset.metadata
        kinds = [str(facts.get(one, {}).get(by, "(none)")) for one in self.dataset.queries]
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
            "interrupted": self.interrupted,
            "baseline": self.baseline,
            "configs": {
                name: {
                    **request.model_dump(mode="json", exclude={"query"}),
                    "effective_depth": self.depths.get(name),
                    "not_run": self.not_run.get(name),
                    "interval": self.interval(name)._asdict(),
                    "means": {str(m): _plain(self.mean(name, m)) for m in self.measures},
                    "per_query": {
                        str(m): [_plain(v) for v in self.values(name, m).tolist()]
                        for m in self.measures
                    },
                }
                for name, request in self.configs.items()
            },
            "query_ids": list(self.dataset.queries),
            "comparisons": [_compared(one) for one in self.compare()],
            "latency_ms": {
                name: dict(zip(("p50", "p95"), map(_plain, self.latency_ms(name)), strict=True))
                for name in self.configs
            },
            "unjudged": {name: _plain(self.unjudged_share(name)) for name in self.configs},
            "found_nothing": [list(pair) for pair in self.empty],
            "cut": list(self.dataset.cut),
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


def _compared(one: Comparison) -> dict[str, Any]:
    return {
        **asdict(one),
        "difference": one.difference._asdict(),
        "tally": one.tally._asdict(),
    }


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
