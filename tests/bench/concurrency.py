"""Sixteen threads and eight processes ask while one process ingests; every answer must be right.

    python tests/bench/concurrency.py --seconds 300

Right is what one thread answers from a fresh brain of the files as that generation has them: chunk
ids, sources, lines, texts and scores, bit for bit. The writer brings the folder through a circle of
versions without a pause. Latencies are of a machine that is asked 24 questions at once beside an
ingest, by name of who asked. Status 1 if an answer was wrong or an error came.

The script isn't called ``concurrent``: in this folder that would hide Python's own package.
"""

from __future__ import annotations

import argparse
import itertools
import json
import multiprocessing
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any

import numpy as np
from campaign import MODES, QUERIES, VERSIONS, embedder, results, write_version
from rich.console import Console
from rich.table import Table

import brainkit

REQUESTS = tuple(itertools.product(QUERIES, MODES))
_UNTIL_READY_SECONDS = 120
console = Console(width=120, highlight=False)


@dataclass
class Seen:
    """What one asker saw: how often each answer came of each generation, and how long it took."""

    answers: Counter[tuple[str, int, str]] = field(default_factory=Counter)
    milliseconds: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    backwards: int = 0

    def plain(self) -> dict[str, Any]:
        """Return it as JSON can have it."""
        return {**asdict(self), "answers": [[*key, n] for key, n in self.answers.items()]}

    @classmethod
    def of(cls, plain: dict[str, Any]) -> Seen:
        """Return it from what ``plain`` gave."""
        answers = Counter({(g, at, digest): n for g, at, digest, n in plain.pop("answers")})
        return cls(answers=answers, **plain)


def ask(brain: brainkit.Brain, stop: Event | threading.Event, first: int, least: int) -> Seen:
    """Ask one question after the other until told to stop, but at least so many."""
    seen, newest, number = Seen(), "", first
    while not stop.is_set() or number - first < least:
        at = number % len(REQUESTS)
        number += 1
        query, mode = REQUESTS[at]
        began = time.perf_counter()
        try:
            answer = brain.query(query, mode=mode, top_k=10)
        except Exception as error:  # noqa: BLE001  # every one is counted, and is one too many
            seen.errors.append(f"{type(error).__name__}: {error}")
            continue
        seen.milliseconds.append(1000 * (time.perf_counter() - began))
        generation = answer.trace.generation
        seen.answers[generation, at, results(answer)] += 1
        seen.backwards += generation < newest
        newest = max(newest, generation)
    return seen


@dataclass(frozen=True)
class Together:
    """What processes need to begin and end together, and the least that each does.

    enough : set by the writer as soon as it has written the least.
    """

    folder: str
    ready: Any
    stop: Event
    enough: Event
    least: int


def ask_elsewhere(together: Together, first: int, out: Any) -> None:
    """Be a process that asks."""
    with brainkit.open(together.folder, embedder=embedder("one")) as brain:
        together.ready.wait(_UNTIL_READY_SECONDS)
        out.put(json.dumps(ask(brain, together.stop, first, together.least).plain()))


def write_elsewhere(together: Together, notes: str, out: Any) -> None:
    """Be the process that writes: say which version each generation is of."""
    versions: dict[str, int] = {}
    with brainkit.open(together.folder, embedder=embedder("one")) as brain:
        together.ready.wait(_UNTIL_READY_SECONDS)
        while not together.stop.is_set() or len(versions) < together.least:
            version = (len(versions) + 1) % VERSIONS
            write_version(Path(notes), version)
            report = brain.ingest(notes, progress=False)
            versions[str(report.generation)] = version
            if len(versions) == together.least:
                together.enough.set()
        faults = list(brain.check().faults)
    out.put(json.dumps({"versions": versions, "faults": faults}))


def known(home: Path, version: int) -> list[str]:
    """Return the digest of each answer of a fresh brain of one version, asked by one thread."""
    write_version(home / str(version) / "notes", version)
    with brainkit.open(home / str(version) / "x.brain", embedder=embedder("one")) as brain:
        brain.ingest(home / str(version) / "notes", progress=False)
        return [results(brain.query(query, mode=mode, top_k=10)) for query, mode in REQUESTS]


@dataclass
class Outcome:
    """What a run came to. wrong : answers that are not those of their generation."""

    versions: int
    generations_seen: int
    threads: list[Seen]
    processes: list[Seen]
    faults: list[str]
    wrong: int

    @property
    def errors(self) -> list[str]:
        """Every error that an asker met."""
        return [error for seen in (*self.threads, *self.processes) for error in seen.errors]


def run(home: Path, *, threads: int, processes: int, seconds: float, least: int = 1) -> Outcome:
    """Ask and write for so long, each asking and writing at least ``least`` times."""
    expected = [known(home / "known", version) for version in range(VERSIONS)]
    folder, notes = home / "x.brain", home / "notes"
    write_version(notes, 0)
    context = multiprocessing.get_context("spawn")
    ready, stop, enough = context.Barrier(processes + 2), context.Event(), context.Event()
    asked, written = context.Queue(), context.Queue()
    with brainkit.open(folder, embedder=embedder("one")) as brain:
        first = brain.ingest(notes, progress=False).generation
        together = Together(str(folder), ready, stop, enough, least)
        others = [
            context.Process(target=write_elsewhere, args=(together, str(notes), written)),
            *(
                context.Process(target=ask_elsewhere, args=(together, number, asked))
                for number in range(processes)
            ),
        ]
        for other in others:
            other.start()
        ready.wait(_UNTIL_READY_SECONDS)
        with ThreadPoolExecutor(threads) as pool:
            here = [pool.submit(ask, brain, stop, number, least) for number in range(threads)]
            time.sleep(seconds)
            enough.wait()
            stop.set()
            of_threads = [one.result() for one in here]
        of_processes = [Seen.of(json.loads(asked.get())) for _ in range(processes)]
        told = json.loads(written.get())
        for other in others:
            other.join()
    return _judged(
        expected, {str(first): 0, **told["versions"]}, told["faults"], of_threads, of_processes
    )


def _judged(
    expected: Sequence[Sequence[str]],
    versions: dict[str, int],
    faults: list[str],
    threads: list[Seen],
    processes: list[Seen],
) -> Outcome:
    total: Counter[tuple[str, int, str]] = Counter()
    for seen in (*threads, *processes):
        total += seen.answers
    wrong = sum(
        count
        for (generation, at, digest), count in total.items()
        if generation not in versions or expected[versions[generation]][at] != digest
    )
    wrong += sum(seen.backwards for seen in (*threads, *processes))
    generations = {generation for generation, _, _ in total}
    return Outcome(len(versions), len(generations), threads, processes, faults, wrong)


def main() -> None:
    """Run and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--threads", type=int, default=16)
    parser.add_argument("--processes", type=int, default=8)
    parser.add_argument("--least", type=int, default=1, help="questions and ingests of each")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        done = run(
            Path(home),
            threads=given.threads,
            processes=given.processes,
            seconds=given.seconds,
            least=given.least,
        )
    table = Table("who asks", "queries", "errors", "p50 ms", "p99 ms")
    for who, group in (("threads", done.threads), ("processes", done.processes)):
        taken = np.array([t for seen in group for t in seen.milliseconds] or [np.nan])
        errors = sum(len(seen.errors) for seen in group)
        figures = (f"{np.quantile(taken, share):.1f}" for share in (0.5, 0.99))
        table.add_row(f"{len(group)} {who}", f"{len(taken):,}", str(errors), *figures)
    console.print(table)
    console.print(
        f"{given.seconds:g} s: {done.versions:,} generations written, {done.generations_seen:,} "
        f"of them asked; {done.wrong} wrong answers; check: {done.faults or 'all is well'}"
    )
    for error, count in Counter(done.errors).most_common(5):
        console.print(f"{count} x {error}", markup=False)
    raise SystemExit(1 if done.wrong or done.errors or done.faults else 0)


if __name__ == "__main__":
    main()
