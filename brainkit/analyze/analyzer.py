"""The analyzer: tokens with their place in the text for explaining, or only the terms for speed."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import Stemmer

from brainkit.analyze.scan import LONGEST, is_data, scanner
from brainkit.analyze.words import grams, words
from brainkit.errors import InvalidSetting, nearest

VERSION = 1
"""Raised whenever some text would give other terms than before."""


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the text as written, and the terms it became.

    text : ``original[start:end]``; offsets count characters of the text before any normalising.
    terms : the whole first, then its parts; empty if the token was dropped.
    dropped : ``"stop word"``, ``"too long"``, ``"punctuation"``, or None if it was kept.
    """

    text: str
    start: int
    end: int
    terms: tuple[str, ...]
    dropped: str | None = None


@dataclass(frozen=True)
class Analyzer:
    """Turn text into terms, for chunks and queries alike.

    language : a Snowball language, or ``"none"`` for no stop words and no stemming. It acts on
        prose and on the parts of identifiers; a whole identifier is kept as written, casefolded.

    Text is NFKC-normalised and casefolded. Then

    - a word becomes its stem, or is dropped if it is a stop word. Hyphens, dots and slashes
      separate, so a URL, an address or a path is found by its words. (Adding the whole of
      hyphenated words lowered nDCG@10 on seven of nine test collections.)
    - an identifier (a change of case, an underscore or a digit inside) becomes the whole and its
      parts, the parts treated as prose: ``is_valid`` gives ``is_valid`` and ``valid``. Without
      underscore or digit it also gives the stem of the whole, as a reader who writes ``numpy``
      for ``NumPy`` asks for that.
    - a version or decimal becomes the whole and every shorter start of it, so that ``3.11`` and
      ``3`` find ``3.11.2`` and ``11`` does not.
    - ``c++``, ``c#``, ``.net``, ``node.js``, ``asp.net`` and ``objective-c`` are names. ``c++``
      does not match ``c``.
    - Han, kana and Hangul become single signs and pairs; Thai, Lao, Khmer and Myanmar pairs.
    - an emoji is a term; other symbols are punctuation. Words over 100 characters are dropped.

    Raises InvalidSetting if there is no such language.

    >>> Analyzer().terms("How are sessions signed by getUserName?")
    ['how', 'session', 'sign', 'getusername', 'get', 'user', 'name', 'getusernam']
    """

    language: str = "english"

    def __post_init__(self) -> None:
        known = ["none", *Stemmer.algorithms()]
        if self.language not in known:
            raise InvalidSetting(
                f"language={self.language!r} is not one of {', '.join(known)}"
                f"{nearest(str(self.language), known)}"
            )

    @property
    def identity(self) -> dict[str, str | int]:
        """Everything that decides the terms of a text; a stored index with another one is stale."""
        return {
            "version": VERSION,
            "language": self.language,
            "pystemmer": Stemmer.version(),
            "unicode": unicodedata.unidata_version,
        }

    def terms(self, text: str) -> list[str]:
        """Return the terms of ``analyze(text)`` in the same order, without the tokens."""
        known = words(self.language)
        plain = _without_data(_normal(text))
        return [term for word in scanner().token.findall(plain) for term in known[word]]

    def analyze(self, text: str) -> list[Token]:
        """Return tokens in order of their start that together cover all but the white space.

        Tokens of one run of an unspaced script overlap, as each is a sign or a pair of signs.
        """
        plain, starts, ends = _aligned(text)
        found = []
        for start, end, terms, dropped in self._pieces(plain):
            first, last = starts[start], ends[end - 1]
            found.append(Token(text[first:last], first, last, terms, dropped))
        return found

    def _pieces(self, plain: str) -> Iterator[tuple[int, int, tuple[str, ...], str | None]]:
        known = words(self.language)
        kept = [match.span() for match in scanner().token.finditer(_without_data(plain))]
        data = [match.span() for match in scanner().data.finditer(plain) if is_data(match[0])]
        here = 0
        for start, end in [*sorted(kept + data), (len(plain), len(plain))]:
            for gap in _NOT_SPACE.finditer(plain, here, start):
                yield *gap.span(), (), "punctuation"
            here = end
            word = plain[start:end]
            if scanner().cluster.match(word):
                for (left, right), term in zip(grams(word), known[word], strict=True):
                    yield start + left, start + right, (term,), None
            elif len(word) > LONGEST:
                yield start, end, (), "too long"
            elif word:
                terms = known[word]
                yield start, end, terms, None if terms else "stop word"


def highlight_spans(analyzer: Analyzer, text: str, terms: Collection[str]) -> list[tuple[int, int]]:
    """Return where the text matches the terms of a query: (start, end) pairs, ascending, disjoint.

    Spans that overlap or touch are merged, so a match in Chinese is one span and not many.

    >>> highlight_spans(Analyzer(), "It signs sessions.", Analyzer().terms("session signing"))
    [(3, 8), (9, 17)]
    """
    wanted = frozenset(terms)
    plain = _normal(text)
    found = list(_matching(plain, wanted, analyzer.language))
    if found and (len(plain) != len(text) or not unicodedata.is_normalized("NFKC", text)):
        _, starts, ends = _aligned(text)
        found = [(starts[start], ends[end - 1]) for start, end in found]
    spans: list[tuple[int, int]] = []
    for start, end in found:
        if spans and start <= spans[-1][1]:
            spans[-1] = (spans[-1][0], max(spans[-1][1], end))
        else:
            spans.append((start, end))
    return spans


def _matching(plain: str, wanted: frozenset[str], language: str) -> Iterator[tuple[int, int]]:
    """Yield where normalised text matches, as ``analyze`` would say; a view asks this of hundreds
    of chunks, so no tokens are made."""
    known = words(language)
    for match in scanner().token.finditer(_without_data(plain)):
        word = match[0]
        terms = known[word]
        if wanted.isdisjoint(terms):
            continue
        start, end = match.span()
        if scanner().cluster.match(word):
            for (left, right), term in zip(grams(word), terms, strict=True):
                if term in wanted:
                    yield start + left, start + right
        else:
            yield start, end


_NOT_SPACE = re.compile(r"\S+")


def _normal(text: str) -> str:
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", text).replace("\u2019", "'")


def _without_data(plain: str) -> str:
    if len(plain) <= LONGEST:
        return plain
    return scanner().data.sub(lambda run: " " * len(run[0]) if is_data(run[0]) else run[0], plain)


def _aligned(text: str) -> tuple[str, Sequence[int], Sequence[int]]:
    """Return the normal form with, for each of its characters, where its original starts and ends.

    Characters that normalise together (a letter and its accents) share one start and end.
    """
    plain = _normal(text)
    if len(plain) == len(text) and unicodedata.is_normalized("NFKC", text):
        return plain, range(len(text)), range(1, len(text) + 1)
    starts: list[int] = []
    ends: list[int] = []
    borders = [i for i, char in enumerate(text) if not (i and _joins(char))]
    for start, end in zip(borders, [*borders[1:], len(text)], strict=True):
        size = len(_normal(text[start:end]))
        starts += [start] * size
        ends += [end] * size
    return plain, starts, ends


@lru_cache(maxsize=4096)
def _joins(char: str) -> bool:
    """Whether it can merge with the character before it: a mark, or a Hangul vowel or final."""
    first = unicodedata.normalize("NFKD", char)[0]
    return unicodedata.category(first)[0] == "M" or "\u1160" <= first <= "\u11ff"
