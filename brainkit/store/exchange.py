"""A brain as one zip of Parquet and JSON: readable without brainkit, equal for equal brains.

Chunk keys are left out and rows sorted, so an export of an imported brain is the same file, byte
for byte. Terms and indexes are made again on import.
"""

from __future__ import annotations

import hashlib
import io
import json
import math
import os
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, NoReturn, get_args

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from brainkit.analyze import Analyzer, embedded_text
from brainkit.embed import Identity
from brainkit.errors import InvalidExport, InvalidSetting, NotABrain
from brainkit.kept import content_hash
from brainkit.models import SourceType
from brainkit.settings import SHAPING, Settings
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
_MANIFEST_BYTES_MAX = 1_000_000
_BYTES_MAX = 4_000_000_000
"""Of one member, packed and unpacked: a million chunks with vectors of 1000 numbers."""
_DIM_MAX = 65_536
_LENGTH_TOLERANCE = 1e-3  # of unit vectors: float32 sums, and whatever other programs round to
_ROWS_AT_ONCE = 1024

_TEXT, _INT = pa.string(), pa.int32()
_SCHEMAS = {
    "roots.parquet": {"label": _TEXT, "path": _TEXT},
    "files.parquet": {
        "source": _TEXT, "label": _TEXT, "relative": _TEXT, "size": pa.int64(), "sha256": _TEXT,
        "source_type": _TEXT, "language": _TEXT, "decoded_as": _TEXT, "note": _TEXT,
        "skipped": _TEXT, "chunks": _INT,
    },
    "chunks.parquet": {
        "chunk_id": _TEXT, "source": _TEXT, "start_line": _INT, "end_line": _INT,
        "source_type": _TEXT, "language": _TEXT, "text": _TEXT, "context": _TEXT,
        "metadata": _TEXT, "content_hash": pa.binary(), "tokens": _INT,
    },
}  # fmt: skip
_NULLABLE = {"path", "language", "decoded_as", "note", "skipped"}


def export(chunks: ChunkStore, target: Path) -> None:
    """Write one generation to a zip; an existing file stays until the new one is whole.

    Raises InvalidSetting if the target is a folder or cannot be written.
    """
    if target.is_dir():
        raise InvalidSetting(f"{target} is a folder; give the path of a file, such as brain.zip.")
    if not target.parent.is_dir():
        raise InvalidSetting(f"{target.parent} is no folder; make it first, or choose another.")
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
    try:
        with zipfile.ZipFile(part, "w", zipfile.ZIP_STORED) as archive:
            for name, data in sorted(members.items()):
                archive.writestr(zipfile.ZipInfo(name, _EPOCH), data)
        os.replace(part, target)
    except OSError as error:
        raise InvalidSetting(
            f"{target} cannot be written ({error}); choose a folder that is writable and has room."
        ) from None


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
    """An export, checked whole: somebody else may have made it, with hashes that match.

    Raises InvalidExport saying what is wrong with the file.
    """

    def __init__(self, path: Path) -> None:
        try:
            with zipfile.ZipFile(path) as archive:
                manifest, tables = _read(archive)
            self._read_meta(manifest["meta"])
            self._roots = _roots(tables["roots.parquet"])
            chunks = tables["chunks.parquet"].to_pylist()
            self._files = _files(tables["files.parquet"], chunks, self._analyzer, set(self._roots))
            self._vectors = self._vectors_of(chunks, tables.get("vectors.parquet"))
        except (
            OSError, zipfile.BadZipFile, zlib.error, ValueError, RuntimeError,
            pa.ArrowException,
        ) as error:  # fmt: skip
            raise InvalidExport(f"{path} is no whole brainkit export ({error}).") from None

    def write_into(self, draft: Draft) -> None:
        """Fill a new draft with the exported brain."""
        draft.set_meta("settings", self._settings)
        draft.set_meta("analyzer", self._analyzer.identity)
        if self._identity is not None:
            draft.set_meta("embedder", self._identity.to_dict())
        for label, path in self._roots.items():
            draft.set_root(label, path)
        draft.add_vectors(draft.add(self._files), self._vectors)

    def _read_meta(self, meta: Any) -> None:
        _only(meta, _OF_THE_BRAIN, "meta")
        settings = _only(meta.get("settings"), SHAPING, "meta.settings")
        if missing := [name for name in SHAPING if name not in settings]:
            raise ValueError(f"meta.settings has no {', '.join(missing)}")
        _typed(settings, Settings, "meta.settings")
        Settings(**settings)
        self._settings = settings
        self._analyzer = Analyzer(language=settings["analyzer_language"])
        self._identity: Identity | None = None
        if (given := meta.get("embedder")) is not None:
            _only(given, [field.name for field in fields(Identity)], "meta.embedder")
            if missing := [n for n in ("provider", "model", "dim", "revision") if n not in given]:
                raise ValueError(f"meta.embedder has no {', '.join(missing)}")
            _typed(given, Identity, "meta.embedder")
            self._identity = Identity.from_dict(given)
            if not 1 <= self._identity.dim <= _DIM_MAX:
                raise ValueError(f"meta.embedder.dim={self._identity.dim} is not 1 to {_DIM_MAX}")
            if self._identity.max_tokens is not None and self._identity.max_tokens < 1:
                raise ValueError(f"meta.embedder.max_tokens={self._identity.max_tokens} is below 1")

    def _vectors_of(
        self, chunks: list[dict[str, Any]], table: pa.Table | None
    ) -> dict[bytes, NDArray[np.float32]]:
        """Content hash -> unit vector."""
        if table is None:
            return {}
        if self._identity is None:
            raise ValueError("it has vectors, and meta.embedder does not say whose")
        dim = self._identity.dim
        _check_columns(
            "vectors.parquet", table, {"chunk_id": _TEXT, "vector": pa.list_(pa.float32(), dim)}
        )
        flat = table.column("vector").combine_chunks().flatten()
        if flat.null_count:
            raise ValueError("vectors.parquet: vector has nulls inside")
        matrix = flat.to_numpy().reshape(-1, dim)
        lengths = np.sqrt(np.einsum("ij,ij->i", matrix, matrix, dtype=np.float64))
        bad = np.flatnonzero(~(np.abs(lengths - 1) <= _LENGTH_TOLERANCE))  # NaN is bad too
        ids = table.column("chunk_id").to_pylist()
        if bad.size:
            raise ValueError(
                f"vectors.parquet: the vector of {ids[bad[0]]} has length {lengths[bad[0]]:g}, "
                "and must have 1"
            )
        _distinct("vectors.parquet", "chunk_id", ids)
        hashes = {row["chunk_id"]: row["content_hash"] for row in chunks}
        if unknown := [id_ for id_ in ids if id_ not in hashes]:
            raise ValueError(f"vectors.parquet: there is no chunk {unknown[0]}")
        return {hashes[id_]: vector for id_, vector in zip(ids, matrix, strict=True)}


def _read(archive: zipfile.ZipFile) -> tuple[dict[str, Any], dict[str, pa.Table]]:
    manifest = json.loads(_member(archive, _MANIFEST, _MANIFEST_BYTES_MAX))
    if not isinstance(manifest, dict):
        raise ValueError(f"{_MANIFEST} is no JSON object")
    if manifest.get("format") != FORMAT:
        raise ValueError(
            f"it has format {manifest.get('format')}, and this brainkit reads {FORMAT}; "
            "upgrade brainkit"
        )
    hashes = _only(manifest.get("sha256"), _TABLES, "sha256")
    _only(manifest.get("meta"), _OF_THE_BRAIN, "meta")
    if missing := [name for name in _SCHEMAS if name not in hashes]:
        raise ValueError(f"it has no {', '.join(missing)}")
    tables = {}
    for name, sha256 in hashes.items():
        data = _member(archive, name, _BYTES_MAX)
        if hashlib.sha256(data).hexdigest() != sha256:
            raise ValueError(f"{name} does not match its hash")
        tables[name] = _table(name, data)
        if name in _SCHEMAS:
            _check_columns(name, tables[name], _SCHEMAS[name])
    return manifest, tables


def _roots(table: pa.Table) -> dict[str, str | None]:
    labels = table.column("label").to_pylist()
    _distinct("roots.parquet", "label", labels)
    return dict(zip(labels, table.column("path").to_pylist(), strict=True))


def _files(
    table: pa.Table, rows: list[dict[str, Any]], analyzer: Analyzer, labels: set[str]
) -> list[tuple[FileRow, list[NewChunk]]]:
    """Every file with its chunks, whose ids must come out as exported."""
    by_source: dict[str, list[NewChunk]] = {}
    exported: dict[str, list[str]] = {}
    for chunk in rows:
        by_source.setdefault(chunk["source"], []).append(_chunk(chunk, analyzer))
        exported.setdefault(chunk["source"], []).append(chunk["chunk_id"])
    _distinct("files.parquet", "source", table.column("source").to_pylist())
    files = []
    for values in table.to_pylist():
        row = FileRow(**values)
        chunks = by_source.pop(row.source, [])
        _check_type("files.parquet", row.source, row.source_type)
        if row.label and row.label not in labels:
            raise ValueError(f"files.parquet: {row.source!r} is of an unknown root {row.label!r}")
        if row.size < 0 or row.chunks != len(chunks):
            raise ValueError(f"files.parquet: the counts of {row.source!r} do not fit")
        if sorted(chunk_ids(row.source, chunks)) != sorted(exported.get(row.source, [])):
            raise ValueError(f"the chunk ids of {row.source!r} do not fit")
        files.append((row, chunks))
    if by_source:
        raise ValueError(f"chunks.parquet: {min(by_source)!r} is not among the files")
    return files


def _chunk(row: Mapping[str, Any], analyzer: Analyzer) -> NewChunk:
    where = f"chunks.parquet: {row['chunk_id']}"
    _check_type("chunks.parquet", row["chunk_id"], row["source_type"])
    if not 1 <= row["start_line"] <= row["end_line"]:
        raise ValueError(f"{where} has lines {row['start_line']} to {row['end_line']}")
    if row["tokens"] < 0:
        raise ValueError(f"{where} has {row['tokens']} tokens")
    whole = embedded_text(row["context"], row["text"])
    if content_hash(whole) != row["content_hash"]:
        raise ValueError(f"{where} has another text than its content_hash says")
    return NewChunk(
        start_line=row["start_line"],
        end_line=row["end_line"],
        text=row["text"],
        context=row["context"],
        terms=analyzer.terms(whole),
        content_hash=row["content_hash"],
        tokens=row["tokens"],
        metadata=_metadata(where, row["metadata"]),
    )


def _metadata(where: str, text: str) -> dict[str, Any]:
    def refuse(constant: str) -> NoReturn:
        raise ValueError(f"{constant} is not JSON")

    try:
        found = json.loads(text, parse_constant=refuse)
        json.dumps(found, ensure_ascii=False).encode()  # no lone surrogates, which DuckDB refuses
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{where} has metadata that is no JSON ({error})") from None
    if not isinstance(found, dict):
        raise ValueError(f"{where} has metadata that is no JSON object")
    return found


def _check_type(table: str, what: str, source_type: str) -> None:
    if source_type not in get_args(SourceType):
        allowed = ", ".join(get_args(SourceType))
        raise ValueError(
            f"{table}: source_type={source_type!r} of {what!r} is not one of {allowed}"
        )


def _only(given: Any, allowed: Any, what: str) -> dict[str, Any]:
    if not isinstance(given, dict):
        raise ValueError(f"{what} is no JSON object")
    if unknown := [name for name in given if name not in allowed]:
        raise ValueError(f"{what}: {unknown[0]} does not belong there")
    return given


def _typed(given: Mapping[str, Any], model: type[Settings | Identity], what: str) -> None:
    wanted = {field.name: str(field.type) for field in fields(model)}
    for name, value in given.items():
        if not _KINDS[wanted[name]](value):
            raise ValueError(f"{what}.{name}={value!r:.80} is not of type {wanted[name]}")


# Not isinstance: True is no number here.
_KINDS: Mapping[str, Callable[[Any], bool]] = {
    "int": lambda value: type(value) is int,
    "str": lambda value: type(value) is str,
    "bool": lambda value: type(value) is bool,
    "int | None": lambda value: value is None or type(value) is int,
    "bool | None": lambda value: value is None or type(value) is bool,
    "tuple[float, ...] | None": lambda value: (
        value is None
        or (type(value) is list and all(type(x) is float and math.isfinite(x) for x in value))
    ),
}


def _check_columns(name: str, table: pa.Table, wanted: Mapping[str, pa.DataType]) -> None:
    if set(table.column_names) != set(wanted) or table.num_columns != len(wanted):
        raise ValueError(
            f"{name} has columns {', '.join(table.column_names)}, not {', '.join(wanted)}"
        )
    for column, type_ in wanted.items():
        field = table.schema.field(column)
        if field.type != type_:
            raise ValueError(f"{name}: {column} has type {field.type}, not {type_}")
        if column not in _NULLABLE and table.column(column).null_count:
            raise ValueError(f"{name}: {column} has nulls")


def _distinct(table: str, column: str, values: list[str]) -> None:
    if repeated := [value for value, count in Counter(values).items() if count > 1]:
        raise ValueError(f"{table}: {column} {repeated[0]!r} comes twice")


def _parquet(table: pa.Table) -> bytes:
    if table.nbytes > _BYTES_MAX:
        raise InvalidExport(
            f"A table of this brain has {table.nbytes:,} bytes, and an export at most "
            f"{_BYTES_MAX:,}; copy the brain's folder instead."
        )
    buffer = io.BytesIO()
    pq.write_table(table, buffer, compression="zstd")
    return buffer.getvalue()


def _table(name: str, data: bytes) -> pa.Table:
    """Unpack a table, row by row: a few bytes of Parquet can stand for any number."""
    file = pq.ParquetFile(io.BytesIO(data))
    batches, size = [], 0
    for batch in file.iter_batches(_ROWS_AT_ONCE):
        size += batch.nbytes
        if size > _BYTES_MAX:
            raise ValueError(f"{name} unpacks to more than {_BYTES_MAX:,} bytes")
        batches.append(batch)
    table = pa.Table.from_batches(batches, file.schema_arrow)
    table.validate(full=True)
    return table


def _member(archive: zipfile.ZipFile, name: str, most: int) -> bytes:
    if name not in archive.namelist():
        raise ValueError(f"it has no {name}")
    if archive.getinfo(name).file_size > most:
        raise ValueError(f"{name} claims more than {most:,} bytes")
    return archive.read(name)
