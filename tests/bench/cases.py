"""What is measured on: brains of synthetic or real text, their questions, how long they took."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from quality import filled
from synthetic import Corpus, Lookup

import brainkit
from brainkit.embed.local import shared
from brainkit.store import layout
from brainkit.store.layout import Layout

Floats = NDArray[np.float32]
BATCH = 250_000
"""Records of one ingest: more at once would take more than 10 GB."""
_NO_HNSW = 1_000_000_000
_QUESTIONS = 120


@dataclass(frozen=True)
class Case:
    """A brain with questions to it.

    ingests : the reports of what made it: chunks, seconds by stage, of the embedder, of HNSW.
    """

    name: str
    folder: Path
    synthetic: bool

    @property
    def asked_file(self) -> Path:
        """Where the questions and their vectors are kept."""
        return Path(f"{self.folder}.asked.npz")

    @cached_property
    def asked(self) -> Mapping[str, Floats]:
        """Question -> its unit vector."""
        with np.load(self.asked_file) as kept:
            return dict(zip(kept["texts"].tolist(), kept["vectors"], strict=True))

    @property
    def generation(self) -> Path:
        """Folder of the current generation."""
        place = Layout(self.folder)
        return place.generation(place.current())

    @property
    def ingests(self) -> list[dict[str, Any]]:
        """What was noted when the brain was made; nothing if it was made by something else."""
        path = self._ingests_file
        found: list[dict[str, Any]] = json.loads(path.read_text()) if path.exists() else []
        return found

    @property
    def hnsw_seconds(self) -> float | None:
        """How long building HNSW took, if one was."""
        found = [one["hnsw"] for one in self.ingests if one.get("hnsw")]
        return found[-1] if found else None

    @property
    def _ingests_file(self) -> Path:
        return Path(f"{self.folder}.ingest.json")

    def open(self) -> brainkit.Brain:
        """Open the brain with an embedder that knows the vectors of its questions."""
        return brainkit.open(self.folder, embedder=Lookup(dict(self.asked)))

    def note(self, ingests: list[dict[str, Any]]) -> None:
        """Keep what was noted when the brain was made."""
        self._ingests_file.write_text(json.dumps(ingests))

    def keep(self, asked: Mapping[str, Floats]) -> None:
        """Keep the questions."""
        np.savez(self.asked_file, texts=np.array(list(asked)), vectors=np.stack([*asked.values()]))


def synthetic(size: int, keep: Path) -> Case:
    """Return the synthetic case of a size, made if it is not kept."""
    case = Case(f"synthetic, {size:,} chunks", keep / f"synthetic-{size}.brain", True)
    if case.asked_file.exists() and case.ingests:
        return case
    corpus = Corpus(size)
    case.keep(corpus.asked)
    records, embedder = list(corpus.records()), corpus.embedder()
    ingests: list[dict[str, Any]] = []
    for start in range(0, size, BATCH):
        # Only the last generation is asked, so only that one gets an HNSW index.
        limit: dict[str, Any] = {} if start + BATCH >= size else {"exact_limit_chunks": _NO_HNSW}
        embedder.seconds = 0.0
        begin = time.perf_counter()
        with brainkit.open(case.folder, embedder=embedder, **limit) as brain:
            report = brain.ingest_texts(records[start : start + BATCH], split=False, progress=False)
        ingests.append(
            {
                "chunks": report.chunks,
                "total": min(size, start + BATCH),
                "seconds": dict(report.seconds),
                "lookup": embedder.seconds,
                "wall": time.perf_counter() - begin,
            }
        )
    ingests[-1]["hnsw"] = _hnsw_seconds(case.generation)
    case.note(ingests)
    return case


def _hnsw_seconds(generation: Path) -> float | None:
    """Return how long building HNSW took: its file is written next after that of the vectors."""
    path = generation / layout.HNSW
    if not path.exists():
        return None
    return path.stat().st_mtime - (generation / layout.VECTORS).stat().st_mtime


def real(folder: Path, keep: Path) -> Case:
    """Return the case of a public collection, embedded by the local model if it is not kept."""
    place = keep / f"{folder.name}-local.brain"
    if not place.exists():
        filled(folder, "local", keep).close()
    place_of = Layout(place)
    vectors = np.load(place_of.generation(place_of.current()) / layout.VECTORS, mmap_mode="r")
    case = Case(f"{folder.name}, {len(vectors):,} chunks", place, False)
    if not case.asked_file.exists():
        texts = list(brainkit.load_dataset(folder).queries.values())[:_QUESTIONS]
        local = shared(None)
        case.keep({text: local.embed_query(text) for text in texts})
    return case


def size_of(case: Case) -> int:
    """Return the number of chunks."""
    return len(np.load(case.generation / layout.VECTORS, mmap_mode="r"))
