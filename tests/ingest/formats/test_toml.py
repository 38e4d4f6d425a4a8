"""TOML: tables and keys."""

from __future__ import annotations

from collections.abc import Callable

from brainkit.ingest.formats import Document
from brainkit.ingest.formats.outline import LARGE_LINES
from brainkit.ingest.formats.toml import extract
from brainkit.ingest.pieces import Piece
from brainkit.settings import Settings

Reader = Callable[..., Document]
Cutter = Callable[..., list[Piece]]


def test_tables_are_units_with_the_comments_above_them() -> None:
    text = '# why\n[a]\nx = 1\n\n[[b."c.d"]] # list\ny = """\n[no]\n"""\nz = [\n  "[e]",\n]\n'
    (section,) = extract(text, settings=Settings()).sections
    assert section.units == (1, 5)


def test_a_long_table_is_the_context_of_its_keys(document: Reader, cut: Cutter) -> None:
    keys = [f"key{i} = {i}" for i in range(LARGE_LINES + 1)]
    pieces = cut(document("\n".join(["top = 1", "[ tool.x ]", *keys, "[end]"]), "a.toml"), 40)
    assert (pieces[0].text, pieces[0].context) == ("top = 1", "")
    assert {piece.context for piece in pieces[2:-1]} == {"tool.x"}
    assert (pieces[-1].text, pieces[-1].context) == ("[end]", "")


def test_a_long_line_takes_no_time(document: Reader) -> None:
    lines = ["[a" + " " * 19_000, "a." * 9_000, " " * 19_000 + "x", '"""' * 6_000]
    assert document("\n".join(lines * 20), "a.toml")
