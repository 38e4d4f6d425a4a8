"""reStructuredText: sections by their underlines, read without running a single directive."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from brainkit.ingest.formats.document import Extracted, Heading
from brainkit.ingest.formats.front_matter import front_matter
from brainkit.ingest.formats.outline import by_heading
from brainkit.settings import Settings

_ADORNMENT: Final = re.compile(r"([!-/:-@\[-`{-~])\1*\s*")
_FIELD: Final = re.compile(r":([A-Za-z][\w -]*): +(\S.*)")
_ROLE: Final = re.compile(r":[\w:+.-]{1,60}:`([^`<]*)(?:<[^<>`]*>)?`")
_SHORT: Final = 4  # docutils takes a shorter underline than this for text unless it fits the title


def extract(text: str, *, settings: Settings) -> Extracted:
    """Return the file as a section per heading, which it keeps as ``heading_path``.

    The level of a heading is the order in which its adornment was first seen, as in docutils.
    Metadata: the title, where one heading encloses the others, and the fields (``:author: ...``)
    at the top, or front matter.
    """
    lines = text.split("\n")
    headings = headings_of(lines)
    metadata, note = front_matter(lines)
    top = [heading for heading in headings if heading.level == 1]
    if len(top) == 1 and top[0] is headings[0]:
        metadata = {"title": top[0].title, **metadata}
    fields = _fields(lines, headings)
    return Extracted(
        text,
        by_heading(headings, lines, language="restructuredtext"),
        {**metadata, **fields},
        note,
    )


def headings_of(lines: Sequence[str]) -> list[Heading]:
    """Return the headings, each from its overline or title to its underline.

    >>> headings_of(["====", "Book", "====", "", "Part", "----", "text"])
    [Heading(line=1, last=3, level=1, title='Book'), Heading(line=5, last=6, level=2, title='Part')]
    """
    found: list[tuple[int, int, tuple[str, bool], str]] = []
    free = 0  # the first line that is not part of a heading
    for i in range(1, len(lines)):
        title, under = lines[i - 1], lines[i]
        if i - 1 < free or not _ADORNMENT.fullmatch(under) or not _is_title(title):
            continue
        width, mark = len(under.rstrip()), under[0]
        over = i >= 2 and i - 2 >= free and lines[i - 2].rstrip() == under.rstrip()
        if not over and title[0].isspace():
            continue
        if width < _SHORT and width < len(title.strip()):
            continue
        first = i - 2 if over else i - 1
        if not _may_open(lines, first, free):
            continue
        found.append((first, i, (mark, over), title.strip()))
        free = i + 1
    styles: dict[tuple[str, bool], int] = {}
    return [
        Heading(first + 1, last + 1, styles.setdefault(style, len(styles) + 1), _words(title))
        for first, last, style, title in found
    ]


def _words(title: str) -> str:
    return " ".join(_ROLE.sub(r"\1", title).replace("``", "").split())


def _is_title(line: str) -> bool:
    return bool(line.strip()) and not _ADORNMENT.fullmatch(line)


def _may_open(lines: Sequence[str], first: int, free: int) -> bool:
    """Tell whether a heading may begin here: not in the middle of a paragraph."""
    if first in (0, free):
        return True
    above = lines[first - 1]
    return not above.strip() or above.startswith(("..", " ", "\t"))


def _fields(lines: Sequence[str], headings: Sequence[Heading]) -> dict[str, str]:
    """The list of fields at the top, or right below the title."""
    start = headings[0].last if headings and not any(lines[: headings[0].line - 1]) else 0
    while start < len(lines) and not lines[start].strip():
        start += 1
    fields: dict[str, str] = {}
    for line in lines[start:]:
        match = _FIELD.fullmatch(line.rstrip())
        if not match:
            break
        fields[match[1].casefold()] = match[2]
    return fields
