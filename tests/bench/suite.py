"""Measure queries, filters, ingest, opening, memory and disk by size, in one run and one table.

    python tests/bench/suite.py --sizes 1000,10000,100000 --keep ~/.cache/brainkit-suite

Beside our figures stand those of the bare library calls on the same files (the floor), and those of
what else could be installed instead, over the same texts and vectors. Vectors of synthetic text are
looked up, so no model runs but in the fresh processes that open a brain. Figures are medians.
Targets are for two idle cores; on a busy machine only the ratios mean something.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

from beside import rival_rows
from cases import Case, real, size_of, synthetic
from files import CHUNKS_PER_S, file_rows, stage_rows
from measured import Row, growth, table
from opening import fresh_rows
from rich.console import Console

import brainkit

HERE = Path(__file__).resolve().parent
PARTS = ("queries", "filters", "fuse", "ingest", "disk", "fresh", "rivals", "files")
ASKED = {"queries", "filters", "fuse"}
COLLECTIONS = "hotpotqa-train100,2wikimultihop,npl"
LIBRARIES = ("numpy", "usearch", "bm25s", "duckdb", "igraph", "onnxruntime")

# Both sides given, rich believes them on a dumb terminal too.
console = Console(width=150, height=50, highlight=False)


def ingest_rows(case: Case) -> Iterator[Row]:
    """Turn what was noted into chunks per second, in all and by stage, but embedding and HNSW."""
    hnsw = case.hnsw_seconds or 0.0
    seconds: defaultdict[str, float] = defaultdict(float)
    for one in case.ingests:
        for stage, spent in one["seconds"].items():
            seconds[stage] += spent - (one["lookup"] if stage == "embed" else 0.0)
    if seconds:
        chunks = sum(one["chunks"] for one in case.ingests)
        seconds["write"] -= hnsw
        batches = f", {len(case.ingests)} batches" if len(case.ingests) > 1 else ""
        yield Row(
            case.name,
            f"ingest but embedding and HNSW{batches}",
            chunks / sum(seconds.values()),
            "chunks/s",
            least=CHUNKS_PER_S,
            grows="ingest rate",
            chunks=chunks,
        )
        yield from stage_rows(case.name, seconds, chunks)
    if hnsw:
        yield Row(case.name, "building HNSW, apart", hnsw, "s")


def disk_rows(case: Case) -> Iterator[Row]:
    """Say how many megabytes the brain takes, and what of."""
    sizes = {
        "a generation on disk": case.generation,
        "  texts, terms, vectors in DuckDB": case.generation / "chunks.duckdb",
        "  vector index": case.generation,
        "  keyword index": case.generation / "keywords",
        "  graph index": case.generation / "graph",
        "kept embeddings": case.folder / "embeddings",
    }
    for what, path in sizes.items():
        pattern = "vectors*" if what.strip() == "vector index" else "*"
        megabytes = _bytes(path, pattern) / 1e6
        grows = what if not what.startswith(" ") and case.synthetic else None
        yield Row(case.name, what, megabytes, "MB", grows=grows, chunks=size_of(case))


def _bytes(path: Path, pattern: str) -> int:
    files = [path] if path.is_file() else path.rglob(pattern)
    return sum(file.stat().st_size for file in files if file.is_file())


def asked_rows(case: Case, parts: Sequence[str], rounds: int) -> Iterator[Row]:
    """Ask in a process of its own, so that its memory is that of asking."""
    wanted = [part for part in parts if part in ASKED]
    if not wanted:
        return
    kind = "synthetic" if case.synthetic else "real"
    command = [sys.executable, str(HERE / "asking.py"), str(case.folder), case.name, kind]
    done = subprocess.run(
        [*command, str(rounds), *wanted], check=True, stdout=subprocess.PIPE, text=True
    )
    yield from (Row(**row) for row in json.loads(done.stdout))


def beside(case: Case, python: str, scratch: Path, found: Sequence[Row]) -> Iterator[Row]:
    """Measure what else could be installed, beside our rows of the same case."""
    begin = "query by "
    ours = {row.what.removeprefix(begin): row for row in found if row.what.startswith(begin)}
    wanted = ours["vector"].recall if "vector" in ours else None
    yield from rival_rows(case, python, scratch, ours, wanted=1.0 if wanted is None else wanted)


def machine() -> dict[str, Any]:
    """Say what it was measured on, and how busy that was."""
    load = os.getloadavg() if hasattr(os, "getloadavg") else None
    return {
        "cpus": os.cpu_count(),
        "machine": platform.machine(),
        "python": platform.python_version(),
        "brainkit": brainkit.__version__,
        **{name: version(name) for name in LIBRARIES},
        "load": load,
    }


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sizes", default="1000,10000,100000", help="chunks of synthetic text")
    parser.add_argument(
        "--datasets",
        type=Path,
        default=os.environ.get("BRAINKIT_SHARED"),
        help="folder of public collections; without it only synthetic text is measured",
    )
    parser.add_argument("--sets", default=COLLECTIONS, help="which of them")
    parser.add_argument("--keep", type=Path, help="folder to keep the brains in")
    parser.add_argument("--only", default=",".join(PARTS), help=f"of {', '.join(PARTS)}")
    parser.add_argument("--rounds", type=int, default=2, help="times each question is asked")
    parser.add_argument("--rivals", default=sys.executable, help="Python that has them installed")
    parser.add_argument(
        "--rivals-most", type=int, default=1_000_000, help="chunks up to which they are measured"
    )
    parser.add_argument("--json", type=Path, help="file to write the rows to")
    given = parser.parse_args()
    given.parts = given.only.split(",")
    if unknown := set(given.parts) - set(PARTS):
        parser.error(f"--only {', '.join(unknown)}: allowed are {', '.join(PARTS)}")
    return given


def cases(given: argparse.Namespace, keep: Path) -> Iterator[Case]:
    """Yield the brains, each made when its turn comes."""
    for size in filter(None, given.sizes.split(",")):
        yield synthetic(int(size), keep)
    if given.datasets:
        for name in filter(None, given.sets.split(",")):
            yield real(given.datasets / name, keep)


def measured(given: argparse.Namespace, case: Case, scratch: Path) -> Iterator[Row]:
    """Measure the wanted parts of one case."""
    found = list(asked_rows(case, given.parts, given.rounds))
    yield from found
    if "ingest" in given.parts:
        yield from ingest_rows(case)
    if "disk" in given.parts:
        yield from disk_rows(case)
    if "fresh" in given.parts:
        yield from fresh_rows(case)
    if "rivals" in given.parts and size_of(case) <= given.rivals_most:
        yield from beside(case, given.rivals, scratch, found)


def summary(rows: Sequence[Row]) -> Iterator[str]:
    """Say of each target whether it was met."""
    for row in rows:
        for target, met in row.targets.items():
            figure = f"{row.value:,.4g} {row.unit}"
            if target.startswith("R"):
                figure = f"{row.recall:.3f}"
            elif target.endswith("x"):
                figure = f"{row.ratio:.2f} x"
            said = "met" if met else "[bold]MISSED[/]"
            yield f"{said}: {row.case}, {row.what.strip()} {target}: {figure}"


def main() -> None:
    """Measure, print, and write what was measured."""
    given = arguments()
    about = machine()
    rows: list[Row] = []

    def add(found: Iterator[Row]) -> None:
        for row in found:
            rows.append(row)
            if given.json:  # at once: what was measured outlives an interrupt
                written = {"machine": about, "rows": [asdict(one) for one in rows]}
                given.json.write_text(json.dumps(written, indent=1), "utf-8")

    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        keep = given.keep or scratch
        keep.mkdir(parents=True, exist_ok=True)
        for case in cases(given, keep):
            sys.stderr.write(f"{case.name}\n")
            add(measured(given, case, scratch))
        if "files" in given.parts:
            add(file_rows(scratch))
    add(growth(list(rows)))
    console.print(table(rows))
    console.print(*summary(rows), sep="\n")
    console.print(about)


if __name__ == "__main__":
    main()
