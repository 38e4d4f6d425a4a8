"""What a parsed file is made of, whatever parsed it. Rows count from 0; a stop is exclusive."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

OPEN_KINDS = frozenset({"module", "namespace"})
"""Definitions that are only a place for others: never a piece as a whole."""

_ROUTINES = frozenset({"function", "method", "macro"})


@dataclass(frozen=True, slots=True)
class Statement:
    """Rows that belong together, and where to look if they are too many.

    first : the row it begins on, or that of the comments right above it.
    opens : whether it is the first of its block, and so stays with the line above.
    scope : whether definitions inside count even if the whole would fit a piece.
    inner : what it holds, in order; rows that nothing starts on are not mentioned.
    """

    first: int
    stop: int
    opens: bool = False
    scope: bool = False
    inner: Callable[[], Iterator[Entry]] = field(default=lambda: iter(()), compare=False)


@dataclass(frozen=True, slots=True)
class Definition:
    """A named thing with the comments, attributes and decorators right above it.

    name : qualified by what encloses it, with dots in every language: ``ns.Shelf.lend``. Template
        and type parameters are left out, an anonymous namespace adds nothing. A method that stands
        outside its type has the type's name: Go's receiver, Rust's impl, C++'s ``Shelf::lend``,
        Kotlin's extended type.
    kind : ``function``, ``method``, ``class``, ``interface``, ``struct``, ``enum``, ``trait``, ...:
        the language's own word where it has one.
    signature : one line, from its modifiers to its body; neither comments nor annotations.
    docstring : the first paragraph of its documentation, at most DOCSTRING_CHARS_MAX characters.
    head : the rows of the signature, in full.
    bare : undocumented, and hardly more than the name: it need not stand alone.
    """

    name: str
    kind: str
    signature: str
    docstring: str
    first: int
    stop: int
    head: tuple[int, int]
    bare: bool = False
    inner: Callable[[], Iterator[Entry]] = field(default=lambda: iter(()), compare=False)

    def member_kind(self, kind: str) -> str:
        """Return what a definition of this kind is inside this one: a type's function, a method.

        >>> Definition("T", "class", "", "", 0, 9, (0, 1)).member_kind("function")
        'method'
        """
        is_type = self.kind not in OPEN_KINDS and self.kind not in _ROUTINES
        return "method" if kind == "function" and is_type else kind


Entry = Statement | Definition


@dataclass(frozen=True, slots=True)
class Parsed:
    """A file as a definition of kind ``module`` without a name.

    imports : (row, the modules named there) of every import statement, in order.
    broken : (first, stop) rows of what did not parse, in order.
    """

    module: Definition
    imports: list[tuple[int, list[str]]]
    broken: list[tuple[int, int]]


def qualified(owner: Definition, name: str) -> str:
    """Return a name below its owner's.

    >>> qualified(Definition("ns", "namespace", "", "", 0, 9, (0, 1)), "f")
    'ns.f'
    """
    return f"{owner.name}.{name}" if owner.name and name else owner.name or name
