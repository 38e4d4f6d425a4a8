"""Where one proper name ends and the next begins, in what no known name covers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from brainkit.extract.lexicon import Token
from brainkit.extract.names import never_a_name
from brainkit.extract.stopwords import ARTICLES, CALENDAR, FUNCTION_WORDS, INNER_JOINERS

_ENDS_PIECE: Final = re.compile(r"[,:;/\n]|\.\s|\s[-–]|[-–]\s\w+\s")


def pieces(text: str, tokens: Sequence[Token], *, opens: bool) -> Iterator[tuple[int, int]]:
    """Yield (first, last) of the tokens of each name that a run, or a part of it, may hold.

    Commas, colons, years and joiners such as *and* part names. A name begins and ends with a
    capitalised word; an opening word that is never a name does not belong to it.
    """
    start = 0
    for at in range(len(tokens) + 1):
        if at < len(tokens) and not _parts(text, tokens, at):
            continue
        yield from _trimmed(tokens, start, at, opens=opens and start == 0)
        start = at + (at < len(tokens) and _is_joint(tokens[at]))


def _parts(text: str, tokens: Sequence[Token], at: int) -> bool:
    token = tokens[at]
    if _is_joint(token):
        return True
    if not at:
        return False
    before = tokens[at - 1]
    gap = text[before.end : token.start]
    initial = gap.startswith(".") and (before.end - before.start == 1 or len(gap) == 2)
    return bool(_ENDS_PIECE.search(gap)) and not initial


def _is_joint(token: Token) -> bool:
    if token.capital:
        return token.word.isdigit() and len(token.word) > 3
    return token.word not in INNER_JOINERS


def _trimmed(
    tokens: Sequence[Token], first: int, last: int, *, opens: bool
) -> Iterator[tuple[int, int]]:
    if opens and first < last and never_a_name(tokens[first].word):
        first += 1
    while first < last and _is_margin(tokens[first], keep=ARTICLES):
        first += 1
    while first < last and _is_margin(tokens[last - 1]):
        if tokens[last - 1].word.isdigit() and last - first > 1 and len(tokens[last - 1].word) < 4:
            break  # Apollo 11
        last -= 1
    if first < last and any(not never_a_name(token.word) for token in tokens[first:last]):
        yield first, last


def _is_margin(token: Token, *, keep: frozenset[str] = frozenset()) -> bool:
    """Tell whether a name neither begins nor ends with a token: In, We, November, 1984."""
    word = token.word
    if not token.capital or word in CALENDAR or word.isdigit():
        return True
    return word in FUNCTION_WORDS and word not in keep
