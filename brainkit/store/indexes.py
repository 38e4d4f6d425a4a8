"""The indexes of a generation as files: made from DuckDB, hashed, checked, opened, made again."""

from __future__ import annotations

import logging
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np

from brainkit.errors import BrainNotWritten
from brainkit.store import graph, hnsw, keywords, layout, sound
from brainkit.store.chunks import ChunkStore
from brainkit.store.graph import GraphIndex
from brainkit.store.graph_tables import columns_of
from brainkit.store.hnsw import Hnsw
from brainkit.store.keywords import KeywordIndex
from brainkit.store.locks import ReaderLock, delete_if_unused
from brainkit.store.manifest import Manifest
from brainkit.store.moved import Moved
from brainkit.store.refused import told
from brainkit.store.sound import Unsound, contradictions_named
from brainkit.store.vectors import Floats, VectorIndex, measured_recall

log = logging.getLogger("brainkit")
_SETTLED_SECONDS = 60  # between making a folder and locking it
Index = TypeVar("Index")


@dataclass(frozen=True, eq=False)
class Before:
    """The generation that a new one began with: an index may follow from its own.

    moved : where its chunks are now. Those that are still there have the terms, and the vectors,
        that they had.
    """

    folder: Path
    moved: Moved
    manifest: Manifest

    def has(self, *names: str) -> bool:
        """Tell whether these files are there and what was written."""
        return not any(self.manifest.fault(self.folder, name) for name in names)

    def shares(self, path: Path, name: str) -> bool:
        """Tell whether this is the very file, under another name, and so its hash known."""
        try:
            return path.samefile(self.folder / name)
        except OSError:
            return False


@dataclass(frozen=True)
class Kind(Generic[Index]):
    """One index: what it is called, how it is made from the database, and how it is opened.

    build : (folder, database, exact limit in chunks, the generation before where the index may
        follow from it) -> recall@10 if measured, else None.
    open : (folder, use HNSW if there) -> the index. Raises Unsound.
    suits : (index, database) -> whether it is one of as many chunks, and of vectors as long.
    """

    name: str
    files: tuple[str, ...]
    build: Callable[[Path, ChunkStore, int, Before | None], float | None]
    open: Callable[[Path, bool], Index]
    suits: Callable[[Index, ChunkStore], bool]

    def make(
        self,
        folder: Path,
        chunks: ChunkStore,
        manifest: Manifest,
        exact_limit: int,
        *,
        before: Before | None = None,
    ) -> None:
        """Build the index files in the folder and record their hashes."""
        with contradictions_named(f"the {self.name} index"):
            recall = self.build(folder, chunks, exact_limit, before)
        if recall is not None:
            manifest.recall_at_10 = recall
        for name in self.files:
            manifest.files.pop(name, None)
            if before is not None and before.shares(folder / name, name):
                manifest.files[name] = before.manifest.files[name]
            elif (folder / name).exists():
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
        Where the folder cannot be written, this one is made among the temporary files, for now.
        Returns the index, and a message if anything was made again. Raises BrainNotWritten if there
        is room for it nowhere.
        """
        manifest = Manifest.read(folder)
        approximate = len(chunks.keys) > exact_limit
        fault = self.fault(folder, manifest)
        if fault is None:
            try:
                return self._sound(folder, chunks, approximate), None
            except Unsound as error:  # by a hash that is right
                fault = str(error)
        kinds: tuple[Kind[Any], ...] = (self,) if manifest else KINDS
        what = f"the {self.name} index was" if len(kinds) == 1 else "the indexes were"
        try:
            with _scratch(folder) as scratch:
                fresh = manifest or Manifest.of(folder, chunks)
                for kind in kinds:
                    kind.make(scratch, chunks, fresh, exact_limit)
                fresh.write(scratch)
                _move(scratch, folder, [name for kind in kinds for name in kind.files])
            with contradictions_named(f"the {self.name} index"):
                index = self._sound(folder, chunks, approximate)
            message = f"{fault}; {what} made again from {layout.DATABASE}."
        except OSError as error:
            index = self._elsewhere(folder, chunks, exact_limit, fault=fault)
            message = (
                f"{fault}; the {self.name} index was made again from {layout.DATABASE}, but for "
                f"this session only, since the folder cannot be written ({told(error)})."
            )
        log.warning("%s: %s", folder.name, message)
        return index, message

    def _sound(self, folder: Path, chunks: ChunkStore, approximate: bool) -> Index:
        """Open the index. Raises Unsound also if it is that of other chunks."""
        index = self.open(folder, approximate)
        if not self.suits(index, chunks):
            raise Unsound(f"the {self.name} index is not of these chunks")
        return index

    def _elsewhere(
        self, folder: Path, chunks: ChunkStore, exact_limit: int, *, fault: str
    ) -> Index:
        """Make the index in the system's folder for temporary files; what is open outlives it."""
        try:
            with tempfile.TemporaryDirectory(
                prefix="brainkit-", ignore_cleanup_errors=True
            ) as made:
                with contradictions_named(f"the {self.name} index"):
                    self.build(Path(made), chunks, exact_limit, None)
                return self.open(Path(made), len(chunks.keys) > exact_limit)
        except OSError as error:
            raise BrainNotWritten(
                f"{folder}: {fault}, so the {self.name} index has to be made again, and there is "
                f"room for it neither there nor in {tempfile.gettempdir()} ({told(error)}). "
                "Nothing is lost: make room and ask again."
            ) from None


def _build_vectors(
    folder: Path, chunks: ChunkStore, exact_limit: int, before: Before | None
) -> float | None:
    matrix = chunks.matrix()
    np.save(folder / layout.VECTORS, matrix, allow_pickle=False)
    if len(matrix) <= exact_limit or not matrix.shape[1]:
        return None
    try:
        index = _followed(before, matrix)
    except Unsound:
        index = None
    if before is not None and index is not None:
        index.save_nodes(folder / layout.EQUALS)
        _link(before.folder / layout.HNSW, folder / layout.HNSW)
        return before.manifest.recall_at_10  # of the graph, which is the same: 15 s at a million
    index = hnsw.build(matrix)
    index.save(folder / layout.HNSW, folder / layout.EQUALS)
    return measured_recall(VectorIndex(matrix, index), matrix)


def _followed(before: Before | None, matrix: Floats) -> Hnsw | None:
    """Return the HNSW index of the generation before, led on to these vectors, if it will do.

    What it finds is then not to the last hit what one built anew finds, but as much, and a change
    of one file costs no minute per 100,000 chunks.
    """
    if before is None or not before.has(layout.HNSW, layout.EQUALS):
        return None
    index, nodes = before.folder / layout.HNSW, before.folder / layout.EQUALS
    return hnsw.followed(index, nodes, before.moved, matrix)


def _link(file: Path, target: Path) -> None:
    """Give a file that nobody writes to another name; copy it where that cannot be."""
    try:
        os.link(file, target)
    except OSError:
        shutil.copyfile(file, target)


def _open_vectors(folder: Path, approximate: bool) -> VectorIndex:
    matrix = sound.array(folder / layout.VECTORS, dtypes="f4", shape=(None, None))
    path = folder / layout.HNSW
    if not (approximate and path.exists()):
        return VectorIndex(matrix)
    return VectorIndex(matrix, hnsw.open_saved(path, folder / layout.EQUALS, matrix))


def _build_keywords(
    folder: Path, chunks: ChunkStore, exact_limit: int, before: Before | None
) -> None:
    if before is not None and KEYWORDS.fault(before.folder, before.manifest) is None:
        index = _opened(before.folder / layout.KEYWORDS)
        if index is not None and len(index.lengths) == len(before.moved.rows):
            added = chunks.documents(before.moved.added)
            index.moved(before.moved, *added).save(folder / layout.KEYWORDS)
            return
    KeywordIndex.build(*chunks.documents()).save(folder / layout.KEYWORDS)


def _opened(folder: Path) -> KeywordIndex | None:
    try:
        return KeywordIndex.open(folder)
    except Unsound:
        return None


def _open_keywords(folder: Path, approximate: bool) -> KeywordIndex:
    return KeywordIndex.open(folder / layout.KEYWORDS)


def _build_graph(folder: Path, chunks: ChunkStore, exact_limit: int, before: Before | None) -> None:
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


@contextmanager
def _scratch(folder: Path) -> Iterator[Path]:
    """A folder to make indexes in; those that a killed process left there go first."""
    for left_over in folder.glob("rebuild-*"):
        with suppress(OSError):
            if time.time() - left_over.stat().st_mtime > _SETTLED_SECONDS:
                delete_if_unused(left_over, layout.IN_USE)
    scratch = Path(tempfile.mkdtemp(prefix="rebuild-", dir=folder))
    try:
        (scratch / layout.IN_USE).touch()
        lock = ReaderLock(scratch / layout.IN_USE)
        try:
            yield scratch
        finally:
            lock.release()
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


VECTORS: Kind[VectorIndex] = Kind(
    "vector",
    (layout.VECTORS, layout.HNSW, layout.EQUALS),
    _build_vectors,
    _open_vectors,
    lambda index, chunks: (len(index), index.dim) == (len(chunks.keys), chunks.dim),
)
KEYWORDS: Kind[KeywordIndex] = Kind(
    "keyword",
    tuple(f"{layout.KEYWORDS}/{name}" for name in keywords.FILES),
    _build_keywords,
    _open_keywords,
    lambda index, chunks: len(index.lengths) == len(chunks.keys),
)
GRAPH: Kind[GraphIndex] = Kind(
    "graph",
    tuple(f"{layout.GRAPH}/{name}" for name in graph.FILES),
    _build_graph,
    _open_graph,
    lambda index, chunks: index.rows == len(chunks.keys),
)
KINDS: tuple[Kind[Any], ...] = (VECTORS, KEYWORDS, GRAPH)
