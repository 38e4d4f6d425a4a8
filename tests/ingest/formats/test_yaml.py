"""YAML: entries by indentation."""

from __future__ import annotations

from collections.abc import Callable

from brainkit.ingest.formats import Document
from brainkit.ingest.formats.outline import LARGE_LINES
from brainkit.ingest.formats.yaml import extract
from brainkit.ingest.pieces import Piece
from brainkit.settings import Settings

Reader = Callable[..., Document]
Cutter = Callable[..., list[Piece]]


def units(text: str) -> tuple[int, ...]:
    return tuple(unit for s in extract(text, settings=Settings()).sections for unit in s.units)


def test_entries_and_the_comments_above_them() -> None:
    text = '# licence\n\n# about a\na: 1\n"b c": 2\nurl: http://x:80/\n  continued: no\n? odd\n'
    assert units(text) == (3, 5, 6)


def test_a_block_of_text_has_no_entries() -> None:
    assert units("a: |\n  not: a key\n\n  - nor: an item\nb: >-  # folded\n  c: d\ne: 1") == (
        1,
        5,
        7,
    )


def test_documents_are_apart_and_lists_belong_to_their_key() -> None:
    assert units("---\na: 1\n---\nsteps:\n- one\n- two\nend: 1") == (1, 3)
    assert units("steps:\n- one\n- two\nend: 1") == (1, 4)


def test_members_of_a_large_mapping_know_its_key(document: Reader, cut: Cutter) -> None:
    services = [f"  service{i}:\n    image: x" for i in range(LARGE_LINES)]
    text = "\n".join(["version: 3", "services:", *services, "volumes: {}"])
    pieces = cut(document(text, "compose.yml"), 50)
    assert (pieces[0].text, pieces[0].context) == ("version: 3", "")
    assert {piece.context for piece in pieces[2:-1]} == {"services"}
    assert all(piece.text.startswith("  service") for piece in pieces[2:-1])
    assert (pieces[-1].text, pieces[-1].context) == ("volumes: {}", "")


def test_aliases_and_tags_do_nothing(document: Reader, cut: Cutter) -> None:
    levels = [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 30)]
    text = "\n".join(["a0: &a0 !!python/object/apply:os.getcwd []", *levels])
    assert "\n".join(piece.text for piece in cut(document(text, "a.yaml"))) == text


def test_a_long_line_takes_no_time(document: Reader) -> None:
    lines = ["a" + " " * 19_000, "a:b" * 6_000, '"' * 19_000, "- " * 9_000]
    assert document("\n".join(lines * 20), "a.yaml")
