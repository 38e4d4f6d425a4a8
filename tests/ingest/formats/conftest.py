"""Reading files of any format, and the promises that hold for all of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from brainkit.ingest.formats import Document, pieces_of, read
from brainkit.ingest.load import Unreadable
from brainkit.ingest.pieces import Budget, Piece
from brainkit.settings import Settings

Reader = Callable[..., Document]
Refusal = Callable[..., str]
Cutter = Callable[..., list[Piece]]


def word_pieces(texts: Sequence[str]) -> list[int]:
    """Like a word-piece tokenizer: words in parts of four characters, punctuation one by one."""
    return [len(re.findall(r"\w{1,4}|[^\w\s]", text)) for text in texts]


@pytest.fixture
def outcome(tmp_path: Path) -> Callable[..., Document | Unreadable]:
    def reads(
        content: str | bytes, name: str, settings: Settings | None = None
    ) -> Document | Unreadable:
        raw = content.encode() if isinstance(content, str) else content
        (tmp_path / name).write_bytes(raw)
        return read(tmp_path / name, relative=name, settings=settings or Settings())

    return reads


@pytest.fixture
def document(outcome: Callable[..., Document | Unreadable]) -> Reader:
    """Write a file of this content and name, and read it."""

    def reads(content: str | bytes, name: str, settings: Settings | None = None) -> Document:
        found = outcome(content, name, settings)
        assert isinstance(found, Document), found
        return found

    return reads


@pytest.fixture
def refused(outcome: Callable[..., Document | Unreadable]) -> Refusal:
    """Why a file of this content and name is left out."""

    def reads(content: str | bytes, name: str, settings: Settings | None = None) -> str:
        found = outcome(content, name, settings)
        assert isinstance(found, Unreadable), found
        return found.reason

    return reads


@pytest.fixture
def cut() -> Cutter:
    """Cut a document, and check what every format promises.

    Pieces are the lines they say they are, cover all lines of the sections that are not blank,
    come in order and fit the budget; sections are in order, and hold all lines unless a note says
    otherwise.
    """

    def cuts(document: Document, max_tokens: int = 60) -> list[Piece]:
        budget = Budget(max_tokens, overlap_tokens=max_tokens // 8, count=word_pieces)
        pieces = pieces_of(document.extracted, budget=budget)
        lines = document.extracted.text.split("\n")
        open_ = {i for i, line in enumerate(lines, start=1) if line.strip()}
        end = 0
        held = set()
        for section in document.extracted.sections:
            assert end < section.start_line <= section.end_line <= len(lines)
            end = section.end_line
            held |= {*range(section.start_line, end + 1)}
        assert open_ <= held or document.note
        for piece in pieces:
            whole = "\n".join(lines[piece.start_line - 1 : piece.end_line])
            a, b = piece.metadata.get("columns", (None, None))
            assert piece.text == whole[a:b]
            assert word_pieces([f"{piece.context}\n{piece.text}"]) <= [max_tokens]
            open_ -= {*range(piece.start_line, piece.end_line + 1)}
        assert not open_ & held
        assert [p.start_line for p in pieces] == sorted(p.start_line for p in pieces)
        return pieces

    return cuts
