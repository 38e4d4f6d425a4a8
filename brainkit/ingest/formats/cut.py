"""Cut an extracted text along its sections, each by the rules of its language."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from brainkit.ingest.chunk_text import INSIDE, UNIT, pack
from brainkit.ingest.chunking import chunk
from brainkit.ingest.formats.document import Extracted, Section
from brainkit.ingest.languages import LANGUAGES
from brainkit.ingest.pieces import Budget, Header, Lines, Piece

JOINER = " > "


def pieces_of(extracted: Extracted, *, budget: Budget) -> list[Piece]:
    """Cut every section; lines count in the extracted text.

    What encloses a section and stands above a piece comes first in the piece's context, and at most
    a quarter of the budget is spent on it. Metadata of the piece wins over that of the section, and
    both over the document's; a ``heading_path`` within a section goes on from the section's own.
    """
    lines = extracted.text.split("\n")
    pieces = []
    for section in extracted.sections:
        for piece in _cut(section, lines, budget):
            metadata = {**extracted.metadata, **section.metadata, **piece.metadata}
            if "heading_path" in section.metadata and "heading_path" in piece.metadata:
                outer, inner = section.metadata["heading_path"], piece.metadata["heading_path"]
                metadata["heading_path"] = [*outer, *inner]
            pieces.append(replace(piece, metadata=metadata))
    return pieces


def _cut(section: Section, lines: Sequence[str], budget: Budget) -> list[Piece]:
    lines = lines[section.start_line - 1 : section.end_line]
    text = "\n".join(lines)
    if not text.strip():
        return []
    above, spent = _contexts(section, budget)
    left = max(1, budget.max_tokens - spent)
    inner = replace(budget, max_tokens=left, overlap_tokens=min(budget.overlap_tokens, left // 2))
    if section.units:
        found = _by_unit(text, section, inner)
    else:
        parsed = text if section.parsed is None else section.parsed
        found = chunk(parsed, language=section.language, budget=inner)
    joiner = "\n" if _is_code(section.language) else JOINER
    pieces = []
    for piece in found:
        line = section.start_line + piece.start_line - 1
        outer = above[sum(heading.line < line for heading in section.headings)]
        shown = lines[piece.start_line - 1 : piece.end_line]
        a, b = piece.metadata.get("columns", (None, None))
        pieces.append(
            replace(
                piece,
                text=shown[0][a:b] if b is not None else "\n".join(shown),
                start_line=line,
                end_line=section.start_line + piece.end_line - 1,
                context=joiner.join(filter(None, (outer, piece.context))),
            )
        )
    return pieces


def _contexts(section: Section, budget: Budget) -> tuple[list[str], int]:
    """Return the context by how many headings stand above, and the tokens to set aside for it."""
    if not section.headings:
        return [""], 0
    titles = [heading.title + JOINER for heading in section.headings]
    counted = Lines("", budget, extra=titles)
    headers = tuple(
        Header(heading.line, heading.title, cost)
        for heading, cost in zip(section.headings, counted.extra_costs, strict=True)
    )
    contexts = [counted.context(headers[:n], JOINER) for n in range(len(headers) + 1)]
    least = sum(heading.line < section.start_line for heading in section.headings)
    return [context for context, _ in contexts], max(cost for _, cost in contexts[least:])


def _by_unit(text: str, section: Section, budget: Budget) -> list[Piece]:
    lines = Lines(text, budget)
    breaks = bytearray([INSIDE]) * len(lines)
    for line in section.units:
        breaks[line - section.start_line] = UNIT
    return pack(lines, breaks, 0, len(lines))


def _is_code(language: str | None) -> bool:
    return language in LANGUAGES and LANGUAGES[language].kind == "code"
