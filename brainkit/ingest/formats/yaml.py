"""YAML: cut between entries, with the keys around them as context."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from brainkit.ingest.formats.document import Extracted, Heading
from brainkit.ingest.formats.outline import by_key
from brainkit.settings import Settings

_ENTRY: Final = re.compile(
    r"""(?P<indent>\ *)
    (?:(?P<dash>-)(?:\ |$)
      |(?P<key>"[^"]*"|'[^']*'|[^\s"'#&*!|>%@`{}\[\],-](?:[^:#]|:(?=\S)|(?<=\S)\#)*):(?:\s|$))""",
    re.VERBOSE,
)
_BLOCK_SCALAR: Final = re.compile(r"(?:^|[\s:-])[|>][+-]?\d?[+-]?\s*(?:#.*)?$")


def extract(text: str, *, settings: Settings) -> Extracted:
    """Return the file as sections by its outer keys; documents in it are apart.

    Entries are told by their indentation. Nothing is parsed, so no alias expands, no tag builds
    anything, and templates are cut like any other file.
    """
    lines = text.split("\n")
    return Extracted(text, by_key(_entries(lines), lines, language="yaml"))


def _entries(lines: Sequence[str]) -> list[Heading]:
    entries: list[Heading] = []
    scalar: int | None = None  # the indentation that a block scalar must exceed
    comment = 0
    for number, line in enumerate(lines, start=1):
        stripped = line.lstrip(" ")
        indent = len(line) - len(stripped)
        if not stripped.strip() or (scalar is not None and indent > scalar):
            comment = 0
            continue
        scalar = indent if _BLOCK_SCALAR.search(line) else None
        if stripped.startswith("#"):
            comment = comment or number
            continue
        first, comment = comment or number, 0  # comments right above an entry are about it
        match = _ENTRY.match(line)
        if line.startswith("---"):
            entries.append(Heading(first, number, 0, ""))
        elif match and match["dash"]:
            entries.append(Heading(first, number, 2 * indent + 2, ""))
        elif match:
            entries.append(Heading(first, number, 2 * indent + 1, match["key"].strip(" \"'")))
    return entries
