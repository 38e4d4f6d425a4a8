"""Swift: one node type for class, struct, enum, actor and extension; a field tells them apart."""

from __future__ import annotations

import re
from typing import Final

from tree_sitter import Node

from brainkit.parse.grammar import Grammar, block_of, named, text_of

_BLOCKS: Final = frozenset(
    {
        *("source_file", "class_body", "enum_class_body", "protocol_body", "function_body"),
        *("statements", "computed_property", "willset_didset_block", "switch_entry"),
    }
)
_COMPUTED: Final = frozenset({"computed_property", "willset_didset_block"})
_OPERATOR: Final = re.compile(r"\bfunc\s+([^\s(<]+|<[^\s(]*)")


def _class_kind(node: Node) -> str:
    return text_of(node.child_by_field_name("declaration_kind")) or "class"


def _property_kind(node: Node) -> str:
    """Return "property" for one that computes something; the others are plain statements."""
    return "property" if any(child.type in _COMPUTED for child in node.named_children) else ""


def _name(node: Node) -> str:
    if node.type in ("init_declaration", "deinit_declaration", "subscript_declaration"):
        return node.type.removesuffix("_declaration")
    name = re.sub(r"<.*", "", named(node), flags=re.DOTALL) or named(node)
    if node.type == "function_declaration" and not name.isidentifier():
        # The grammar has no field for the name of an operator method.
        operator = _OPERATOR.search(text_of(node))
        return operator[1] if operator else name
    return name.strip("`")


def _modules(statement: Node) -> list[str]:
    return [text_of(child) for child in statement.named_children if child.type == "identifier"]


def _body(node: Node) -> Node | None:
    return block_of(node, _BLOCKS)


SWIFT: Final = Grammar(
    wheel="tree_sitter_swift",
    kinds={
        "class_declaration": _class_kind,
        "protocol_declaration": "protocol",
        "function_declaration": "function",
        "protocol_function_declaration": "function",
        "init_declaration": "function",
        "deinit_declaration": "function",
        "subscript_declaration": "function",
        "property_declaration": _property_kind,
        "typealias_declaration": "type",
    },
    blocks=_BLOCKS,
    clauses=frozenset({"switch_entry", "catch_block", "else"}),
    comments=frozenset({"comment", "multiline_comment"}),
    hidden=frozenset({"attribute"}),
    ends=_COMPUTED,
    name=_name,
    body=_body,
    docs=("///", "/**"),
    imports="(import_declaration) @import",
    modules=_modules,
)
