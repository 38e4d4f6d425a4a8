"""Multi-hop questions among competing passages: what is left when every name leads somewhere.

    python tests/bench/stress.py --datasets ../shared/datasets --keep ~/.cache/brainkit-bench

In 2wikimultihop a name in a passage mostly leads to a passage that is needed: the corpus is closed.
Here every proper name that the graph knows, and that is no title, gets a passage of its own, of one
line, so that a walk has to choose. ``--line`` says what the line is:

    bare      the name alone
    source    "NAME is mentioned in the article about TITLE."
    sentence  the very sentence that names it, a copy of the gold's own words

The questions on which the constants were chosen are left out, unless --all is given.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from multihop import METHODS, TUNED_ON, asked, filled, means, parts
from rich.console import Console
from rich.table import Table

import brainkit
from brainkit.evaluation.datasets import load_dataset

NAME = "2wikimultihop"
console = Console(width=120, highlight=False)


def competitors(brain: brainkit.Brain, line: str) -> Iterator[dict[str, str]]:
    """Yield a record for every name in the graph of a brain that is no title."""
    with brain._engine.reading() as generation:
        graph = generation.graph
        first = {
            entity: graph.chunks_of(entity)
            for entity in range(graph.size)
            if "document" not in graph.kinds[entity]
        }
        rows = np.array(sorted({int(held.rows[0]) for held in first.values()}), np.int64)
        texts = generation.chunks.texts(rows)
        for entity, held in first.items():
            row, name = int(held.rows[0]), graph.names[entity]
            about = graph.entities_in(row)
            titles = about.entities[about.about].tolist()
            yield {
                "_id": f"competitor-{entity}",
                "title": name,
                "text": {
                    "bare": f"{name}.",
                    "source": f"{name} is mentioned in the article about "
                    f"{graph.names[titles[0]] if titles else 'it'}.",
                    "sentence": texts[row][int(held.starts[0]) : int(held.ends[0])],
                }[line],
            }


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--datasets", type=Path, required=True)
    parser.add_argument("--keep", type=Path, help="folder for the embedded brains")
    parser.add_argument("--line", choices=("bare", "source", "sentence"), default="bare")
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=["hybrid", "graph guided"])
    parser.add_argument("--all", action="store_true", help="the first 300 questions, too")
    given = parser.parse_args()
    folder = given.datasets / NAME
    dataset = load_dataset(folder)
    if not given.all:
        dataset = dataset.only(list(dataset.queries)[TUNED_ON:])
    with tempfile.TemporaryDirectory() as scratch:
        keep = given.keep or Path(scratch)
        with filled(folder, keep) as plain:
            lines = list(competitors(plain, given.line))
        with brainkit.open(keep / f"stress-{given.line}.brain") as brain:
            brain.ingest_texts([*dataset.records(), *lines], split=False)
            found = {m: asked(brain, dataset, METHODS[m], what=m) for m in given.methods}
    title = f"{NAME} and {len(lines):,} competing passages: R@2 R@5 all-gold@5"
    kinds = [group for group in parts("", found[given.methods[0]]) if group != "with a title"]
    table = Table("", *kinds, title=title)
    for method, rows in found.items():
        table.add_row(method, *(means(of) for of in parts("", rows).values()))
    console.print(table)


if __name__ == "__main__":
    main()
