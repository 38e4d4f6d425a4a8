"""Measure what taking in one changed file costs in a large brain, stage by stage.

    python tests/bench/incremental.py --chunks 100000 --json after.json
    python tests/bench/incremental.py --chunks 100000 --beside before.json

The brain is made once: the texts of ``suite.py``, twenty to a file. Then one file is changed so
many times, each time by a sentence, and ingested again; vectors are noise by content, so that no
model runs. With ``--tree`` the files of a folder are copied instead, such as a code base, whose
entity graph is then of real size. ``--exact-limit`` below the number of chunks adds HNSW.

Stages are functions of brainkit, timed from outside: those indented are part of the one above, and
one that a version lacks is left out. ``cpu`` counts all threads, and says more than the wall clock
on a busy machine. Figures are medians; the first change, which also imports, is left out.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import json
import os
import shutil
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table
from synthetic import Corpus

import brainkit

Spent = tuple[float, float]
"""Seconds by the wall clock, and of the processor."""

PER_FILE = 20
WHOLE = "one changed file"
STAGES = {
    "prepare": "brainkit.engine.engine:from_folder",
    "  walk": "brainkit.ingest.prepare:walk",
    "  read and chunk": "brainkit.ingest.prepare:from_file",
    "embed, from the cache": "brainkit.ingest.pipeline:embed",
    "copy the database": "brainkit.store.draft:Draft.__init__",
    "remove the old rows": "brainkit.store.draft:Draft.remove",
    "add the new rows": "brainkit.store.draft:Draft.add",
    "publish": "brainkit.store.draft:Draft.publish",
    "  relate the facts": "brainkit.store.facts:DraftFacts.relate",
    "  hash the database": "brainkit.store.manifest:Manifest.of",
    "  vectors": "brainkit.store.indexes:_build_vectors",
    "    HNSW": "brainkit.store.hnsw:build",
    "  keywords": "brainkit.store.indexes:_build_keywords",
    "  graph": "brainkit.store.indexes:_build_graph",
    "  hash the indexes": "brainkit.store.manifest:Manifest.add",
    "  swap": "brainkit.store.draft:publish",
}


class Stopwatch:
    """Adds up what each stage takes, by its name."""

    def __init__(self) -> None:
        self.spent: dict[str, Spent] = {}

    @contextmanager
    def __call__(self, stage: str) -> Iterator[None]:
        wall, cpu = time.perf_counter(), time.process_time()
        try:
            yield
        finally:
            before = self.spent.get(stage, (0.0, 0.0))
            now = (time.perf_counter() - wall, time.process_time() - cpu)
            self.spent[stage] = (before[0] + now[0], before[1] + now[1])

    def watch(self, stage: str, place: str) -> None:
        """Time every call of a function, given as ``module:name``, where there is such a one."""
        module, _, path = place.partition(":")
        owner: Any = importlib.import_module(module)
        *above, name = path.split(".")
        for one in above:
            owner = getattr(owner, one, None)
        if not hasattr(owner, name):
            return
        timed = self._timed(stage, getattr(owner, name))
        setattr(owner, name, timed)
        for kind in getattr(owner, "KINDS", ()):  # these hold the function itself
            if kind.build is timed.__wrapped__:  # type: ignore[attr-defined]
                object.__setattr__(kind, "build", timed)

    def _timed(self, stage: str, call: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(call)
        def timed(*given: Any, **options: Any) -> Any:
            with self(stage):
                return call(*given, **options)

        return timed


def noise(dim: int) -> Callable[[list[str]], NDArray[np.float32]]:
    """Return an embedder that gives each text a direction of its own."""

    def embed(texts: list[str]) -> NDArray[np.float32]:
        rows = np.empty((len(texts), dim), np.float32)
        for row, text in zip(rows, texts, strict=True):
            seed = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")
            row[:] = np.random.Generator(np.random.SFC64(seed)).standard_normal(dim, np.float32)
        return rows

    embed.name, embed.batch_size, embed.max_tokens = "noise", 1024, 512  # type: ignore[attr-defined]
    return embed


def plant(folder: Path, chunks: int) -> None:
    """Write the synthetic texts as files."""
    texts = Corpus(chunks).texts
    for number, first in enumerate(range(0, chunks, PER_FILE)):
        file = folder / f"d{number // 100:03}" / f"f{number:05}.txt"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("\n\n".join(texts[first : first + PER_FILE]) + "\n", "utf-8")


def changed(file: Path, turn: int) -> None:
    """Add a sentence, or in code a function, that the file has not had."""
    code = f"def changed_{turn}(value):\n    return value\n"
    sentence = f"The {turn}th change of this file is a sentence at its end.\n"
    text = file.read_text("utf-8")
    file.write_text(f"{text}\n\n{code if file.suffix == '.py' else sentence}", "utf-8")


def measure(
    folder: Path, tree: Path, *, turns: int, dim: int, exact_limit: int
) -> tuple[int, dict[str, Spent]]:
    """Ingest, change one file so many times, and return the chunks there are and the medians."""
    watch = Stopwatch()
    found: defaultdict[str, list[Spent]] = defaultdict(list)
    with brainkit.open(folder, embedder=noise(dim), exact_limit_chunks=exact_limit) as brain:
        brain.ingest(tree, progress=False)
        files = sorted(path for path in tree.rglob("*") if path.suffix in (".txt", ".py"))
        middle = max(files[len(files) // 2 : len(files) // 2 + 50], key=lambda f: f.stat().st_size)
        for stage, place in STAGES.items():
            watch.watch(stage, place)
        for turn in range(turns + 1):
            changed(middle, turn + time.time_ns())
            watch.spent = {}
            with watch(WHOLE):
                report = brain.ingest(tree, progress=False)
            if report.counts.get("changed") != 1:
                raise SystemExit(f"{middle} was to be the one that changed: {report.summary()}")
            for stage, spent in watch.spent.items() if turn else ():
                found[stage].append(spent)
        size = brain.info().counts["chunks"]
    return size, {stage: _median(found[stage]) for stage in (WHOLE, *STAGES) if stage in found}


def _median(spent: Sequence[Spent]) -> Spent:
    return statistics.median(s[0] for s in spent), statistics.median(s[1] for s in spent)


def table(spent: dict[str, Spent], before: dict[str, Spent], title: str) -> Table:
    """Lay the stages out, beside those of another run where there is one."""
    grid = Table(title=title, box=None, header_style="bold")
    grid.add_column("stage", no_wrap=True)
    runs = [(" before", before)] if before else []
    runs.append(("", spent))
    for name, _ in runs:
        grid.add_column(f"ms{name}", justify="right")
        grid.add_column(f"cpu ms{name}", justify="right")
    for stage in (WHOLE, *STAGES):
        if any(stage in run for _, run in runs):
            cells = [run.get(stage) for _, run in runs]
            texts = [f"{s * 1000:,.0f}" if cell else "" for cell in cells for s in cell or (0, 0)]
            grid.add_row(stage, *texts)
    return grid


def main() -> None:
    """Read the command line, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--chunks", type=int, default=100_000)
    parser.add_argument("--tree", type=Path, help="a folder whose files to take instead")
    parser.add_argument("--dim", type=int, default=384)
    parser.add_argument("--exact-limit", type=int, default=1_000_000)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--keep", type=Path, help="folder to keep the files and the brain in")
    parser.add_argument("--json", type=Path, help="file to write the medians to")
    parser.add_argument("--beside", type=Path, help="such a file of another run, to compare with")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        home = given.keep or Path(scratch)
        tree = home / "tree"
        if not tree.exists():
            if given.tree:
                shutil.copytree(given.tree, tree)
            else:
                plant(tree, given.chunks)
        size, spent = measure(
            home / "x.brain", tree, turns=given.turns, dim=given.dim, exact_limit=given.exact_limit
        )
    before = json.loads(given.beside.read_text("utf-8")) if given.beside else {}
    load = os.getloadavg()[0]
    title = f"{size:,} chunks of {given.dim:,} dimensions, {given.turns} changes, load {load:.1f}"
    Console(width=100, highlight=False).print(table(spent, before, title))
    if given.json:
        given.json.write_text(json.dumps(spent, indent=1), "utf-8")


if __name__ == "__main__":
    main()
