"""Reading an export, believing nothing: somebody else may have made it, with hashes that match."""

from __future__ import annotations

import hashlib
import io
import json
import math
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
from brainkit.errors import InvalidExport
from brainkit.extract.checked import checked
from brainkit.extract.facts import FACTS_VERSION, Facts
from brainkit.extract.graph import Edit
from brainkit.kept import content_hash
from brainkit.models import SourceType
from brainkit.settings import SHAPING, Settings
from brainkit.store.chunks import FileRow, NewChunk
from brainkit.store.defaults import FILE as DEFAULTS
from brainkit.store.defaults import Stored, parse
from brainkit.store.draft import Draft, chunk_ids

FORMAT = 2
"""1 had no facts and no edits of entities."""
MANIFEST = "manifest.json"
OF_THE_BRAIN = ("settings", "analyzer", "embedder", "graph")
_MANIFEST_BYTES_MAX = 1_000_000
BYTES_MAX = 4_000_000_000
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
    "facts.parquet": {"source": _TEXT, "facts": _TEXT},
    "entity_edits.parquet": {"kind": _TEXT, "name": _TEXT, "other": _TEXT},
}  # fmt: skip
_NULLABLE = {"path", "language", "decoded_as", "note", "skipped", "facts"}
_SINCE_1 = ("roots.parquet", "files.parquet", "chunks.parquet")


class Exported:
    """An export, checked whole: somebody else may have made it, with hashes that match.

    Raises InvalidExport saying what is wrong with the file.
    """

    def __init__(self, path: Path) -> None:
        try:
            with zipfile.ZipFile(path) as archive:
                manifest, tables, self.defaults = _read(archive)
            self._read_meta(manifest["meta"])
            self._roots = _roots(tables["roots.parquet"])
            chunks = tables["chunks.parquet"].to_pylist()
            self._files = _files(tables["files.parquet"], chunks, self._analyzer, set(self._roots))
            self._vectors = self._vectors_of(chunks, tables.get("vectors.parquet"))
            self._facts = self._facts_of(tables.get("facts.parquet"))
            self._edits = _edits(tables.get("entity_edits.parquet"))
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
        if self._facts is None:
            draft.facts.leave_for_later()
        else:
            draft.facts.set(self._facts)
        draft.facts.set_edits(self._edits)

    def _read_meta(self, meta: Any) -> None:
        _only(meta, OF_THE_BRAIN, "meta")
        settings = _only(meta.get("settings"), SHAPING, "meta.settings")
        if missing := [name for name in SHAPING if name not in settings]:
            raise ValueError(f"meta.settings has no {', '.join(missing)}")
        _typed(settings, Settings, "meta.settings")
        Settings(**settings)
        self._settings = settings
        self._analyzer = Analyzer(language=settings["analyzer_language"])
        graph = _only(meta.get("graph", {}), ("facts", "rules"), "meta.graph")
        self._facts_version = graph.get("facts")
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

    def _facts_of(self, table: pa.Table | None) -> dict[str, Facts | None] | None:
        """Source -> facts; None where they are of another version, so that they are made anew."""
        if table is None or self._facts_version != FACTS_VERSION:
            return None
        lengths = {row.source: [len(chunk.text) for chunk in chunks] for row, chunks in self._files}
        sources = table.column("source").to_pylist()
        _distinct("facts.parquet", "source", sources)
        found: dict[str, Facts | None] = {}
        for source, text in zip(sources, table.column("facts").to_pylist(), strict=True):
            if not lengths.get(source):
                raise ValueError(f"facts.parquet: {source!r} has no chunks")
            try:
                found[source] = None if text is None else checked(text, lengths=lengths[source])
            except ValueError as error:
                raise ValueError(
                    f"facts.parquet: those of {source!r} are no facts: {error}"
                ) from None
        return found


def _read(
    archive: zipfile.ZipFile,
) -> tuple[dict[str, Any], dict[str, pa.Table], Stored | None]:
    manifest = json.loads(_member(archive, MANIFEST, _MANIFEST_BYTES_MAX))
    if not isinstance(manifest, dict):
        raise ValueError(f"{MANIFEST} is no JSON object")
    if manifest.get("format") not in range(1, FORMAT + 1):
        raise ValueError(
            f"it has format {manifest.get('format')}, and this brainkit reads up to {FORMAT}; "
            "upgrade brainkit"
        )
    hashes = _only(manifest.get("sha256"), (*_SCHEMAS, "vectors.parquet", DEFAULTS), "sha256")
    _only(manifest.get("meta"), OF_THE_BRAIN, "meta")
    if missing := [name for name in _SINCE_1 if name not in hashes]:
        raise ValueError(f"it has no {', '.join(missing)}")
    tables, stored = {}, None
    for name, sha256 in hashes.items():
        data = _member(archive, name, BYTES_MAX)
        if hashlib.sha256(data).hexdigest() != sha256:
            raise ValueError(f"{name} does not match its hash")
        if name == DEFAULTS:
            stored = parse(data)
            continue
        tables[name] = _table(name, data)
        if name in _SCHEMAS:
            _check_columns(name, tables[name], _SCHEMAS[name])
    return manifest, tables, stored


def _roots(table: pa.Table) -> dict[str, str | None]:
    labels = table.column("label").to_pylist()
    _distinct("roots.parquet", "label", labels)
    return dict(zip(labels, table.column("path").to_pylist(), strict=True))


def _edits(table: pa.Table | None) -> list[Edit]:
    edits = [Edit(**row) for row in table.to_pylist()] if table is not None else []
    for edit in edits:
        if edit.kind not in ("merge", "alias") or not edit.name or not edit.other:
            raise ValueError(f"entity_edits.parquet: {tuple(edit)!r:.80} is no edit")
    return edits


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
    "str | None": lambda value: value is None or type(value) is str,
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


def _table(name: str, data: bytes) -> pa.Table:
    """Unpack a table, row by row: a few bytes of Parquet can stand for any number."""
    file = pq.ParquetFile(io.BytesIO(data))
    batches, size = [], 0
    for batch in file.iter_batches(_ROWS_AT_ONCE):
        size += batch.nbytes
        if size > BYTES_MAX:
            raise ValueError(f"{name} unpacks to more than {BYTES_MAX:,} bytes")
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
