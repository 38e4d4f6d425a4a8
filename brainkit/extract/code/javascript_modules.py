"""Imports and exports of JavaScript and TypeScript modules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tree_sitter import Node

from brainkit.extract.code.javascript_classes import ScriptClasses, joined
from brainkit.extract.code.javascript_names import FUNCTIONS, declared_in, names_in, string_of
from brainkit.extract.code.walker import UNKNOWN, Places, first_of, members_of, rows_of
from brainkit.extract.facts import Target
from brainkit.parse.grammar import named as name_of
from brainkit.parse.grammar import text_of

DEFAULT: Final = "default"
"""Under what a module exports its one value: ``export default``, or ``module.exports =``."""


class ScriptModules(ScriptClasses):
    """Reads what a module takes in and gives out."""

    def statement(self, node: Node, prefix: str, outer: Node) -> None:
        """Read a statement that is in no function."""
        raise NotImplementedError

    def define_value(self, value: Node | None, path: str, outer: Node) -> bool:
        """Define a function, class or object that is assigned to a path; False for others."""
        raise NotImplementedError

    def bind(self, path: str, places: Places) -> None:
        """Say what a path stands for, if that may be in the corpus."""
        exported = self.exported(places) if path == DEFAULT else places
        if exported and not self.is_outside(exported):
            self.collector.bind(path, exported[0])

    def import_(self, statement: Node) -> None:
        """Declare what a statement imports."""
        source = statement.child_by_field_name("source")
        names: list[str] = []
        clause = next((c for c in statement.named_children if c.type.startswith("import_")), None)
        if source is None and clause is not None:
            source = clause.child_by_field_name("source")
        module = self.module_named(string_of(source))
        for child in clause.named_children if clause is not None else ():
            if child.type == "named_imports":
                for specifier in child.named_children:
                    name = name_of(specifier)
                    names.append(name)
                    alias = text_of(specifier.child_by_field_name("alias")) or name
                    self.declare(alias, members_of(module, name))
            elif child.type == "namespace_import":
                self.declare(text_of(first_of(child)), module)
            elif child.type == "identifier" and clause is not None:
                is_require = clause.type == "import_require_clause"
                self._declare_whole(text_of(child), module, is_require)
                names += [] if is_require else [DEFAULT]
        self.imports(module, statement, *names)

    def _declare_whole(self, name: str, module: Places, is_require: bool) -> None:
        if is_require:
            self.required.update(module)
            self.declare(name, module)
        elif module and module[0].path in self.packages:
            self.declare(name, module)
        else:
            self.declare(name, members_of(module, DEFAULT))

    def export(self, node: Node, prefix: str) -> None:
        """Read an export; what it declares is defined."""
        source = node.child_by_field_name("source")
        declaration = node.child_by_field_name("declaration")
        is_default = any(child.type == DEFAULT for child in node.children)
        if source is not None:
            self._reexport(node, self.module_named(string_of(source)))
        elif declaration is not None:
            self.statement(declaration, prefix, node)
            if is_default and name_of(declaration):
                self.bind(DEFAULT, (Target("file", joined(prefix, name_of(declaration))),))
        elif is_default:
            self._export_default(node)
        elif not text_of(node).startswith("export as"):
            for child in node.named_children:
                if child.type == "export_clause":
                    self._export_names(child)
                elif child.type == "identifier":  # export = shelf
                    self.bind(DEFAULT, self.places(child))

    def _export_names(self, clause: Node) -> None:
        for specifier in clause.named_children:
            name = name_of(specifier)
            alias = text_of(specifier.child_by_field_name("alias")) or name
            self.bind(alias, self.variable(name) or UNKNOWN)

    def _reexport(self, node: Node, module: Places) -> None:
        names: list[str] = []
        for child in node.named_children:
            if child.type == "namespace_export":
                self.bind(text_of(first_of(child)), module)
            for specifier in child.named_children if child.type == "export_clause" else ():
                name = name_of(specifier)
                names.append(name)
                alias = text_of(specifier.child_by_field_name("alias")) or name
                self.bind(alias, members_of(module, name))
        if any(child.type == "*" for child in node.children):
            number = 0
            while self.collector.bound(f"*{number}") is not None:
                number += 1
            self.bind(f"*{number}", module)
        self.imports(module, node, *names)

    def _export_default(self, node: Node) -> None:
        value = node.child_by_field_name("value")
        if value is None:
            self.read_below(node)
            return
        path = name_of(value) or DEFAULT
        if value.type in FUNCTIONS or value.type == "class":
            if path != DEFAULT:
                self.bind(DEFAULT, (Target("file", path),))
            self.define_value(value, path, node)
        elif not self.define_value(value, DEFAULT, node):
            self.export_value(value, node)

    def export_value(self, value: Node, outer: Node) -> None:
        """Export what has no name here: a constant called ``default``, unless it is known."""
        places = self.value(value)
        if not places or "()" in places[0].path:
            self.collector.add(DEFAULT, "constant", rows=rows_of(outer))
        self.bind(DEFAULT, places)
        if value.type != "identifier":
            with self.inside(DEFAULT if self.collector.added(DEFAULT) else ""):
                self.read(value)


def exported_names(statements: list[Node]) -> Iterator[str]:
    """Yield the names that a module exports, as they are called in it."""
    for statement in statements:
        if statement.type == "export_statement":
            yield from declared_in([statement])
            for child in statement.named_children:
                for specifier in child.named_children if child.type == "export_clause" else ():
                    yield name_of(specifier)
                if child.type == "identifier":
                    yield text_of(child)
        elif statement.type == "expression_statement":
            assigned = first_of(statement)
            if assigned is not None and text_of(assigned).startswith(("module.exports", "exports")):
                yield from names_in(assigned.child_by_field_name("right"))
