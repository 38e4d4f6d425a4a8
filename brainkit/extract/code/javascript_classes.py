"""Classes, interfaces, types and objects of JavaScript and TypeScript, and their members."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from tree_sitter import Node

from brainkit.extract.code.javascript_bodies import ScriptBodies
from brainkit.extract.code.javascript_names import FUNCTIONS, TYPES
from brainkit.extract.code.model import Collector
from brainkit.extract.code.walker import UNKNOWN, Places, first_of, members_of, parts_in, rows_of
from brainkit.extract.facts import Target
from brainkit.parse.grammar import text_of

_METHODS: Final = frozenset({"method_definition", "method_signature", "abstract_method_signature"})
_FIELDS: Final = frozenset({"public_field_definition", "field_definition"})
_NOTHING: Final = frozenset({"null", "undefined"})


class ScriptClasses(ScriptBodies):
    """Reads what has members.

    constructors : functions used as classes.
    """

    def __init__(self, collector: Collector, root: Node) -> None:
        super().__init__(collector, root)
        self.constructors: set[str] = set()
        self._fields: list[dict[str, set[Places]]] = []

    def define_class(self, node: Node, path: str, outer: Node) -> None:
        """Define a class and its members."""
        members = node.child_by_field_name("body")
        inner = parts_in(members) if members is not None else []
        first = next((member for member in inner if _is_method(member)), None)
        self.collector.add(path, "class", rows=rows_of(outer, first))
        with self.inside(path):
            for child in outer.named_children:
                if child.type == "decorator":
                    self.read(child)
        self.class_body(node, path)

    def class_body(self, node: Node, path: str) -> None:
        """Read a class; without a path, one that no other file can name."""
        own = (Target("file", path),) if path else UNKNOWN
        self.depth += 1
        with self.fields_of(path), self.inside(path), self.block():
            self.type_parameters(node)
            for child in node.named_children:
                if child.type == "class_heritage":
                    self._heritage(child, path)
                elif child.type == "decorator":
                    self.read(child)
            decorators: list[Node] = []
            body = node.child_by_field_name("body")
            for member in body.named_children if body is not None else ():
                if member.type == "decorator":
                    decorators.append(member)
                    continue
                self._member(member, own, decorators)
                decorators = []
        self.depth -= 1

    @contextmanager
    def fields_of(self, path: str) -> Iterator[None]:
        """Read a class, and bind the fields that are only ever given one thing."""
        self._fields.append({})
        yield
        fields = self._fields.pop()
        for name, found in fields.items() if path else ():
            places = found.pop() if len(found) == 1 else UNKNOWN
            if places:
                self.collector.bind(f"{path}.{name}", places[0])

    def _heritage(self, heritage: Node, path: str) -> None:
        for clause in parts_in(heritage):
            if clause.type == "extends_clause":
                self._base("inherits", clause.child_by_field_name("value"), path)
                self.read(clause.child_by_field_name("type_arguments"))
            elif clause.type == "implements_clause":
                for base in parts_in(clause):
                    self._base("implements", base, path)
            else:
                self._base("inherits", clause, path)

    def _base(self, predicate: str, base: Node | None, path: str) -> None:
        if base is None:
            return
        head = (first_of(base) if base.type == "generic_type" else None) or base
        is_type = head.type in ("type_identifier", "nested_type_identifier")
        places = self.type_places(head) if is_type else self.value(head)
        if not path or head.type in ("call_expression", "class"):
            self.read(base)
            return
        self.refer(predicate, self._outside(places), base)
        if head != base:
            self.read_below(base, but=head)

    def _outside(self, places: Places) -> Places:
        """Return a base as those who use its package write it."""
        return tuple(
            Target(p.scope, p.path.replace("..", ".")) if p.scope == "name" else p for p in places
        )

    def _member(self, node: Node, own: Places, decorators: list[Node]) -> None:
        name = member_name(node)
        path = f"{own[0].path}.{name}" if own and name else ""
        static = any(child.type == "static" for child in node.children)
        this = own if static else members_of(own, "()")
        value = node.child_by_field_name("value")
        if node.type in _METHODS:
            self._method(node, path, this, decorators)
            self._bind_getter(node, path)
        elif node.type in _FIELDS and value is not None and value.type in FUNCTIONS:
            self._method(value, path, this, [*decorators, *_decorators(node)], outer=node)
        elif node.type in _FIELDS:
            self._field(node, path, this, decorators)
        else:
            self.this_stack.append(own)
            self.read(node)
            self.this_stack.pop()

    def _method(
        self,
        node: Node,
        path: str,
        this: Places,
        decorators: list[Node],
        *,
        outer: Node | None = None,
    ) -> None:
        if path:
            self.collector.add(path, "method", rows=rows_of(outer or node))
        with self.inside(path):
            for decorator in decorators:
                self.read(decorator)
        self.function(node, path, this=this)
        parameters = node.child_by_field_name("parameters")
        for parameter in parameters.named_children if parameters is not None else ():
            pattern = parameter.child_by_field_name("pattern")
            words = {child.type for child in parameter.children}
            if words & {"accessibility_modifier", "readonly"} and pattern is not None:
                places = self.type_places(parameter.child_by_field_name("type"))
                self._note_field(text_of(pattern), members_of(places, "()"))

    def _bind_getter(self, node: Node, path: str) -> None:
        returns = node.child_by_field_name("return_type")
        if path and any(child.type == "get" for child in node.children):
            places = self.type_places(returns)
            if places:
                self.collector.bind(path, members_of(places, "()")[0])

    def _field(self, node: Node, path: str, this: Places, decorators: list[Node]) -> None:
        name = member_name(node)
        value = node.child_by_field_name("value")
        static = any(child.type == "static" for child in node.children)
        if path and static and name.isupper():
            self.collector.add(path, "constant", rows=rows_of(node))
        self.this_stack.append(this)
        for decorator in decorators:
            self.read(decorator)
        with self.inside(path if self.collector.added(path) else ""):
            self.read_below(node)
            typed = node.child_by_field_name("type")
            places = members_of(self.type_places(typed), "()") if typed else self.value(value)
        self.this_stack.pop()
        if path and typed is not None and places:
            self.collector.bind(path, places[0])
        elif typed is None and value is not None and value.type not in _NOTHING:
            self._note_field(name, places)

    def assign_field(self, left: Node, value: Node | None) -> None:
        """Note what ``this.name`` is given in a class."""
        object_ = left.child_by_field_name("object")
        if not self._fields or object_ is None or object_.type != "this" or value is None:
            return
        this = self.this()
        if this and this[0].path.endswith("()") and value.type not in _NOTHING:
            self._note_field(text_of(left.child_by_field_name("property")), self.value(value))

    def _note_field(self, name: str, places: Places) -> None:
        self._fields[-1].setdefault(name, set()).add(places)

    def define_type(self, node: Node, path: str, outer: Node) -> None:
        """Define an interface, an enum or a type with a name."""
        value = node.child_by_field_name("value")
        body = node.child_by_field_name("body") or value
        inner = parts_in(body) if body is not None else []
        first = next((member for member in inner if member.type in _METHODS), None)
        self.collector.add(path, TYPES[node.type], rows=rows_of(outer, first))
        with self.inside(path), self.block():
            self.type_parameters(node)
            for child in node.named_children:
                if child.type in ("extends_type_clause", "extends_clause"):
                    for base in parts_in(child):
                        self._base("inherits", base, path)
            if value is not None and value.type != "object_type":
                self.read(value)
                places = self.type_places(value)
                if places:
                    self.collector.bind(path, places[0])
                return
            for member in inner:
                self._signature(member, path)

    def _signature(self, node: Node, owner: str) -> None:
        name = member_name(node)
        path = f"{owner}.{name}" if name else ""
        if node.type in _METHODS:
            self._method(node, path, members_of((Target("file", owner),), "()"), [])
        elif node.type == "property_signature":
            self.read_below(node, but=node.child_by_field_name("name"))
            places = self.type_places(node.child_by_field_name("type"))
            if path and places:
                self.collector.bind(path, members_of(places, "()")[0])
        else:
            self.read_below(node, but=node.child_by_field_name("name"))

    def object_members(self, node: Node, path: str, *, this: Places) -> None:
        """Define the members of an object; without a path, those of the module."""
        for child in node.named_children:
            name = member_name(child)
            at = joined(path, name)
            value = child.child_by_field_name("value")
            if name and child.type == "method_definition":
                self._method(child, at, this, [])
            elif name and value is not None and value.type in FUNCTIONS:
                self._method(value, at, this, [], outer=child)
            elif name and value is not None and value.type == "object" and holds_function(value):
                self.collector.add(at, "object", rows=rows_of(child, value))
                self.object_members(value, at, this=(Target("file", at),))
            else:
                with self.inside(path):
                    self.read(child)
                places = self.value(value) if value is not None else UNKNOWN
                if child.type == "shorthand_property_identifier":
                    at, places = joined(path, text_of(child)), self.variable(text_of(child)) or ()
                if places and (name or value is None):
                    self.collector.bind(at, places[0])


def joined(owner: str, name: str) -> str:
    """Return a name below its owner's."""
    return f"{owner}.{name}" if owner and name else owner or name


def holds_function(node: Node) -> bool:
    """Whether an object has methods."""
    return any(
        child.type == "method_definition"
        or ((value := child.child_by_field_name("value")) is not None and value.type in FUNCTIONS)
        for child in node.named_children
    )


def member_name(node: Node) -> str:
    """Return the name of a member, "" if it is computed."""
    for field in ("name", "property", "key"):
        name = node.child_by_field_name(field)
        if name is not None:
            is_plain = name.type in ("property_identifier", "private_property_identifier")
            is_word = name.type == "string" and text_of(name)[1:-1].isidentifier()
            return text_of(name).strip("\"'") if is_plain or is_word else ""
    return ""


def _is_method(member: Node) -> bool:
    value = member.child_by_field_name("value")
    return member.type in _METHODS or (value is not None and value.type in FUNCTIONS)


def _decorators(node: Node) -> Iterator[Node]:
    return (child for child in node.named_children if child.type == "decorator")
