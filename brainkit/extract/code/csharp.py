"""C#: namespaces, usings, types and their members."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar, Final

from tree_sitter import Node

from brainkit.extract.code.classes import Region
from brainkit.extract.code.csharp_bodies import CSharpBodies
from brainkit.extract.code.csharp_values import parts_of, types_in
from brainkit.extract.code.model import Collector
from brainkit.extract.code.walker import UNKNOWN, Places, last_of, parts_in, rows_of
from brainkit.extract.facts import Target
from brainkit.parse.grammar import named as name_of
from brainkit.parse.grammar import text_of

_KINDS: Final = {
    "class_declaration": "class",
    "interface_declaration": "interface",
    "struct_declaration": "struct",
    "record_declaration": "record",
    "enum_declaration": "enum",
    "delegate_declaration": "delegate",
}
_OF_THE_TYPE: Final = frozenset(
    {
        *("constructor_declaration", "destructor_declaration", "operator_declaration"),
        *("conversion_operator_declaration", "indexer_declaration"),
    }
)
"""Members without a name of their own: they count as their type."""
_PROPERTIES: Final = frozenset({"property_declaration", "event_declaration"})
_FIELDS: Final = frozenset({"field_declaration", "event_field_declaration"})
_DEFINITIONS: Final = _OF_THE_TYPE | _PROPERTIES | {"method_declaration", *_KINDS}
_INTERFACE_NAME: Final = re.compile(r"I[A-Z]")
_OF_A_HEADING: Final = frozenset(
    {"attribute_list", "parameter_list", "type_parameter_list", "type_parameter_constraints_clause"}
)


def facts(root: Node, collector: Collector) -> None:
    """Collect what a C# file defines and uses.

    Its module is its namespace: of several, what they have in common. Constructors, operators and
    indexers count as their type, and what the file imports is imported by its first type, since a
    namespace spans many files.
    """
    _CSharp(collector).file(root)


class _CSharp(CSharpBodies):
    def file(self, root: Node) -> None:
        """Read a whole file."""
        tops = [*_types_of(root, "")]
        spaces = [space for space, _ in tops]
        usings = [*_usings(root)]
        named = [*spaces, *(_dotted(last_of(using)) for using in usings)]
        self.roots = {path.partition(".")[0] for path in named}
        module = _common(spaces)
        if tops:
            self.collector.module = module
            self.collector.module_name = module.rpartition(".")[2] or self.collector.module_name
            self.collector.kind = "package"
        tops = [(space[len(module) :].strip("."), node) for space, node in tops]
        for space, node in tops:
            self._add_space(space, node)
            self._find_types(node, space)
        self._see(module, [space for space, _ in tops])
        main = f"{tops[0][0]}.{name_of(tops[0][1])}".strip(".") if tops else ""
        with self.inside(main, parameters={}):
            for using in usings:
                self._using(using)
        for space, node in tops:
            with self.inside(space, region=Region(space) if space else None, parameters={}):
                self._type(node)
        for child in root.named_children:
            if child.type in ("global_statement", "global_attribute"):
                self.read_below(child)

    def _add_space(self, path: str, node: Node) -> None:
        parts = path.split(".") if path else []
        for depth in range(1, len(parts) + 1):
            self.collector.add(".".join(parts[:depth]), "namespace", rows=rows_of(node, node))

    def _see(self, module: str, inner: list[str]) -> None:
        for space in dict.fromkeys((*filter(None, inner), "")):
            self.sees(Target("file", space))
        parts = module.split(".")
        for depth in range(len(parts) - 1, 0, -1):
            self.sees(Target("name", ".".join(parts[:depth])))

    def _find_types(self, node: Node, owner: str) -> None:
        path = f"{owner}.{name_of(node)}".lstrip(".")
        self.types.setdefault(path, _KINDS[node.type])
        for member in _members(node):
            if member.type in _KINDS:
                self._find_types(member, path)

    def _using(self, statement: Node) -> None:
        alias = statement.child_by_field_name("name")
        named = last_of(statement)
        target = Target("name", _dotted(named))
        static = any(child.type == "static" for child in statement.children)
        if alias is not None:
            self.imported[text_of(alias)] = (target,)
        else:
            self.sees(target)
        if static:
            self.static_classes.append(target)
        space = Target("name", target.path.rpartition(".")[0] or target.path)
        places = (target, space) if static or alias is not None else (target,)
        self.refer("imports", places, statement)

    def _type(self, node: Node) -> None:
        owner = self.regions[-1].path if self.regions else ""
        path = f"{owner}.{name_of(node)}".lstrip(".")
        members = [*_members(node)]
        first = next((member for member in members if member.type in _DEFINITIONS), None)
        self.collector.add(path, self.types[path], rows=rows_of(node, first))
        partial = any(text_of(c) == "partial" for c in node.named_children if c.type == "modifier")
        clauses = [child for child in node.named_children if child.type == "base_list"]
        region = Region(path, open=partial or bool(clauses))
        _declare_members(members, region)
        with self.inside(path, region=region, parameters=self._type_parameters(node)):
            self.declare_parameters(node)
            for clause in clauses:
                self._heading(clause, node)
            for child in node.named_children:
                if child.type == "parameter_list" and node.type == "record_declaration":
                    self._components(child, region)
                elif child.type in _OF_A_HEADING:
                    self.read(child)
            if node.type == "delegate_declaration":
                self.read_type(node.child_by_field_name("type"))
            for member in members:
                self._member(member, region)
            self.bind_returns(region)

    def _heading(self, clause: Node, node: Node) -> None:
        place = 0
        for child in clause.named_children:
            if child.type == "argument_list":
                self.read(child)
                continue
            named = child.child_by_field_name("type") or child
            places = self.type_places(named)
            self.refer(_predicate(node, place, self._kind(places, named)), places, child)
            for part in types_in(named):
                self.read_type(part)
            if named != child:
                self.read_below(child, but=named)
            place += 1

    def _kind(self, places: Places, named: Node) -> str:
        """Return whether a type is a class, by its declaration or else by the usual names."""
        declared = self.types.get(places[0].path) if places else None
        usual = "interface" if _INTERFACE_NAME.match(parts_of(named)[-1]) else "class"
        return declared or usual

    def _components(self, parameters: Node, region: Region) -> None:
        for parameter in parameters.named_children:
            self.read(parameter)
            places = self.type_places(parameter.child_by_field_name("type"))
            self.bind_type(f"{region.path}.{name_of(parameter)}", places)

    def _member(self, node: Node, region: Region) -> None:
        if node.type in _KINDS:
            self._type(node)
        elif node.type == "method_declaration":
            path = f"{region.path}.{name_of(node)}"
            self.collector.add(path, "method", rows=rows_of(node))
            self._routine(node, path, region)
        elif node.type in _OF_THE_TYPE:
            self.collector.add(region.path, self.types[region.path], rows=rows_of(node))
            self._routine(node, region.path, None)
        elif node.type in _PROPERTIES:
            path = f"{region.path}.{name_of(node)}"
            self.collector.add(path, "property", rows=rows_of(node))
            self.bind_type(path, self.type_places(node.child_by_field_name("type")))
            self._routine(node, path, None)
        elif node.type in _FIELDS:
            self._fields(node, region)
        elif node.type == "enum_member_declaration":
            self.read(node.child_by_field_name("value"))
        else:
            self.read(node)

    def _routine(self, node: Node, path: str, returns_to: Region | None) -> None:
        with self.inside(path, parameters=self._type_parameters(node)):
            returns = node.child_by_field_name("returns")
            if returns_to is not None:
                places = self.type_places(returns)
                returns_to.returns.setdefault(name_of(node), set()).add(places)
            self.declare_parameters(node)
            types = (returns, node.child_by_field_name("type"))
            name = node.child_by_field_name("name")
            for child in node.named_children:
                if child in types:
                    self.read_type(child)
                elif child != name:
                    self.read(child)

    def _fields(self, node: Node, region: Region) -> None:
        declaration = next((c for c in parts_in(node) if c.type == "variable_declaration"), node)
        type_ = declaration.child_by_field_name("type")
        constant = _is_constant(node)
        for declarator in parts_in(declaration):
            if declarator.type != "variable_declarator":
                continue
            path = f"{region.path}.{name_of(declarator)}"
            if constant:
                self.collector.add(path, "constant", rows=rows_of(node))
            self.bind_type(path, self.type_places(type_))
            with self.inside(path if constant else "", parameters={}):
                self.read_type(type_)
                name = declarator.child_by_field_name("name")
                self.read_below(declarator, but=name)
                self.read_below(node, but=declaration)

    def _type_parameters(self, node: Node) -> dict[str, Places]:
        """Return the type parameters of a definition, each with its first bound."""
        found: dict[str, Places] = {}
        for child in node.named_children:
            if child.type == "type_parameter_list":
                found.update((name_of(parameter), UNKNOWN) for parameter in child.named_children)
        for child in node.named_children:
            if child.type == "type_parameter_constraints_clause":
                name, *constraints = parts_in(child) or [child]
                bounds = [c.child_by_field_name("type") for c in constraints]
                places = [self.type_places(bound) for bound in bounds if bound is not None]
                found[text_of(name)] = next((p for p in places if p), UNKNOWN)
        return found

    def _constraints(self, node: Node) -> None:
        for constraint in parts_in(node)[1:]:
            self.read(constraint)

    handlers: ClassVar = {
        **CSharpBodies.handlers,
        "type_parameter_constraints_clause": _constraints,
    }


def _predicate(node: Node, place: int, kind: str) -> str:
    """Return what a type does to what it names at this place of its bases."""
    if node.type == "interface_declaration":
        return "inherits"
    is_interface = node.type == "struct_declaration" or place > 0 or kind == "interface"
    return "implements" if is_interface else "inherits"


def _declare_members(members: list[Node], region: Region) -> None:
    """Note what a type declares, before anything in it is read."""
    for member in members:
        if member.type == "method_declaration":
            region.methods.add(name_of(member))
        elif member.type in _PROPERTIES:
            region.fields.add(name_of(member))
        elif member.type in _FIELDS:
            names = {
                name_of(declarator)
                for declaration in member.named_children
                for declarator in declaration.named_children
                if declarator.type == "variable_declarator"
            }
            region.fields |= names
            if _is_constant(member):
                region.constants |= names


def _is_constant(field: Node) -> bool:
    words = {text_of(child) for child in field.named_children if child.type == "modifier"}
    return "const" in words or words >= {"static", "readonly"}


def _through_directives(node: Node) -> Iterator[Node]:
    """Yield what a node holds, be it behind a condition of the preprocessor or not."""
    for child in node.named_children:
        if child.type.startswith(("preproc_if", "preproc_el")):
            yield from _through_directives(child)
        else:
            yield child


def _types_of(node: Node, space: str) -> Iterator[tuple[str, Node]]:
    """Yield the types of a file that are not inside another, each with its namespace."""
    for child in _through_directives(node):
        if child.type == "file_scoped_namespace_declaration":
            space = f"{space}.{_dotted(child.child_by_field_name('name'))}".lstrip(".")
        elif child.type == "namespace_declaration":
            inner = f"{space}.{_dotted(child.child_by_field_name('name'))}".lstrip(".")
            body = child.child_by_field_name("body")
            yield from _types_of(body, inner) if body is not None else ()
        elif child.type in _KINDS:
            yield space, child


def _usings(node: Node) -> Iterator[Node]:
    for child in _through_directives(node):
        if child.type == "using_directive":
            yield child
        elif child.type == "namespace_declaration":
            body = child.child_by_field_name("body")
            yield from _usings(body) if body is not None else ()


def _members(node: Node) -> Iterator[Node]:
    body = node.child_by_field_name("body")
    return _through_directives(body) if body is not None else iter(())


def _dotted(node: Node | None) -> str:
    return ".".join(part for part in parts_of(node) if part != "global")


def _common(spaces: list[str]) -> str:
    """Return the namespace that all of these are in.

    >>> _common(["Acme.Store", "Acme.Store.Tests"]), _common(["Acme.Store", "Acme.Stores"])
    ('Acme.Store', 'Acme')
    """
    parts: list[str] = []
    for level in zip(*(space.split(".") for space in spaces), strict=False):
        if len({*level}) > 1:
            break
        parts.append(level[0])
    return ".".join(parts)
