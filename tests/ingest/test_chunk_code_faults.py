"""One file that no parser can take, or a parser that is not there: lines, a note, and no more."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest

import brainkit
from brainkit.doctor import _NATIVE
from brainkit.errors import EmbedderFailed
from brainkit.ingest.chunk_code import chunk_code
from brainkit.ingest.formats import BINARY, TEXTUAL, Document, Extracted
from brainkit.ingest.formats.document import Section
from brainkit.ingest.languages import PARSED, language_of
from brainkit.ingest.one_file import _pieces
from brainkit.ingest.pieces import Budget
from brainkit.parse.bounded import READ_PER_BYTE, READ_SPARE, root_of
from brainkit.parse.grammar import loaded_language
from brainkit.parse.table import GRAMMARS, PARSERS

FOLDER = Path(__file__).parent / "symbols"
SOURCES = {
    language_of(name.removesuffix(".txt")): (FOLDER / name).read_bytes()
    for name in (path.stem for path in FOLDER.glob("*.tsv"))
}
BUDGET = Budget(max_tokens=20, overlap_tokens=0, count=lambda texts: [len(t) // 4 for t in texts])
UNCLOSED = (
    "begin\n(\n(\n(\nend.\n;\n;\nx\nrecord\nfunction F;\nvar\ncase x of\nimplementation\n"
    + "alpha beta gamma;\n" * 100
)


@pytest.fixture
def without_go(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A Python in which the grammar of Go is not installed."""
    loaded_language.cache_clear()
    monkeypatch.setitem(sys.modules, "tree_sitter_go", None)
    yield
    loaded_language.cache_clear()


@pytest.mark.parametrize("language", sorted(PARSED))
def test_damaged_bytes_never_raise_and_lose_no_word(language: str) -> None:
    chance = random.Random(language)
    for _ in range(25):
        raw = bytearray(SOURCES[language])
        for _ in range(chance.randint(1, 30)):
            i = chance.randrange(len(raw))
            j = i + chance.randint(0, 40)
            raw[i:j] = chance.choice([b"", raw[i:j] * 2, chance.randbytes(2), b"(", b"begin\n"])
        text = raw.decode("utf-8", "replace").replace("\r", "\n").replace("\0", "")
        pieces = chunk_code(text, language=language, budget=BUDGET)
        found = "".join("".join(piece.text.split()) for piece in pieces)
        assert found == "".join(text.split())


def test_a_block_that_nothing_closes_fails_before_the_file_is_cut() -> None:
    assert PARSERS["pascal"](UNCLOSED) is None


@pytest.mark.parametrize("language", ["c", "java", "go", "kotlin", "swift"])
def test_comments_that_never_end_are_given_up_by_count(language: str) -> None:
    # Read again to its end from each of 60 000 beginnings it would be 60 000 * 90 kB on average.
    text = "/* " * 60_000
    assert 60_000 * len(text) / 2 > READ_SPARE + READ_PER_BYTE * len(text)
    pieces = chunk_code(text, language=language, budget=BUDGET)
    assert {piece.metadata["parse"] for piece in pieces} == {"failed"}


@pytest.mark.usefixtures("without_go")
def test_a_missing_grammar_costs_its_files_their_definitions_only(
    tmp_path: Path, word_vectors: Any
) -> None:
    (tmp_path / "a.go").write_text("package a\n\nfunc alpha() {}\n")
    (tmp_path / "b.py").write_text("def beta():\n    return 1\n")
    with brainkit.open(tmp_path / "x.brain", embedder=word_vectors) as brain:
        report = brain.ingest(tmp_path)
    details = {Path(one.source).name: one.detail for one in report.files}
    assert (
        details["a.go"]
        == "go cut by lines: its grammar is missing; run: pip install tree-sitter-go"
    )
    assert details["b.py"] == ""
    (piece,) = chunk_code("package a", language="go", budget=BUDGET)
    assert piece.metadata == {"parse": "failed"}


def broken(*_: object, **__: object) -> NoReturn:
    raise KeyError("quoted from the file")


def test_a_parser_that_fails_costs_one_file_its_definitions_only(
    tmp_path: Path, word_vectors: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(PARSERS, "pascal", broken)
    monkeypatch.setitem(TEXTUAL, "toml", broken)
    monkeypatch.setitem(BINARY, "docx", broken)
    (tmp_path / "a.pas").write_text(UNCLOSED)
    (tmp_path / "b.toml").write_text("alpha = 1\n")
    (tmp_path / "c.docx").write_bytes(b"PK\3\4\0\0")
    (tmp_path / "d.txt").write_text("alpha\n")
    with brainkit.open(tmp_path / "x.brain", embedder=word_vectors) as brain:
        report = brain.ingest(tmp_path)
    files = {Path(one.source).name: one for one in report.files}
    assert files["a.pas"].detail == (
        "cut by lines: the pascal parser failed (KeyError); "
        "not in the graph: the pascal extractor failed (KeyError)"
    )
    assert files["b.toml"].detail == "cut by lines: the toml reader failed (KeyError)"
    assert files["c.docx"].status == "skipped"
    assert files["c.docx"].detail.startswith("the docx reader failed (KeyError); ")
    assert files["a.pas"].chunks
    assert [files[name].chunks for name in ("b.toml", "d.txt")] == [1, 1]


def test_an_embedder_that_fails_is_no_fault_of_the_file() -> None:
    def count(_: object) -> NoReturn:
        raise EmbedderFailed("no answer")

    opened = Document(Extracted("a", (Section(1, 1, None),)), None, "", None, None)
    with pytest.raises(EmbedderFailed):
        _pieces(opened, Budget(max_tokens=9, overlap_tokens=0, count=count), "a")


def test_doctor_loads_every_grammar() -> None:
    assert {grammar.wheel for grammar in GRAMMARS.values()} <= set(_NATIVE)


def test_the_text_of_nodes_can_be_read_without_end() -> None:
    """Bounds of parsing once counted it too, and a node's text then never came to its end."""
    text = "value = 1\n" * 20_000
    root = root_of(text, grammar=GRAMMARS["python"])
    assert root is not None
    times = (READ_SPARE + READ_PER_BYTE * len(text)) // len(text) + 10
    assert all(root.text == text.encode() for _ in range(times))


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("kotlin", "val t = 1\n@Int"),
        ("c", "int f(void) " + "ABCDEFGH_" * 40 + " x;\n"),
        ("cpp", "void f() " + "ABCDEFGH IJKLMNOP " * 60 + "= 1\n"),
    ],
)
def test_what_once_never_ended_ends(language: str, text: str) -> None:
    chunk_code(text, language=language, budget=BUDGET)
