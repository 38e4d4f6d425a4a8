"""Measure the sample's labelled questions in every mode: the table in the README.

    python tests/bench/sample.py

A ranking is of distinct sources, the best chunk counts. Settings are the defaults; nothing is
fitted to these questions.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from beir import NDCG10, Collection, Qrels
from ir_measures import RR, Measure, R, calc_aggregate
from rich.console import Console
from rich.table import Table

import brainkit
from brainkit.kit import kit_folder

MODES = ("bm25", "vector", "hybrid", "multi")
TYPES = ("exact", "paraphrase", "relation", "test", "language")
MEASURES: tuple[Measure, ...] = (NDCG10, R @ 5, RR @ 10)
DEPTH = 100


def rankings(brain: brainkit.Brain, questions: dict[str, str], mode: str) -> dict[str, list[str]]:
    """Return question id -> sources, best first."""
    found = {}
    for id_, text in questions.items():
        answer = brain.query(text, mode=mode, depth=DEPTH, top_k=50)
        found[id_] = list(dict.fromkeys(result.source for result in answer.results))
    return found


def measured(qrels: Qrels, found: dict[str, list[str]]) -> dict[Measure, float]:
    """Return each measure, averaged over the judged questions; one without a ranking counts 0."""
    run = {
        id_: {source: 1.0 / rank for rank, source in enumerate(sources, 1)}
        for id_, sources in found.items()
    }
    return dict(calc_aggregate(list(MEASURES), qrels, run))


def by_type(folder: Path) -> Iterator[tuple[str, set[str]]]:
    """Yield each type of question with the ids of its questions."""
    with open(folder / "queries.jsonl", encoding="utf-8") as lines:
        questions = [json.loads(line) for line in lines]
    for kind in TYPES:
        yield kind, {q["_id"] for q in questions if q["metadata"]["type"] == kind}


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the tables, or one JSON document."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    options = parser.parse_args(arguments)
    data = kit_folder("data")
    collection = Collection(data / "sample-questions")
    qrels, (questions, _) = collection.qrels(), collection.queries()
    with (
        tempfile.TemporaryDirectory() as scratch,
        brainkit.open(Path(scratch) / "sample.brain", embedder="local") as brain,
    ):
        brain.ingest(data / "sample")
        found = {mode: rankings(brain, questions, mode) for mode in MODES}
        chunks = brain.info().counts["chunks"]
    table = Table(title=f"{len(questions)} questions over {chunks} chunks", box=None)
    for name in ("mode", *map(str, MEASURES), *(f"{NDCG10} {kind}" for kind in TYPES)):
        table.add_column(name, justify="left" if name == "mode" else "right")
    document = {}
    for mode, ranked in found.items():
        row = {str(measure): value for measure, value in measured(qrels, ranked).items()}
        for kind, ids in by_type(collection.folder):
            of_kind = {id_: grades for id_, grades in qrels.items() if id_ in ids}
            row[f"{NDCG10} {kind}"] = measured(of_kind, ranked)[NDCG10]
        document[mode] = row
        table.add_row(mode, *(f"{row[str(column.header)]:.3f}" for column in table.columns[1:]))
    if options.json:
        print(json.dumps(document, indent=1))  # noqa: T201  # a script's output
    else:
        Console().print(table)


if __name__ == "__main__":
    main()
