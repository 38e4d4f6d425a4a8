"""Java."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from brainkit.parse.grammar import Grammar, text_of


def _modules(statement: Node) -> list[str]:
    return [
        text_of(child)
        for child in statement.named_children
        if child.type in ("scoped_identifier", "identifier")
    ]


def _constant_kind(node: Node) -> str:
    """Return "constant" for one with methods of its own."""
    return "constant" if node.child_by_field_name("body") else ""


JAVA: Final = Grammar(
    wheel="tree_sitter_java",
    kinds={
        "class_declaration": "class",
        "interface_declaration": "interface",
        "enum_declaration": "enum",
        "record_declaration": "record",
        "annotation_type_declaration": "annotation",
        "enum_constant": _constant_kind,
        "method_declaration": "function",
        "constructor_declaration": "function",
        "compact_constructor_declaration": "function",
        "annotation_type_element_declaration": "function",
    },
    blocks=frozenset(
        {
            *("program", "block", "class_body", "interface_body", "annotation_type_body"),
            *("enum_body", "enum_body_declarations", "constructor_body", "switch_block"),
            *("switch_block_statement_group", "module_body"),
        }
    ),
    clauses=frozenset({"catch_clause", "finally_clause", "switch_block_statement_group"}),
    comments=frozenset({"block_comment", "line_comment"}),
    hidden=frozenset({"annotation", "marker_annotation"}),
    docs=("/**", "///"),
    imports="(import_declaration) @import",
    modules=_modules,
)
