"""Java below the level of members: types as they are named, statements, expressions."""

from __future__ import annotations

from typing import ClassVar, Final

from tree_sitter import Node

from brainkit.extract.code.classes import ClassReader, Region
from brainkit.extract.code.walker import UNKNOWN, Places, first_of, last_of, members_of, parts_in
from brainkit.extract.facts import Target
from brainkit.parse.grammar import named as name_of
from brainkit.parse.grammar import text_of

TYPE_NAMES: Final = frozenset({"type_identifier", "scoped_type_identifier"})


class JavaBodies(ClassReader):
    """Reads what methods and initializers do."""

    def class_body(self, node: Node, region: Region) -> None:
        """Read the members of a class, be it local or anonymous."""
        raise NotImplementedError

    def type_places(self, node: Node | None) -> Places:
        """Return the type that a node names, without its arguments."""
        if node is None:
            return UNKNOWN
        if node.type == "type_identifier":
            return UNKNOWN if text_of(node) == "var" else self.type_named(text_of(node))
        if node.type == "scoped_type_identifier":
            return self._qualified([text_of(leaf) for leaf in _leaves(node)])
        if node.type == "generic_type":
            return self.type_places(first_of(node))
        if node.type == "annotated_type":
            return self.type_places(last_of(node))
        return UNKNOWN

    def _qualified(self, parts: list[str]) -> Places:
        if parts[0][:1].islower():  # a package, by a convention that nobody breaks
            return (Target("name", ".".join(parts)),)
        return members_of(self.type_named(parts[0]), *parts[1:])

    def declare_typed(self, node: Node) -> None:
        """Declare a parameter, or any other variable that stands beside its type."""
        if node.type == "spread_parameter":
            self.declare(name_of(last_of(node) or node))
            return
        plain = node.child_by_field_name("dimensions") is None
        places = self.type_places(node.child_by_field_name("type")) if plain else UNKNOWN
        self.declare(name_of(node), members_of(places, "()"))

    def _value_named(self, node: Node) -> Places:
        name = text_of(node)
        known = self.variable(name)
        if known is not None:
            return known
        if self.is_field(name) or not name[:1].isupper():
            return self.member(name, method=False)
        return self.type_named(name)

    def _names_type(self, node: Node | None) -> bool:
        """Whether an expression is the name of a type: a capital that is no variable."""
        if node is None or node.type != "identifier":
            return False
        name = text_of(node)
        return name[:1].isupper() and self.variable(name) is None and not self.is_field(name)

    def _field(self, node: Node) -> Places:
        object_ = node.child_by_field_name("object")
        field = node.child_by_field_name("field")
        if field is not None and field.type == "this":
            return members_of(self.places(object_), "()")
        parts = text_of(node).split(".")
        *packages, last = parts
        is_class = last[:1].isupper() and (len(last) == 1 or not last.isupper())
        known = self.variable(parts[0]) is not None or self.is_field(parts[0])
        if is_class and not known and all(p.isidentifier() and p.islower() for p in packages):
            return (Target("name", ".".join(parts)),)
        return members_of(self.places(object_), text_of(field))

    def _self(self, node: Node) -> Places:
        return self.this()

    def _super(self, node: Node) -> Places:
        region = self.regions[-1]
        return (Target("file", f"{region.path}.super"),) if region.path else region.base

    def _result(self, node: Node) -> Places:
        return members_of(self._called(node), "()")

    def _instance(self, node: Node) -> Places:
        return members_of(self._made(node), "()")

    def _inner(self, node: Node) -> Places:
        return self.places(first_of(node))

    def _called(self, node: Node) -> Places:
        name = name_of(node)
        object_ = node.child_by_field_name("object")
        if object_ is None:
            return self.member(name, method=True)
        return members_of(self.places(object_), name)

    def _made(self, node: Node) -> Places:
        type_ = node.child_by_field_name("type")
        inner = node.type == "object_creation_expression" and first_of(node) != type_
        return UNKNOWN if inner else self.type_places(type_)

    def _type_name(self, node: Node) -> None:
        if not self.is_parameter(text_of(node)):
            self.refer("uses", self.type_places(node), node)

    def _type_parameter(self, node: Node) -> None:
        for child in node.named_children:
            if child.type not in TYPE_NAMES:
                self.read(child)

    def _annotation(self, node: Node) -> None:
        self.refer("uses", self._qualified(name_of(node).split(".")), node)
        self.read(node.child_by_field_name("arguments"))

    def _value_pair(self, node: Node) -> None:
        self.read(node.child_by_field_name("value"))

    def _call(self, node: Node) -> None:
        self.refer("calls", self._called(node), node)
        object_ = node.child_by_field_name("object")
        if object_ is not None and object_.type not in ("identifier", "field_access"):
            self.read(object_)
        self.read(node.child_by_field_name("type_arguments"))
        self.read(node.child_by_field_name("arguments"))

    def _creation(self, node: Node) -> None:
        type_ = node.child_by_field_name("type")
        base = self._made(node)
        for child in node.named_children:
            if child.type == "class_body":
                self.class_body(node, Region("", base=base, open=True))
            elif child != type_ or base:
                self.read(child)

    def _access(self, node: Node) -> None:
        object_ = node.child_by_field_name("object")
        owner = self.places(object_)
        in_package = len(owner) == 1 and owner[0].scope == "name" and "()" not in owner[0].path
        if in_package or self._names_type(object_):
            self.refer("uses", (*self.places(node), *owner), node)
        else:
            self.read(object_)

    def _identifier(self, node: Node) -> None:
        name = text_of(node)
        if (name.isupper() or self.is_constant(name)) and self.variable(name) is None:
            self.refer("uses", self.member(name, method=False), node)

    def _method_reference(self, node: Node) -> None:
        object_, *rest = parts_in(node) or [node]
        is_new = any(child.type == "new" for child in node.children)
        if object_.type in TYPE_NAMES or object_.type == "generic_type":
            places = self.type_places(object_)
        else:
            places = self.places(object_)
        if places and not is_new and rest:
            self.refer("uses", members_of(places, text_of(rest[-1])), node)
        elif is_new and self._names_type(object_):
            self.refer("uses", places, node)
        else:
            self.read(object_)

    def _block(self, node: Node) -> None:
        with self.block():
            self.read_below(node)

    def _lambda(self, node: Node) -> None:
        parameters = node.child_by_field_name("parameters")
        with self.block():
            if parameters is not None and parameters.type == "formal_parameters":
                for parameter in parameters.named_children:
                    self.declare_typed(parameter)
                self.read(parameters)
            elif parameters is not None:
                for name in parameters.named_children or [parameters]:
                    self.declare(text_of(name))
            self.read(node.child_by_field_name("body"))

    def _local(self, node: Node) -> None:
        type_ = node.child_by_field_name("type")
        self.read(type_)
        for declarator in node.children_by_field_name("declarator"):
            value = declarator.child_by_field_name("value")
            self.read(value)
            if text_of(type_) == "var":
                self.declare(name_of(declarator), self.places(value))
            elif declarator.child_by_field_name("dimensions") is None:
                self.declare(name_of(declarator), members_of(self.type_places(type_), "()"))
            else:
                self.declare(name_of(declarator))

    def _loop(self, node: Node) -> None:
        with self.block():
            self.declare_typed(node)
            for field in ("type", "value", "body"):
                self.read(node.child_by_field_name(field))

    def _resource(self, node: Node) -> None:
        type_ = node.child_by_field_name("type")
        value = node.child_by_field_name("value")
        if type_ is None:
            self.read_below(node)
            return
        self.read(type_)
        self.read(value)
        if text_of(type_) == "var":
            self.declare(name_of(node), self.places(value))
        else:
            self.declare_typed(node)

    def _catch(self, node: Node) -> None:
        with self.block():
            for child in node.named_children:
                if child.type == "catch_formal_parameter":
                    caught = [t for c in child.named_children for t in c.named_children]
                    places = self.type_places(caught[-1]) if len(caught) == 1 else UNKNOWN
                    self.declare(name_of(child), members_of(places, "()"))
                self.read(child)

    def _instance_of(self, node: Node) -> None:
        self.read_below(node)
        if node.child_by_field_name("name") is not None:
            places = self.type_places(node.child_by_field_name("right"))
            self.declare(name_of(node), members_of(places, "()"))

    def _pattern(self, node: Node) -> None:
        type_, *names = parts_in(node) or [node]
        self.read(type_)
        for name in names:
            self.declare(text_of(name), members_of(self.type_places(type_), "()"))

    values: ClassVar = {
        "identifier": _value_named,
        "this": _self,
        "super": _super,
        "field_access": _field,
        "method_invocation": _result,
        "object_creation_expression": _instance,
        "cast_expression": _instance,
        "parenthesized_expression": _inner,
    }
    handlers: ClassVar = {
        "type_identifier": _type_name,
        "scoped_type_identifier": _type_name,
        "type_parameter": _type_parameter,
        "marker_annotation": _annotation,
        "annotation": _annotation,
        "element_value_pair": _value_pair,
        "method_invocation": _call,
        "object_creation_expression": _creation,
        "field_access": _access,
        "identifier": _identifier,
        "method_reference": _method_reference,
        "block": _block,
        "for_statement": _block,
        "switch_block": _block,
        "switch_rule": _block,
        "try_with_resources_statement": _block,
        "lambda_expression": _lambda,
        "local_variable_declaration": _local,
        "enhanced_for_statement": _loop,
        "resource": _resource,
        "catch_clause": _catch,
        "instanceof_expression": _instance_of,
        "type_pattern": _pattern,
        "record_pattern_component": _pattern,
    }


def _leaves(node: Node) -> list[Node]:
    """Return the identifiers of a dotted type, without annotations and arguments."""
    if node.type == "type_identifier":
        return [node]
    return [
        leaf
        for child in node.named_children
        if child.type in TYPE_NAMES or child.type == "generic_type"
        for leaf in _leaves(child)[: None if child.type in TYPE_NAMES else 1]
    ]
