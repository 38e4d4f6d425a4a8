"""What the types and expressions of C# stand for."""

from __future__ import annotations

from typing import ClassVar, Final

from tree_sitter import Node

from brainkit.extract.code.classes import ClassReader
from brainkit.extract.code.walker import UNKNOWN, Places, first_of, last_of, members_of, parts_in
from brainkit.extract.facts import Target
from brainkit.parse.grammar import text_of

_FUTURES: Final = frozenset({"Task", "ValueTask"})
_TYPES_BY_NAME: Final = frozenset({"identifier", "qualified_name", "alias_qualified_name"})
_TRANSPARENT: Final = frozenset(
    {
        *("parenthesized_expression", "await_expression", "postfix_unary_expression"),
        *("checked_expression", "argument", "arrow_expression_clause"),
    }
)


class CSharpValues(ClassReader):
    """Knows what an expression is, as far as its file can tell.

    roots : first components of all namespaces that the file names.
    """

    roots: set[str]

    def type_places(self, node: Node | None) -> Places:
        """Return the type that a node names; of a Task, what it will give."""
        if node is None:
            return UNKNOWN
        if node.type == "generic_name":
            name, arguments = first_of(node), parts_in(node)[1:]
            if text_of(name) in _FUTURES and arguments and parts_in(arguments[0]):
                return self.type_places(first_of(arguments[0]))
            return self.type_named(text_of(name))
        if node.type in ("nullable_type", "ref_type"):
            return self.type_places(node.child_by_field_name("type"))
        if node.type in _TYPES_BY_NAME:
            return self.qualified(parts_of(node))
        return UNKNOWN

    def qualified(self, parts: list[str]) -> Places:
        """Return the type that a dotted name means."""
        if len(parts) > 1 and parts[0] == "global":
            return (Target("name", ".".join(parts[1:])),)
        if len(parts) > 1 and parts[0] in self.roots:
            return (Target("name", ".".join(parts)),)
        places = members_of(self.type_named(parts[0]), *parts[1:])
        is_free = len(parts) > 1 and bool(places) and places[0].path.startswith("*")
        return (*places, Target("name", ".".join(parts))) if is_free else places

    def read_type(self, node: Node | None) -> None:
        """Add the uses of the types that a type names."""
        stack = [node] if node is not None else []
        while stack:
            node = stack.pop()
            parts = parts_of(node)
            is_named = node.type in _TYPES_BY_NAME or node.type == "generic_name"
            if is_named and not self.is_parameter(parts[0]):
                self.refer("uses", self.qualified(parts), node)
            stack += types_in(node)

    def _value_named(self, node: Node) -> Places:
        return self.named(parts_of(node)[0])

    def _self(self, node: Node) -> Places:
        return self.this()

    def _base(self, node: Node) -> Places:
        return tuple(Target("file", f"{r.path}.super") for r in self.regions[-1:] if r.path)

    def _member_access(self, node: Node) -> Places:
        return members_of(self.places(node.child_by_field_name("expression")), member_name(node))

    def _conditional(self, node: Node) -> Places:
        binding = last_of(node)
        if binding is None or binding.type != "member_binding_expression":
            return UNKNOWN
        condition = node.child_by_field_name("condition")
        return members_of(self.places(condition), member_name(binding))

    def _instance(self, node: Node) -> Places:
        return members_of(self.type_places(node.child_by_field_name("type")), "()")

    def _converted(self, node: Node) -> Places:
        return members_of(self.type_places(node.child_by_field_name("right")), "()")

    def _global(self, node: Node) -> Places:
        return self.qualified(parts_of(node))

    def _inner(self, node: Node) -> Places:
        return self.places(last_of(node))

    def named(self, name: str) -> Places:
        """Return what a simple name in an expression means."""
        known = self.variable(name)
        if known is not None:
            return known
        if self.is_field(name):
            return self.member(name, method=False)
        if name in self.roots:
            return (Target("name", name),)
        own = self.member(name, method=False)
        return (*own, *self.type_named(name)) if name[:1].isupper() else own

    def _result(self, node: Node) -> Places:
        function = node.child_by_field_name("function")
        is_member = function is not None and function.type == "member_access_expression"
        if function is not None and is_member and member_name(function) == "ConfigureAwait":
            return self.places(function.child_by_field_name("expression"))
        return members_of(self.called(function), "()")

    def called(self, function: Node | None) -> Places:
        """Return what a call calls."""
        if function is None or function.type not in ("identifier", "generic_name"):
            return self.places(function)
        name = parts_of(function)[0]
        if self.variable(name) is not None or self.is_field(name):
            return UNKNOWN
        return self.member(name, method=True)

    def names_type(self, node: Node | None) -> bool:
        """Whether an expression is the name of a type: a capital that is no variable."""
        if node is None or node.type not in ("identifier", "generic_name"):
            return False
        name = parts_of(node)[0]
        return name[:1].isupper() and self.variable(name) is None and not self.is_field(name)

    values: ClassVar = {
        "identifier": _value_named,
        "generic_name": _value_named,
        "this": _self,
        "base": _base,
        "member_access_expression": _member_access,
        "conditional_access_expression": _conditional,
        "invocation_expression": _result,
        "object_creation_expression": _instance,
        "cast_expression": _instance,
        "default_expression": _instance,
        "as_expression": _converted,
        "alias_qualified_name": _global,
        **dict.fromkeys(_TRANSPARENT, _inner),
    }


def member_name(node: Node) -> str:
    """Return the name of the member that an access is to."""
    return parts_of(node.child_by_field_name("name"))[0]


def types_in(node: Node) -> list[Node]:
    """Return the types that a type is made of: its arguments, elements, or what it is null of."""
    if node.type == "type_argument_list":
        return parts_in(node)
    if node.type in ("generic_name", "qualified_name", "tuple_type"):
        return [part for child in node.named_children for part in types_in(child)]
    return node.children_by_field_name("type")


def parts_of(node: Node | None) -> list[str]:
    """Return the components of a dotted name, without type arguments."""
    if node is None:
        return [""]
    if node.type == "generic_name":
        return [text_of(first_of(node))]
    if node.type == "qualified_name":
        qualifier = node.child_by_field_name("qualifier")
        return [*parts_of(qualifier), *parts_of(node.child_by_field_name("name"))]
    if node.type == "alias_qualified_name":
        return [text_of(node.child_by_field_name("alias")), parts_of(last_of(node))[0]]
    return [text_of(node)]
