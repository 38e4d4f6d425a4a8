"""C#."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from brainkit.parse.grammar import Grammar, block_of, named, text_of
from brainkit.parse.hide import longest_branches

_BLOCKS: Final = frozenset(
    {
        *("compilation_unit", "declaration_list", "block", "accessor_list", "switch_body"),
        *("enum_member_declaration_list", "switch_section"),
        *("preproc_if", "preproc_elif", "preproc_else"),
    }
)


def _name(node: Node) -> str:
    if node.type == "indexer_declaration":
        return "this"
    if node.type == "destructor_declaration":
        return f"~{named(node)}"
    if node.type == "operator_declaration":
        return f"operator {text_of(node.child_by_field_name('operator'))}"
    if node.type == "conversion_operator_declaration":
        return f"operator {text_of(node.child_by_field_name('type'))}"
    return named(node)


def _body(node: Node) -> Node | None:
    return node.child_by_field_name("accessors") or block_of(node, _BLOCKS)


def _modules(statement: Node) -> list[str]:
    # "using Json = Newtonsoft.Json;" names the alias first.
    alias = statement.child_by_field_name("name")
    names = [child for child in statement.named_children if child != alias]
    return [text_of(names[-1])] if names else []


CSHARP: Final = Grammar(
    wheel="tree_sitter_c_sharp",
    kinds={
        "namespace_declaration": "namespace",
        "class_declaration": "class",
        "interface_declaration": "interface",
        "struct_declaration": "struct",
        "record_declaration": "record",
        "enum_declaration": "enum",
        "delegate_declaration": "delegate",
        "method_declaration": "function",
        "constructor_declaration": "function",
        "destructor_declaration": "function",
        "operator_declaration": "function",
        "conversion_operator_declaration": "function",
        "indexer_declaration": "property",
        "property_declaration": "property",
        "event_declaration": "property",
        "local_function_statement": "function",
    },
    blocks=_BLOCKS,
    clauses=frozenset(
        {
            *("catch_clause", "finally_clause", "switch_section"),
            *("preproc_if", "preproc_elif", "preproc_else"),
        }
    ),
    file_scopes=frozenset({"file_scoped_namespace_declaration"}),
    leading=frozenset({"preproc_pragma"}),
    hidden=frozenset({"attribute_list", "preproc_pragma", "preproc_region", "preproc_endregion"}),
    ends=frozenset({"arrow_expression_clause", "constructor_initializer"}),
    name=_name,
    body=_body,
    docs=("///", "/**"),
    retries=(longest_branches,),
    imports="(using_directive) @import",
    modules=_modules,
)
