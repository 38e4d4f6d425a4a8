"""Java: packages, imports, types and their members."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

from tree_sitter import Node

from brainkit.extract.code.classes import Region
from brainkit.extract.code.java_bodies import TYPE_NAMES, JavaBodies
from brainkit.extract.code.model import Collector
from brainkit.extract.code.walker import UNKNOWN, Places, first_of, last_of, parts_in, rows_of
from brainkit.extract.facts import Target
from brainkit.parse.grammar import named as name_of
from brainkit.parse.grammar import text_of

_KINDS: Final = {
    "class_declaration": "class",
    "interface_declaration": "interface",
    "enum_declaration": "enum",
    "record_declaration": "record",
    "annotation_type_declaration": "annotation",
}
_METHODS: Final = frozenset({"method_declaration", "annotation_type_element_declaration"})
_CONSTRUCTORS: Final = frozenset({"constructor_declaration", "compact_constructor_declaration"})
_FIELDS: Final = frozenset({"field_declaration", "constant_declaration"})
_DEFINITIONS: Final = _METHODS | _CONSTRUCTORS | frozenset(_KINDS)


def facts(root: Node, collector: Collector) -> None:
    """Collect what a Java file defines and uses.

    Its module is its package. A constructor counts as its class, and what the file imports is
    imported by its main type, since a package spans many files.
    """
    _Java(collector).file(root)


class _Java(JavaBodies):
    def file(self, root: Node) -> None:
        """Read a whole file."""
        collector = self.collector
        package = next((c for c in root.named_children if c.type == "package_declaration"), None)
        collector.module = text_of(last_of(package)) if package is not None else ""
        collector.module_name = collector.module.rpartition(".")[2] or collector.module_name
        collector.kind = "package"
        tops = [child for child in root.named_children if child.type in _KINDS]
        for top in tops:
            self._find_types(top, "")
        stem = collector.relative.rpartition("/")[2].partition(".")[0]
        main = stem if stem in self.types else next(map(name_of, tops), "")
        self.sees(Target("file", ""))
        with self.inside(main, parameters={}):
            for statement in root.named_children:
                if statement.type == "import_declaration":
                    self._import(statement)
        for top in tops:
            self.read(top)

    def _find_types(self, node: Node, owner: str) -> None:
        path = f"{owner}.{name_of(node)}".lstrip(".")
        self.types[path] = _KINDS[node.type]
        for member in _members(node):
            if member.type in _KINDS:
                self._find_types(member, path)

    def _import(self, statement: Node) -> None:
        whole = any(child.type == "asterisk" for child in statement.named_children)
        static = any(child.type == "static" for child in statement.children)
        names = [c for c in parts_in(statement) if c.type.endswith("identifier")]
        if not names:
            return
        target = Target("name", text_of(names[0]))
        owner, _, name = target.path.rpartition(".")
        if whole:
            self.sees(target)
            if static:
                self.static_classes.append(target)
        else:
            self.imported[name] = (target,)
            if static:
                self.statics[name] = (*self.statics.get(name, ()), target)
        # What is outside the corpus is shown as its package.
        where = owner if static and not whole else target.path
        package = ".".join(part for part in where.split(".") if not part[:1].isupper())
        places = tuple(Target("name", path) for path in (target.path, where, package or where))
        self.refer("imports", places, statement)

    def _type(self, node: Node) -> None:
        name = name_of(node)
        owner = self.regions[-1].path if self.regions else ""
        path = f"{owner}.{name}" if owner else name
        nested = all(region.path for region in self.regions) and self.subject == owner
        if not nested or path not in self.types:
            self.declare_type(name)
            path = ""
        members = [*_members(node)]
        if path:
            first = next((member for member in members if member.type in _DEFINITIONS), None)
            self.collector.add(path, self.types[path], rows=rows_of(node, first))
        inherits = any(c.type.startswith(("super", "extends")) for c in node.named_children)
        self.class_body(node, Region(path, open=inherits))

    def class_body(self, node: Node, region: Region) -> None:
        """Read the heading and the members of a class, be it local or anonymous."""
        members = [*_members(node)]
        components = _parameters(node) if node.type == "record_declaration" else []
        _declare_members(node, members, components, region)
        with self.inside(region.path, region=region, parameters=self._type_parameters(node)):
            self._heading(node, region)
            for component in components:
                places = self.type_places(component.child_by_field_name("type"))
                self.read(component)
                if region.path:
                    self.bind_type(f"{region.path}.{name_of(component)}", places)
                    region.returns.setdefault(name_of(component), set()).add(places)
            for member in members:
                self._member(member, region)
            if region.path:
                self.bind_returns(region)

    def _heading(self, node: Node, region: Region) -> None:
        for child in node.named_children:
            if child.type in ("modifiers", "type_parameters"):
                self.read(child)
            if child.type not in ("superclass", "super_interfaces", "extends_interfaces"):
                continue
            predicate = "implements" if child.type == "super_interfaces" else "inherits"
            for base in _bases(child):
                if region.path:
                    self.refer(predicate, self.type_places(base), base)
                    for part in base.named_children:
                        if part.type not in TYPE_NAMES:
                            self.read(part)
                else:
                    self.read(base)

    def _member(self, node: Node, region: Region) -> None:
        if node.type in _METHODS:
            path = f"{region.path}.{name_of(node)}" if region.path else ""
            if path:
                self.collector.add(path, "method", rows=rows_of(node))
            self._routine(node, path, region)
        elif node.type in _CONSTRUCTORS:
            if region.path:
                self.collector.add(region.path, "class", rows=rows_of(node))
            self._routine(node, region.path, None)
        elif node.type in _FIELDS:
            self._fields(node, region)
        elif node.type == "enum_constant":
            self._enum_constant(node, region)
        else:
            self.read(node)

    def _routine(self, node: Node, path: str, returns_to: Region | None) -> None:
        with self.inside(path, parameters=self._type_parameters(node)):
            if returns_to is not None:
                places = self.type_places(node.child_by_field_name("type"))
                returns_to.returns.setdefault(name_of(node), set()).add(places)
            for parameter in _parameters(node):
                self.declare_typed(parameter)
            name = node.child_by_field_name("name")
            for child in node.named_children:
                if child != name:
                    self.read(child)

    def _fields(self, node: Node, region: Region) -> None:
        type_ = node.child_by_field_name("type")
        modifiers = next((c for c in node.named_children if c.type == "modifiers"), None)
        constant = _is_constant(node)
        for declarator in node.children_by_field_name("declarator"):
            path = f"{region.path}.{name_of(declarator)}" if region.path else ""
            if path and constant:
                self.collector.add(path, "constant", rows=rows_of(node))
            if path and declarator.child_by_field_name("dimensions") is None:
                self.bind_type(path, self.type_places(type_))
            with self.inside(path if constant else "", parameters={}):
                self.read(modifiers)
                self.read(type_)
                self.read(declarator.child_by_field_name("value"))

    def _enum_constant(self, node: Node, region: Region) -> None:
        path = f"{region.path}.{name_of(node)}" if region.path else ""
        enum = (Target("file", region.path),) if path else UNKNOWN
        if path:
            self.collector.add(path, "constant", rows=rows_of(node))
            self.bind_type(path, enum)
        with self.inside(path, parameters={}):
            self.read(node.child_by_field_name("arguments"))
            if node.child_by_field_name("body") is not None:
                self.class_body(node, Region("", base=enum, open=True))

    def _type_parameters(self, node: Node) -> dict[str, Places]:
        """Return the type parameters of a definition, each with its first bound."""
        found: dict[str, Places] = {}
        for child in node.named_children:
            if child.type == "type_parameters":
                for parameter in child.named_children:
                    bounds = [c for c in parameter.named_children if c.type == "type_bound"]
                    names = [c for c in parameter.named_children if c.type in TYPE_NAMES]
                    places = self.type_places(first_of(bounds[0])) if bounds else UNKNOWN
                    found.update((text_of(name), places) for name in names)
        return found

    handlers: ClassVar = {**JavaBodies.handlers, **dict.fromkeys(_KINDS, _type)}


def _declare_members(
    node: Node, members: list[Node], components: list[Node], region: Region
) -> None:
    """Note what a class declares, before anything in it is read."""
    if node.type == "enum_declaration":
        region.methods |= {"values", "valueOf"}
    for component in components:
        region.fields.add(name_of(component))
        region.methods.add(name_of(component))
    for member in members:
        if member.type in _METHODS:
            region.methods.add(name_of(member))
        elif member.type in _FIELDS:
            names = {name_of(one) for one in member.children_by_field_name("declarator")}
            region.fields |= names
            if _is_constant(member):
                region.constants |= names
        elif member.type == "enum_constant":
            region.fields.add(name_of(member))
            region.constants.add(name_of(member))


def _is_constant(field: Node) -> bool:
    modifiers = next((c for c in field.named_children if c.type == "modifiers"), None)
    words = {child.type for child in modifiers.children} if modifiers is not None else set()
    return field.type == "constant_declaration" or words >= {"static", "final"}


def _members(node: Node) -> Iterator[Node]:
    """Yield the members of a class."""
    body = node.child_by_field_name("body") or next(
        (child for child in node.named_children if child.type == "class_body"), None
    )
    for member in body.named_children if body is not None else ():
        if member.type == "enum_body_declarations":
            yield from member.named_children
        else:
            yield member


def _parameters(node: Node) -> list[Node]:
    parameters = node.child_by_field_name("parameters")
    return [
        child
        for child in (parameters.named_children if parameters is not None else ())
        if child.type in ("formal_parameter", "spread_parameter")
    ]


def _bases(clause: Node) -> Iterator[Node]:
    """Yield the types that a class extends or implements."""
    for child in clause.named_children:
        if child.type == "type_list":
            yield from child.named_children
        else:
            yield child
