"""JavaScript, TypeScript and TSX: what a module defines, imports and exports."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final, NamedTuple

from tree_sitter import Node

from brainkit.extract.code.javascript_classes import holds_function, joined
from brainkit.extract.code.javascript_modules import DEFAULT, ScriptModules, exported_names
from brainkit.extract.code.javascript_names import (
    CLASSES,
    FUNCTION_DECLARATIONS,
    FUNCTIONS,
    NAMESPACES,
    TYPES,
    VARIABLES,
    declared_in,
    hoisted_in,
)
from brainkit.extract.code.model import Collector
from brainkit.extract.code.walker import UNKNOWN, Places, first_of, last_of, parts_in, rows_of
from brainkit.extract.facts import Target
from brainkit.parse.grammar import named as name_of
from brainkit.parse.grammar import text_of

_LITERALS: Final = frozenset(
    {"string", "number", "template_string", "regex", "true", "false", "array", "object"}
)


def facts(root: Node, collector: Collector) -> None:
    """Collect what a file of JavaScript or TypeScript defines and uses.

    What it exports by another name than it has here, ``default`` too, is bound to that name.
    """
    _Script(collector, root).file(root)


class _Assigned(NamedTuple):
    """Where an assignment at the top of a file puts a value.

    path : its place; ``default`` for all that the module exports. this : of a function there.
    member : whether it is one of a prototype.
    """

    path: str
    this: Places = UNKNOWN
    member: bool = False


class _Script(ScriptModules):
    def file(self, root: Node) -> None:
        """Read a whole file."""
        statements = root.named_children
        self._rows: dict[str, tuple[int, int]] = {}
        self._exported_names = {*exported_names(statements)}
        self.constructors |= {*_constructors(root)}
        for name in hoisted_in(root):
            self.declare(name)
        self._declare(statements, "")
        for statement in statements:
            if statement.type == "import_statement":
                self.import_(statement)
        for statement in statements:
            for declarator in statement.named_children if statement.type in VARIABLES else ():
                if self._loads(declarator.child_by_field_name("value")):
                    self.declare_pattern(
                        declarator.child_by_field_name("name"), self.variable_places(declarator)
                    )
        self._define(statements, "")

    def _declare(self, statements: list[Node], prefix: str) -> None:
        for name in declared_in(statements):
            self.declare(name, (Target("file", joined(prefix, name)),))

    def _define(self, statements: list[Node], prefix: str) -> None:
        for statement in statements:
            self.statement(statement, prefix, statement)

    def statement(self, node: Node, prefix: str, outer: Node) -> None:
        """Read a statement that is in no function; outer is the export that it is part of."""
        held = first_of(node) if node.type == "expression_statement" else None
        if held is not None and held.type in NAMESPACES:
            node = held
        define = self._definers.get(node.type)
        if define is not None:
            define(self, node, joined(prefix, name_of(node)), outer)
        elif node.type in NAMESPACES:
            self._namespace(node, prefix, outer)
        elif node.type in VARIABLES:
            for declarator in node.named_children:
                if declarator.type == "variable_declarator":
                    self._variable(declarator, prefix, outer)
        elif node.type == "export_statement":
            self.export(node, prefix)
        elif node.type == "ambient_declaration":
            for child in node.named_children:
                self.statement(child, prefix, outer)
        elif node.type == "import_alias":
            self._import_alias(node, prefix)
        elif node.type != "import_statement":
            self.read(node)

    def _import_alias(self, node: Node, prefix: str) -> None:
        alias, places = first_of(node), self.type_places(last_of(node))
        self.declare(text_of(alias), places)
        self.bind(joined(prefix, text_of(alias)), places)

    def _routine(self, node: Node, path: str, outer: Node) -> None:
        """Define a function, which is a class if it has a prototype."""
        is_class = path in self.constructors
        self.collector.add(path, "class" if is_class else "function", rows=rows_of(outer))
        with self.fields_of(path if is_class else ""):
            this = (Target("file", f"{path}.()"),) if is_class else UNKNOWN
            self.function(node, path, this=this)

    def _namespace(self, node: Node, prefix: str, outer: Node) -> None:
        name = node.child_by_field_name("name")
        body = node.child_by_field_name("body")
        if name is None or body is None or name.type == "string":
            self.read(body)
            return
        path = prefix
        for part in text_of(name).split("."):
            path = joined(path, part)
            self.collector.add(path, "namespace", rows=rows_of(outer, body))
        with self.inside(path), self.block():
            self._declare(body.named_children, path)
            self._define(body.named_children, path)

    def _variable(self, node: Node, prefix: str, outer: Node) -> None:
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if name is None or name.type != "identifier" or self._loads(value):
            self.read(node)
            return
        path = joined(prefix, text_of(name))
        self._rows[path] = rows_of(outer)
        while value is not None and value.type == "assignment_expression":
            left = value.child_by_field_name("left")
            assigned = self._assigned_to(left) if left is not None else None
            if assigned is not None:
                self.bind(assigned.path, (Target("file", path),))
            value = value.child_by_field_name("right")
        if self.define_value(value, path, outer):
            self.read(node.child_by_field_name("type"))
            return
        is_const = node.parent is not None and node.parent.children[0].type == "const"
        if self._is_constant(text_of(name), value, is_const):
            self.collector.add(path, "constant", rows=rows_of(outer))
        with self.inside(path if self.collector.added(path) else ""):
            self.read(node.child_by_field_name("type"))
            self.read(value)
        self.bind(path, self.variable_places(node))

    def define_value(self, value: Node | None, path: str, outer: Node) -> bool:
        """Define a function, class or object that is assigned to a path; False for others."""
        if value is None:
            return False
        if value.type in FUNCTIONS:
            self._routine(value, path, outer)
        elif value.type == "class":
            self.define_class(value, path, outer)
        elif value.type == "object" and holds_function(value):
            self.collector.add(path, "object", rows=rows_of(outer, value))
            self.object_members(value, path, this=(Target("file", path),))
        else:
            return False
        return True

    def _is_constant(self, name: str, value: Node | None, is_const: bool) -> bool:
        if name.isupper():
            return name not in self.assigned
        literal = value is not None and (value.type in _LITERALS or value.type == "as_expression")
        return is_const and (literal or name in self._exported_names)

    def _loads(self, value: Node | None) -> bool:
        """Whether a value is a module, or is taken from one in the same expression."""
        while value is not None and value.type in ("member_expression", "await_expression"):
            value = value.child_by_field_name("object") or first_of(value)
        return value is not None and value.type == "call_expression" and bool(self.loaded_by(value))

    def assign(self, node: Node) -> None:
        """Read an assignment: at the top of a file it may define or export something."""
        lefts, value = [node.child_by_field_name("left")], node.child_by_field_name("right")
        while value is not None and value.type == "assignment_expression":
            lefts.append(value.child_by_field_name("left"))
            value = value.child_by_field_name("right")
        found = [a for left in lefts if left is not None and (a := self._assigned_to(left))]
        if not found or self.depth:
            for left in lefts:
                if left is not None:
                    self.assign_field(left, value)
                    self.read_below(left, but=left.child_by_field_name("property"))
            self.read(value)
            return
        first = next((one for one in found if one.path != DEFAULT), found[0])
        self._define_assigned(first, value, node)
        for other in found:
            if other != first:
                self.bind(other.path, (Target("file", first.path),))

    def _define_assigned(self, to: _Assigned, value: Node | None, node: Node) -> None:
        owner = to.path.rpartition(".")[0]
        if owner and self.collector.added(owner) is None and owner in self._rows:
            self.collector.add(owner, "object", rows=self._rows[owner])
        if value is not None and value.type == "object" and (to.path == DEFAULT or to.member):
            path = "" if to.path == DEFAULT else to.path
            self.object_members(value, path, this=to.this)
        elif value is not None and value.type in FUNCTIONS:
            path = to.path if to.path != DEFAULT else name_of(value) or DEFAULT
            kind = "class" if path in self.constructors else "method" if to.member else "function"
            self.collector.add(path, kind, rows=rows_of(node))
            self.bind(to.path, (Target("file", path),))
            self.function(value, path, this=to.this)
        elif value is not None and value.type == "class":
            path = to.path if to.path != DEFAULT else name_of(value) or DEFAULT
            self.bind(to.path, (Target("file", path),))
            self.define_class(value, path, node)
        elif not self.define_value(value, to.path, node):
            base = _prototype_of(value) if to.member else None
            if base is not None:
                with self.inside(to.path):
                    self.refer("inherits", self.value(base), node)
            if value is not None and to.path == DEFAULT:
                self.export_value(value, node)
                return
            if value is not None and value.type != "identifier":
                self.read(value)
            if not to.member:
                self.bind(to.path, self.value(value))

    def _assigned_to(self, left: Node) -> _Assigned | None:
        """Return the place that an assignment gives a value to, None if it is none of this file."""
        parts = [*_parts(left)]
        known = self.variable(parts[0]) if parts else None
        if known is None and (parts[:1] == ["exports"] or parts[:2] == ["module", "exports"]):
            rest = parts[1:] if parts[0] == "exports" else parts[2:]
            this = (Target("file", ""),)
            return _Assigned(".".join(rest), this) if rest else _Assigned(DEFAULT, this)
        if len(parts) < 2 or known != (Target("file", parts[0]),):
            return None
        at = parts.index("prototype") if "prototype" in parts else 0
        if at:
            owner = ".".join(parts[:at])
            path = joined(owner, ".".join(parts[at + 1 :]))
            return _Assigned(path, (Target("file", f"{owner}.()"),), member=True)
        return _Assigned(".".join(parts), (Target("file", ".".join(parts[:-1])),))

    def _call_at_top(self, node: Node) -> None:
        """Read a call, of which ``util.inherits(Child, Parent)`` says what a class is."""
        function, arguments = (node.child_by_field_name(f) for f in ("function", "arguments"))
        held = parts_in(arguments) if arguments is not None else []
        if len(held) == 2 and text_of(function).rpartition(".")[2] == "inherits":
            child = self.places(held[0])
            if child and child[0].scope == "file":
                with self.inside(child[0].path):
                    self.refer("inherits", self.value(held[1]), node)
                return
        self.read_call(node)

    _definers: ClassVar = {
        **dict.fromkeys(FUNCTION_DECLARATIONS, _routine),
        **dict.fromkeys(CLASSES, ScriptModules.define_class),
        **dict.fromkeys(TYPES, ScriptModules.define_type),
    }
    handlers: ClassVar = {**ScriptModules.handlers, "call_expression": _call_at_top}


def _parts(node: Node) -> Iterator[str]:
    """Yield the names of ``a.b.c``, nothing for any other expression."""
    names: list[str] = []
    while node.type == "member_expression":
        names.append(text_of(node.child_by_field_name("property")))
        node = node.child_by_field_name("object") or node
    if node.type == "identifier":
        yield text_of(node)
        yield from reversed(names)


def _constructors(root: Node) -> Iterator[str]:
    """Yield the functions that are used as classes: they have a prototype of their own."""
    for statement in root.named_children:
        held = first_of(statement) or statement
        left = held.child_by_field_name("left")
        parts = [*_parts(left)] if left is not None else []
        if statement.type == "expression_statement" and "prototype" in parts[1:]:
            yield ".".join(parts[: parts.index("prototype")])


def _prototype_of(value: Node | None) -> Node | None:
    """Return the class that ``Object.create(Class.prototype)`` or ``new Class()`` begins with."""
    if value is None or value.type not in ("call_expression", "new_expression"):
        return None
    if value.type == "new_expression":
        return value.child_by_field_name("constructor")
    arguments = value.child_by_field_name("arguments")
    first = first_of(arguments) if arguments is not None else None
    is_create = text_of(value.child_by_field_name("function")) == "Object.create"
    property_ = first.child_by_field_name("property") if first is not None else None
    is_prototype = text_of(property_) == "prototype"
    return first.child_by_field_name("object") if first and is_create and is_prototype else None
