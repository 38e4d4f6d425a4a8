"""The types, statements and expressions of Go, with its scopes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tree_sitter import Node

from brainkit.extract.code.holding import bind_value, element_of, holder_of, itself
from brainkit.extract.code.model import Collector, Meaning, below
from brainkit.extract.facts import Target
from brainkit.parse.grammar import text_of

_PREDECLARED: Final = frozenset(
    {
        *("any", "bool", "byte", "comparable", "complex64", "complex128", "error", "float32"),
        *("float64", "int", "int8", "int16", "int32", "int64", "rune", "string", "uint", "uint8"),
        *("uint16", "uint32", "uint64", "uintptr", "true", "false", "iota", "nil", "append"),
        *("cap", "clear", "close", "complex", "copy", "delete", "imag", "len", "make", "max"),
        *("min", "new", "panic", "print", "println", "real", "recover", "_"),
    }
)
_HOLDERS: Final = {
    "slice_type": "element",
    "array_type": "element",
    "implicit_length_array_type": "element",
    "map_type": "value",
    "channel_type": "value",
}
_TYPES: Final = frozenset(
    {
        *("type_identifier", "qualified_type", "pointer_type", "generic_type", "function_type"),
        *("struct_type", "interface_type", "parenthesized_type", *_HOLDERS),
    }
)
_REGIONS: Final = (
    *("block", "for_statement", "if_statement", "expression_switch_statement"),
    *("expression_case", "default_case", "communication_case"),
)
_PASSING: Final = frozenset({"argument_list", "literal_element"})
_RESULTS_MAX: Final = 4


class Bodies:
    """Reads what stands inside a definition; a subclass reads the definitions.

    An import is the hidden name ``*books``; ``*books.0``, ``*books.1``, ... are bound to the places
    where its package may be.
    fields : paths of the fields that are known to be no methods.
    """

    def __init__(self, collector: Collector) -> None:
        self.collector = collector
        self.fields: set[str] = set()
        self._readers: Final[dict[str, Callable[[Node], Meaning]]] = {
            "identifier": self._name,
            "selector_expression": self._selector,
            "call_expression": self._call,
            "type_conversion_expression": self._conversion,
            "composite_literal": self._literal,
            "keyed_element": self._keyed,
            "unary_expression": self._unary,
            "parenthesized_expression": lambda node: self.value(node.named_children[-1]),
            "type_assertion_expression": self._assertion,
            "index_expression": self._index,
            "slice_expression": self._slice,
            "func_literal": self._function_value,
            "short_var_declaration": self._short_declaration,
            "var_spec": self._variables,
            "const_spec": self._constants,
            "type_spec": self._type,
            "type_alias": self._type,
            "range_clause": self._range,
            "receive_statement": self._receive,
            "type_switch_statement": self._type_switch,
            **dict.fromkeys(_REGIONS, self._region),
        }

    # Names

    def meant(self, name: str) -> Meaning:
        """Return what a name without a package stands for; another file may declare it."""
        free = None if name in _PREDECLARED else Target("file", name)
        return self.collector.lookup(name, free=free)

    def refer(self, predicate: str, target: Meaning, node: Node, *, subject: str = "") -> None:
        """Note that the definition being read, or another subject, refers to a target."""
        target = itself(target)
        subject = subject or self.collector.scope_now.path
        if target is None or (predicate == "uses" and f"{subject}.".startswith(f"{target.path}.")):
            return
        self.collector.refer(subject, predicate, target, row=node.start_point.row)

    def bind(self, path: str, value: Meaning) -> None:
        """Say what a path of the package stands for."""
        bind_value(self.collector, path, value)

    # Types

    def named_type(self, node: Node | None) -> Meaning:
        """Return what the name of a type stands for; None for a type without a name."""
        while node is not None and node.type in ("pointer_type", "generic_type"):
            node = node.child_by_field_name("type") or node.named_children[-1]
        if node is None:
            return None
        if node.type == "qualified_type":
            package = self.collector.lookup(text_of(node.child_by_field_name("package")))
            if package is None or not package.path.startswith("*"):
                return None
            return below(package, text_of(node.child_by_field_name("name")))
        named = self.meant(text_of(node)) if node.type == "type_identifier" else None
        # shelves[first](x) reads like a generic type.
        return None if named is None or named.path.endswith((")", "*", "]")) else named

    def type_of(self, node: Node | None) -> Meaning:
        """Return a value of a type, and note every type named in it."""
        if node is None:
            return None
        kind = node.type
        if kind in _HOLDERS:
            self.type_of(node.child_by_field_name("key"))
            return holder_of(self.type_of(node.child_by_field_name(_HOLDERS[kind])))
        if kind in ("pointer_type", "parenthesized_type"):
            return self.type_of(node.named_children[-1])
        if kind == "generic_type":
            self.type_of(node.child_by_field_name("type_arguments"))
            return self.type_of(node.child_by_field_name("type"))
        if kind in ("type_identifier", "qualified_type"):
            named = self.named_type(node)
            self.refer("uses", named, node)
            return named and below(named, "()")
        for child in node.named_children:
            self.type_of(child)
        return None

    def type_parameters(self, node: Node) -> None:
        """Declare the type parameters of a definition: nothing is known of them."""
        parameters = node.child_by_field_name("type_parameters")
        declared = parameters.named_children if parameters is not None else []
        for parameter in declared:
            for name in names_of(parameter):
                self.collector.declare(name)
        for parameter in declared:
            self.type_of(parameter.child_by_field_name("type"))

    def signature(self, node: Node) -> list[Meaning]:
        """Declare the parameters of a function; return its results."""
        self._parameters(node.child_by_field_name("parameters"))
        result = node.child_by_field_name("result")
        if result is not None and result.type == "parameter_list":
            return self._parameters(result)
        return [self.type_of(result)]

    def _parameters(self, node: Node | None) -> list[Meaning]:
        values: list[Meaning] = []
        declared: list[tuple[str, Meaning]] = []
        for parameter in node.named_children if node is not None else ():
            value = self.type_of(parameter.child_by_field_name("type"))
            if parameter.type == "variadic_parameter_declaration":
                value = holder_of(value)
            names = names_of(parameter)
            values += [value] * max(1, len(names))
            declared += [(name, value) for name in names]
        for name, value in declared:
            self.collector.declare(name, value)
        return values

    # Statements

    def inside(self, node: Node | None) -> Meaning:
        """Read what a node holds, in the present scope."""
        for child in node.named_children if node is not None else ():
            self.value(child)
        return None

    def _region(self, node: Node) -> Meaning:
        with self.collector.scope():
            return self.inside(node)

    def _declare(self, names: Node | None, values: list[Meaning]) -> None:
        for at, name in enumerate(names.named_children if names is not None else ()):
            if name.type == "identifier":
                self.collector.declare(text_of(name), nth(values, at))

    def _short_declaration(self, node: Node) -> Meaning:
        values = self.values(node.child_by_field_name("right"))
        self._declare(node.child_by_field_name("left"), values)
        return None

    def _variables(self, node: Node) -> Meaning:
        declared = node.child_by_field_name("type")
        type_ = self.type_of(declared)
        values = self.values(node.child_by_field_name("value"))
        for at, name in enumerate(names_of(node)):
            self.collector.declare(name, nth(values, at) if declared is None else type_)
        return None

    def _constants(self, node: Node) -> Meaning:
        self.values(node.child_by_field_name("value"))
        for name in names_of(node):
            self.collector.declare(name)
        return None

    def _type(self, node: Node) -> Meaning:
        self.collector.declare(text_of(node.child_by_field_name("name")))
        with self.collector.scope():
            self.type_parameters(node)
            return self.type_of(node.child_by_field_name("type"))

    def _range(self, node: Node) -> Meaning:
        element = element_of(self.value(node.child_by_field_name("right")))
        if any(child.type == ":=" for child in node.children):
            self._declare(node.child_by_field_name("left"), [None, element])
        return None

    def _receive(self, node: Node) -> Meaning:
        value = self.value(node.child_by_field_name("right"))
        if any(child.type == ":=" for child in node.children):
            self._declare(node.child_by_field_name("left"), [value])
        return None

    def _type_switch(self, node: Node) -> Meaning:
        name = text_of(node.child_by_field_name("alias"))
        with self.collector.scope():
            self.value(node.child_by_field_name("initializer"))
            self.value(node.child_by_field_name("value"))
            for case in node.named_children:
                if case.type in ("type_case", "default_case"):
                    self._type_case(case, name)
        return None

    def _type_case(self, case: Node, name: str) -> None:
        with self.collector.scope():
            types = [one for one in case.children_by_field_name("type") if one.is_named]
            values = [self.type_of(type_) for type_ in types]
            if name:
                self.collector.declare(name, values[0] if len(values) == 1 else None)
            for child in case.named_children:
                if child not in types:
                    self.value(child)

    # Expressions

    def value(self, node: Node | None) -> Meaning:
        """Return what an expression is, and note what it refers to."""
        if node is None:
            return None
        if node.type in _TYPES:
            self.type_of(node)
            return None
        return self._readers.get(node.type, self.inside)(node)

    def values(self, node: Node | None) -> list[Meaning]:
        """Return the values of a list; of one call, all that it may return."""
        nodes = node.named_children if node is not None else []
        values = self._all(nodes)
        first = values[0] if len(values) == 1 else None
        if first is not None and first.path.endswith(".()") and nodes[0].type == "call_expression":
            others = range(1, _RESULTS_MAX)
            return [first, *(Target(first.scope, f"{first.path}{at}") for at in others)]
        return values

    def _name(self, node: Node) -> Meaning:
        meaning = self.meant(text_of(node))
        if meaning is not None and meaning.scope == "file" and meaning.path == text_of(node):
            self.refer("uses", meaning, node)
        return meaning

    def _selector(self, node: Node) -> Meaning:
        meaning = self._member(node)
        parent = node.parent
        passed = parent is not None and parent.type in _PASSING
        # A member of a value is mostly a field; where it is handed on, it may be a method.
        if meaning is not None and meaning.path.replace(".()", "") in self.fields:
            return meaning
        if meaning is not None and (passed or "()" not in meaning.path):
            self.refer("uses", meaning, node)
        return meaning

    def _member(self, node: Node) -> Meaning:
        operand = itself(self.value(node.child_by_field_name("operand")))
        return operand and below(operand, text_of(node.child_by_field_name("field")))

    def _callee(self, node: Node | None) -> Meaning:
        if node is not None and node.type == "selector_expression":
            return itself(self._member(node))
        if node is not None and node.type == "identifier":
            return itself(self.meant(text_of(node)))
        return itself(self.value(node))

    def _call(self, node: Node) -> Meaning:
        function = node.child_by_field_name("function")
        arguments = node.child_by_field_name("arguments")
        given = arguments.named_children if arguments is not None else []
        name = text_of(function)
        if name in ("new", "make") and given and self.collector.scope_now.holder(name) is None:
            type_ = self.type_of(given[0])
            self._all(given[1:])
            return type_
        if name == "append" and given and self.collector.scope_now.holder(name) is None:
            return self._all(given)[0]
        if function is not None and function.type == "index_expression":
            self.value(function.child_by_field_name("index"))
            function = function.child_by_field_name("operand")  # Map[int](x)
        callee = self._callee(function)
        self._all(given)
        if function is not None and function.type == "parenthesized_expression":
            return callee and below(callee, "()")  # (*Shelf)(x) converts
        self.refer("calls", callee, node)
        return callee and below(callee, "()")

    def _all(self, nodes: list[Node]) -> list[Meaning]:
        return [self.value(node) for node in nodes]

    def _conversion(self, node: Node) -> Meaning:
        # Map[int](x) reads like a conversion, and may be a call.
        type_ = node.child_by_field_name("type")
        named = self.named_type(type_)
        if type_ is None or type_.type != "generic_type" or named is None:
            value = self.type_of(type_)
        else:
            self.type_of(type_.child_by_field_name("type_arguments"))
            self.refer("calls", named, node)
            value = below(named, "()")
        self.value(node.child_by_field_name("operand"))
        return value

    def _literal(self, node: Node) -> Meaning:
        value = self.type_of(node.child_by_field_name("type"))
        self.inside(node.child_by_field_name("body"))
        return value

    def _keyed(self, node: Node) -> Meaning:
        # The key of a struct's field is a name of its own, that of a map may be a constant.
        key = node.child_by_field_name("key")
        if key is not None and key.named_children and key.named_children[0].type != "identifier":
            self.value(key)
        return self.value(node.child_by_field_name("value"))

    def _unary(self, node: Node) -> Meaning:
        value = self.value(node.child_by_field_name("operand"))
        received = text_of(node.child_by_field_name("operator")) == "<-"
        return element_of(value) if received else value

    def _assertion(self, node: Node) -> Meaning:
        self.value(node.child_by_field_name("operand"))
        return self.type_of(node.child_by_field_name("type"))

    def _index(self, node: Node) -> Meaning:
        value = self.value(node.child_by_field_name("operand"))
        self.value(node.child_by_field_name("index"))
        return element_of(value)

    def _slice(self, node: Node) -> Meaning:
        value = self.value(node.child_by_field_name("operand"))
        for field in ("start", "end", "capacity"):
            self.value(node.child_by_field_name(field))
        return value

    def _function_value(self, node: Node) -> Meaning:
        with self.collector.scope():
            self.signature(node)
            return self.inside(node.child_by_field_name("body"))


def names_of(node: Node) -> list[str]:
    """Return the names that a declaration gives, without the commas between them."""
    return [text_of(name) for name in node.children_by_field_name("name") if name.is_named]


def nth(values: list[Meaning], at: int) -> Meaning:
    """Return one of some values, None beyond the last."""
    return values[at] if at < len(values) else None
