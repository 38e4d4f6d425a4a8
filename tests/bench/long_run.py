"""A long session: thousands of queries, and a cell of the explorer run again and again.

    python tests/bench/long_run.py --queries 10000 --cells 200

Prints the memory of the process at steps, and what it grew by over the second half, when caches
are full and every library is loaded. The exit status is 1 if that is more than --allowed MB.
"""

from __future__ import annotations

import argparse
import gc
import sys
import tempfile
import weakref
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import ipywidgets
from fuzz_doors import word_vectors
from rich.console import Console
from rich.table import Table

import brainkit
from brainkit.kit import kit_folder
from brainkit.widgets import cells
from brainkit.widgets import explorer as explorer_module

MODES = ("hybrid", "bm25", "vector", "graph", "multi")
WORDS = ("session", "retry", "index", "catalogue", "alpha", "hub", "filter", "rank", "chunk", "key")
console = Console(width=100, highlight=False)


def resident_mb() -> float:
    """Memory of this process that is in RAM, in MB."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 1e6


def ask(brain: brainkit.Brain, number: int) -> None:
    """Ask one of many different questions, in one of the modes, and look at the answer."""
    words = [WORDS[number % 10], WORDS[number // 10 % 10], str(number)]
    answer = brain.query(" ".join(words), mode=MODES[number % 5], trace="full", top_k=5)
    if number % 20 == 0:
        answer._repr_html_()


def in_a_notebook() -> Callable[[int], None]:
    """Pretend that a kernel runs one cell: an explorer asks it which one made it."""
    parent: dict[str, Any] = {"metadata": {"cellId": "one"}, "content": {"code": ""}}
    kernel = SimpleNamespace(get_parent=lambda: parent)
    cells.kernel = explorer_module.kernel = lambda: kernel  # type: ignore[assignment]

    def run(number: int) -> None:
        parent["header"] = {"msg_type": "execute_request", "msg_id": f"run-{number}"}

    return run


def cell(brain: brainkit.Brain, number: int) -> Any:
    """Run the cell of the explorer again, as a notebook does: its view replaces the last."""
    explorer = brain.explore(f"{WORDS[number % 10]} {number}")
    explorer._repr_mimebundle_()
    return weakref.ref(explorer)


def measured(name: str, count: int, step: Any, table: Table) -> float:
    """Do something so many times; return what the second half added, in MB."""
    marks: list[float] = []
    for number in range(count):
        step(number)
        if (number + 1) % max(1, count // 10) == 0:
            marks.append(resident_mb())
            table.add_row(name, f"{number + 1:,}", f"{marks[-1]:.1f}")
    return marks[-1] - marks[len(marks) // 2 - 1]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--queries", type=int, default=10_000)
    parser.add_argument("--different", type=int, default=10_000, help="questions that differ")
    parser.add_argument("--cells", type=int, default=200)
    parser.add_argument("--allowed", type=float, default=10.0, help="MB in the second half of each")
    given = parser.parse_args()
    table = Table("what", "times", "resident MB")
    explorers: list[Any] = []
    run_cell = in_a_notebook()

    def again(number: int) -> None:
        run_cell(number)
        explorers.append(cell(brain, number))

    with (
        tempfile.TemporaryDirectory() as scratch,
        brainkit.open(Path(scratch) / "x.brain", embedder=word_vectors) as brain,
    ):
        brain.ingest(kit_folder("data") / "sample", progress=False)
        queries = measured(
            "queries", given.queries, lambda n: ask(brain, n % given.different), table
        )
        again_mb = measured("cells", given.cells, again, table)
        alive = sum(one() is not None for one in explorers)
        models = len(ipywidgets.Widget.get_manager_state()["state"])
    console.print(table)
    console.print(f"second half: queries {queries:+.1f} MB, cells {again_mb:+.1f} MB")
    console.print(f"explorers alive: {alive} of {given.cells}; widget models: {models}")
    sys.exit(1 if max(queries, again_mb) > given.allowed else 0)


if __name__ == "__main__":
    main()
