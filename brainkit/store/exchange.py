"""A brain as one zip of Parquet and JSON: readable without brainkit, equal for equal brains.

Chunk keys are left out and rows sorted, so an export of an imported brain is the same file, byte
for byte. Terms, entities and relations, and indexes are made again on import.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import zipfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from brainkit.errors import InvalidExport, InvalidSetting, NotABrain
from brainkit.store import exported
from brainkit.store.chunks import ChunkStore
from brainkit.store.defaults import FILE as DEFAULTS
from brainkit.store.defaults import Stored, text, write
from brainkit.store.draft import drafting
from brainkit.store.exported import FORMAT, MANIFEST, OF_THE_BRAIN, Exported
from brainkit.store.layout import Layout
from brainkit.store.locks import WriterLock

_TABLES = {
    "roots.parquet": "select label, path from roots order by label",
    "files.parquet": "select * from files order by source",
    "chunks.parquet": "select * exclude (key) from chunks order by source, key",
    "vectors.parquet": (
        "select chunk_id, vector from vectors join chunks using (key) order by source, key"
    ),
    "facts.parquet": "select source, facts from facts order by source",
    "entity_edits.parquet": "select kind, name, other from entity_edits order by ord",
}
_OF_GRAPHS = ("facts.parquet", "entity_edits.parquet")
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest date a zip can hold: equal input, equal bytes


def export(chunks: ChunkStore, target: Path, *, defaults: Stored | None = None) -> None:
    """Write one generation to a zip; an existing file stays until the new one is whole.

    defaults : of the brain, to go with it.

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
        if name in _OF_GRAPHS and not chunks.has_graph:
            continue
        members[name] = _parquet(chunks.table(query))
    if defaults is not None:
        members[DEFAULTS] = text(defaults)
    meta = chunks.meta()
    manifest = {
        "format": FORMAT,
        "meta": {name: meta[name] for name in OF_THE_BRAIN if name in meta},
        "counts": {table: chunks.count(table) for table in ("files", "chunks", "vectors", "facts")},
        "sha256": {name: hashlib.sha256(data).hexdigest() for name, data in members.items()},
    }
    members[MANIFEST] = json.dumps(manifest, indent=1, sort_keys=True).encode()
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
    with WriterLock(layout, make=True), drafting(layout, None) as draft:
        exported.write_into(draft)
        write(layout, exported.defaults)
        draft.publish(exact_limit=exact_limit)


def _parquet(table: pa.Table) -> bytes:
    if table.nbytes > exported.BYTES_MAX:
        raise InvalidExport(
            f"A table of this brain has {table.nbytes:,} bytes, and an export at most "
            f"{exported.BYTES_MAX:,}; copy the brain's folder instead."
        )
    buffer = io.BytesIO()
    pq.write_table(table, buffer, compression="zstd")
    return buffer.getvalue()
