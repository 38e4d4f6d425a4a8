"""Check on real folders that nothing is lost between a file and its chunks.

    python tests/bench/roundtrip.py data/sample ~/src/flask ~/src/requests

For every chunk: its text is exactly the lines it names (or, for a part of one over-long line, the
columns it names), every non-blank line of a read file is in some chunk, and none is longer than the
embedder can see. Files in other formats than text are compared with the text they give.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from brainkit.analyze import Analyzer
from brainkit.embed import resolve
from brainkit.embed.batching import room
from brainkit.ingest.config import read_config
from brainkit.ingest.formats import read
from brainkit.ingest.load import Unreadable, lines_of
from brainkit.ingest.prepare import Prepared, from_folder
from brainkit.ingest.tools import Tools
from brainkit.settings import Settings
from brainkit.store.chunks import FileRow, NewChunk


def prepared(folder: Path, tools: Tools) -> Prepared:
    """Cut a folder into chunks as an ingest does, without embedding them."""
    return from_folder(
        folder,
        label="x",
        known={},
        tools=tools,
        config=read_config(folder),
        include=None,
        exclude=None,
        avoid=[],
        each=lambda files, what: files,
    )


def faults(row: FileRow, chunks: Sequence[NewChunk], text: str, *, window: int) -> Iterator[str]:
    """Yield what is wrong with the chunks of one file."""
    lines = lines_of(text)
    missing = {number for number, line in enumerate(lines, 1) if line.strip()}
    for chunk in chunks:
        span = "\n".join(lines[chunk.start_line - 1 : chunk.end_line])
        if "columns" in chunk.metadata:
            start, end = chunk.metadata["columns"]
            span = span[start:end]
        if chunk.text != span:
            yield f"{row.source}:{chunk.start_line}-{chunk.end_line} is not what the file says"
        if chunk.tokens > window:
            yield f"{row.source}:{chunk.start_line} has {chunk.tokens} tokens, over {window}"
        missing -= set(range(chunk.start_line, chunk.end_line + 1))
    if missing:
        yield f"{row.source}: lines {sorted(missing)[:5]} are in no chunk"


def check(folder: Path, tools: Tools) -> tuple[Counter[str], list[str], float]:
    """Return counts of files, chunks and tokens, the faults, and the seconds it took to chunk."""
    start = time.perf_counter()
    made = prepared(folder, tools)
    seconds = time.perf_counter() - start
    counts: Counter[str] = Counter()
    found: list[str] = []
    for row, chunks in made.new:
        if row.skipped:
            counts["skipped"] += 1
            continue
        document = read(folder / row.relative, relative=row.relative, settings=tools.settings)
        if isinstance(document, Unreadable):
            found.append(f"{row.source}: was read, and then not: {document.reason}")
            continue
        counts.update(files=1, chunks=len(chunks), tokens=sum(chunk.tokens for chunk in chunks))
        found += faults(row, chunks, document.extracted.text, window=room(tools.embedder))
    return counts, found, seconds


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a row per folder and every fault; return 1 if there is any."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    options = parser.parse_args(arguments)
    settings = Settings()
    tools = Tools(Analyzer(language=settings.analyzer_language), resolve("local"), settings)
    table = Table(box=None)
    for name in ("folder", "files", "skipped", "chunks", "tokens", "seconds", "faults"):
        table.add_column(name, justify="left" if name == "folder" else "right")
    everything: list[str] = []
    for folder in options.folders:
        counts, found, seconds = check(folder.expanduser().resolve(), tools)
        numbers = (f"{counts[name]:,}" for name in ("files", "skipped", "chunks", "tokens"))
        table.add_row(folder.name, *numbers, f"{seconds:.1f}", str(len(found)))
        everything += found
    Console().print(table)
    for fault in everything:
        print(fault)  # noqa: T201  # a script's output
    return 1 if everything else 0


if __name__ == "__main__":
    sys.exit(main())
