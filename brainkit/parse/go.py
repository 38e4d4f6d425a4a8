"""Go: a method stands outside its type and is named after its receiver."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from brainkit.parse.grammar import Grammar, block_of, named, text_of

_TYPES: Final = {"struct_type": "struct", "interface_type": "interface"}
_BLOCKS: Final = frozenset(
    {
        *("source_file", "block", "statement_list", "field_declaration_list", "interface_type"),
        *("type_declaration", "expression_case", "default_case", "type_case"),
        "communication_case",
    }
)


def _type_kind(spec: Node) -> str:
    value = spec.child_by_field_name("type")
    return _TYPES.get(value.type, "type") if value else "type"


def _name(node: Node) -> str:
    if node.type != "method_declaration":
        return named(node)
    stack = [node.child_by_field_name("receiver")]
    while stack:
        found = stack.pop()
        if found is not None and found.type == "type_identifier":
            return f"{text_of(found)}.{named(node)}"
        if found is not None:
            # The first type in the receiver is its own; T in Shelf[T] comes later.
            stack += [c for c in reversed(found.named_children) if c.type != "comment"]
    return named(node)


def _body(node: Node) -> Node | None:
    if node.type not in ("type_spec", "type_alias"):
        return block_of(node, _BLOCKS)
    value = node.child_by_field_name("type")
    if value is None or value.type == "interface_type":
        return value
    return block_of(value, _BLOCKS) if value.type == "struct_type" else None


GO: Final = Grammar(
    wheel="tree_sitter_go",
    kinds={
        "function_declaration": "function",
        "method_declaration": "method",
        "type_spec": _type_kind,
        "type_alias": "type",
        "method_elem": "function",
    },
    wrappers=frozenset({"type_declaration"}),
    blocks=_BLOCKS,
    clauses=frozenset({"expression_case", "default_case", "type_case", "communication_case"}),
    scopes=frozenset({"type_declaration"}),
    name=_name,
    body=_body,
    imports="(import_spec path: (_) @import)",
    documents_file="package_clause",
)
