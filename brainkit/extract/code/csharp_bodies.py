"""C# below the level of members: statements, and what expressions call and use."""

from __future__ import annotations

from typing import ClassVar

from tree_sitter import Node

from brainkit.extract.code.csharp_values import CSharpValues, parts_of
from brainkit.extract.code.walker import first_of, members_of, parts_in
from brainkit.parse.grammar import named as name_of
from brainkit.parse.grammar import text_of


class CSharpBodies(CSharpValues):
    """Reads what methods, accessors and initializers do."""

    def _call(self, node: Node) -> None:
        function = node.child_by_field_name("function")
        if function is not None:
            self.refer("calls", self.called(function), function)
            self._read_callee(function)
        self.read(node.child_by_field_name("arguments"))

    def _read_callee(self, function: Node) -> None:
        if function.type == "generic_name":
            self._generic_name(function)
        elif function.type == "conditional_access_expression":
            self._read_object(function.child_by_field_name("condition"))
            for child in parts_in(function)[1:]:
                self._read_object(child.child_by_field_name("name"))
        elif function.type == "member_access_expression":
            self._read_object(function.child_by_field_name("expression"))
            self._read_object(function.child_by_field_name("name"))
        elif function.type != "identifier":
            self.read(function)

    def _read_object(self, node: Node | None) -> None:
        if node is not None and node.type != "identifier":
            self.read(node)

    def _access(self, node: Node) -> None:
        object_ = node.child_by_field_name("expression")
        if self.names_type(object_) and text_of(object_) not in self.roots:
            self.refer("uses", (*self.places(node), *self.places(object_)), node)
        self._read_object(object_)

    def _generic_name(self, node: Node) -> None:
        for child in parts_in(node)[1:]:
            self.read(child)

    def _identifier(self, node: Node) -> None:
        name = text_of(node)
        if self.variable(name) is not None:
            return
        if self.is_constant(name):
            self.refer("uses", self.member(name, method=False), node)
        elif any(name in region.methods for region in self.regions):
            self.refer("uses", self.member(name, method=True), node)

    def _constant_pattern(self, node: Node) -> None:
        name = first_of(node)
        if name is not None and self.names_type(name):
            self.refer("uses", self.named(text_of(name)), node)
        else:
            self.read(name)

    def _arguments(self, node: Node) -> None:
        for child in node.named_children:
            self.read_type(child)

    def _typed(self, node: Node) -> None:
        """Read a node whose field ``type`` is a type, and whose name is new here."""
        types = [*node.children_by_field_name("type"), *node.children_by_field_name("returns")]
        name = node.child_by_field_name("name")
        for child in node.named_children:
            if child in types:
                self.read_type(child)
            elif child != name:
                self.read(child)

    def _compared(self, node: Node) -> None:
        self.read(node.child_by_field_name("left"))
        self.read_type(node.child_by_field_name("right"))

    def _declared(self, node: Node) -> None:
        """Read a pattern, ``out`` variable or exception: a type and what is named after it."""
        self._typed(node)
        name = node.child_by_field_name("name")
        if name is not None and name.type == "identifier":
            places = self.type_places(node.child_by_field_name("type"))
            self.declare(text_of(name), members_of(places, "()"))

    def _subpattern(self, node: Node) -> None:
        for child in parts_in(node)[1:] or node.named_children:
            self.read(child)

    def _tuple_pattern(self, node: Node) -> None:
        for name in node.named_children:
            self.declare(text_of(name))

    def _attribute(self, node: Node) -> None:
        parts = parts_of(node.child_by_field_name("name"))
        full = [*parts[:-1], f"{parts[-1]}Attribute"]
        self.refer("uses", (*self.qualified(full), *self.qualified(parts)), node)
        for child in parts_in(node)[1:]:
            self.read(child)

    def _attributes_only(self, node: Node) -> None:
        for child in node.named_children:
            if child.type == "attribute_list":
                self.read(child)

    def _named_value(self, node: Node) -> None:
        """Read an argument or initializer, whose name belongs to what it is given to."""
        self.read_below(node, but=node.child_by_field_name("name"))

    def _initializer(self, node: Node) -> None:
        for child in node.named_children:
            if child.type == "assignment_expression":
                left = child.child_by_field_name("left")
                if left is not None and left.type != "identifier":
                    self.read(left)
                self.read(child.child_by_field_name("right"))
            else:
                self.read(child)

    def _with(self, node: Node) -> None:
        for child in parts_in(node)[1:]:
            self.read(child)

    def _block(self, node: Node) -> None:
        with self.block():
            for child in node.named_children:
                if child.type == "local_function_statement":
                    self.declare(name_of(child))
            self.read_below(node)

    def _accessor(self, node: Node) -> None:
        with self.block():
            self.declare("value")
            self.read(node.child_by_field_name("body"))

    def _function(self, node: Node) -> None:
        """Read a lambda, an anonymous method or a local function."""
        with self.inside("", parameters={}):
            for child in node.named_children:
                if child.type == "type_parameter_list":
                    for parameter in child.named_children:
                        self.declare_type(name_of(parameter))
            self.declare_parameters(node)
            for field in ("returns", "type"):
                self.read_type(node.child_by_field_name(field))
            name, type_ = node.child_by_field_name("name"), node.child_by_field_name("type")
            for child in node.named_children:
                if child not in (name, type_):
                    self.read(child)

    def declare_parameters(self, node: Node) -> None:
        """Declare the parameters of a method, indexer, lambda or type."""
        for child in node.named_children:
            if child.type == "implicit_parameter":
                self.declare(text_of(child))
            elif child.type in ("parameter_list", "bracketed_parameter_list"):
                for parameter in child.named_children:
                    if parameter.type == "parameter":
                        places = self.type_places(parameter.child_by_field_name("type"))
                        self.declare(name_of(parameter), members_of(places, "()"))
                # The last parameter may be ``params``, whose parts have no node of their own.
                name = child.child_by_field_name("name")
                if name is not None:
                    self.declare(text_of(name))

    def _variables(self, node: Node) -> None:
        type_ = node.child_by_field_name("type")
        self.read_type(type_)
        inferred = type_ is not None and type_.type == "implicit_type"
        for declarator in node.named_children:
            if declarator.type != "variable_declarator":
                continue
            name = declarator.child_by_field_name("name")
            value = next((c for c in reversed(declarator.named_children) if c != name), None)
            self.read_below(declarator, but=name)
            if name is None:
                continue
            places = self.places(value) if inferred else members_of(self.type_places(type_), "()")
            self.declare(text_of(name), places)

    def _foreach(self, node: Node) -> None:
        with self.block():
            type_, left = node.child_by_field_name("type"), node.child_by_field_name("left")
            self.read_type(type_)
            self.read(node.child_by_field_name("right"))
            if left is not None and left.type == "identifier":
                self.declare(text_of(left), members_of(self.type_places(type_), "()"))
            else:
                self.read(left)
            self.read(node.child_by_field_name("body"))

    def _range(self, node: Node) -> None:
        """Read a ``from`` or ``let`` of a query."""
        self._typed(node)
        if node.child_by_field_name("name") is not None:
            self.declare(name_of(node))

    handlers: ClassVar = {
        "invocation_expression": _call,
        "member_access_expression": _access,
        "identifier": _identifier,
        "generic_name": _generic_name,
        "constant_pattern": _constant_pattern,
        "type_argument_list": _arguments,
        "explicit_interface_specifier": _arguments,
        "as_expression": _compared,
        "is_expression": _compared,
        "declaration_expression": _declared,
        "declaration_pattern": _declared,
        "recursive_pattern": _declared,
        "catch_declaration": _declared,
        "subpattern": _subpattern,
        "tuple_pattern": _tuple_pattern,
        "parenthesized_variable_designation": _tuple_pattern,
        "attribute": _attribute,
        "type_parameter": _attributes_only,
        "argument": _named_value,
        "attribute_argument": _named_value,
        "initializer_expression": _initializer,
        "with_initializer": _with,
        "block": _block,
        "for_statement": _block,
        "using_statement": _block,
        "catch_clause": _block,
        "switch_body": _block,
        "switch_expression_arm": _block,
        "query_expression": _block,
        "accessor_declaration": _accessor,
        "lambda_expression": _function,
        "anonymous_method_expression": _function,
        "local_function_statement": _function,
        "variable_declaration": _variables,
        "foreach_statement": _foreach,
        "from_clause": _range,
        "let_clause": _range,
        "join_clause": _range,
        **dict.fromkeys(
            (
                *("cast_expression", "typeof_expression", "sizeof_expression"),
                *("default_expression", "object_creation_expression", "type_pattern"),
                *("array_creation_expression", "stackalloc_expression", "array_type", "parameter"),
                *("type_parameter_constraint", "primary_constructor_base_type", "parameter_list"),
            ),
            _typed,
        ),
    }
