"""C and C++: names are inside declarators, and the preprocessor may wrap anything."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from tree_sitter import Node

from brainkit.parse.grammar import Grammar, block_of, text_of
from brainkit.parse.hide import longest_branches, without_macros

_PREPROCESSOR: Final = frozenset(
    {
        *("preproc_if", "preproc_ifdef", "preproc_else", "preproc_elif", "preproc_elifdef"),
        *("preproc_if_in_field_declaration_list", "preproc_else_in_field_declaration_list"),
        *("preproc_ifdef_in_field_declaration_list", "preproc_elif_in_field_declaration_list"),
    }
)
_BLOCKS: Final = _PREPROCESSOR | frozenset(
    {
        *("translation_unit", "compound_statement", "field_declaration_list", "case_statement"),
        *("declaration_list", "enumerator_list", "try_statement"),
    }
)
_TYPES: Final = {
    "struct_specifier": "struct",
    "union_specifier": "union",
    "enum_specifier": "enum",
    "class_specifier": "class",
}
_NAMES: Final = frozenset(
    {
        *("identifier", "field_identifier", "type_identifier", "qualified_identifier"),
        *("operator_name", "destructor_name", "operator_cast", "template_function"),
        *("template_method", "dependent_name"),
    }
)
_ARGUMENTS: Final = re.compile(r"<[^<>]*>")
_OPERATOR: Final = re.compile(r"\boperator\b(.*)", re.DOTALL)


def _declarator(node: Node) -> Node | None:
    """Return the innermost declarator: what a declaration gives a name to."""
    found = node.child_by_field_name("declarator")
    while found is not None and found.type not in _NAMES:
        inner = found.child_by_field_name("declarator")
        if inner is None:
            inner = next(
                (
                    c
                    for c in found.named_children
                    if c.type.endswith("declarator") or c.type in _NAMES
                ),
                None,
            )
        found = inner
    return found


def _plain(name: str) -> str:
    """Return ``ns.Shelf.lend`` for ``ns::Shelf<T>::lend``."""
    operator = _OPERATOR.search(name)
    before, after = (name[: operator.start()], operator[0]) if operator else (name, "")
    while "<" in before:
        shorter = _ARGUMENTS.sub("", before)
        if shorter == before:
            break
        before = shorter
    before = re.sub(r"\btemplate\b|\s", "", before).replace("::", ".").strip(".")
    if re.match(r"operator\s+\w", after):  # a conversion, up to its empty parameters
        after = " ".join(after.partition("(")[0].split())
    else:
        after = "".join(after.split())
    return f"{before}{'.' if before and after and '::' in name else ''}{after}"


def _name(node: Node) -> str:
    own = node.child_by_field_name("name")
    if own is not None:
        return _plain(text_of(own))
    declarator = _declarator(node)
    if declarator is None and node.parent is not None:
        # "typedef struct { ... } place;" has its name outside.
        declarator = _declarator(node.parent)
    if declarator is not None and declarator.type == "operator_cast":
        return _plain(text_of(declarator).partition("(")[0])
    return _plain(text_of(declarator))


def _function_kind(node: Node) -> str:
    declarator = _declarator(node)
    if declarator is None:
        return ""
    # What is qualified outside may be a namespace's, but mostly is a class's.
    return "method" if declarator.type == "qualified_identifier" else "function"


def _prototype_kind(node: Node) -> str:
    """Return the kind of a declaration without a body: of a function, or none."""
    found = node.child_by_field_name("declarator")
    while found is not None and found.type != "function_declarator":
        if not found.type.endswith(("pointer_declarator", "reference_declarator")):
            return ""
        found = found.child_by_field_name("declarator") or next(iter(found.named_children), None)
    if found is None:
        return ""
    target = found.child_by_field_name("declarator")
    if target is None or target.type == "parenthesized_declarator":
        return ""
    return _function_kind(node)


def _type_kind(kind: str) -> Callable[[Node], str]:
    def of(node: Node) -> str:
        return kind if node.child_by_field_name("body") and _name(node) else ""

    return of


def _wrapped_type(node: Node) -> bool:
    inner = node.child_by_field_name("type")
    return inner is not None and inner.type in _TYPES and bool(inner.child_by_field_name("body"))


def _declared_kind(node: Node) -> str:
    """Return "" for a declaration around a type with a body, which is then the definition."""
    return "" if _wrapped_type(node) else _prototype_kind(node)


def _body(node: Node) -> Node | None:
    if node.type == "preproc_function_def":
        return node.child_by_field_name("value")
    return block_of(node, _BLOCKS)


C: Final = Grammar(
    wheel="tree_sitter_c",
    kinds={
        **{node: _type_kind(kind) for node, kind in _TYPES.items()},
        "function_definition": _function_kind,
        "declaration": _declared_kind,
        "field_declaration": _declared_kind,
        "preproc_function_def": "macro",
    },
    wrappers=frozenset(
        {"declaration", "field_declaration", "type_definition", "linkage_specification"}
    ),
    blocks=_BLOCKS,
    clauses=frozenset({"else_clause", "case_statement", "catch_clause"}) | _PREPROCESSOR,
    scopes=frozenset({"linkage_specification"}),
    ends=frozenset({"field_initializer_list", "requires_expression"}),
    name=_name,
    body=_body,
    imports="(preproc_include path: [(string_literal) (system_lib_string)] @import)",
    retries=(without_macros, longest_branches),
)

CPP: Final = replace(
    C,
    wheel="tree_sitter_cpp",
    kinds={
        **C.kinds,
        "namespace_definition": "namespace",
        "concept_definition": "concept",
    },
    wrappers=C.wrappers | {"template_declaration", "friend_declaration"},
    hidden=frozenset({"attribute_declaration"}),
)
