"""Measure the speed of queries, fusion and ingest beside the bare library calls, in one run.

    python tests/bench/speed.py --sizes 10000,100000

Vectors are looked up, so no model runs, but for the default embedder's in the fresh processes. Ours
and the bare calls are mixed at random, so that a busy moment hits both, and figures are medians.
Targets are for two idle cores; on a busy machine only the ratios mean something.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import numpy as np
from bare import Bare
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table
from synthetic import DIM, Corpus

import brainkit
from brainkit.embed import Identity
from brainkit.embed.local import LocalEmbedder
from brainkit.fuse import fuse
from brainkit.models import QueryRequest
from brainkit.store.layout import Layout

Floats = NDArray[np.float32]
T = TypeVar("T")
HERE = Path(__file__).resolve().parent
MODES = ("vector", "bm25", "hybrid", "multi")
QUERY_MS = {10_000: 10.0, 100_000: 25.0}
RATIO = 1.5
REFUSE_MS = 1.0
CHUNKS_PER_S = 2_000.0
IMPORT_S, FIRST_ANSWER_S, RSS_MB = 0.3, 1.5, 700.0
DEPTH = 50

# Both sides given, rich believes them on a dumb terminal too.
console = Console(width=120, height=50, highlight=False)


@dataclass(frozen=True)
class Row:
    """One line of the table; ``most`` and ``least`` are the targets that it has."""

    what: str
    ours: float
    unit: str
    p95: float | None = None
    bare: float | None = None
    most: float | None = None
    least: float | None = None
    most_ratio: float | None = None

    @property
    def ratio(self) -> float | None:
        """Ours over bare."""
        return None if not self.bare else self.ours / self.bare

    @property
    def targets(self) -> str:
        """The targets in words."""
        limits = {"<=": self.most, ">=": self.least, "<= x": self.most_ratio}
        return ", ".join(f"{sign} {value:g}" for sign, value in limits.items() if value is not None)

    @property
    def missed(self) -> bool:
        """Whether any target was missed."""
        return (
            (self.most is not None and self.ours > self.most)
            or (self.least is not None and self.ours < self.least)
            or (self.most_ratio is not None and (self.ratio or 0.0) > self.most_ratio)
        )


class Timings:
    """Milliseconds of repeated calls, by name."""

    def __init__(self) -> None:
        self._all: defaultdict[str, list[float]] = defaultdict(list)

    def add(self, name: str, ms: float) -> None:
        """Note one measurement."""
        self._all[name].append(ms)

    def time(self, name: str, call: Callable[..., T], *given: Any, **options: Any) -> T:
        """Call, note how long it took, and return what it gave."""
        start = time.perf_counter()
        gave = call(*given, **options)
        self.add(name, (time.perf_counter() - start) * 1000)
        return gave

    def median(self, name: str) -> float:
        """Return the median."""
        return statistics.median(self._all[name])

    def p95(self, name: str) -> float:
        """Return the 95th percentile."""
        return float(np.percentile(self._all[name], 95))

    def names(self, prefix: str) -> list[str]:
        """Return the names that begin so, in the order of their first measurement."""
        return [name for name in self._all if name.startswith(prefix)]


class TextOnly:
    """Counts tokens as the local embedder does, and gives every text the same vector."""

    batch_size = 1024

    def __init__(self) -> None:
        self._local = LocalEmbedder()
        self.seconds = 0.0
        self.max_tokens = self._local.max_tokens
        self.identity = Identity(
            provider="bench", model="text only", dim=DIM, revision="1", max_tokens=self.max_tokens
        )
        self.special_tokens = self._local.special_tokens

    def embed_documents(self, texts: Sequence[str]) -> Floats:
        """Return the same direction for each text."""
        start = time.perf_counter()
        vectors = np.tile(np.eye(1, DIM, dtype=np.float32), (len(texts), 1))
        self.seconds += time.perf_counter() - start
        return vectors

    def embed_query(self, text: str) -> Floats:
        """Return that direction."""
        direction: Floats = np.eye(1, DIM, dtype=np.float32)[0]
        return direction

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Count as the local embedder does."""
        return self._local.count_tokens(texts)


def ingest_rows(what: str, report: brainkit.IngestReport, embedding_s: float) -> Iterator[Row]:
    """Turn a report into chunks per second, in all and by stage, besides embedding."""
    seconds = dict(report.seconds)
    seconds["embed"] -= embedding_s
    whole = sum(seconds.values())
    yield Row(
        f"{what} ({report.chunks:,} chunks): ingest but embedding",
        report.chunks / whole,
        "chunks/s",
        least=CHUNKS_PER_S,
    )
    names = {"embed": "vectors in and out of the cache"}
    for stage, s in seconds.items():
        yield Row(f"    {names.get(stage, stage)}", report.chunks / s, "chunks/s")


def query_rows(brain: brainkit.Brain, folder: Path, corpus: Corpus) -> Iterator[Row]:
    """Time every mode beside the bare calls that it comes down to."""
    timings = query_timings(brain, folder, corpus)
    search = {
        "vector": min(timings.median("numpy"), timings.median("usearch")),
        "bm25": timings.median("bm25s"),
    }
    searches = {"vector": ("vector",), "bm25": ("bm25",)}
    for mode in MODES:
        fetch = timings.median(f"duckdb {mode}")
        yield Row(
            f"{corpus.size:,} chunks: query by {mode}",
            timings.median(f"ours {mode}"),
            "ms",
            p95=timings.p95(f"ours {mode}"),
            bare=fetch + sum(search[name] for name in searches.get(mode, search)),
            most=QUERY_MS.get(corpus.size),
            most_ratio=RATIO if mode == "hybrid" else None,
        )
        for name in timings.names(f"stage {mode} "):
            stage = name.rsplit(" ", 1)[1]
            bare = {**search, "fetch": fetch}.get(stage)
            yield Row(f"    {stage}", timings.median(name), "ms", bare=bare)
    for name in ("numpy", "usearch"):
        yield Row(f"    bare exact search by {name}", timings.median(name), "ms")


def query_timings(brain: brainkit.Brain, folder: Path, corpus: Corpus) -> Timings:
    """Ask every question in every mode, and the libraries for the same, in random order.

    What is asked second finds the caches warm, so nobody may always be second.
    """
    layout, timings, random = Layout(folder), Timings(), Random(0)
    bare = Bare(layout.generation(layout.current()), depth=DEPTH)

    def ask(text: str, mode: str) -> brainkit.Answer:
        return brain.query(text, mode=mode, depth=DEPTH)

    def ours(text: str, mode: str) -> None:
        start = time.perf_counter()
        stages = dict(ask(text, mode).response.timings_ms)
        whole = (time.perf_counter() - start) * 1000
        timings.add(f"ours {mode}", whole - stages.pop("embed", 0.0))
        for stage, ms in stages.items():
            timings.add(f"stage {mode} {stage}", ms)

    for text, vector in corpus.asked.items():
        known = {mode: ask(text, mode).trace for mode in MODES}
        terms = [term.term for term in known["bm25"].terms if term.term and term.documents]
        calls: list[Callable[[], object]] = [
            partial(timings.time, "numpy", bare.numpy_search, vector),
            partial(timings.time, "usearch", bare.usearch_search, vector),
            partial(timings.time, "bm25s", bare.bm25s_search, terms),
        ]
        for mode, trace in known.items():
            keys = [candidate.key for candidate in trace.candidates]
            calls.append(partial(ours, text, mode))
            calls.append(partial(timings.time, f"duckdb {mode}", bare.fetch, keys))
        random.shuffle(calls)
        for call in calls:
            call()
    bare.close()
    return timings


def refuse_rows(brain: brainkit.Brain, corpus: Corpus) -> Iterator[Row]:
    """Time fusion alone, and an answer's ``refuse``, over three lists of 200."""
    timings, modes = Timings(), ("hybrid", "multi")
    for text in list(corpus.asked)[:40]:
        answer = brain.query(text, depth=200, trace="full")
        trace = answer.trace
        lists = {n: [(h.order, h.score) for h in trace.lists[n].hits] for n in ("vector", "bm25")}
        raw = {n: {c.order: getattr(c, n) for c in trace.candidates} for n in lists}
        lists["graph"] = [(c.order, 1.0) for c in trace.candidates[:200]]
        for mode in modes:
            request = QueryRequest(query="-", mode=mode, depth=200, alpha=0.4)
            timings.time(f"fuse {mode}", fuse, lists, raw, request)
            timings.time(f"refuse {mode}", answer.refuse, mode=mode, alpha=0.4)
    for mode in modes:
        for name, most in ((f"fuse {mode}", REFUSE_MS), (f"refuse {mode}", None)):
            what = f"fuse 3 x 200 by {mode}" if most else f"    answer.refuse, by {mode}"
            yield Row(what, timings.median(name), "ms", p95=timings.p95(name), most=most)


def fresh_rows(folder: Path, corpus: Corpus, *, rounds: int = 5) -> Iterator[Row]:
    """Time the import and the first answer in fresh processes with a warm disk cache."""
    questions = folder.with_suffix(".txt")
    questions.write_text("\n".join(corpus.asked), "utf-8")
    command = [sys.executable, str(HERE / "probe.py"), str(folder), str(questions)]
    found = []
    for _ in range(rounds):
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        found.append(json.loads(done.stdout))
    middle = {name: statistics.median(one[name] for one in found) for name in found[0]}
    size = f"{corpus.size:,} chunks"
    yield Row("import brainkit", middle["import_s"], "s", most=IMPORT_S)
    yield Row(f"{size}: open", middle["open_s"], "s")
    yield Row(f"{size}: open and first answer", middle["first_answer_s"], "s", most=FIRST_ANSWER_S)
    yield Row(f"{size}: peak memory of 80 queries", middle["max_rss_mb"], "MB", most=RSS_MB)


def stdlib_rows(folder: Path) -> Iterator[Row]:
    """Ingest this Python's standard library, tokenizer included."""
    embedder = TextOnly()
    with brainkit.open(folder, embedder=embedder) as brain:
        report = brain.ingest(
            sysconfig.get_paths()["stdlib"],
            exclude=["site-packages/", "dist-packages/", "test/", "tests/", "idlelib/"],
            label="stdlib",
            progress=False,
        )
    yield from ingest_rows("standard library", report, embedder.seconds)


def size_rows(size: int, folder: Path) -> Iterator[Row]:
    """Everything that is measured on a synthetic corpus of one size."""
    corpus = Corpus(size)
    records = list(corpus.records())
    embedder = corpus.embedder()
    with brainkit.open(folder, embedder=embedder) as brain:
        embedder.seconds = 0.0
        report = brain.ingest_texts(records, split=False, progress=False)
        if report.generation is not None:
            yield from ingest_rows(f"{size:,} records", report, embedder.seconds)
        yield from query_rows(brain, folder, corpus)
        yield from refuse_rows(brain, corpus)
    yield from fresh_rows(folder, corpus)


def table(rows: Sequence[Row]) -> Table:
    """Lay the rows out for people."""
    grid = Table(box=None, header_style="bold")
    grid.add_column("what", no_wrap=True)
    for name in ("ours", "p95", "bare", "ratio", "target", "met"):
        grid.add_column(name, justify="right", no_wrap=True)
    for row in rows:
        digits = 0 if row.unit in ("chunks/s", "MB") else 2
        grid.add_row(
            row.what,
            f"{row.ours:,.{digits}f} {row.unit}",
            "" if row.p95 is None else f"{row.p95:.2f}",
            "" if row.bare is None else f"{row.bare:.2f}",
            "" if row.ratio is None else f"{row.ratio:.2f}",
            row.targets,
            "" if not row.targets else "NO" if row.missed else "yes",
        )
    return grid


def main() -> None:
    """Read the command line, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sizes", default="10000,100000", help="numbers of chunks")
    parser.add_argument("--keep", type=Path, help="folder to keep the brains in; then no ingest")
    parser.add_argument("--no-files", action="store_true", help="leave the standard library out")
    parser.add_argument("--json", type=Path, help="file to write the rows to")
    given = parser.parse_args()
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = given.keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        for size in map(int, given.sizes.split(",")):
            rows += size_rows(size, folder / f"synthetic-{size}.brain")
        if not given.no_files:
            rows += stdlib_rows(Path(scratch) / "stdlib.brain")
    console.print(table(rows))
    if given.json:
        given.json.write_text(json.dumps([asdict(row) for row in rows], indent=1), "utf-8")


if __name__ == "__main__":
    main()
