"""PDF: pages and their numbers, and documents that are locked, scanned, damaged or hostile."""

from __future__ import annotations

import io
import logging
import re
import zlib
from collections.abc import Callable, Sequence

import pytest
from pypdf import PdfWriter
from pypdf.generic import ArrayObject, DictionaryObject, NameObject, NumberObject, StreamObject

from brainkit.ingest.formats import Document, pdf
from brainkit.ingest.pieces import Piece
from brainkit.settings import Settings

Reader = Callable[..., Document]
Refusal = Callable[..., str]
Cutter = Callable[..., list[Piece]]


def shown(*lines: str) -> bytes:
    rows = b"".join(b"(" + line.encode() + b") Tj T* " for line in lines)
    return b"BT /F1 12 Tf 72 700 Td 14 TL " + rows + b"ET"


def stream(content: bytes, **names: str) -> StreamObject:
    made = StreamObject()
    made._data = zlib.compress(content, 9)
    for key, value in {"Filter": "FlateDecode", **names}.items():
        made[NameObject(f"/{key}")] = NameObject(f"/{value}")
    return made


def writer(pages: Sequence[bytes]) -> PdfWriter:
    made = PdfWriter()
    font = DictionaryObject(
        {
            NameObject("/Type"): NameObject("/Font"),
            NameObject("/Subtype"): NameObject("/Type1"),
            NameObject("/BaseFont"): NameObject("/Helvetica"),
        }
    )
    fonts = DictionaryObject({NameObject("/F1"): made._add_object(font)})
    for content in pages:
        page = made.add_blank_page(612, 792)
        page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
        page[NameObject("/Contents")] = made._add_object(stream(content))
    return made


def saved(made: PdfWriter) -> bytes:
    buffer = io.BytesIO()
    made.write(buffer)
    return buffer.getvalue()


def test_pages_and_their_numbers(document: Reader, cut: Cutter) -> None:
    made = writer([shown("First page,", "two lines."), shown(), shown("Third page.")])
    made.add_metadata({"/Title": " The  paper ", "/Author": "Ann Other", "/Producer": "x"})
    found = document(saved(made), "a.pdf")
    assert found.extracted.text == "First page,\ntwo lines.\n\nThird page.\n"
    assert found.note == "1 of 3 pages have no text"
    assert found.encoding is None
    facts = {"title": "The paper", "author": "Ann Other"}
    assert [(p.start_line, p.end_line, p.metadata) for p in cut(found)] == [
        (1, 2, {**facts, "page": 1}),
        (4, 4, {**facts, "page": 3}),
    ]


def test_a_page_is_never_joined_to_the_next(document: Reader, cut: Cutter) -> None:
    pieces = cut(document(saved(writer([shown("a b c")] * 9)), "a.pdf"), 100)
    assert [piece.metadata["page"] for piece in pieces] == [*range(1, 10)]


def test_pages_beyond_the_limit_are_left_out_and_said(document: Reader) -> None:
    found = document(saved(writer([shown("x")] * 5)), "a.pdf", Settings(max_pages=3))
    assert found.note == "2 of 5 pages left out (the limit is 3, max_pages)"
    assert [section.metadata["page"] for section in found.extracted.sections] == [1, 2, 3]


@pytest.mark.parametrize("algorithm", ["RC4-128", "AES-128", "AES-256"])
def test_a_document_locked_only_against_changes_is_read(document: Reader, algorithm: str) -> None:
    made = writer([shown("Readable.")])
    made.encrypt(user_password="", owner_password="owner", algorithm=algorithm)
    assert document(saved(made), "a.pdf").extracted.text == "Readable.\n"


@pytest.mark.parametrize("algorithm", ["RC4-128", "AES-256"])
def test_a_password_is_a_reason(refused: Refusal, algorithm: str) -> None:
    made = writer([shown("Secret.")])
    made.encrypt(user_password="secret", algorithm=algorithm)
    assert refused(saved(made), "a.pdf") == "encrypted: it opens only with a password"


@pytest.mark.parametrize(("pages", "which"), [(1, "its page"), (3, "any of 3 pages")])
def test_scans_need_text_recognition(refused: Refusal, pages: int, which: str) -> None:
    assert refused(saved(writer([b"q 1 0 0 1 0 0 cm Q"] * pages)), "scan.pdf") == (
        f"no text on {which}: scanned pictures need text recognition (OCR) first"
    )


@pytest.mark.parametrize(
    "raw",
    [
        b"%PDF-1.7",
        b"%PDF-1.7\n" + b"\x00\xff" * 500,
        saved(writer([shown("cut")] * 3))[:700],
        b"%PDF-1.7\ntrailer<</Root 1 0 R>>startxref\n0\n%%EOF",
    ],
)
def test_damage_is_a_reason(refused: Refusal, raw: bytes) -> None:
    assert refused(raw, "a.pdf").startswith(("damaged: ", "no page can be read"))


def test_another_file_of_that_name(refused: Refusal) -> None:
    assert (
        refused(b"<html>not found</html>", "a.pdf") == "not a PDF document, whatever its name says"
    )


def test_one_bad_page_does_not_spoil_the_others(document: Reader) -> None:
    found = document(saved(writer([shown("good"), b"[" * 100_000, shown("too")])), "a.pdf")
    assert found.extracted.text == "good\n\ntoo\n"
    assert found.note is not None
    assert found.note.startswith("left out: page 2 (damaged: ")


def test_a_flipped_byte_anywhere_is_no_error(outcome: Callable[..., object]) -> None:
    raw = saved(writer([shown("some text"), shown("more")]))
    for i in range(8, len(raw), 29):
        outcome(raw[:i] + bytes([raw[i] ^ 0x55]) + raw[i + 1 :], "a.pdf")


@pytest.mark.parametrize("content", [b" " * 50_000_000, shown(*["x"] * 1_000_000)])
def test_a_stream_that_unpacks_to_too_much_is_left_out(document: Reader, content: bytes) -> None:
    raw = saved(writer([shown("good"), content]))
    assert len(raw) < 100_000
    found = document(raw, "a.pdf")
    assert found.extracted.text == "good\n"
    assert found.note is not None
    assert found.note.startswith("left out: page 2 (a limit was met: ")


def test_the_clock_is_watched_within_a_page(
    refused: Refusal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pdf, "SECONDS_MAX", -1)
    assert refused(saved(writer([shown("x")])), "a.pdf") == (
        "it takes too long to read (the limit is -1 seconds)"
    )


def test_streams_are_let_go(monkeypatch: pytest.MonkeyPatch, document: Reader) -> None:
    monkeypatch.setattr(pdf, "KEPT_STREAMS", 1)
    made = writer([shown("page")] * 3)
    form = stream(shown("form"), Type="XObject", Subtype="Form")
    form[NameObject("/BBox")] = ArrayObject([NumberObject(0)] * 4)
    font = made.pages[0]["/Resources"]["/Font"]
    form[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): font})
    forms = DictionaryObject({NameObject("/X"): made._add_object(form)})
    for page in made.pages:
        page["/Resources"][NameObject("/XObject")] = forms
        page[NameObject("/Contents")] = made._add_object(stream(b"/X Do /X Do"))
    text = document(saved(made), "a.pdf").extracted.text
    assert text.count("form") == 6


def test_pypdf_is_silent_and_its_logger_left_as_it_was(
    document: Reader, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    logger = logging.getLogger("pypdf")
    logger.setLevel(logging.DEBUG)
    try:
        whole = saved(writer([shown("x")]))
        raw = re.sub(rb"startxref\n\d+", b"startxref\n9", whole)  # which pypdf repairs, and logs
        assert document(raw, "a.pdf").extracted.text == "x\n"
        assert logger.level == logging.DEBUG
    finally:
        logger.setLevel(logging.NOTSET)
    assert (caplog.records, capfd.readouterr()) == ([], ("", ""))
