"""Labels: the unique name under which a brain knows each ingested folder."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
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

_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_UNDECODABLE = re.compile("[\ud800-\udfff]")


def label_for(
    root: Path,
    roots: Mapping[str, str | None],
    *,
    wanted: str | None = None,
    records: Iterable[str] = (),
) -> str:
    """Return the label of a root: its own, that of a folder that moved here, or a new one.

    root : resolved path. roots : label -> path. wanted : a label chosen by the user.
    records : ids of records; no new label is the first part of one.
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
            return label
    _refuse_overlap(root, roots)
    taken = {id_.partition("/")[0] for id_ in records}
    if wanted is not None:
        return _checked(wanted.strip(), roots, taken)
    name = _UNPRINTABLE.sub("_", root.name).strip() or "root"
    if name in roots and _moved(roots[name]):
        return name
    label, number = name, 2
    while label in roots or label in taken:
        label, number = f"{name}-{number}", number + 1
    return label


def sources_of(target: str, sources: list[str], roots: Mapping[str, str | None]) -> list[str]:
    """Return the sources that a user means by a label, a source, a folder in it, a glob or a path.

    Raises NoSuchSource naming the nearest known one if there is none.
    """
    place = as_source(target, roots)
    found = [s for s in sources if s == target]
    if not found and place:
        found = [s for s in sources if s == place or s.startswith(f"{place}/")]
    if not found and place not in roots and target.strip():
        with suppress(FilterError):  # not every name is a glob
            paths = PathFilter([target])
            found = [s for s in sources if paths.keeps(s)]
    if not found and place not in roots:
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
        path = Path(target).expanduser().absolute()
    except RuntimeError:  # "~somebody", and there is no such user
        return name
    for label, root in roots.items():
        if root is not None and (path == Path(root) or Path(root) in path.parents):
            relative = path.relative_to(root).as_posix()
            return label if relative == "." else f"{label}/{relative}"
    return name


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


def _moved(path: str | None) -> bool:
    return path is not None and not Path(path).exists()
