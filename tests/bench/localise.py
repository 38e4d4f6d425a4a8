"""Which file has to be changed, given the text of an issue? Accuracy at 1, 3 and 5.

    python tests/bench/localise.py --datasets ../shared/datasets --sdists ~/.cache/brainkit-sdists

50 issues of SWE-bench Lite (swe-lite-loc50) over the source archives of the release before them,
downloaded into the folder given and never run. Of an archive the Python files that are no tests are
looked at, each release by itself; a ranking is of files, the best chunk of each counting.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from published import comparable
from quality import alike
from rich.console import Console
from rich.table import Table
from sdists import fetched, unpacked

import brainkit

NAME = "swe-lite-loc50"
MEASURES = ("Success@1", "Success@3", "Success@5")
# What the tag named with the issue cannot stand for: development versions were never released, and
# for seaborn it is years older than the issue. These are the last releases before the issue, or
# for seaborn-2848, whose file is in no earlier one, the first after it.
RELEASES = {
    "mwaskom__seaborn-2848": "0.12.0b1",
    "mwaskom__seaborn-3010": "0.12.0",
    "mwaskom__seaborn-3190": "0.12.1",
    "mwaskom__seaborn-3407": "0.12.2",
    "pytest-dev__pytest-11143": "7.4.0",
    "pytest-dev__pytest-11148": "7.4.0",
    "pytest-dev__pytest-8365": "6.2.2",
    "pytest-dev__pytest-8906": "6.2.4",
    "pytest-dev__pytest-9359": "6.2.5",
}
METHODS_WITHOUT_MODEL: Mapping[str, Mapping[str, Any]] = {
    "bm25": {"mode": "bm25"},
    "graph, hops": {"mode": "graph", "graph_scorer": "hops"},
    "multi without vectors": {
        "mode": "multi",
        "graph_scorer": "hops",
        "weights": {"vector": 0, "bm25": 1, "graph": 1},
    },
}
METHODS: Mapping[str, Mapping[str, Any]] = {
    **METHODS_WITHOUT_MODEL,
    "vector": {"mode": "vector"},
    "hybrid": {"mode": "hybrid"},
    "graph": {"mode": "graph"},
    "multi": {"mode": "multi"},
}
WHOLE_FILES = {"bm25": METHODS["bm25"]}
NO_TESTS = ("tests", "testing", "test", "test_*.py", "*_test.py", "conftest.py")
console = Console(width=110, highlight=False)


def main() -> None:
    """Download, ingest, ask and print."""
    given = arguments()
    issues = brainkit.load_dataset(given.datasets / NAME)
    rows = list(questions(issues, given.packages))
    archives = fetched({row["release"] for row in rows}, given.sdists)
    methods = METHODS if given.embedder != "none" else METHODS_WITHOUT_MODEL
    if given.whole_files:
        methods = WHOLE_FILES
    scores: dict[tuple[str, str], list[float]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as scratch:
        for release, archive in sorted(archives.items()):
            started = time.perf_counter()
            asked = [row for row in rows if row["release"] == release]
            dataset = brainkit.load_dataset(asked, name=" ".join(release))
            folder = code_of(release[0], archive, given.keep or Path(scratch))
            with filled(folder, given.embedder, whole_files=given.whole_files) as brain:
                found = brainkit.evaluate(
                    brain, dataset, methods, measures=MEASURES, progress=sys.stderr.isatty()
                )
                chunks = brain.info().counts["chunks"]
            for key, values in found.scores.items():
                scores[key] += values.tolist()
            seconds = time.perf_counter() - started
            line = f"{dataset.name}: {len(asked)} issues, {chunks:,} chunks, {seconds:.0f} s"
            console.print(line, style="dim")
    console.print(table(scores, list(methods)))
    cut = sum(row["query_id"] in issues.cut for row in rows)
    console.print(f"{cut} of {len(rows)} issues are longer than a query may be, and lost their end")
    if given.json:
        means = {f"{method} {name}": _mean(values) for (method, name), values in scores.items()}
        given.json.write_text(json.dumps(means, indent=1), "utf-8")


def questions(issues: brainkit.Dataset, packages: Sequence[str] | None) -> Iterator[dict[str, Any]]:
    """Yield each issue with its file to be found, and the release to look in."""
    for query, text in issues.queries.items():
        facts = issues.metadata[query]
        package = facts["repo"].split("/")[1]
        if packages and package not in packages:
            continue
        for path in issues.qrels[query]:
            yield {
                "query_id": query,
                "query": text,
                "source": f"{package}/{path}",
                "grade": 1,
                "release": (package, RELEASES.get(query, facts["nearest_tag"].removeprefix("v"))),
            }


def code_of(package: str, archive: Path, keep: Path) -> Path:
    """Return the folder with the Python files of a release that are no tests.

    Releases of a package take turns in one folder, so that of the next one only what changed is
    ingested.
    """
    folder = keep / "sources" / package
    shutil.rmtree(folder, ignore_errors=True)
    with tempfile.TemporaryDirectory() as scratch:
        top = unpacked(archive, Path(scratch))
        shutil.copytree(top, folder, ignore=shutil.ignore_patterns(*NO_TESTS))
    return folder


def filled(folder: Path, embedder: str, *, whole_files: bool) -> brainkit.Brain:
    """Return the brain of a package, holding the release in the folder and no other."""
    embed: Any = alike if embedder == "none" else embedder
    kind = "files" if whole_files else embedder
    where = folder.parent.parent / f"{folder.name}-{kind}.brain"
    if whole_files:
        shutil.rmtree(where, ignore_errors=True)  # records of another release would stay
    brain = brainkit.open(where, embedder=embed)
    if whole_files:
        brain.ingest_texts(list(whole(folder)), split=False, progress=sys.stderr.isatty())
    else:
        brain.ingest(folder, progress=sys.stderr.isatty())
    return brain


def whole(folder: Path) -> Iterator[dict[str, str]]:
    """Yield each file as one record, its path before its text."""
    for path in sorted(folder.rglob("*.py")):
        name = path.relative_to(folder).as_posix()
        text = path.read_text("utf-8", errors="replace")
        if text.strip():
            yield {"id": f"{folder.name}/{name}", "title": name, "text": text}


def table(scores: Mapping[tuple[str, str], Sequence[float]], methods: Sequence[str]) -> Table:
    """Lay out the accuracy of every method, and what was published for others."""
    count = len(next(iter(scores.values())))
    grid = Table(title=f"{NAME}, {count} issues", box=None, header_style="bold")
    grid.add_column("method")
    for measure in MEASURES:
        grid.add_column(measure.replace("Success", "Acc"), justify="right")
    for method in methods:
        grid.add_row(method, *(f"{_mean(scores[method, one]):.3f}" for one in MEASURES))
    for method in METHODS:
        if method not in methods:
            grid.add_row(method, *("not run" for _ in MEASURES))
    known = [figure for measure in MEASURES for figure in comparable(NAME, measure, "bm25")]
    grid.add_row(f"{known[0].of} [{known[0].source}]", *(f"{one.value:.3f}" for one in known))
    return grid


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--datasets", type=Path, default=os.environ.get("BRAINKIT_SHARED"))
    parser.add_argument("--sdists", type=Path, required=True, help="folder for source archives")
    parser.add_argument("--packages", nargs="+", help="only the issues of these, such as flask")
    parser.add_argument(
        "--embedder",
        choices=("local", "static", "none"),
        default="none",
        help="none leaves out what needs vectors, and takes minutes instead of hours",
    )
    parser.add_argument(
        "--whole-files", action="store_true", help="bm25 over files, not over chunks of them"
    )
    parser.add_argument("--keep", type=Path, help="folder to keep the brains in, with embeddings")
    parser.add_argument("--json", type=Path, help="file to write the figures to")
    given = parser.parse_args()
    if given.datasets is None:
        parser.error("give --datasets FOLDER, or set BRAINKIT_SHARED")
    given.datasets = Path(given.datasets)
    return given


if __name__ == "__main__":
    main()
