"""Which language a notebook's kernel, or a magic at the top of a cell, speaks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from brainkit.ingest.languages import LANGUAGES, language_of

_ALIASES: Final = {
    "c++": "cpp",
    "c#": "csharp",
    "f#": "fsharp",
    "ir": "r",
    "ipython": "python",
    "script": "shell",
    "sos": "python",
    "system": "shell",
}
_NOT_A_LANGUAGE: Final = frozenset({"time", "timeit", "capture", "prun", "debug", "memit", "mprun"})


def language_named(name: str) -> str | None:
    """Return the language that a kernel or a magic calls by this name, extension or interpreter.

    >>> language_named("C++17"), language_named("ir"), language_named("python3")
    ('cpp', 'r', 'python')
    >>> language_named("js"), language_named("wolfram")
    ('javascript', None)
    """
    name = name.strip().casefold()
    for known in (name, name.rstrip("0123456789.-")):
        if known in _ALIASES or known in LANGUAGES:
            return _ALIASES.get(known, known)
    words = name.split()
    return language_of(f"cell.{name}") or (language_of("cell", f"#!{words[0]}") if words else None)


def kernel_language(metadata: Mapping[str, Any]) -> str | None:
    """Return the language of a notebook's code; Python where it says nothing at all."""
    info, spec = (_mapping(metadata.get(name)) for name in ("language_info", "kernelspec"))
    names = [info.get("name"), spec.get("language"), spec.get("name")]
    named = [name for name in names if isinstance(name, str) and name.strip()]
    languages = [language_named(name) for name in named]
    return next(filter(None, languages), None) if named else "python"


def cell_language(source: str, kernel: str | None) -> str | None:
    """Return the language of a code cell: what ``%%bash`` and its like say, else the kernel's.

    >>> cell_language("%%sql\\nselect 1", "python"), cell_language("%%time\\nf()", "python")
    ('sql', 'python')
    >>> cell_language("%%writefile app/main.go\\npackage main", "python")
    'go'
    """
    if not source.startswith("%%"):
        return kernel
    magic, *arguments = source[2:].partition("\n")[0].split() or [""]
    if magic in _NOT_A_LANGUAGE:
        return kernel
    if magic in ("writefile", "file") and arguments:
        return language_of(arguments[-1])
    if magic == "script" and arguments:
        return language_named(arguments[0])
    return language_named(magic) or kernel


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
