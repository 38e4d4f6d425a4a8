"""Word documents written by python-docx, and archives made to harm."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable

import docx
import pytest

from brainkit.ingest.formats import Document
from brainkit.ingest.formats import docx as format_
from brainkit.ingest.pieces import Piece

Reader = Callable[..., Document]
Refusal = Callable[..., str]
Cutter = Callable[..., list[Piece]]

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def saved(document: docx.document.Document) -> bytes:
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def packed(body: str, **parts: str) -> bytes:
    """A minimal document: its body, and other parts by name with ``_`` for the dot."""
    wrapped = {"document": f'<w:document xmlns:w="{W}"><w:body>{body}</w:body></w:document>'}
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("_rels/.rels", "<Relationships/>")
        for name, xml in {**wrapped, **parts}.items():
            archive.writestr(f"word/{name}.xml", xml)
    return buffer.getvalue()


def paragraph(text: str) -> str:
    return f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>"


def test_a_document_as_it_is_read(document: Reader, cut: Cutter) -> None:
    made = docx.Document()
    made.core_properties.title = "Report"
    made.core_properties.author = "Ann Other"
    made.add_heading("The report", level=0)
    made.add_heading("Start", level=1)
    made.add_paragraph("Some\ttext,\nand a line.")
    made.add_paragraph("one", style="List Bullet")
    made.add_paragraph("two", style="List Number")
    made.add_heading("Figures", level=2)
    table = made.add_table(2, 2)
    for i, word in enumerate(("a", "b", "1\n2", "3")):
        table.cell(i // 2, i % 2).text = word
    table.cell(1, 1).add_table(1, 2).cell(0, 1).text = "inner"
    found = document(saved(made), "a.docx")
    assert found.extracted.text == (
        "The report\n\nStart\n\nSome text,\nand a line.\n\n- one\n- two\n\n"
        "Figures\n\na | b\n1 2 | 3 | inner\n"
    )
    assert found.extracted.metadata == {"title": "Report", "author": "Ann Other"}
    assert [(p.start_line, p.metadata["heading_path"]) for p in cut(found)] == [
        (1, ["The report", "Start"]),
        (11, ["The report", "Start", "Figures"]),
    ]


def test_a_heading_is_one_by_its_outline_or_by_what_its_style_is_based_on(document: Reader) -> None:
    styles = (
        f'<w:styles xmlns:w="{W}"><w:style w:styleId="U2"><w:name w:val="heading 2"/></w:style>'
        '<w:style w:styleId="Own"><w:basedOn w:val="U2"/></w:style>'
        '<w:style w:styleId="Loop"><w:basedOn w:val="Loop"/></w:style></w:styles>'
    )
    body = "".join(
        f"<w:p><w:pPr>{properties}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"
        for properties, text in (
            ('<w:outlineLvl w:val="0"/>', "Top"),
            ('<w:pStyle w:val="Own"/>', "Own"),
            ('<w:pStyle w:val="Own"/><w:outlineLvl w:val="9"/>', "body"),
            ('<w:pStyle w:val="Loop"/>', "loop"),
            ('<w:pStyle w:val="Heading3"/>', "Unknown style"),
        )
    )
    found = document(packed(body, styles=styles), "a.docx")
    assert [s.metadata["heading_path"] for s in found.extracted.sections] == [
        ["Top", "Own"],
        ["Top", "Own", "Unknown style"],
    ]


def test_changes_fields_and_doubles(document: Reader) -> None:
    runs = (
        "<w:r><w:t>kept </w:t></w:r><w:ins><w:r><w:t>new</w:t></w:r></w:ins>"
        "<w:del><w:r><w:delText>old</w:delText></w:r></w:del>"
        "<w:moveFrom><w:r><w:t>moved</w:t></w:r></w:moveFrom>"
        "<w:r><w:instrText>PAGE</w:instrText></w:r>"
        "<w:Fallback><w:r><w:t>again</w:t></w:r></w:Fallback>"
    )
    assert document(packed(f"<w:p>{runs}</w:p>"), "a.docx").extracted.text == "kept new\n"


def test_notes_follow_their_paragraph(document: Reader) -> None:
    footnotes = (
        f'<w:footnotes xmlns:w="{W}"><w:footnote w:type="separator" w:id="0">{paragraph("---")}'
        f'</w:footnote><w:footnote w:id="2">{paragraph("See")}{paragraph("there.")}</w:footnote>'
        "</w:footnotes>"
    )
    body = '<w:p><w:r><w:t>Claim</w:t><w:footnoteReference w:id="2"/></w:r></w:p>' + paragraph(
        "End"
    )
    found = document(packed(body, footnotes=footnotes), "a.docx")
    assert found.extracted.text == "Claim[2]\n\n[2] See there.\n\nEnd\n"


def test_a_document_without_text_has_a_reason(refused: Refusal) -> None:
    assert refused(saved(docx.Document()), "a.docx") == "no text in the document"


def test_entities_are_refused_before_they_grow(refused: Refusal) -> None:
    bomb = '<!DOCTYPE w [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>' + paragraph("&b;")
    assert refused(packed("", document=bomb), "a.docx") == (
        "damaged: its XML declares a document type, which Word never does"
    )


def test_a_part_of_too_many_elements_is_refused(
    refused: Refusal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(format_, "ELEMENTS_MAX", 1_000)
    assert refused(packed("<w:p/>" * 1_000), "a.docx") == (
        "word/document.xml has more than 1,000 elements, the limit"
    )


def test_a_part_nested_too_deep_is_refused(refused: Refusal) -> None:
    raw = packed("<w:p>" * 1_000_000)  # 400 MB, were they all opened
    assert refused(raw, "a.docx") == (
        "word/document.xml is nested more than 200,000 deep, the limit"
    )


def test_an_encoding_that_nobody_knows_is_damage(refused: Refusal) -> None:
    raw = packed("", document='<?xml version="1.0" encoding="klingon"?><w/>')
    assert refused(raw, "a.docx").startswith("damaged: unknown encoding")


def test_a_part_that_unpacks_to_too_much_is_refused(
    refused: Refusal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(format_, "PART_BYTES_MAX", 1_000_000)
    raw = packed(paragraph("x" * 2_000_000))
    assert len(raw) < 10_000
    assert (
        refused(raw, "a.docx")
        == "word/document.xml unpacks to more than 1,000,000 bytes, the limit"
    )


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(9),
            "an encrypted document, or one in the format",
        ),
        (b"not a zip", "damaged: File is not a zip file"),
        (packed(paragraph("x"))[:-40], "damaged: File is not a zip file"),
        (packed("<w:p>"), "damaged: mismatched tag"),
        (b"PK\x05\x06" + bytes(18), "There is no item named '_rels/.rels' in the archive"),
    ],
)
def test_what_is_damaged_has_a_reason(refused: Refusal, raw: bytes, reason: str) -> None:
    assert refused(raw, "a.docx").startswith(reason)


def test_a_flipped_byte_anywhere_is_no_error(outcome: Callable[..., object]) -> None:
    raw = packed(paragraph("some text"))
    for i in range(0, len(raw), 7):
        outcome(raw[:i] + bytes([raw[i] ^ 0x55]) + raw[i + 1 :], "a.docx")


def test_nesting_costs_nothing(document: Reader) -> None:
    depth = 50_000
    body = "<w:tbl><w:tr><w:tc>" * depth + paragraph("deep") + "</w:tc></w:tr></w:tbl>" * depth
    assert document(packed(body), "a.docx").extracted.text == "deep\n"
