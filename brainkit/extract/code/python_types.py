"""Which class an annotation of Python says that a value has, and what all it names."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Final

from tree_sitter import Node

from brainkit.extract.code.model import Meaning, below
from brainkit.extract.facts import Target
from brainkit.parse.bounded import root_of
from brainkit.parse.grammar import text_of
from brainkit.parse.table import GRAMMARS

_WRAPPERS: Final = frozenset(
    {"Annotated", "ClassVar", "Final", "InitVar", "NotRequired", "ReadOnly", "Required"}
)
_AROUND: Final = frozenset({"type", "parenthesized_expression", "module", "expression_statement"})
_NAMES: Final = frozenset({"identifier", "attribute"})
_UNIONS: Final = frozenset({"binary_operator", "union_type"})
_INSTANCE: Final = ".()"


def instance(of: Meaning) -> Meaning:
    """Return what a call of a class gives; nothing for what is no class."""
    return below(of, "()") if of is not None and not is_instance(of) else None


def is_instance(target: Target) -> bool:
    """Whether a target is what a call gives."""
    return target.path.endswith(_INSTANCE)


def class_of(target: Meaning) -> Meaning:
    """Return the class of an instance."""
    if target is None or not is_instance(target):
        return None
    return target._replace(path=target.path.removesuffix(_INSTANCE))


def the_same(meanings: list[Meaning]) -> Meaning:
    """Return what all of them are, nothing if they differ or one is unknown."""
    return meanings[0] if len({*meanings}) == 1 else None


def type_of(node: Node | None, *, meaning: Callable[[Node], Meaning], own: Meaning) -> Meaning:
    """Return what a value with this annotation is, if that is one class.

    meaning : of a name or attribute. own : the class around, which ``Self`` means.
    """

    def read(node: Node | None) -> Meaning:
        while node is not None and node.type in _AROUND and node.named_child_count == 1:
            node = node.named_children[0]
        if node is None:
            return None
        if node.type == "string":
            return read(quoted(node))
        if node.type in _NAMES:
            return instance(own if last_name(node) == "Self" else meaning(node))
        if node.type in _UNIONS:
            return one_of([*_united(node)])
        base, arguments = _generic(node)
        return generic(base, arguments) if base is not None else None

    def generic(base: Node, arguments: list[Node]) -> Meaning:
        name = last_name(base)
        if name in ("Optional", "Union"):
            return one_of(arguments)
        if name in _WRAPPERS:
            return read(arguments[0]) if arguments else None
        if name in ("type", "Type"):
            return class_of(read(arguments[0])) if len(arguments) == 1 else None
        return None if name == "Literal" else instance(meaning(base))

    def one_of(nodes: list[Node]) -> Meaning:
        return the_same([read(node) for node in nodes if text_of(node) != "None"])

    return read(node)


def names_in(annotation: Node) -> Iterator[Node]:
    """Yield the names and attributes that an annotation is made of, those in quotes too."""
    stack = [annotation]
    while stack:
        node = stack.pop()
        if node.type in _NAMES:
            yield node
        elif node.type == "string":
            stack += [inner] if (inner := quoted(node)) else []
        else:
            base, arguments = _generic(node)
            if base is None:
                stack += reversed(node.named_children)
            elif last_name(base) == "Literal":
                yield base
            else:
                if last_name(base) == "Annotated":
                    arguments = arguments[:1]
                stack += [*reversed(arguments), base]


def last_name(node: Node) -> str:
    """Return what stands behind the last dot."""
    return text_of(node).rpartition(".")[2]


def quoted(string: Node) -> Node | None:
    """Return the expression in a quoted annotation."""
    parts = [child for child in string.named_children if child.type == "string_content"]
    if len(parts) != 1 or any(child.type == "interpolation" for child in string.named_children):
        return None
    return _expression(text_of(parts[0]))


@lru_cache(maxsize=1024)
def _expression(source: str) -> Node | None:
    root = root_of(source.strip(), grammar=GRAMMARS["python"])
    if root is None or root.named_child_count != 1:
        return None
    statement = root.named_children[0]
    return statement if statement.type == "expression_statement" else None


def _generic(node: Node) -> tuple[Node | None, list[Node]]:
    """Return the name and the arguments of ``Name[...]``."""
    if node.type == "subscript":
        base = node.child_by_field_name("value")
        found = node.children_by_field_name("subscript")
        arguments = [
            part for one in found for part in (one.named_children if one.type == "tuple" else [one])
        ]
    elif node.type == "generic_type":
        base = node.named_children[0]
        arguments = node.named_children[1].named_children if node.named_child_count > 1 else []
    else:
        return None, []
    known = base is not None and base.type in _NAMES
    return (base, arguments) if known else (None, [])


def _united(node: Node) -> Iterator[Node]:
    stack = [node]
    while stack:
        part = stack.pop()
        if part.type in _UNIONS:
            stack += reversed(part.named_children)
        elif part.type == "type" and part.named_child_count == 1:
            stack.append(part.named_children[0])
        else:
            yield part
