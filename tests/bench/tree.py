"""Time the walk of a large tree, and an ingest of one that did not change.

    python tests/bench/tree.py

The first tree has 20,000 files to read beside as many in node_modules and .git, which are never
entered; the walk stands beside os.walk over everything and over the same files only. The second has
5,000 files: ingested, ingested again unchanged, and again with one file changed.
"""

from __future__ import annotations

import os
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

import brainkit
from brainkit.ingest.walk import Found, walk
from brainkit.settings import Settings

WALKED, INGESTED = 20_000, 5_000
RUNS = 5
WORDS = [f"word{number}" for number in range(5_000)]


def plant(folder: Path, count: int, *, seed: int) -> None:
    """Write so many small text files, fifty to a folder."""
    rng = random.Random(seed)
    for number in range(count):
        place = folder / f"d{number // 2500}" / f"e{number // 50}"
        if number % 50 == 0:
            place.mkdir(parents=True)
        text = " ".join(rng.choices(WORDS, k=60))
        (place / f"f{number}.md").write_text(f"# {number}\n\n{text}\n")


def bare(folder: Path, *, skip: Sequence[str] = ()) -> int:
    """Count the files that os.walk finds, with a stat of each."""
    count = 0
    for path, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name not in skip]
        for name in files:
            os.stat(os.path.join(path, name))
            count += 1
    return count


def median_seconds(work: Callable[[], object]) -> float:
    """Return the median time of a few runs after a warm-up."""
    work()
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def one_direction(texts: list[str]) -> NDArray[np.float32]:
    """Embed every text alike, at no cost: what is timed is everything else."""
    embedded.extend(texts)
    return np.ones((len(texts), 2), np.float32)


embedded: list[str] = []


def main() -> None:
    """Print the two tables."""
    walking = Table("walk", "files", "seconds", box=None)
    ingesting = Table("ingest", "files", "seconds", "embedded", box=None)
    with tempfile.TemporaryDirectory() as scratch:
        tree = Path(scratch) / "tree"
        plant(tree, WALKED, seed=0)
        plant(tree / "node_modules", WALKED // 2, seed=1)
        plant(tree / ".git", WALKED // 2, seed=2)
        settings = Settings()

        def ours() -> int:
            return sum(isinstance(one, Found) for one in walk(tree, settings=settings))

        closed = ("node_modules", ".git")
        for name, work in (
            ("os.walk, everything", lambda: bare(tree)),
            ("os.walk, same files", lambda: bare(tree, skip=closed)),
            ("brainkit", ours),
        ):
            walking.add_row(name, f"{work():,}", f"{median_seconds(work):.2f}")
        Console().print(walking)

        notes = Path(scratch) / "notes"
        plant(notes, INGESTED, seed=3)
        one_direction.name = "one-direction"  # type: ignore[attr-defined]
        with brainkit.open(Path(scratch) / "b.brain", embedder=one_direction) as brain:
            changed = next(notes.rglob("*.md"))
            for what in ("fresh", "unchanged", "one file changed"):
                if what == "one file changed":
                    changed.write_text("# New\n\nAn entirely new text.\n")
                embedded.clear()
                start = time.perf_counter()
                brain.ingest(notes, progress=False)
                seconds = time.perf_counter() - start
                ingesting.add_row(what, f"{INGESTED:,}", f"{seconds:.2f}", f"{len(embedded):,}")
    Console().print(ingesting)


if __name__ == "__main__":
    main()
