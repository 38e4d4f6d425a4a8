"""Languages of which only definitions and imports are read, as brainkit/parse finds them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from tree_sitter import Node

from brainkit.extract.code.model import Collector
from brainkit.extract.facts import Target
from brainkit.parse.grammar import text_of
from brainkit.parse.model import Definition, Entry, Parsed
from brainkit.parse.table import PARSERS

_ROUTINES: Final = frozenset({"function", "method", "property", "macro"})
_Places = Callable[[str, int], list[str]]
"""Name and row of an import -> what it may mean, the likeliest first."""
_OF_TYPES: Final = frozenset({"constructor", "init", "deinit", "subscript"})
_ADDING: Final = frozenset({"extension"})
"""What adds members to a type that is defined elsewhere."""


def kotlin_facts(root: Node, collector: Collector) -> None:
    """Collect what a Kotlin file defines and imports; its module is its package, as in Java."""
    header = next((node for node in root.named_children if node.type == "package_header"), None)
    package = "".join(text_of(header).removeprefix("package").split()).rstrip(";")
    stem = collector.module_name
    collector.module, collector.kind = package, "package"
    collector.module_name = package.rpartition(".")[2] or stem
    parsed = _parsed("kotlin", collector)
    if parsed is None:
        return
    types = _define(parsed.module, collector)
    subject = stem if stem in types else next(iter(types), "")

    lines = collector.text.split("\n")

    def places(name: str, row: int) -> list[str]:
        if lines[row].rstrip().endswith("*"):
            return [name]
        # What is outside the corpus is shown as its package.
        owner = ".".join(part for part in name.split(".") if not part[:1].isupper())
        return [name, name.rpartition(".")[0], owner]

    _import(parsed, collector, subject=subject, places=places)


def swift_facts(_: Node, collector: Collector) -> None:
    """Collect what a Swift file defines and imports."""
    # "import class UIKit.UIView" is of the module UIKit.
    _plain("swift", collector, places=lambda name, _: [name, name.partition(".")[0]])


def pascal_facts(_: str, collector: Collector) -> None:
    """Collect what a unit or program of Pascal defines, and the units that it uses."""
    _plain("pascal", collector, places=lambda name, _: [name])


def _plain(language: str, collector: Collector, *, places: _Places) -> None:
    parsed = _parsed(language, collector)
    if parsed is not None:
        _define(parsed.module, collector)
        _import(parsed, collector, subject="", places=places)


def _parsed(language: str, collector: Collector) -> Parsed | None:
    return PARSERS[language](collector.text)


def _define(module: Definition, collector: Collector) -> list[str]:
    """Add what a file defines outside routines; return the paths of its types at the top."""
    types: list[str] = []
    waiting = [*_definitions(module.inner())][::-1]
    while waiting:
        one = waiting.pop()
        members = [] if one.kind in _ROUTINES else [*_definitions(one.inner())]
        last = one.name.rpartition(".")[2]
        named = last.isidentifier() and last not in _OF_TYPES
        if one.kind not in _ADDING and named:
            first = min((member.first for member in members), default=one.stop)
            stop = max(one.head[1], min(first, one.stop))
            collector.add(one.name, one.kind, rows=(one.first, stop))
            if one.kind not in _ROUTINES and "." not in one.name:
                types.append(one.name)
        waiting += members[::-1]
    return types


def _definitions(entries: Iterator[Entry]) -> Iterator[Definition]:
    """Yield the definitions among entries, and those that statements hold."""
    for entry in entries:
        if isinstance(entry, Definition):
            yield entry
        else:
            yield from _definitions(entry.inner())


def _import(parsed: Parsed, collector: Collector, *, subject: str, places: _Places) -> None:
    for row, names in parsed.imports:
        for name in names:
            paths = dict.fromkeys(path for path in places(name, row) if path)
            targets = [Target("name", path) for path in paths]
            collector.refer(subject, "imports", *targets, row=row)
