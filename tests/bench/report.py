"""Measure reports: how large they are, how long they take, and when their reader can move them.

    python tests/bench/report.py

The large one is of 100 answers with 200 candidates of each of the three retrievers, on a brain of a
part of Python's own library. Times to interactive are of the page's clock, from the moment that the
browser is asked for the file until its first view is drawn; then alpha is moved once.
"""

from __future__ import annotations

import argparse
import importlib.util
import statistics
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from rich.console import Console
from rich.table import Table

import brainkit
from brainkit.answer import Answer

TESTS = Path(__file__).resolve().parents[1]
PARTS = ("asyncio", "email", "http", "json", "logging", "unittest", "urllib", "concurrent")
ANSWERS, DEPTH = 100, 200
BYTES_MAX, INTERACTIVE_MS = 15_000_000, 1000.0
CLOCK = """
(() => { const look = () => {
  const view = document.querySelector('[data-view]')?.shadowRoot;
  if (view?.childElementCount) window.drawnAt = performance.now();
  else requestAnimationFrame(look);
}; look(); })();
"""
MOVE = """
(async () => {
  const root = document.querySelector('[data-view]').shadowRoot;
  const control = root.querySelector('[aria-label=alpha]');
  const start = performance.now();
  control.value = 0.2;
  control.dispatchEvent(new Event('input'));
  const handled = performance.now() - start;
  await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
  return handled;
})()
"""

console = Console(width=110, highlight=False)


@contextmanager
def library(folder: Path) -> Iterator[brainkit.Brain]:
    """A brain of a part of Python's library, with fast vectors."""
    source = Path(sysconfig.get_path("stdlib"))
    with brainkit.open(folder / "library.brain", embedder="static") as brain:
        for part in PARTS:
            brain.ingest(source / part, label=part, progress=False)
        yield brain


def answers(brain: brainkit.Brain) -> list[Answer]:
    """Answers that hold as many candidates of each retriever as were asked for."""
    names = [entity.name for entity in brain.entities(limit=400)]
    found = []
    for name in names:
        query = f"what calls {name} when it fails"
        answer = brain.query(query, depth=DEPTH, trace="full")
        if all(len(one.hits) == DEPTH for one in answer.response.trace.lists.values()):
            found.append(answer)
        if len(found) == ANSWERS:
            return found
    sys.exit(f"only {len(found)} questions found {DEPTH} candidates by each retriever")


def opened(chromium: ModuleType, file: Path, runs: int) -> tuple[list[float], list[float]]:
    """Milliseconds until the first view is drawn, and of moving alpha there."""
    command = chromium.find_chromium()
    if command is None:
        sys.exit("this needs Chromium, and there is none")
    drawn, moved = [], []
    with tempfile.TemporaryDirectory() as profile, chromium.Chromium(command, Path(profile)) as one:
        for _ in range(runs):
            page = one.page()
            page._call("Page.addScriptToEvaluateOnNewDocument", {"source": CLOCK})
            page.visit(file.as_uri())
            page.wait("window.drawnAt > 0")
            drawn.append(float(page.value("window.drawnAt")))
            moved.append(float(page.value(MOVE)))
            page.close()
    return drawn, moved


def loaded(path: Path) -> ModuleType:
    """A module of the tests, which are in no package."""
    spec: Any = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--runs", type=int, default=7, help="how often each page is opened")
    arguments = parser.parse_args()
    chromium = loaded(TESTS / "widgets" / "chromium.py")
    table = Table("report", "size", "made in", "first view drawn: median, max", "alpha moved")
    met = True
    with tempfile.TemporaryDirectory() as scratch, library(Path(scratch)) as brain:
        every = answers(brain)
        for name, items in (("one answer", every[:1]), (f"{ANSWERS} answers", every)):
            start = time.perf_counter()
            file = brain.report(items, Path(scratch) / "report.html", title=name)
            took = time.perf_counter() - start
            drawn, moved = opened(chromium, file, arguments.runs)
            middle, size = statistics.median(drawn), file.stat().st_size
            met &= size < BYTES_MAX and middle < INTERACTIVE_MS
            times = f"{middle:.0f} ms, {max(drawn):.0f} ms"
            table.add_row(
                name, f"{size / 1e6:.2f} MB", f"{took:.1f} s", times,
                f"{statistics.median(moved):.1f} ms",
            )  # fmt: skip
    console.print(table)
    console.print(f"{ANSWERS} answers of 3 x {DEPTH} candidates; targets 15 MB and 1,000 ms")
    sys.exit(0 if met else "a target was missed")


if __name__ == "__main__":
    main()
