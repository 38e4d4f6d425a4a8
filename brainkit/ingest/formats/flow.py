"""Blocks in reading order become lines: for documents whose own lines mean nothing."""

from __future__ import annotations

import re
from typing import Final

from brainkit.ingest.formats.document import Extracted, Heading, notes, storable
from brainkit.ingest.formats.outline import by_heading
from brainkit.ingest.load import Unreadable
from brainkit.settings import Settings

LINE_CHARS: Final = 80
INDENT_MAX: Final = 8

_SENTENCE_END: Final = re.compile(r"[.!?…][\"')\]}”’»]*\s+|[。！？][」』）】”’]*")


class Flow:
    """Collects headings, paragraphs, list items, table rows and preformatted text as lines.

    A paragraph ends its lines where a sentence ends, the first one after `LINE_CHARS` characters,
    so that chunks can begin and overlap at sentences.
    """

    def __init__(self, settings: Settings) -> None:
        self._lines: list[str] = []
        self._headings: list[Heading] = []
        self._tight = ""
        self._longest = settings.max_line_chars
        self._left_out = 0

    def heading(self, title: str, *, level: int) -> None:
        """Add a heading; a blank one is nothing."""
        title = _one_line(title)
        if self._add([title], ""):
            self._headings.append(Heading(len(self._lines), len(self._lines), level, title))

    def paragraph(self, text: str) -> None:
        """Add prose; it may hold line breaks that are meant."""
        self._add(_sentences(text), "")

    def item(self, text: str, *, depth: int = 1) -> None:
        """Add an entry of a list that lies inside ``depth - 1`` others."""
        indent = "  " * (min(max(depth, 1), INDENT_MAX) - 1)
        lines = _sentences(text)
        self._add([indent + ("  " if i else "- ") + line for i, line in enumerate(lines)], "item")

    def row(self, text: str) -> None:
        """Add a row of a table; it stays one line where it can."""
        line = _one_line(text)
        self._add([line] if len(line) <= self._longest else _sentences(text), "row")

    def verbatim(self, text: str) -> None:
        """Add lines as they are, such as code."""
        self._add(storable(text).strip("\n").split("\n"), "")

    def extracted(self, *, metadata: dict[str, str], nothing: str) -> Extracted | Unreadable:
        """Return all of it as a text with a section per heading, or ``nothing`` as the reason."""
        note = None
        if self._left_out:
            blocks = "1 block" if self._left_out == 1 else f"{self._left_out:,} blocks"
            limit = f"{self._longest:,} characters, max_line_chars"
            note = f"{blocks} left out: a line is over the limit ({limit})"
        if not self._lines:
            return Unreadable(notes(nothing, note) or nothing)
        sections = by_heading(self._headings, self._lines, language=None)
        return Extracted("\n".join(self._lines) + "\n", sections, dict(metadata), note)

    def _add(self, lines: list[str], kind: str) -> bool:
        if not any(line.strip() for line in lines):
            return False
        if max(map(len, lines)) > self._longest:
            self._left_out += 1
            return False
        if self._lines and (not kind or kind != self._tight):
            self._lines.append("")
        self._tight = kind
        self._lines += lines
        return True


def _one_line(text: str) -> str:
    return " ".join(storable(text).split())


def _sentences(text: str) -> list[str]:
    return [line for part in storable(text).split("\n") for line in _wrapped(_one_line(part))]


def _wrapped(text: str) -> list[str]:
    lines, start = [], 0
    for end in _SENTENCE_END.finditer(text):
        if end.end() - start >= LINE_CHARS:
            lines.append(text[start : end.end()].rstrip())
            start = end.end()
    return [*lines, *filter(None, [text[start:]])]
