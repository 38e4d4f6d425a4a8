"""What holds for every format: where text comes from, how it is routed, and when it is refused."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from brainkit.ingest.formats import FORMATS, Document, read
from brainkit.ingest.languages import LANGUAGES
from brainkit.ingest.load import Unreadable
from brainkit.ingest.pieces import Piece
from brainkit.settings import Settings

Reader = Callable[..., Document]
Refusal = Callable[..., str]
Cutter = Callable[..., list[Piece]]
Outcome = Callable[..., Document | Unreadable]


def test_formats_are_known_languages() -> None:
    assert set(FORMATS) <= set(LANGUAGES)


def test_any_other_file_is_one_section_and_its_own_text(document: Reader, cut: Cutter) -> None:
    raw = b"package main\n\nfunc main() {}\n"
    found = document(raw, "main.go")
    assert found.language == "go"
    assert found.sha256 == hashlib.sha256(raw).hexdigest()
    assert found.encoding == "utf-8"
    assert found.extracted.text == raw.decode()
    assert "func main() {}" in cut(found)[-1].text


def test_a_rule_decides_about_the_format(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("a,b\n1,2\n", encoding="utf-8")
    ruled = read(path, relative="a.txt", settings=Settings(), ruled=lambda _: "csv")
    assert isinstance(ruled, Document)
    assert ruled.language == "csv"
    assert ruled.extracted.sections[0].headings[0].title == "a, b"


@pytest.mark.parametrize(
    ("package", "name", "content"),
    [("pypdf", "a.pdf", b"%PDF-1.7"), ("lxml", "a.html", b"<p>text")],
)
def test_a_missing_parser_leaves_the_file_out_and_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, refused: Refusal, package: str, name: str, content: bytes
) -> None:
    for module in [one for one in sys.modules if one.partition(".")[0] == package]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, package, None)
    assert refused(content, name).endswith(f"needs {package}: pip install {package}")


def test_without_a_yaml_parser_the_text_is_still_read(
    monkeypatch: pytest.MonkeyPatch, document: Reader
) -> None:
    monkeypatch.setitem(sys.modules, "yaml", None)
    found = document("---\ntitle: A\n---\nText.\n", "a.md")
    assert found.extracted.metadata == {}
    assert found.note == "front matter not read: PyYAML is missing; pip install PyYAML"


@pytest.mark.parametrize("name", ["a.pdf", "a.docx", "a.html", "a.ipynb", "a.csv", "a.md"])
def test_an_empty_file_is_empty_in_every_format(refused: Refusal, name: str) -> None:
    assert refused(b"", name) == "empty"


def test_a_file_that_cannot_be_opened_has_a_reason(tmp_path: Path) -> None:
    gone = read(tmp_path / "gone.pdf", relative="gone.pdf", settings=Settings())
    assert gone == Unreadable("cannot be read: No such file or directory")


def test_archives_are_not_opened(refused: Refusal) -> None:
    assert refused(b"PK\x03\x04" + bytes(30), "a.zip") == "binary: a ZIP archive or office document"


def test_a_folder_of_formats_reaches_the_brain(
    tmp_path: Path, word_vectors: Callable[..., object]
) -> None:
    import brainkit

    root = tmp_path / "notes"
    root.mkdir()
    notebook = {"cells": [{"cell_type": "markdown", "source": "# Kestrels\nhover"}]}
    (root / "a.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    (root / "b.html").write_text("<h1>Owls</h1><p>hunt at night", encoding="utf-8")
    (root / "c.pdf").write_bytes(b"%PDF-1.7 damaged")
    with brainkit.open(tmp_path / "n.brain", embedder=word_vectors) as brain:
        report = brain.ingest(root)
        (skipped,) = report.rows("skipped")
        assert skipped.detail.startswith("damaged: ")
        (best, *_) = brain.query("owls at night", mode="bm25").results
        assert (best.source, best.metadata) == ("notes/b.html", {"heading_path": ["Owls"]})
        assert (best.start_line, best.end_line) == (1, 3)
        (best, *_) = brain.query("kestrels", mode="bm25").results
        assert best.metadata == {"cell": 1, "cell_type": "markdown", "heading_path": ["Kestrels"]}


FRAGMENTS = [
    *("", "  ", "plain words.", "a,b,c", '"open', '"x, y",1', "1,2,3", "1e5\t2"),
    *("# Title", "Title", "=====", "-----", "---", "+++", "...", ":author: Ann"),
    *("key: value", "  - item", "list:", "text: |", "    block: no", "[table]", "a = 1", 'b = """'),
    *("{", '"k": {', '"k": [', "},", "]", "// don't", "/*", "<p>", "<pre>", "</table>", "<td>x"),
    *("<script>", "&amp;", "<h2>H</h2>", "{{ template }}", "日本。語", "e\u0301", "x" * 70),
]


@pytest.mark.parametrize("name", ["a.md", "a.rst", "a.csv", "a.json", "a.yaml", "a.toml", "a.html"])
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    text=st.lists(st.sampled_from(FRAGMENTS), max_size=30).map("\n".join),
    max_tokens=st.integers(8, 60),
)
def test_no_text_is_lost_or_shifted(
    outcome: Outcome, cut: Cutter, name: str, text: str, max_tokens: int
) -> None:
    found = outcome(text, name)
    if isinstance(found, Document):
        cut(found, max_tokens)
        if name != "a.html":
            assert found.extracted.text == text
        assert found == outcome(text, name)


@pytest.mark.parametrize("name", ["a.ipynb", "a.pdf", "a.docx", "a.html", "a.csv"])
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(raw=st.binary(max_size=200).map(lambda raw: b"%PDF-1.4\n" + raw))
def test_no_bytes_raise(outcome: Outcome, cut: Cutter, name: str, raw: bytes) -> None:
    found = outcome(raw, name)
    if isinstance(found, Document):
        cut(found)
