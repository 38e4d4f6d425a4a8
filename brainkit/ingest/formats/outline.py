"""From headings or keys, in the order of their lines, to the sections they open."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from brainkit.ingest.formats.document import Heading, Section

LARGE_LINES = 40
"""A key whose value has more lines than about one chunk gets a section, with itself as context."""


def by_heading(
    headings: Sequence[Heading], lines: Sequence[str], *, language: str | None
) -> tuple[Section, ...]:
    """Return one section per heading, with its ``heading_path``, and one for what precedes them.

    A heading without a body is joined to the deeper section that follows it.

    >>> marks = [Heading(1, 1, 1, "A"), Heading(2, 2, 2, "B"), Heading(4, 4, 1, "C")]
    >>> for s in by_heading(marks, ["A", "B", "text", "C"], language=None):
    ...     print(s.start_line, s.end_line, s.metadata["heading_path"])
    1 3 ['A', 'B']
    4 4 ['C']
    """
    sections = []
    if not headings or headings[0].line > 1:
        end = headings[0].line - 1 if headings else len(lines)
        sections.append(Section(1, end, language))
    path: list[Heading] = []
    start: int | None = None
    bottom = Heading(len(lines) + 1, len(lines) + 1, -1, "")
    for heading, after in pairwise([*headings, bottom]):
        path = [*(above for above in path if above.level < heading.level), heading]
        start = heading.line if start is None else start
        bare = not any(line.strip() for line in lines[heading.last : after.line - 1])
        if bare and after.level > heading.level:
            continue
        named = tuple(above for above in path if above.title)
        metadata = {"heading_path": [above.title for above in named]} if named else {}
        sections.append(Section(start, after.line - 1, language, metadata, headings=named))
        start = None
    return tuple(sections)


def by_key(
    keys: Sequence[Heading], lines: Sequence[str], *, language: str | None
) -> tuple[Section, ...]:
    """Return a section for every run of small values, and one for each that is `LARGE_LINES` long.

    Within a section every key is a unit; the large ones around it are its headings.
    """
    sections = []
    path: list[Heading] = []
    start, small_until = 1, 0
    units: list[int] = []
    only_openers = True
    for key, end in zip(keys, _ends(keys, len(lines)), strict=True):
        if key.line <= small_until:
            continue
        around = [above for above in path if above.level < key.level]
        large = end - key.line >= LARGE_LINES
        if len(around) < len(path) or (large and not only_openers):
            sections.append(_section(start, key.line - 1, language, path, units))
            start, units = key.line, []
        path = [*around, key] if large else around
        only_openers = large
        small_until = 0 if large else end
        units.append(key.line)
    sections.append(_section(start, len(lines), language, path, units))
    return tuple(sections)


def _section(
    start: int, end: int, language: str | None, path: list[Heading], units: list[int]
) -> Section:
    named = tuple(above for above in path if above.title)
    return Section(start, end, language, {}, headings=named, units=tuple(units) or (start,))


def _ends(keys: Sequence[Heading], last: int) -> list[int]:
    """The last line of each key's value: that before the next key that is not deeper."""
    ends = [last] * len(keys)
    waiting: list[int] = []
    for i, key in enumerate(keys):
        while waiting and keys[waiting[-1]].level >= key.level:
            ends[waiting.pop()] = key.line - 1
        waiting.append(i)
    return ends
