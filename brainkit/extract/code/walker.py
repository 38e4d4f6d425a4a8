"""Reads a syntax tree by the types of its nodes, with blocks that declare variables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import ClassVar, Final

from tree_sitter import Node

from brainkit.extract.code.model import Collector, below
from brainkit.extract.facts import Target

Places = tuple[Target, ...]
"""What an expression may be, the likeliest first; empty if nothing is known of it."""

UNKNOWN: Final[Places] = ()

NESTED_MAX: Final = 100
CHAIN_MAX: Final = 30
"""How deep a tree is read, and how long a chain of calls may be whose result is still known.

Generated code goes far deeper than the interpreter's stack; what stands above is read all the same.
"""


def members_of(places: Places, *names: str) -> Places:
    """Return what has these names inside each of the places."""
    return tuple(below(place, *names) for place in places)


def rows_of(node: Node, until: Node | None = None) -> tuple[int, int]:
    """Return the rows of a node, or those before something in it."""
    first = node.start_point.row
    stop = node.end_point.row + 1
    return (first, stop if until is None else max(first + 1, until.start_point.row))


def parts_in(node: Node) -> list[Node]:
    """Return what a node is made of, without comments and without what does not parse."""
    return [part for part in node.named_children if not (part.is_extra or part.is_error)]


def first_of(node: Node) -> Node | None:
    """Return the first part of a node; a file with errors may have none."""
    return next(iter(parts_in(node)), None)


def last_of(node: Node) -> Node | None:
    """Return the last part of a node; a file with errors may have none."""
    return next(reversed(parts_in(node)), None)


class Walker:
    """Reads a tree as a language says.

    handlers : type of node -> how to read it; of others, what they hold is read.
    values : type of node -> what an expression of that type is; others are not known.
    subject : path of the definition being read, to which what is found belongs.
    """

    handlers: ClassVar[Mapping[str, Callable[..., None]]]
    values: ClassVar[Mapping[str, Callable[..., Places]]]

    def __init__(self, collector: Collector) -> None:
        self.collector = collector
        self.subject = ""
        self.variables: list[dict[str, Places]] = [{}]
        self._nested = 0
        self._chained = 0

    def read(self, node: Node | None) -> None:
        """Read a node: by its handler, else what it holds."""
        stack = [node] if node is not None and self._nested < NESTED_MAX else []
        self._nested += 1
        while stack:
            node = stack.pop()
            handler = self.handlers.get(node.type)
            if handler is None:
                stack += node.named_children[::-1]
            else:
                handler(self, node)
        self._nested -= 1

    def read_below(self, node: Node | None, *, but: Node | None = None) -> None:
        """Read what a node holds, perhaps all but one child."""
        for child in node.named_children if node is not None else ():
            if child != but:
                self.read(child)

    def places(self, node: Node | None) -> Places:
        """Return what the value of an expression is."""
        value = self.values.get(node.type) if node is not None else None
        if value is None or self._chained >= CHAIN_MAX:
            return UNKNOWN
        self._chained += 1
        places: Places = value(self, node)
        self._chained -= 1
        return places

    @contextmanager
    def block(self) -> Iterator[None]:
        """Read a region with variables of its own."""
        self.variables.append({})
        try:
            yield
        finally:
            self.variables.pop()

    def declare(self, name: str, places: Places = UNKNOWN) -> None:
        """Give a variable a meaning in the present block."""
        self.variables[-1][name] = places

    def variable(self, name: str) -> Places | None:
        """Return what a variable is, None if there is none of that name."""
        return next((v[name] for v in reversed(self.variables) if name in v), None)

    def refer(self, predicate: str, places: Places, node: Node) -> None:
        """Add a use, unless nothing is known of it; no definition uses what it is part of."""
        if predicate == "uses":
            places = tuple(place for place in places if not self._is_around(place))
        if places:
            row = node.start_point.row
            self.collector.refer(self.subject, predicate, *dict.fromkeys(places), row=row)

    def _is_around(self, place: Target) -> bool:
        return place.scope == "file" and f"{self.subject}.".startswith(f"{place.path}.")
