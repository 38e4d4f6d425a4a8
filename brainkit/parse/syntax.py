"""Read a syntax tree by the row of its language: definitions, statements, imports, errors."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from tree_sitter import Node, QueryCursor

from brainkit.parse.bounded import stop_of, trusted
from brainkit.parse.docs import comment_paragraph, first_paragraph
from brainkit.parse.grammar import Grammar, block_of, query_of, text_of
from brainkit.parse.model import Definition, Entry, Parsed, Statement, qualified
from brainkit.parse.signature import one_line

_OPENERS = re.compile(rb"[\s={;:,\\]+\Z")
_FILE_MARKS = ("//!", "/*!")
_OF_THE_FILE = re.compile(
    r"[@\\](?:file(?:overview)?|module|packageDocumentation|license)\b|\b(?:copyright|licen[cs]e)\b",
    re.IGNORECASE,
)
_FILE_TAG = re.compile(r"[@\\](?:file(?:overview)?|module|packageDocumentation)\b")
_SHORT_KINDS = frozenset({"macro", "property", "type"})
_BODILESS_KINDS = _SHORT_KINDS | {"function", "method", "concept", "delegate"}
"""Definitions that files may have by the dozen: on one line, or without a body."""


class _File(NamedTuple):
    grammar: Grammar
    source: bytes


class _Above(NamedTuple):
    """Comments and attributes that will belong to what follows, if it follows at once."""

    first: int
    last: int
    column: int
    nodes: tuple[Node, ...]


def parse_tree(text: str, *, grammar: Grammar) -> Parsed | None:
    """Return what a file defines, or None if too much of it does not parse."""
    found = trusted(text, grammar=grammar)
    if found is None:
        return None
    source, root, broken = found
    file = _File(grammar, source)
    rows = text.count("\n") + 1
    module = Definition("", "module", "", _module_docstring(root, file), 0, rows, (0, 0))
    module = _with_inner(module, root, file)
    cursor = QueryCursor(query_of(grammar.wheel, grammar.entry, grammar.imports))
    nodes = cursor.captures(root).get("import", [])
    nodes.sort(key=lambda node: node.start_byte)
    imports = [(node.start_point.row, grammar.modules(node)) for node in nodes]
    return Parsed(module, imports, broken)


def _with_inner(definition: Definition, body: Node | None, file: _File) -> Definition:
    if body is None:
        return definition
    direct = body.type in file.grammar.blocks or body.is_error
    read = _members if direct else _held
    return replace(definition, inner=partial(read, body, owner=definition, file=file))


def _members(block: Node, *, owner: Definition, file: _File) -> Iterator[Entry]:
    """Yield what a block holds, each with the comments right above it."""
    grammar = file.grammar
    nested = grammar.blocks - grammar.clauses - grammar.scopes
    # The condition of a case or an #if is a child like its statements, but on the opening line.
    opening = block.start_point.row if block.type not in nested else -1
    above: _Above | None = None
    opens = True
    stack = [iter(block.named_children)]
    while stack:
        node = next(stack[-1], None)
        if node is None:
            stack.pop()
            continue
        if node.type in nested:
            stack.append(iter(node.named_children))
            continue
        is_comment = node.type in grammar.comments
        if is_comment and _trails(node, file.source):
            continue
        adjoins = above is not None and _adjoins(above, node, grammar)
        if above is not None and not adjoins:
            yield Statement(above.first, above.last + 1, opens)
            above, opens = None, False
        if node.type in grammar.file_scopes:
            owner = replace(owner, kind="namespace", name=qualified(owner, grammar.name(node)))
        row = node.start_point.row
        if is_comment or node.type in grammar.leading:
            known = above or _Above(row, row, node.start_point.column, ())
            above = known._replace(last=stop_of(node) - 1, nodes=(*known.nodes, node))
            continue
        entry = _definition(node, above, owner, file)
        if entry is None and row == opening:
            continue
        yield entry or _statement(
            node, owner, file, first=above.first if above else row, opens=opens
        )
        above, opens = None, False
    if above is not None:
        yield Statement(above.first, above.last + 1, opens)


def _held(node: Node, *, owner: Definition, file: _File, deep: bool = True) -> Iterator[Entry]:
    """Yield what the blocks and clauses below a statement hold, however deep they are."""
    grammar = file.grammar
    stack = node.named_children[::-1]
    while stack:
        child = stack.pop()
        if child.type in grammar.clauses or child.type in grammar.scopes:
            yield _statement(child, owner, file, first=child.start_point.row, opens=False)
        elif child.type in grammar.blocks:
            yield from _members(child, owner=owner, file=file)
        elif deep:
            stack += child.named_children[::-1]


def _statement(node: Node, owner: Definition, file: _File, *, first: int, opens: bool) -> Statement:
    grammar = file.grammar
    scope = node.type in grammar.scopes or node.type in grammar.clauses or node.is_error
    if node.type in grammar.blocks or node.is_error:
        inner = partial(_members, node, owner=owner, file=file)
    else:
        inner = partial(_held, node, owner=owner, file=file, deep=not scope)
    return Statement(first, stop_of(node), opens, scope, inner)


def _definition(
    node: Node, above: _Above | None, owner: Definition, file: _File
) -> Definition | None:
    grammar = file.grammar
    found = _defined(node, grammar)
    if found is None:
        return None
    inner, kind = found
    body = _body(inner, grammar)
    signature, head = _signature(node, inner, body, file)
    docstring = _docstring(node, body, above, grammar)
    stop = stop_of(node)
    short = kind in _SHORT_KINDS and stop == node.start_point.row + 1
    small = short or (body is None and kind in _BODILESS_KINDS)
    definition = Definition(
        qualified(owner, grammar.name(inner)),
        owner.member_kind(kind),
        signature,
        docstring,
        above.first if above else node.start_point.row,
        stop,
        head,
        small and not docstring,
    )
    return _with_inner(definition, body, file)


def _defined(node: Node, grammar: Grammar) -> tuple[Node, str] | None:
    """Return the definition that a node is or wraps, and its kind."""
    while True:
        kind = grammar.kinds.get(node.type, "")
        if kind and not isinstance(kind, str):
            kind = kind(node)
        if kind:
            return node, kind
        if node.type not in grammar.wrappers:
            return None
        held = [
            child
            for child in node.named_children
            if child.type in grammar.kinds or child.type in grammar.wrappers
        ]
        if len(held) != 1:
            return None
        node = held[0]


def _body(definition: Node, grammar: Grammar) -> Node | None:
    if grammar.body is not None:
        return grammar.body(definition)
    return block_of(definition, grammar.blocks)


def _signature(
    outer: Node, definition: Node, body: Node | None, file: _File
) -> tuple[str, tuple[int, int]]:
    """Return a definition up to its body on one line, and the rows that this takes."""
    grammar = file.grammar
    start, end = outer.start_byte, outer.end_byte
    if body is not None:
        opener = next((child for child in body.children if child.type == "{"), body)
        end = opener.start_byte
    for child in definition.named_children:
        if child.type in grammar.ends and start < child.start_byte < end:
            end = child.start_byte
    source = file.source[start:end]
    if b"\n" in source or b"/" in source or b"@" in source or b"[" in source:
        unwanted = grammar.comments | grammar.hidden
        stack = [*outer.children]
        while stack:
            node = stack.pop()
            if node.start_byte >= end:
                continue
            if node.type in unwanted:
                a, b = node.start_byte - start, min(node.end_byte, end) - start
                blank = re.sub(rb"[^\n]", b" ", source[a:b])
                source = source[:a] + blank + source[b:]
            else:
                stack += node.children
    source = _OPENERS.sub(b"", source)
    begin = len(source) - len(source.lstrip())
    row = outer.start_point.row
    head = (row + source.count(b"\n", 0, begin), row + source.count(b"\n") + 1)
    return one_line(source.decode("utf-8", "replace")), head


def _docstring(node: Node, body: Node | None, above: _Above | None, grammar: Grammar) -> str:
    if grammar.docstring is not None:
        return first_paragraph(grammar.docstring(body)) if body is not None else ""
    nodes = above.nodes if above else ()
    comments = [text_of(n) for n in nodes if n.type in grammar.comments]
    return comment_paragraph(comments, marks=grammar.docs) if comments else ""


def _module_docstring(root: Node, file: _File) -> str:
    grammar = file.grammar
    if grammar.docstring is not None:
        return first_paragraph(grammar.docstring(root))
    above: _Above | None = None
    for node in root.named_children:
        adjoins = above is not None and _adjoins(above, node, grammar)
        if node.type not in grammar.comments:
            if above is not None and adjoins and node.type == grammar.documents_file:
                return comment_paragraph([text_of(n) for n in above.nodes])
            break
        text = text_of(node)
        if _FILE_TAG.search(text):
            return comment_paragraph([text])
        row = node.start_point.row
        known = above if above is not None and adjoins else _Above(row, row, 0, ())
        above = known._replace(last=stop_of(node) - 1, nodes=(*known.nodes, node))
    comments = [text_of(n) for n in above.nodes] if above else []
    return comment_paragraph(comments, marks=_FILE_MARKS)


def _adjoins(above: _Above, node: Node, grammar: Grammar) -> bool:
    row, column = node.start_point
    same_column = not grammar.indented or above.column == column
    reach = 2 if _documents(above, grammar) else 1  # JSDoc belongs to what follows a blank line
    return above.last >= row - reach and same_column


def _documents(above: _Above, grammar: Grammar) -> bool:
    """Whether the comment right above is documentation, and of a symbol rather than the file."""
    last = above.nodes[-1] if above.nodes else None
    if last is None or last.type not in grammar.comments or above.first == 0:
        return False
    text = text_of(last)
    return text.startswith("/**") and not _OF_THE_FILE.search(text)


def _trails(comment: Node, source: bytes) -> bool:
    """Whether code stands before a comment on its line."""
    line = source.rfind(b"\n", 0, comment.start_byte) + 1
    return bool(source[line : comment.start_byte].strip())
