"""Markdown and its kin: front matter becomes metadata and stays in the text."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from brainkit.ingest.formats import Document
from brainkit.ingest.pieces import Piece

Reader = Callable[..., Document]
Cutter = Callable[..., list[Piece]]


@pytest.mark.parametrize("name", ["a.md", "a.qmd", "a.Rmd"])
def test_every_piece_knows_the_front_matter(document: Reader, cut: Cutter, name: str) -> None:
    text = "---\ntitle: Notes\ndate: 2024-05-01\npage: 7\n---\n\n# One\nText.\n\n# Two\nMore.\n"
    found = document(text, name)
    assert found.note == "metadata left out: page"
    facts = {"title": "Notes", "date": "2024-05-01"}
    assert [(p.start_line, p.end_line, p.metadata) for p in cut(found)] == [
        (1, 5, facts),
        (7, 8, {**facts, "heading_path": ["One"]}),
        (10, 11, {**facts, "heading_path": ["Two"]}),
    ]


def test_toml_front_matter_holds_no_headings(document: Reader, cut: Cutter) -> None:
    found = document('+++\n# comment\ntitle = "A"\n+++\n# Real\n', "a.md")
    assert [(p.start_line, p.metadata) for p in cut(found)] == [
        (1, {"title": "A"}),
        (5, {"title": "A", "heading_path": ["Real"]}),
    ]


def test_a_code_chunk_of_quarto_stays_whole(document: Reader, cut: Cutter) -> None:
    chunk = "```{python}\n#| label: fig\n# not a heading\nplot(1)\n\nplot(2)\n```"
    found = document(f"# Figure\n\n{'words ' * 50}\n\n{chunk}\n", "a.qmd")
    assert chunk in [piece.text for piece in cut(found)]
