"""What a generation holds, and the hash of every file that native code will read."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from brainkit.store.layout import DATABASE, MANIFEST, read_json, write_whole

if TYPE_CHECKING:
    from brainkit.store.chunks import ChunkStore

_VERSIONS = ("brainkit", "duckdb", "usearch", "bm25s", "numpy")
_DIGEST = "sha256"


@dataclass
class Manifest:
    """Counts, versions, and per file its SHA-256 and size in bytes.

    On disk it carries its own SHA-256: a manifest that was changed is as good as none.
    """

    generation: str
    created: str
    versions: dict[str, str]
    counts: dict[str, int]
    files: dict[str, dict[str, str | int]] = field(default_factory=dict)
    recall_at_10: float | None = None
    """Measured recall of the HNSW index against exact search; None when search is exact."""

    @classmethod
    def of(cls, folder: Path, chunks: ChunkStore) -> Manifest:
        """Start the manifest of a generation whose database is finished, and record that."""
        counts = {table: chunks.count(table) for table in ("chunks", "files", "vectors", "terms")}
        size = (folder / DATABASE).stat().st_size
        return cls(
            generation=_generation(folder),
            created=datetime.now(UTC).isoformat(timespec="seconds"),
            versions={name: version(name) for name in _VERSIONS},
            counts=counts,
            files={DATABASE: {"sha256": chunks.sha256(), "bytes": size}},
        )

    def add(self, folder: Path, name: str) -> None:
        """Record one file of the generation as it is now."""
        path = folder / name
        self.files[name] = {"sha256": file_hash(path), "bytes": path.stat().st_size}

    def fault(
        self, folder: Path, name: str, *, hash_of: Callable[[Path], str] | None = None
    ) -> str | None:
        """Return what is wrong with a file (missing, wrong size, wrong hash), or None.

        hash_of : how to hash it, where it must not be opened as a plain file.
        """
        recorded, path = self.files.get(name), folder / name
        if recorded is None:
            return f"{name} is not in the manifest"
        try:
            if path.stat().st_size != recorded["bytes"]:
                return f"{name} has {path.stat().st_size} bytes instead of {recorded['bytes']}"
            if (hash_of or file_hash)(path) != recorded["sha256"]:
                return f"{name} does not match its hash"
        except FileNotFoundError:
            return f"{name} is missing"
        except OSError as error:
            return f"{name} cannot be read ({error.strerror})"
        return None

    def write(self, folder: Path) -> None:
        """Write the manifest, whole."""
        values = asdict(self)
        values[_DIGEST] = _digest(values)
        write_whole(folder / MANIFEST, json.dumps(values, indent=1).encode())

    @classmethod
    def read(cls, folder: Path) -> Manifest | None:
        """Read the manifest of this generation, or None when it is missing, changed or another's.

        Then nothing is trusted.
        """
        try:
            values = read_json(folder / MANIFEST)
            digest = values.pop(_DIGEST, None)
            manifest = cls(**values)
        except (OSError, ValueError, TypeError):
            return None
        whole = digest == _digest(values) and manifest.generation == _generation(folder)
        return manifest if whole else None


def _generation(folder: Path) -> str:
    return folder.name.removesuffix(".part")


def _digest(values: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()


def file_hash(path: Path) -> str:
    """Return the SHA-256 of a file as hex."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
