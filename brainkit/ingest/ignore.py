"""Gitignore-style patterns: `.gitignore` and `.brainignore` files, and the globs of a call."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from pathspec import GitIgnoreSpec

from brainkit.errors import InvalidSetting
from brainkit.globs import glob, spec_of

IGNORE_FILES: Final = (".gitignore", ".brainignore")
"""Weakest first: of two rules in one folder the one in `.brainignore` decides."""


class Rule(NamedTuple):
    """One line of an ignore file. ``ignores`` is False for a negated (`!`) line."""

    regex: re.Pattern[str]
    ignores: bool

    def matches(self, path: str, *, is_folder: bool) -> bool:
        """Whether the rule names exactly this path, not merely a folder above it.

        pathspec's expressions also match everything below a named folder, marking the slash with a
        group. A walk that prunes asks about each level in turn, so only a mark at the end counts.
        """
        found = self.regex.search(path)
        if found and found.lastgroup is None:
            return True
        folder = f"{path}/"
        return is_folder and any(
            mark.lastgroup is not None and mark.end() == len(folder)
            for mark in self.regex.finditer(folder)
        )


@dataclass(frozen=True, slots=True)
class IgnoreFile:
    """The rules of one ignore file, which speak about paths below its folder.

    origin : where the file is, relative to the root, for people.
    folder : relative POSIX path of its folder; empty for the root.
    """

    origin: str
    folder: str
    rules: tuple[Rule, ...]

    def verdict(self, relative: str, *, is_folder: bool) -> bool | None:
        """True for ignored, False for kept by a negation, None if no line speaks of the path.

        relative : POSIX path from the root, below ``folder``. The last matching line decides.
        """
        path = relative[len(self.folder) + 1 :] if self.folder else relative
        for rule in reversed(self.rules):
            if rule.matches(path, is_folder=is_folder):
                return rule.ignores
        return None


def parse_rules(text: str) -> tuple[Rule, ...]:
    r"""Read gitignore lines; blank lines, comments and invalid patterns are no rules, as in git.

    >>> [rule.ignores for rule in parse_rules("*.log\n\n# kept\n!keep.log\n")]
    [True, False]
    """
    rules = []
    for line in text.removeprefix("\ufeff").split("\n"):
        try:
            pattern = glob(line.removesuffix("\r"))
        except ValueError:
            continue
        if pattern.regex is not None:
            rules.append(Rule(pattern.regex, bool(pattern.include)))
    return tuple(rules)


def read_ignore_file(path: Path, *, folder: str) -> IgnoreFile:
    """Read one ignore file of the folder at this relative path; raises OSError if that fails."""
    text = path.read_bytes().decode("utf-8", "surrogateescape")
    return IgnoreFile(f"{folder}/{path.name}" if folder else path.name, folder, parse_rules(text))


def ignored_by(files: Sequence[IgnoreFile], relative: str, *, is_folder: bool) -> str | None:
    """Return the origin of the ignore file that leaves the path out, or None if it stays.

    files : every ignore file above the path, from the root down; the deepest that speaks decides.
    Ask about each folder on the way first and do not enter an ignored one: as in git, a negation
    below an ignored folder has no effect.
    """
    for file in reversed(files):
        verdict = file.verdict(relative, is_folder=is_folder)
        if verdict is not None:
            return file.origin if verdict else None
    return None


def globs(patterns: Sequence[str], *, field: str) -> GitIgnoreSpec:
    """Compile the patterns of a call; a path matches if one of them names it or a folder above.

    patterns : one or more globs; a single string counts as one. A leading ``./`` is dropped.
    field : the parameter they came from, for the message.
    Raises InvalidSetting if there is none, or one that could never match.

    >>> globs(["src/**", "*.md"], field="include").match_file("docs/a.md")
    True
    """
    lines = [line.removeprefix("./") for line in _listed(patterns)]
    if not lines:
        raise InvalidSetting(
            f"{field} is an empty list; leave it out, or give a glob like 'src/**'."
        )
    for line in lines:
        try:
            usable = glob(line).regex is not None
        except ValueError:
            usable = False
        if not usable:
            raise InvalidSetting(
                f"{field} pattern {line!r} is not a glob that can match a path; "
                "give one like 'src/**' or '*.md'."
            )
    return spec_of(map(glob, lines))


def excludes(patterns: Sequence[str]) -> IgnoreFile:
    """Compile exclude globs as an ignore file at the root. Raises InvalidSetting like `globs`."""
    compiled = globs(patterns, field="exclude")
    rules = (Rule(one.regex, bool(one.include)) for one in compiled.patterns if one.regex)
    return IgnoreFile("exclude", "", tuple(rules))


def _listed(patterns: Sequence[str]) -> list[str]:
    return [patterns] if isinstance(patterns, str) else list(patterns)
