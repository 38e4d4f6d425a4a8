"""What a word becomes: a stem for prose, the whole and its parts for an identifier."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from threading import Lock

import Stemmer

from brainkit.analyze.scan import LONGEST, scanner

_ENGLISH = """
a an and are as at be but by for if in into is it no not of on or such that the their then there
these they this to was will with
"""
STOP_WORDS = dict.fromkeys(("english", "porter"), frozenset(_ENGLISH.split()))
"""Lucene's 33 English stop words. Other languages have none: BM25 gives frequent words little."""

_CACHED_WORDS = 131_072  # more distinct words than most corpora have; about 40 MB
_CODE_PARTS = 6  # more and shorter parts than these mean nothing: a hash, a UUID, base64
_CODE_PART_CHARS = 3
_INNER_DOT = re.compile(r"(?<=[0-9])\.(?=[0-9])")
_DOTTED_NAME = re.compile(r"(.+)\.(js|net)", re.IGNORECASE)
_HUMP = re.compile(
    r"(?:Um*){2,}sm*(?![ls])"  # an acronym's plural: IDs
    r"|(?:Um*)+(?![ls])"  # HTTP, also before Server
    r"|(?:Um*)?(?:[ls]m*)+"  # Server, server
    r"|(?:dm*)+"
)


class Words(dict[str, tuple[str, ...]]):
    """The terms of every word seen so far; looking up a new word analyses it.

    Runs of unspaced scripts rarely repeat and are not kept.
    """

    def __init__(self, language: str) -> None:
        super().__init__()
        self._stop_words = STOP_WORDS.get(language, frozenset[str]())
        self._stemmer = None if language == "none" else Stemmer.Stemmer(language, 0)
        self._lock = Lock()  # two threads must not use one PyStemmer object at once

    def __missing__(self, word: str) -> tuple[str, ...]:
        if scanner().cluster.match(word):
            return tuple(clean(word[start:end]) for start, end in grams(word))
        terms = tuple(dict.fromkeys(self._terms(word))) if len(word) <= LONGEST else ()
        if len(self) >= _CACHED_WORDS:
            self.clear()
        self[word] = terms
        return terms

    def _terms(self, word: str) -> Iterator[str]:
        word = clean(word).removesuffix("'s").removesuffix("'S")
        whole = _fold(word)
        if whole == ".net" or whole.endswith("#"):
            yield whole
        elif whole.endswith("++"):
            yield whole
            if len(whole) > len("c++"):
                yield from self._terms(word.removesuffix("++"))
        elif whole == "objective-c":
            yield from (whole, self._stem("objective"), "c")
        elif name := _DOTTED_NAME.fullmatch(word):
            yield whole
            yield from self._terms(name[1])
            if whole.endswith(".net"):
                yield ".net"
            yield _fold(name[2])
        elif _INNER_DOT.search(word):
            yield from self._version(_INNER_DOT.split(word))
        elif "'" in word or (pieces := parts(word)) == [word]:
            yield from self._prose(word)
        else:
            yield whole
            for piece in pieces:
                yield from self._prose(piece)
            if whole.isalpha():
                yield self._stem(whole)

    def _version(self, numbers: list[str]) -> Iterator[str]:
        heads = [numbers[:count] for count in range(len(numbers), 0, -1)]
        for head in heads:
            yield _fold(".".join(head))
        for piece in parts(numbers[0]):
            if not piece.isdigit():
                yield from self._prose(piece)
        digits = numbers[0][len(numbers[0].rstrip("0123456789")) :]
        for head in heads:
            yield ".".join((digits, *head[1:]))

    def _prose(self, word: str) -> Iterator[str]:
        if len(word) > 2 and word[-1] == "s" and word[:-1].isupper():
            word = word[:-1]  # DNAs: Snowball keeps the s of dnas, as it must that of gas
        folded = _fold(word)
        if folded not in self._stop_words:
            yield self._stem(folded)

    def _stem(self, word: str) -> str:
        if self._stemmer is None:
            return word
        with self._lock:
            stem: str = self._stemmer.stemWord(word)
        return stem


@cache
def words(language: str) -> Words:
    """The word table of a language, shared by all its analyzers in this process."""
    return Words(language)


def parts(word: str) -> list[str]:
    """Cut an identifier at underscores, at changes of case, and between letters and digits.

    A plural s stays with its acronym. A hash has no parts, as they would mean nothing.

    >>> parts("HTTPServer2"), parts("MAX_CHUNK_SIZE"), parts("userIDs"), parts("9f86d081884c7d65")
    (['HTTP', 'Server', '2'], ['MAX', 'CHUNK', 'SIZE'], ['user', 'IDs'], [])
    """
    found = []
    for piece in word.split("_"):
        kinds = "".join(map(_kind, piece))
        humps = [piece[hump.start() : hump.end()] for hump in _HUMP.finditer(kinds)]
        if len(humps) <= _CODE_PARTS or len(piece) >= _CODE_PART_CHARS * len(humps):
            found += humps
    return found


def grams(run: str) -> list[tuple[int, int]]:
    """Spans of the single signs and the pairs of neighbours in a run of an unspaced script.

    A single Thai, Lao, Khmer or Myanmar sign is a letter, so it counts only when it is alone.

    >>> [run[a:b] for run in ["東京都", "แมว"] for a, b in grams(run)]
    ['東', '東京', '京', '京都', '都', 'แม', 'มว']
    """
    signs = [sign.span() for sign in scanner().cluster.finditer(run)]
    found = []
    for index, (start, end) in enumerate(signs):
        if len(signs) == 1 or scanner().syllabic.match(run, start):
            found.append((start, end))
        if index + 1 < len(signs):
            found.append((start, signs[index + 1][1]))
    return found


def clean(text: str) -> str:
    """Leave out soft hyphens, joiners, variation selectors and enclosing marks."""
    return text if text.isascii() else scanner().layout.sub("", text)


def _fold(word: str) -> str:
    folded = word.casefold()
    if folded.isascii():
        return folded
    return unicodedata.normalize("NFKC", folded).replace("i\u0307", "i")  # from a Turkish İ


def _kind(char: str) -> str:
    if char.isupper() or char.istitle():
        return "U"
    if char.isdigit():
        return "d"
    if char.isalnum():
        return "s" if char == "s" else "l"
    return "m"
