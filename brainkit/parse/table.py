"""Which languages are parsed, and by what."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from brainkit.parse.c import CPP, C
from brainkit.parse.csharp import CSHARP
from brainkit.parse.go import GO
from brainkit.parse.java import JAVA
from brainkit.parse.javascript import JAVASCRIPT, TSX, TYPESCRIPT
from brainkit.parse.kotlin import KOTLIN
from brainkit.parse.model import Parsed
from brainkit.parse.pascal import parse_pascal
from brainkit.parse.python import PYTHON
from brainkit.parse.rust import RUST
from brainkit.parse.swift import SWIFT
from brainkit.parse.syntax import parse_tree

GRAMMARS: Final = {
    "python": PYTHON,
    "javascript": JAVASCRIPT,
    "typescript": TYPESCRIPT,
    "tsx": TSX,
    "java": JAVA,
    "go": GO,
    "rust": RUST,
    "c": C,
    "cpp": CPP,
    "csharp": CSHARP,
    "kotlin": KOTLIN,
    "swift": SWIFT,
}
"""One row per language with a tree-sitter grammar. The grammar itself loads on first use."""

PARSERS: Final[dict[str, Callable[[str], Parsed | None]]] = {
    **{language: partial(parse_tree, grammar=grammar) for language, grammar in GRAMMARS.items()},
    "pascal": parse_pascal,
}
"""What a file defines, or None if it cannot be trusted to say."""

CLASS_OPENERS: Final = {
    language: grammar.class_opener for language, grammar in GRAMMARS.items() if grammar.class_opener
}
"""What ends a class line in a context, where a reader would miss it."""
