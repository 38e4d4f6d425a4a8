"""JSON: cut by its keys, whatever is wrong with it; JSON Lines: by records."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from brainkit.ingest.formats import Document
from brainkit.ingest.formats.outline import LARGE_LINES
from brainkit.ingest.pieces import Piece
from brainkit.settings import Settings

Reader = Callable[..., Document]
Cutter = Callable[..., list[Piece]]


def test_members_of_a_large_object_know_its_key(document: Reader, cut: Cutter) -> None:
    packages = {f"package-{i}": {"version": f"{i}.0", "dev": True} for i in range(LARGE_LINES)}
    text = json.dumps({"name": "x", "locked": {"packages": packages}, "end": 1}, indent=2)
    pieces = cut(document(text, "a.json"))
    assert pieces[0].text == '{\n  "name": "x",'
    assert (pieces[1].start_line, pieces[1].context) == (3, "")
    assert {piece.context for piece in pieces[2:-1]} == {"locked > packages"}
    assert (pieces[-1].text, pieces[-1].context) == ('  "end": 1\n}', "")
    assert all(piece.text.lstrip().startswith('"package-') for piece in pieces[2:-1])


def test_elements_of_an_array_are_not_torn(document: Reader, cut: Cutter) -> None:
    text = json.dumps([{"id": i, "text": "some words of it"} for i in range(30)], indent=1)
    pieces = cut(document(text, "a.json"), 70)
    assert len(pieces) > 5
    assert all(piece.text.startswith(" {") for piece in pieces[1:])


@pytest.mark.parametrize(
    "text",
    [
        '{\n  // don\'t "open\n  "a": 1, /* "b": {\n*/ "c": 2\n}',
        '{"a": "unclosed\n, "b": [}',
        "]]]]}}}}\n" * 20,
        '{"a": "\\" {[",\n"b": 1}',
        "/*" * 1_000,
    ],
)
def test_broken_files_are_cut_too(document: Reader, cut: Cutter, text: str) -> None:
    assert cut(document(text, "a.json"))


def test_nesting_is_not_followed(document: Reader, cut: Cutter) -> None:
    assert cut(document("[\n" * 100_000 + "]\n" * 100_000, "a.json"))


def test_an_unclosed_comment_at_every_place_takes_no_time(document: Reader) -> None:
    assert document("/*\n" * 1_000_000, "a.json")


def test_records_beyond_the_limit_are_left_out_and_said(document: Reader, cut: Cutter) -> None:
    text = "\n".join(json.dumps({"id": i}) for i in range(50)) + "\n"
    found = document(text, "a.jsonl", Settings(max_rows=20))
    assert found.note == "30 of 50 records left out (the limit is 20, max_rows)"
    assert cut(found)[-1].end_line == 20
    assert cut(document(text, "a.jsonl"))[-1].end_line == 50
