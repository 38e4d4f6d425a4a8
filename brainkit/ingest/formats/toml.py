"""TOML: cut between tables, with the name of a long one as context."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from brainkit.ingest.formats.document import Extracted, Heading
from brainkit.ingest.formats.outline import by_key
from brainkit.settings import Settings

_TABLE: Final = re.compile(r"\s*\[\[?([^\[\]]+)\]\]?\s*(?:#.*)?")
_KEY: Final = re.compile(r"[\w.\"' \t-]+=")
_LONG_STRING: Final = re.compile("\"\"\"|'''")


def extract(text: str, *, settings: Settings) -> Extracted:
    """Return the file as sections by its tables; short ones share a section."""
    lines = text.split("\n")
    return Extracted(text, by_key(_entries(lines), lines, language="toml"))


def _entries(lines: Sequence[str]) -> list[Heading]:
    entries: list[Heading] = []
    quotes: str | None = None
    comment = 0
    for number, line in enumerate(lines, start=1):
        inside = quotes
        for mark in _LONG_STRING.findall(line):
            quotes = mark if quotes is None else None if quotes == mark else quotes
        if inside:
            continue
        if line.lstrip().startswith("#"):
            comment = comment or number
            continue
        first, comment = comment or number, 0  # comments right above are about it
        table = _TABLE.fullmatch(line)
        if table:
            entries.append(Heading(first, number, 1, table[1].strip()))
        elif _KEY.match(line):
            entries.append(Heading(first, number, 2, ""))
    return entries
