"""Ask what calls, inherits, tests and imports what, in the sources of flask and requests.

    pip download --no-binary :all: --no-deps flask==3.1.2 requests==2.34.2   # and unpack both
    python tests/bench/code_questions.py flask-3.1.2 requests-2.34.2

The questions and the lines that answer them were written by hand from those two releases
(code_questions.tsv). A chunk is right if it holds such a line. Graph mode by hops embeds nothing;
the vectors of the others are the local model's.
"""

from __future__ import annotations

import argparse
import csv
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

import brainkit
from brainkit.models import QueryRequest, QueryResult

RELEASES = {"flask": "3.1.2", "requests": "2.34.2"}
METHODS = {
    "bm25": {"mode": "bm25"},
    "vector": {"mode": "vector"},
    "hybrid": {"mode": "hybrid"},
    "graph hops": {"mode": "graph", "graph_scorer": "hops"},
    "graph pagerank": {"mode": "graph", "graph_scorer": "pagerank"},
    "graph guided": {"mode": "graph", "graph_scorer": "guided"},
    "multi": {"mode": "multi"},
}
console = Console(width=110, highlight=False)


class Question(NamedTuple):
    """A question of one type, and the (file, line) places that answer it."""

    project: str
    kind: str
    text: str
    places: tuple[tuple[str, int], ...]


def questions() -> list[Question]:
    """Read the questions."""
    path = Path(__file__).with_name("code_questions.tsv")
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    return [
        Question(
            row["project"],
            row["type"],
            row["question"],
            tuple((p.rpartition(":")[0], int(p.rpartition(":")[2])) for p in row["lines"].split()),
        )
        for row in rows
    ]


def recall(results: Sequence[QueryResult], question: Question, label: str) -> float:
    """Return the share of the places that the results hold."""
    held = sum(
        any(r.source == f"{label}/{file}" and r.start_line <= line <= r.end_line for r in results)
        for file, line in question.places
    )
    return held / len(question.places)


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--keep", type=Path, help="folder for the embedded brains")
    parser.add_argument("--misses", metavar="METHOD", help="print what a method does not find")
    given = parser.parse_args()
    found: dict[tuple[str, str], list[float]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as scratch:
        for folder in given.folders:
            project, _, release = folder.resolve().name.rpartition("-")
            if RELEASES.get(project) != release:
                parser.error(f"{folder} is not one of {RELEASES}; its lines would be others.")
            path = (given.keep or Path(scratch)) / f"{project}-code.brain"
            with brainkit.open(path) as brain:
                brain.ingest(folder, label=project)
                for question in (one for one in questions() if one.project == project):
                    for name, settings in METHODS.items():
                        # Tests call much of what they test; their lines are asked for apart.
                        kinds = ("test",) if question.kind == "tests" else ("code",)
                        request = QueryRequest(
                            query=question.text, top_k=5, source_types=kinds, **settings
                        )
                        value = recall(brain.query(request).results, question, project)
                        found[name, question.kind].append(value)
                        found[name, "all"].append(value)
                        if name == given.misses and value < 1:
                            console.print(f"{value:.2f} {question.text}")
    kinds = list(dict.fromkeys(kind for _, kind in found))
    table = Table("R@5", *kinds, title="What calls, inherits, tests, imports X")
    for name in METHODS:
        table.add_row(name, *(f"{sum(v) / len(v):.3f}" for v in (found[name, k] for k in kinds)))
    table.add_row("questions", *(str(len(found["bm25", kind])) for kind in kinds))
    console.print(table)


if __name__ == "__main__":
    main()
