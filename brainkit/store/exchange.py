"""A brain as one zip of Parquet and JSON: readable without brainkit, equal for equal brains.

Chunk keys are left out and rows sorted, so an export of an imported brain is the same file, byte
for byte. Terms and indexes are made again on import.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from brainkit.analyze import Analyzer
from brainkit.errors import InvalidExport, NotABrain
from brainkit.store.chunks import ChunkStore, FileRow, NewChunk
from brainkit.store.draft import Draft, chunk_ids, drafting
from brainkit.store.layout import Layout
from brainkit.store.locks import WriterLock

FORMAT = 1
_MANIFEST = "manifest.json"
_TABLES = {
    "roots.parquet": "select label, path from roots order by label",
    "files.parquet": "select * from files order by source",
    "chunks.parquet": "select * exclude (key) from chunks order by source, start_line, key",
    "vectors.parquet": (
        "select chunk_id, vector from vectors join chunks using (key) "
        "order by source, start_line, key"
    ),
}
_OF_THE_BRAIN = ("settings", "analyzer", "embedder")
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest date a zip can hold: equal input, equal bytes
_MEMBER_BYTES_MAX = 16_000_000_000


def export(chunks: ChunkStore, target: Path) -> None:
    """Write one generation to a zip; an existing file stays until the new one is whole."""
    members: dict[str, bytes] = {}
    for name, query in _TABLES.items():
        if name == "vectors.parquet" and not chunks.count("vectors"):
            continue
        members[name] = _parquet(chunks.table(query))
    meta = chunks.meta()
    manifest = {
        "format": FORMAT,
        "meta": {name: meta[name] for name in _OF_THE_BRAIN if name in meta},
        "counts": {table: chunks.count(table) for table in ("files", "chunks", "vectors")},
        "sha256": {name: hashlib.sha256(data).hexdigest() for name, data in members.items()},
    }
    members[_MANIFEST] = json.dumps(manifest, indent=1, sort_keys=True).encode()
    part = target.with_name(target.name + ".part")
    with zipfile.ZipFile(part, "w", zipfile.ZIP_STORED) as archive:
        for name, data in sorted(members.items()):
            archive.writestr(zipfile.ZipInfo(name, _EPOCH), data)
    os.replace(part, target)


def import_into(folder: Path, source: Path, *, exact_limit: int) -> None:
    """Make a new brain in a folder from an export.

    Raises InvalidExport if the file is not whole, NotABrain if the folder is taken.
    """
    layout = Layout(folder)
    exported = Exported(source)
    if layout.exists():
        raise NotABrain(f"{folder} is a brain already; choose a new folder to import into.")
    with WriterLock(layout), drafting(layout, None) as draft:
        exported.write_into(draft)
        draft.publish(exact_limit=exact_limit)


class Exported:
    """An export, checked: every member has the hash that its manifest says.

    Raises InvalidExport saying what is wrong with the file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            with zipfile.ZipFile(path) as archive:
                self._read(archive)
        except (OSError, zipfile.BadZipFile, ValueError, KeyError, pa.ArrowException) as error:
            raise InvalidExport(f"{path} is no whole brainkit export ({error}).") from None

    def write_into(self, draft: Draft) -> None:
        """Fill a new draft with the exported brain."""
        for name, value in self.meta.items():
            draft.set_meta(name, value)
        for root in self._tables["roots.parquet"].to_pylist():
            draft.set_root(root["label"], root["path"])
        analyzer = Analyzer(language=self.meta["settings"]["analyzer_language"])
        draft.set_meta("analyzer", analyzer.identity)
        vectors = self._vectors()
        found: dict[bytes, Any] = {}
        files = list(self._files(analyzer))
        for (_, chunks), ids in zip(files, self._ids(files), strict=True):
            for chunk, id_ in zip(chunks, ids, strict=True):
                if id_ in vectors:
                    found[chunk.content_hash] = vectors[id_]
        draft.add_vectors(draft.add(files), found)

    def _read(self, archive: zipfile.ZipFile) -> None:
        manifest = json.loads(_member(archive, _MANIFEST))
        if manifest["format"] != FORMAT:
            raise ValueError(
                f"it has format {manifest['format']}, and this brainkit reads {FORMAT}; "
                "upgrade brainkit"
            )
        self.meta: Mapping[str, Any] = manifest["meta"]
        self._tables: dict[str, pa.Table] = {}
        for name, sha256 in manifest["sha256"].items():
            if name not in _TABLES:
                raise ValueError(f"{name} does not belong there")
            data = _member(archive, name)
            if hashlib.sha256(data).hexdigest() != sha256:
                raise ValueError(f"{name} does not match its hash")
            self._tables[name] = pq.read_table(io.BytesIO(data))

    def _files(self, analyzer: Analyzer) -> Iterator[tuple[FileRow, list[NewChunk]]]:
        by_source: dict[str, list[NewChunk]] = {}
        for row in self._tables["chunks.parquet"].to_pylist():
            context, text = row["context"], row["text"]
            by_source.setdefault(row["source"], []).append(
                NewChunk(
                    start_line=row["start_line"],
                    end_line=row["end_line"],
                    text=text,
                    context=context,
                    terms=analyzer.terms(f"{context}\n{text}" if context else text),
                    content_hash=row["content_hash"],
                    tokens=row["tokens"],
                    metadata=json.loads(row["metadata"]),
                )
            )
        for row in self._tables["files.parquet"].to_pylist():
            yield FileRow(**row), by_source.get(row["source"], [])

    def _ids(self, files: list[tuple[FileRow, list[NewChunk]]]) -> Iterator[list[str]]:
        """The chunk ids as they will be made again; they must be those of the export."""
        exported = set(self._tables["chunks.parquet"].column("chunk_id").to_pylist())
        for row, chunks in files:
            ids = chunk_ids(row.source, chunks)
            if not exported.issuperset(ids):
                raise InvalidExport(f"{self._path}: the chunk ids of {row.source!r} do not fit.")
            yield ids

    def _vectors(self) -> dict[str, Any]:
        table = self._tables.get("vectors.parquet")
        if table is None:
            return {}
        column = table.column("vector").combine_chunks()
        dim = column.type.list_size
        matrix = column.flatten().to_numpy().reshape(-1, dim)
        return dict(zip(table.column("chunk_id").to_pylist(), matrix, strict=True))


def _parquet(table: pa.Table) -> bytes:
    buffer = io.BytesIO()
    pq.write_table(table, buffer, compression="zstd")
    return buffer.getvalue()


def _member(archive: zipfile.ZipFile, name: str) -> bytes:
    if archive.getinfo(name).file_size > _MEMBER_BYTES_MAX:
        raise ValueError(f"{name} claims more than {_MEMBER_BYTES_MAX:,} bytes")
    return archive.read(name)
