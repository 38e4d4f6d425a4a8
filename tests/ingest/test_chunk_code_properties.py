"""What cutting code promises in every language, over files of ours that were damaged at random."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brainkit.ingest.chunk_code import chunk_code
from brainkit.ingest.languages import PARSED, language_of
from brainkit.ingest.pieces import Budget, Piece

FOLDER = Path(__file__).parent / "symbols"
SOURCES = {
    language_of(name.removesuffix(".txt")): (FOLDER / name).read_text("utf-8")
    for name in (path.stem for path in FOLDER.glob("*.tsv"))
}
JUNK = [
    *("", "{", "}", "};", "(", ")", "end;", "begin", "#if A", "#else", "#endif", "/*", "*/", "//"),
    *(
        '"""',
        "'",
        '"',
        "`",
        "<",
        "class A {",
        "é = 你好",
        "\t\x0c",
        "x" * 90,
        "#define A \\",
        "\ud800",
    ),
]
changes = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(["drop", "double", "cut"]), st.integers(0, 10_000)),
        st.tuples(st.sampled_from(JUNK), st.integers(0, 10_000)),
    ),
    max_size=8,
)


def tokens(texts: Sequence[str]) -> list[int]:
    """Like a word-piece tokenizer: words in parts of four characters, punctuation one by one."""
    return [len(re.findall(r"\w{1,4}|[^\w\s]", text)) for text in texts]


def damaged(source: str, changes: list[tuple[str, int]]) -> str:
    lines = source.split("\n")
    for change, place in changes:
        i = place % len(lines)
        if change == "drop":
            lines[i : i + 1] = [""] if len(lines) == 1 else []
        elif change == "double":
            lines.insert(i, lines[i])
        elif change == "cut":
            lines[i] = lines[i][: len(lines[i]) // 2]
        else:
            lines.insert(i, change)
    return "\n".join(lines)


def check(text: str, pieces: list[Piece], budget: Budget) -> None:
    lines = text.split("\n")
    missing = [{i for i, char in enumerate(line) if not char.isspace()} for line in lines]
    for piece in pieces:
        start, end = piece.start_line - 1, piece.end_line
        a, b = piece.metadata.get("columns", (0, None))
        assert piece.text == "\n".join(lines[start:end])[a:b]
        assert lines[start].strip()
        assert lines[end - 1].strip()
        for columns in missing[start:end]:
            columns.difference_update(range(a, b) if b else [*columns])
    assert not any(missing)
    whole = [(p.start_line, p.end_line) for p in pieces if "columns" not in p.metadata]
    assert all(above[1] < below[0] for above, below in pairwise(whole))
    costs = budget.count([f"{piece.context}\n{piece.text}" for piece in pieces])
    assert all(
        cost <= budget.max_tokens or len(piece.text) == 1
        for cost, piece in zip(costs, pieces, strict=True)
    )


@pytest.mark.parametrize("language", sorted(PARSED))
@settings(max_examples=40)
@given(changes=changes, max_tokens=st.integers(1, 200))
def test_damaged_code_is_cut_without_losing_a_line(
    language: str, changes: list[tuple[str, int]], max_tokens: int
) -> None:
    text = damaged(SOURCES[language], changes)
    budget = Budget(max_tokens=max_tokens, overlap_tokens=0, count=tokens)
    pieces = chunk_code(text, language=language, budget=budget)
    check(text, pieces, budget)
    assert chunk_code(text, language=language, budget=budget) == pieces


@pytest.mark.parametrize("language", sorted(PARSED))
@pytest.mark.parametrize(
    "deep",
    [
        "{\n" * 1500 + "}\n" * 1500,
        "(" * 1500 + "\n" + ")" * 1500,
        "begin\n" * 1500 + "end;\n" * 1500,
        "class A {\n" * 200 + "}\n" * 200,
        "a = " + "f(\n" * 500 + ")\n" * 500,
        "#if A\n" * 300 + "#endif\n" * 300,
        "/*\n" * 200,
        "type A = record\n" * 500,
        "procedure A;\n" * 500,
    ],
    ids=[
        "braces",
        "parentheses",
        "begins",
        "classes",
        "calls",
        "ifs",
        "comments",
        "types",
        "nested",
    ],
)
def test_deep_nesting_is_cut_without_recursion(language: str, deep: str) -> None:
    budget = Budget(max_tokens=64, overlap_tokens=0, count=tokens)
    check(deep, chunk_code(deep, language=language, budget=budget), budget)


@pytest.mark.parametrize("language", sorted(PARSED))
@given(text=st.text(max_size=200).map(lambda text: text.replace("\r", "\n")))
@settings(max_examples=15)
def test_any_text_is_cut_without_losing_a_line(language: str, text: str) -> None:
    budget = Budget(max_tokens=16, overlap_tokens=0, count=tokens)
    check(text, chunk_code(text, language=language, budget=budget), budget)
