"""What a generation holds, and the hash of every file that native code will read."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from brainkit.store.layout import MANIFEST, read_json, write_whole

if TYPE_CHECKING:
    from brainkit.store.chunks import ChunkStore

_VERSIONS = ("brainkit", "duckdb", "usearch", "bm25s", "numpy")


@dataclass
class Manifest:
    """Counts, versions, and per file its SHA-256 and size in bytes."""

    generation: str
    created: str
    versions: dict[str, str]
    counts: dict[str, int]
    files: dict[str, dict[str, str | int]] = field(default_factory=dict)
    recall_at_10: float | None = None
    """Measured recall of the HNSW index against exact search; None when search is exact."""

    @classmethod
    def of(cls, folder: Path, chunks: ChunkStore) -> Manifest:
        """Start the manifest of a generation whose database is finished."""
        counts = {table: chunks.count(table) for table in ("chunks", "files", "vectors", "terms")}
        return cls(
            generation=folder.name.removesuffix(".part"),
            created=datetime.now(UTC).isoformat(timespec="seconds"),
            versions={name: version(name) for name in _VERSIONS},
            counts=counts,
        )

    def add(self, folder: Path, name: str) -> None:
        """Record one file of the generation as it is now."""
        path = folder / name
        self.files[name] = {"sha256": file_hash(path), "bytes": path.stat().st_size}

    def fault(self, folder: Path, name: str) -> str | None:
        """Return what is wrong with a file (missing, wrong size, wrong hash), or None."""
        recorded, path = self.files.get(name), folder / name
        if recorded is None:
            return f"{name} is not in the manifest"
        try:
            if path.stat().st_size != recorded["bytes"]:
                return f"{name} has {path.stat().st_size} bytes instead of {recorded['bytes']}"
            if file_hash(path) != recorded["sha256"]:
                return f"{name} does not match its hash"
        except FileNotFoundError:
            return f"{name} is missing"
        except OSError as error:
            return f"{name} cannot be read ({error.strerror})"
        return None

    def write(self, folder: Path) -> None:
        """Write the manifest, whole."""
        write_whole(folder / MANIFEST, json.dumps(asdict(self), indent=1).encode())

    @classmethod
    def read(cls, folder: Path) -> Manifest | None:
        """Read the manifest, or None when it is missing or damaged: then nothing is trusted."""
        try:
            value: dict[str, Any] = read_json(folder / MANIFEST)
            return cls(**value)
        except (OSError, ValueError, TypeError):
            return None


def file_hash(path: Path) -> str:
    """Return the SHA-256 of a file as hex."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
