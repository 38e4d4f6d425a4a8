"""CSV and TSV: records stay whole, columns are named, and there is an end to rows."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from brainkit.ingest.formats import Document
from brainkit.ingest.pieces import Piece
from brainkit.settings import Settings

Reader = Callable[..., Document]
Cutter = Callable[..., list[Piece]]


@pytest.mark.parametrize(("name", "mark"), [("a.csv", ","), ("a.csv", ";"), ("a.tsv", "\t")])
def test_rows_know_their_columns(document: Reader, cut: Cutter, name: str, mark: str) -> None:
    rows = ["name,age,town", *(f"person{i},{20 + i},here" for i in range(30))]
    pieces = cut(document("\n".join(rows).replace(",", mark), name), 40)
    assert (pieces[0].start_line, pieces[0].context) == (1, "")
    assert {piece.context for piece in pieces[1:]} == {"name, age, town"}


def test_a_record_over_several_lines_stays_whole(document: Reader, cut: Cutter) -> None:
    record = 'x,"first line\nsecond line\n\nlast line"'
    text = "\n".join(["id,text", *[record] * 8])
    pieces = cut(document(text, "a.csv"), 24)
    assert [(p.start_line, p.end_line) for p in pieces[1:3]] == [(6, 9), (10, 13)]


@pytest.mark.parametrize("first", ["1,2,3", "a,,c", "a,a,b", "single"])
def test_a_first_line_that_names_nothing_is_no_header(
    document: Reader, cut: Cutter, first: str
) -> None:
    pieces = cut(document("\n".join([first, *["x,y,z"] * 40]), "a.csv"), 24)
    assert {piece.context for piece in pieces} == {""}


def test_a_quote_that_is_never_closed_loses_nothing(document: Reader, cut: Cutter) -> None:
    text = 'a,b\nx,"open\n' + "\n".join(f"row {i},{i}" for i in range(20_000))
    pieces = cut(document(text, "a.csv", Settings(max_rows=100_000)))
    assert pieces[-1].end_line == 20_002


def test_rows_beyond_the_limit_are_left_out_and_said(document: Reader, cut: Cutter) -> None:
    text = "\n".join(["a,b", *(f"{i},x" for i in range(20))]) + "\n"
    found = document(text, "a.csv", Settings(max_rows=11))
    assert found.note == "records from line 12 of 21 left out (the limit is 11, max_rows)"
    assert found.extracted.text == text
    assert cut(found)[-1].end_line == 11


def test_ten_thousand_columns(document: Reader, refused: Callable[..., str], cut: Cutter) -> None:
    header = ",".join(f"column{i}" for i in range(10_000))
    assert refused(f"{header}\n1,2", "a.csv") == (
        "a line of 108,889 characters (the limit is 20,000, max_line_chars): minified or data"
    )  # 10 of 7 letters, 90 of 8, 900 of 9, 9,000 of 10, and 9,999 commas
    found = document(
        f"{header}\n" + ",".join("1" * 10_000), "a.csv", Settings(max_line_chars=200_000)
    )
    pieces = cut(found)
    # A name takes 3 tokens (colu, mn0 and the comma), and a quarter of the budget is 60 / 4 = 15.
    assert pieces[-1].context == "column0, column1, column2, column3, column4,"
    assert all("columns" in piece.metadata for piece in pieces)
