"""Python: what a module defines, and whom its names mean by the rules of scope."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final, Literal

from tree_sitter import Node

from brainkit.extract.code.model import Collector, Meaning, below
from brainkit.extract.code.python_kinds import is_constant, kind_of
from brainkit.extract.code.python_scopes import (
    REGIONS,
    Bound,
    bindings,
    identifiers,
    is_nothing,
    settled_of,
)
from brainkit.extract.code.python_types import instance, last_name, the_same, type_of
from brainkit.extract.code.python_uses import Uses
from brainkit.extract.facts import Target
from brainkit.parse.grammar import named, text_of

_OF_CLASS: Final = frozenset({"__new__", "__init_subclass__", "__class_getitem__"})
_PLAIN: Final = frozenset(
    {
        *("staticmethod", "classmethod", "abstractmethod", "override", "final"),
        *("property", "cached_property"),
    }
)
"""Decorators that leave what a function returns as it is."""


@dataclass(frozen=True, slots=True)
class _Place:
    """Where definitions go: what kind of region, its path, and the class around it if any."""

    kind: Literal["module", "class", "function"] = "module"
    path: str = ""
    around: Target | None = None

    def path_of(self, name: str) -> str:
        return f"{self.path}.{name}" if self.path else name


@dataclass(slots=True)
class _Attributes:
    """What is assigned to the attributes of a class, by its body and its methods."""

    typed: dict[str, Target] = field(default_factory=dict)
    given: dict[str, list[Meaning]] = field(default_factory=lambda: defaultdict(list))


def facts(root: Node, collector: Collector) -> None:
    """Read a module."""
    _Reader(collector).read(root)


class _Reader(Uses):
    def __init__(self, collector: Collector) -> None:
        super().__init__(collector)
        self.at = _Place()
        self.attributes = _Attributes()
        self.assigned_elsewhere: frozenset[str] = frozenset()

    def read(self, root: Node) -> None:
        bound = [*bindings(root, folder=self.to.folder)]
        self.meanings.open = any(one.name == "*" for one in bound)
        self.assigned_elsewhere = frozenset(_declared_global(root))
        self._bind(bound)
        self.visit(root)

    def _bind(self, bound: Sequence[Bound], *, typed: frozenset[str] = frozenset()) -> None:
        """Declare what a region binds; first what stands for itself, then what must be inferred.

        typed : parameters with an annotation, which holds whatever they are assigned.
        """
        of_name: dict[str, list[Bound]] = {}
        for one in bound:
            of_name.setdefault(one.name, []).append(one)
        for number, star in enumerate(of_name.pop("*", ())):
            if star.target is not None:
                self.to.bind(self.at.path_of(f"*{number}"), star.target)
        settled = {
            name: settled_of(found)
            for name, found in of_name.items()
            if name not in typed and all(one.how != "outer" for one in found)
        }
        for name, one in settled.items():
            self.to.declare(name, self._itself(name, one))
            if one.how == "import" and one.target and self.at.kind != "function":
                self.to.bind(self.at.path_of(name), one.target)
        for name, one in settled.items():
            if one.how not in ("import", "function", "class", "del"):
                self._bind_variable(name, of_name[name])

    def _itself(self, name: str, one: Bound) -> Meaning:
        if one.how == "import":
            return one.target
        # A function inside another is no entity: what it does is done by the outer one.
        hidden = self.at.kind == "function" and one.how != "class"
        return None if hidden or one.how == "del" else Target("file", self.at.path_of(name))

    def _bind_variable(self, name: str, found: Sequence[Bound]) -> None:
        annotation = next((one.annotation for one in found if one.annotation), None)
        meaning = self._type(annotation) if annotation else self._given(found)
        if self.at.kind == "function":
            self.to.declare(name, meaning)
        elif self.at.kind == "class":
            if is_constant(name):
                self._add(name, "constant", found)
            if annotation is None:
                self.attributes.given[name] += [
                    self._value(one) for one in found if not is_nothing(one.value)
                ]
            elif meaning is not None:
                self.attributes.typed[name] = meaning
        elif name == "__all__":
            self._export(found)
        elif name != "_" and any(one.how in ("value", "type") for one in found):
            self._bind_module_variable(name, found, annotation, meaning)

    def _bind_module_variable(
        self, name: str, found: Sequence[Bound], annotation: Node | None, meaning: Meaning
    ) -> None:
        kind = kind_of(name, found[0])
        value = found[0].value
        another_name = (
            kind == "variable"
            and len(found) == 1
            and annotation is None
            and meaning is not None
            and value is not None
            and value.type in ("identifier", "attribute")
        )
        if not another_name:
            self._add(name, kind, found)
        sure = annotation is not None or name not in self.assigned_elsewhere
        if meaning is not None and sure and kind not in ("class", "type"):
            self.to.bind(name, meaning)

    def _given(self, found: Sequence[Bound]) -> Meaning:
        """Return what all the values of a name are, None aside."""
        some = [one for one in found if one.how != "value" or not is_nothing(one.value)]
        return the_same([self._value(one) for one in some])

    def _value(self, one: Bound) -> Meaning:
        meaning = self.meanings.of(one.value)
        if one.how == "entered" and meaning is not None:
            return below(meaning, "__enter__", "()")
        return instance(meaning) if one.how == "caught" else meaning

    def _add(self, name: str, kind: str, found: Sequence[Bound]) -> None:
        for one in found:
            rows = (one.node.start_point.row, one.node.end_point.row + 1)
            self.to.add(self.at.path_of(name), kind, rows=rows)

    def _export(self, found: Sequence[Bound]) -> None:
        """Bind ``__all__.name`` for every name that a star gives, unless the list is computed."""
        names = []
        for one in found:
            node = one.node.parent if one.how == "other" else one.node
            value = one.value or (node.child_by_field_name("right") if node else None)
            if value is None or value.type not in ("list", "tuple"):
                return
            items = [item for item in value.named_children if item.type != "comment"]
            if any(item.type != "string" for item in items):
                return
            names += [text_of(item).strip("\"'") for item in items]
        self.to.bind("__all__", Target("file", ""))
        for name in names:
            self.to.bind(f"__all__.{name}", Target("file", name))

    def _type(self, annotation: Node | None) -> Meaning:
        return type_of(annotation, meaning=self.meanings.of, own=self.at.around)

    @contextmanager
    def _inside(self, place: _Place, attributes: _Attributes) -> Iterator[None]:
        before = self.at, self.subject, self.attributes
        self.at, self.subject, self.attributes = place, place.path, attributes
        self.meanings.around = place.around
        try:
            yield
        finally:
            self.at, self.subject, self.attributes = before
            self.meanings.around = self.at.around

    @contextmanager
    def _as(self, subject: str) -> Iterator[None]:
        before, self.subject = self.subject, subject
        try:
            yield
        finally:
            self.subject = before

    def define(self, node: Node, decorators: list[Node]) -> None:
        """Read a function or class."""
        if node.type == "class_definition":
            self._define_class(node, decorators)
        else:
            self._define_function(node, decorators)

    def _define_class(self, node: Node, decorators: list[Node]) -> None:
        path = self.at.path_of(named(node))
        body = node.child_by_field_name("body") or node
        first = decorators[0] if decorators else node
        member = next((child for child in body.named_children if _defines(child)), None)
        stop = member.start_point.row if member else node.end_point.row + 1
        start = first.start_point.row
        self.to.add(path, "class", rows=(start, max(stop, start + 1)))
        with self._as(path), self.to.scope():
            self._declare_type_parameters(node)
            self._decorate(decorators)
            self._refer_to_bases(node)
        place = _Place("class", path, Target("file", path))
        with self._inside(place, _Attributes()), self.to.scope():
            self._declare_type_parameters(node)
            with self.to.scope(path, inherited=False):
                self._bind([*bindings(body, folder=self.to.folder)])
                self.visit(body)
            self._bind_attributes()

    def _bind_attributes(self) -> None:
        for name, meaning in self.attributes.typed.items():
            self.to.bind(self.at.path_of(name), meaning)
        for name, meanings in self.attributes.given.items():
            if (same := the_same(meanings)) is not None:
                self.to.bind(self.at.path_of(name), same)

    def _refer_to_bases(self, node: Node) -> None:
        held = node.child_by_field_name("superclasses")
        for base in held.named_children if held else ():
            of_what = base.child_by_field_name("value") if base.type == "subscript" else base
            meaning = self.meanings.of(of_what)
            if meaning is not None:
                self.to.refer(self.subject, "inherits", meaning, row=base.start_point.row)
            if base.type == "subscript":
                for argument in base.children_by_field_name("subscript"):
                    self.annotate(argument)
            elif meaning is None or base.type == "call":
                self.visit(base)

    def _define_function(self, node: Node, decorators: list[Node]) -> None:
        name = named(node)
        marks = frozenset(map(_decorator_name, decorators))
        nested = self.at.kind == "function"
        path = self.at.path if nested else self.at.path_of(name)
        first = decorators[0] if decorators else node
        if not nested:
            rows = (first.start_point.row, node.end_point.row + 1)
            self.to.add(path, "method" if self.at.kind == "class" else "function", rows=rows)
        returned = node.child_by_field_name("return_type")
        with self._as(path), self.to.scope() as signature:
            self._decorate(decorators)
            # An annotation sees the names of the class body that it stands in.
            signature.names.update(signature.outer.names if signature.outer else {})
            self._declare_type_parameters(node)
            parameters = self._parameters(node, self._receiver(name, marks))
            result = self._type(returned)
            if returned is not None:
                self.annotate(returned)
        method = self.at.kind == "class"
        with self._inside(_Place("function", path, self.at.around), self.attributes):
            inferred = self._read_body(node, parameters, method=method)
        if returned is None and marks <= _PLAIN:
            result = inferred
        if result is not None and not nested and "overload" not in marks:
            self.to.bind(f"{path}.()", result)
            if any(mark.endswith("property") for mark in marks):
                self.to.bind(path, result)

    def _read_body(self, node: Node, parameters: dict[str, Meaning], *, method: bool) -> Meaning:
        """Read what a function does; return what it gives, as far as all its returns agree."""
        body = node.child_by_field_name("body") or node
        with self.to.scope(self.at.path):
            self._declare_type_parameters(node)
            for name, meaning in parameters.items():
                self.to.declare(name, meaning)
            typed = frozenset(name for name, meaning in parameters.items() if meaning is not None)
            bound = bindings(body, folder=self.to.folder)
            # Whatever a parameter without a type is given, it may keep what it came with.
            own = [one._replace(value=None) if one.name in parameters else one for one in bound]
            self._bind(own, typed=typed)
            done = [*_own(body)]
            if method:
                self._assign_attributes(done)
            self.visit(body)
            return self._returned(done)

    def _receiver(self, name: str, marks: frozenset[str]) -> Meaning:
        """Return what the first parameter is: an instance of the class around, or the class."""
        if self.at.kind != "class" or "staticmethod" in marks:
            return None
        of_class = "classmethod" in marks or name in _OF_CLASS
        return self.at.around if of_class else instance(self.at.around)

    def _parameters(self, node: Node, receiver: Meaning) -> dict[str, Meaning]:
        found: dict[str, Meaning] = {}
        held = node.child_by_field_name("parameters")
        parameters = [one for one in held.named_children if one.type != "comment"] if held else []
        for number, one in enumerate(parameters):
            annotation = one.child_by_field_name("type")
            target = one.child_by_field_name("name") or one
            splat = any(part.type.endswith("splat_pattern") for part in (target, *one.children))
            meaning = None if splat else self._type(annotation)
            for name in identifiers(target):
                found[name] = receiver if number == 0 and not splat and receiver else meaning
            if annotation is not None:
                self.annotate(annotation)
            self.visit(one.child_by_field_name("value"))
        return found

    def _declare_type_parameters(self, node: Node) -> None:
        held = node.child_by_field_name("type_parameters")
        for one in held.named_children if held else ():
            for name in _first_identifier(one):
                self.to.declare(name)

    def _assign_attributes(self, done: Sequence[Node]) -> None:
        for node in done:
            left = node.child_by_field_name("left")
            if node.type != "assignment" or left is None or left.type != "attribute":
                continue
            owner = self.meanings.of(left.child_by_field_name("object"))
            if owner is None or owner not in (self.at.around, instance(self.at.around)):
                continue
            name = text_of(left.child_by_field_name("attribute"))
            annotation, value = node.child_by_field_name("type"), node.child_by_field_name("right")
            if annotation is None:
                if not is_nothing(value):
                    self.attributes.given[name].append(self.meanings.of(value))
            elif (meaning := self._type(annotation)) is not None:
                self.attributes.typed.setdefault(name, meaning)

    def _returned(self, done: Sequence[Node]) -> Meaning:
        if any(node.type == "yield" for node in done):
            return None
        values = [n.named_children[0] for n in done if n.type != "assignment" and n.named_children]
        return the_same([self.meanings.of(value) for value in values if not is_nothing(value)])

    def _decorate(self, decorators: Sequence[Node]) -> None:
        for decorator in decorators:
            for child in decorator.named_children:
                if child.type == "call":
                    for first in self.name(child.child_by_field_name("function")):
                        self.visit(first)
                    self.visit(child.child_by_field_name("arguments"))
                else:
                    self.visit(child)


def _defines(node: Node) -> bool:
    return node.type in ("function_definition", "class_definition", "decorated_definition")


def _decorator_name(decorator: Node) -> str:
    node = next((child for child in decorator.named_children if child.type != "comment"), None)
    if node is not None and node.type == "call":
        node = node.child_by_field_name("function")
    return last_name(node) if node is not None else ""


def _first_identifier(node: Node) -> list[str]:
    stack = [node]
    while stack:
        part = stack.pop()
        if part.type == "identifier":
            return [text_of(part)]
        stack += reversed(part.named_children)
    return []


def _own(body: Node) -> Iterator[Node]:
    """Yield the assignments, returns and yields of a function, without those of regions inside."""
    stack = [body]
    while stack:
        node = stack.pop()
        if node.type in ("assignment", "return_statement", "yield"):
            yield node
        if node.type not in REGIONS:
            stack += reversed(node.named_children)


def _declared_global(root: Node) -> Iterator[str]:
    """Yield the names that functions of the module say are global: they assign to them."""
    stack = [root] if b"global" in (root.text or b"") else []
    while stack:
        node = stack.pop()
        if node.type == "global_statement":
            yield from identifiers(node)
        else:
            stack += node.named_children
