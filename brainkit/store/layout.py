"""Names of the files in a brain folder, and writes that are whole or absent."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from brainkit.errors import BrainDamaged, BrainkitError, NotABrain
from brainkit.store.refused import gone

MANIFEST = "manifest.json"
DATABASE = "chunks.duckdb"
VECTORS = "vectors.npy"
HNSW = "vectors.usearch"
EQUALS = "vectors.equals.npy"
KEYWORDS = "keywords"
GRAPH = "graph"
IN_USE = "in-use.lock"
_NAME = re.compile(r"gen-(\d{6,})$")


class Layout:
    """Paths inside one brain folder, and which generation is current."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.current_file = folder / "CURRENT"
        self.sequence_file = folder / "SEQUENCE"
        self.lock_file = folder / "writer.lock"
        self.holder_file = folder / "writer.json"
        self.embeddings = folder / "embeddings"
        self.relations = folder / "relations"

    def exists(self) -> bool:
        """Tell whether the folder holds a brain; raises NotABrain if it holds something else."""
        if re.search("[\ud800-\udfff]", str(self.folder)):
            raise NotABrain(
                f"{str(self.folder)!r} has undecodable bytes in it, which DuckDB cannot open; "
                "choose another name."
            )
        with _readable(self.folder):
            if self.folder.exists() and not self.folder.is_dir():
                raise NotABrain(
                    f"{self.folder} is a file, not a brain folder; choose another name."
                )
            if self.current_file.exists() or self.generations():
                return True
            entries = list(self.folder.iterdir()) if self.folder.is_dir() else []
        if any(not _ours(entry.name) for entry in entries):
            raise NotABrain(
                f"{self.folder} is a folder with other things in it, not a brain; "
                "choose a new or empty folder, such as notes.brain."
            )
        return False

    def current(self) -> str:
        """Return the name of the current generation, such as ``gen-000007``.

        Without ``CURRENT`` (killed just before it was first written) it is the newest there is.
        Raises BrainDamaged if ``CURRENT`` names none, or there is none.
        """
        try:
            name = self.current_file.read_bytes()[:80].decode("ascii", "replace").strip()
        except FileNotFoundError:
            name = next(reversed(self.generations()), "")
            if not name:
                raise BrainDamaged(gone(self.folder)) from None
        except NotADirectoryError:
            raise BrainDamaged(gone(self.folder)) from None
        except OSError as error:
            raise BrainDamaged(unreadable(self.current_file, error)) from None
        if _NAME.match(name):
            return name
        kept = self.generations()
        raise BrainDamaged(
            f"{self.current_file} says {name!r}, which names no generation. "
            + (
                f"Write into it the name of one that is there: {', '.join(reversed(kept))}."
                if kept
                else f"There is none left. {afresh(self.folder)}"
            )
        )

    def generation(self, name: str) -> Path:
        """Return the folder of a generation."""
        return self.folder / name

    def generations(self) -> list[str]:
        """Return the names of all finished generations, oldest first."""
        try:
            with _readable(self.folder):
                names = [path.name for path in self.folder.iterdir() if _NAME.match(path.name)]
        except (FileNotFoundError, NotADirectoryError):
            return []
        return sorted(names, key=number_of)

    def next_number(self) -> int:
        """Return a number never handed out before, and record it."""
        used = [number_of(name) for name in self.generations()]
        if self.sequence_file.is_file():
            text = self.sequence_file.read_bytes()[:20].strip()
            used.append(int(text) if text.isdigit() else 0)
        number = max(used, default=0) + 1
        write_whole(self.sequence_file, f"{number}\n".encode())
        return number

    def set_current(self, name: str) -> None:
        """Swap ``CURRENT`` to a generation; readers see the old name or the new one, whole."""
        write_whole(self.current_file, f"{name}\n".encode())


def resolved(path: str | os.PathLike[str], *, refuse: type[BrainkitError]) -> Path:
    """Return the absolute path without links; raises ``refuse`` if there can be no such path."""
    try:
        return Path(path).expanduser().resolve()
    except (OSError, RuntimeError, ValueError) as error:  # no such user, a circle of links, NUL
        raise refuse(
            f"{os.fspath(path)!r} is no usable path ({error}); give that of a file or folder."
        ) from None


def number_of(name: str) -> int:
    """Return the number in a generation's name.

    >>> number_of("gen-000007")
    7
    """
    match = _NAME.match(name)
    return int(match.group(1)) if match else -1


def name_of(number: int) -> str:
    """Return the name of a generation, such as ``gen-000007``."""
    return f"gen-{number:06d}"


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that a crash leaves the old content or the new, never a part."""
    temporary = path.with_name(path.name + ".tmp")
    try:
        temporary.unlink(missing_ok=True)  # a link there would lead what is written elsewhere
        with open(temporary, "xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError:
        with suppress(OSError):  # a folder of that name is not ours to delete
            temporary.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Make a rename in the folder durable, where the platform can.

    It never fails: some network file systems refuse to sync a folder, and the rename is done.
    """
    if os.name != "posix":
        return
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def afresh(folder: Path) -> str:
    """Return what to do about a brain of which no generation can be used."""
    return (
        f"If this is a copy, copy it again, whole. Otherwise delete CURRENT and every gen-* in "
        f"{folder}, but nothing else, and ingest again: labels and finished embeddings are kept."
    )


def unreadable(path: Path, error: OSError) -> str:
    """Return the message about something that is there but cannot be read."""
    return (
        f"{path} cannot be read ({error.strerror}). Nothing of it was changed: get the right to "
        "read it, or what else the system lacks, and try again."
    )


@contextmanager
def _readable(folder: Path) -> Iterator[None]:
    try:
        yield
    except (FileNotFoundError, NotADirectoryError):
        raise
    except OSError as error:
        raise BrainDamaged(unreadable(folder, error)) from None


def read_json(path: Path) -> dict[str, Any]:
    """Read a JSON object. Raises ValueError for anything else, OSError if it cannot be read."""
    try:
        value = json.loads(path.read_text("utf-8"))
    except RecursionError:
        raise ValueError(f"{path} is nested too deep") from None
    if not isinstance(value, dict):
        raise ValueError(f"{path} does not hold a JSON object")
    return value


def folder_bytes(path: Path) -> int:
    """Return the size of a file, or of all files in a folder, in bytes."""
    if path.is_file():
        return path.stat().st_size
    return sum(entry.stat().st_size for entry in path.rglob("*") if entry.is_file())


def _ours(name: str) -> bool:
    known = ("CURRENT", "SEQUENCE", "writer.lock", "writer.json", "judgments.tsv", "defaults.json")
    kept = ("embeddings", "relations", ".judgments.tsv.lock")
    return name.removesuffix(".tmp") in (*known, *kept) or name.startswith(("gen-", ".trash-"))
