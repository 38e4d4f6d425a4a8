"""The indexes of a generation as files: made from DuckDB, hashed, checked, opened, made again."""

from __future__ import annotations

import logging
import os
import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np

from brainkit.store import graph, hnsw, keywords, layout
from brainkit.store.chunks import ChunkStore
from brainkit.store.graph import GraphIndex
from brainkit.store.graph_tables import columns_of
from brainkit.store.keywords import KeywordIndex
from brainkit.store.manifest import Manifest
from brainkit.store.vectors import VectorIndex, measured_recall

log = logging.getLogger("brainkit")
Index = TypeVar("Index")


@dataclass(frozen=True)
class Kind(Generic[Index]):
    """One index: what it is called, how it is made from the database, and how it is opened.

    build : (folder, database, exact limit in chunks) -> recall@10 if measured, else None.
    open : (folder, use HNSW if there) -> the index.
    """

    name: str
    files: tuple[str, ...]
    build: Callable[[Path, ChunkStore, int], float | None]
    open: Callable[[Path, bool], Index]

    def make(self, folder: Path, chunks: ChunkStore, manifest: Manifest, exact_limit: int) -> None:
        """Build the index files in the folder and record their hashes."""
        recall = self.build(folder, chunks, exact_limit)
        if recall is not None:
            manifest.recall_at_10 = recall
        for name in self.files:
            manifest.files.pop(name, None)
            if (folder / name).exists():
                manifest.add(folder, name)

    def fault(self, folder: Path, manifest: Manifest | None) -> str | None:
        """Return what is wrong with the files, or None when they can be trusted."""
        if manifest is None:
            return f"{layout.MANIFEST} is missing or damaged"
        there = [name for name in self.files if name in manifest.files or (folder / name).exists()]
        if not there:
            return f"the {self.name} index is not in {layout.MANIFEST}"
        return next(filter(None, (manifest.fault(folder, name) for name in there)), None)

    def trusted(
        self, folder: Path, chunks: ChunkStore, exact_limit: int
    ) -> tuple[Index, str | None]:
        """Open the index, making it again first if its files are not what was written.

        Without a manifest all indexes are made again, so that there is one message, not one each.
        Returns the index, and a message if anything was made again.
        """
        manifest = Manifest.read(folder)
        approximate = len(chunks.keys) > exact_limit
        fault = self.fault(folder, manifest)
        if fault is None:
            return self.open(folder, approximate), None
        scratch, kept = _scratch(folder)
        kinds: tuple[Kind[Any], ...] = (self,) if manifest or not kept else KINDS
        fresh = manifest or Manifest.of(folder, chunks)
        try:
            for kind in kinds:
                kind.make(scratch, chunks, fresh, exact_limit)
            if kept:
                fresh.write(scratch)
                _move(scratch, folder, [name for kind in kinds for name in kind.files])
            index = self.open(folder if kept else scratch, approximate)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
        what = f"the {self.name} index was" if len(kinds) == 1 else "the indexes were"
        message = f"{fault}; {what} made again from {layout.DATABASE}."
        log.warning("%s: %s", folder.name, message)
        return index, message


def _build_vectors(folder: Path, chunks: ChunkStore, exact_limit: int) -> float | None:
    matrix = chunks.matrix()
    np.save(folder / layout.VECTORS, matrix, allow_pickle=False)
    if len(matrix) <= exact_limit or not matrix.shape[1]:
        return None
    index = hnsw.build(matrix)
    index.save(folder / layout.HNSW, folder / layout.EQUALS)
    return measured_recall(VectorIndex(matrix, index), matrix)


def _open_vectors(folder: Path, approximate: bool) -> VectorIndex:
    # A slice of a memmap costs ten of an array's.
    matrix = np.asarray(np.load(folder / layout.VECTORS, mmap_mode="r", allow_pickle=False))
    path = folder / layout.HNSW
    if not (approximate and path.exists()):
        return VectorIndex(matrix)
    return VectorIndex(matrix, hnsw.open_saved(path, folder / layout.EQUALS, matrix.shape[1]))


def _build_keywords(folder: Path, chunks: ChunkStore, exact_limit: int) -> None:
    KeywordIndex.build(*chunks.documents()).save(folder / layout.KEYWORDS)


def _open_keywords(folder: Path, approximate: bool) -> KeywordIndex:
    return KeywordIndex.open(folder / layout.KEYWORDS)


def _build_graph(folder: Path, chunks: ChunkStore, exact_limit: int) -> None:
    GraphIndex.build(columns_of(chunks)).save(folder / layout.GRAPH)


def _open_graph(folder: Path, approximate: bool) -> GraphIndex:
    return GraphIndex.open(folder / layout.GRAPH)


def _move(scratch: Path, folder: Path, names: Sequence[str]) -> None:
    """Put what was made in its place, the manifest last; what was not made again must go."""
    for name in names:
        (folder / name).parent.mkdir(exist_ok=True)
        if (scratch / name).exists():
            os.replace(scratch / name, folder / name)
        else:
            (folder / name).unlink(missing_ok=True)
    os.replace(scratch / layout.MANIFEST, folder / layout.MANIFEST)


def _scratch(folder: Path) -> tuple[Path, bool]:
    try:
        return Path(tempfile.mkdtemp(prefix="rebuild-", dir=folder)), True
    except OSError:
        return Path(tempfile.mkdtemp(prefix="brainkit-")), False


VECTORS: Kind[VectorIndex] = Kind(
    "vector", (layout.VECTORS, layout.HNSW, layout.EQUALS), _build_vectors, _open_vectors
)
KEYWORDS: Kind[KeywordIndex] = Kind(
    "keyword",
    tuple(f"{layout.KEYWORDS}/{name}" for name in keywords.FILES),
    _build_keywords,
    _open_keywords,
)
GRAPH: Kind[GraphIndex] = Kind(
    "graph",
    tuple(f"{layout.GRAPH}/{name}" for name in graph.FILES),
    _build_graph,
    _open_graph,
)
KINDS: tuple[Kind[Any], ...] = (VECTORS, KEYWORDS, GRAPH)
