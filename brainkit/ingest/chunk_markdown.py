"""Markdown by heading: a section is a piece while it fits, and knows its heading path."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token

from brainkit.ingest.chunk_text import GAP, INSIDE, UNIT, pack, paragraph_breaks
from brainkit.ingest.pieces import Budget, Header, Lines, Piece

JOINER = " > "

_FRONT_MATTER = {"---": ("---", "..."), "+++": ("+++",)}
_WHOLE = frozenset({"fence", "code_block", "html_block", "table_open"})
# Pandoc and Quarto let a heading end in its identifier and classes: {#sec-intro .unnumbered}
_ATTRIBUTES = re.compile(r"\s*\{[#.\-][^{}]*\}\s*$")


class MarkdownHeading(NamedTuple):
    """A heading outside other blocks; it ends before line ``end``, and lines count from 0."""

    line: int
    end: int
    level: int
    title: str


def chunk_markdown(text: str, *, budget: Budget) -> list[Piece]:
    """Cut Markdown into sections; one over the budget is cut as prose is, with overlap.

    A heading without a body is joined to the deeper section that follows it. Fences, tables and
    HTML blocks stay whole while they fit. Small sections are left alone, so that the heading path
    of a piece is true of all its lines. Front matter is a piece of its own, without a heading path.

    Metadata: ``heading_path``, outermost first, where there is one. The context joins those of its
    headings that stand above the piece.
    """
    headings, blocks = _parsed(text)
    lines = Lines(text, budget, extra=[heading.title + JOINER for heading in headings])
    breaks = _breaks(lines, headings, blocks)
    pieces = []
    for start, end, path in _sections(lines, headings):
        for piece in pack(
            lines,
            breaks,
            start,
            end,
            headers=path,
            joiner=JOINER,
            overlap=budget.overlap_tokens,
        ):
            titles = [header.text for header in path if header.line < piece.end_line]
            named = {"heading_path": titles} if titles else {}
            pieces.append(replace(piece, metadata={**named, **piece.metadata}))
    return pieces


def headings_of(text: str) -> list[MarkdownHeading]:
    """Return the headings of a text that are not inside a quote, list, fence or the like.

    >>> [tuple(h) for h in headings_of("Guide\\n=====\\n```sh\\n# comment\\n```\\n## Use")]
    [(0, 2, 1, 'Guide'), (5, 6, 2, 'Use')]
    """
    return _parsed(text)[0]


def front_matter_end(lines: Sequence[str]) -> int:
    """Return how many lines the front matter has: YAML between ``---``, or TOML between ``+++``.

    >>> front_matter_end(["---", "title: Notes", "---", "Text."]), front_matter_end(["Text."])
    (3, 0)
    """
    closing = _FRONT_MATTER.get(lines[0].rstrip(), ())
    for i, line in enumerate(lines[1:] if closing else (), start=1):
        if line.rstrip() in closing:
            return i + 1
    return 0


@cache
def _parser() -> MarkdownIt:
    # Only the blocks are wanted; inline markup is parsed for headings alone.
    return MarkdownIt("commonmark").enable("table").disable(["inline", "text_join"])


def _parsed(text: str) -> tuple[list[MarkdownHeading], list[tuple[int, int]]]:
    """Return the headings outside other blocks, and the line ranges to keep whole."""
    lines = text.split("\n")
    front = front_matter_end(lines)
    # The parser takes a lone carriage return for a line end, which would shift the lines after it.
    body = "\n".join([""] * front + lines[front:]).replace("\r", " ")
    env: dict[str, Any] = {}
    tokens = _parser().parse(body, env)
    headings = []
    blocks = [(0, front)] if front else []
    for token, after in pairwise([*tokens, Token("end", "", 0)]):
        if token.map is None:
            continue
        start, end = token.map
        if token.type == "heading_open" and token.level == 0:
            headings.append(
                MarkdownHeading(start, end, int(token.tag[1:]), _title(after.content, env))
            )
        elif token.type in _WHOLE:
            blocks.append((start, end))
    return headings, blocks


def _title(content: str, env: dict[str, Any]) -> str:
    """The words of a heading without its markup."""
    md = _parser()
    tokens: list[Token] = []
    md.inline.parse(_ATTRIBUTES.sub("", content), md, env, tokens)
    shown = (" " if t.type in ("softbreak", "hardbreak") else t.content for t in tokens)
    markup = (t.type == "html_inline" for t in tokens)
    return " ".join("".join(s for s, m in zip(shown, markup, strict=True) if not m).split())


def _breaks(
    lines: Lines, headings: list[MarkdownHeading], blocks: list[tuple[int, int]]
) -> bytearray:
    breaks = paragraph_breaks(lines)
    for heading in headings:
        # A heading stays with its first paragraph, even if that must be split.
        for i in range(heading.line + 1, min(heading.end + 1, len(lines))):
            breaks[i] = INSIDE
        body = next((i for i in range(heading.end, len(lines)) if not lines.blank[i]), None)
        if body is not None:
            breaks[body] = INSIDE
    for start, end in blocks:
        breaks[start] = UNIT
        for i in range(start + 1, end):
            breaks[i] = GAP if lines.blank[i - 1] and not lines.blank[i] else INSIDE
        if end < len(lines):
            breaks[end] = UNIT
    return breaks


def _sections(
    lines: Lines, headings: list[MarkdownHeading]
) -> Iterator[tuple[int, int, tuple[Header, ...]]]:
    """Yield (start, end, headers) of each section, together with all lines before the first."""
    if not headings or headings[0].line > 0:
        yield 0, headings[0].line if headings else len(lines), ()
    path: list[tuple[int, Header]] = []
    start: int | None = None
    bottom = MarkdownHeading(len(lines), len(lines), 0, "")
    for (heading, after), cost in zip(
        pairwise([*headings, bottom]), lines.extra_costs, strict=True
    ):
        while path and path[-1][0] >= heading.level:
            path.pop()
        path.append((heading.level, Header(heading.line, heading.title, cost)))
        if start is None:
            start = heading.line
        if after.level > heading.level and all(lines.blank[heading.end : after.line]):
            continue
        yield start, after.line, tuple(header for _, header in path if header.text)
        start = None
