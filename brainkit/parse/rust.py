"""Rust: attributes stand beside what they belong to, methods in impl blocks of their type."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from brainkit.parse.grammar import Grammar, block_of, named, text_of

_BLOCKS: Final = frozenset(
    {
        *("source_file", "block", "declaration_list", "field_declaration_list"),
        *("enum_variant_list", "ordered_field_declaration_list", "match_block"),
    }
)


def _module_kind(node: Node) -> str:
    # "mod reader;" only names another file.
    return "namespace" if node.child_by_field_name("body") else ""


def _name(node: Node) -> str:
    if node.type != "impl_item":
        return named(node)
    found = node.child_by_field_name("type")
    while found is not None:
        inner = found.child_by_field_name("type") or found.child_by_field_name("name")
        if inner is None:
            break
        found = inner
    return text_of(found)


def _body(node: Node) -> Node | None:
    return node if node.type == "macro_definition" else block_of(node, _BLOCKS)


def _modules(statement: Node) -> list[str]:
    """Return the paths of a use, up to the braces: ``std::collections`` of its ``{A, B}``."""
    trees = [statement.child_by_field_name("argument") or statement.child_by_field_name("name")]
    modules = []
    while trees:
        tree = trees.pop()
        if tree is None:
            continue
        if tree.type == "use_list":
            trees += tree.named_children[::-1]
        elif tree.type in ("use_as_clause", "scoped_use_list", "use_wildcard"):
            trees.append(tree.child_by_field_name("path") or next(iter(tree.named_children), None))
        else:
            modules.append("".join(text_of(tree).split()))
    return modules


RUST: Final = Grammar(
    wheel="tree_sitter_rust",
    kinds={
        "function_item": "function",
        "function_signature_item": "function",
        "struct_item": "struct",
        "enum_item": "enum",
        "union_item": "union",
        "trait_item": "trait",
        "impl_item": "impl",
        "mod_item": _module_kind,
        "macro_definition": "macro",
        "type_item": "type",
    },
    blocks=_BLOCKS,
    clauses=frozenset({"else_clause", "match_arm"}),
    scopes=frozenset({"foreign_mod_item"}),
    comments=frozenset({"line_comment", "block_comment"}),
    leading=frozenset({"attribute_item"}),
    hidden=frozenset({"attribute_item"}),
    name=_name,
    body=_body,
    docs=("///", "/**"),
    imports="[(use_declaration) (extern_crate_declaration)] @import",
    modules=_modules,
)
