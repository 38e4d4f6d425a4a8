"""What import statements of Python bind, and to what."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from tree_sitter import Node

from brainkit.extract.facts import Target
from brainkit.parse.grammar import named, text_of

_SPACE: Final = re.compile(r"\s+")


class Import(NamedTuple):
    """One name of an import statement; ``*`` for all names of a module.

    module : where ``from`` takes it; None for ``import a.b`` and for ``from . import b``.
    """

    local: str
    target: Target
    module: Target | None


def imported(statement: Node, *, folder: str) -> list[Import]:
    """Return what an import statement binds.

    folder : dotted path of the file's folder below the root, which is the package it is in.
    """
    if statement.type == "import_statement":
        found = []
        for part in statement.children_by_field_name("name"):
            path, alias = _aliased(part)
            local = alias or path.partition(".")[0]
            found.append(Import(local, Target("name", path if alias else local), None))
        return found
    source = statement.child_by_field_name("module_name")
    dotted = _SPACE.sub("", text_of(source))
    rest = dotted.lstrip(".")
    if level := len(dotted) - len(rest):
        parts = folder.split(".") if folder else []
        if level - 1 > len(parts):
            return []
        base = Target("path", ".".join([*parts[: len(parts) - level + 1], *filter(None, [rest])]))
    else:
        base = Target("name", rest)
    module = base if rest else None
    if any(child.type == "wildcard_import" for child in statement.children):
        return [Import("*", base, base)]
    return [
        Import(alias or path, base._replace(path=f"{base.path}.{path}".lstrip(".")), module)
        for path, alias in map(_aliased, statement.children_by_field_name("name"))
    ]


def modules_of(statement: Node) -> list[Target]:
    """Return the modules that ``import a.b, c`` names, in full."""
    return [Target("name", _aliased(part)[0]) for part in statement.children_by_field_name("name")]


def _aliased(part: Node) -> tuple[str, str]:
    if part.type == "aliased_import":
        return _SPACE.sub("", named(part)), text_of(part.child_by_field_name("alias"))
    return _SPACE.sub("", text_of(part)), ""
