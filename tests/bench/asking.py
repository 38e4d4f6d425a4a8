"""In a fresh process: what the questions of one case take, beside the bare library calls.

    python tests/bench/asking.py FOLDER NAME SYNTHETIC ROUNDS PARTS

Prints the rows as JSON; suite.py runs it. Ours and the bare calls are mixed at random, so that a
busy moment hits both, and nobody is always second, with the caches warm.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from bare import Bare
from cases import Case, size_of
from measured import Row, Timings
from numpy.typing import NDArray
from probe import peak_memory_mb

import brainkit
from brainkit.fuse import fuse
from brainkit.models import QueryRequest, Trace
from brainkit.settings import TRAVERSAL_DEPTH

Floats = NDArray[np.float32]
Rows = NDArray[np.int64]
MODES = ("vector", "bm25", "hybrid", "multi")
SEARCHES = {
    "vector": ("vector",),
    "bm25": ("bm25",),
    "hybrid": ("vector", "bm25"),
    "graph": ("graph",),
    "multi": ("vector", "bm25", "graph"),
}
TOP_K, DEPTH = 10, 50
QUERY_MS = {10_000: 10.0, 100_000: 25.0, 1_000_000: 60.0}
RATIO, RECALL, REFUSE_MS = 1.5, 0.95, 1.0
SHARES = {0.001: "000*", 0.01: "00*", 0.1: "0*", 0.5: "[0-4]*"}
"""Share of the records -> what follows the r in their ids."""
_WARM_UP = 5
_FEW = 40  # questions, where each is asked in many ways


class Asked:
    """One case, open in every way that it is asked."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.chunks = size_of(case)
        self.modes = MODES if case.synthetic else (*MODES, "graph")
        self.brain = case.open()
        self.bare = Bare(case.generation, depth=DEPTH)
        with self.brain._engine.reading() as generation:
            self.keys = generation.chunks.keys

    def reopen(self) -> None:
        """Forget what the brain has kept of earlier questions."""
        self.brain.close()
        self.brain = self.case.open()

    def ask(self, text: str, mode: str, **options: Any) -> brainkit.Answer:
        """Ask one question."""
        return self.brain.query(text, mode=mode, depth=DEPTH, top_k=TOP_K, **options)

    def timed(self, timings: Timings, text: str, mode: str, **options: Any) -> None:
        """Ask, and note the whole and each stage, without embedding the question."""
        name = f"{mode} {next(iter(options.values()))}" if options else mode
        start = time.perf_counter()
        stages = dict(self.ask(text, mode, **options).response.timings_ms)
        whole = (time.perf_counter() - start) * 1000
        embedding = stages.pop("embed", 0.0)
        timings.add(f"ours {name}", whole - embedding)
        stages["around"] = whole - embedding - sum(stages.values())
        for stage, ms in stages.items():
            timings.add(f"stage {name} {stage}", ms)

    def row(self, what: str, value: float, unit: str = "ms", **fields: Any) -> Row:
        """Return a row of this case."""
        return Row(self.case.name, what, value, unit, chunks=self.chunks, **fields)


def query_rows(asked: Asked, rounds: int) -> Iterator[Row]:
    """Time every mode beside the bare calls that it comes down to."""
    timings = query_timings(asked, rounds)
    ways = timings.names("bare vector ")
    search = {
        "vector": min(timings.median(way) for way in ways),
        "bm25": timings.median("bare bm25"),
        "graph": timings.median("bare graph") if "graph" in asked.modes else 0.0,
    }
    found = recall(asked, lambda text: asked.ask(text, "vector"))
    for mode in asked.modes:
        fetch = timings.median(f"bare fetch {mode}")
        synthetic = asked.case.synthetic
        yield asked.row(
            f"query by {mode}",
            **timings.percentiles(f"ours {mode}"),
            floor=fetch + sum(search[name] for name in SEARCHES[mode]),
            recall=found if mode == "vector" else None,
            least_recall=RECALL if mode == "vector" else None,
            most=QUERY_MS.get(asked.chunks) if synthetic else None,
            most_ratio=RATIO if mode == "hybrid" else None,
            grows=f"query by {mode}" if synthetic else None,
        )
        yield asked.row("  asked again", **timings.percentiles(f"again {mode}"))
        for name in timings.names(f"stage {mode} "):
            stage = name.rsplit(" ", 1)[1]
            floor = {**search, "fetch": fetch}.get(stage) or None
            yield asked.row(f"  {stage}", **timings.percentiles(name), floor=floor)
    for way in ways:
        name = way.removeprefix("bare vector ")
        yield asked.row(f"bare vector search by {name}", **timings.percentiles(way))


def query_timings(asked: Asked, rounds: int) -> Timings:
    """Ask every question in every mode, and the libraries for the same, in random order.

    A brain keeps rows that it has fetched, so each mode has one that was just opened, and a
    question counts the first time; ``again`` is the second.
    """
    timings, random, bare = Timings(), Random(0), asked.bare
    ways = {"usearch, HNSW": bare.hnsw} if bare.approximate else {
        "NumPy, exact": bare.exact, "usearch, exact": bare.usearch_exact,
    }  # fmt: skip
    known = {
        mode: {text: needs(asked.ask(text, mode).trace) for text in asked.case.asked}
        for mode in asked.modes
    }
    questions = list(asked.case.asked.items())
    for mode in asked.modes * rounds:
        asked.reopen()
        for text, _ in questions[:_WARM_UP]:
            asked.ask(text, mode)
        for text, vector in questions[_WARM_UP:]:
            terms, keys, seeds = known[mode][text]
            calls: dict[str, Callable[[], object]] = {
                f"bare fetch {mode}": partial(bare.fetch, keys)
            }
            if mode == "vector":
                for name, way in ways.items():
                    calls[f"bare vector {name}"] = partial(way, vector)
            elif mode == "bm25":
                calls["bare bm25"] = partial(bare.bm25, terms)
            elif mode == "graph":
                calls["bare graph"] = partial(bare.walk, seeds, hops=TRAVERSAL_DEPTH)
            for name in random.sample(["ours", *calls], len(calls) + 1):
                if name == "ours":
                    asked.timed(timings, text, mode)
                else:
                    timings.time(name, calls[name])
            timings.time(f"again {mode}", asked.ask, text, mode)
    return timings


def needs(trace: Trace) -> tuple[list[str], list[int], list[int]]:
    """Return what the libraries are asked for: terms, keys to fetch, entities to walk from."""
    terms = [term.term for term in trace.terms if term.term and term.documents]
    return terms, [candidate.key for candidate in trace.candidates], seeds_of(trace)


def seeds_of(trace: Trace) -> list[int]:
    """Return the entities that the question names."""
    return [one.id for one in trace.graph.entities if not one.hops] if trace.graph else []


def recall(
    asked: Asked,
    answer: Callable[[str], brainkit.Answer],
    allowed: NDArray[np.bool_] | None = None,
) -> float:
    """Return recall@10 of the answers against exact search over the allowed rows."""
    found, wanted = 0, 0
    most = None if allowed is None else _FEW
    for text, vector in list(asked.case.asked.items())[:most]:
        best = truth(asked.bare.matrix, vector, allowed)
        keys = set(asked.keys[best].tolist())
        top = [hit.key for hit in answer(text).trace.lists["vector"].hits[:TOP_K]]
        found += len(keys.intersection(top))
        wanted += len(keys)
    return found / wanted


def truth(matrix: Floats, vector: Floats, allowed: NDArray[np.bool_] | None) -> Rows:
    """Return the rows of the ten nearest by float32 products, of those with similarity above 0."""
    scores = matrix @ vector
    if allowed is not None:
        scores = np.where(allowed, scores, np.float32(-1))
    best = np.argpartition(scores, -TOP_K)[-TOP_K:]
    return np.asarray(best[scores[best] > 0], np.int64)


def filter_rows(asked: Asked) -> Iterator[Row]:
    """Time filtered queries at four selectivities beside unfiltered exact search of the same."""
    if not asked.case.synthetic:
        return
    timings, random, names = Timings(), Random(1), sources(asked)
    masks = {}
    for share, rest in SHARES.items():
        text = next(iter(asked.case.asked))
        timings.time(f"first {share}", asked.ask, text, "vector", file_paths=(f"r{rest}",))
        begin = tuple("01234") if rest.startswith("[") else rest.removesuffix("*")
        masks[share] = np.array([name.startswith(begin, 1) for name in names])
    for text, vector in list(asked.case.asked.items())[: 2 * _FEW]:
        calls: list[Callable[[], object]] = [
            partial(timings.time, "exact", asked.bare.exact, vector)
        ]
        if not asked.bare.approximate:
            calls.append(partial(asked.timed, timings, text, "vector"))
        for rest in SHARES.values():
            for mode in ("vector", "hybrid"):
                way = partial(asked.timed, timings, text, mode, file_paths=(f"r{rest}",))
                calls.append(way)
        random.shuffle(calls)
        for call in calls:
            call()
    exact = timings.median("exact" if asked.bare.approximate else "ours vector")
    which = "NumPy alone" if asked.bare.approximate else "ours"
    yield asked.row(f"unfiltered exact vector search, {which}", exact)
    for share, rest in SHARES.items():
        paths = (f"r{rest}",)
        ask = partial(asked.ask, mode="vector", file_paths=paths)
        yield asked.row(
            f"vector, filter keeps {share:.1%}",
            **timings.percentiles(f"ours vector {paths}"),
            most=round(exact, 2),
            recall=recall(asked, ask, masks[share]),
            least_recall=RECALL,
        )
        yield asked.row(
            f"hybrid, filter keeps {share:.1%}", **timings.percentiles(f"ours hybrid {paths}")
        )
        yield asked.row("  its first use", timings.median(f"first {share}"))


def sources(asked: Asked) -> list[str]:
    """Return the source of every row, in the order of the rows."""
    frame = asked.brain.sql("select source from chunks join ranks using (key) order by ord")
    return [str(source) for source in frame["source"]]


def fuse_rows(asked: Asked) -> Iterator[Row]:
    """Time fusion alone, and an answer's ``refuse``, over three lists of 200."""
    timings, modes = Timings(), ("hybrid", "multi")
    for text in list(asked.case.asked)[:_FEW]:
        answer = asked.brain.query(text, depth=200, trace="full")
        trace = answer.trace
        lists = {n: [(h.order, h.score) for h in trace.lists[n].hits] for n in ("vector", "bm25")}
        raw = {n: {c.order: getattr(c, n) for c in trace.candidates} for n in lists}
        lists["graph"] = [(c.order, 1.0) for c in trace.candidates[:200]]
        for mode in modes:
            request = QueryRequest(query="-", mode=mode, depth=200, alpha=0.4)
            timings.time(f"fuse {mode}", fuse, lists, raw, request)
            timings.time(f"refuse {mode}", answer.refuse, mode=mode, alpha=0.4)
    for mode in modes:
        yield asked.row(
            f"fuse 3 x 200 by {mode}", **timings.percentiles(f"fuse {mode}"), most=REFUSE_MS
        )
        yield asked.row(f"answer.refuse by {mode}", **timings.percentiles(f"refuse {mode}"))


def main(folder: str, name: str, synthetic: str, rounds: str, *parts: str) -> None:
    """Measure the parts and print their rows."""
    asked = Asked(Case(name, Path(folder), synthetic == "synthetic"))
    rows: list[Row] = []
    if "queries" in parts:
        rows += query_rows(asked, int(rounds))
    if "filters" in parts:
        rows += filter_rows(asked)
    if "fuse" in parts:
        rows += fuse_rows(asked)
    rows.append(asked.row("peak memory of the asking process", peak_memory_mb(), "MB"))
    asked.bare.close()
    asked.brain.close()
    sys.stdout.write(json.dumps([asdict(row) for row in rows]))


if __name__ == "__main__":
    main(*sys.argv[1:])
