"""One immutable generation, open for reading, and the step that makes one current."""

from __future__ import annotations

import errno
import os
import shutil
import threading
from collections.abc import Callable, Hashable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from brainkit.errors import BrainDamaged
from brainkit.models import Notice
from brainkit.store import layout
from brainkit.store.chunks import ChunkStore
from brainkit.store.graph import GraphIndex
from brainkit.store.graph_tables import columns_of, disagreements, gaps
from brainkit.store.indexes import GRAPH, KEYWORDS, VECTORS, Index, Kind
from brainkit.store.keywords import KeywordIndex
from brainkit.store.layout import Layout
from brainkit.store.locks import ReaderLock, delete_if_unused
from brainkit.store.manifest import Manifest
from brainkit.store.vectors import VectorIndex

Value = TypeVar("Value")
_MEMORY_MAX = 64


class Generation:
    """The stores of one generation. Indexes open, hash-checked, when first used."""

    def __init__(self, folder: Path, *, exact_limit: int) -> None:
        self.folder = folder
        self.name = folder.name
        self.notices: list[Notice] = []
        self._exact_limit = exact_limit
        self._opening = threading.Lock()
        self._counting = threading.Lock()
        self._vectors: VectorIndex | None = None
        self._keywords: KeywordIndex | None = None
        self._graph: GraphIndex | None = None
        self._users = 0
        self._memory: dict[Hashable, Any] = {}
        self._retired = False
        self._lock = ReaderLock(folder / layout.IN_USE)
        try:
            self.chunks = ChunkStore(folder / layout.DATABASE)
            self.meta = self.chunks.meta()
        except BaseException:
            self._lock.release()
            raise

    @property
    def size(self) -> int:
        """Number of chunks."""
        return len(self.chunks.keys)

    def on_disk(self) -> bool:
        """Tell whether it still is the folder of its name: a brain can be deleted and made anew."""
        return self._lock.holds()

    @property
    def manifest(self) -> Manifest | None:
        """The manifest as it is on disk now, or None if it is damaged."""
        return Manifest.read(self.folder)

    @property
    def vectors(self) -> VectorIndex:
        """The vector index, opened at first use."""
        with self._opening:
            if self._vectors is None:
                self._vectors = self._trusted(VECTORS)
            return self._vectors

    @property
    def keywords(self) -> KeywordIndex:
        """The keyword index, opened at first use."""
        with self._opening:
            if self._keywords is None:
                self._keywords = self._trusted(KEYWORDS)
            return self._keywords

    @property
    def graph(self) -> GraphIndex:
        """The entity graph, opened at first use; empty where no facts were stored, saying why."""
        with self._opening:
            if self._graph is None:
                if self.chunks.has_graph:
                    self._graph = self._trusted(GRAPH)
                else:
                    self._graph = GraphIndex.build(columns_of(self.chunks))
                self._graph.reason = gaps(self.chunks)
            return self._graph

    def acquire(self) -> bool:
        """Keep the generation open while it is read; False if it was retired before."""
        with self._counting:
            if self._retired:
                return False
            self._users += 1
            return True

    def release(self) -> None:
        """End what ``acquire`` began; the last one out of a retired generation closes it."""
        with self._counting:
            self._users -= 1
            last = self._retired and self._users == 0
        if last:
            self._close()

    def retire(self) -> None:
        """Close now, or as soon as the last query is done."""
        with self._counting:
            first, self._retired = not self._retired, True
            idle = self._users == 0
        if first and idle:
            self._close()

    def remembered(self, key: Hashable, work: Callable[[], Value]) -> Value:
        """Return what ``work`` gives, doing it once per key: a generation never changes."""
        with self._counting:
            if key in self._memory:
                found: Value = self._memory[key]
                return found
        value = work()
        with self._counting:
            if len(self._memory) >= _MEMORY_MAX:
                self._memory.clear()
            self._memory[key] = value
        return value

    def faults(self) -> list[str]:
        """Return what is wrong with any file, by hash, or between the stores, by chunk.

        After a fault the indexes are opened, and made again, anew.
        """
        manifest = self.manifest
        if manifest is None:
            found = [f"{layout.MANIFEST} is missing or damaged"]
        else:
            hashed = {layout.DATABASE: lambda _: self.chunks.sha256()}
            damaged = (
                manifest.fault(self.folder, name, hash_of=hashed.get(name))
                for name in manifest.files
            )
            found = [fault for fault in damaged if fault]
        try:
            found += [*self.chunks.disagreements(), *disagreements(self.chunks)]
            found = found or self._index_disagreements()
        except BrainDamaged as error:
            found.append(str(error))
        if found:
            with self._opening:
                self._vectors = self._keywords = self._graph = None
        return found

    def _index_disagreements(self) -> list[str]:
        stored, (_, lengths, _) = self.chunks.matrix(), self.chunks.documents()
        found = []
        if not self.vectors.holds(stored):
            found.append("the vector index differs from the vectors in the database")
        if not np.array_equal(self.keywords.lengths, lengths):
            found.append("the keyword index differs from the terms in the database")
        if not self.graph.equals(GraphIndex.build(columns_of(self.chunks))):
            found.append("the graph index differs from the graph in the database")
        return found

    def _trusted(self, kind: Kind[Index]) -> Index:
        index, message = kind.trusted(self.folder, self.chunks, self._exact_limit)
        if message:
            self.notices.append(Notice(kind="rebuilt", message=message))
        return index

    def _close(self) -> None:
        self._vectors = self._keywords = self._graph = None
        self.chunks.close()
        self._lock.release()


def open_current(brain: Layout, *, exact_limit: int) -> Generation:
    """Open the current generation, again if it was replaced and deleted meanwhile.

    Raises BrainDamaged naming the kept generation and the way back to it.
    """
    name = brain.current()
    for _ in range(100):
        try:
            return Generation(brain.generation(name), exact_limit=exact_limit)
        except FileNotFoundError:
            before, name = name, brain.current()
            if name != before:
                continue
            folder = brain.generation(name)
            if not (folder / layout.DATABASE).exists():
                missing = layout.DATABASE if folder.is_dir() else "its folder"
                raise BrainDamaged(way_back(brain, name, f"{missing} is missing")) from None
            with suppress(OSError):
                (folder / layout.IN_USE).touch()
        except BrainDamaged as error:
            raise BrainDamaged(way_back(brain, name, str(error))) from None
        except OSError as error:
            raise BrainDamaged(layout.unreadable(brain.generation(name), error)) from None
    raise BrainDamaged(f"{brain.folder}: {name} cannot be opened, and no newer one appears.")


def way_back(brain: Layout, name: str, reason: str) -> str:
    """Return a message that says what is wrong with a generation, and how to go on without it."""
    kept = [other for other in brain.generations() if other != name]
    text = f"{brain.folder}: {name} is damaged ({reason}). "
    if kept:
        return text + (
            f"{kept[-1]} was kept: write its name into {brain.current_file} to go back to it, "
            "then ingest again (finished embeddings are reused)."
        )
    return text + f"No older generation was kept. {layout.afresh(brain.folder)}"


def publish(brain: Layout, draft: Path, name: str) -> None:
    """Make a finished draft the current generation, then delete old ones that nobody reads.

    The one before it is kept. That is not always the last number: the user may have gone back.
    """
    before = brain.current() if brain.exists() else None
    layout.sync_folder(draft)
    finished, made = brain.generation(name), os.stat(draft)
    draft.rename(finished)
    try:
        layout.sync_folder(brain.folder)
        if not _is(finished, made):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        brain.set_current(name)
    except BaseException:
        if _is(finished, made):
            _forget(brain, finished)
        raise
    if not _is(finished, made):  # moved: what is old in the brain that took its place is not ours
        return
    with suppress(OSError, BrainDamaged):  # what is published stays so
        for trash in brain.folder.glob(".trash-*"):
            shutil.rmtree(trash, ignore_errors=True)
        for other in brain.generations():
            if other not in (name, before):
                delete_if_unused(brain.generation(other), layout.IN_USE)


def _is(folder: Path, known: os.stat_result) -> bool:
    with suppress(OSError):
        return os.path.samestat(os.stat(folder), known)
    return False


def _forget(brain: Layout, finished: Path) -> None:
    """Delete a generation that could not be made current, unless an interrupt came after it was."""
    with suppress(BrainDamaged):
        if brain.current() != finished.name:
            shutil.rmtree(finished, ignore_errors=True)
