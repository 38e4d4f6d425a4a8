"""Measure the sample's labelled questions in every mode: the table in the README.

    python tests/bench/sample.py

A ranking is of distinct sources, the best chunk counts. Settings are the defaults; nothing is
fitted to these questions.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

import brainkit
from brainkit.kit import kit_folder

MODES = ("bm25", "vector", "hybrid", "multi")
TYPES = ("exact", "paraphrase", "relation", "test", "language")
MEASURES = ("nDCG@10", "R@5", "RR@10")


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table, or one JSON document."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    options = parser.parse_args(arguments)
    data = kit_folder("data")
    questions = brainkit.load_dataset(data / "sample-questions")
    with (
        tempfile.TemporaryDirectory() as scratch,
        brainkit.open(Path(scratch) / "sample.brain", embedder="local") as brain,
    ):
        brain.ingest(data / "sample")
        found = brainkit.evaluate(
            brain, questions, {mode: {"mode": mode} for mode in MODES}, measures=MEASURES
        )
        chunks = brain.info().counts["chunks"]
    by_type = found.breakdown("type")
    document = {
        mode: {
            **{measure: found.mean(mode, measure) for measure in MEASURES},
            **{f"{MEASURES[0]} {kind}": float(by_type.loc[kind, mode]) for kind in TYPES},
        }
        for mode in MODES
    }
    if options.json:
        print(json.dumps(document, indent=1))  # noqa: T201  # a script's output
        return
    table = Table(title=f"{len(questions)} questions over {chunks} chunks", box=None)
    table.add_column("mode")
    for name in document[MODES[0]]:
        table.add_column(name, justify="right")
    for mode, row in document.items():
        table.add_row(mode, *(f"{value:.3f}" for value in row.values()))
    Console(width=150, highlight=False).print(table)


if __name__ == "__main__":
    main()
