"""Bounds on what one ingest takes in, and a word about each that was reached."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from brainkit.ingest.report import FileReport
from brainkit.ingest.walk import Found, Passed
from brainkit.settings import Settings

_BOUND = re.compile(r"\bmax_[a-z_]+")


def first_files(
    walked: Iterable[Found | Passed], *, settings: Settings
) -> tuple[list[Found], list[Passed]]:
    """Split what a walk found into the files to read, at most ``max_files``, and the rest.

    The files beyond are one row of the rest: what they are depends on nothing but the paths.
    """
    found: list[Found] = []
    passed: list[Passed] = []
    for one in walked:
        (found if isinstance(one, Found) else passed).append(one)  # type: ignore[arg-type]
    limit = settings.max_files
    if len(found) > limit:
        reason = (
            f"{len(found) - limit:,} files after {found[limit - 1].relative} left out; "
            f"the limit is {limit:,} (max_files)"
        )
        passed.append(Passed(".", reason))
    return found[:limit], passed


def reached(rows: Sequence[FileReport]) -> list[str]:
    """Return a note for each bound that a row's detail names.

    >>> reached([FileReport("a/b.csv", "skipped", detail="11 bytes; the limit is 10 (max_bytes)")])
    ['max_bytes: a/b.csv (11 bytes; the limit is 10)']
    """
    by_bound: dict[str, list[FileReport]] = {}
    for row in rows:
        for bound in dict.fromkeys(_BOUND.findall(row.detail)):
            by_bound.setdefault(bound, []).append(row)
    return [
        f"{bound}: {named[0].source} ({_without(bound, named[0].detail)})"
        + (f" and {len(named) - 1:,} more" if len(named) > 1 else "")
        for bound, named in by_bound.items()
    ]


def _without(bound: str, detail: str) -> str:
    return detail.replace(f" ({bound})", "").replace(f", {bound}", "")
