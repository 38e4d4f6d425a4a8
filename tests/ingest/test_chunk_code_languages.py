"""Cutting in languages with braces and ends: what goes with what, and files that do not parse.

A token here is a word or a punctuation mark.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from textwrap import dedent

import pytest

from brainkit.ingest.chunk_code import chunk_code
from brainkit.ingest.languages import PARSED
from brainkit.ingest.pieces import Budget, Piece
from brainkit.parse import bounded


def tokens(texts: Sequence[str]) -> list[int]:
    return [len(re.findall(r"\w+|[^\w\s]", text)) for text in texts]


def cut(source: str, language: str, *, max_tokens: int = 1000) -> list[Piece]:
    budget = Budget(max_tokens=max_tokens, overlap_tokens=0, count=tokens)
    return chunk_code(dedent(source).strip("\n"), language=language, budget=budget)


def outline(pieces: list[Piece]) -> list[tuple[int, int, str, str | None]]:
    return [
        (p.start_line, p.end_line, p.metadata["symbol_kind"], p.metadata.get("symbol_name"))
        for p in pieces
    ]


def contexts(pieces: list[Piece]) -> list[str]:
    return [piece.context for piece in pieces]


def test_a_large_class_is_split_and_its_end_goes_with_its_last_method() -> None:
    source = """
        /** Sells. */
        class Shop {
            int open = 1;

            /** Closes it. */
            @Override
            void close() {
                open = 0;
            }

            int stock() { return open; }
        }
        """
    assert outline(cut(source, "java")) == [(1, 12, "class", "Shop")]
    # 14 tokens up to line 3, 19 of close and 11 of stock: more than 30 altogether.
    pieces = cut(source, "java", max_tokens=30)
    assert outline(pieces) == [
        (1, 3, "class", "Shop"),
        (5, 9, "method", "Shop.close"),
        (11, 12, "method", "Shop.stock"),
    ]
    assert contexts(pieces) == ["", "class Shop", "class Shop"]
    assert pieces[1].metadata["signature"] == "void close()"
    assert pieces[1].metadata["docstring"] == "Closes it."


def test_a_namespace_is_cut_into_what_it_holds_and_gives_it_its_lines() -> None:
    pieces = cut(
        """
        namespace a {
        namespace {

        int f() { return 1; }

        }  // namespace

        const int x = 1;

        int g() { return 2; }

        }  // namespace a
        """,
        "cpp",
    )
    assert outline(pieces) == [
        (1, 6, "function", "a.f"),
        (8, 8, "namespace", "a"),
        (10, 12, "function", "a.g"),
    ]
    assert contexts(pieces) == ["", "namespace a", "namespace a"]


def test_undocumented_prototypes_are_grouped_and_documented_ones_stand_alone() -> None:
    pieces = cut(
        """
        #include <stdio.h>

        int a(void);
        int b(void);
        #define TWICE(x) ((x) * 2)

        /** Opens it. */
        int c(void);

        int d(void);
        """,
        "c",
    )
    assert outline(pieces) == [
        (1, 5, "module", None),
        (7, 8, "function", "c"),
        (10, 10, "module", None),
    ]


@pytest.mark.parametrize(
    ("language", "source", "cuts"),
    [
        (
            "javascript",
            """
            function work(a) {
              if (a) {
                one(a, 1);
                two(a, 1);
              } else {
                three(a, 1);
                four(a, 1);
              }
            }
            """,
            # 6 + 5 + 7 + 7 > 24; the context takes 5 and leaves 19: 7 + 3 + 7 + 7 > 19; 7 + 1 + 1.
            [(1, 3), (4, 6), (7, 9)],
        ),
        (
            "c",
            """
            void work(int a) {
                switch (a) {
                case 1:
                    one(a, 1);
                    break;
                default:
                    two(a, 1);
                    three(a, 1);
                }
            }
            """,
            # 7 + 5 + 3 + 7 + 2 = 24; the context takes 6 and leaves 18: 2 + 7 + 7 + 1 + 1 = 18.
            [(1, 5), (6, 10)],
        ),
        (
            "pascal",
            """
            procedure Work(A: Integer);
            begin
              One(A, 1);
              if A > 1 then begin
                Two(A, 1);
                Three(A, 1);
              end else
                Four(A, 1);
            end;
            """,
            # 8 + 1 + 7 and 6 + 7 + 7 + 2 + 7 = 29 > 24, so the if is split: 6 + 7; 7 + 2 + 7 + 2.
            [(1, 3), (4, 5), (6, 9)],
        ),
    ],
)
def test_a_large_function_is_split_at_its_statements(
    language: str, source: str, cuts: list[tuple[int, int]]
) -> None:
    pieces = cut(source, language, max_tokens=24)
    assert [(p.start_line, p.end_line) for p in pieces] == cuts
    assert [p.metadata["part"] for p in pieces] == [[i, len(cuts)] for i in range(1, len(cuts) + 1)]


def test_tests_in_callbacks_are_split_at_their_statements() -> None:
    pieces = cut(
        """
        describe('shelf', () => {
          it('lends', () => {
            expect(lend(1)).toBe(2);
          });

          it('returns', () => {
            expect(back(1)).toBe(2);
          });
        });
        """,
        "javascript",
        max_tokens=40,
    )
    # 11 + 11 + 13 + 3 = 38 <= 40.
    assert [(p.start_line, p.end_line) for p in pieces] == [(1, 4), (6, 9)]


def test_methods_of_an_object_and_a_prototype_are_found() -> None:
    pieces = cut(
        """
        module.exports = {
          name: 'shelf',
          lend(id) { return id + 1; },
          back: (id) => { return id - 1; },
        };
        Shelf.prototype.sort = function () {};
        """,
        "javascript",
        max_tokens=22,
    )
    assert outline(pieces) == [
        (1, 2, "object", "module.exports"),
        (3, 3, "method", "module.exports.lend"),
        (4, 5, "method", "module.exports.back"),
        (6, 6, "method", "Shelf.sort"),
    ]


def test_definitions_on_one_line_stay_together() -> None:
    pieces = cut("class A { void f() {} } class B { void g() {} }\nclass C {}", "java")
    assert outline(pieces) == [(1, 1, "class", "A"), (2, 2, "class", "C")]
    pieces = cut("void f() {\n} void g() {\n}\nvoid h() {}", "c")
    assert outline(pieces) == [(1, 3, "function", "f"), (4, 4, "function", "h")]


def test_both_branches_of_a_condition_are_searched() -> None:
    pieces = cut(
        """
        #ifndef A_H
        #ifdef DEBUG
        void f(void) { debug(); }
        #else
        void f(void) {}
        #endif
        #endif
        """,
        "c",
    )
    assert outline(pieces) == [
        (1, 2, "module", None),
        (3, 3, "function", "f"),
        (4, 4, "module", None),
        (5, 7, "function", "f"),
    ]


def test_macros_that_are_no_words_of_the_language_are_looked_through() -> None:
    pieces = cut(
        """
        SHELF_BEGIN_NAMESPACE

        class SHELF_API Shelf : public Base {
          int size() const GUARDED_BY(lock_) { return 1; }
        };

        SHELF_API SHELF_INLINE std::string name() { return ""; }
        """,
        "cpp",
    )
    assert outline(pieces) == [
        (1, 5, "class", "Shelf"),
        (7, 7, "function", "name"),
    ]
    assert pieces[0].metadata["signature"] == "class SHELF_API Shelf : public Base"
    assert pieces[1].metadata["signature"] == "std::string name()"


def test_branches_that_open_the_same_block_twice_do_not_spoil_the_file() -> None:
    pieces = cut(
        """
        #ifdef WIDE
        int f(long a) {
        #else
        int f(int a) {
        #endif
          return a;
        }

        int g(void) { return 1; }
        """,
        "c",
    )
    assert outline(pieces) == [
        (1, 7, "function", "f"),
        (9, 9, "function", "g"),
    ]


def test_branches_of_pascal_are_searched_or_the_first_is_taken() -> None:
    both = """
        {$IFDEF A}
        procedure B; begin end;
        {$ELSE}
        procedure C; begin end;
        {$ENDIF}
        """
    assert [p.metadata["symbol_name"] for p in cut(both, "pascal")] == ["B", "C"]
    twice = """
        procedure A;
        {$IFDEF B}
        begin
        {$ELSE}
        begin
        {$ENDIF}
        end;

        procedure C; begin end;
        """
    assert outline(cut(twice, "pascal")) == [(1, 7, "function", "A"), (9, 9, "function", "C")]


def test_an_error_marks_its_piece_and_leaves_the_others_alone() -> None:
    pieces = cut(
        """
        fn a() -> u8 {
            1
        }

        fn b() {
            let let = ;
        }

        fn c() {}
        """,
        "rust",
    )
    assert outline(pieces) == [
        (1, 3, "function", "a"),
        (5, 7, "function", "b"),
        (9, 9, "function", "c"),
    ]
    assert [piece.metadata.get("parse") for piece in pieces] == [None, "partial", None]


def test_definitions_behind_an_error_are_still_found() -> None:
    pieces = cut(
        """
        class Open {
            void a() { return; }
            void b() { return; }
        """,
        "java",
    )
    names = {piece.metadata.get("symbol_name") for piece in pieces}
    assert {"partial"} <= {piece.metadata.get("parse") for piece in pieces}
    assert names >= {"a", "b"} or names >= {"Open"}


def test_a_parser_that_takes_ages_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    source = "\n".join(f"int f{i}(int a) {{ return a + {i}; }}" for i in range(400))
    assert {piece.metadata.get("parse") for piece in cut(source, "c")} == {None}
    monkeypatch.setattr(bounded, "STEPS_MAX", 1)
    pieces = cut(source, "c")
    assert {piece.metadata.get("parse") for piece in pieces} == {"failed"}
    assert "\n".join(piece.text for piece in pieces) == source


# Pascal is not parsed closely enough to tell.
@pytest.mark.parametrize("language", sorted(PARSED - {"pascal"}))
def test_a_file_of_another_language_is_cut_by_lines(language: str) -> None:
    broken = "begin ) of ( [ } <<< ) } \\\n\n) ] so == ) ] }} (\n%% ) end } @@ ) ] )) end ]"
    pieces = cut(broken, language, max_tokens=8)
    assert {piece.metadata.get("parse") for piece in pieces} == {"failed"}
    covered = [line for piece in pieces for line in piece.text.split("\n")]
    assert " ".join(covered).split() == broken.split()


@pytest.mark.parametrize(
    ("language", "source"),
    [
        ("pascal", "procedure A; begin if B then begin end; C"),
        ("pascal", "type A = record B: (C; end;"),
        ("pascal", "type " + "A = record " * 100),
        ("pascal", "begin case A of 1: end; end end;" + " end" * 3),
    ],
)
def test_ends_without_a_beginning_are_no_definitions(language: str, source: str) -> None:
    assert "".join(piece.text for piece in cut(source, language)) == source


@pytest.mark.parametrize(
    ("language", "source", "imports"),
    [
        ("javascript", "import a, { b } from 'c';\nexport * from './d';", ["c", "./d"]),
        ("javascript", "const a = require('b'), c = await import('d');\nrequire(e);", ["b", "d"]),
        ("typescript", "import type { A } from 'a';\nimport b = require('b');", ["a", "b"]),
        ("java", "import a.b.C;\nimport static d.E.f;\nimport g.*;", ["a.b.C", "d.E.f", "g"]),
        ("go", 'package a\n\nimport (\n\t"b/c"\n\td "e"\n)', ["b/c", "e"]),
        ("rust", "use a::{b, c::d};\nuse e as f;\nextern crate g;", ["a", "e", "g"]),
        ("rust", "use a::b;\nuse c::*;\nuse {d, e};", ["a::b", "c", "d", "e"]),
        ("c", '#include <a/b.h>\n#include "c.h"', ["a/b.h", "c.h"]),
        ("cpp", "#include <vector>", ["vector"]),
        ("csharp", "using A.B;\nusing static C.D;\nusing E = F.G;", ["A.B", "C.D", "F.G"]),
        ("kotlin", "import a.b.C\nimport d.*\nimport e.f as g", ["a.b.C", "d", "e.f"]),
        ("swift", "import A\nimport struct B.C\n@testable import D", ["A", "B.C", "D"]),
        ("pascal", "uses A, B.C, D in 'd.pas';", ["A", "B.C", "D"]),
    ],
)
def test_imports_are_the_modules_named(language: str, source: str, imports: list[str]) -> None:
    (piece,) = cut(source, language)
    assert piece.metadata["imports"] == imports
