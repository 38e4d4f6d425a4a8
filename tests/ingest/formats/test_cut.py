"""Sections become pieces: context, metadata and line numbers, all within the budget."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from brainkit.ingest.formats import Extracted, Heading, Section, pieces_of
from brainkit.ingest.pieces import Budget


def words(texts: Sequence[str]) -> list[int]:
    return [len(text.split()) for text in texts]


def budget(max_tokens: int, overlap_tokens: int = 0) -> Budget:
    return Budget(max_tokens, overlap_tokens, count=words)


def test_lines_count_in_the_whole_text() -> None:
    text = "one\n\n# Two\nbody\n\nx = 1\n"
    sections = (
        Section(1, 2, None, {"page": 1}),
        Section(3, 5, "markdown", {"page": 2}),
        Section(6, 7, "python", {"page": 3}),
    )
    pieces = pieces_of(Extracted(text, sections, {"title": "T"}), budget=budget(20))
    assert [(p.text, p.start_line, p.end_line, p.metadata) for p in pieces] == [
        ("one", 1, 1, {"title": "T", "page": 1}),
        ("# Two\nbody", 3, 4, {"title": "T", "page": 2, "heading_path": ["Two"]}),
        ("x = 1", 6, 6, {"title": "T", "page": 3, "symbol_kind": "module"}),
    ]


def test_headings_above_a_piece_are_its_context() -> None:
    headings = (Heading(1, 1, 1, "Top"), Heading(3, 3, 2, "Part"))
    section = Section(3, 6, None, headings=headings)
    extracted = Extracted("Top\n\nPart\none two three four\nfive six seven", (section,))
    pieces = pieces_of(extracted, budget=budget(8))
    # Top > Part costs 2 (a ">" each is set aside: 4 > 8 / 4), so only Part is said.
    assert [(p.start_line, p.end_line, p.context) for p in pieces] == [
        (3, 4, "Top"),
        (5, 5, "Part"),
    ]


@pytest.mark.parametrize(
    ("language", "context", "path"),
    [
        ("markdown", "Guide > Use", ["Guide", "Use", "Now"]),
        ("text", "Guide", ["Guide"]),  # which knows no headings of its own
    ],
)
def test_context_within_a_section_goes_on_from_what_encloses_it(
    language: str, context: str, path: list[str]
) -> None:
    section = Section(1, 4, language, {"heading_path": ["Guide"]}, (Heading(0, 0, 1, "Guide"),))
    text = "# Use\nit\n\n## Now"
    pieces = pieces_of(Extracted(text, (section,)), budget=budget(12))
    assert (pieces[-1].context, pieces[-1].metadata["heading_path"]) == (context, path)


def test_units_stay_whole_while_they_fit() -> None:
    text = "a b\nc\nd e f\ng"
    section = Section(1, 4, "json", units=(1, 3))
    pieces = pieces_of(Extracted(text, (section,)), budget=budget(5))
    # The first record has 2 + 1 words, the second 3 + 1: together 7 > 5.
    assert [(p.start_line, p.end_line) for p in pieces] == [(1, 2), (3, 4)]


def test_what_is_parsed_is_not_what_is_shown() -> None:
    section = Section(1, 2, "python", parsed="#ls\nimport os")
    (piece,) = pieces_of(Extracted("!ls\nimport os", (section,)), budget=budget(20))
    assert piece.text == "!ls\nimport os"
    assert piece.metadata == {"symbol_kind": "module", "imports": ["os"]}


def test_a_part_of_a_line_keeps_its_columns() -> None:
    section = Section(2, 2, "python", parsed="#ls " + "word " * 9)
    text = "\n!ls " + "word " * 9
    pieces = pieces_of(Extracted(text, (section,)), budget=budget(4))
    assert pieces[0].text.startswith("!ls")
    for piece in pieces:
        a, b = piece.metadata["columns"]
        assert (piece.start_line, piece.text) == (2, text.split("\n")[1][a:b])
