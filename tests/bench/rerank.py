"""What the local reranker gains on public test collections, and what it costs.

    python tests/bench/rerank.py --datasets ../shared/datasets --keep ~/.cache/brainkit-bench

The brains are those that quality.py keeps; they are copied first. All depths are measured from one
reading of the deepest: a trace keeps the scores, so a smaller depth is a re-fusion. The time of a
pair is its CPU time over the number of cores, which other work on the machine does not change.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

import brainkit
from brainkit.embed.onnx import usable_cpus
from brainkit.evaluation.measures import grades_of, parse
from brainkit.evaluation.significance import interval, p_value
from brainkit.rerank.local import LocalReranker

COLLECTIONS = ("scifact", "nfcorpus")
FIRST_STAGES: Mapping[str, Mapping[str, Any]] = {
    "hybrid": {"mode": "hybrid"},
    "bm25": {"mode": "bm25"},
}
DEPTHS = (5, 10, 20, 50)
MEASURE = parse("nDCG@10")
TOP_K = 10

console = Console(width=110, height=50, highlight=False)


class Timed:
    """The local reranker, which says what its reading costs where nothing else runs."""

    name, sends = "local, timed", False

    def __init__(self) -> None:
        self._reranker = LocalReranker()
        self._reranker.scores("warm", ["up"])
        self.pairs, self.seconds = 0, 0.0

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return the scores, counting pairs and seconds."""
        start = time.process_time()
        found = self._reranker.scores(query, texts)
        self.pairs += len(texts)
        self.seconds += (time.process_time() - start) / usable_cpus()
        return found

    @property
    def ms_per_pair(self) -> float:
        """Mean milliseconds of a pair."""
        return 1000 * self.seconds / max(1, self.pairs)


def main() -> None:
    """Print a table per collection, and write the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--datasets", type=Path, required=True)
    parser.add_argument("--keep", type=Path, required=True, help="where quality.py keeps brains")
    parser.add_argument("--depth", type=int, default=brainkit.settings.RERANK_DEPTH)
    parser.add_argument("--queries", type=int, help="the first so many only")
    parser.add_argument("--only", nargs="+", choices=COLLECTIONS, default=COLLECTIONS)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    found = {}
    for name in given.only:
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / f"{name}.brain"
            shutil.copytree(given.keep / f"{name}-local.brain", copy)
            dataset = brainkit.load_dataset(given.datasets / name, split="test")
            reranker = Timed()
            with brainkit.open(copy, reranker=reranker, create=False) as brain:
                rows = measured(brain, dataset, depth=given.depth, most=given.queries)
        found[name] = shown(name, rows, reranker)
        if given.out:
            given.out.write_text(json.dumps(found, indent=1), encoding="utf-8")


def measured(
    brain: brainkit.Brain, dataset: brainkit.Dataset, *, depth: int, most: int | None
) -> dict[str, list[tuple[float, float]]]:
    """Return (nDCG@10, milliseconds) of each query, by way to rank."""
    rows: dict[str, list[tuple[float, float]]] = {}
    depths = [one for one in DEPTHS if one < depth] + [depth]
    for query, text in list(dataset.queries.items())[:most]:
        judged = dataset.qrels[query]

        def add(name: str, answer: brainkit.Answer, judged: Mapping[str, int] = judged) -> None:
            ranking = [result.source for result in answer.results]
            grades = grades_of(ranking, judged, TOP_K)[np.newaxis]
            value = float(MEASURE.of(grades, list(judged.values()))[0])
            rows.setdefault(name, []).append((value, answer.response.query_time_ms))

        for name, settings in FIRST_STAGES.items():
            fixed = {"top_k": TOP_K, "depth": max(50, depth), "collapse": "source", **settings}
            add(name, brain.query(text, **fixed))
            read = brain.query(text, rerank=True, rerank_depth=depth, **fixed)
            for shallower in depths:
                add(f"{name} + rerank {shallower}", read.refuse(rerank_depth=shallower))
    return rows


def shown(
    name: str, rows: Mapping[str, Sequence[tuple[float, float]]], reranker: Timed
) -> dict[str, Any]:
    """Print what was measured on one collection, and return it as plain data."""
    count = len(rows["hybrid"])
    table = Table(title=f"{name}, {count} queries, {reranker.ms_per_pair:.0f} ms a pair")
    for column in ("", "nDCG@10", "over its first stage", "p", "ms a query"):
        table.add_column(column, justify="left" if column == "" else "right")
    found: dict[str, Any] = {"queries": count, "ms_per_pair": reranker.ms_per_pair, "rows": {}}
    for way, values in rows.items():
        first, _, depth = way.partition(" + rerank ")
        scores = np.array([score for score, _ in values])
        # What a re-fusion took says nothing of the reading: pairs that were read before are known.
        base = float(np.median([ms for _, ms in rows[first]]))
        ms = base + int(depth or 0) * reranker.ms_per_pair
        row: dict[str, Any] = {"nDCG@10": float(scores.mean()), "ms": ms}
        gained, luck = "", ""
        if depth:
            gains = scores - np.array([score for score, _ in rows[first]])
            mean, low, high = interval(gains)
            row |= {"gain": [mean, low, high], "p": p_value(gains)}
            gained, luck = f"{mean:+.4f} [{low:+.4f}, {high:+.4f}]", f"{row['p']:.3f}"
        table.add_row(way, f"{row['nDCG@10']:.4f}", gained, luck, f"{ms:,.0f}")
        found["rows"][way] = row
    console.print(table)
    return found


if __name__ == "__main__":
    main()
