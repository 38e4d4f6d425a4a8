"""reStructuredText: what is a heading, of which level, and what only looks like one."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from brainkit.ingest.formats import Document
from brainkit.ingest.formats.restructuredtext import headings_of
from brainkit.ingest.pieces import Piece

Reader = Callable[..., Document]
Cutter = Callable[..., list[Piece]]


def outline(text: str) -> list[tuple[int, int, int, str]]:
    return [tuple(heading) for heading in headings_of(text.split("\n"))]


def test_levels_are_the_order_of_the_adornments() -> None:
    text = "====\nBook\n====\n\nPart\n====\n\nChapter\n~~~~~~~\n\nText.\n\nPart two\n========\n"
    assert outline(text) == [
        (1, 3, 1, "Book"),
        (5, 6, 2, "Part"),
        (8, 9, 3, "Chapter"),
        (13, 14, 2, "Part two"),
    ]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (":mod:`pkg.mod` --- *the* ``x``\n==============================", "pkg.mod --- *the* x"),
        (":doc:`The guide <guide>`\n========================", "The guide"),
        ("=======\n Inset\n=======", "Inset"),
        ("Title longer than\n====", "Title longer than"),  # a warning to docutils, still a title
        ("日本語\n======", "日本語"),
        (".. _label:\nTitle\n=====", "Title"),
        ("No\n==", "No"),
    ],
)
def test_titles(text: str, title: str) -> None:
    assert [heading[3] for heading in outline(text)] == [title]


@pytest.mark.parametrize(
    "text",
    [
        "Text\n\n----\n\nafter a transition",
        "=====  =====\nA      B\n=====  =====",
        "+---+\n| a |\n+---+",
        "::\n\n    Title\n    =====",
        "text that goes on\nand on\n======",
        "Title\n==",  # shorter than the title and than four
        "=====",
        "",
    ],
)
def test_what_only_looks_like_a_heading(text: str) -> None:
    assert outline(text) == []


def test_sections_titles_and_fields(document: Reader, cut: Cutter) -> None:
    text = (
        "Guide\n=====\n\n:Author: Ann Other\n:date: 2024-05-01\n\nIntro.\n\n"
        "Install\n-------\n\nLinux\n~~~~~\n\nEasy.\n"
    )
    found = document(text, "guide.rst")
    assert found.extracted.metadata == {
        "title": "Guide",
        "author": "Ann Other",
        "date": "2024-05-01",
    }
    assert [
        (p.start_line, p.end_line, p.metadata["heading_path"], p.context) for p in cut(found)
    ] == [
        (1, 7, ["Guide"], ""),
        (9, 15, ["Guide", "Install", "Linux"], "Guide"),
    ]


def test_no_directive_is_run(document: Reader, cut: Cutter) -> None:
    text = "Title\n=====\n\n.. include:: /etc/passwd\n\n.. raw:: html\n   :file: /etc/passwd\n"
    (piece,) = cut(document(text, "a.rst"))
    assert piece.text == text.rstrip("\n")


def test_front_matter_of_static_sites(document: Reader) -> None:
    found = document("---\ntitle: From YAML\n---\n\nTitle\n=====\n\nText.\n", "a.rst")
    assert found.extracted.metadata == {"title": "From YAML"}
