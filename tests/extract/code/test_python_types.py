"""Whose member is meant, where Python says or shows what a value is.

Each source is the module m.py, and its relations are all there are but for imports.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

Relations = set[tuple[str, str, str]]

TYPES = {
    "of a parameter": (
        """
class Shelf:
    def load(self): ...
def run(x: Shelf): x.load()
def quoted(x: "Shelf"): x.load()
def union(x: None | Shelf): x.load()
def optional(x: Optional[Shelf]): x.load()
def reassigned(x: Shelf | None = None):
    x = x or Shelf()
    x.load()
""",
        {
            (one, predicate, object_)
            for one in ("run", "quoted", "union", "optional", "reassigned")
            for predicate, object_ in (("uses", "Shelf"), ("calls", "Shelf.load"))
        },
    ),
    "of two things is unknown": (
        """
class Shelf:
    def load(self): ...
class Box:
    def load(self): ...
def run(x: Shelf | Box): x.load()
def either(flag):
    x = Shelf() if flag else Box()
    x.load()
""",
        {(one, "uses", object_) for one in ("run", "either") for object_ in ("Shelf", "Box")},
    ),
    "of a variable": (
        """
class Shelf:
    def load(self): ...
    def __enter__(self) -> "Shelf": ...
def made() -> Shelf: ...
def run():
    x = Shelf()
    x.load()
def told():
    x = made()
    x.load()
def within():
    with Shelf() as x:
        x.load()
def cast(y):
    typing.cast("Shelf", y).load()
""",
        {
            ("Shelf.__enter__", "uses", "Shelf"),
            ("made", "uses", "Shelf"),
            ("run", "uses", "Shelf"),
            ("run", "calls", "Shelf.load"),
            ("told", "calls", "made"),
            ("told", "calls", "Shelf.load"),
            ("within", "uses", "Shelf"),
            ("within", "calls", "Shelf.load"),
        },
    ),
    "of what is returned": (
        """
class Shelf:
    def load(self): ...
def made():
    found = Shelf()
    return found
def run(): made().load()
def several(flag):
    if flag:
        return Shelf()
    return flag
def unknown(): several(1).load()
def many():
    yield Shelf()
def generated(): many().load()
""",
        {
            ("made", "uses", "Shelf"),
            ("run", "calls", "made"),
            ("run", "calls", "Shelf.load"),
            ("several", "uses", "Shelf"),
            ("unknown", "calls", "several"),
            ("many", "uses", "Shelf"),
            ("generated", "calls", "many"),
        },
    ),
    "of an attribute": (
        """
class Book:
    def lend(self): ...
class Shelf:
    kind: type[Book]
    first = Book()
    def __init__(self, last: Book, other):
        self.last = last
        self.next: Book | None = None
        self.other = other
    def run(self):
        self.first.lend()
        self.last.lend()
        self.next.lend()
        self.other.lend()
        self.kind().lend()
""",
        {
            ("Shelf", "uses", "Book"),
            ("Shelf.__init__", "uses", "Book"),
            ("Shelf.run", "calls", "Book.lend"),
            ("Shelf.run", "uses", "Book"),
        },
    ),
    "of an attribute given two things is unknown": (
        """
class Book:
    def lend(self): ...
class Shelf:
    def __init__(self):
        self.book = Book()
    def change(self, book):
        self.book = book
    def run(self):
        self.book.lend()
""",
        {("Shelf.__init__", "uses", "Book")},
    ),
    "of a property, and what __call__ is for": (
        """
class Book:
    def lend(self): ...
    def __call__(self): ...
class Shelf:
    @property
    def book(self) -> Book: ...
    def run(self):
        self.book.lend()
        self.book()
def told(x: Book):
    x()
""",
        {
            ("Shelf.book", "uses", "Book"),
            ("Shelf.run", "uses", "Shelf.book"),
            ("Shelf.run", "calls", "Shelf.book"),
            ("Shelf.run", "calls", "Book.lend"),
            ("told", "uses", "Book"),
            ("told", "calls", "Book.__call__"),
        },
    ),
}

CLASSES = {
    "self, cls and super": (
        """
class Base:
    def load(self): ...
    def keep(self): ...
class Shelf(Base):
    def load(self):
        super().load()
        self.keep()
    @classmethod
    def made(cls):
        return cls()
    @staticmethod
    def alone(self):
        self.load()
    def again(self):
        type(self).made()
        self.__class__.made()
        super(Shelf, self).load()
""",
        {
            ("Shelf", "inherits", "Base"),
            ("Shelf.load", "calls", "Base.load"),
            ("Shelf.load", "calls", "Base.keep"),
            ("Shelf.made", "uses", "Shelf"),
            ("Shelf.again", "calls", "Shelf.made"),
            ("Shelf.again", "calls", "Base.load"),
        },
    ),
    "members by C3 order": (
        """
class Top:
    def load(self): ...
class Left(Top): ...
class Right(Top):
    def load(self): ...
class Shelf(Left, Right):
    def run(self): self.load()
""",
        {
            ("Left", "inherits", "Top"),
            ("Right", "inherits", "Top"),
            ("Shelf", "inherits", "Left"),
            ("Shelf", "inherits", "Right"),
            ("Shelf.run", "calls", "Right.load"),
        },
    ),
    "a class in a function hides that of the module": (
        """
class Shelf:
    def load(self): ...
def run():
    class Shelf(Box):
        def load(self): ...
    Shelf().load()
class Box: ...
""",
        {
            ("run.Shelf", "inherits", "Box"),
            ("run", "uses", "run.Shelf"),
            ("run", "calls", "run.Shelf.load"),
        },
    ),
    "decorators, bases in brackets, metaclass": (
        """
class Meta: ...
class Base: ...
def marked(x): ...
@marked
class Shelf(Base["Book"], metaclass=Meta):
    @marked
    def load(self): ...
    @marked(1)
    def keep(self): ...
class Book: ...
""",
        {
            ("Shelf", "inherits", "Base"),
            ("Shelf", "uses", "Meta"),
            ("Shelf", "uses", "Book"),
            ("Shelf", "uses", "marked"),
            ("Shelf.load", "uses", "marked"),
            ("Shelf.keep", "uses", "marked"),
        },
    ),
    "another name of a thing is that thing": (
        """
class Shelf:
    def load(self): ...
    put = load
Other = Shelf
def run():
    Other().put()
""",
        {
            ("m", "uses", "Shelf"),
            ("Shelf", "uses", "Shelf.load"),
            ("run", "uses", "Shelf"),
            ("run", "calls", "Shelf.load"),
        },
    ),
    "patterns and exceptions are uses": (
        """
class Lost(Exception): ...
class Point: ...
RED = 1
def run(x):
    try: ...
    except Lost as error:
        raise Lost from error
    match x:
        case Point(y=0): return RED
""",
        {("run", "uses", "Lost"), ("run", "uses", "Point"), ("run", "uses", "RED")},
    ),
}


@pytest.mark.parametrize(
    ("source", "expected"), [*TYPES.values(), *CLASSES.values()], ids=[*TYPES, *CLASSES]
)
def test_members(
    source: str, expected: Relations, relations_inside: Callable[[str], Relations]
) -> None:
    assert relations_inside(source) == expected
