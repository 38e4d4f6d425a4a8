"""What the expressions and types of JavaScript and TypeScript stand for."""

from __future__ import annotations

from typing import ClassVar, Final

from tree_sitter import Node

from brainkit.extract.code.javascript_names import assigned_in, module_of, string_of
from brainkit.extract.code.model import Collector, below
from brainkit.extract.code.walker import (
    UNKNOWN,
    Places,
    Walker,
    first_of,
    last_of,
    members_of,
    parts_in,
)
from brainkit.extract.facts import Target
from brainkit.parse.grammar import text_of

_OF_CONTENT: Final = frozenset(
    {"Promise", "PromiseLike", "Readonly", "Partial", "Required", "NonNullable", "Awaited"}
)
"""Types that have, or will give, the members of their argument."""
_NULLS: Final = frozenset({"null", "undefined", "void"})
_AROUND_TYPES: Final = frozenset(
    {"type_annotation", "parenthesized_type", "readonly_type", "constraint"}
)
_TYPE_NAMES: Final = frozenset({"type_identifier", "nested_type_identifier", "identifier"})


class ScriptValues(Walker):
    """Knows what an expression is, as far as its file can tell.

    required : modules taken as one value: what they export, or the value that is all they export.
    packages : first components of what is imported from packages outside the corpus.
    """

    def __init__(self, collector: Collector, root: Node) -> None:
        super().__init__(collector)
        self.required: set[Target] = set()
        self.packages: set[str] = set()
        self.assigned = frozenset(assigned_in(root))
        self.this_stack: list[Places] = [UNKNOWN]

    def module_named(self, specifier: str | None) -> Places:
        """Return the module that a specifier names."""
        module = module_of(specifier, relative=self.collector.relative) if specifier else None
        if module is None:
            return UNKNOWN
        if module.package:
            self.packages.add(module.target.path)
        return (module.target,)

    def is_outside(self, places: Places) -> bool:
        """Whether something is of a package outside the corpus."""
        heads = {place.path.partition(".")[0] for place in places if place.scope == "name"}
        return bool(heads & self.packages)

    def value(self, node: Node | None) -> Places:
        """Return what an expression is; a required module is the value that it exports."""
        return self.exported(self.places(node))

    def exported(self, places: Places) -> Places:
        """Return required modules as the values that they export."""
        return tuple(below(p, "default") if self._is_whole(p) else p for p in places)

    def _is_whole(self, place: Target) -> bool:
        return place in self.required and place.path not in self.packages

    def member_of(self, places: Places, name: str) -> Places:
        """Return a member, of a required module perhaps of the value that it exports."""
        if name == "prototype":
            return members_of(self.exported(places), "()")
        exported = tuple(below(p, "default", name) for p in places if self._is_whole(p))
        return (*members_of(places, name), *exported)

    def is_parameter(self, name: str) -> bool:
        """Whether a name is that of a type parameter, which may be any type."""
        holder = next((names for names in reversed(self.variables) if name in names), {})
        return f"<{name}>" in holder

    def this(self) -> Places:
        """Return what ``this`` is."""
        return self.this_stack[-1]

    def type_places(self, node: Node | None) -> Places:
        """Return the type that a type names; of a promise, what it will give."""
        while node is not None and node.type in _AROUND_TYPES:
            node = last_of(node)
        if node is None:
            return UNKNOWN
        if node.type == "generic_type":
            name, *rest = parts_in(node)
            arguments = [argument for part in rest for argument in parts_in(part)]
            is_ours = self.variable(text_of(name)) is not None
            gives = text_of(name) in _OF_CONTENT and not is_ours and arguments
            return self.type_places(arguments[0] if gives else name)
        if node.type == "union_type":
            parts = [part for part in parts_in(node) if text_of(part) not in _NULLS]
            return self.type_places(parts[0]) if len(parts) == 1 else UNKNOWN
        return self._type_named(node) if node.type in _TYPE_NAMES else UNKNOWN

    def _type_named(self, node: Node) -> Places:
        head, *rest = text_of(node).split(".")
        places = self.variable(head) or UNKNOWN
        for name in rest:
            places = self.member_of(places, name)
        return self.exported(places)

    def _identifier_value(self, node: Node) -> Places:
        return self.variable(text_of(node)) or UNKNOWN

    def _this_value(self, node: Node) -> Places:
        return self.this()

    def _super_value(self, node: Node) -> Places:
        own = [p for p in self.this() if p.scope == "file" and p.path]
        return tuple(Target("file", f"{p.path.removesuffix('.()')}.super") for p in own)

    def _member_value(self, node: Node) -> Places:
        name = text_of(node.child_by_field_name("property"))
        return self.member_of(self.places(node.child_by_field_name("object")), name)

    def _call_value(self, node: Node) -> Places:
        function = node.child_by_field_name("function")
        module = self.loaded_by(node)
        if module is not None:
            if function is not None and function.type != "import":
                self.required.update(module)
            return module
        return members_of(self.value(function), "()")

    def loaded_by(self, node: Node) -> Places | None:
        """Return the module that a call loads, None if it is any other call."""
        function = node.child_by_field_name("function")
        if function is None or text_of(function) not in ("require", "import"):
            return None
        arguments = node.child_by_field_name("arguments")
        held = parts_in(arguments) if arguments is not None else []
        if len(held) != 1 or self.variable("require") is not None:
            return None
        return self.module_named(string_of(held[0]))

    def _new_value(self, node: Node) -> Places:
        return members_of(self.value(node.child_by_field_name("constructor")), "()")

    def _typed_value(self, node: Node) -> Places:
        if len(parts_in(node)) < 2:  # as const
            return UNKNOWN
        return members_of(self.type_places(last_of(node)), "()")

    def _inner_value(self, node: Node) -> Places:
        return self.places(first_of(node))

    def _assigned_value(self, node: Node) -> Places:
        return self.places(node.child_by_field_name("right"))

    values: ClassVar = {
        "identifier": _identifier_value,
        "this": _this_value,
        "super": _super_value,
        "member_expression": _member_value,
        "call_expression": _call_value,
        "new_expression": _new_value,
        "as_expression": _typed_value,
        "satisfies_expression": _inner_value,
        "parenthesized_expression": _inner_value,
        "non_null_expression": _inner_value,
        "await_expression": _inner_value,
        "assignment_expression": _assigned_value,
    }
