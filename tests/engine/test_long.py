"""Many queries in one session: what an answer took is given back when the answer goes."""

from __future__ import annotations

import gc
import tracemalloc
import weakref
from pathlib import Path
from typing import Any

import brainkit

MODES = ("hybrid", "bm25", "vector", "graph", "multi")


def test_queries_leave_nothing_behind(tmp_path: Path, word_vectors: Any) -> None:
    records = [
        {"id": f"r{n}", "title": f"Record {n}", "text": f"alpha beta {n} of The Ledger"}
        for n in range(40)
    ]
    with brainkit.open(tmp_path / "x.brain", embedder=word_vectors) as brain:
        brain.ingest_texts(records, progress=False)
        answers: list[weakref.ref[Any]] = []

        def ask(first: int, count: int) -> None:
            for number in range(first, first + count):
                answer = brain.query(
                    f"alpha {number % 60} Ledger", mode=MODES[number % 5], trace="full", top_k=5
                )
                answer._repr_html_()
                answers.append(weakref.ref(answer))

        ask(0, 300)  # until what is remembered on purpose is full
        tracemalloc.start()
        try:
            gc.collect()
            before, _ = tracemalloc.get_traced_memory()
            ask(300, 200)
            gc.collect()
            after, _ = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert sum(one() is not None for one in answers) == 0
    assert (after - before) / 200 < 500, "bytes for each query that was asked and is gone"
