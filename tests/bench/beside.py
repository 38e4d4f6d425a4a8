"""Rows of what could be installed instead: same texts, vectors, questions, number of results."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from bare import Bare
from cases import Case, size_of
from measured import Row
from rivals import RIVALS, TOP_K

from brainkit.store import layout

SCRIPT = Path(__file__).resolve().parent / "rivals.py"
_SECONDS_MAX = 1_500


def rival_rows(
    case: Case, python: str, scratch: Path, ours: Mapping[str, Row], *, wanted: float
) -> Iterator[Row]:
    """Build each rival and ask it, in processes of its own.

    python : the interpreter that has them installed. ours : our rows, by mode. wanted : the recall
    of ours, which an approximate rival has to reach.
    """
    work = scratch / "rivals"
    shutil.rmtree(work, ignore_errors=True)
    lay_down(case, work)
    for name in RIVALS:
        gave = _run(python, work, name, "build", wanted)
        if "skipped" not in gave:
            gave |= _run(python, work, name, "ask", wanted)
            shutil.rmtree(work / name)
        yield from _rows(case, name, gave, ours)
    shutil.rmtree(work)


def lay_down(case: Case, work: Path) -> None:
    """Write what the rivals are given: texts in the order of the vectors, questions, the truth."""
    work.mkdir(parents=True)
    shutil.copy(case.generation / layout.VECTORS, work / "vectors.npy")
    shutil.copy(case.asked_file, work / "asked.npz")
    with case.open() as brain, (work / "texts.jsonl").open("w", encoding="utf-8") as file:
        frame = brain.sql(
            "select concat_ws(' ', nullif(context, ''), text) as whole "
            "from chunks join ranks using (key) order by ord"
        )
        file.writelines(json.dumps(text) + "\n" for text in frame["whole"])
    bare = Bare(case.generation, depth=TOP_K)
    truth = [bare.exact(vector) for vector in case.asked.values()]
    bare.close()
    np.save(work / "truth.npy", np.array(truth))


def _run(python: str, work: Path, name: str, what: str, wanted: float) -> dict[str, Any]:
    command = [python, str(SCRIPT), str(work), name, what, str(wanted)]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=_SECONDS_MAX, check=False
        )
    except subprocess.TimeoutExpired:
        return {"skipped": f"not ready after {_SECONDS_MAX // 60} minutes"}
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:] or [f"exit code {done.returncode}"]
        return {"skipped": f"failed: {last[0][:60]}"}
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def _rows(case: Case, name: str, gave: Mapping[str, Any], ours: Mapping[str, Row]) -> Iterator[Row]:
    if "skipped" in gave:
        yield Row(case.name, f"{name}: {gave['skipped']}", None, "")
        return
    named = f"{name} {gave['version']}"
    for mode, found in gave["modes"].items():
        half, p95, p99 = np.percentile(found["ms"], (50, 95, 99)).tolist()
        effort = f", effort {found['effort']}" if found.get("effort") else ""
        yield Row(
            case.name,
            f"{named}: {mode}{effort}",
            half,
            p95=p95,
            p99=p99,
            recall=found.get("recall"),
            ours=ours[mode].value if mode in ours else None,
        )
    yield Row(case.name, "  to take it in", size_of(case) / gave["build_s"], "chunks/s")
    yield Row(case.name, "  disk", gave["disk_mb"], "MB")
    yield Row(case.name, "  peak memory of asking", gave["peak_mb"], "MB")
