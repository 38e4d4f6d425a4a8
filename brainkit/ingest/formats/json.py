"""JSON: cut between members, with the keys around them as context. JSON Lines: between records."""

from __future__ import annotations

import re
from typing import Final

from brainkit.ingest.formats.document import Extracted, Heading, Section
from brainkit.ingest.formats.outline import by_key
from brainkit.settings import Settings

DEPTH_MAX: Final = 4
"""Deeper keys are neither context nor a place that is preferred for a cut."""

# Comments, as in JSON5 and many settings files; then all that opens, closes or names something.
_TOKEN: Final = re.compile(
    r'//[^\n]*|/\*.*?(?:\*/|\Z)|"((?:[^"\\\n]|\\.)*)"(\s*:)?|[\[\]{}]|\n', re.DOTALL
)


def extract(text: str, *, settings: Settings) -> Extracted:
    """Return the file as sections by its outer keys.

    It is scanned but not parsed, so nothing is too deep, and a file with an error is still cut.
    """
    lines = text.split("\n")
    return Extracted(text, by_key(_keys(text), lines, language="json"))


def extract_lines(text: str, *, settings: Settings) -> Extracted:
    """Return the first ``settings.max_rows`` records; the note says when there are more."""
    lines = text.rstrip("\n").split("\n")
    starts = [number for number, line in enumerate(lines, start=1) if line.strip()]
    note = None
    if len(starts) > settings.max_rows:
        limit = f"the limit is {settings.max_rows:,}, max_rows"
        note = f"{len(starts) - settings.max_rows:,} of {len(starts):,} records left out ({limit})"
        starts = starts[: settings.max_rows]
    return Extracted(text, (Section(1, starts[-1], "jsonl", units=tuple(starts)),), {}, note)


def _keys(text: str) -> list[Heading]:
    """The first key, or element of an array, on each line."""
    keys: list[Heading] = []
    line, depth, seen = 1, 0, 0
    for token in _TOKEN.finditer(text):
        word = token[0]
        first = line > seen
        if word == "\n":
            line += 1
        elif word in "]}":
            depth = max(0, depth - 1)
            seen = line
        elif word in "[{":
            if first and 0 < depth <= DEPTH_MAX:
                keys.append(Heading(line, line, depth, ""))
            depth += 1
            seen = line
        elif word[0] == '"':
            if first and token[2] and 0 < depth <= DEPTH_MAX:
                keys.append(Heading(line, line, depth, token[1]))
            seen = line
            line += word.count("\n")
        else:
            line += word.count("\n")
    return keys
