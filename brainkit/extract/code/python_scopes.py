"""Which names a region of Python binds, and to what, before any of its code is read.

A name that a function assigns anywhere is its own everywhere in it, so this comes first.
Source: The Python Language Reference, section 4.2.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Literal, NamedTuple

from tree_sitter import Node

from brainkit.extract.code.python_imports import imported
from brainkit.extract.facts import Target
from brainkit.parse.grammar import named, text_of

How = Literal[
    "import", "function", "class", "value", "entered", "caught", "type", "other", "del", "outer"
]

REGIONS: Final = frozenset({"function_definition", "class_definition", "lambda"})
COMPREHENSIONS: Final = frozenset(
    {
        *("list_comprehension", "set_comprehension", "dictionary_comprehension"),
        "generator_expression",
    }
)
_BRANCHES: Final = frozenset(
    {
        *("if_statement", "for_statement", "while_statement", "match_statement"),
        *("except_clause", "except_group_clause", "else_clause"),
    }
)
_READING: Final = frozenset({"attribute", "subscript", "call", "type"})
_DEFINITIONS: Final[dict[str, How]] = {
    "function_definition": "function",
    "class_definition": "class",
}
_EACH: Final[dict[str, tuple[str, How]]] = {
    "augmented_assignment": ("left", "other"),
    "for_statement": ("left", "other"),
    "splat_pattern": ("", "other"),
    "type_alias_statement": ("left", "type"),
    "delete_statement": ("", "del"),
    "global_statement": ("", "outer"),
    "nonlocal_statement": ("", "outer"),
}
"""Statements and patterns that bind each name in a field, or in all of them."""
_CAPTURING: Final = frozenset({"case_pattern", "keyword_pattern"})
_IMPORTS: Final = frozenset({"import_statement", "import_from_statement"})


class Bound(NamedTuple):
    """One binding of a name.

    value : the expression it is given, entered as a context or caught as; the definition.
    certain : whether it happens whenever the region runs to its end, rather than in a branch.
    """

    name: str
    how: How
    node: Node
    value: Node | None = None
    annotation: Node | None = None
    target: Target | None = None
    certain: bool = True


def bindings(body: Node, *, folder: str) -> Iterator[Bound]:
    """Yield what a region binds, in the order of its source, without the regions inside."""
    stack = [(body, True, False)]
    while stack:
        node, certain, inside = stack.pop()
        for bound in _bound(node, folder, inside):
            yield bound._replace(certain=certain)
        if node.type in REGIONS:
            continue
        # Of a comprehension only what ``:=`` binds is a name outside.
        inside = inside or node.type in COMPREHENSIONS
        certain = certain and node.type not in _BRANCHES
        stack += [(child, certain, inside) for child in reversed(node.named_children)]


def _bound(node: Node, folder: str, inside: bool) -> Iterator[Bound]:
    kind = node.type
    if kind == "named_expression":
        yield Bound(named(node), "value", node, node.child_by_field_name("value"))
    elif inside:
        return
    elif kind in _IMPORTS:
        for one in imported(node, folder=folder):
            yield Bound(one.local, "import", node, target=one.target)
    elif kind in _DEFINITIONS:
        yield Bound(named(node), _DEFINITIONS[kind], node)
    elif kind == "assignment":
        yield from _assigned(node)
    elif kind == "as_pattern":
        yield from _as(node)
    elif kind == "dotted_name":
        if node.named_child_count == 1 and node.parent and node.parent.type in _CAPTURING:
            yield Bound(text_of(node), "other", node)
    elif kind in _EACH:
        field, how = _EACH[kind]
        target = node.child_by_field_name(field) if field else node
        found = [Bound(name, how, node) for name in identifiers(target)] if target else []
        yield from found[:1] if how == "type" else found


def _assigned(node: Node) -> Iterator[Bound]:
    left, value = node.child_by_field_name("left"), node.child_by_field_name("right")
    while value is not None and value.type == "assignment":
        value = value.child_by_field_name("right")
    if left is not None and left.type == "identifier":
        annotation = node.child_by_field_name("type")
        yield Bound(text_of(left), "value", node, value, annotation)
    elif left is not None:
        yield from (Bound(name, "other", node) for name in identifiers(left))


def _as(node: Node) -> Iterator[Bound]:
    alias = node.child_by_field_name("alias")
    if alias is None:  # in a pattern of match
        last = node.named_children[-1]
        if last.type == "identifier":
            yield Bound(text_of(last), "other", node)
        return
    parent = node.parent
    caught = parent is not None and parent.type in ("except_clause", "except_group_clause")
    how: How = "caught" if caught else "entered"
    names = [*identifiers(alias)]
    single = alias.named_child_count == 1 and alias.named_children[0].type == "identifier"
    for name in names:
        yield Bound(name, how if single else "other", node, node.named_children[0])


def identifiers(target: Node) -> Iterator[str]:
    """Yield the names that a target or parameter binds, not those it only reads."""
    stack = target.named_children[:1] if target.type == "type" else [target]
    while stack:
        node = stack.pop()
        if node.type == "identifier":
            yield text_of(node)
        elif node.type not in _READING:
            stack += reversed(node.named_children)


def is_nothing(value: Node | None) -> bool:
    """Whether there is no value, or it is None: what stands in until there is one."""
    return value is None or value.type == "none"


def settled_of(found: Sequence[Bound]) -> Bound:
    """Return the binding of a name that counts: the last that is certain, else the first.

    An import or definition in a branch takes the place of a value that only stands in for it, and
    a value made from the name itself, as ``f = wrapped(f)``, leaves it what it is.
    """
    settled = found[0]
    for one in found[1:]:
        if one.how in ("import", "function", "class"):
            stands_in = settled.how in ("value", "other", "del")
            settled = one if one.certain or stands_in else settled
        elif one.certain and one.how == "value" and one.value is not None:
            kept = is_nothing(one.value) or _mentions(one.value, one.name)
            settled = settled if kept else one
        elif one.certain and one.how == "del":
            settled = one
    return settled


def _mentions(value: Node, name: str) -> bool:
    stack = [value]
    while stack:
        node = stack.pop()
        if node.type == "identifier" and text_of(node) == name:
            return True
        stack += node.named_children
    return False
