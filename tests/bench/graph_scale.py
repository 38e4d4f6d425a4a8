"""Measure what a large entity graph takes: to lay down, on disk, to open, and per question.

    python tests/bench/graph_scale.py --relations 1000000

The graph is drawn at random with hubs, as real ones have: how often an entity is an end falls as
1 / rank. No text is read and nothing is embedded. Each figure is of one run; memory is that of a
process of its own that only opens the brain.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import numpy as np
from rich.console import Console

from brainkit.extract.graph import PREDICATES, EntityRow, Graph, MentionRow, RelationRow
from brainkit.ingest.upkeep import publish_empty
from brainkit.settings import Settings
from brainkit.store.chunks import FileRow, NewChunk
from brainkit.store.draft import drafting
from brainkit.store.generation import Generation, open_current
from brainkit.store.graph_tables import lay_down
from brainkit.store.layout import GRAPH, Layout, folder_bytes

_LIMIT = 100_000
_PER_FILE = 20


def drawn(*, entities: int, relations: int, chunks: int, mentions: int) -> Graph:
    """Draw a graph; equal numbers give an equal one."""
    random = np.random.default_rng(11)

    def some(count: int) -> list[int]:
        return np.minimum(entities ** random.random(count) - 1, entities - 1).astype(int).tolist()

    keys = random.integers(1, chunks + 1, relations + mentions).tolist()
    ends = {
        (subject, PREDICATES[predicate], object_)
        for subject, predicate, object_ in zip(
            random.integers(entities, size=relations).tolist(),
            random.integers(len(PREDICATES), size=relations).tolist(),
            some(relations),
            strict=True,
        )
        if subject != object_
    }
    places = {
        (entity, key, role)
        for entity, key, role in zip(
            some(mentions), keys, Random(3).choices(("about", "mentions"), k=mentions), strict=False
        )
    }
    names = sorted(f"entity{number:07d}" for number in range(entities))
    return Graph(
        entities=tuple(
            EntityRow(at, name, name.title(), ("class",), ((name.title(), 1.0), (name[2:], 0.9)), 9)
            for at, name in enumerate(names)
        ),
        relations=tuple(
            RelationRow(*one, ((keys[at], 0, 40),)) for at, one in enumerate(sorted(ends))
        ),
        mentions=tuple(MentionRow(*one, 1.0, 0, 40) for one in sorted(places)),
    )


def filled(layout: Layout, graph: Graph, *, chunks: int) -> str:
    """Make a brain of empty chunks and this graph; return how long laying it down took."""
    publish_empty(layout, Settings(), chosen=())
    base = open_current(layout, exact_limit=_LIMIT)
    with drafting(layout, base.chunks) as draft:
        for first in range(0, chunks, _PER_FILE):
            source = f"s{first:07d}"
            row = FileRow(source, "", source, 1, "", "doc", None, None, None, None, _PER_FILE)
            texts = [f"{source} {at}" for at in range(_PER_FILE)]
            draft.add([(row, [NewChunk(1, 1, text, "", (), text.encode(), 1) for text in texts])])
        start = time.perf_counter()
        lay_down(graph, draft._connection)
        laid = time.perf_counter() - start
        start = time.perf_counter()
        draft.publish(exact_limit=_LIMIT)
        published = time.perf_counter() - start
    base.retire()
    return f"tables {laid:.1f} s, publishing with all indexes {published:.1f} s"


@contextmanager
def timed(what: str) -> Iterator[None]:
    start = time.perf_counter()
    yield
    Console().print(f"{what:<48}{(time.perf_counter() - start) * 1000:>10.1f} ms")


def opened(folder: Path) -> None:
    """What the process that only opens it prints."""
    before = _resident()
    with timed("open the generation"):
        generation = Generation(folder, exact_limit=_LIMIT)
    with timed("open the graph, every hash checked"):
        graph = generation.graph
    random = np.random.default_rng(5)
    some = random.integers(graph.size, size=1000).tolist()
    with timed("1,000 x neighbours out and in, and chunks"):
        for entity in some:
            graph.out(entity)
            graph.into(entity)
            graph.chunks_of(entity)
    with timed("1,000 x look up a name"):
        for entity in some:
            graph.named(f"entity{entity:07d}")
    grown = {kind: now - before[kind] for kind, now in _resident().items()}
    Console().print(
        f"{'memory for it':<48}{grown['RssAnon']:>10.1f} MB, and {grown['RssFile']:.0f} MB of "
        "mapped files"
    )
    with timed("to_igraph"):
        graph.to_igraph()


def _resident() -> dict[str, float]:
    """Resident memory in MB, by kind; Linux only."""
    lines = Path("/proc/self/status").read_text("ascii").splitlines()
    pairs = (line.split(":") for line in lines if line.startswith("Rss"))
    return {name: int(value.split()[0]) / 1024 for name, value in pairs}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--relations", type=int, default=1_000_000)
    parser.add_argument("--entities", type=int, default=200_000)
    parser.add_argument("--chunks", type=int, default=100_000)
    parser.add_argument("--mentions", type=int, default=1_500_000)
    parser.add_argument("--opened", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.opened:
        opened(given.opened)
        return
    with tempfile.TemporaryDirectory() as home:
        layout = Layout(Path(home) / "x.brain")
        layout.folder.mkdir()
        graph = drawn(
            entities=given.entities,
            relations=given.relations,
            chunks=given.chunks,
            mentions=given.mentions,
        )
        console = Console()
        console.print(
            f"{len(graph.entities):,} entities, {len(graph.relations):,} relations, "
            f"{len(graph.mentions):,} mentions, {given.chunks:,} chunks"
        )
        console.print(filled(layout, graph, chunks=given.chunks))
        folder = layout.generation(layout.current())
        sizes = {path.name: folder_bytes(path) / 1e6 for path in folder.iterdir()}
        console.print(f"database {sizes['chunks.duckdb']:.0f} MB, graph {sizes[GRAPH]:.0f} MB")
        command = [sys.executable, __file__, "--opened", str(folder)]
        subprocess.run(command, check=True, env={**os.environ, "PYTHONPATH": os.getcwd()})


if __name__ == "__main__":
    main()
