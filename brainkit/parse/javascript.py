"""JavaScript, TypeScript and TSX: a function may be declared, assigned, or kept in an object."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from tree_sitter import Node

from brainkit.parse.grammar import Grammar, block_of, named, text_of

_FUNCTIONS: Final = frozenset({"arrow_function", "function_expression", "generator_function"})
_BLOCKS: Final = frozenset(
    {
        *("program", "statement_block", "class_body", "interface_body", "enum_body", "object"),
        *("switch_body", "switch_case", "switch_default", "object_type"),
    }
)
_VALUE_FIELDS: Final = ("value", "right")


def _value(node: Node) -> Node | None:
    """Return what a variable, field, property or assignment is given."""
    fields = (node.child_by_field_name(name) for name in _VALUE_FIELDS)
    return next((value for value in fields if value is not None), None)


def _assigned_kind(node: Node) -> str:
    value = _value(node)
    if value is None:
        return ""
    if value.type in _FUNCTIONS:
        target = text_of(node.child_by_field_name("left"))
        return "method" if ".prototype" in target else "function"
    if value.type == "class":
        return "class"
    if value.type == "object" and any(_holds_function(child) for child in value.named_children):
        return "object"
    return ""


def _holds_function(property_: Node) -> bool:
    value = _value(property_)
    return property_.type == "method_definition" or (value is not None and value.type in _FUNCTIONS)


def _default_kind(node: Node) -> str:
    """Return the kind of ``export default`` with a value, which has no name of its own."""
    return _assigned_kind(node) if node.child_by_field_name("value") else ""


def _callback_kind(node: Node) -> str:
    """Return the kind of a function that is an argument: none unless it has a name."""
    return "function" if node.child_by_field_name("name") else ""


def _name(node: Node) -> str:
    if node.type == "export_statement":
        return named(node.child_by_field_name("value") or node) or "default"
    if node.type in ("construct_signature", "call_signature"):
        return "new" if node.type == "construct_signature" else "call"
    target = next(
        (
            target
            for field in ("name", "property", "key", "left")
            if (target := node.child_by_field_name(field)) is not None
        ),
        None,
    )
    name = text_of(target)
    if target is not None and target.type == "string":
        name = name.strip("\"'`")
    if target is not None and target.type in ("member_expression", "subscript_expression"):
        name = name.removeprefix("module.exports.").removeprefix("exports.")
        name = "".join(name.replace(".prototype.", ".").replace(".prototype[", ".[").split())
    return name or "default"


def _body(node: Node) -> Node | None:
    if node.type == "type_alias_declaration":
        value = node.child_by_field_name("value")
        return value if value is not None and value.type == "object_type" else None
    value = _value(node)
    if value is None or node.type == "type_alias_declaration":
        return block_of(node, _BLOCKS)
    return value if value.type == "object" else value.child_by_field_name("body")


JAVASCRIPT: Final = Grammar(
    wheel="tree_sitter_javascript",
    kinds={
        "function_declaration": "function",
        "generator_function_declaration": "function",
        "class_declaration": "class",
        "method_definition": "function",
        "field_definition": _assigned_kind,
        "variable_declarator": _assigned_kind,
        "assignment_expression": _assigned_kind,
        "pair": _assigned_kind,
        "export_statement": _default_kind,
        "function_expression": _callback_kind,
    },
    wrappers=frozenset(
        {
            *("export_statement", "lexical_declaration", "variable_declaration"),
            *("expression_statement", "call_expression", "arguments"),
        }
    ),
    blocks=_BLOCKS,
    clauses=frozenset(
        {"else_clause", "catch_clause", "finally_clause", "switch_case", "switch_default"}
    ),
    scopes=frozenset({"if_statement", "try_statement"}),
    comments=frozenset({"comment", "html_comment"}),
    leading=frozenset({"decorator"}),
    hidden=frozenset({"decorator"}),
    name=_name,
    body=_body,
    imports="""
        [
          (import_statement source: (string) @import)
          (export_statement source: (string) @import)
          ((call_expression
            function: [(identifier) (import)] @function
            arguments: (arguments . (string) @import))
            (#match? @function "^(require|import)$"))
        ]
    """,
)

TYPESCRIPT: Final = replace(
    JAVASCRIPT,
    wheel="tree_sitter_typescript",
    entry="language_typescript",
    kinds={
        **JAVASCRIPT.kinds,
        "public_field_definition": _assigned_kind,
        "abstract_class_declaration": "class",
        "interface_declaration": "interface",
        "type_alias_declaration": "type",
        "enum_declaration": "enum",
        "internal_module": "namespace",
        "module": "namespace",
        "function_signature": "function",
        "method_signature": "function",
        "abstract_method_signature": "function",
        "construct_signature": "function",
    },
    wrappers=JAVASCRIPT.wrappers | {"ambient_declaration"},
    scopes=JAVASCRIPT.scopes | {"ambient_declaration"},
    imports=JAVASCRIPT.imports.replace("[", "[ (import_require_clause (string) @import)", 1),
)

TSX: Final = replace(TYPESCRIPT, entry="language_tsx")
