"""Measure multi-hop questions by type, without any model but the embedder.

    python tests/bench/multihop.py --datasets ../shared/datasets --keep ~/.cache/brainkit-bench

Recall@2, Recall@5 and the share of questions with all gold passages in the top 5. The constants of
the guided scorer were chosen on the first 300 questions of 2wikimultihop, so the other 690 are
reported apart, and so are those that hold a title of two words or more as it is written. Of the
metadata only the question's type is read: neither the evidence nor how gold was matched.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table
from tqdm import tqdm

import brainkit
from brainkit.evaluation.datasets import Dataset, load_dataset

SETS = ("2wikimultihop", "hotpotqa-train100", "musique-train100")
TUNED_ON = 300
METHODS: Mapping[str, Mapping[str, Any]] = {
    "bm25": {"mode": "bm25"},
    "vector": {"mode": "vector"},
    "hybrid": {"mode": "hybrid"},
    "graph hops": {"mode": "graph", "graph_scorer": "hops"},
    "graph pagerank": {"mode": "graph", "graph_scorer": "pagerank"},
    "graph guided": {"mode": "graph", "graph_scorer": "guided"},
    "multi": {"mode": "multi", "graph_scorer": "guided"},
}
console = Console(width=120, highlight=False)


class Found(NamedTuple):
    """What one question got: its type, and whether it holds a title as it is written."""

    kind: str
    titled: bool
    recall_at_2: float
    recall_at_5: float
    all_at_5: float


def filled(folder: Path, keep: Path, name: str = "") -> brainkit.Brain:
    """Return a brain with one chunk per passage of a collection."""
    brain = brainkit.open(keep / f"{name or folder.name}-graph.brain")
    brain.ingest_texts(load_dataset(folder).records(), split=False)
    return brain


def asked(
    brain: brainkit.Brain, dataset: Dataset, settings: Mapping[str, Any], *, what: str
) -> list[Found]:
    """Ask every question of a dataset in one way."""
    titles = {str(record.get("title", "")) for record in dataset.records()}
    long = [title for title in titles if " " in title]
    rows = []
    for query, text in tqdm(dataset.queries.items(), desc=what, leave=False, disable=None):
        gold = {source for source, grade in dataset.qrels[query].items() if grade > 0}
        ranked = [r.source for r in brain.query(text, top_k=5, depth=50, **settings).results]
        facts = dataset.metadata[query]
        top2, top5 = gold.intersection(ranked[:2]), gold.intersection(ranked)
        rows.append(
            Found(
                str(facts.get("type", "all")),
                any(title in text for title in long),
                len(top2) / len(gold),
                len(top5) / len(gold),
                float(top5 == gold),
            )
        )
    return rows


def means(rows: Iterable[Found]) -> str:
    """Return R@2, R@5 and all-gold@5 of some questions, in this order."""
    columns = list(zip(*(row[2:] for row in rows), strict=True))
    return " ".join(f"{sum(column) / len(column):.3f}" for column in columns) or "-"


def parts(name: str, rows: Sequence[Found]) -> dict[str, Sequence[Found]]:
    """Return the groups of questions that are reported, by name."""
    found: dict[str, Sequence[Found]] = {"all": rows}
    if name == "2wikimultihop" and len(rows) > TUNED_ON:
        found["not tuned on"] = rows[TUNED_ON:]
        found["with a title"] = [row for row in rows if row.titled]
    kinds = dict.fromkeys(row.kind for row in rows)
    if len(kinds) > 1:
        found |= {kind: [row for row in rows if row.kind == kind] for kind in kinds}
    return found


def main() -> None:
    """Measure and print one table per collection."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--datasets", type=Path, required=True)
    parser.add_argument("--keep", type=Path, help="folder for the embedded brains")
    parser.add_argument("--sets", nargs="+", choices=SETS, default=SETS)
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=list(METHODS))
    parser.add_argument("--first", type=int, help="only so many questions")
    parser.add_argument("--json", type=Path, help="write the figures to a file, too")
    given = parser.parse_args()
    kept: dict[str, dict[str, dict[str, str]]] = {}
    with tempfile.TemporaryDirectory() as scratch:
        for name in given.sets:
            dataset = load_dataset(given.datasets / name)
            if given.first:
                dataset = dataset.only(list(dataset.queries)[: given.first])
            with filled(given.datasets / name, given.keep or Path(scratch)) as brain:
                found = {
                    method: parts(name, asked(brain, dataset, METHODS[method], what=method))
                    for method in given.methods
                }
            groups = {group: len(rows) for group, rows in next(iter(found.values())).items()}
            title = f"{name}: R@2 R@5 all-gold@5"
            table = Table(
                "", *(f"{group}\n{count} questions" for group, count in groups.items()), title=title
            )
            kept[name] = {m: {g: means(rows) for g, rows in of.items()} for m, of in found.items()}
            for method, of in kept[name].items():
                table.add_row(method, *of.values())
            console.print(table)
    if given.json:
        given.json.write_text(json.dumps(kept, indent=1), "utf-8")


if __name__ == "__main__":
    main()
