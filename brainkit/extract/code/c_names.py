"""C and C++: what a declarator gives a name to, and where a name without a place may be."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from tree_sitter import Node

from brainkit.parse.grammar import text_of

_NAMES: Final = frozenset(
    {
        *("identifier", "field_identifier", "type_identifier", "qualified_identifier"),
        *("destructor_name", "operator_name", "operator_cast", "template_function"),
        "structured_binding_declarator",
    }
)
_NAMESPACE: Final = re.compile(
    r"^[ \t]*([A-Z][A-Z0-9]*)_(?:(BEGIN)_NAMESPACE|NAMESPACE_(BEGIN)|END_NAMESPACE|NAMESPACE_END)\b"
)


_EXPORTED: Final = re.compile(
    r"\b((?:class|struct|union)\s+)([A-Z][A-Z0-9_]{3,}(?:\([^()\n]*\))?)(?=\s+\w+\s*(?:final\s*)?[:{])"
)
"""``class SHELF_API Shelf {`` reads like a function that is called Shelf."""


class Declarator(NamedTuple):
    """What a declarator declares.

    name : the node with its name. function : the declarator of a function, None for other things.
    pointer : whether what is declared or returned is a pointer or array. value : what it is given.
    """

    name: Node
    function: Node | None
    pointer: bool
    value: Node | None


def read_declarator(node: Node | None) -> Declarator | None:
    """Return what a declarator declares, None if it has no name."""
    function = value = None
    pointer = False
    while node is not None and node.type not in _NAMES:
        kind = node.type
        inner = node.child_by_field_name("declarator")
        if kind == "init_declarator":
            value = node.child_by_field_name("value")
        elif kind == "function_declarator":
            function = node
        elif kind.endswith(("pointer_declarator", "array_declarator")):
            if function is not None:
                function = None  # a pointer to functions
            pointer = True
        node = inner or next((c for c in node.named_children if _may_declare(c)), None)
    return None if node is None else Declarator(node, function, pointer, value)


def _may_declare(node: Node) -> bool:
    return node.type in _NAMES or node.type.endswith("declarator")


class Place(NamedTuple):
    """Where a piece of code stands.

    namespaces : those around it, outermost first. owner : path of the class around it, or "".
    """

    namespaces: tuple[str, ...] = ()
    owner: str = ""

    def path(self, name: str) -> str:
        """Return the path of what is declared here: ``lib::Shelf``, ``lib::Shelf.lend``."""
        return f"{self.owner}.{name}" if self.owner else in_namespace(self.namespaces, name)

    def outwards(self, name: str) -> Iterator[str]:
        """Yield the paths that a name may mean here, innermost first.

        >>> [*Place(("a", "b"), "a::b::Shelf").outwards("lend")]
        ['a::b::Shelf.lend', 'a::b::lend', 'a::lend', 'lend']
        """
        owner = self.owner
        while owner:
            if last_of(owner) == name:
                yield owner
                return
            yield f"{owner}.{name}"
            owner = owner.rpartition(".")[0]
        for depth in range(len(self.namespaces), -1, -1):
            yield in_namespace(self.namespaces[:depth], name)


def last_of(path: str) -> str:
    """Return a name without what it is in.

    >>> last_of("lib::Shelf.lend"), last_of("lib::Shelf")
    ('lend', 'Shelf')
    """
    return path.rpartition(".")[2].rpartition("::")[2]


def in_namespace(namespaces: tuple[str, ...], name: str) -> str:
    """Return a name with its namespaces, which are one component of a path with it."""
    return "::".join([*namespaces, name])


def parts_of(node: Node | None) -> list[str]:
    """Return the names of a qualified name without arguments: ``["ns", "Shelf", "lend"]``.

    Empty if something else is among them; an empty first name is the global namespace.
    """
    found: list[str] = []
    while node is not None:
        kind = node.type
        if kind == "qualified_identifier":
            scope = node.child_by_field_name("scope")
            found += parts_of(scope) if scope is not None else [""]
            node = node.child_by_field_name("name")
        elif kind in ("template_type", "template_function", "template_method"):
            node = node.child_by_field_name("name")
        elif kind == "dependent_name":
            node = node.named_children[0]
        elif kind == "nested_namespace_specifier":
            return [*found, *(text_of(child) for child in node.named_children)]
        elif kind.endswith("identifier") or kind in ("destructor_name", "operator_name"):
            return [*found, "".join(text_of(node).split())]
        else:
            return []
    return []


def arguments_of(node: Node | None) -> Node | None:
    """Return the template arguments of the last name of a qualified name."""
    while node is not None and node.type in ("qualified_identifier", "dependent_name"):
        node = node.child_by_field_name("name") or next(iter(node.named_children), None)
    return node.child_by_field_name("arguments") if node is not None else None


def opened_by_macros(source: str) -> list[tuple[int, int, str]]:
    """Return (first row, stop, namespace) of what ``SHELF_BEGIN_NAMESPACE`` and its end enclose.

    >>> opened_by_macros("SHELF_BEGIN_NAMESPACE\\nint a;\\nSHELF_END_NAMESPACE\\n")
    [(0, 2, 'shelf')]
    """
    found: list[tuple[int, int, str]] = []
    opened: list[tuple[int, str]] = []
    for row, line in enumerate(source.split("\n")):
        mark = _NAMESPACE.match(line)
        if mark and (mark[2] or mark[3]):
            opened.append((row, mark[1].lower()))
        elif mark and opened:
            first, name = opened.pop()
            found.append((first, row, name))
    return found


def without_exports(source: str) -> str:
    """Hide the macros between a class's key and its name; all else keeps its place.

    >>> without_exports("class SHELF_API Shelf {};")
    'class           Shelf {};'
    """
    return _EXPORTED.sub(lambda match: match[1] + " " * len(match[2]), source)


def result_of(node: Node, one: Declarator) -> Node | None:
    """Return the type of a declaration, or that after an arrow."""
    for child in one.function.named_children if one.function is not None else ():
        if child.type == "trailing_return_type":
            return child.named_children[0] if child.named_children else None
    return node.child_by_field_name("type")


def first_member(body: Node) -> int:
    """Return the row where the first function of a type begins, else that behind it."""
    functions: Iterator[Node] = (
        child
        for child in body.named_children
        if child.type == "function_definition"
        or (
            child.type == "field_declaration"
            and (found := read_declarator(child.child_by_field_name("declarator"))) is not None
            and found.function is not None
        )
    )
    first = next(functions, None)
    start = body.start_point.row + 1
    return body.end_point.row + 1 if first is None else max(start, first.start_point.row)
