"""What each language defines: a file of ours per language, its symbols checked by hand.

``symbols/NAME.tsv`` lists every definition of ``symbols/NAME`` in order, local ones too: first and
last line with comments and attributes, qualified name, kind, whether it is bare, signature and the
documentation with its line ends as blanks.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from brainkit.ingest.chunk_code import chunk_code
from brainkit.ingest.languages import PARSED, language_of
from brainkit.ingest.pieces import Budget
from brainkit.parse.docs import DOCSTRING_CHARS_MAX, comment_paragraph
from brainkit.parse.model import Definition
from brainkit.parse.signature import SIGNATURE_CHARS_MAX
from brainkit.parse.table import PARSERS

FOLDER = Path(__file__).parent / "symbols"
# The Python file ends in .txt so that no tool takes it for a module of ours.
FILES = sorted(FOLDER / path.stem for path in FOLDER.glob("*.tsv"))


def language(file: Path) -> str:
    found = language_of(file.name.removesuffix(".txt"), file.read_text("utf-8"))
    assert found is not None
    return found


def definitions(owner: Definition) -> Iterator[Definition]:
    """Everything defined inside, in order, however deep."""
    stack = [owner.inner()]
    while stack:
        entry = next(stack[-1], None)
        if entry is None:
            stack.pop()
            continue
        if isinstance(entry, Definition):
            yield entry
        stack.append(entry.inner())


def parsed(source: str, language: str) -> Definition:
    found = PARSERS[language](source)
    assert found is not None
    assert found.broken == []
    return found.module


def test_every_language_has_a_file() -> None:
    assert {language(file) for file in FILES} == PARSED


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_symbols_are_those_found_by_hand(file: Path) -> None:
    found = PARSERS[language(file)](file.read_text("utf-8"))
    assert found is not None
    assert found.broken == []
    docstring, imports, _, *rows = (FOLDER / f"{file.name}.tsv").read_text("utf-8").splitlines()
    assert docstring == f"# docstring\t{found.module.docstring}"
    modules = [module for _, modules in found.imports for module in modules]
    assert imports == f"# imports\t{' '.join(modules)}"
    assert [
        (
            f"{d.first + 1}\t{d.stop}\t{d.name}\t{d.kind}\t{'bare' * d.bare}\t{d.signature}"
            f"\t{' '.join(d.docstring.split())}"
        )
        for d in definitions(found.module)
    ] == rows


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_definitions_lie_inside_their_owners_and_behind_each_other(file: Path) -> None:
    module = parsed(file.read_text("utf-8"), language(file))
    owners = [module]
    while owners:
        owner = owners.pop()
        done = owner.first
        for entry in owner.inner():
            assert done <= entry.first < entry.stop <= owner.stop
            done = entry.stop - 1
            if isinstance(entry, Definition):
                assert entry.first <= entry.head[0] < entry.head[1] <= entry.stop
                owners.append(entry)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_pieces_carry_the_symbols(file: Path) -> None:
    text = file.read_text("utf-8")
    wide = Budget(max_tokens=10_000, overlap_tokens=0, count=lambda texts: [1 for _ in texts])
    pieces = chunk_code(text, language=language(file), budget=wide)
    by_name: dict[str, list[tuple[int, int]]] = {}
    for piece in pieces:
        name = piece.metadata.get("symbol_name", "")
        by_name.setdefault(name, []).append((piece.start_line, piece.end_line))
    for entry in parsed(text, language(file)).inner():
        if isinstance(entry, Definition) and not entry.bare and entry.kind != "namespace":
            # It may begin with what it stands in, and end with that.
            assert any(a <= entry.first + 1 and entry.stop <= b for a, b in by_name[entry.name])


@pytest.mark.parametrize(
    ("language", "source", "names"),
    [
        ("javascript", "a.prototype.b = function () {};", ["a.b"]),
        ("javascript", "a.prototype[b] = function () {};", ["a.[b]"]),
        ("javascript", "exports.a = () => 1;", ["a"]),
        ("javascript", "getter(req, 'a', function a() {});", ["a"]),
        ("javascript", "list.map(x => x); f(function () {});", []),
        ("javascript", "export default () => 1;", ["default"]),
        ("javascript", "export default { a() {} };", ["default", "default.a"]),
        ("javascript", "const a = () => 1, b = () => 2;", []),
        ("typescript", "abstract class A { private a = 1; abstract b(): void }", ["A", "A.b"]),
        ("java", "class A<T extends B<T>> { A() {} int[] b() { return null; } }", None),
        ("go", "package p\n\nfunc (s *List[K, V]) Get() {}", ["List.Get"]),
        ("go", "package p\n\nfunc (List[K]) Get() {}", ["List.Get"]),
        ("rust", "impl<'a> fmt::Display for &'a crate::Door<'a> {}", ["Door"]),
        ("rust", "impl Trait for [u8] {}", ["[u8]"]),
        ("cpp", "void a::B<c<d>>::e() {}", ["a.B.e"]),
        ("cpp", "bool a::B::operator==(B b) { return 1; }", ["a.B.operator=="]),
        ("cpp", "int B::operator()(int a) { return a; }", ["B.operator()"]),
        ("cpp", "a::B::operator bool() const { return 1; }", ["a.B.operator bool"]),
        ("cpp", "struct { int a; } b;", ["b"]),
        ("cpp", "namespace a { namespace b { int c() {} } }", ["a", "a.b", "a.b.c"]),
        ("c", "int (*a(int b))(void) { return 0; }", ["a"]),
        ("c", "struct a b(void);\nstruct a;\nint (*c)(int);\nextern int d;", ["b"]),
        ("csharp", "namespace A.B;\nclass C { void D() {} }", ["A.B.C", "A.B.C.D"]),
        ("kotlin", "fun List<Int>?.a() {}\nfun <T> T.b() {}", ["List.a", "T.b"]),
        ("kotlin", "class A { companion object B { } }", ["A", "A.B"]),
        ("swift", "extension A.B where C: D { init() {} }", ["A.B", "A.B.init"]),
        (
            "pascal",
            "type A = type helper for B\nfunction C: D; end; E = type B;",
            ["A", "A.C", "E"],
        ),
        ("pascal", "function A.B<C>.D: E; begin end;", ["A.B.D"]),
        ("pascal", "class operator A.Implicit(B: C): A; begin end;", ["operator A.Implicit"]),
    ],
)
def test_names_are_qualified_with_dots(language: str, source: str, names: list[str] | None) -> None:
    found = [d.name for d in definitions(parsed(source, language))]
    assert found == (names if names is not None else ["A", "A.A", "A.b"])


@pytest.mark.parametrize(
    ("comments", "paragraph"),
    [
        (["/** Lends. */"], "Lends."),
        (["/**\n * Lends\n * books.\n *\n * More.\n */"], "Lends\nbooks."),
        (["/**\n   Lends.\n\n   More.\n*/"], "Lends."),
        (["/*\n * ---------\n * Lends.\n * ---------\n */"], "Lends."),
        (["/**\n * @brief Lends.\n * @param a which\n */"], "Lends."),
        (["/// \\brief Lends.", "/// \\return it"], "Lends."),
        (["/**\n * @param a which\n */"], ""),
        (["/// <summary>", '/// Lends <paramref name="a"/>.', "/// </summary>"], "Lends a."),
        (
            ["/** Lends {@link Book#a() books} and {@code b}.<p>More. */"],
            "Lends books and b.",
        ),
        (["// Lends", "//   books", "//", "// and more."], "Lends\n  books"),
        (["// one", "/// Lends."], "Lends."),
        (["//go:noinline", "// Lends."], "Lends."),
        (["// eslint-disable-next-line no-var", "// Lends."], "Lends."),
        (["//! Lends.", "//!", "//! More."], "Lends."),
        (["{ Lends\n  books. }"], "Lends\nbooks."),
        (["(* Lends. *)"], "Lends."),
        (["/**\n * a list:\n *   - one\n */"], "a list:\n  - one"),
        (["/****/"], ""),
        (["//////////////////"], ""),
        ([f"/// {'x' * 400}"], "x" * DOCSTRING_CHARS_MAX),
    ],
)
def test_a_docstring_is_the_first_paragraph_without_marks(
    comments: list[str], paragraph: str
) -> None:
    assert comment_paragraph(comments) == paragraph


def test_only_comments_of_documentation_document_where_a_language_has_them() -> None:
    source = "// internal\nclass A {\n/* b */\nvoid b() {}\n/** c */\nvoid c() {}\n}"
    docstrings = [d.docstring for d in definitions(parsed(source, "java"))]
    assert docstrings == ["", "", "c"]
    assert [d.docstring for d in definitions(parsed("// a\nfunc a() {}", "go"))] == ["a"]


def test_a_long_signature_is_cut_between_words() -> None:
    parameters = ", ".join(f"int parameter_{i}" for i in range(40))
    (definition,) = definitions(parsed(f"void f({parameters}) {{}}", "c"))
    assert len(definition.signature) <= SIGNATURE_CHARS_MAX
    assert f"void f({parameters})".startswith(definition.signature + " ")


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("javascript", "'use strict';\n\n/**\n * Lends a book.\n */\n\nfunction lend() {}\n", 3),
        ("typescript", "import 'a';\n\n/** Lends a book. */\n\nexport function lend() {}\n", 3),
        (
            "java",
            "class A {\n\n  /** Lends a book. */\n\n  void lend() { a(); }\n\n"
            "  void take() { b(); }\n}\n",
            3,
        ),
    ],
)
def test_a_doc_comment_reaches_over_one_blank_line(language: str, text: str, expected: int) -> None:
    budget = Budget(16, 0, lambda texts: [len(one.split()) for one in texts])
    found = [p for p in chunk_code(text, language=language, budget=budget) if p.metadata]
    lend = next(p for p in found if str(p.metadata.get("symbol_name", "")).endswith("lend"))
    assert lend.metadata["docstring"] == "Lends a book."
    assert lend.start_line == expected


def test_a_licence_above_a_blank_line_documents_no_symbol() -> None:
    text = "'use strict';\n\n/** Copyright the authors, MIT licence. */\n\nfunction lend() {}\n"
    budget = Budget(16, 0, lambda texts: [len(one.split()) for one in texts])
    pieces = chunk_code(text, language="javascript", budget=budget)
    assert [p.metadata.get("docstring", "") for p in pieces if "symbol_name" in p.metadata] == [""]


def test_a_pragma_parts_no_class_from_its_documentation_and_is_in_no_signature() -> None:
    text = (
        "namespace N {\n/// <summary>Lends.</summary>\n#pragma warning disable X\n"
        "public class A : B\n#pragma warning restore X\n{ int F() { return 1; } }\n}\n"
    )
    budget = Budget(60, 0, lambda texts: [len(one) // 4 + 1 for one in texts])
    pieces = chunk_code(text, language="csharp", budget=budget)
    found = next(p for p in pieces if p.metadata.get("symbol_name") == "N.A")
    assert found.metadata["docstring"] == "Lends."
    assert found.metadata["signature"] == "public class A : B"
