"""From headings and keys to sections."""

from __future__ import annotations

from brainkit.ingest.formats.document import Heading
from brainkit.ingest.formats.outline import LARGE_LINES, by_heading, by_key


def test_without_headings_there_is_one_section() -> None:
    (section,) = by_heading([], ["a", "b"], language="x")
    assert (section.start_line, section.end_line, section.metadata) == (1, 2, {})


def test_a_heading_without_body_joins_the_deeper_one_only() -> None:
    marks = [Heading(1, 1, 1, "A"), Heading(2, 2, 1, "B"), Heading(3, 3, 3, "C")]
    sections = by_heading(marks, ["A", "B", "C", "text"], language=None)
    assert [(s.start_line, s.end_line, s.metadata["heading_path"]) for s in sections] == [
        (1, 1, ["A"]),
        (2, 4, ["B", "C"]),
    ]


def key(line: int, level: int, title: str) -> Heading:
    return Heading(line, line, level, title)


def test_small_keys_share_a_section() -> None:
    keys = [key(1, 1, "a"), key(2, 2, "inner"), key(3, 1, "b")]
    (section,) = by_key(keys, ["a:", "  inner: 1", "b: 2"], language="yaml")
    assert (section.start_line, section.end_line) == (1, 3)
    assert (section.units, section.headings) == ((1, 3), ())


def test_a_large_key_is_the_context_of_its_members() -> None:
    size = LARGE_LINES
    lines = ["small: 1", "large:", *["  x: 1"] * size, "after: 2"]
    members = [key(3 + i, 2, "x") for i in range(size)]
    keys = [key(1, 1, "small"), key(2, 1, "large"), *members, key(size + 3, 1, "after")]
    first, large, after = by_key(keys, lines, language="yaml")
    assert (first.start_line, first.end_line, first.headings) == (1, 1, ())
    assert (large.start_line, large.end_line) == (2, size + 2)
    assert [heading.title for heading in large.headings] == ["large"]
    assert large.units == (2, *range(3, size + 3))
    assert (after.start_line, after.end_line, after.headings) == (size + 3, size + 3, ())


def test_keys_that_only_open_others_share_their_first_section() -> None:
    size = LARGE_LINES + 2
    keys = [key(2, 1, "a"), key(3, 2, "b"), *(key(4 + i, 3, "x") for i in range(size))]
    (section,) = by_key(keys, ["{", "a", "b", *["x"] * size], language="json")
    assert [heading.title for heading in section.headings] == ["a", "b"]
