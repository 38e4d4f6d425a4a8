"""What a module of Python defines and binds."""

from __future__ import annotations

import pytest

from brainkit.extract.code import code_facts
from brainkit.extract.facts import Facts, Target


def facts_of(text: str, relative: str = "shelf.py") -> Facts:
    found = code_facts(text, language="python", relative=relative, chunk_of=lambda row: (row,))
    assert found is not None
    return found


def test_kinds_and_paths_of_what_a_module_defines() -> None:
    facts = facts_of(
        """
MAX = 1
Text = str | bytes
type Number = int | float
Key = TypeVar("Key")
Point = namedtuple("Point", "x y")
shelf: Shelf = make()
first, second = 1, 2
for n in (): pass
class Shelf:
    LIMIT = 3
    size = 4
    def load(self):
        class Loader:
            def run(self): ...
        def inner(): ...
async def fetch(): ...
""",
        "src/library/shelf.py",
    )
    assert facts.module == "src.library.shelf"
    assert {one.path: one.kind for one in facts.named} == {
        "": "module",
        "MAX": "constant",
        "Text": "type",
        "Number": "type",
        "Key": "type",
        "Point": "class",
        "shelf": "variable",
        "Shelf": "class",
        "Shelf.LIMIT": "constant",
        "Shelf.load": "method",
        "Shelf.load.Loader": "class",
        "Shelf.load.Loader.run": "method",
        "fetch": "function",
    }


def test_a_package_is_its_folder() -> None:
    facts = facts_of("", "src/library/__init__.py")
    assert (facts.module, facts.named[0].name, facts.named[0].kind) == (
        "src.library",
        "library",
        "package",
    )


def test_chunks_of_a_class_end_at_its_first_method_and_begin_at_its_decorator() -> None:
    facts = facts_of("@marked\nclass Shelf:\n    size = 1\n    def load(self):\n        pass\n")
    assert {one.path: one.chunks for one in facts.named} == {
        "": (0,),
        "Shelf": (0, 1, 2),
        "Shelf.load": (3, 4),
    }


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("import os.path", {"os": Target("name", "os")}),
        ("import os.path as p", {"p": Target("name", "os.path")}),
        ("from os import path as p, sep", {
            "p": Target("name", "os.path"),
            "sep": Target("name", "os.sep"),
        }),
        ("from . import a", {"a": Target("path", "src.library.a")}),
        ("from .a import b", {"b": Target("path", "src.library.a.b")}),
        ("from ..a import b", {"b": Target("path", "src.a.b")}),
        ("from ....a import b", {}),
        ("from .a import *", {"*0": Target("path", "src.library.a")}),
        ("from __future__ import annotations", {}),
        ("try:\n    import quick as j\nexcept ImportError:\n    import slow as j", {
            "j": Target("name", "quick"),
        }),
        ("j = None\nif True:\n    import quick as j", {"j": Target("name", "quick")}),
        ("def f():\n    import os", {}),
    ],
)  # fmt: skip
def test_what_an_import_binds(statement: str, expected: dict[str, Target]) -> None:
    assert facts_of(statement, "src/library/shelf.py").bindings == expected


def test_a_file_that_does_not_parse_has_no_facts() -> None:
    text = "def broken(:\n    pass\n"
    assert code_facts(text, language="python", relative="a.py", chunk_of=lambda _: (0,)) is None


def test_facts_survive_json() -> None:
    facts = facts_of("from . import a\nclass B(a.C):\n    x: a.D\n")
    assert Facts.from_json(facts.to_json()) == facts
