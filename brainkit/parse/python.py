"""Python: documentation is a string in the body, and indentation says what a comment is about."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from brainkit.parse.grammar import Grammar, named, text_of


def _modules(statement: Node) -> list[str]:
    if statement.type == "future_import_statement":
        return ["__future__"]
    if statement.type == "import_from_statement":
        return ["".join(text_of(statement.child_by_field_name("module_name")).split())]
    return [
        named(name) if name.type == "aliased_import" else text_of(name)
        for name in statement.children_by_field_name("name")
    ]


def _docstring(body: Node) -> str:
    first = next((child for child in body.named_children if child.type != "comment"), None)
    if first is None or first.type != "expression_statement":
        return ""
    string = first.named_children[0]
    if string.type != "string" or first.named_child_count > 1:
        return ""
    opening = text_of(string.children[0])
    if set(opening.lower()) & set("bft"):
        return ""
    return "".join(
        text_of(child) for child in string.named_children if child.type == "string_content"
    )


PYTHON: Final = Grammar(
    wheel="tree_sitter_python",
    kinds={"function_definition": "function", "class_definition": "class"},
    wrappers=frozenset({"decorated_definition"}),
    blocks=frozenset({"module", "block"}),
    clauses=frozenset(
        {
            *("elif_clause", "else_clause", "except_clause", "except_group_clause"),
            *("finally_clause", "case_clause"),
        }
    ),
    scopes=frozenset(
        {
            *("if_statement", "for_statement", "while_statement", "try_statement"),
            *("with_statement", "match_statement"),
        }
    ),
    hidden=frozenset({"decorator"}),
    imports="[(import_statement) (import_from_statement) (future_import_statement)] @import",
    modules=_modules,
    docstring=_docstring,
    class_opener=":",
    indented=True,
    error_share_max=0.0,  # after an error, indentation means nothing
)
