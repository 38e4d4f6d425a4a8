"""Labels: the unique name under which a brain knows each ingested folder."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from brainkit.errors import (
    FilterError,
    InvalidSetting,
    NoSuchFolder,
    NoSuchSource,
    OverlappingRoots,
    nearest,
)
from brainkit.filters import PathFilter
from brainkit.store.chunks import FileRow
from brainkit.store.layout import resolved
from brainkit.store.manifest import file_hash

_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_NOT_BARE = re.compile(r"[/*?\[!\\]")
_UNDECODABLE = re.compile("[\ud800-\udfff]")


def label_for(
    root: Path,
    roots: Mapping[str, str | None],
    *,
    files: Mapping[str, FileRow],
    wanted: str | None = None,
) -> tuple[str, list[str]]:
    """Return the label of a root (its own, that of a folder that moved here, or a new one), notes.

    A folder moved here if its old path is gone and a file of it lies here with the same content:
    a path that is only gone for now, on a disk not mounted, must not lose its files to another
    folder of that name. root : resolved path. roots : label -> path.
    files : all that the brain holds; no new label is the first part of a record's id.
    wanted : a label chosen by the user; that of a path that is gone says that the folder moved.
    Raises OverlappingRoots if the folder lies inside or around a known one, InvalidSetting if the
    chosen label cannot be a path's first part or belongs to another folder that still exists or to
    a record, NoSuchFolder if the path cannot be stored as text.
    """
    if _UNDECODABLE.search(str(root)):
        raise NoSuchFolder(
            f"{str(root)!r} has undecodable bytes in it, which a brain cannot store; "
            "rename the folder first."
        )
    for label, path in roots.items():
        if path is not None and Path(path) == root:
            if wanted is not None and wanted.strip() != label:
                raise InvalidSetting(
                    f"{root} is already known as {label!r}; leave the label out, "
                    f"or brain.remove({label!r}) first."
                )
            return label, []
    _refuse_overlap(root, roots)
    taken = {source.partition("/")[0] for source, row in files.items() if not row.label}
    if wanted is not None:
        return _checked(wanted.strip(), roots, taken), []
    name = _UNPRINTABLE.sub("_", root.name).strip() or "root"
    gone = {
        label: _shared(root, label, files)
        for label, path in roots.items()
        if _is_gone(path) and (label == name or Path(str(path)).name == root.name)
    }
    moved = max(gone, key=gone.__getitem__, default=None)
    if moved is not None and gone[moved]:
        return moved, []
    label, number = name, 2
    while label in roots or label in taken:
        label, number = f"{name}-{number}", number + 1
    if name not in gone:
        return label, []
    return label, [
        f"{root} is {label!r}, since {name!r} is {roots[name]}, which is not there now and has no "
        f"file in common with it; if that folder moved here, brain.remove({label!r}), then ingest "
        f"with label={name!r}"
    ]


def sources_of(target: str, sources: list[str], roots: Mapping[str, str | None]) -> list[str]:
    """Return the sources that a user means by a label, a source, a folder in it, a glob or a path.

    A bare word matches at no other depth: it would mean a folder of that name in every root.
    Raises NoSuchSource naming the nearest known one if there is none.
    """
    place = as_source(target, roots)
    found = [s for s in sources if s == target]
    if not found and place:
        found = [s for s in sources if s == place or s.startswith(f"{place}/")]
    if found or place in roots:
        return found
    word = target.strip().rstrip("/")
    if _NOT_BARE.search(word):
        with suppress(FilterError):  # not every name is a glob
            paths = PathFilter([target])
            found = [s for s in sources if paths.keeps(s)]
    elif deeper := list(_deeper(word, sources)):
        everywhere = f"**/{word}" if deeper[0] in sources else f"**/{word}/**"
        raise NoSuchSource(
            f"{target!r} is no root or source of this brain, but lies deeper in it; give "
            f"{deeper[0]!r}, or {everywhere!r} for all of that name at any depth."
        )
    if not found:
        known = [*roots, *sources]
        raise NoSuchSource(
            f"{target!r} is no root, source, folder or glob of this brain{nearest(target, known)} "
            f"(roots: {', '.join(roots) or 'none'})"
        )
    return found


def as_source(target: str, roots: Mapping[str, str | None]) -> str:
    """Return the source, or folder of sources, that a path on disk became; other words as given."""
    name = target.strip().rstrip("/")
    if not name or name.partition("/")[0] in roots:
        return name
    try:
        paths = _spellings(target)
    except NoSuchSource:  # no path, as "~somebody" where there is no such user
        return name
    for path in paths:
        for label, root in roots.items():
            if root is not None and (path == Path(root) or Path(root) in path.parents):
                relative = path.relative_to(root).as_posix()
                return label if relative == "." else f"{label}/{relative}"
    return name


def _spellings(target: str) -> list[Path]:
    """Return the path with only its folder's links followed, as files are named, then with all."""
    whole = resolved(target, refuse=NoSuchSource)
    last = Path(target).name
    if last in ("", ".."):
        return [whole]
    return [resolved(Path(target).expanduser().parent, refuse=NoSuchSource) / last, whole]


def _deeper(word: str, sources: list[str]) -> Iterator[str]:
    """Yield the places below the first level whose last part is the word."""
    for source in sources:
        parts = source.split("/")
        if word and word in parts[1:]:
            yield "/".join(parts[: parts.index(word, 1) + 1])


def _checked(wanted: str, roots: Mapping[str, str | None], taken: set[str]) -> str:
    if wanted in ("", ".", "..") or re.search(r"[/\\]", wanted) or _UNPRINTABLE.search(wanted):
        raise InvalidSetting(
            f"label={wanted!r} is no name; use one without slashes or control characters."
        )
    path = roots.get(wanted)
    if path is not None and Path(path).exists():
        raise InvalidSetting(f"label={wanted!r} already names {path}; choose another.")
    if wanted in taken:
        raise InvalidSetting(f"label={wanted!r} is, or begins, the id of a record; choose another.")
    return wanted


def _refuse_overlap(root: Path, roots: Mapping[str, str | None]) -> None:
    for label, path in roots.items():
        if path is None or not Path(path).exists():
            continue
        if Path(path) in root.parents:
            raise OverlappingRoots(
                f"{root} lies inside {path}, which this brain has as {label!r}; "
                f"ingest {path} again to take in what changed there."
            )
        if root in Path(path).parents:
            raise OverlappingRoots(
                f"{root} contains {path}, which this brain has as {label!r}; "
                f"brain.remove({label!r}) first, then ingest {root} (embeddings are reused)."
            )


def _is_gone(path: str | None) -> bool:
    return path is not None and not Path(path).exists()


def _shared(root: Path, label: str, files: Mapping[str, FileRow]) -> int:
    """Return how many files of a label lie in the folder (or are the file) with equal content.

    Files without chunks prove nothing: empty ones are alike everywhere.
    """
    count = 0
    for row in files.values():
        if row.label == label and row.chunks:
            path = root if row.source == label else root / row.relative
            with suppress(OSError, ValueError):
                same_size = path.is_file() and path.stat().st_size == row.size
                count += same_size and file_hash(path) == row.sha256
    return count
