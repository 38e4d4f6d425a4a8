"""Kotlin: one node type for class, interface and enum; the tokens tell them apart."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tree_sitter import Node

from brainkit.parse.grammar import Grammar, block_of, named, text_of

_BLOCKS: Final = frozenset(
    {"source_file", "block", "class_body", "enum_class_body", "function_body", "when_expression"}
)
_COMPUTED: Final = frozenset({"getter", "setter", "property_delegate"})


def _class_kind(node: Node) -> str:
    if any(child.type == "interface" for child in node.children):
        return "interface"
    modifiers = next((child for child in node.named_children if child.type == "modifiers"), None)
    words = text_of(modifiers).split() if modifiers is not None else []
    return next((word for word in ("enum", "annotation") if word in words), "class")


def _property_kind(node: Node) -> str:
    """Return "property" for one that computes something; the others are plain statements."""
    return "property" if any(child.type in _COMPUTED for child in node.named_children) else ""


def _entry_kind(node: Node) -> str:
    """Return "constant" for an enum's entry with functions of its own."""
    return "constant" if block_of(node, _BLOCKS) else ""


def _receiver(node: Node, before: str) -> str:
    """Return the type that is extended: the one before the name, without its arguments."""
    receiver = ""
    for child in node.named_children:
        if child.type == before or (before == "" and child.type == "identifier"):
            break
        if child.type in ("user_type", "nullable_type", "parenthesized_type"):
            receiver = text_of(child)
    plain = receiver.partition("<")[0].strip("?() ")
    return f"{plain}." if plain.replace(".", "").isidentifier() else ""


def _property_name(node: Node) -> str:
    found = next(
        (child for child in node.named_children if child.type == "variable_declaration"), None
    )
    own = text_of(found.named_children[0]) if found is not None else ""
    return _receiver(node, "variable_declaration") + own


_NAMES: Final[dict[str, Callable[[Node], str]]] = {
    "companion_object": lambda node: named(node) or "Companion",
    "secondary_constructor": lambda _: "constructor",
    "enum_entry": lambda node: text_of(node.named_children[0]),
    "type_alias": lambda node: text_of(node.child_by_field_name("type")),
    "property_declaration": _property_name,
    "function_declaration": lambda node: _receiver(node, "") + named(node),
}


def _name(node: Node) -> str:
    return _NAMES.get(node.type, named)(node)


def _body(node: Node) -> Node | None:
    if node.type == "property_declaration":
        found = (child for child in node.named_children if child.type in _COMPUTED)
        return next(found, None)
    return block_of(node, _BLOCKS)


KOTLIN: Final = Grammar(
    wheel="tree_sitter_kotlin",
    kinds={
        "class_declaration": _class_kind,
        "object_declaration": "object",
        "companion_object": "object",
        "enum_entry": _entry_kind,
        "function_declaration": "function",
        "secondary_constructor": "function",
        "property_declaration": _property_kind,
        "type_alias": "type",
    },
    blocks=_BLOCKS,
    clauses=frozenset({"catch_block", "finally_block", "when_entry"}),
    comments=frozenset({"line_comment", "block_comment"}),
    hidden=frozenset({"annotation"}),
    ends=_COMPUTED | {"constructor_delegation_call", "function_body"},
    name=_name,
    body=_body,
    docs=("/**",),
    imports="(import (qualified_identifier) @import)",
)
