"""Code: definitions, their names and signatures, and where large ones are split.

A token here is a word or a punctuation mark.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from textwrap import dedent
from typing import Any

import pytest

from brainkit.ingest.chunk_code import chunk_code
from brainkit.ingest.pieces import Budget, Piece


def tokens(texts: Sequence[str]) -> list[int]:
    return [len(re.findall(r"\w+|[^\w\s]", text)) for text in texts]


def cut(source: str, *, max_tokens: int = 1000) -> list[Piece]:
    budget = Budget(max_tokens=max_tokens, overlap_tokens=max_tokens // 4, count=tokens)
    return chunk_code(dedent(source).strip("\n"), budget=budget)


def outline(pieces: list[Piece]) -> list[tuple[int, int, str, str | None]]:
    return [
        (p.start_line, p.end_line, p.metadata["symbol_kind"], p.metadata.get("symbol_name"))
        for p in pieces
    ]


def only(source: str) -> dict[str, Any]:
    (piece,) = cut(source)
    return piece.metadata


SHOP = '''
    """Things for sale.

    And more about them.
    """

    import os.path as path, re
    from ..data import price

    LIMIT = 3

    # Sells things,
    # one by one.
    @traced
    def sell(item: str,  # what
             count: int = 1) -> bool:
        """Sell it.

        Returns whether it was there.
        """
        import json
        return True
    # Not about closing.

    class Shop(Base, kind="small"):
        """A shop."""
        open = True

        # Shuts it.
        def close(self): self.open = False  # for good

        @property
        async def stock(self):
            return 1

        class Till:
            pass

    if __name__ == "__main__":
        sell("tea")
'''


def test_definitions_are_pieces_and_the_rest_is_grouped() -> None:
    pieces = cut(SHOP)
    assert outline(pieces) == [
        (1, 9, "module", None),
        (11, 21, "function", "sell"),
        (22, 22, "module", None),
        (24, 36, "class", "Shop"),
        (38, 39, "module", None),
    ]
    assert [piece.context for piece in pieces] == [""] * 5


def test_metadata_is_filled() -> None:
    first, sell, *_ = cut(SHOP)
    assert first.metadata == {
        "symbol_kind": "module",
        "docstring": "Things for sale.",
        "imports": ["os.path", "re", "..data"],
    }
    assert sell.metadata == {
        "symbol_name": "sell",
        "symbol_kind": "function",
        "signature": "def sell(item: str, count: int = 1) -> bool",
        "docstring": "Sell it.",
        "imports": ["json"],
    }


def test_a_large_class_is_split_into_its_header_and_its_methods() -> None:
    pieces = [
        piece
        for piece in cut(SHOP, max_tokens=48)
        if piece.metadata.get("symbol_name", "").startswith("Shop")
    ]
    assert outline(pieces) == [
        (24, 26, "class", "Shop"),
        (28, 29, "method", "Shop.close"),
        (31, 33, "method", "Shop.stock"),
        (35, 36, "class", "Shop.Till"),
    ]
    inside = 'class Shop(Base, kind="small"):'
    assert [piece.context for piece in pieces] == ["", inside, inside, inside]
    assert pieces[2].metadata["signature"] == "async def stock(self)"
    assert all("part" not in piece.metadata for piece in pieces)


def test_attributes_between_methods_belong_to_the_class() -> None:
    pieces = cut(
        """
        class A:
            def f(self):
                return 1, 2, 3

            g = f
            h = f

            def i(self):
                return 4, 5, 6
        """,
        max_tokens=30,
    )
    assert outline(pieces) == [
        (1, 1, "class", "A"),
        (2, 3, "method", "A.f"),
        (5, 6, "class", "A"),
        (8, 9, "method", "A.i"),
    ]
    assert [piece.metadata.get("part") for piece in pieces] == [[1, 2], None, [2, 2], None]
    assert [piece.context for piece in pieces] == ["", "class A:", "class A:", "class A:"]


def test_a_large_function_is_split_at_its_statements() -> None:
    pieces = cut(
        """
        def work(a):
            one = f(a)
            two = f(one)
            if two:
                three = f(two)
                four = f(three)
            else:
                # why
                five = f(two)
            return two
        """,
        max_tokens=33,
    )
    # The head has 6 tokens and a statement 6: 6 + 6 + 6 = 18 <= 33. The context takes 6 and leaves
    # 27; the if has 3 + 6 + 6 + 2 + 2 + 6 = 25 and the return 2.
    assert [(p.start_line, p.end_line, p.context, p.metadata["part"]) for p in pieces] == [
        (1, 3, "", [1, 2]),
        (4, 10, "def work(a)", [2, 2]),
    ]


def test_a_large_statement_is_split_inside_and_its_clauses_keep_their_heads() -> None:
    source = """
        def work(a):
            if a:
                one = f(a)
                two = f(one)
            elif b:
                three = f(two)
                four = f(three)
            else:
                five = f(two)
                six = f(five)
        """
    # The context takes 24 / 4 = 6 and leaves 18. 6 + 3 + 6 + 6 = 21 <= 24; 3 + 6 + 6; 2 + 6 + 6.
    assert [(p.start_line, p.end_line) for p in cut(source, max_tokens=24)] == [
        (1, 4),
        (5, 7),
        (8, 10),
    ]


@pytest.mark.parametrize(
    "statement",
    [
        ["try:", "    {}", "    {}", "except E as e:", "    {}", "    {}", "finally:", "    {}"],
        ["with open(a) as b:", "    {}", "    {}", "    {}", "    {}", "    {}"],
        ["for i in a:", "    while b:", "        {}", "        {}", "        {}", "        {}"],
        ["match a:", "    case 1:", "        {}", "        {}", "    case _:", "        {}"],
        ["async with a:", "    async for b in c:", "        {}", "        {}", "        {}"],
    ],
)
def test_every_compound_statement_is_split_inside(statement: list[str]) -> None:
    lines = [line.format("call(1, 2)") for line in statement]
    pieces = cut("\n".join(["def f(a):", *(f"    {line}" for line in lines)]), max_tokens=24)
    assert len(pieces) > 1
    for piece in pieces:
        # Every piece begins with a statement or a clause, never in the middle of one.
        assert re.match(
            r"\s*(def|call|with|for|try|except|finally|case|match|async|while)", piece.text
        )
        assert not piece.text.endswith(":")


def test_a_giant_statement_is_split_at_lines() -> None:
    rows = "\n".join(f"    {i}," for i in range(20))
    pieces = cut(f"TABLE = [\n{rows}\n]", max_tokens=16)
    # The opening line has 3 tokens, a row 2, the closing line 1: 3 + 6 * 2, 8 * 2, 6 * 2 + 1
    assert outline(pieces) == [
        (1, 7, "module", None),
        (8, 15, "module", None),
        (16, 22, "module", None),
    ]


def test_definitions_inside_a_split_function_are_pieces_of_their_own() -> None:
    pieces = cut(
        """
        def outer(a):
            x = f(a, 1)

            # Wraps.
            @wraps(a)
            def inner(b):
                return b + x

            class Local:
                y = f(a, 2)

            return inner, Local
        """,
        max_tokens=32,
    )
    assert outline(pieces) == [
        (1, 2, "function", "outer"),
        (4, 7, "function", "outer.inner"),
        (9, 10, "class", "outer.Local"),
        (12, 12, "function", "outer"),
    ]
    assert [piece.context for piece in pieces] == ["", *["def outer(a)"] * 3]


@pytest.mark.parametrize(
    ("max_tokens", "contexts"),
    [
        (56, {"", "class Shelf:", "class Shelf:\ndef find(self, key)"}),  # 3 + 8 <= 56 / 4
        (40, {"", "class Shelf:", "def find(self, key)"}),  # 3 + 8 > 40 / 4
        (24, {"", "class Shelf:", "def find(self,"}),  # and 1 + 4 + 2 > 24 / 4
    ],
)
def test_contexts_nest_and_the_innermost_survives(max_tokens: int, contexts: set[str]) -> None:
    statements = [f"        step = look(self, {i})" for i in range(10)]
    source = ["class Shelf:", "    def find(self, key):", *statements]
    pieces = cut("\n".join(source), max_tokens=max_tokens)
    assert {piece.context for piece in pieces} == contexts


def test_definitions_inside_conditions_are_found() -> None:
    source = "try:\n    from fast import f\nexcept E:\n    def f(): ...\nelse:\n    class A: ..."
    assert outline(cut(source)) == [
        (1, 3, "module", None),
        (4, 4, "function", "f"),
        (5, 5, "module", None),
        (6, 6, "class", "A"),
    ]


def test_overloads_and_setters_keep_their_common_name() -> None:
    pieces = cut(
        """
        class A:
            @property
            def x(self): return self._x
            @x.setter
            def x(self, x): self._x = x

        @overload
        def f(a: int) -> int: ...
        @overload
        def f(a: str) -> str: ...
        """,
        max_tokens=20,
    )
    assert [p.metadata["symbol_name"] for p in pieces] == ["A", "A.x", "A.x", "f", "f"]
    assert all("part" not in piece.metadata for piece in pieces)


@pytest.mark.parametrize(
    ("head", "signature"),
    [
        ("def f():", "def f()"),
        ("async  def  f( a , *, b = {1: 2} ) :", "async def f(a , *, b = {1: 2})"),
        ("def f(\n    a,  # one: two\n    b,\n):  # noqa", "def f(a, b)"),
        ("def f(a=lambda: 0) -> dict[str, int]:", "def f(a=lambda: 0) -> dict[str, int]"),
        ("def f[T: int](a: T) -> T:", "def f[T: int](a: T) -> T"),
        ("@d(\n  1)\nclass f(A, metaclass=M):", "class f(A, metaclass=M)"),
        ("class f:", "class f"),
        ('def f(a="#: é"):', 'def f(a="#: é")'),
    ],
)
def test_signatures_are_one_line_without_comments_or_decorators(head: str, signature: str) -> None:
    metadata = only(f"{head}\n    pass")
    assert metadata["signature"] == signature
    assert metadata["symbol_name"] == "f"


@pytest.mark.parametrize(
    ("body", "docstring"),
    [
        ('"""One."""', "One."),
        ("'single'", "single"),
        ('r"""A\\d."""', "A\\d."),
        ('"""\n    First,\n      indented.\n\n    Second.\n    """', "First,\n  indented."),
        ("# a comment\n    '''After it.'''", "After it."),
        (f'"""{"x" * 400}"""', "x" * 300),
        ('""""""', None),
        ('f"""Not one."""', None),
        ('b"""Not one."""', None),
        ('x = """Not one."""', None),
        ('pass\n    """Too late."""', None),
        ('"""a""", 1', None),
    ],
)
def test_docstrings_are_their_first_paragraph(body: str, docstring: str | None) -> None:
    assert only(f"def f():\n    {body}\n").get("docstring") == docstring


@pytest.mark.parametrize(
    ("statement", "modules"),
    [
        ("import os", ["os"]),
        ("import z.b, c as d; import a", ["z.b", "c", "a"]),
        ("from a.b import c, d as e", ["a.b"]),
        ("from . import c\nfrom .. import c\nfrom ..a . b import c", [".", "..", "..a.b"]),
        ("from a import *\nimport a", ["a"]),
        ("from __future__ import annotations", ["__future__"]),
        ("from a import (\n    b,\n    c,\n)", ["a"]),
        ("text = 'import os'\n# import os\nimportant = 1", None),
    ],
)
def test_imports_are_the_modules_imported(statement: str, modules: list[str] | None) -> None:
    assert only(statement).get("imports") == modules


def test_imports_belong_to_the_piece_they_stand_in() -> None:
    pieces = cut("import a\ndef f():\n    import b\nimport c")
    assert [piece.metadata.get("imports") for piece in pieces] == [["a"], ["b"], ["c"]]


@pytest.mark.parametrize(
    "broken", ["def f(:\n    pass\n\nx = 1", "class A\n\n\n\ty", "x = (\n" * 5, "\x00\n\ud800"]
)
def test_a_file_that_does_not_parse_is_cut_by_lines(broken: str) -> None:
    pieces = cut(broken, max_tokens=4)
    assert {piece.metadata["parse"] for piece in pieces} == {"failed"}
    lines = broken.split("\n")
    assert [line for piece in pieces for line in piece.text.split("\n") if line.strip()] == [
        line for line in lines if line.strip()
    ]


@pytest.mark.parametrize(
    "deep",
    [
        "x = " + "(" * 2000 + ")" * 2000,
        "x = " + "[\n" * 2000 + "]\n" * 2000,
        "x = " + "-" * 5000 + "1",
        "\n".join(" " * i + "if x:" for i in range(2000)) + "\n" + " " * 2000 + "pass",
        "\n".join(" " * i + "def f():" for i in range(300)) + "\n" + " " * 300 + "pass",
        "\n".join(" " * i + "class A:" for i in range(300)) + "\n" + " " * 300 + "pass",
    ],
    ids=["parentheses", "lists", "signs", "ifs", "functions", "classes"],
)
def test_deep_nesting_is_cut_without_recursion(deep: str) -> None:
    budget = Budget(max_tokens=64, overlap_tokens=0, count=tokens)
    pieces = chunk_code(deep, budget=budget)
    assert max(budget.count([f"{p.context}\n{p.text}" for p in pieces])) <= 64
    covered = {line for p in pieces for line in range(p.start_line, p.end_line + 1)}
    assert covered == {i for i, line in enumerate(deep.split("\n"), start=1) if line.strip()}


def test_a_string_over_many_lines_is_not_mistaken_for_code() -> None:
    source = 'TEXT = """\n\ndef f():\n    pass\n\n\n# end\n"""\n\ny = 1'
    assert outline(cut(source)) == [(1, 10, "module", None)]
