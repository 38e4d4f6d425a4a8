"""How fast files are taken in: this Python's standard library, with the default tokenizer."""

from __future__ import annotations

import sysconfig
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from measured import Row
from numpy.typing import NDArray
from synthetic import DIM

import brainkit
from brainkit.embed import Identity
from brainkit.embed.local import LocalEmbedder

Floats = NDArray[np.float32]
CHUNKS_PER_S = 2_000.0
_LEFT_OUT = ["site-packages/", "dist-packages/", "test/", "tests/", "idlelib/"]


class TextOnly:
    """Counts tokens as the local embedder does, and gives every text the same vector."""

    batch_size = 1024

    def __init__(self) -> None:
        self._local = LocalEmbedder()
        self.seconds = 0.0
        self.max_tokens = self._local.max_tokens
        self.identity = Identity(
            provider="bench", model="text only", dim=DIM, revision="1", max_tokens=self.max_tokens
        )
        self.special_tokens = self._local.special_tokens
        self.counts_by_line = self._local.counts_by_line

    def embed_documents(self, texts: Sequence[str]) -> Floats:
        """Return the same direction for each text."""
        start = time.perf_counter()
        vectors = np.tile(np.eye(1, DIM, dtype=np.float32), (len(texts), 1))
        self.seconds += time.perf_counter() - start
        return vectors

    def embed_query(self, text: str) -> Floats:
        """Return that direction."""
        direction: Floats = np.eye(1, DIM, dtype=np.float32)[0]
        return direction

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Count as the local embedder does."""
        return self._local.count_tokens(texts)


def stage_rows(case: str, seconds: Mapping[str, float], chunks: int) -> Iterator[Row]:
    """Turn seconds by stage into chunks per second."""
    names = {"embed": "vectors in and out of the cache"}
    for stage, spent in seconds.items():
        yield Row(case, f"  {names.get(stage, stage)}", chunks / spent, "chunks/s")


def file_rows(scratch: Path) -> Iterator[Row]:
    """Ingest the standard library, all but the embedding."""
    embedder = TextOnly()
    with brainkit.open(scratch / "stdlib.brain", embedder=embedder) as brain:
        report = brain.ingest(
            sysconfig.get_paths()["stdlib"], exclude=_LEFT_OUT, label="stdlib", progress=False
        )
    seconds = dict(report.seconds)
    seconds["embed"] -= embedder.seconds
    case = f"standard library, {report.chunks:,} chunks"
    rate = report.chunks / sum(seconds.values())
    yield Row(case, "ingest but embedding", rate, "chunks/s", least=CHUNKS_PER_S)
    yield from stage_rows(case, seconds, report.chunks)
