"""What the import, opening a brain and its first answer take in fresh processes."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from cases import Case, size_of
from measured import Row

PROBE = Path(__file__).resolve().parent / "probe.py"
IMPORT_S = 0.3
FIRST_ANSWER_S = {100_000: 1.5}
RSS_MB = {100_000: 700.0, 1_000_000: 4_000.0}


def fresh_rows(case: Case, *, rounds: int = 5) -> Iterator[Row]:
    """Time fresh processes with the default embedder, first with a cold disk cache, then warm."""
    questions = case.folder.with_suffix(".questions.txt")
    questions.write_text("\n".join(case.asked), "utf-8")
    command = [sys.executable, str(PROBE), str(case.folder), str(questions)]
    chunks = size_of(case)

    def run() -> dict[str, float]:
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        found: dict[str, float] = json.loads(done.stdout)
        return found

    if can_forget := hasattr(os, "posix_fadvise"):
        forget(case.folder)
        cold = run()
    found = [run() for _ in range(rounds)]
    middle = {name: statistics.median(one[name] for one in found) for name in found[0]}
    yield Row(case.name, "import brainkit", middle["import_s"], "s", most=IMPORT_S)
    yield Row(case.name, "open", middle["open_s"], "s")
    yield Row(
        case.name,
        "open and first answer, model loaded",
        middle["first_answer_s"],
        "s",
        most=FIRST_ANSWER_S.get(chunks),
        grows="open and first answer" if case.synthetic else None,
        chunks=chunks,
    )
    if can_forget:
        yield Row(case.name, "  and its files not in memory", cold["first_answer_s"], "s")
    yield Row(
        case.name,
        "peak memory of 80 queries, model included",
        middle["max_rss_mb"],
        "MB",
        most=RSS_MB.get(chunks),
        grows="peak memory" if case.synthetic else None,
        chunks=chunks,
    )


def forget(folder: Path) -> None:
    """Have the system drop the files from its cache."""
    for path in folder.rglob("*"):
        if path.is_file():
            with path.open("rb") as file:
                os.fsync(file.fileno())
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
