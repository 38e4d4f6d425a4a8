"""Writing: one new generation beside the current one, published by a single rename."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from brainkit.errors import BrainDamaged, BrainNotWritten
from brainkit.store import database
from brainkit.store.chunks import ChunkStore, FileRow, NewChunk
from brainkit.store.facts import DraftFacts, Each, unwatched
from brainkit.store.generation import publish
from brainkit.store.indexes import KEYWORDS, KINDS, VECTORS, Before
from brainkit.store.layout import DATABASE, IN_USE, Layout, name_of
from brainkit.store.manifest import Manifest
from brainkit.store.moved import Moved
from brainkit.store.refused import gone


class Draft:
    """A generation being written. Nothing of it is visible until ``publish``.

    base : the generation to begin with. Raises BrainDamaged if it is not what was written: what is
        wrong there must not get a good hash here.
    """

    def __init__(self, layout: Layout, base: ChunkStore | None) -> None:
        self._layout = layout
        if base is not None:
            _refuse_if_gone(base)
        self.name = name_of(layout.next_number())
        for left_over in layout.folder.glob("gen-*.part"):
            shutil.rmtree(left_over, ignore_errors=True)
        self.folder = layout.folder / f"{self.name}.part"
        self.folder.mkdir()
        path = self.folder / DATABASE
        try:
            if base is None:
                self._connection = database.create(path)
            else:
                _copy(base, path)
                self._connection = database.open_to_write(path)
        except BaseException:
            shutil.rmtree(self.folder, ignore_errors=True)
            raise
        self._base = base
        self._same_terms = self._same_vectors = True  # of the chunks that stay
        self._next_key = int(self._number("select coalesce(max(key), 0) from chunks")) + 1
        if base is not None:
            self._next_key = max(self._next_key, int(base.meta().get("next_key", 1)))
        rows = self._connection.execute("select term, id from terms").fetchall()
        self._terms: dict[str, int] = dict(rows)
        self._next_term = max(self._terms.values(), default=-1) + 1
        self._new_terms: dict[str, int] = {}
        self._connection.execute("create temp table unheld (id integer)")
        self.facts = DraftFacts(self._connection)

    def set_meta(self, name: str, value: Any) -> None:
        """Store one setting as JSON."""
        database.set_meta(self._connection, name, value)

    def set_root(self, label: str, path: str | None) -> None:
        """Name a root, or move it."""
        self._connection.execute("delete from roots where label = ?", [label])
        self._connection.execute("insert into roots values (?, ?)", [label, path])

    def drop_root(self, label: str) -> None:
        """Forget a root; its files are removed apart."""
        self._connection.execute("delete from roots where label = ?", [label])

    def remove(self, sources: Iterable[str]) -> None:
        """Remove sources and everything made from them, in every store."""
        gone = list(sources)
        if not gone:
            return
        values = {"gone": gone}
        chunks = "select key from chunks where source in (select unnest($gone))"
        self._connection.execute(
            "insert into unheld select distinct unnest(term_ids) from chunk_terms "
            f"where key in ({chunks})",
            values,
        )
        tables = ["chunk_terms", *(["vectors"] if self._has_vectors() else [])]
        for table in tables:
            self._connection.execute(f"delete from {table} where key in ({chunks})", values)
        for table in ("chunks", "files"):
            self._connection.execute(
                f"delete from {table} where source in (select unnest($gone))", values
            )
        self.facts.drop(gone)

    def add(self, files: Sequence[tuple[FileRow, Sequence[NewChunk]]]) -> list[tuple[int, bytes]]:
        """Store files with their chunks; return (key, content hash) of every chunk."""
        self._insert(
            "files",
            {
                name: [getattr(row, name) for row, _ in files]
                for name in FileRow.__dataclass_fields__
            },
        )
        columns: dict[str, list[Any]] = {name: [] for name in _CHUNK_COLUMNS}
        term_keys, term_ids = [], []
        added = []
        for row, chunks in files:
            for chunk_id, chunk in zip(chunk_ids(row.source, chunks), chunks, strict=True):
                key = self._next_key
                self._next_key += 1
                values = (
                    key, chunk_id, row.source, chunk.start_line, chunk.end_line, row.source_type,
                    row.language, chunk.text, chunk.context,
                    json.dumps(chunk.metadata, ensure_ascii=False, sort_keys=True),
                    chunk.content_hash, chunk.tokens,
                )  # fmt: skip
                for name, value in zip(_CHUNK_COLUMNS, values, strict=True):
                    columns[name].append(value)
                term_keys.append(key)
                term_ids.append(self._ids(chunk.terms))
                added.append((key, chunk.content_hash))
        self._insert("chunks", columns)
        self._insert("chunk_terms", {"key": term_keys, "term_ids": term_ids})
        return added

    def add_vectors(
        self, chunks: Sequence[tuple[int, bytes]], vectors: Mapping[bytes, NDArray[np.float32]]
    ) -> None:
        """Store the unit vector (dim,) of every (key, content hash) that has one."""
        have = [(key, vectors[hash_]) for key, hash_ in chunks if hash_ in vectors]
        if not have:
            return
        matrix = np.stack([vector for _, vector in have]).astype(np.float32, copy=False)
        dim = matrix.shape[1]
        if not self._has_vectors():
            self._connection.execute(f"create table vectors (key integer, vector float[{dim}])")
        flat = pa.array(matrix.ravel())
        table = pa.table(
            {
                "key": pa.array([key for key, _ in have], pa.int32()),
                "vector": pa.FixedSizeListArray.from_arrays(flat, dim),
            }
        )
        database.insert(self._connection, "vectors", table)

    def replace_terms(self, keys: Sequence[int], terms: Sequence[Sequence[str]]) -> None:
        """Replace the terms of every chunk, for a new analyzer."""
        self._same_terms = False
        self._connection.execute("delete from chunk_terms")
        self._connection.execute("delete from terms")
        self._terms, self._next_term, self._new_terms = {}, 0, {}
        self._insert("chunk_terms", {"key": list(keys), "term_ids": [self._ids(t) for t in terms]})

    def drop_vectors(self) -> None:
        """Forget all vectors, for a new embedder."""
        self._same_vectors = False
        self._connection.execute("drop table if exists vectors")

    def publish(self, *, exact_limit: int, each: Each = unwatched) -> str:
        """Finish the database, build the indexes, and make this the current generation.

        each : wraps the sources whose facts are related to each other, for a progress bar.
        """
        self._insert("terms", {"id": list(self._new_terms.values()), "term": list(self._new_terms)})
        self._drop_unheld()
        if self._has_vectors() and not self._number("select count(*) from vectors"):
            self.drop_vectors()
        if not self._has_vectors():  # nothing to compare with: any embedder may come next
            self._connection.execute("delete from meta where name = 'embedder'")
        self.facts.relate(each)
        self.set_meta("next_key", self._next_key)
        self._connection.execute(
            "create or replace table ranks as select key, "
            "(row_number() over (order by source, start_line, chunk_id, key) - 1)::integer as ord "
            "from chunks order by key"
        )
        self._connection.execute("checkpoint")
        self._connection.close()
        chunks = ChunkStore(self.folder / DATABASE)
        try:
            manifest = Manifest.of(self.folder, chunks)
            before = self._before(chunks)
            for kind in KINDS:
                follows = {KEYWORDS: self._same_terms, VECTORS: self._same_vectors}.get(kind)
                kind.make(
                    self.folder, chunks, manifest, exact_limit, before=before if follows else None
                )
        finally:
            chunks.close()
        manifest.write(self.folder)
        (self.folder / IN_USE).touch()
        publish(self._layout, self.folder, self.name)
        return self.name

    def abandon(self) -> None:
        """Throw the draft away."""
        with suppress(duckdb.Error):  # it writes once more, perhaps to a full disk
            self._connection.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _drop_unheld(self) -> None:
        """Delete the terms of removed chunks that no other chunk holds.

        Only those are looked for: to ask it of all terms takes four times as long.
        """
        if self._number("select count(*) from unheld"):
            self._connection.execute(
                "delete from unheld where id in (select id from (select unnest(term_ids) as id "
                "from chunk_terms) where id in (select id from unheld))"
            )
            self._connection.execute("delete from terms where id in (select id from unheld)")

    def _before(self, chunks: ChunkStore) -> Before | None:
        """Return the base for indexes to follow from, if what it holds can be trusted."""
        if self._base is None:
            return None
        folder = self._base.path.parent
        manifest = Manifest.read(folder)
        if manifest is None:
            return None
        return Before(folder, Moved.between(self._base.keys, chunks.keys), manifest)

    def _ids(self, terms: Sequence[str]) -> list[int]:
        known = self._terms
        ids = []
        for term in terms:
            id_ = known.get(term)
            if id_ is None:
                id_ = known[term] = self._new_terms[term] = self._next_term
                self._next_term += 1
            ids.append(id_)
        return ids

    def _has_vectors(self) -> bool:
        return bool(
            self._number("select count(*) from duckdb_tables() where table_name = 'vectors'")
        )

    def _number(self, query: str) -> int:
        ((number,),) = self._connection.execute(query).fetchall()
        return int(number)

    def _insert(self, table: str, columns: Mapping[str, Sequence[Any]]) -> None:
        types = _TYPES
        arrays = {name: pa.array(values, types.get(name)) for name, values in columns.items()}
        database.insert(self._connection, table, pa.table(arrays))


_CHUNK_COLUMNS = (
    "key", "chunk_id", "source", "start_line", "end_line", "source_type", "language", "text",
    "context", "metadata", "content_hash", "tokens",
)  # fmt: skip

_TYPES = {
    "key": pa.int32(),
    "id": pa.int32(),
    "start_line": pa.int32(),
    "end_line": pa.int32(),
    "tokens": pa.int32(),
    "chunks": pa.int32(),
    "size": pa.int64(),
    "term_ids": pa.list_(pa.int32()),
    "content_hash": pa.binary(),
    **dict.fromkeys(
        ("chunk_id", "sha256", "source", "label", "relative", "source_type", "language", "text",
         "context", "metadata", "decoded_as", "note", "skipped", "term"),
        pa.string(),
    ),
}  # fmt: skip


def _refuse_if_gone(base: ChunkStore) -> None:
    """Another brain at this path would get the chunks of the one that was read."""
    if not base.is_there():
        raise BrainNotWritten(gone(base.path.parent.parent))


def _copy(base: ChunkStore, target: Path) -> None:
    copied = base.copy_to(target)
    _refuse_if_gone(base)
    manifest = Manifest.read(base.path.parent)
    recorded = manifest.files.get(DATABASE) if manifest else None
    if recorded and recorded["sha256"] != copied:
        raise BrainDamaged(f"{base.path} does not match its hash")


@contextmanager
def drafting(layout: Layout, base: ChunkStore | None) -> Iterator[Draft]:
    """A draft for the length of the block, thrown away if anything goes wrong in it.

    Raises BrainNotWritten or BrainReadOnly if the system does not let it be written.
    """
    with database.refusals_named(layout.folder):
        draft = Draft(layout, base)
        try:
            yield draft
        except BaseException:
            draft.abandon()
            raise


def chunk_ids(source: str, chunks: Sequence[NewChunk]) -> list[str]:
    """Return a stable id per chunk: a hash of (source, text, how often that text came before).

    It survives edits elsewhere in the source, since lines are not part of it. A chunk of a page
    ends in its number, such as ``-p12``.
    """
    seen: Counter[str] = Counter()
    ids = []
    for chunk in chunks:
        occurrence = seen[chunk.text]
        seen[chunk.text] += 1
        whole = f"{source}\0{occurrence}\0{chunk.text}"
        page = f"-p{chunk.metadata['page']}" if "page" in chunk.metadata else ""
        ids.append(hashlib.sha256(whole.encode()).hexdigest()[:20] + page)
    return ids
