"""Who is meant by a name of Python, scope by scope.

Each source is the module m.py, and its relations are all there are but for imports.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

Relations = set[tuple[str, str, str]]

SCOPES = {
    "a parameter hides a function": (
        """
def load(): ...
def run(load):
    load()
""",
        set(),
    ),
    "an assignment anywhere in a function makes the name its own": (
        """
def load(): ...
def run():
    load()
    load = print
""",
        set(),
    ),
    "global gives the name back": (
        """
def load(): ...
def run():
    global load
    load()
    load = print
""",
        {("run", "calls", "load")},
    ),
    "a loop, with, except, walrus or match binds too": (
        """
def a(): ...
def b(): ...
def c(): ...
def d(): ...
def e(): ...
def run(x):
    for a in x: a()
    with x as b: b()
    try: ...
    except ValueError as c: c()
    if (d := x): d()
    match x:
        case [e]: e()
""",
        set(),
    ),
    "a comprehension binds inside only": (
        """
def load(): ...
def run(x):
    [load() for load in x]
    [y for y in load()]
""",
        {("run", "calls", "load")},
    ),
    "a lambda's parameter hides, its default does not": (
        """
def load(): ...
def run():
    return lambda load=load(): load()
""",
        {("run", "calls", "load")},
    ),
    "a class's names are not seen in its methods": (
        """
def load(): ...
class Shelf:
    def load(self): ...
    again = load
    def run(self):
        load()
""",
        {("Shelf", "uses", "Shelf.load"), ("Shelf.run", "calls", "load")},
    ),
    "what is deleted means nothing": (
        """
def load(): ...
def run():
    load()
del load
""",
        set(),
    ),
    "a nested function's work is its outer's, and its name hides": (
        """
def load(): ...
def helper(): ...
def run():
    def helper():
        load()
    helper()
""",
        {("run", "calls", "load")},
    ),
    "a definition behind an import hides it": (
        """
from elsewhere import load
def load(): ...
def run():
    load()
""",
        {("run", "calls", "load")},
    ),
    "strings and comments say nothing, formatted ones do": (
        '''
def load(): ...
def run():
    """load() and load()"""
    # load()
    text = "load()"
    return f"{{load()}} {len(text)}"
def told():
    return f"{load()!r:>{10}}"
''',
        {("told", "calls", "load")},
    ),
    "isinstance is no relation": (
        """
class Shelf: ...
def run(x):
    return isinstance(x, Shelf) and issubclass(type(x), Shelf)
""",
        set(),
    ),
    "a method of an unknown thing is nobody's": (
        """
class Shelf:
    def load(self): ...
def run(x):
    x.load()
    x[0].load()
""",
        set(),
    ),
}


@pytest.mark.parametrize(("source", "expected"), [*SCOPES.values()], ids=[*SCOPES])
def test_scopes(
    source: str, expected: Relations, relations_inside: Callable[[str], Relations]
) -> None:
    assert relations_inside(source) == expected
