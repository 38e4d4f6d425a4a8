"""JavaScript and TypeScript below the level of definitions: types, statements, expressions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar, Final

from tree_sitter import Node

from brainkit.extract.code.javascript_names import (
    CLASSES,
    FUNCTION_DECLARATIONS,
    TYPES,
    declared_in,
    hoisted_in,
    names_in,
)
from brainkit.extract.code.javascript_values import ScriptValues
from brainkit.extract.code.model import Collector, below
from brainkit.extract.code.walker import UNKNOWN, Places, first_of, members_of, parts_in
from brainkit.extract.facts import Target
from brainkit.parse.grammar import text_of

_AROUND_NAMES: Final = frozenset(
    {"member_expression", "non_null_expression", "parenthesized_expression"}
)
_CALLERS: Final = frozenset({"call", "apply"})


class ScriptBodies(ScriptValues):
    """Reads what functions and initializers do.

    depth : how many functions and classes are around what is read.
    """

    def __init__(self, collector: Collector, root: Node) -> None:
        super().__init__(collector, root)
        self.depth = 0
        self._returns: list[list[Places]] = [[]]

    def class_body(self, node: Node, path: str) -> None:
        """Read a class; without a path, one that no other file can name."""
        raise NotImplementedError

    def assign(self, node: Node) -> None:
        """Read an assignment."""
        raise NotImplementedError

    def imports(self, module: Places, node: Node, *names: str) -> None:
        """Add the import of a module, and of each of the names from it."""
        for target in module:
            plain = Target(target.scope, target.path.rstrip("."))
            otherwise = (plain,) if plain.scope == "name" else ()
            self.collector.refer("", "imports", plain, row=_row(node))
            for name in names if target.path not in self.packages else ():
                self.collector.refer("", "imports", below(target, name), *otherwise, row=_row(node))

    def refer(self, predicate: str, places: Places, node: Node) -> None:
        """Add a use, unless it is of a package outside the corpus, of which only bases count."""
        if not self.is_outside(places) or predicate in ("inherits", "implements"):
            super().refer(predicate, places, node)

    @contextmanager
    def inside(self, path: str) -> Iterator[None]:
        """Read what belongs to the definition of this path."""
        before = self.subject
        self.subject = path or before
        try:
            yield
        finally:
            self.subject = before

    def function(self, node: Node, path: str = "", *, this: Places = UNKNOWN) -> None:
        """Read a function: its parameters, its types, and what it does."""
        is_arrow = node.type == "arrow_function"
        body = node.child_by_field_name("body")
        name = node.child_by_field_name("name")
        self.this_stack.append(self.this_stack[-1] if is_arrow and not this else this)
        self._returns.append([])
        self.depth += 1
        with self.inside(path), self.block():
            if name is not None and node.type == "function_expression":
                self.declare(text_of(name))
            self.type_parameters(node)
            for parameter in _parameters(node):
                self._parameter(parameter)
            if body is not None and body.type == "statement_block":
                for hoisted in hoisted_in(body):
                    if hoisted not in self.variables[-1]:
                        self.declare(hoisted)
                self.read(node.child_by_field_name("return_type"))
                self._statements(body)
            else:
                self.read(node.child_by_field_name("return_type"))
                self.read(body)
                self._returns[-1].append(self.value(body))
            if path:
                self._bind_result(node, path)
        self.depth -= 1
        self._returns.pop()
        self.this_stack.pop()

    def _bind_result(self, node: Node, path: str) -> None:
        annotated = node.child_by_field_name("return_type")
        if annotated is not None:
            places = members_of(self.type_places(annotated), "()")
        else:
            found = {*self._returns[-1]}
            places = found.pop() if len(found) == 1 else UNKNOWN
        if places:
            self.collector.bind(f"{path}.()", places[0])

    def type_parameters(self, node: Node) -> None:
        """Declare the type parameters of a definition, each as its bound."""
        parameters = node.child_by_field_name("type_parameters")
        for parameter in parameters.named_children if parameters is not None else ():
            bound = parameter.child_by_field_name("constraint")
            name = text_of(parameter.child_by_field_name("name"))
            self.declare(name, self.type_places(bound))
            self.declare(f"<{name}>")
            self.read_below(parameter, but=parameter.child_by_field_name("name"))

    def _parameter(self, node: Node) -> None:
        if node.type not in ("required_parameter", "optional_parameter"):
            for name in names_in(node):
                self.declare(name)
            self.read_pattern(node)
            return
        pattern = node.child_by_field_name("pattern")
        type_ = node.child_by_field_name("type")
        self.declare_pattern(pattern, members_of(self.type_places(type_), "()"))
        self.read_pattern(pattern)
        for child in node.named_children:
            if child != pattern and child.type != "accessibility_modifier":
                self.read(child)

    def declare_pattern(self, pattern: Node | None, places: Places) -> None:
        """Declare the names of a pattern that is given this."""
        if pattern is None:
            return
        if pattern.type == "identifier":
            self.declare(text_of(pattern), places)
            return
        for name in names_in(pattern):
            self.declare(name)
        if pattern.type != "object_pattern":
            return
        for child in pattern.named_children:
            left = child.child_by_field_name("left") or child
            if left.type == "shorthand_property_identifier_pattern":
                self.declare(text_of(left), self.member_of(places, text_of(left)))
            elif child.type == "pair_pattern":
                key, value = (child.child_by_field_name(field) for field in ("key", "value"))
                if key is not None and key.type == "property_identifier":
                    self.declare_pattern(value, self.member_of(places, text_of(key)))

    def read_pattern(self, pattern: Node | None) -> None:
        """Read the default values in a pattern."""
        for child in pattern.named_children if pattern is not None else ():
            if child.type.endswith("pattern") and child.type.startswith(("o", "a", "p", "r")):
                self.read_pattern(child)
        if pattern is not None and pattern.type.endswith("assignment_pattern"):
            self.read(pattern.child_by_field_name("right"))

    def _statements(self, block: Node) -> None:
        for name in declared_in(block.named_children):
            self.declare(name)
        self.read_below(block)

    def _block(self, node: Node) -> None:
        with self.block():
            self._statements(node)

    def _switch(self, node: Node) -> None:
        with self.block():
            for case in node.named_children:
                for name in declared_in(case.named_children):
                    self.declare(name)
            self.read_below(node)

    def _loop(self, node: Node) -> None:
        with self.block():
            for name in names_in(node.child_by_field_name("left")):
                if node.child_by_field_name("kind") is not None:
                    self.declare(name)
            self.read_below(node)

    def _catch(self, node: Node) -> None:
        with self.block():
            for name in names_in(node.child_by_field_name("parameter")):
                self.declare(name)
            self.read(node.child_by_field_name("body"))

    def _function(self, node: Node) -> None:
        if node.type in FUNCTION_DECLARATIONS:
            self.declare(text_of(node.child_by_field_name("name")))
        self.function(node)

    def _class(self, node: Node) -> None:
        self.class_body(node, "")

    def _type(self, node: Node) -> None:
        with self.block():
            self.declare(text_of(node.child_by_field_name("name")))
            self.type_parameters(node)
            self.read_below(node, but=node.child_by_field_name("name"))

    def variable_places(self, declarator: Node) -> Places:
        """Return what a variable is by its type, or by a value that it keeps."""
        type_ = declarator.child_by_field_name("type")
        name = declarator.child_by_field_name("name")
        if type_ is not None:
            return members_of(self.type_places(type_), "()")
        if name is not None and name.type == "identifier" and text_of(name) in self.assigned:
            return UNKNOWN
        return self.places(declarator.child_by_field_name("value"))

    def _declarator(self, node: Node) -> None:
        name = node.child_by_field_name("name")
        self.read_below(node, but=name)
        self.read_pattern(name)
        self.declare_pattern(name, self.variable_places(node))

    def _return(self, node: Node) -> None:
        self.read_below(node)
        if parts_in(node):
            self._returns[-1].append(self.value(first_of(node)))

    def read_call(self, node: Node) -> None:
        """Read a call."""
        function = node.child_by_field_name("function")
        module = self.loaded_by(node)
        if module is not None:
            self.imports(module, node)
            return
        if function is not None and function.type == "super":
            self.refer("calls", members_of(self._super_value(node), "constructor"), node)
        elif function is not None:
            self.refer("calls", self._called(function), function)
            self._read_callee(function)
        for field in ("type_arguments", "arguments"):
            self.read(node.child_by_field_name(field))

    def _called(self, function: Node) -> Places:
        property_ = function.child_by_field_name("property")
        if property_ is not None and text_of(property_) in _CALLERS:
            return self.value(function.child_by_field_name("object"))
        return self.value(function)

    def _read_callee(self, function: Node) -> None:
        object_ = function.child_by_field_name("object")
        name = text_of(object_)
        is_bound = text_of(function.child_by_field_name("property")) == "bind"
        if object_ is not None and object_.type == "identifier" and (is_bound or name.isupper()):
            self.read(object_)
        else:
            self._read_object(function)

    def _read_object(self, node: Node) -> None:
        """Read what a member is taken of, unless it is a plain name."""
        found: Node | None = node
        while found is not None and found.type in _AROUND_NAMES:
            found = found.child_by_field_name("object") or first_of(found)
        if found is not None and found.type != "identifier":
            self.read(found)

    def _new(self, node: Node) -> None:
        constructor = node.child_by_field_name("constructor")
        self.refer("uses", self.value(constructor), node)
        if constructor is not None:
            self._read_object(constructor)
        for field in ("type_arguments", "arguments"):
            self.read(node.child_by_field_name(field))

    def _identifier(self, node: Node) -> None:
        self._use(self.value(node), node)

    def _shorthand(self, node: Node) -> None:
        self._use(self.exported(self._identifier_value(node)), node)

    def _use(self, places: Places, node: Node) -> None:
        if places and "()" not in places[0].path:
            self.refer("uses", places, node)

    def _access(self, node: Node) -> None:
        object_ = node.child_by_field_name("object")
        if object_ is not None and object_.type == "identifier":
            self._use((*self.places(node), *self.value(object_)), node)
        else:
            self._read_object(node)

    def _jsx(self, node: Node) -> None:
        name = node.child_by_field_name("name")
        written = text_of(name)
        if written[:1].isupper() or "." in written:
            base = name.child_by_field_name("object") if name is not None else None
            self._use((*self.value(name), *self.value(base)), node)
        self.read_below(node, but=name)

    def _jsx_end(self, node: Node) -> None:
        """Read nothing: the opening tag has been read."""

    def _decorator(self, node: Node) -> None:
        held = first_of(node) or node
        function = held.child_by_field_name("function") or held
        self.refer("uses", self.value(function), node)
        self.read(held.child_by_field_name("arguments"))

    def _type_name(self, node: Node) -> None:
        if not self.is_parameter(text_of(node)):
            self._use(self.type_places(node), node)

    def _assignment(self, node: Node) -> None:
        self.assign(node)

    handlers: ClassVar = {
        **dict.fromkeys(("statement_block", "class_static_block"), _block),
        "switch_body": _switch,
        **dict.fromkeys(("for_statement", "for_in_statement"), _loop),
        "catch_clause": _catch,
        **dict.fromkeys(
            (
                *("arrow_function", "function_expression", "generator_function"),
                *("method_definition", *FUNCTION_DECLARATIONS),
            ),
            _function,
        ),
        **dict.fromkeys((*CLASSES, "class"), _class),
        **dict.fromkeys(TYPES, _type),
        "variable_declarator": _declarator,
        "return_statement": _return,
        "call_expression": read_call,
        "new_expression": _new,
        "identifier": _identifier,
        "shorthand_property_identifier": _shorthand,
        "member_expression": _access,
        **dict.fromkeys(("jsx_opening_element", "jsx_self_closing_element"), _jsx),
        "jsx_closing_element": _jsx_end,
        "decorator": _decorator,
        **dict.fromkeys(("type_identifier", "nested_type_identifier"), _type_name),
        "assignment_expression": _assignment,
    }


def _row(node: Node) -> int:
    return node.start_point.row


def _parameters(node: Node) -> list[Node]:
    single = node.child_by_field_name("parameter")
    several = node.child_by_field_name("parameters")
    return [single] if single is not None else parts_in(several) if several else []
