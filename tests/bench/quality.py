"""Measure every way to rank on public test collections, beside the published figures.

    python tests/bench/quality.py --datasets ../shared/datasets --keep ~/.cache/brainkit-bench

Embedding is what takes the time, so with --keep a second run takes minutes. No figure is fitted to
its own queries: where a collection has a train or dev split the alpha of hybrid mode is chosen on
it, elsewhere each fifth of the queries is ranked with the alpha that the other four choose.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from published import SOURCES, comparable, others
from rich.console import Console
from rich.table import Table

import brainkit
from brainkit.evaluation.significance import Interval

MODES: Mapping[str, Mapping[str, Any]] = {
    "bm25": {"mode": "bm25"},
    "vector": {"mode": "vector"},
    "hybrid": {"mode": "hybrid"},
    "multi": {"mode": "multi"},
    "graph": {"mode": "graph"},
}
TUNED = {"hybrid tuned": "max", "hybrid tuned, minmax": "minmax"}
SPLITS = {"scifact": "train", "nfcorpus": "dev"}  # other queries than the test split's
FOLDS = 5
COLLECTIONS = (
    *SPLITS,
    *("cranfield", "cisi", "med", "cacm", "npl", "nq-utd"),
    *("2wikimultihop", "musique-train100", "hotpotqa-train100"),
)
SHOWN_ONLY = "hipporag-casestudy"  # four questions say nothing on average
MULTI_HOP = COLLECTIONS[-3:]
DEEP = {"cacm": "AP@1000"}  # published there, for bm25
TOLERANCE = 0.01
BEYOND_SINGLES = "scifact"  # where the tuned blend has to beat both of its sides

# Both sides given, rich believes them on a dumb terminal too.
console = Console(width=130, height=50, highlight=False)


@dataclass(frozen=True)
class Row:
    """One way to rank one collection.

    values : measure -> mean over the queries; the first one is what alpha was tuned for. Folds
        give only that.
    gain : of a tuned alpha over the default one, on queries that did not choose it.
    """

    collection: str
    queries: int
    method: str
    values: Mapping[str, float]
    alphas: tuple[float, ...] = ()
    gain: Interval | None = None


def main() -> None:
    """Read the command line, measure, print, and exit with 1 if a figure is not reached."""
    given = arguments()
    rows: list[Row] = []
    missed: list[str] = []
    with tempfile.TemporaryDirectory() as scratch:
        for name in given.sets:
            folder = given.datasets / name
            with filled(folder, given.embedder, given.keep or Path(scratch)) as brain:
                if name == SHOWN_ONLY:
                    show(brain, brainkit.load_dataset(folder))
                    continue
                found = list(measured(brain, folder, given.embedder, missed))
            console.print(table(found))
            rows += found
    console.print(summary(rows), *(f"[{n}] {source}" for n, source in SOURCES.items()), sep="\n")
    if given.json:
        given.json.write_text(json.dumps([asdict(row) for row in rows], indent=1), "utf-8")
    missed += below_published(rows, given.embedder)
    if missed:
        raise SystemExit("missed: " + "; ".join(missed))


def filled(folder: Path, embedder: str, keep: Path) -> brainkit.Brain:
    """Return a brain that holds the collection, one chunk per record."""
    embed: Any = alike if embedder == "none" else embedder
    brain = brainkit.open(keep / f"{folder.name}-{embedder}.brain", embedder=embed)
    records = brainkit.load_dataset(folder).records()
    report = brain.ingest_texts(records, split=False, progress=sys.stderr.isatty())
    console.print(f"{folder.name}: {report.summary()}")
    return brain


def alike(texts: Sequence[str]) -> list[list[float]]:
    """Embed every text alike: for runs that measure keywords only."""
    return [[1.0, 0.0]] * len(texts)


def measured(
    brain: brainkit.Brain, folder: Path, embedder: str, missed: list[str]
) -> Iterator[Row]:
    """Measure one collection in every mode that the embedder allows.

    missed : gets a sentence for each tuned blend that is not beyond both of its sides.
    """
    dataset = brainkit.load_dataset(folder)
    name, measures = folder.name, measures_of(folder.name)
    configs = dict(MODES if embedder != "none" else {"bm25": MODES["bm25"]})
    tuned: dict[str, brainkit.Sweep] = {}
    if embedder != "none":
        split = SPLITS.get(name)
        queries = brainkit.load_dataset(folder, split=split) if split else dataset
        for method, normalize in TUNED.items():
            tuned[method] = brainkit.sweep(
                brain,
                queries,
                "alpha",
                base={"mode": "hybrid", "normalize": normalize},
                measure=measures[0],
                folds=0 if split else FOLDS,
                progress=sys.stderr.isatty(),
            )
        if split:
            configs |= {method: sweep.config for method, sweep in tuned.items()}
    found = brainkit.evaluate(
        brain, dataset, configs, measures=measures, progress=sys.stderr.isatty()
    )
    console.print(*notes(found), sep="\n", style="dim")
    for method in configs:
        values = {measure: found.mean(method, measure) for measure in measures}
        if method == "bm25" and name in DEEP:
            values |= deep(brain, dataset, DEEP[name])
        row = Row(name, len(dataset), method, values)
        if sweep := tuned.get(method):
            (gain,) = over(found, "hybrid", [method])
            row = replace(row, alphas=(sweep.best,), gain=gain)
        yield row
    for method, sweep in tuned.items():
        if held := sweep.held:
            values = {measures[0]: held.tuned}
            yield Row(name, len(dataset), method, values, held.chosen, held.gain)
    if name == BEYOND_SINGLES and tuned:
        missed += not_beyond(found, list(tuned))


def deep(brain: brainkit.Brain, dataset: brainkit.Dataset, measure: str) -> dict[str, float]:
    """Measure bm25 far down, apart from the rest: a blend of deeper lists is another blend."""
    found = brainkit.evaluate(
        brain, dataset, {"bm25": MODES["bm25"]}, measures=[measure], progress=False
    )
    return {measure: found.mean("bm25", measure)}


def notes(found: brainkit.Evaluation) -> Iterator[str]:
    """Yield what has to be known about the figures of a collection."""
    yield from (f"{found.dataset.name}: {note}" for note in found.notes)
    if "graph" in found.rankings:
        vector = found.rankings["vector"]
        same = sum(vector[query] == ranking for query, ranking in found.rankings["graph"].items())
        yield f"{found.dataset.name}: {same:,} queries name nothing known; graph ranks as vector"


def measures_of(name: str) -> tuple[str, ...]:
    """Return what is measured on a collection, first what its alpha is tuned for."""
    if name in MULTI_HOP:
        return ("R@5", "R@2", "nDCG@10")
    return ("nDCG@10", "R@10")


def over(found: brainkit.Evaluation, baseline: str, methods: Sequence[str]) -> list[Interval]:
    """Return the mean differences of some methods from a baseline, with their intervals."""
    compared = replace(found, baseline=baseline).compare()
    return [one.difference for one in compared if one.config in methods]


def not_beyond(found: brainkit.Evaluation, methods: Sequence[str]) -> list[str]:
    """Print how far the tuned blends are above both sides; name those that may be by luck."""
    short = []
    for baseline in ("bm25", "vector"):
        for method, gain in zip(methods, over(found, baseline, methods), strict=True):
            console.print(f"{found.dataset.name}: {method} over {baseline} {_interval(gain)}")
            if gain.low <= 0.0:
                short.append(f"{found.dataset.name} {method} is not beyond {baseline}")
    return short


def show(brain: brainkit.Brain, dataset: brainkit.Dataset) -> None:
    """Print the recall of each question in each mode, where there are too few for a mean."""
    found = brainkit.evaluate(brain, dataset, MODES, measures=["R@5"], progress=False)
    console.print(f"\n{dataset.name}: R@5 by question, not scored")
    console.print(found.per_query().drop(columns="query").to_string())


def below_published(rows: Sequence[Row], embedder: str) -> list[str]:
    """Name the figures that are below the published one by more than the tolerance."""
    return [
        f"{row.collection} {row.method} {measure} {value:.4f}, published {one.value:.4f}"
        for row in rows
        if row.method == "bm25" or embedder == "local"
        for measure, value in row.values.items()
        for one in comparable(row.collection, measure, row.method)
        if value < one.value - TOLERANCE
    ]


def table(rows: Sequence[Row]) -> Table:
    """Lay out one collection, every method in a line."""
    name, measures = rows[0].collection, dict.fromkeys(m for row in rows for m in row.values)
    also = "; ".join(f"{one.of} {one.measure} {one.value:g} [{one.source}]" for one in others(name))
    grid = Table(
        title=f"{name}, {rows[0].queries:,} queries",
        caption=f"published besides: {also}" if also else None,
        box=None,
        header_style="bold",
    )
    grid.add_column("method")
    for measure in measures:
        grid.add_column(measure, justify="right")
    for column in ("alpha", "over the default alpha", "published"):
        grid.add_column(column)
    for row in rows:
        known = [
            f"{one.measure} {one.value:g}, {one.of} [{one.source}]"
            for measure in measures
            for one in comparable(name, measure, row.method)
        ]
        grid.add_row(
            row.method,
            *(f"{row.values[one]:.4f}" if one in row.values else "not run" for one in measures),
            _range(row.alphas),
            _interval(row.gain) if row.gain else "",
            "\n".join(known),
        )
    return grid


def summary(rows: Sequence[Row]) -> Table:
    """Lay out the first measure of every collection, one in a line."""
    methods = list(dict.fromkeys(row.method for row in rows))
    grid = Table(title="the first measure of each", box=None, header_style="bold")
    grid.add_column("collection")
    grid.add_column("measure")
    for method in methods:
        grid.add_column(method, justify="right")
    for name in dict.fromkeys(row.collection for row in rows):
        of = {row.method: row.values for row in rows if row.collection == name}
        measure = measures_of(name)[0]
        grid.add_row(
            name, measure, *(f"{of[m][measure]:.4f}" if m in of else "not run" for m in methods)
        )
    return grid


def _range(alphas: Sequence[float]) -> str:
    low, high = (min(alphas), max(alphas)) if alphas else (None, None)
    return "" if low is None else f"{low:.3f}" if low == high else f"{low:.3f} to {high:.3f}"


def _interval(gain: Interval) -> str:
    return f"{gain.mean:+.4f} [{gain.low:+.4f}, {gain.high:+.4f}]"


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--datasets", type=Path, default=os.environ.get("BRAINKIT_SHARED"))
    known = (*COLLECTIONS, SHOWN_ONLY)
    parser.add_argument("--sets", nargs="+", choices=known, default=known)
    parser.add_argument(
        "--embedder",
        choices=("local", "static", "none"),
        default="local",
        help="none measures bm25 only",
    )
    parser.add_argument("--keep", type=Path, help="folder to keep the brains in, with embeddings")
    parser.add_argument("--json", type=Path, help="file to write the rows to")
    given = parser.parse_args()
    if given.datasets is None:
        parser.error("give --datasets FOLDER, or set BRAINKIT_SHARED")
    given.datasets = Path(given.datasets)
    if given.embedder == "none":
        given.sets = [name for name in given.sets if name != SHOWN_ONLY]
    return given


if __name__ == "__main__":
    main()
