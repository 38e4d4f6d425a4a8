"""Gitignore-style globs, compiled so that no glob takes long, whoever wrote it."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable
from typing import Any, AnyStr, Final, Literal

from pathspec import GitIgnoreSpec
from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

_STAR: Final = "[^/]*"
_ANY_FOLDERS_FIRST: Final = "^(?:.+/)?"
_ANY_FOLDERS: Final = "(?:/.+)?"
"""What pathspec makes of ``*``, and of ``**`` at the beginning and between slashes."""

_POSIX_CLASSES: Final = {
    "alnum": "a-zA-Z0-9",
    "alpha": "a-zA-Z",
    "blank": " \t",
    "digit": "0-9",
    "lower": "a-z",
    "space": " \t\r\f\v",
    "upper": "A-Z",
    "xdigit": "0-9a-fA-F",
}


class Glob(GitIgnoreSpecPattern):
    """A pattern whose expression takes time in proportion to the path.

    pathspec's tries every way to share a path among the stars of a pattern: one of eight stars in
    the ``.gitignore`` of a folder that someone else made needs a minute for a name of 60 letters.
    What stands between two stars may be taken where it first fits, since the star after it takes
    whatever is left; so each such part is matched once (``(?>...)``) and never tried again.
    """

    @classmethod
    def _translate_segment_glob(cls, pattern: str, range_error: Literal["literal", "raise"]) -> str:
        first, *parts = super()._translate_segment_glob(pattern, range_error).split(_STAR)
        if not parts:
            return first
        *inner, last = parts
        once = "".join(f"(?>{_STAR}?{part})" for part in inner if part)
        return f"{first}{once}{_STAR}{last}"

    @classmethod
    def pattern_to_regex(cls, pattern: AnyStr) -> tuple[AnyStr | None, bool | None]:
        """As pathspec's; the parts between two ``**`` are whole folders, and matched once each."""
        given, include = super().pattern_to_regex(pattern)
        if not isinstance(given, str):
            return given, include
        regex: Any = cls._of_folders(given)  # a str, as pattern is
        return regex, include

    @staticmethod
    def _of_folders(regex: str) -> str:
        first, *parts = regex.split(_ANY_FOLDERS)
        if not parts:
            return regex
        *inner, last = parts
        if first.startswith(_ANY_FOLDERS_FIRST):
            rest = first.removeprefix(_ANY_FOLDERS_FIRST)
            first = f"^(?>(?:.+?/)??{rest}(?=/))"
        once = "".join(f"(?>(?:/.+?)??{part}(?=/))" for part in inner)
        return f"{first}{once}{_ANY_FOLDERS}{last}"


def glob(line: str) -> Glob:
    """Compile one line as git reads it; without an expression if it is blank or a comment.

    Raises ValueError if it is not a glob that can match a path.
    """
    for name, members in _POSIX_CLASSES.items():  # pathspec reads [[:digit:]] as two sets
        line = line.replace(f"[:{name}:]", members)
    line = re.sub(r"/\*\*/ *$", "/**/*/", line)  # a/**/ is each folder in a, not a itself
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # re's, about a "[" inside a set
        try:
            return Glob(line)
        except (re.error, OverflowError, RecursionError) as error:
            raise ValueError(f"{line!r:.80} cannot be compiled ({error})") from None


def spec_of(globs: Iterable[Glob]) -> GitIgnoreSpec:
    """Return the globs as one; the last that matches a path decides.

    They are matched by Python's own engine: others that pathspec takes where one is installed have
    no groups that are matched once.

    >>> spec_of([glob("src/**"), glob("!*.log")]).match_file("src/a.log")
    False
    """
    return GitIgnoreSpec(list(globs), backend="simple")
