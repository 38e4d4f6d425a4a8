"""Labels: the unique name under which a brain knows each ingested folder."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from brainkit.errors import InvalidSetting, NoSuchSource, OverlappingRoots, nearest
from brainkit.filters import PathFilter


def label_for(root: Path, roots: Mapping[str, str | None], *, wanted: str | None = None) -> str:
    """Return the label of a root: its own, that of a folder that moved here, or a new one.

    root : resolved path. roots : label -> path. wanted : a label chosen by the user.
    Raises OverlappingRoots if the folder lies inside or around a known one, InvalidSetting if the
    chosen label cannot be a path's first part or belongs to another folder that still exists.
    """
    for label, path in roots.items():
        if path is not None and Path(path) == root:
            if wanted is not None and wanted != label:
                raise InvalidSetting(
                    f"{root} is already known as {label!r}; leave the label out, "
                    f"or brain.remove({label!r}) first."
                )
            return label
    _refuse_overlap(root, roots)
    if wanted is not None:
        if not wanted.strip() or "/" in wanted or "\\" in wanted or wanted in (".", ".."):
            raise InvalidSetting(f"label={wanted!r} is no name; use one without slashes.")
        path = roots.get(wanted)
        if path is not None and Path(path).exists():
            raise InvalidSetting(f"label={wanted!r} already names {path}; choose another.")
        return wanted
    name = root.name or "root"
    if name in roots and _moved(roots[name]):
        return name
    label, number = name, 2
    while label in roots:
        label, number = f"{name}-{number}", number + 1
    return label


def sources_of(target: str, sources: list[str], roots: Mapping[str, str | None]) -> list[str]:
    """Return the sources that a user means by a label, a source, a folder in it, a glob or a path.

    Raises NoSuchSource naming the nearest known one if there is none.
    """
    target = target.strip()
    found = [s for s in sources if s == target]
    if not found:
        prefix = _as_source(target, roots).rstrip("/")
        found = [s for s in sources if s == prefix or s.startswith(f"{prefix}/")]
    if not found and target:
        paths = PathFilter([target])
        found = [s for s in sources if paths.keeps(s)]
    if not found and target not in roots:
        known = [*roots, *sources]
        raise NoSuchSource(
            f"{target!r} is no root, source, folder or glob of this brain{nearest(target, known)} "
            f"(roots: {', '.join(roots) or 'none'})"
        )
    return found


def _as_source(target: str, roots: Mapping[str, str | None]) -> str:
    """Translate a path on disk to the source it became."""
    path = Path(target).expanduser().absolute()
    for label, root in roots.items():
        if root is not None and (path == Path(root) or Path(root) in path.parents):
            relative = path.relative_to(root).as_posix()
            return label if relative == "." else f"{label}/{relative}"
    return target


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
