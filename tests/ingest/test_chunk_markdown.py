"""Markdown: sections, their heading paths, and blocks that stay whole. A token here is a word."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from brainkit.ingest.chunk_markdown import chunk_markdown
from brainkit.ingest.pieces import Budget, Piece


def words(texts: Sequence[str]) -> list[int]:
    return [len(text.split()) for text in texts]


def cut(text: str, *, max_tokens: int = 100, overlap_tokens: int = 0) -> list[Piece]:
    budget = Budget(max_tokens=max_tokens, overlap_tokens=overlap_tokens, count=words)
    return chunk_markdown(text, budget=budget)


def outline(pieces: list[Piece]) -> list[tuple[int, int, str, list[str] | None]]:
    return [(p.start_line, p.end_line, p.context, p.metadata.get("heading_path")) for p in pieces]


def test_each_section_knows_its_headings() -> None:
    text = (
        "Intro.\n\n# Guide\nHello.\n\n## Install\n\nRun it.\n\n"
        "### Linux\n\nEasy.\n\n## Use\n\nGo.\n"
    )
    assert outline(cut(text)) == [
        (1, 1, "", None),
        (3, 4, "", ["Guide"]),
        (6, 8, "Guide", ["Guide", "Install"]),
        (10, 12, "Guide > Install", ["Guide", "Install", "Linux"]),
        (14, 16, "Guide", ["Guide", "Use"]),
    ]


def test_a_heading_without_body_joins_the_deeper_section() -> None:
    text = "# Guide\n\n## Install\n\n### Linux\n\nEasy.\n\n# Empty\n# Next\n"
    assert outline(cut(text)) == [
        (1, 7, "", ["Guide", "Install", "Linux"]),
        (9, 9, "", ["Empty"]),
        (10, 10, "", ["Next"]),
    ]


def test_underlined_headings_and_levels_that_jump() -> None:
    text = "Guide\nto all\n======\n\nHi.\n\nDeep\n---\nA.\n\n#### Deeper\nB.\n\n### Up\nC."
    assert outline(cut(text)) == [
        (1, 5, "", ["Guide to all"]),
        (7, 9, "Guide to all", ["Guide to all", "Deep"]),
        (11, 12, "Guide to all > Deep", ["Guide to all", "Deep", "Deeper"]),
        (14, 15, "Guide to all > Deep", ["Guide to all", "Deep", "Up"]),
    ]


@pytest.mark.parametrize(
    "block",
    [
        "```sh\n# comment\n```",
        "~~~\n# comment\n\n# another\n~~~",
        "    # indented",
        "<pre>\n# comment\n</pre>",
        "<!--\n# comment\n-->",
        "> # quoted",
        "- # item",
        "#hashtag",
    ],
)
def test_only_headings_are_headings(block: str) -> None:
    text = f"# Real\n\n{block}\n\nEnd."
    assert outline(cut(text)) == [(1, text.count("\n") + 1, "", ["Real"])]


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("# Plain words ##", "Plain words"),
        ("# The `open()` *function*", "The open() function"),
        ("# [1.0.0](http://example.org) - 2024", "1.0.0 - 2024"),
        ('# <a name="x"></a>Anchored &amp; \\*starred\\*', "Anchored & *starred*"),
        ("# Methods {#sec-methods .unnumbered}", "Methods"),
        ("# Sets {a, b}", "Sets {a, b}"),
    ],
)
def test_titles_are_without_markup(line: str, title: str) -> None:
    (piece,) = cut(f"{line}\ntext")
    assert piece.metadata["heading_path"] == [title]


def test_a_large_section_is_cut_with_overlap_under_its_heading() -> None:
    text = "# Top\n\n## Sub\na b c d\ne f g.\nh i\nj k l m\nn o p\nq r\ns t u v"
    # 2 + 2 + 4 + 3 = 11 of 16 tokens is in the last third, and ends a sentence. From then on the
    # context takes 4 and leaves 12: 3 + 2 + 4 + 3, then 3 + 2 + 4.
    assert outline(cut(text, max_tokens=16, overlap_tokens=3)) == [
        (1, 5, "", ["Top", "Sub"]),
        (5, 8, "Top > Sub", ["Top", "Sub"]),
        (8, 10, "Top > Sub", ["Top", "Sub"]),
    ]


def test_fences_and_tables_stay_whole() -> None:
    fence = "```\na b c\n\nd e f\n```"
    table = "| a | b |\n|---|---|\n| c | d |"
    # 3 + 8 > 10, so the fence moves on: 8; the table has 5 + 1 + 5 words
    pieces = cut(f"one two three\n{fence}\n{table}", max_tokens=11)
    assert [piece.text for piece in pieces] == [f"one two three\n{fence}", table]
    pieces = cut(f"one two three\n{fence}\n{table}", max_tokens=10)
    assert [piece.text for piece in pieces][:2] == ["one two three", fence]


def test_a_fence_too_large_is_cut_at_its_blank_lines_and_never_repeated() -> None:
    text = "```\na b\nc d e\n\nf g\nh i\n```"
    pieces = cut(text, max_tokens=8, overlap_tokens=4)
    # 1 + 2 + 3 = 6 of 8 tokens is in the last third
    assert [(p.start_line, p.end_line) for p in pieces] == [(1, 3), (5, 7)]


def test_a_heading_stays_with_its_first_paragraph() -> None:
    # The paragraph alone would fit: 6 <= 7. It is split all the same, 2 + 4 and 2 more.
    pieces = cut("# Head\n\na b\nc d\ne f", max_tokens=7)
    assert [(p.start_line, p.end_line) for p in pieces] == [(1, 4), (5, 5)]


def test_front_matter_is_no_heading() -> None:
    text = "---\ntitle: A guide\nauthor: B\n---\n\n# Guide\n\nHello."
    assert outline(cut(text)) == [(1, 4, "", None), (6, 8, "", ["Guide"])]
    # Without its end it is a rule and ordinary text.
    assert outline(cut("---\n\ntitle: A guide\n\n# Guide")) == [
        (1, 3, "", None),
        (5, 5, "", ["Guide"]),
    ]


def test_a_lone_carriage_return_moves_no_line() -> None:
    assert outline(cut("a\rb\n\n# Head\n\ntext")) == [(1, 1, "", None), (3, 5, "", ["Head"])]


def test_headings_repeated_at_one_level_stay_apart() -> None:
    assert outline(cut("# A\n\n## Notes\nx\n\n# B\n\n## Notes\ny")) == [
        (1, 4, "", ["A", "Notes"]),
        (6, 9, "", ["B", "Notes"]),
    ]
