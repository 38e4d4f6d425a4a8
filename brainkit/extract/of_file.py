"""All that one file says: its code by syntax, its prose by names, titles and links."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, Protocol

from brainkit.extract.code import FAMILIES, code_facts
from brainkit.extract.facts import Facts
from brainkit.extract.prose import PROSE, Chunk, identifier_facts, prose_facts

_RECORDS: Final = frozenset({"csv", "tsv", "json", "jsonl"})
"""Values, whose keys and words are names of nothing."""

BESIDE_CODE: Final = "#"
"""Path of a document whose file is a module too, as a notebook is."""


class Section(Protocol):
    """A stretch of lines in one language, as formats make it."""

    @property
    def start_line(self) -> int:
        """Its first line, from 1."""

    @property
    def end_line(self) -> int:
        """Its last line, inclusive."""

    @property
    def language(self) -> str | None:
        """None for prose."""

    @property
    def parsed(self) -> str | None:
        """Its text as its grammar understands it, where that is not the text itself."""


def facts_of(
    text: str,
    *,
    chunks: Sequence[Chunk],
    relative: str,
    language: str | None,
    title: str = "",
    sections: Sequence[Section] = (),
) -> Facts:
    """Return what a file or record says of named things; the same for equal arguments.

    text : of the document, as ingest reads it. chunks : in their order; facts name them by place.
    relative : POSIX path below the root; for a record, its id.
    language : of the file; None for records and plain prose.
    title : of the record, or from the document's metadata; ``""`` if there is none.
    sections : of the document. A file that is all one language needs none.

    Code that does not parse has the identifiers it holds; a notebook has both kinds of facts.
    """
    if language in FAMILIES:
        code = code_facts(text, language=language, relative=relative, chunk_of=_chunk_of(chunks))
        return code or identifier_facts(chunks, relative=relative)
    if language in _RECORDS:
        return identifier_facts(chunks, relative=relative, title=title, bare=True)
    if language not in PROSE:
        return identifier_facts(chunks, relative=relative, title=title)
    code = _code_in(text, chunks, sections, relative) if language == "jupyter" else None
    prose = prose_facts(
        text,
        chunks=chunks,
        relative=relative,
        language="markdown" if language == "jupyter" else language,
        title=title,
        path=BESIDE_CODE if code else "",
    )
    return _joined(code, prose) if code else prose


def _code_in(
    text: str, chunks: Sequence[Chunk], sections: Sequence[Section], relative: str
) -> Facts | None:
    """Return the facts of a notebook's code cells, which share one namespace."""
    lengths: Counter[str] = Counter()
    for one in sections:
        if one.language in FAMILIES:
            lengths[one.language] += one.end_line - one.start_line + 1
    if not lengths:
        return None
    language = lengths.most_common(1)[0][0]
    lines = text.split("\n")
    kept = [""] * len(lines)
    for one in sections:
        if one.language == language:
            shown = lines[one.start_line - 1 : one.end_line]
            kept[one.start_line - 1 : one.end_line] = (
                shown if one.parsed is None else one.parsed.split("\n")
            )
    return code_facts(
        "\n".join(kept), language=language, relative=relative, chunk_of=_chunk_of(chunks)
    )


def _joined(code: Facts, prose: Facts) -> Facts:
    return replace(
        code,
        named=(*code.named, *prose.named),
        references=(*code.references, *prose.references),
        bindings={**code.bindings, **prose.bindings},
        runs=prose.runs,
    )


def _chunk_of(chunks: Sequence[Chunk]) -> Callable[[int], tuple[int, ...]]:
    """Return a function from a row, from 0, to the chunks that hold it.

    Starts and ends of chunks both ascend, so those that hold a line stand side by side.
    """
    starts = [chunk.start_line for chunk in chunks]
    ends = [chunk.end_line for chunk in chunks]

    def holding(row: int) -> tuple[int, ...]:
        first = bisect_right(ends, row)
        return tuple(range(first, bisect_right(starts, row + 1)))

    return holding
