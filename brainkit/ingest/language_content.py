"""What the beginning of a file tells about its language where its name does not."""

from __future__ import annotations

import re
from typing import Final

_CPP: Final = (
    r"^[ \t]*class\s+(\w+\s+)?\w+(\s+final)?\s*(\{|:\s*(public|private|protected|virtual)\b)"
    r"|^[ \t]*(inline\s+)?namespace(\s+\w+(::\w+)*)?\s*\{|^[ \t]*template\s*<"
    r"|^[ \t]*(public|private|protected)\s*:|^[ \t]*using\s+(namespace\b|\w+\s*=|\w+::)"
    r"|\bstd::|^[ \t]*#[ \t]*include[ \t]*<[a-z_]+>|^[ \t]*(virtual|constexpr|explicit)\s+\w"
)
_OBJECTIVE_C: Final = r"^@(interface|implementation|protocol|class|import|end)\b|^#import\b"
_ROFF: Final = r"\A(\.\\\"|'\\\"|\.(TH|Dd|so)\b)"
_BY_CONTENT: Final[dict[str, tuple[tuple[re.Pattern[str], str], ...]]] = {
    extension: tuple((re.compile(pattern, re.MULTILINE), other) for other, pattern in rules.items())
    for extension, rules in {
        "": {
            "php": r"\A<\?php\b",
            "xml": r"\A<\?xml\b",
            "html": r"(?i)\A\s*<(!doctype html|html)\b",
            "pdf": r"\A%PDF-",
        },
        "cls": {"visualbasic": r"\AVERSION \d"},
        "config": {"xml": r"\A\s*<(\?xml|configuration)\b"},
        "d": {"make": r"^\S+\.o\s*:"},
        "fs": {"glsl": r"^\s*#version\b|^\s*void\s+main\s*\("},
        "h": {"objective-c": _OBJECTIVE_C, "cpp": _CPP},
        "inc": {
            "php": r"\A\s*<\?php\b",
            "pascal": r"^\s*\{\$\w|(?i:^\s*(procedure|function)\s[^(){}]*[;(].*;\s*$)",
            "c": r"^\s*#\s*(include|if|ifdef|ifndef|define)\b|^\s*(//|/\*)",
        },
        "m": {"objective-c": rf"{_OBJECTIVE_C}|^(//|/\*|#\s*(include|pragma|define|if))"},
        "pl": {"prolog": r"^\s*:-|\A\s*%"},
        "pp": {
            "puppet": r"\A\s*#|^\s*(class\s+[a-z:_\d]+\s*[({]|define\s|node\s|include\s|\$\w+\s*=)"
        },
        "ts": {"xml": r"\A\s*<(\?xml|!DOCTYPE TS|TS\b)"},
        "v": {"coq": r"^(Require|From\s+\w+\s+Require|Theorem|Lemma|Inductive|Definition)\b"},
        **{section: {"roff": _ROFF} for section in "12345678"},
    }.items()
}
"""Extensions of several languages: the first whose pattern is in the file's beginning has it, else
the table's. The key "" is for names that tell nothing."""

_MODELINE: Final = re.compile(
    r"-\*-\s*(?:.*\bmode:\s*)?([\w+#-]+?)\s*(?:;.*)?-\*-|\bvim?:.*\b(?:ft|filetype)=(\w+)", re.I
)
_MODES: Final = {
    "c++": "cpp",
    "sh": "shell",
    "shell-script": "shell",
    "makefile": "make",
    "objc": "objective-c",
    "js": "javascript",
    "cperl": "perl",
    "rst": "restructuredtext",
    "elisp": "emacslisp",
}
"""What editors call some languages."""

_ENV_OPTIONS_WITH_VALUE: Final = frozenset({"-u", "-C", "--unset", "--chdir"})


def by_content(extension: str, head: str) -> str | None:
    """Return the language of a file with a shared extension, or of one without ("") any.

    >>> by_content("m", "#import <UIKit/UIKit.h>"), by_content("m", "% solve")
    ('objective-c', None)
    """
    rules = _BY_CONTENT.get(extension, ())
    return next((language for pattern, language in rules if pattern.search(head)), None)


def by_modeline(head: str) -> str | None:
    """Return the mode that a first line asks an editor for, by our name for it.

    >>> by_modeline("// <vector> -*- C++ -*-"), by_modeline("# vim: set ft=python :")
    ('cpp', 'python')
    """
    found = _MODELINE.search(head.partition("\n")[0])
    if found is None:
        return None
    mode = (found[1] or found[2]).casefold()
    return _MODES.get(mode, mode)


def interpreter_of(head: str) -> str:
    """Return what a ``#!`` line starts, without its folder and in lower case; "" if there is none.

    >>> interpreter_of("#!/usr/bin/env -S python3.11 -u")
    'python3.11'
    """
    if not head.startswith("#!"):
        return ""
    words = head[2:].partition("\n")[0].split()
    if words and words[0].rpartition("/")[2] == "env":
        words = _after_env(words[1:])
    return words[0].rpartition("/")[2].casefold() if words else ""


def _after_env(words: list[str]) -> list[str]:
    """Drop env's own options and assignments: ``-S -u NAME A=1 python3`` leaves ``python3``."""
    while words and (words[0].startswith("-") or "=" in words[0]):
        words = words[2 if words[0] in _ENV_OPTIONS_WITH_VALUE else 1 :]
    return words
