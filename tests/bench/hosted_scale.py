"""What a brain of OpenAI's 3,072 dimensions takes: to embed, to keep, to open and to ask.

    python tests/bench/hosted_scale.py --size 20000

The embedder is the real one; a server in a process of its own answers it as OpenAI does, in JSON,
with vectors that share segments where texts share words. So all is measured but the model and the
network. Questions are asked in a fresh process, whose peak memory is shown.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
from probe import peak_memory_mb
from rich.console import Console
from rich.table import Table
from synthetic import Corpus

import brainkit
from brainkit.embed.openai import DIMS, MODEL
from brainkit.store.layout import folder_bytes

DIM = DIMS[MODEL]
SEGMENTS, POOL = 12, 400
MODES = ("vector", "bm25", "hybrid", "multi")
QUESTIONS = 40


class Answers(BaseHTTPRequestHandler):
    """Embeds by segments: each is that of the word with the least hash for its place."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        rows = [
            f'{{"object": "embedding", "index": {at}, "embedding": [{encoded(text)}]}}'
            for at, text in enumerate(request["input"])
        ]
        tokens = sum(len(text.split()) for text in request["input"])
        body = (
            f'{{"object": "list", "data": [{", ".join(rows)}], '
            f'"usage": {{"prompt_tokens": {tokens}, "total_tokens": {tokens}}}}}'
        ).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:
        """Stay quiet."""


def encoded(text: str) -> str:
    """The numbers of a text's vector, as JSON writes them."""
    words = [hashed(word) for word in set(text.split())]
    least = np.min(np.array(words), axis=0)
    return ", ".join(segments()[place][int(one) % POOL] for place, one in enumerate(least))


@cache
def hashed(word: str) -> tuple[int, ...]:
    """A number of the word for each place."""
    digest = hashlib.shake_256(word.encode()).digest(SEGMENTS * 4)
    return tuple(np.frombuffer(digest, "<u4").tolist())


@cache
def segments() -> list[list[str]]:
    """For each place the segments to choose from, all of one length."""
    random = np.random.default_rng(5)
    numbers = random.standard_normal((SEGMENTS, POOL, DIM // SEGMENTS))
    numbers /= np.linalg.norm(numbers, axis=2, keepdims=True) * np.sqrt(SEGMENTS)
    return [[", ".join(f"{n:.9g}" for n in one) for one in place] for place in numbers]


def serve() -> None:
    """Answer until killed; the first line of stdout is the address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    segments()
    sys.stdout.write(f"http://127.0.0.1:{server.server_port}/v1\n")
    sys.stdout.flush()
    server.serve_forever()


@contextmanager
def serving() -> Iterator[str]:
    """The server in a process of its own; its address."""
    process = subprocess.Popen(
        [sys.executable, __file__, "--serve"], stdout=subprocess.PIPE, text=True
    )
    try:
        yield process.stdout.readline().strip() if process.stdout else ""
    finally:
        process.kill()
        process.communicate()


def ask(folder: str, questions: str, address: str) -> dict[str, Any]:
    """In a fresh process: open, ask in every mode, and say what that took."""
    texts = json.loads(Path(questions).read_text("utf-8"))
    start = time.perf_counter()
    # A kept brain remembers the address of a server that is gone.
    embedder = brainkit.OpenAIEmbedder(base_url=address)
    with brainkit.open(folder, embedder=embedder) as brain:
        brain.query(texts[0], mode="hybrid")
        first = time.perf_counter() - start
        spent: dict[str, list[float]] = {mode: [] for mode in (*MODES, "embed")}
        for text in texts:
            for mode in MODES:
                stages = brain.query(text, mode=mode).response.timings_ms
                if "embed" in stages and stages["embed"] > 0.5:  # later modes have it in memory
                    spent["embed"].append(stages["embed"])
                spent[mode].append(sum(ms for name, ms in stages.items() if name != "embed"))
    return {"first_s": first, "spent_ms": spent, "peak_mb": peak_memory_mb()}


def bare_ms(size: int) -> float:
    """Median of what the product of all vectors with one takes by NumPy alone."""
    random = np.random.default_rng(1)
    matrix = random.standard_normal((size, DIM), np.float32)
    query = random.standard_normal(DIM, np.float32)
    spent = []
    for _ in range(15):
        start = time.perf_counter()
        _ = matrix @ query
        spent.append((time.perf_counter() - start) * 1000)
    return float(np.median(spent))


def measure(size: int, folder: Path) -> Table:
    """Build the brain, ask it, and return the table."""
    texts = Corpus(size).texts
    questions = [" ".join(text.split()[:8]) for text in texts[: size : max(1, size // QUESTIONS)]]
    listed = folder / "questions.json"
    listed.write_text(json.dumps(questions))
    path = folder / "hosted.brain"
    with serving() as address:
        embedder = brainkit.OpenAIEmbedder(base_url=address)
        with brainkit.open(path, embedder=embedder) as brain:
            records = [{"id": f"r{at}", "text": text} for at, text in enumerate(texts)]
            report = brain.ingest_texts(records, split=False, progress=False)
        done = subprocess.run(
            [sys.executable, __file__, "--ask", str(path), str(listed), address],
            check=True, capture_output=True, text=True,
        )  # fmt: skip
    found = json.loads(done.stdout)
    table = Table(title=f"{size:,} chunks of {DIM:,} dimensions")
    for name, justify in (("what", "left"), ("median", "right"), ("95 %", "right")):
        table.add_column(name, justify=justify)  # type: ignore[arg-type]
    seconds = report.seconds
    if report.generation is not None:
        rest = seconds["prepare"] + seconds["write"]
        table.add_row("embedding, through JSON", f"{seconds['embed']:.1f} s", "")
        table.add_row("the rest of the ingest", f"{rest:.1f} s", "")
    generation = path / (path / "CURRENT").read_text().strip()
    table.add_row("a generation on disk", f"{folder_bytes(generation) / 1e6:,.0f} MB", "")
    table.add_row("kept embeddings", f"{folder_bytes(path / 'embeddings') / 1e6:,.0f} MB", "")
    table.add_row("open and answer the first question", f"{found['first_s']:.2f} s", "")
    for mode, spent in found["spent_ms"].items():
        name = "a question's vector, by the server here" if mode == "embed" else f"{mode} query"
        p50, p95 = np.percentile(spent, [50, 95])
        table.add_row(name, f"{p50:.1f} ms", f"{p95:.1f} ms")
    table.add_row("bare NumPy: all products", f"{bare_ms(size):.1f} ms", "")
    table.add_row("peak memory of the asking process", f"{found['peak_mb']:,.0f} MB", "")
    table.add_row("of that, the vectors", f"{size * DIM * 4 / 1e6:,.0f} MB", "")
    return table


def main() -> None:
    """Measure, or be the server or the asking process of a measurement."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=20_000)
    parser.add_argument("--keep", metavar="FOLDER", help="keep the brain, or ask one kept before")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--ask", nargs=3, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        serve()
    elif given.ask:
        sys.stdout.write(json.dumps(ask(*given.ask)))
    else:
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(given.keep or scratch)
            folder.mkdir(parents=True, exist_ok=True)
            Console(width=100).print(measure(given.size, folder))


if __name__ == "__main__":
    main()
