"""Where sentences begin and end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from brainkit.extract.stopwords import BEFORE_NAMES, BEFORE_NUMBERS

_ENDER: Final = re.compile(
    r"[.!?\u2026]+[\"')\]\u201d\u2019\u00bb*_]*(?=\s)"
    r"|[\u3002\uff01\uff1f\uff0e]+[\"')\u300d\u300f\uff09\u3011\u201d\u2019]*"
    r"|\n(?=[ \t]*\n)"  # a blank line
    r"|\n(?=[ \t]*(?:[-*+\u2022]|\d{1,3}[.)]|\#{1,6}|[|>])[ \t])"  # a list item, heading, row
    r"|\n(?=[ \t]*\|)"
)
_LAST_WORD: Final = re.compile(r"[^\W_]+(?:\.[^\W_]+)*\Z")
_NEXT: Final = re.compile(r"\s*[\"'(\[\u201c\u2018\u00ab*_]*")
_INITIAL: Final = re.compile(r"\s*[^\W\d_]\.")
_WORD_CHARS: Final = 40


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of each sentence in turn, without the white space around it.

    List items, headings, table rows and paragraphs end sentences. A full stop does not after an
    initial or an abbreviation that something follows, nor where a word in lower case goes on.

    >>> text = "J. R. R. Tolkien met Dr. No. It cost 3.5 pounds."
    >>> [text[a:b] for a, b in sentences(text)]
    ['J. R. R. Tolkien met Dr. No.', 'It cost 3.5 pounds.']
    """
    start = 0
    for ender in _ENDER.finditer(text):
        if ender[0][0] == "." and not _ends_here(text, ender.start(), ender.end()):
            continue
        if span := _trimmed(text, start, ender.end()):
            yield span
        start = ender.end()
    if span := _trimmed(text, start, len(text)):
        yield span


def _ends_here(text: str, dot: int, after: int) -> bool:
    word = _LAST_WORD.search(text, max(0, dot - _WORD_CHARS), dot)
    at = _NEXT.match(text, after)
    following = text[at.end() : at.end() + 1] if at else ""
    if following.islower():
        return False
    if word is None or text[dot : dot + 2] == "..":
        return True
    last = word[0]
    if len(last) == 1 and last.isalpha():
        # An initial, unless it is the pronoun and no other initial follows: "So am I. He is too."
        return last.islower() or (last == "I" and not _INITIAL.match(text, after))
    if "." in last and all(len(part) == 1 for part in last.split(".")):
        return False  # U.S. Army; a sentence that ends so is rare
    last = last.casefold()
    return last not in BEFORE_NAMES and not (last in BEFORE_NUMBERS and following.isdigit())


def _trimmed(text: str, start: int, end: int) -> tuple[int, int] | None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return (start, end) if start < end else None
