"""What source files define and use, one file per family of languages.

A language's reader is ``facts(root, collector)``: see model.py for what it may say. Where there is
no tree-sitter grammar it gets the text in place of the root.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Final, NamedTuple

from brainkit.extract.code.model import Collector
from brainkit.extract.facts import Facts


class Reader(NamedTuple):
    """Where a language is read: the module of this package, and its function."""

    family: str
    module: str
    function: str = "facts"


READERS: Final = {
    "python": Reader("python", "python"),
    "javascript": Reader("javascript", "javascript"),
    "typescript": Reader("javascript", "javascript"),
    "tsx": Reader("javascript", "javascript"),
    "java": Reader("jvm", "java"),
    "kotlin": Reader("jvm", "others", "kotlin_facts"),
    "csharp": Reader("csharp", "csharp"),
    "go": Reader("go", "go"),
    "rust": Reader("rust", "rust"),
    "c": Reader("c", "c"),
    "cpp": Reader("c", "c", "cpp_facts"),
    "swift": Reader("swift", "others", "swift_facts"),
    "pascal": Reader("pascal", "others", "pascal_facts"),
}

FAMILIES: Final = {language: reader.family for language, reader in READERS.items()}
"""Language -> family: files of one family can refer to each other."""


def code_facts(
    text: str, *, language: str, relative: str, chunk_of: Callable[[int], tuple[int, ...]]
) -> Facts | None:
    """Return what a source file defines and uses, or None if it does not parse.

    relative : its path below the root, POSIX.
    chunk_of : row from 0 -> positions of the file's chunks that hold it.
    Raises KeyError for a language that is not in READERS.
    """
    from brainkit.parse.bounded import root_of
    from brainkit.parse.grammar import GrammarUnavailable
    from brainkit.parse.table import GRAMMARS

    reader = READERS[language]
    collector = Collector(relative=relative, family=reader.family, chunk_of=chunk_of, text=text)
    read = getattr(import_module(f"{__name__}.{reader.module}"), reader.function)
    grammar = GRAMMARS.get(language)
    try:
        source = root_of(text, grammar=grammar) if grammar else text
    except GrammarUnavailable:
        return None
    if source is None:
        return None
    try:
        read(source, collector)
    except RecursionError:  # code nested that deep is generated
        return None
    return collector.facts()
