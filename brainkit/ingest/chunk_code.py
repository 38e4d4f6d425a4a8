"""Code by definition: a function or class is a piece while it fits, and knows its name.

The syntax tree only says at which lines to cut, so pieces are whole lines like everywhere else.
"""

from __future__ import annotations

import inspect
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, NamedTuple

import tree_sitter_python
from tree_sitter import Language, Node, Parser, Query, QueryCursor

from brainkit.ingest.chunk_text import PLAIN, SOFT, UNIT, chunk_text, pack
from brainkit.ingest.pieces import Budget, Header, Lines, Piece

DOCSTRING_CHARS_MAX = 300

_BLANK_LINES = re.compile(r"\n\s*\n")
_INNER_SPACE = re.compile(r"(?<=[(\[{]) | (?=[)\]}])")


@dataclass(frozen=True, slots=True)
class Grammar:
    """What the node types of one language mean here.

    kinds : definitions, as ``function`` or ``class``.
    wrappers : nodes around a definition (decorators), with the field that holds it.
    compounds, blocks : statements and clauses that hold blocks; blocks that hold statements.
    opener : the token between a signature and its body.
    imports : a query whose captures are import statements.
    modules : the modules that an import statement names.
    docstring : the documentation in a body, without its quotes.
    """

    language: Callable[[], object]
    kinds: Mapping[str, str]
    wrappers: Mapping[str, str]
    compounds: frozenset[str]
    blocks: frozenset[str]
    comments: frozenset[str]
    opener: str
    imports: str
    modules: Callable[[Node], list[str]]
    docstring: Callable[[Node], str]


class _Symbol(NamedTuple):
    """Who owns a run of lines: a definition or the module, and the headers above it."""

    kind: str
    name: str
    metadata: dict[str, Any]
    headers: tuple[Header, ...]


class _File(NamedTuple):
    lines: Lines
    breaks: bytearray
    grammar: Grammar


class _Task(NamedTuple):
    """Lines first to last-1 of a symbol; with a node, a definition that may have to be split."""

    symbol: _Symbol
    first: int
    last: int
    node: Node | None


def chunk_code(text: str, *, language: str = "python", budget: Budget) -> list[Piece]:
    """Cut code into definitions, each with the comments and decorators right above it.

    A class over the budget becomes its header (up to the first method) and its methods; a function
    over the budget is split at its statements, and at the statements inside those that are too
    large themselves. Definitions are never merged; other statements are grouped up to the budget.
    A file that does not parse is cut by lines and says so: ``{"parse": "failed"}``.

    language : a key of GRAMMARS.
    Metadata: ``symbol_kind`` (function, method, class or module), and where they exist
    ``symbol_name`` (qualified), ``signature``, ``docstring`` (first paragraph), ``imports`` (the
    modules imported here) and ``part`` ([i, n], i from 1, if n pieces share the symbol). The
    context is the signatures that stand above the piece and enclose it.
    """
    grammar = GRAMMARS[language]
    # A lone surrogate has no UTF-8 form; only rows are taken from the tree, so "?" will do.
    tree = Parser(_language(language)).parse(text.encode("utf-8", "replace"))
    if tree.root_node.has_error:
        return [
            replace(piece, metadata={"parse": "failed", **piece.metadata})
            for piece in chunk_text(text, budget=budget, overlap=False)
        ]
    lines = Lines(text, budget)
    breaks = bytearray([PLAIN]) * len(lines)
    file = _File(lines, breaks, grammar)
    for i in range(1, len(lines)):
        if lines.blank[i - 1] and not lines.blank[i]:
            breaks[i] = SOFT
    module = _Symbol("module", "", {"symbol_kind": "module"}, ())
    owned: list[tuple[_Symbol, Piece]] = []
    tasks = [_Task(module, 0, len(lines), tree.root_node)]
    while tasks:
        symbol, first, last, node = tasks.pop()
        fits = lines.cost(first, last) <= lines.room(symbol.headers, "\n")
        if node is None or (fits and symbol is not module):
            found = pack(lines, breaks, first, last, headers=symbol.headers)
            owned += [(symbol, piece) for piece in found]
        else:
            tasks += reversed([*_split(node, symbol, first, last, file=file)])
    docstring = _first_paragraph(grammar.docstring(tree.root_node))
    if docstring and owned:
        owned[0] = (
            module._replace(metadata={**module.metadata, "docstring": docstring}),
            owned[0][1],
        )
    return _described(owned, _imports(tree.root_node, language))


def _split(node: Node, symbol: _Symbol, done: int, last: int, *, file: _File) -> Iterator[_Task]:
    """Cut a module, class or function into its definitions and the runs of lines between them."""
    if symbol.name:
        node = _unwrapped(node, file.grammar)
        row, stop = node.start_point.row, _opener(node, file.grammar).end_point.row + 1
        mark = file.grammar.opener if symbol.kind == "class" else ""
        header = Header(row, symbol.metadata["signature"] + mark, file.lines.cost(row, stop))
        symbol = symbol._replace(headers=(*symbol.headers, header))
    for inner, first, stop in _definitions(node, symbol.headers, file):
        yield _Task(symbol, done, first, None)
        yield _Task(_symbol(inner, symbol, file.grammar), first, stop, inner)
        done = stop
    yield _Task(symbol, done, last, None)


def _definitions(
    owner: Node, headers: tuple[Header, ...], file: _File
) -> Iterator[tuple[Node, int, int]]:
    """Yield (node, first, last) of the definitions in a body, in order; mark the breaks between.

    Those inside if, try and the like are yielded too. Statements are units; those inside another
    are units only if that one is too large for a piece. The first one of a block stays with the
    line that opens it.
    """
    lines, breaks, grammar = file
    room = lines.room(headers, "\n")
    above, above_last, above_column = 0, -1, -1
    stack = _held(owner, grammar, marked=True)
    while stack:
        node, opens, marked = stack.pop()
        row, column = node.start_point
        if node.type in grammar.comments and lines.text[row][:column].strip():
            continue
        # Comment lines right above a statement, and as deep, are its own.
        first = above if (above_last, above_column) == (row - 1, column) else row
        if node.type in grammar.kinds or node.type in grammar.wrappers:
            yield node, first, _stop(node)
            continue
        if node.type in grammar.blocks:
            stack += _held(node, grammar, marked=marked)
            continue
        if first == row and marked and not opens:
            breaks[row] = UNIT
        if node.type in grammar.comments:
            above, above_last, above_column = first, row, column
        elif node.type in grammar.compounds:
            too_large = lines.cost(row, _stop(node)) > room
            stack += _held(node, grammar, marked=marked and too_large)


def _held(node: Node, grammar: Grammar, *, marked: bool) -> list[tuple[Node, bool, bool]]:
    """The statements, clauses and comments in a node, last first, each with whether it opens a
    block and whether breaks count there."""
    if node.type in grammar.blocks:
        held = [(child, i == 0, marked) for i, child in enumerate(node.named_children)]
    else:
        held = [
            (child, kind in grammar.comments, marked)
            for child in node.named_children
            if (kind := child.type) in grammar.blocks
            or kind in grammar.compounds
            or kind in grammar.comments
        ]
    held.reverse()
    return held


def _stop(node: Node) -> int:
    end = node.end_point
    return end.row + (end.column > 0)


def _unwrapped(node: Node, grammar: Grammar) -> Node:
    while node.type in grammar.wrappers:
        node = _field(node, grammar.wrappers[node.type])
    return node


def _field(node: Node, name: str) -> Node:
    child = node.child_by_field_name(name)
    # A tree without errors has every field asked for here; the node itself is a safe second best.
    return node if child is None else child


def _opener(definition: Node, grammar: Grammar) -> Node:
    return next((c for c in definition.children if c.type == grammar.opener), definition)


def _symbol(node: Node, owner: _Symbol, grammar: Grammar) -> _Symbol:
    definition = _unwrapped(node, grammar)
    kind = grammar.kinds[definition.type]
    if kind == "function" and owner.kind == "class":
        kind = "method"
    name = _text(_field(definition, "name"))
    name = f"{owner.name}.{name}" if owner.name else name
    metadata = {
        "symbol_name": name,
        "symbol_kind": kind,
        "signature": _signature(definition, grammar),
    }
    if docstring := _first_paragraph(grammar.docstring(_field(definition, "body"))):
        metadata["docstring"] = docstring
    return _Symbol(kind, name, metadata, owner.headers)


def _signature(definition: Node, grammar: Grammar) -> str:
    """Return the definition up to its body, on one line and without comments."""
    opener = _opener(definition, grammar)
    start, end = definition.start_byte, opener.start_byte
    source = _bytes(definition)[: end - start]
    if opener.start_point.row > definition.start_point.row:
        stack = [*definition.children]  # a copy, for the node keeps its own list
        while stack:
            node = stack.pop()
            if node.start_byte >= end:
                continue
            if node.type in grammar.comments:
                a, b = node.start_byte - start, node.end_byte - start
                source = source[:a] + b" " * (b - a) + source[b:]
            else:
                stack += node.children
    return _INNER_SPACE.sub("", " ".join(source.decode().split()))


def _first_paragraph(docstring: str) -> str:
    paragraph = _BLANK_LINES.split(inspect.cleandoc(docstring), maxsplit=1)[0]
    return paragraph[:DOCSTRING_CHARS_MAX].strip()


def _imports(root: Node, language: str) -> list[tuple[int, list[str]]]:
    """Return (row, modules) of every import statement, in order."""
    found = QueryCursor(_import_query(language)).captures(root).get("import", [])
    modules = GRAMMARS[language].modules
    found.sort(key=lambda node: node.start_byte)
    return [(node.start_point.row, modules(node)) for node in found]


def _described(
    owned: list[tuple[_Symbol, Piece]], imports: list[tuple[int, list[str]]]
) -> list[Piece]:
    """Give each piece its symbol, the modules it imports and its place among the symbol's parts."""
    parts = Counter(id(symbol) for symbol, _ in owned)
    seen: Counter[int] = Counter()
    rows = [row for row, _ in imports]
    pieces = []
    for symbol, piece in owned:
        metadata = dict(symbol.metadata)
        within = imports[
            bisect_left(rows, piece.start_line - 1) : bisect_left(rows, piece.end_line)
        ]
        if within:
            metadata["imports"] = list(dict.fromkeys(m for _, modules in within for m in modules))
        if symbol.name and parts[id(symbol)] > 1:
            seen[id(symbol)] += 1
            metadata["part"] = [seen[id(symbol)], parts[id(symbol)]]
        pieces.append(replace(piece, metadata={**metadata, **piece.metadata}))
    return pieces


def _bytes(node: Node) -> bytes:
    return node.text or b""


def _text(node: Node) -> str:
    return _bytes(node).decode()


@cache
def _language(language: str) -> Language:
    return Language(GRAMMARS[language].language())


@cache
def _import_query(language: str) -> Query:
    return Query(_language(language), GRAMMARS[language].imports)


def _python_modules(statement: Node) -> list[str]:
    if statement.type == "future_import_statement":
        return ["__future__"]
    if statement.type == "import_from_statement":
        return ["".join(_text(_field(statement, "module_name")).split())]
    names = statement.children_by_field_name("name")
    return [
        _text(_field(name, "name") if name.type == "aliased_import" else name) for name in names
    ]


def _python_docstring(body: Node) -> str:
    first = next((child for child in body.named_children if child.type != "comment"), None)
    if first is None or first.type != "expression_statement":
        return ""
    string = first.named_children[0]
    if string.type != "string" or first.named_child_count > 1:
        return ""
    opening = _text(string.children[0])
    if set(opening.lower()) & set("bft"):
        return ""
    return "".join(
        _text(child) for child in string.named_children if child.type == "string_content"
    )


GRAMMARS = {
    "python": Grammar(
        language=tree_sitter_python.language,
        kinds={"function_definition": "function", "class_definition": "class"},
        wrappers={"decorated_definition": "definition"},
        compounds=frozenset(
            {
                "if_statement",
                "elif_clause",
                "else_clause",
                "for_statement",
                "while_statement",
                "try_statement",
                "except_clause",
                "except_group_clause",
                "finally_clause",
                "with_statement",
                "match_statement",
                "case_clause",
            }
        ),
        blocks=frozenset({"module", "block"}),
        comments=frozenset({"comment"}),
        opener=":",
        imports="[(import_statement) (import_from_statement) (future_import_statement)] @import",
        modules=_python_modules,
        docstring=_python_docstring,
    ),
}
"""One row per language with a grammar."""
