"""Measure what a question takes in graph mode, by scorer, over a large graph.

    python tests/bench/graph_speed.py --relations 1000000 --chunks 100000

The texts and vectors are those of ``suite.py``, the graph that of ``graph_scale.py``: no model
runs, and embedding the question is left out. Each question names one or two entities beside a few
words of the corpus; the entities are drawn as the ends of relations are, so hubs come often.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import numpy as np
from graph_scale import drawn
from rich.console import Console
from rich.table import Table
from synthetic import Corpus

import brainkit
from brainkit.settings import Settings
from brainkit.store.draft import drafting
from brainkit.store.generation import open_current
from brainkit.store.graph_tables import lay_down
from brainkit.store.layout import Layout

LIMIT = Settings().exact_limit_chunks
QUESTIONS = 120


def filled(folder: Path, corpus: Corpus, given: argparse.Namespace) -> None:
    """Make a brain of the corpus, then put the drawn graph in the place of its own."""
    with brainkit.open(folder, embedder=corpus.embedder()) as brain:
        brain.ingest_texts(corpus.records(), split=False, progress=False)
    graph = drawn(
        entities=given.entities,
        relations=given.relations,
        chunks=given.chunks,
        mentions=given.mentions,
    )
    layout = Layout(folder)
    base = open_current(layout, exact_limit=LIMIT)
    with drafting(layout, base.chunks) as draft:
        lay_down(graph, draft._connection)
        draft.publish(exact_limit=LIMIT)
    base.retire()


def asked(corpus: Corpus, *, entities: int) -> dict[str, np.ndarray]:
    """Return question -> vector: the corpus' own questions, each with one name or two."""
    random = np.random.default_rng(3)
    found = {}
    for text, vector in list(corpus.asked.items())[:QUESTIONS]:
        ends = entities ** random.random(int(random.integers(1, 3))) - 1
        names = " and ".join(f"Entity{int(end):07d}" for end in ends)
        found[f"where {text} of {names}"] = vector
    return found


def main() -> None:
    """Build, ask, and print the milliseconds."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--relations", type=int, default=1_000_000)
    parser.add_argument("--entities", type=int, default=200_000)
    parser.add_argument("--chunks", type=int, default=100_000)
    parser.add_argument("--mentions", type=int, default=1_500_000)
    parser.add_argument("--keep", type=Path, help="folder for the brain, to measure it again")
    given = parser.parse_args()
    corpus = Corpus(given.chunks)
    questions = asked(corpus, entities=given.entities)
    table = Table("scorer", "p50, ms", "p95", "graph alone, p50", "entities reached")
    with tempfile.TemporaryDirectory() as scratch:
        folder = (given.keep or Path(scratch)) / f"graph-{given.relations}.brain"
        if not folder.exists():
            filled(folder, corpus, given)
        embedder = corpus.embedder()
        embedder._vectors.update(questions)
        with brainkit.open(folder, embedder=embedder) as brain:
            for scorer in ("hops", "pagerank", "guided"):
                taken, own, reached = [], [], []
                for text in questions:
                    start = time.perf_counter()
                    response = brain.query(text, mode="graph", graph_scorer=scorer).response
                    taken.append((time.perf_counter() - start) * 1000)
                    own.append(response.timings_ms["graph"])
                    reached.append(response.trace.graph.reached)
                half, most = np.percentile(taken, (50, 95))
                table.add_row(
                    scorer,
                    f"{half:.1f}",
                    f"{most:.1f}",
                    f"{np.median(own):.1f}",
                    f"{np.median(reached):,.0f}",
                )
    Console().print(table)


if __name__ == "__main__":
    main()
