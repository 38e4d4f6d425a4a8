"""What a grammar trips over, replaced by blanks: every byte that remains keeps its place.

A parser sees a file before its preprocessor does. Macros are no words of the language, and the
branches of an ``#if`` often open the same block twice.
"""

from __future__ import annotations

import re
from typing import Final

_DIRECTIVE: Final = re.compile(rb"^[ \t]*#[ \t]*(\w*)(?:[^\n]*\\\n)*[^\n]*$", re.MULTILINE)
_MACROS: Final = re.compile(
    rb"""
    (?<=\bclass\ )  WORD ARGUMENTS (?=\s+\w)
    | (?<=\bstruct\ ) WORD ARGUMENTS (?=\s+\w)
    # constexpr under another name
    | (?<=\bif\ ) WORD (?=\s*\()
    # alone on a line, such as one that opens a namespace
    | ^[ \t]* WORD [ \t]*$
    # before the words that begin a declaration, or a type and a name
    | \b WORD ARGUMENTS (?:\s+ WORD ARGUMENTS)* (?=\s+ (?:DECLARING)\b)
    | ^[ \t]* WORD (?=\s+ \w+ \s+ [*&]* \w+ \s* \()
    # before a constructor
    | (?<=[;{}>\n]) [ \t]* WORD (?=\s+ ~?\w+ \s* \()
    # between the parameters of a function and what comes then
    | (?<=\)) (?:[ \t\n]*(?:const|override|final|noexcept)\b)* (?:\s*WORD ARGUMENTS)+ (?=\s*[;{])
    # a condition among template parameters
    | ,\s* WORD \( [^()\n]* (?:\([^()\n]*\)[^()\n]*)* \) (?=\s*[,>])
    """.replace(b"WORD", rb"\b[A-Z][A-Z0-9_]{3,}+\b")
    .replace(b"ARGUMENTS", rb"(?:[ \t]*\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\))?")
    .replace(
        b"DECLARING",
        rb"template|static|inline|extern|const\w*|virtual|explicit|friend|typename|auto|bool|char"
        rb"|double|float|int|long|short|signed|unsigned|void|class|struct|enum|union|size_t"
        rb"|u?int\d+_t|std",
    ),
    re.MULTILINE | re.VERBOSE,
)


def without_macros(source: bytes) -> bytes:
    """Hide words in capitals where a declaration of C or C++ has no place for them.

    >>> without_macros(b"class SHELF_API Shelf {\\n  int size() GUARDED_BY(lock);\\n};")
    b'class           Shelf {\\n  int size()                 ;\\n};'
    """
    kept = []
    done = 0
    for directive in _DIRECTIVE.finditer(source):
        kept += [_MACROS.sub(_blank, source[done : directive.start()]), directive[0]]
        done = directive.end()
    kept.append(_MACROS.sub(_blank, source[done:]))
    return b"".join(kept)


def longest_branches(source: bytes) -> bytes:
    """Hide the lines of ``#if`` and its kin, and every branch but the longest.

    >>> longest_branches(b"#ifdef A\\nif (a) {\\n#else\\nif (bc) {\\n#endif\\n}")
    b'        \\n        \\n     \\nif (bc) {\\n      \\n}'
    """
    hidden: list[tuple[int, int]] = []
    # For each #if that is open: where its branches begin, and where those before the last end.
    opened: list[tuple[list[int], list[int]]] = []
    for directive in _DIRECTIVE.finditer(source):
        word, start, stop = directive[1], directive.start(), directive.end()
        if word.startswith(b"if"):
            opened.append(([stop], []))
        elif word == b"endif" and opened:
            starts, stops = opened.pop()
            branches = [*zip(starts, [*stops, start], strict=True)]
            branches.remove(max(branches, key=lambda branch: branch[1] - branch[0]))
            hidden += branches
        elif word.startswith(b"el") and opened:
            opened[-1][0].append(stop)
            opened[-1][1].append(start)
        else:
            continue
        hidden.append((start, stop))
    kept, done = [], 0
    for start, stop in sorted(hidden):
        if stop > done:
            kept += [source[done : max(start, done)], _blanked(source[max(start, done) : stop])]
            done = stop
    return b"".join([*kept, source[done:]])


def _blank(match: re.Match[bytes]) -> bytes:
    return _blanked(match[0])


def _blanked(source: bytes) -> bytes:
    return re.sub(rb"[^\n]", b" ", source)
