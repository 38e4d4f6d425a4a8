"""The names and types of C and C++: what a value is, as far as a file says so.

A value is the path of its type's instance, ``Shelf.()``, for a pointer too. What holds others, such
as a vector or smart pointer, is as holding.py says. A value that only other files can tell of ends
with ``?`` while the file is read: through a pointer it is ``shelf.next.()[]``, which is bound both
for pointers and for what holds.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from tree_sitter import Node

from brainkit.extract.code.c_names import Place, arguments_of, in_namespace, parts_of
from brainkit.extract.code.holding import bind_value, element_of, holder_of
from brainkit.extract.code.model import Collector, Meaning, below
from brainkit.extract.facts import Target

_SPECIFIERS: Final = frozenset(
    {"struct_specifier", "union_specifier", "enum_specifier", "class_specifier"}
)
TYPES: Final = frozenset(
    {
        *("type_identifier", "template_type", "type_descriptor", "template_argument_list"),
        *("decltype", "dependent_type", "primitive_type", "sized_type_specifier", *_SPECIFIERS),
    }
)
_HOLDERS: Final = frozenset(
    {
        *("unique_ptr", "shared_ptr", "weak_ptr", "optional", "reference_wrapper", "atomic"),
        *("vector", "deque", "list", "forward_list", "array", "set", "unordered_set", "multiset"),
        *("queue", "stack", "priority_queue", "span", "initializer_list", "expected"),
    }
)
_MAPS: Final = frozenset({"map", "unordered_map", "multimap", "unordered_multimap"})
_COMMON: Final = frozenset(
    {
        *("NULL", "nullptr", "true", "false", "stdin", "stdout", "stderr", "errno", "size_t"),
        *("__FILE__", "__LINE__", "__func__", "EOF", "assert", "va_list", "defined", "std"),
    }
)
_MARK: Final = "?"


class Types:
    """Reads names and types.

    place : where the code being read stands. known : paths that the file declares -> kind.
    using : name taken in by ``using ns::name`` -> its path. opened : namespaces taken in whole.
    namespaces : those that the file opens. nesting : whether classes and namespaces hold names.
    """

    def __init__(self, collector: Collector, *, nesting: bool) -> None:
        self.collector = collector
        self.nesting = nesting
        self.place = Place()
        self.known: dict[str, str] = {}
        self.using: dict[str, str] = {}
        self.opened: list[str] = []
        self.namespaces: set[str] = set()

    # Names

    @contextmanager
    def at(self, place: Place) -> Iterator[None]:
        """Read something that stands at a place."""
        before, self.place = self.place, place
        try:
            yield
        finally:
            self.place = before

    def meaning(self, parts: list[str]) -> Meaning:
        """Return what a name stands for; where it may be in several places, all of them."""
        if not parts or parts[0] == "std" or parts[-1] in _COMMON:
            return None
        if len(parts) == 1 and self.collector.scope_now.holder(parts[0]) is not None:
            return self.collector.lookup(parts[0])
        places = [*dict.fromkeys(self._places(parts))]
        sure = next((at for at, path in enumerate(places) if path in self.known), len(places))
        places = places[: sure + 1]
        if len(places) == 1:
            return Target("file", places[0])
        region = "*" + "|".join([self.place.owner or "::".join(self.place.namespaces), *parts])
        region = region.replace(".", ">")
        for number, path in enumerate(places):
            self.collector.bind(f"{region}.{number}", Target("file", path))
        return Target("file", region)

    def _places(self, parts: list[str]) -> Iterator[str]:
        *scopes, name = parts
        if not self.nesting:
            yield name
            return
        if not scopes:
            yield from self.place.outwards(name)
            if name in self.using:
                yield self.using[name]
            yield from (in_namespace((one,), name) for one in self.opened)
            return
        if scopes[0] == "":
            yield "::".join(parts[1:])
            return
        # What stands before the last :: is a class or a namespace.
        outer = [*self.place.outwards("::".join(scopes))]
        if scopes[0] in self.using and len(scopes) == 1:
            outer.append(self.using[scopes[0]])
        outer += [in_namespace((one,), "::".join(scopes)) for one in self.opened]
        for scope in outer:
            yield f"{scope}.{name}"
            if "." not in scope:
                yield f"{scope}::{name}"

    def refer(self, predicate: str, target: Meaning, node: Node, *, subject: str = "") -> None:
        """Note that the definition being read, or another subject, refers to a target."""
        target = itself(target)
        subject = subject or self.collector.scope_now.path
        if target is None or (predicate == "uses" and f"{subject}.".startswith(f"{target.path}.")):
            return
        self.collector.refer(subject, predicate, target, row=node.start_point.row)

    def bind(self, path: str, value: Meaning, *, pointer: bool = False) -> None:
        """Say what a path of the file stands for, and what it is through a pointer."""
        if value is None:
            return
        plain = Target(value.scope, value.path.replace(_MARK, ""))
        bind_value(self.collector, path, plain)
        if pointer and not plain.path.endswith("*"):
            bind_value(self.collector, f"{path}[]", plain)

    def this(self) -> Meaning:
        return Target("file", f"{self.place.owner}.()") if self.place.owner else None

    # Types

    def type_of(self, node: Node | None, *, note: bool = True) -> Meaning:
        """Return a value of a type; ``note`` every type named in it as used."""
        if node is None:
            return None
        kind = node.type
        if kind == "type_descriptor":
            return self.type_of(node.child_by_field_name("type"), note=note)
        if kind in _SPECIFIERS:
            node = node.child_by_field_name("name")
            kind = "type_identifier" if node is not None else kind
        if node is None or kind not in ("type_identifier", "qualified_identifier", "template_type"):
            for child in node.named_children if node is not None else ():
                self.type_of(child, note=note)
            return None
        return self._named_type(node, note=note)

    def _named_type(self, node: Node, *, note: bool) -> Meaning:
        parts = parts_of(node)
        arguments = arguments_of(node)
        held = [
            self.type_of(argument, note=note) if argument.type in TYPES else None
            for argument in (arguments.named_children if arguments is not None else ())
        ]
        if parts[-1:] and held and parts[0] in ("std", parts[-1]):
            if parts[-1] in _HOLDERS:
                return holder_of(held[0])
            if parts[-1] in _MAPS:
                return holder_of(held[1]) if len(held) > 1 else None
        named = self.meaning(parts)
        if named is None or is_value(named):
            return None
        if note:
            self.refer("uses", named, node)
        return below(named, "()")

    def value_at(self, meaning: Target) -> Target:
        """Return the value of a variable, if this file says what it is."""
        known = self.collector.bound(meaning.path)
        if known is not None:
            return known
        held = self.collector.bound(f"{meaning.path}[]")
        if held is not None:
            return holder_of(held) or meaning
        return elsewhere(meaning)


def is_value(meaning: Target) -> bool:
    """Whether a meaning is a value of some type, rather than what a name stands for."""
    return "()" in meaning.path or meaning.path.endswith(("*", _MARK, "[]"))


def itself(value: Meaning) -> Meaning:
    """Return a value whose members can be asked for, as other files may know it."""
    if value is None or value.path.endswith("*"):
        return None
    return Target(value.scope, value.path.replace(_MARK, ""))


def through(value: Meaning) -> Meaning:
    """Return what a pointer points to, or something holds."""
    if value is None:
        return None
    if value.path.endswith("*"):
        return element_of(value)
    if value.path.endswith(_MARK):
        return Target(value.scope, f"{value.path.removesuffix(_MARK)}[]{_MARK}")
    return value


def elsewhere(value: Target) -> Target:
    """Return a value that only other files can tell of."""
    return Target(value.scope, value.path + _MARK)


def is_elsewhere(value: Target) -> bool:
    """Whether only other files can tell of a value."""
    return value.path.endswith(_MARK)
