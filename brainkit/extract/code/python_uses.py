"""What Python code refers to, statement by statement."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from tree_sitter import Node

from brainkit.extract.code.model import Collector
from brainkit.extract.code.python_imports import imported, modules_of
from brainkit.extract.code.python_meaning import Meanings
from brainkit.extract.code.python_scopes import COMPREHENSIONS, identifiers
from brainkit.extract.code.python_types import names_in

_UNREAD: Final = frozenset(
    {"global_statement", "nonlocal_statement", "future_import_statement", "splat_pattern"}
)
_NAMED_FIRST: Final = frozenset(
    {"named_expression", "keyword_argument", "keyword_pattern", "type_alias_statement"}
)
_TARGETS: Final = frozenset({"for_statement", "assignment"})


class Uses:
    """Reads expressions and statements, and refers to what they mean in the name of a subject."""

    def __init__(self, collector: Collector) -> None:
        self.to = collector
        self.subject = ""
        self.meanings = Meanings(collector)
        self._readers: dict[str, Callable[[Node], Sequence[Node] | None]] = {
            "identifier": self.name,
            "attribute": self.name,
            "dotted_name": self._pattern,
            "call": self._call,
            "function_definition": self._define,
            "class_definition": self._define,
            "decorated_definition": self._define_decorated,
            "import_statement": self._import,
            "import_from_statement": self._import,
            "lambda": self._lambda,
            **dict.fromkeys(COMPREHENSIONS, self._comprehension),
            "type": self.annotate,
        }

    def define(self, node: Node, decorators: list[Node]) -> None:
        """Read a function or class."""
        raise NotImplementedError

    def visit(self, root: Node | None) -> None:
        """Read a node and all that is in it."""
        stack = [root] if root is not None else []
        while stack:
            stack += reversed(self._step(stack.pop()))

    def annotate(self, annotation: Node) -> None:
        """Refer to all that an annotation names."""
        row = annotation.start_point.row
        for name in names_in(annotation):
            self.name(name, row=row)

    def name(self, node: Node | None, *, row: int | None = None) -> list[Node]:
        """Refer to what a dotted name means, else to the longest part of it that means something.

        Returns what it begins with, if that is no name.
        """
        if node is None:
            return []
        targets, first = self.meanings.chain(node)
        if targets:
            at = node.start_point.row if row is None else row
            self.to.refer(self.subject, "uses", *targets, row=at)
        return [] if first.type in ("identifier", "dotted_name") else [first]

    def _step(self, node: Node) -> Sequence[Node]:
        """Read one node, and return which of those inside are to be read next."""
        read = self._readers.get(node.type)
        return _read_in(node) if read is None else read(node) or ()

    def _pattern(self, node: Node) -> list[Node]:
        """Read a dotted name; but for a class, a single one is a name to be bound."""
        of_class = node.parent is not None and node.parent.type == "class_pattern"
        return self.name(node) if of_class or node.named_child_count > 1 else []

    def _define(self, node: Node) -> None:
        self.define(node, [])

    def _define_decorated(self, node: Node) -> None:
        *decorators, definition = [one for one in node.named_children if one.type != "comment"]
        self.define(definition, decorators)

    def _import(self, node: Node) -> None:
        row = node.start_point.row
        if node.type == "import_statement":
            for module in modules_of(node):
                self.to.refer("", "imports", module, row=row)
            return
        for one in imported(node, folder=self.to.folder):
            if one.local != "*":
                else_module = filter(None, [one.module])
                self.to.refer("", "imports", one.target, *else_module, row=row)
            if one.module is not None:
                self.to.refer("", "imports", one.module, row=row)

    def _call(self, node: Node) -> list[Node]:
        function = node.child_by_field_name("function")
        arguments = node.child_by_field_name("arguments")
        if function is None or arguments is None:
            return []
        given = [arguments] if arguments.type in COMPREHENSIONS else arguments.named_children
        if self.meanings.is_builtin(function, "isinstance", "issubclass"):
            return given[:1]
        if self.meanings.is_builtin(function, "super", "type") and self.meanings.of(node):
            return []
        if self.meanings.is_cast(function) and given:
            self.annotate(given[0])
            given = given[1:]
        meaning = self.meanings.of(function)
        if meaning is not None:
            self.to.refer(self.subject, "calls", meaning, row=function.end_point.row)
        if function.type == "attribute":
            return [*self.name(function.child_by_field_name("object")), *given]
        return given if function.type == "identifier" else [function, *given]

    def _lambda(self, node: Node) -> None:
        held = node.child_by_field_name("parameters")
        parameters = held.named_children if held else []
        for one in parameters:
            self.visit(one.child_by_field_name("value"))
        with self.to.scope():
            for one in parameters:
                for name in identifiers(one.child_by_field_name("name") or one):
                    self.to.declare(name)
            self.visit(node.child_by_field_name("body"))

    def _comprehension(self, node: Node) -> None:
        clauses = [child for child in node.named_children if child.type == "for_in_clause"]
        for clause in clauses[:1]:
            self.visit(clause.child_by_field_name("right"))
        with self.to.scope():
            for clause in clauses:
                left = clause.child_by_field_name("left")
                for name in identifiers(left) if left else ():
                    self.to.declare(name)
            for clause in clauses[1:]:
                self.visit(clause.child_by_field_name("right"))
            for child in node.named_children:
                if child.type != "for_in_clause":
                    self.visit(child)


def _read_in(node: Node) -> list[Node]:
    """Return what is read, not bound, right inside a node."""
    children = [child for child in node.named_children if child.type != "comment"]
    if node.type in _UNREAD:
        return []
    if node.type in _TARGETS:
        left = node.child_by_field_name("left")
        read = _read_in_target(left) if left else []
        return [*read, *(child for child in children if child != left)]
    if node.type == "delete_statement":
        return [part for child in children for part in _read_in_target(child)]
    if node.type in _NAMED_FIRST:
        return children[1:]
    if node.type == "as_pattern":
        return children[:1]
    return children


def _read_in_target(target: Node) -> list[Node]:
    read, stack = [], [target]
    while stack:
        node = stack.pop()
        if node.type == "attribute":
            read += node.named_children[:1]
        elif node.type in ("subscript", "call"):
            read.append(node)
        else:
            stack += reversed(node.named_children)
    return read
