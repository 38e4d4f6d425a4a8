"""The declarations, statements and expressions in bodies of C and C++, with their scopes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from tree_sitter import Node

from brainkit.extract.code.c_names import Declarator, arguments_of, parts_of, read_declarator
from brainkit.extract.code.c_types import (
    TYPES,
    Types,
    elsewhere,
    is_elsewhere,
    is_value,
    itself,
    through,
)
from brainkit.extract.code.holding import element_of, holder_of
from brainkit.extract.code.model import Collector, Meaning, below
from brainkit.extract.facts import Target
from brainkit.parse.grammar import text_of

_MAKERS: Final = frozenset({"make_unique", "make_shared"})
_CASTS: Final = frozenset(
    {
        *("static_cast", "dynamic_cast", "const_cast", "reinterpret_cast"),
        *("static_pointer_cast", "dynamic_pointer_cast"),
    }
)
_HANDING_ON: Final = frozenset({"move", "forward", "as_const", "ref", "cref"})
_INNER: Final = frozenset(
    {"get", "value", "front", "back", "at", "top", "lock", "release", "data", "value_or"}
)
_KEEPING: Final = frozenset(
    {"begin", "end", "cbegin", "cend", "rbegin", "rend", "find", "lower_bound", "upper_bound"}
)
_REGIONS: Final = (
    *("compound_statement", "if_statement", "for_statement", "while_statement", "do_statement"),
    *("switch_statement", "case_statement", "catch_clause"),
)


class Bodies(Types):
    """Reads what stands inside a definition; a subclass reads the declarations of the file."""

    def __init__(self, collector: Collector, *, nesting: bool) -> None:
        super().__init__(collector, nesting=nesting)
        self._readers: Final[dict[str, Callable[[Node], Meaning]]] = {
            "identifier": self._name,
            "qualified_identifier": self._name,
            "template_function": self._name,
            "this": lambda _: self.this(),
            "field_expression": self._field,
            "call_expression": self._call,
            "new_expression": self._new,
            "cast_expression": lambda node: self._typed(node, "type", "value"),
            "compound_literal_expression": lambda node: self._typed(node, "type", "value"),
            "pointer_expression": self._pointer,
            "subscript_expression": self._subscript,
            "parenthesized_expression": self._last,
            "conditional_expression": self._last,
            "comma_expression": self._last,
            "co_await_expression": self._last,
            "lambda_expression": self._lambda,
            "declaration": self._declaration,
            "for_range_loop": self._for_range,
            "using_declaration": self._local_using,
            "alias_declaration": self._local_type,
            "type_definition": self._local_type,
            **dict.fromkeys(_REGIONS, self._region),
            **dict.fromkeys(("field_designator", "statement_identifier"), lambda _: None),
        }

    # Declarations inside a body

    def declarators(self, node: Node) -> Iterator[Declarator]:
        """Yield what the declarators of a declaration declare."""
        value = node.child_by_field_name("value") or node.child_by_field_name("default_value")
        for one in node.children_by_field_name("declarator"):
            found = read_declarator(one)
            if found is not None:
                yield found if found.value is not None else found._replace(value=value)

    def _declaration(self, node: Node) -> Meaning:
        type_ = node.child_by_field_name("type")
        typed = self.type_of(type_)
        for one in self.declarators(node):
            value = self.value(one.value)
            self._declare(one, value if _is_auto(type_) else typed)
        return None

    def _declare(self, one: Declarator, value: Meaning) -> None:
        if one.name.type == "structured_binding_declarator":
            for name in one.name.named_children:
                self.collector.declare(text_of(name))
        elif one.name.type == "identifier":
            self.collector.declare(text_of(one.name), value)

    def parameters(self, function: Node | None) -> None:
        """Declare the parameters of a function."""
        listed = function.child_by_field_name("parameters") if function is not None else None
        for parameter in listed.named_children if listed is not None else ():
            value = self.type_of(parameter.child_by_field_name("type"))
            for one in self.declarators(parameter):
                self.value(one.value)
                self._declare(one, value)

    def type_parameters(self, template: Node | None) -> None:
        """Declare the parameters of a template: nothing is known of them."""
        for parameter in template.named_children if template is not None else ():
            if parameter.type.endswith("type_parameter_declaration"):
                name = parameter.child_by_field_name("name") or (
                    parameter.named_children[0] if parameter.named_children else None
                )
                self.collector.declare(text_of(name))
                self.type_of(parameter.child_by_field_name("default_type"))
            elif found := read_declarator(parameter.child_by_field_name("declarator")):
                self.collector.declare(text_of(found.name))

    def _local_type(self, node: Node) -> Meaning:
        self.type_of(node.child_by_field_name("type"))
        name = node.child_by_field_name("name")
        found = read_declarator(node.child_by_field_name("declarator"))
        self.collector.declare(text_of(name or (found.name if found else None)))
        return None

    def _local_using(self, node: Node) -> Meaning:
        parts = parts_of(node.named_children[-1]) if node.named_children else []
        if len(parts) > 1 and not any(child.type == "namespace" for child in node.children):
            self.collector.declare(parts[-1], self.meaning(parts))
        return None

    # Statements

    def inside(self, node: Node | None) -> None:
        """Read what a node holds, in the present scope."""
        for child in node.named_children if node is not None else ():
            self.value(child)

    def _region(self, node: Node) -> Meaning:
        with self.collector.scope():
            if node.type == "catch_clause":
                self.parameters(node)
                self.value(node.child_by_field_name("body"))
            else:
                self.inside(node)
        return None

    def _for_range(self, node: Node) -> Meaning:
        held = self.value(node.child_by_field_name("right"))
        with self.collector.scope():
            type_ = node.child_by_field_name("type")
            typed = self.type_of(type_)
            for one in self.declarators(node):
                self._declare(one, _held(held) if _is_auto(type_) else typed)
            self.value(node.child_by_field_name("body"))
        return None

    def _lambda(self, node: Node) -> Meaning:
        with self.collector.scope():
            captures = node.child_by_field_name("captures")
            self.inside(captures)
            self.parameters(node.child_by_field_name("declarator"))
            self.value(node.child_by_field_name("body"))
        return None

    # Expressions

    def value(self, node: Node | None) -> Meaning:
        """Return what an expression is, and note what it refers to."""
        if node is None:
            return None
        if node.type in TYPES:
            self.type_of(node)
            return None
        reader = self._readers.get(node.type)
        if reader is not None:
            return reader(node)
        self.inside(node)
        return None

    def _last(self, node: Node) -> Meaning:
        values = [self.value(child) for child in node.named_children]
        return values[-1] if values else None

    def _typed(self, node: Node, type_: str, value: str) -> Meaning:
        self.value(node.child_by_field_name(value))
        return self.type_of(node.child_by_field_name(type_))

    def _name(self, node: Node) -> Meaning:
        self.type_of(arguments_of(node))
        parts = parts_of(node)
        meaning = self.meaning(parts)
        if meaning is None or is_value(meaning):
            return meaning
        if not parts[-1].endswith("_"):  # a field, as C++ often writes them
            self.refer("uses", meaning, node)
        return self.value_at(meaning)

    def _member(self, node: Node) -> Meaning:
        """Return the member that ``a.b`` and ``a->b`` name."""
        value = self.value(node.child_by_field_name("argument"))
        parts = parts_of(node.child_by_field_name("field"))
        if text_of(node.child_by_field_name("operator")) == "->":
            value = through(value)
        value = itself(value)
        return below(value, parts[-1]) if value is not None and parts else None

    def _field(self, node: Node) -> Meaning:
        member = self._member(node)
        if member is None:
            return None
        plain = Target(member.scope, member.path.replace(".()", ""))
        known = self.value_at(plain)
        return elsewhere(member) if is_elsewhere(known) else known

    def _pointer(self, node: Node) -> Meaning:
        value = self.value(node.child_by_field_name("argument"))
        return through(value) if text_of(node.child_by_field_name("operator")) == "*" else value

    def _subscript(self, node: Node) -> Meaning:
        value = self.value(node.child_by_field_name("argument"))
        self.value(node.child_by_field_name("index") or node.child_by_field_name("indices"))
        return through(value)

    def _new(self, node: Node) -> Meaning:
        value = self.type_of(node.child_by_field_name("type"))
        for field in ("placement", "declarator", "arguments"):
            self.value(node.child_by_field_name(field))
        return value

    def _call(self, node: Node) -> Meaning:
        function = node.child_by_field_name("function")
        given = node.child_by_field_name("arguments")
        arguments = given.named_children if given is not None else []
        if function is None:
            return None
        if function.type == "field_expression":
            return self._method(function, arguments)
        if function.type not in ("identifier", "qualified_identifier", "template_function"):
            value = self.value(function)
            self._arguments(arguments)
            return value if function.type in TYPES else None
        return self._free_call(function, arguments, node)

    def _free_call(self, function: Node, arguments: list[Node], node: Node) -> Meaning:
        parts = parts_of(function)
        templated = arguments_of(function)
        typed = [self.type_of(one) for one in (templated.named_children if templated else ())]
        values = self._arguments(arguments)
        if parts and (parts[0] == "std" or parts[-1] in _CASTS):
            return _of_standard(parts[-1], typed, values)
        callee = self.meaning(parts)
        if callee is None or is_value(callee):
            return None
        self.refer("calls", callee, node)
        of_class = self.known.get(callee.path) in ("class", "struct", "union")
        return below(callee, "()") if of_class else self.value_at(below(callee, "()"))

    def _method(self, function: Node, arguments: list[Node]) -> Meaning:
        inner = function.child_by_field_name("argument")
        arrow = text_of(function.child_by_field_name("operator")) == "->"
        value = self.value(inner)
        parts = parts_of(function.child_by_field_name("field"))
        self._arguments(arguments)
        if value is None or not parts:
            return None
        holds = value.path.endswith("*")
        if holds and not arrow:
            if parts[-1] in _INNER:
                return element_of(value)
            return value if parts[-1] in _KEEPING else None
        value = itself(through(value) if arrow else value)
        if value is None:
            return None
        callee = below(value, parts[-1])
        self.refer("calls", callee, function.child_by_field_name("field") or function)
        result = Target(callee.scope, f"{callee.path.replace('.()', '')}.()")
        known = self.value_at(result)
        return elsewhere(below(callee, "()")) if is_elsewhere(known) else known

    def _arguments(self, nodes: list[Node]) -> list[Meaning]:
        return [self.value(node) for node in nodes]


def _of_standard(name: str, typed: list[Meaning], values: list[Meaning]) -> Meaning:
    """Return what a function of the standard library gives."""
    if name in _MAKERS:
        return holder_of(typed[0]) if typed else None
    if name in _CASTS:
        return typed[0] if typed else None
    return values[0] if name in _HANDING_ON and values else None


def _is_auto(node: Node | None) -> bool:
    return node is not None and node.type == "placeholder_type_specifier"


def _held(value: Meaning) -> Meaning:
    """Return what is looped over; nothing is known of what a class of its own gives."""
    return (
        through(value)
        if value is not None and (is_elsewhere(value) or value.path.endswith("*"))
        else None
    )
