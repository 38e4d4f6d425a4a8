"""Names in JavaScript and TypeScript: what a region declares, and which module is imported."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from tree_sitter import Node

from brainkit.extract.code.walker import first_of
from brainkit.extract.facts import Target
from brainkit.parse.grammar import named, text_of

FUNCTIONS: Final = frozenset(
    {
        *("arrow_function", "function_expression", "generator_function", "function_declaration"),
        *("generator_function_declaration", "method_definition", "function_signature"),
    }
)
FUNCTION_DECLARATIONS: Final = frozenset(
    {"function_declaration", "generator_function_declaration", "function_signature"}
)
CLASSES: Final = frozenset({"class_declaration", "abstract_class_declaration"})
TYPES: Final = {
    "interface_declaration": "interface",
    "enum_declaration": "enum",
    "type_alias_declaration": "type",
}
VARIABLES: Final = frozenset({"lexical_declaration", "variable_declaration"})
NAMESPACES: Final = frozenset({"internal_module", "module"})

_SUFFIX: Final = re.compile(r"\.(?:d\.)?[cm]?[jt]sx?\Z")
_OF_FOLDER: Final = re.compile(r"(?:\A|/)(?:index|mod)\Z")
_ALIASED: Final = re.compile(r"[@~]/")


class Module(NamedTuple):
    """What a specifier names.

    target : the module. A path ends in a dot, so that no name below it is taken for a file.
    package : whether it is a package as a whole, of which no file of the corpus is known.
    """

    target: Target
    package: bool = False


def module_of(specifier: str, *, relative: str) -> Module | None:
    """Return the module that a specifier names in the file of this path, None if it is not ours.

    >>> module_of("./shelf.js", relative="src/main.ts")
    Module(target=Target(scope='path', path='src.shelf.'), package=False)
    >>> module_of("lodash", relative="src/main.ts")
    Module(target=Target(scope='name', path='lodash'), package=True)
    """
    if specifier.startswith("."):
        path = posixpath.normpath(posixpath.join(posixpath.dirname(relative), specifier))
        if path.startswith(".."):
            return None
        return Module(Target("path", f"{_dotted('' if path == '.' else path)}."))
    if _ALIASED.match(specifier):  # the usual names of the folder with the sources
        return Module(Target("name", f"{_dotted(specifier[2:])}."))
    parts = specifier.removeprefix("node:").split("/")
    if not parts[0] or parts[0].startswith("#"):
        return None
    own = 2 if parts[0].startswith("@") else 1
    package = "/".join(parts[:own])
    if len(parts) <= own:
        return Module(Target("name", package), package=True)
    return Module(Target("name", f"{package}.{_dotted('/'.join(parts[own:]))}."))


def _dotted(path: str) -> str:
    return _OF_FOLDER.sub("", _SUFFIX.sub("", path)).replace("/", ".")


def string_of(node: Node | None) -> str | None:
    """Return the text of a string without anything to fill in."""
    return text_of(node)[1:-1] if node is not None and node.type == "string" else None


def names_in(pattern: Node | None) -> Iterator[str]:
    """Yield the names that a pattern declares."""
    stack = [pattern] if pattern is not None else []
    while stack:
        node = stack.pop()
        if node.type in ("identifier", "shorthand_property_identifier_pattern"):
            yield text_of(node)
        elif node.type in _HOLDERS:
            held = node.child_by_field_name(_HOLDERS[node.type])
            stack += [held] if held is not None else []
        elif node.type in ("object_pattern", "array_pattern", "rest_pattern"):
            stack += node.named_children


def declared_in(statements: list[Node]) -> Iterator[str]:
    """Yield the names that a block declares, wherever they are in it."""
    for statement in statements:
        node = statement
        if node.type in ("export_statement", "ambient_declaration"):
            node = node.child_by_field_name("declaration") or next(
                (child for child in node.named_children if child.type in _DECLARATIONS), node
            )
        if node.type == "expression_statement":
            node = first_of(node) or node
        if node.type in VARIABLES:
            for declarator in node.named_children:
                yield from names_in(declarator.child_by_field_name("name"))
        elif node.type in NAMESPACES:
            yield named(node).partition(".")[0]
        elif node.type in _DECLARATIONS:
            yield named(node)


def hoisted_in(body: Node) -> Iterator[str]:
    """Yield the names of ``var`` in a function, at any depth."""
    stack = [body]
    while stack:
        node = stack.pop()
        if node.type == "variable_declaration":
            for declarator in node.named_children:
                yield from names_in(declarator.child_by_field_name("name"))
        if node.type not in FUNCTIONS:
            stack += node.named_children


def assigned_in(root: Node) -> Iterator[str]:
    """Yield the names that are given another value somewhere in a file."""
    stack = [root]
    while stack:
        node = stack.pop()
        if node.type in ("assignment_expression", "augmented_assignment_expression"):
            yield from names_in(node.child_by_field_name("left"))
        stack += node.named_children


_HOLDERS: Final = {
    "pair_pattern": "value",
    "assignment_pattern": "left",
    "object_assignment_pattern": "left",
}
_DECLARATIONS: Final = FUNCTION_DECLARATIONS | CLASSES | VARIABLES | NAMESPACES | {*TYPES}
