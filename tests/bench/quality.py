"""Measure retrieval quality on public test collections, beside the published figures.

    python tests/bench/quality.py --datasets ../shared/datasets --keep ~/.cache/brainkit-bench

Embedding is what takes the time, so with --keep a second run takes a minute. The alpha of hybrid
mode is chosen on SciFact's train queries and then used everywhere: no figure is fitted to its own
queries.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

from beir import NDCG10, R10, Collection, Qrels, collections, measured, one_direction
from rich.console import Console
from rich.table import Table

import brainkit
from brainkit.fuse import fuse
from brainkit.models import QueryRequest, Trace

DEPTH = 100
ALPHAS = [round(step / 20, 2) for step in range(1, 20)]
TUNED_ON = ("scifact", "train")
HYBRIDS = ("max", "minmax")

# BM25: bm25s, k1 1.5, b 0.75, stemmed (README of xhluca/bm25-benchmarks), R@10 measured with it;
# vector: bge-small-en-v1.5, MTEB results repository.
PUBLISHED = {
    ("scifact", "bm25"): (0.687, 0.819),
    ("nfcorpus", "bm25"): (0.321, 0.147),
    ("scifact", "vector"): (0.713, 0.836),
    ("nfcorpus", "vector"): (0.343, 0.162),
}
# bm25s 0.3.16 with an English stop list and stemmer on the same files, for sets without a
# published figure: nDCG@10 and R@10.
REFERENCE = {
    "cranfield": (0.365, 0.396),
    "cisi": (0.394, 0.132),
    "med": (0.696, 0.314),
    "cacm": (0.494, 0.339),
    "npl": (0.428, 0.216),
    "nq-utd": (0.792, 0.902),
    "2wikimultihop": (0.709, 0.705),
    "musique-train100": (0.544, 0.567),
    "hotpotqa-train100": (0.782, 0.890),
}
TARGETS = {
    ("scifact", "bm25"): 0.680,
    ("nfcorpus", "bm25"): 0.318,
    ("scifact", "vector"): 0.700,
    ("nfcorpus", "vector"): 0.335,
    ("scifact", "hybrid max"): 0.720,
    ("scifact", "hybrid minmax"): 0.730,
}

# Both sides given, rich believes them on a dumb terminal too.
console = Console(width=120, height=50, highlight=False)


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    collection: str
    queries: int
    method: str
    alpha: float | None
    ndcg_at_10: float
    recall_at_10: float
    known: tuple[float, float] | None
    target: float | None

    @property
    def met(self) -> str:
        """Whether the target was reached, in a word."""
        if self.target is None:
            return ""
        return "yes" if self.ndcg_at_10 >= self.target else "NO"


class Candidates(NamedTuple):
    """What a trace says of one query: the ranked lists, every raw score, and whose chunk it is."""

    lists: dict[str, list[tuple[int, float]]]
    raw: dict[str, dict[int, float]]
    source: dict[int, str]

    @classmethod
    def of(cls, trace: Trace) -> Candidates:
        """Keep what fusion needs; with its texts, a thousand traces would fill a gigabyte."""
        names = [name for name in ("vector", "bm25") if name in trace.lists]
        return cls(
            {name: [(hit.order, hit.score) for hit in trace.lists[name].hits] for name in names},
            {name: {c.order: getattr(c, name) for c in trace.candidates} for name in names},
            {c.order: c.source for c in trace.candidates},
        )


@dataclass(frozen=True)
class Run:
    """The candidates of every judged query of one split, found once and ranked in many ways."""

    qrels: Qrels
    found: dict[str, Candidates]

    def rankings(self, request: QueryRequest) -> dict[str, list[str]]:
        """Fuse under the settings of a request; return query id -> document ids, best first."""
        return {
            query: [one.source[fused.id] for fused in fuse(one.lists, one.raw, request)]
            for query, one in self.found.items()
        }

    def row(self, collection: str, method: str, request: QueryRequest, *, embedder: str) -> Row:
        """Measure one way to rank. What is known of vectors, and wanted, is of the local model."""
        scores = measured(self.qrels, self.rankings(request))
        at, comparable = (collection, method), method == "bm25" or embedder == "local"
        known = PUBLISHED.get(at, REFERENCE.get(collection) if method == "bm25" else None)
        return Row(
            collection=collection,
            queries=len(self.qrels),
            method=method,
            alpha=request.alpha if request.mode == "hybrid" else None,
            ndcg_at_10=scores[NDCG10],
            recall_at_10=scores[R10],
            known=known if comparable else None,
            target=TARGETS.get(at) if comparable else None,
        )


def asked(**fields: Any) -> QueryRequest:
    """Settings for fusion; the query's text plays no part in it."""
    return QueryRequest(query="-", depth=DEPTH, **fields)


def filled(collection: Collection, embedder: str, folder: Path) -> brainkit.Brain:
    """Return a brain that holds the collection, one chunk per record."""
    embed: Any = one_direction if embedder == "none" else embedder
    brain = brainkit.open(folder / f"{collection.name}-{embedder}.brain", embedder=embed)
    report = brain.ingest_texts(collection.records(), split=False, progress=sys.stderr.isatty())
    console.print(f"{collection.name}: {report.summary()}")
    return brain


def run(brain: brainkit.Brain, collection: Collection, split: str, *, full: bool) -> Run:
    """Ask every judged query once, deep enough for every fusion."""
    queries, cut = collection.queries(split)
    if cut:
        console.print(f"{collection.name}: {cut} queries cut to the length of a request")
    settings: dict[str, Any] = {"trace": "full"} if full else {"mode": "bm25"}
    found = {
        id_: Candidates.of(brain.query(text, depth=DEPTH, **settings).trace)
        for id_, text in queries.items()
    }
    return Run(collection.qrels(split), found)


def best_alpha(train: Run, normalize: str) -> float:
    """Return the alpha with the highest nDCG@10; the smallest of equals."""
    scores = {
        alpha: measured(
            train.qrels,
            train.rankings(asked(mode="hybrid", alpha=alpha, normalize=normalize)),
        )[NDCG10]
        for alpha in ALPHAS
    }
    curve = "  ".join(f"{alpha:g} {score:.4f}" for alpha, score in scores.items())
    console.print(f"nDCG@10 on {'/'.join(TUNED_ON)} by alpha, {normalize}: {curve}", style="dim")
    return max(scores, key=lambda alpha: (scores[alpha], -alpha))


def rows_of(
    collection: Collection, embedder: str, folder: Path, alphas: dict[str, float]
) -> Iterator[Row]:
    """Measure one collection in every mode that the embedder allows.

    alphas : by normalisation; filled in when the collection is the one that they are chosen on.
    """
    full = embedder != "none"
    with filled(collection, embedder, folder) as brain:
        if full and collection.name == TUNED_ON[0]:
            train = run(brain, collection, TUNED_ON[1], full=True)
            alphas.update({how: best_alpha(train, how) for how in HYBRIDS})
        test = run(brain, collection, "test", full=full)
    for method, settings in methods(full, alphas).items():
        yield test.row(collection.name, method, asked(**settings), embedder=embedder)


def methods(full: bool, alphas: Mapping[str, float]) -> dict[str, dict[str, Any]]:
    """Return the ways to rank that are measured, by name."""
    if not full:
        return {"bm25": {"mode": "bm25"}}
    tuned = {
        f"hybrid {how}": {"mode": "hybrid", "alpha": alpha, "normalize": how}
        for how, alpha in alphas.items()
    }
    single = {name: {"mode": name} for name in ("bm25", "vector")}
    return {**single, **tuned, "hybrid default": {"mode": "hybrid"}, "multi": {"mode": "multi"}}


def below_single_modes(rows: Sequence[Row]) -> list[str]:
    """Name the tuned hybrids that are not above both single modes on their own collection."""
    best: dict[str, float] = {}
    for row in rows:
        if row.method in ("bm25", "vector"):
            best[row.collection] = max(best.get(row.collection, 0.0), row.ndcg_at_10)
    return [
        f"{row.collection} {row.method} is not above {best[row.collection]:.4f}"
        for row in rows
        if row.collection == TUNED_ON[0]
        and row.method in ("hybrid max", "hybrid minmax")
        and row.ndcg_at_10 <= best[row.collection]
    ]


def table(rows: Sequence[Row]) -> Table:
    """Lay the rows out for people."""
    grid = Table(box=None, header_style="bold")
    for name in ("collection", "method"):
        grid.add_column(name)
    for name in ("queries", "alpha", "nDCG@10", "R@10", "known (R@10)", "target", "met"):
        grid.add_column(name, justify="right")
    for row in rows:
        grid.add_row(
            row.collection,
            row.method,
            f"{row.queries:,}",
            "" if row.alpha is None else f"{row.alpha:g}",
            f"{row.ndcg_at_10:.4f}",
            f"{row.recall_at_10:.4f}",
            "" if row.known is None else f"{row.known[0]:.3f} ({row.known[1]:.3f})",
            "" if row.target is None else f"{row.target:.3f}",
            row.met,
        )
    return grid


def chosen(known: Mapping[str, Collection], names: str | None, embedder: str) -> list[Collection]:
    """Return the collections asked for, the one that alpha is chosen on first."""
    if names is None:
        wanted = ["scifact", "nfcorpus", *([] if embedder != "none" else REFERENCE)]
    else:
        wanted = names.split(",")
    unknown = [name for name in wanted if name not in known]
    if unknown:
        raise SystemExit(f"no collection {', '.join(unknown)}; there are {', '.join(known)}.")
    return [known[name] for name in sorted(wanted, key=lambda name: name != TUNED_ON[0])]


def main() -> None:
    """Read the command line, measure, print, and exit with 1 if a target was missed."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--datasets", type=Path, default=os.environ.get("BRAINKIT_SHARED"))
    parser.add_argument("--sets", help="names, separated by commas; by default all with a target")
    parser.add_argument(
        "--embedder",
        choices=("local", "static", "none"),
        default="local",
        help="none measures bm25 only, by default on every collection with a known figure",
    )
    parser.add_argument("--keep", type=Path, help="folder to keep the brains in, with embeddings")
    parser.add_argument("--json", type=Path, help="file to write the rows to")
    given = parser.parse_args()
    if given.datasets is None:
        parser.error("give --datasets FOLDER, or set BRAINKIT_SHARED")
    known = collections(given.datasets)
    rows: list[Row] = []
    alphas: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as scratch:
        folder = given.keep or Path(scratch)
        for collection in chosen(known, given.sets, given.embedder):
            rows += rows_of(collection, given.embedder, folder, alphas)
    console.print(table(rows))
    missed = [f"{row.collection} {row.method}" for row in rows if row.met == "NO"]
    missed += below_single_modes(rows) if given.embedder == "local" else []
    if given.json:
        given.json.write_text(json.dumps([asdict(row) for row in rows], indent=1), "utf-8")
    if missed:
        raise SystemExit("missed: " + "; ".join(missed))


if __name__ == "__main__":
    main()
