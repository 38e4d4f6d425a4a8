"""Stretches of prose that may hold names: capitalised words and what joins them, identifiers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

from brainkit.extract.names import folded, never_a_name
from brainkit.extract.stopwords import JOINERS

_HAN_KANA: Final = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7a3"
_WORD: Final = re.compile(
    rf"(?P<unspaced>[{_HAN_KANA}]{{2,60}})"
    r"|(?P<dotted>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+(?:\(\))?)"
    r"|(?P<word>(?:\w+[\u0300-\u036f]*)+(?:\+\+|\#(?!\w))?)"
)
_GAP: Final = re.compile(r"(?:[,:\u2013-]|\.?[ \t]?['\u2019]|\.| ?&| ?-)?[ \t]*(?:\n[ \t]*)?|/")
_HUMPED: Final = re.compile(r"[A-Z]+[a-z0-9]+(?:[A-Z][A-Za-z0-9]*)")
_IDENTIFIER: Final = re.compile(
    r"\w*[^\W\d_]\w*_\w*|_+\w*[^\W\d_]\w*|[a-z]{2,}\d*[A-Z]\w*|[a-z][A-Z]\w+"
)
_MARKUP_CHARS: Final = 20
_UNCASED_CHARS: Final = 60
_JOINERS_MAX: Final = 3
_NEVER_ALONE: Final = 2


class Found(NamedTuple):
    """A run in a text: ``text[start:end]``. opens : as in facts.Run."""

    start: int
    end: int
    kind: Literal["name", "symbol"]
    opens: bool


def runs(text: str, start: int, end: int) -> Iterator[Found]:
    """Yield the runs of one sentence, left to right.

    A run goes from a capitalised word to the last one that joiners in lower case, commas, hyphens,
    initials and the like connect to it; numbers belong to the words beside them.

    >>> text = "Then Lambert, son of Adalbert II of Tuscany, met is_valid in 931."
    >>> [text[f.start:f.end] for f in runs(text, 0, len(text))]
    ['Then Lambert', 'Adalbert II of Tuscany', 'is_valid']
    """
    run = _Run(text)
    first = True
    for match in _WORD.finditer(text, start, end):
        word = match[0]
        if word.islower() and word.isalpha() and run.is_empty:
            first = False
            continue
        opens = first or _after_opening(text, start, match.start())
        first = False
        if match["unspaced"]:
            yield from run.close()
            yield Found(*match.span(), "name", True)
        elif (match["dotted"] and not _is_sentence(word)) or _IDENTIFIER.fullmatch(word):
            yield from run.close()
            yield Found(*match.span(), "symbol", opens)
        else:
            yield from run.add(word, *match.span(), opens=opens)
    yield from run.close()


def identifiers(text: str) -> Iterator[Found]:
    """Yield the identifiers of a text that is no prose, each spelling once.

    >>> text = "from flask import Flask, url_for; url_for()"
    >>> [text[f.start:f.end] for f in identifiers(text)]
    ['url_for']
    """
    seen: set[str] = set()
    for match in _WORD.finditer(text):
        word = match[0]
        if word in seen or match["unspaced"]:
            continue
        seen.add(word)
        if match["dotted"] or _IDENTIFIER.fullmatch(word) or _HUMPED.fullmatch(word):
            yield Found(*match.span(), "symbol", False)


class _Run:
    """The run that is being read."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._reset()

    def _reset(self) -> None:
        self._start = self._end = self._last = -1
        self._joiners = self._alone = self._names = 0
        self._opens = False
        self._number: tuple[int, int, bool] | None = None

    @property
    def is_empty(self) -> bool:
        """Whether a word in lower case would change nothing."""
        return self._last < 0

    def add(self, word: str, start: int, end: int, *, opens: bool) -> Iterator[Found]:
        """Take one more word in, or end the run and perhaps begin another."""
        gap = self._last >= 0 and _GAP.fullmatch(self._text, self._last, start)
        if self._last >= 0 and not gap:
            yield from self.close()
        if word[0].isdigit():
            self._add_number(start, end, opens=opens)
        elif word[0].isupper() or word[0].istitle():
            self._add_name(word, start, end, opens=opens)
        elif not word[0].islower() and word[0].isalpha():  # a script without capitals
            if self._start >= 0 and end - self._start > _UNCASED_CHARS:
                yield from self.close()
            self._add_name(word, start, end, opens=True)
        elif self._start >= 0 and self._joins(word, start):
            self._joiners += 1
            self._last = end
        else:
            yield from self.close()

    def close(self) -> Iterator[Found]:
        """End the run; one that cannot be a name is dropped."""
        if self._start >= 0 and (self._names or self._alone >= _NEVER_ALONE):
            yield Found(self._start, self._end, "name", self._opens)
        self._reset()

    def _joins(self, word: str, start: int) -> bool:
        if self._text[start - 1] in "'\u2019":
            return word == "s" or len(word) <= 2
        return folded(word) in JOINERS and self._joiners < _JOINERS_MAX

    def _add_number(self, start: int, end: int, *, opens: bool) -> None:
        if self._start < 0:
            self._number = (start, end, opens)
        else:
            self._end = end
            self._joiners = 0
        self._last = end

    def _add_name(self, word: str, start: int, end: int, *, opens: bool) -> None:
        if self._start < 0:
            self._start, self._opens = start, opens
            if self._number and self._text[self._number[1] : start].strip(" -") == "":
                self._start, _, self._opens = self._number
        if never_a_name(word):
            self._alone += 1
        else:
            self._names += 1
        self._end = self._last = end
        self._joiners = 0


def _after_opening(text: str, start: int, at: int) -> bool:
    """Tell whether a capital letter is expected here: after a colon or at the start of a cell."""
    least = max(start, at - _MARKUP_CHARS)
    before = text[least:at].rstrip(" \t\n\"'*_([\u201c\u2018")
    return before[-1] in ":|\u2022\u2014" if before else least == start


def _is_sentence(word: str) -> bool:
    """Tell whether what looks dotted is words whose blank was forgotten: Tuscany.He, St.Louis."""
    parts = word.removesuffix("()").split(".")
    return all(part[:1].isupper() for part in parts) and "_" not in word
