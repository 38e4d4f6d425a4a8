"""C and C++: headers and sources, types with their members, functions declared and defined.

A namespace is part of a name and no entity: ``leveldb::DB.Open``. A constructor, destructor or
operator counts as its class.
"""

from __future__ import annotations

import re
from contextlib import ExitStack
from typing import Final, NamedTuple

from tree_sitter import Node

from brainkit.extract.code.c_bodies import Bodies
from brainkit.extract.code.c_includes import included
from brainkit.extract.code.c_names import (
    Declarator,
    Place,
    first_member,
    in_namespace,
    last_of,
    opened_by_macros,
    parts_of,
    result_of,
    without_exports,
)
from brainkit.extract.code.model import Collector, Meaning
from brainkit.extract.facts import Target
from brainkit.parse.bounded import root_of
from brainkit.parse.c import CPP, C
from brainkit.parse.grammar import Grammar, text_of

_KINDS: Final = {
    "class_specifier": "class",
    "struct_specifier": "struct",
    "union_specifier": "union",
    "enum_specifier": "enum",
}
_TESTS: Final = re.compile(r"(?:TYPED_)?TEST(_F|_P)?\Z")
_MACRO: Final = re.compile(r"[A-Z][A-Z0-9_]*\Z")


def facts(root: Node, collector: Collector) -> None:
    """Collect what a file of C defines and uses; header and source are one module."""
    _File(collector, nesting=False).read(_reread(root, collector.text, C))


def cpp_facts(root: Node, collector: Collector) -> None:
    """Collect what a file of C++ defines and uses; header and source are one module."""
    _File(collector, nesting=True).read(_reread(root, collector.text, CPP))


def _reread(root: Node, text: str, grammar: Grammar) -> Node:
    hidden = without_exports(text)
    return root if hidden == text else root_of(hidden, grammar=grammar) or root


class _Later(NamedTuple):
    """A definition whose inside is read when all that the file declares is known."""

    node: Node
    path: str
    place: Place
    templates: tuple[Node, ...] = ()
    declarator: Declarator | None = None


class _File(Bodies):
    def __init__(self, collector: Collector, *, nesting: bool) -> None:
        super().__init__(collector, nesting=nesting)
        self.templates: tuple[Node, ...] = ()
        self.later: list[_Later] = []
        self.stars = 0
        self.unseen = False
        self.opened_by_macros = opened_by_macros(collector.text)

    def read(self, root: Node) -> None:
        self.declarations(root)
        for one in self.later:
            self.inside_of(one)

    # What stands outside bodies

    def declarations(self, node: Node) -> None:
        for child in node.named_children:
            self.declared(child)

    def declared(self, node: Node) -> None:
        kind = node.type
        if kind.startswith(("preproc_if", "preproc_el")) or kind in ("declaration_list", "ERROR"):
            self.declarations(node)
        elif kind == "linkage_specification":
            self.declared(node.child_by_field_name("body") or node)
        elif kind == "preproc_include":
            self.include(node)
        elif kind in ("preproc_def", "preproc_function_def"):
            self.macro(node)
        elif kind == "template_declaration":
            before, self.templates = self.templates, (*self.templates, node)
            self.declarations(node)
            self.templates = before
        elif kind in ("using_declaration", "namespace_alias_definition"):
            self.using_(node)
        elif kind == "expression_statement":
            self.later.append(_Later(node, self.place.owner, self.at_row(node)))
        else:
            with self.at(self.at_row(node)):
                self.definition(node)

    def at_row(self, node: Node) -> Place:
        """Return where a node stands; macros may have opened a namespace around it."""
        row = node.start_point.row
        around = tuple(name for first, stop, name in self.opened_by_macros if first <= row < stop)
        known = self.place.namespaces
        if not around or self.place.owner or known[: len(around)] == around:
            return self.place
        self.namespaces.add("::".join(around))
        return Place((*around, *known))

    def definition(self, node: Node) -> None:
        kind = node.type
        if kind == "namespace_definition":
            self.namespace(node)
        elif kind in _KINDS:
            self.type_(node)
        elif kind in ("type_definition", "alias_declaration"):
            self.alias(node)
        elif kind in ("declaration", "field_declaration", "function_definition"):
            typed = node.child_by_field_name("type")
            anonymous = None
            if typed is not None and typed.child_by_field_name("body") is not None:
                anonymous = self.type_(typed)
            for one in self.declarators(node):
                if one.function is not None:
                    self.function(node, one)
                else:
                    self.variable(node, one, anonymous)

    def include(self, node: Node) -> None:
        targets, outside = included(node, self.collector.relative)
        if outside is not None:
            self.collector.refer("", "imports", *targets, outside, row=node.start_point.row)
        for target in targets:
            self.collector.bind(f"*{self.stars}", target)
            self.stars += 1

    def macro(self, node: Node) -> None:
        name = text_of(node.child_by_field_name("name"))
        value = node.child_by_field_name("value")
        if node.type == "preproc_function_def":
            self.add(name, "macro", node)
        elif value is not None:  # without one it is a guard or a switch
            self.add(name, "constant", node)

    def using_(self, node: Node) -> None:
        parts = parts_of(node.named_children[-1]) if node.named_children else []
        name = "::".join(filter(None, parts))
        if node.type == "namespace_alias_definition":
            self.using[text_of(node.child_by_field_name("name"))] = name
        elif any(child.type == "namespace" for child in node.children):
            self.opened.append(name)
        elif len(parts) > 1 and parts[0] != "std" and not self.place.owner:
            self.using[parts[-1]] = name
            self.collector.bind(self.place.path(parts[-1]), Target("file", name))

    def namespace(self, node: Node) -> None:
        names = parts_of(node.child_by_field_name("name"))
        if any(child.type == "inline" for child in node.children):
            names = []  # its names are those of the namespace around it
        place = Place((*self.place.namespaces, *names))
        self.namespaces.add("::".join(place.namespaces))
        body = node.child_by_field_name("body")
        before = self.unseen
        self.unseen = before or node.child_by_field_name("name") is None
        with self.at(place):
            self.declarations(body if body is not None else node)
        self.unseen = before

    # Types

    def type_(self, node: Node, name: str = "") -> str:
        """Read a type with a body; return its path, "" if it has neither body nor name."""
        body = node.child_by_field_name("body")
        parts = parts_of(node.child_by_field_name("name")) or [name]
        if body is None or not parts[-1]:
            if body is not None:
                self.members(body, node, self.place.owner)
            return ""
        owner = self.place if len(parts) == 1 else self.owner_of(parts[:-1])
        path = owner.path(parts[-1])
        rows = (node.start_point.row, first_member(body))
        self.add(path, _KINDS[node.type], node, rows=rows)
        self.known[path] = _KINDS[node.type]
        with ExitStack() as stack:
            stack.enter_context(self.collector.scope(path))
            self.template_parameters(self.templates)
            self.bases(node, path)
            self.members(body, node, path)
        return path

    def members(self, body: Node, node: Node, path: str) -> None:
        if node.type != "enum_specifier":
            with self.at(Place(self.place.namespaces, path)):
                self.declarations(body)
            return
        scoped = any(child.type in ("class", "struct") for child in node.children)
        with self.at(Place(self.place.namespaces, path) if scoped else self.place):
            for child in body.named_children:
                if child.type == "enumerator":
                    own = self.place.path(text_of(child.child_by_field_name("name")))
                    self.add(own, "constant", child)
                    self.known[own] = "constant"

    def template_parameters(self, templates: tuple[Node, ...]) -> None:
        for template in templates:
            self.type_parameters(template.child_by_field_name("parameters"))

    def bases(self, node: Node, path: str) -> None:
        clause = next((c for c in node.named_children if c.type == "base_class_clause"), None)
        for base in clause.named_children if clause is not None else ():
            parts = parts_of(base)
            if not parts:
                continue
            if parts[0] == "std":
                target: Meaning = Target("name", ".".join(parts))
            else:
                target = self.meaning(parts)
            self.refer("inherits", target, base, subject=path)

    def alias(self, node: Node) -> None:
        typed = node.child_by_field_name("type")
        if node.type == "alias_declaration":
            self.named_type(text_of(node.child_by_field_name("name")), typed, node)
            return
        found = [*self.declarators(node)]
        body = typed.child_by_field_name("body") if typed is not None else None
        path = self.type_(typed, text_of(found[0].name) if found else "") if body and typed else ""
        for one in found:
            name = text_of(one.name)
            if not body:
                self.named_type(name, None if one.function else typed, node)
            elif path and typed is not None and self.place.path(name) != path:
                self.collector.bind(self.place.path(name), Target("file", path))
                self.add(path, self.known[path], typed, rows=(0, 0), alias=name)

    def named_type(self, name: str, typed: Node | None, node: Node) -> None:
        """Add another name of a type."""
        path = self.place.path(name)
        tag = typed.child_by_field_name("name") if typed is not None else None
        if typed is not None and typed.type in _KINDS and text_of(tag) == name:
            self.add(path, _KINDS[typed.type], node)  # "typedef struct shelf shelf;"
            return
        self.add(path, "type", node)
        self.known[path] = "type"
        with self.collector.scope(path):
            self.template_parameters(self.templates)
            value = self.type_of(typed)
            if value is not None and value.path.endswith(".()"):
                named = Target(value.scope, value.path.removesuffix(".()"))
                self.collector.bind(path, named)

    # Variables and functions

    def variable(self, node: Node, one: Declarator, anonymous: str | None) -> None:
        name = text_of(one.name)
        if one.name.type not in ("identifier", "field_identifier"):
            return
        path = self.place.path(name)
        typed = node.child_by_field_name("type")
        if typed is not None and _is_macro(typed):
            return  # "class SHELF_API Shelf;"
        with self.collector.scope(self.place.owner or path):
            self.template_parameters(self.templates)
            value: Meaning = Target("file", f"{anonymous}.()") if anonymous else None
            value = value or self.type_of(typed, note=False)
            self.bind(path, value, pointer=one.pointer)
        words = {text_of(child) for child in node.children}
        fixed = "constexpr" in words or ("const" in words and not one.pointer)
        if not self.place.owner or (fixed and "static" in words) or "constexpr" in words:
            self.add(path, "constant" if fixed else "variable", node)
            self.known[path] = "constant" if fixed else "variable"
        subject = path if self.known.get(path) else self.place.owner
        self.later.append(_Later(node, subject, self.place, self.templates, one))

    def function(self, node: Node, one: Declarator) -> None:
        parts = parts_of(one.name)
        place = self.owner_of(parts[:-1]) if len(parts) > 1 else self.place
        test = _TESTS.match(parts[-1]) if parts else None
        if node.child_by_field_name("type") is None and test:
            self.test(node, one, of_class=bool(test[1]))
            return
        special = not parts or one.name.type in ("destructor_name", "operator_cast")
        special = special or parts[-1].startswith(("operator", "~"))
        owner = place.owner
        if special or (owner and parts[-1] == last_of(owner)):
            path = owner
            if owner and one.name.type == "qualified_identifier":
                self.add(owner, "class", node)
        elif _MACRO.match(parts[-1]) and (
            node.child_by_field_name("type") is None or node.type == "field_declaration"
        ):
            path = owner  # a macro that stands for the head of a function, or an attribute
        else:
            path = place.path(parts[-1])
            self.add(path, "method" if owner else "function", node)
            self.known.setdefault(path, "function")
            with self.collector.scope(path), self.at(place):
                self.template_parameters(self.templates)
                value = self.type_of(result_of(node, one), note=False)
                self.bind(f"{path}.()", value, pointer=one.pointer)
        self.later.append(_Later(node, path, place, self.templates, one))

    def test(self, node: Node, one: Declarator, *, of_class: bool) -> None:
        """Read ``TEST_F(ShelfTest, Lends) {...}``: a member of its fixture."""
        listed = one.function.child_by_field_name("parameters") if one.function else None
        names = [text_of(child) for child in listed.named_children] if listed is not None else []
        if not names:
            return
        suite, *rest = names
        path = ".".join([self.place.path(suite), *rest])
        self.add(path, "function", node)
        place = Place(self.place.namespaces, self.place.path(suite) if of_class else "")
        self.later.append(_Later(node, path, place, declarator=one))

    def owner_of(self, scopes: list[str]) -> Place:
        """Return where ``Shelf`` of ``Shelf::lend`` is, which may be a class or a namespace."""
        here = self.place.namespaces
        joined = "::".join(filter(None, scopes))
        if not joined:
            return Place()
        for depth in range(len(here), -1, -1):
            path = in_namespace(here[:depth], joined)
            outer, _, inner = path.rpartition("::")
            for one in (path, f"{outer}.{inner}"):
                if one in self.known:
                    return Place(here, one)
            if path in self.namespaces:
                return Place((*here[:depth], *filter(None, scopes)))
        *outside, last = filter(None, scopes)
        if outside and outside[-1][:1].isupper():
            return Place(here, f"{in_namespace((*here, *outside[:-1]), outside[-1])}.{last}")
        return Place((*here, *outside), in_namespace((*here, *outside), last))

    # Insides

    def inside_of(self, one: _Later) -> None:
        with ExitStack() as stack:
            stack.enter_context(self.at(one.place))
            stack.enter_context(self.collector.scope(one.path))
            self.template_parameters(one.templates)
            node, found = one.node, one.declarator
            if found is None:
                self.inside(node)
                return
            self.type_of(result_of(node, found))
            if found.function is not None:
                self.parameters(found.function)
            self.value(found.value)
            for child in node.named_children:
                if child.type == "field_initializer_list":
                    self.initializers(child)
            self.value(node.child_by_field_name("body"))

    def initializers(self, node: Node) -> None:
        """Read ``: Base(x), member(y)``; what is initialised is known already."""
        for one in node.named_children:
            for child in one.named_children[1:]:
                self.value(child)

    def add(
        self,
        path: str,
        kind: str,
        node: Node,
        *,
        rows: tuple[int, int] | None = None,
        alias: str = "",
    ) -> None:
        """Add a definition; it may also be called as C++ writes it, or without its namespaces.

        What no other file sees is bound below ``*own``: homes.py joins it to no declaration.
        """
        own = last_of(path)
        aliases = [(alias, 1.0)] if alias else []
        if "::" in path or "." in path:
            written = path.replace(".", "::")
            short = path.rpartition("::")[2] if "::" in path else path
            names = {written, short, short.replace(".", "::")} - {own}
            aliases += [(name, 0.9) for name in sorted(names)]
        static = any(text_of(child) == "static" for child in node.children)
        if self.unseen or (static and not self.place.owner):
            self.collector.bind(f"*own.{path}", Target("file", path))
        rows = rows or (node.start_point.row, node.end_point.row + 1)
        self.collector.add(path, kind, rows=rows, name=own, aliases=aliases)


def _is_macro(specifier: Node) -> bool:
    name = text_of(specifier.child_by_field_name("name"))
    return specifier.type == "class_specifier" and bool(_MACRO.match(name))
