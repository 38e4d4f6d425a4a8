"""What an expression of Python gives, as far as one file can tell."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tree_sitter import Node

from brainkit.extract.code.model import Collector, Meaning, below
from brainkit.extract.code.python_scopes import is_nothing
from brainkit.extract.code.python_types import (
    class_of,
    instance,
    is_instance,
    last_name,
    the_same,
    type_of,
)
from brainkit.extract.facts import Target
from brainkit.parse.grammar import text_of

_NAMES = frozenset({"identifier", "attribute", "dotted_name"})
_FREE = Target("name", "")


class Meanings:
    """What names and expressions stand for where the collector is now.

    around : the class that the code being read belongs to. open : whether the module takes all
    names of another, so that a name which is nowhere declared may come from there.
    """

    def __init__(self, collector: Collector) -> None:
        self._collector = collector
        self.around: Target | None = None
        self.open = False
        self._readers: dict[str, Callable[[Node], Meaning]] = {
            "identifier": self._identifier,
            "attribute": self._attribute,
            "dotted_name": self._dotted,
            "call": self._result,
            "await": lambda node: self.of(node.named_children[0]),
            "parenthesized_expression": lambda node: self.of(node.named_children[0]),
            "named_expression": lambda node: self.of(node.child_by_field_name("value")),
            "conditional_expression": lambda node: self._either(node.named_children[::2]),
            "boolean_operator": lambda node: self._either(node.named_children),
        }

    def of(self, node: Node | None) -> Meaning:
        """Return what an expression gives, None if that is not known."""
        read = self._readers.get(node.type) if node is not None else None
        return read(node) if read is not None and node is not None else None

    def chain(self, node: Node) -> tuple[list[Target], Node]:
        """Return what a dotted name and each part from its beginning mean, longest first.

        Instances are left out: they are nobody's name. The second is what it all begins with.
        """
        targets = []
        while True:
            meaning = self.of(node) if node.type in _NAMES else None
            own_class = text_of(node).endswith("__class__")
            if meaning is not None and not is_instance(meaning) and not own_class:
                targets.append(meaning)
            held = node.child_by_field_name("object") if node.type == "attribute" else None
            if held is None:
                return targets, node
            node = held

    def is_cast(self, function: Node) -> bool:
        """Whether a function is ``typing.cast``."""
        return last_name(function) == "cast" and self.of(function) == Target("name", "typing.cast")

    def is_builtin(self, function: Node, *names: str) -> bool:
        """Whether a function has one of these names, and none of the file's own has."""
        if function.type != "identifier" or text_of(function) not in names:
            return False
        return self._collector.lookup(text_of(function), free=_FREE) is _FREE

    def _identifier(self, node: Node) -> Meaning:
        name = text_of(node)
        return self._collector.lookup(name, free=Target("file", name) if self.open else None)

    def _dotted(self, node: Node) -> Meaning:
        first, *rest = text_of(node).split(".")
        held = self._collector.lookup(first)
        return below(held, *rest) if held is not None else None

    def _either(self, nodes: Sequence[Node]) -> Meaning:
        return the_same([self.of(node) for node in nodes if not is_nothing(node)])

    def _attribute(self, node: Node) -> Meaning:
        held = self.of(node.child_by_field_name("object"))
        if held is None:
            return None
        name = text_of(node.child_by_field_name("attribute"))
        if name == "__class__":
            return class_of(held)
        if self.around is not None and held == instance(self.around):
            return below(self.around, name)
        return below(held, name)

    def _result(self, node: Node) -> Meaning:
        function = node.child_by_field_name("function")
        arguments = node.child_by_field_name("arguments")
        if function is None or arguments is None:
            return None
        given = [one for one in arguments.named_children if one.type != "comment"]
        if self.is_cast(function):
            return type_of(given[0], meaning=self.of, own=self.around) if given else None
        if self.is_builtin(function, "super"):
            around = self.of(given[0]) if given else self.around
            return below(around, "super") if around is not None else None
        if self.is_builtin(function, "type") and len(given) == 1:
            return class_of(self.of(given[0]))
        meaning = self.of(function)
        return below(meaning, "()") if meaning is not None else None
