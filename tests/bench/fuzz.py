"""Damage what comes in, for as long as one likes: what breaks, and what takes too long.

    python tests/bench/fuzz.py --minutes 10
    python tests/bench/fuzz.py --minutes 2 --target file-md --target ignore --seed 7

Every target of fuzz_targets.py runs in a process of its own, so that one which crashes or hangs is
seen as well; its input is kept under --out with what it raised, one of each kind. The time of an
input is the processor's, and must be in proportion to its size. The exit status is 1 if anything
was found.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import logging
import multiprocessing
import os
import random
import resource
import shutil
import sys
import tempfile
import time
import traceback
from pathlib import Path
from typing import Any

from fuzz_mutate import mutated
from rich.console import Console
from rich.table import Table

HANG_S = 90
MEMORY_BYTES = 6_000_000_000
console = Console(width=110, highlight=False)


def campaign(name: str, seed: int, seconds: float, out: Path, log: Path) -> None:
    """Run one target until the time is over; every kind of failure goes to ``out`` once."""
    from fuzz_targets import SECONDS, TARGETS

    from brainkit.errors import BrainkitError

    logging.getLogger("brainkit").addHandler(logging.NullHandler())
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    target, chance = TARGETS[name], random.Random(f"{name} {seed}")
    seeds = list(target.seeds())
    state: dict[str, Any] = {"inputs": 0, "refused": 0, "failed": {}, "slowest": [0.0, 0]}
    now = log.with_suffix(".input")
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        raw = mutated(seeds, chance) if state["inputs"] >= len(seeds) else seeds[state["inputs"]]
        now.write_bytes(raw)
        began, failure = time.process_time(), ""
        with tempfile.TemporaryDirectory() as folder:
            try:
                target.run(raw, Path(folder))
            except (BrainkitError, *target.allowed):
                state["refused"] += 1
            except BaseException as error:  # noqa: BLE001 - whatever it is, it is what we look for
                failure = _kind(error)
                trace = traceback.format_exc()
        took = time.process_time() - began
        timed = state["inputs"] >= len(seeds)  # the seeds load libraries
        if timed and not failure and took > SECONDS + target.seconds_per_mb * len(raw) / 1e6:
            failure, trace = "slow", f"{took:.1f} s of processor time for {len(raw):,} bytes\n"
        state["inputs"] += 1
        if took > state["slowest"][0]:
            state["slowest"] = [took, len(raw)]
        if failure:
            count = state["failed"].get(failure, 0)
            state["failed"][failure] = count + 1
            if count < 3:
                _keep(out, name, failure, raw, trace)
        log.write_text(json.dumps(state))


def _kind(error: BaseException) -> str:
    """Name a failure by what was raised and by where in brainkit, or else where it was."""
    inner = error
    while inner.__cause__ is not None:
        inner = inner.__cause__
    frames = traceback.extract_tb(inner.__traceback__)
    own = [one for one in frames if "brainkit/" in one.filename] or frames
    where = f"{Path(own[-1].filename).name}:{own[-1].name}" if own else "?"
    return f"{type(error).__name__} {type(inner).__name__} {where}"


def _keep(out: Path, name: str, failure: str, raw: bytes, trace: str) -> None:
    stem = out / f"{name}-{hashlib.sha256(raw).hexdigest()[:10]}"
    stem.with_name(stem.name + ".bin").write_bytes(raw)
    stem.with_name(stem.name + ".txt").write_text(f"{failure}\n\n{trace}", "utf-8")


def watched(name: str, seed: int, seconds: float, out: Path, scratch: Path) -> dict[str, Any]:
    """Run a target, again with another seed where it crashed or hung; return what was counted."""
    total: dict[str, Any] = {"inputs": 0, "refused": 0, "failed": {}, "slowest": [0.0, 0]}
    end, turn = time.monotonic() + seconds, 0
    while (left := end - time.monotonic()) > 0 and turn < 20:
        log = scratch / f"{name}-{turn}.json"
        child = multiprocessing.get_context("fork").Process(
            target=campaign, args=(name, seed * 1000 + turn, left, out, log)
        )
        child.start()
        ended = _ended(child, log.with_suffix(".input"), end)
        turn += 1
        state = json.loads(log.read_text()) if log.exists() and log.read_text() else {}
        for part in ("inputs", "refused"):
            total[part] += state.get(part, 0)
        for failure, count in state.get("failed", {}).items():
            total["failed"][failure] = total["failed"].get(failure, 0) + count
        total["slowest"] = max(total["slowest"], state.get("slowest", [0.0, 0]))
        if ended:
            total["failed"][ended] = total["failed"].get(ended, 0) + 1
            raw = log.with_suffix(".input")
            _keep(out, name, ended, raw.read_bytes() if raw.exists() else b"", "")
    return total


def _ended(child: Any, current: Path, end: float) -> str:
    """Wait for a process; return how it ended if not by itself."""
    while child.is_alive():
        child.join(2)
        try:
            age = time.time() - current.stat().st_mtime
        except FileNotFoundError:
            continue
        if child.is_alive() and age > HANG_S:
            child.kill()
            child.join()
            return f"hung for {HANG_S} s"
    return "" if child.exitcode == 0 else f"died with {child.exitcode}"


def main() -> None:
    """Run the targets, print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=5, help="in all, shared by the targets")
    parser.add_argument("--target", action="append", help="all without it; a part of the name does")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("fuzz-found"))
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    scratch = Path(tempfile.mkdtemp())
    os.environ["FUZZ_SEEDS"] = str(scratch)
    try:
        from fuzz_targets import TARGETS

        names = [
            name for name in TARGETS
            if not given.target or any(part in name for part in given.target)
        ]  # fmt: skip
        table = Table("target", "inputs", "refused", "failures", "slowest s (bytes)")
        found: dict[str, dict[str, int]] = {}
        for name in names:
            total = watched(name, given.seed, given.minutes * 60 / len(names), given.out, scratch)
            slow, size = total["slowest"]
            failed = total["failed"]
            table.add_row(
                name, f"{total['inputs']:,}", f"{total['refused']:,}",
                str(sum(failed.values())), f"{slow:.2f} ({size:,})",
            )  # fmt: skip
            if failed:
                found[name] = failed
                console.print(f"{name}: {failed}")
        console.print(table)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
