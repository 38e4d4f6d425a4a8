"""Pascal's words and marks, which of them belong together, and the comments between."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import Final, NamedTuple

from brainkit.parse.model import Statement
from brainkit.parse.signature import one_line

OPENERS: Final = frozenset({"begin", "case", "try", "asm", "initialization", "finalization"})
"""Words that an ``end`` belongs to, in a routine or a program."""

_TOKEN: Final = re.compile(
    r"""
    (?P<comment>\{[^}]*\}? | \(\*.*?(?:\*\)|\Z) | //[^\n]*)
    | (?P<string>'[^'\n]*'?)
    | (?P<word>&?[^\W\d]\w*)
    | (?P<mark>[^\s\w])
    """,
    re.VERBOSE | re.DOTALL,
)
_DIRECTIVE: Final = re.compile(r"(?:\{|\(\*)\$\s*([a-z]+)", re.IGNORECASE)
_BRACKETS: Final = {"(": ")", "[": "]", "<": ">"}


class Unbalanced(Exception):
    """A block or bracket that nothing closes."""


class Token(NamedTuple):
    """A word in lower case or one mark, from ``start`` to ``end`` of the text, on line ``row``."""

    text: str
    start: int
    end: int
    row: int


class Comment(NamedTuple):
    """Rows ``first`` to ``last``, both included; ``alone`` if no code stands before it."""

    start: int
    end: int
    first: int
    last: int
    alone: bool


class Source(NamedTuple):
    """A text with its tokens and comments, each in order; tokens are named by their place.

    closings : what ``closing`` has found so far.
    """

    text: str
    tokens: list[Token]
    comments: list[Comment]
    closings: dict[int, int]

    def word(self, i: int) -> str:
        """Return the text of a token, or "" behind the last one."""
        return self.tokens[i].text if i < len(self.tokens) else ""

    def written(self, i: int) -> str:
        """Return a token in its own spelling."""
        return self.text[self.tokens[i].start : self.tokens[i].end].removeprefix("&")

    def stop_row(self, stop: int) -> int:
        """Return the row after the last token before ``stop``."""
        return self.tokens[stop - 1].row + 1

    def head(self, start: int, stop: int) -> tuple[int, int]:
        """Return the rows of some tokens."""
        return self.tokens[start].row, self.stop_row(stop)

    def line(self, start: int, stop: int) -> str:
        """Return some tokens as they are written, on one line and without comments."""
        a, b = self.tokens[start].start, self.tokens[stop - 1].end
        kept, done = "", a
        for comment in self.comments[self._comments_before(a) : self._comments_before(b)]:
            kept += self.text[done : comment.start] + " "
            done = comment.end
        return one_line(kept + self.text[done:b])

    def above(self, i: int) -> tuple[list[Statement], int, list[str]]:
        """Return what stands between the token before and this one: comments of their own, the row
        where those right above it begin, and their texts."""
        before = self.tokens[i - 1].end if i else 0
        comments = [
            comment
            for comment in self.comments[
                self._comments_before(before) : self._comments_before(self.tokens[i].start)
            ]
            if comment.alone
        ]
        first = self.tokens[i].row
        texts: list[str] = []
        while comments and comments[-1].last >= first - 1:
            comment = comments.pop()
            first = comment.first
            texts.insert(0, self.text[comment.start : comment.end])
        return [Statement(c.first, c.last + 1) for c in comments], first, texts

    def closing(self, i: int) -> int:
        """Return the token that closes the bracket or block which this one opens.

        Raises Unbalanced if there is none.
        """
        known = self.closings.get(i)
        if known is not None:
            return known
        opener = self.word(i)
        if opener in _BRACKETS:
            opens, closes = frozenset({opener}), _BRACKETS[opener]
        else:
            # The "case" of a record shares the end of the record; assembler has labels of any name.
            inside = {"record": frozenset({"record"}), "asm": frozenset[str]()}
            opens, closes = inside.get(opener, OPENERS - {"finalization"}), "end"
        opened = [i]
        for j in range(i + 1, len(self.tokens)):
            word = self.tokens[j].text
            if word in opens:
                opened.append(j)
            elif word == closes and self.tokens[j - 1].text != "@":
                self.closings[opened.pop()] = j
                if not opened:
                    return j
        raise Unbalanced

    def _comments_before(self, offset: int) -> int:
        return bisect_left(self.comments, (offset,))


def tokenize(text: str, *, branches: bool = True) -> Source:
    """Split Pascal into tokens.

    branches : whether all branches of ``{$IFDEF}`` and its kin count, or the first only.

    >>> text = "X := 'a'; { b } {$ifdef c} Y {$else} Z {$endif}"
    >>> [token.text for token in tokenize(text, branches=False).tokens]
    ['x', ':', '=', "'a'", ';', 'y']
    """
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    tokens: list[Token] = []
    comments: list[Comment] = []
    passed: list[bool] = []
    hidden = False
    for match in _TOKEN.finditer(text):
        start, end = match.span()
        row = bisect_right(starts, start) - 1
        if match.lastgroup != "comment":
            if not hidden:
                word = match[0].lower() if match.lastgroup == "word" else match[0]
                tokens.append(Token(word, start, end, row))
            continue
        directive = _DIRECTIVE.match(text, start)
        if directive:
            _branch(directive[1].lower(), passed)
            hidden = any(passed) and not branches
            continue
        alone = not text[starts[row] : start].strip()
        last = bisect_right(starts, end - 1) - 1
        comments.append(Comment(start, end, row, last, alone))
    return Source(text, tokens, comments, {})


def _branch(directive: str, passed: list[bool]) -> None:
    """Note for each condition that is open whether its first branch has ended."""
    if directive in ("endif", "ifend"):
        del passed[-1:]
    elif directive.startswith("if"):
        passed.append(False)
    elif directive in ("else", "elseif") and passed:
        passed[-1] = True
