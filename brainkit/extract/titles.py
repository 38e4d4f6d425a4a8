"""The names that titles and headings hold: their texts are often silent about them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from brainkit.extract.builder import Handle
from brainkit.extract.lexicon import Lexicon, Owners, Token, tokenized
from brainkit.extract.names import BRACKETS, never_a_name
from brainkit.extract.proper_names import ProperNames
from brainkit.extract.stopwords import ARTICLES

_TITLE_WORDS: Final = 8
"""No name in a title is longer."""


def names_inside(
    title: str, lexicon: Lexicon, names: ProperNames
) -> Iterator[tuple[Handle, float]]:
    """Yield what names a title holds besides being one.

    A single word is one after a joiner or beside a comma: History of Mississippi, or Baure,
    Nigeria. All others may have their capital letter from the title.
    """
    title = BRACKETS.sub("", title)
    tokens = tokenized(title)
    at = 0
    while at < len(tokens):
        last, owners = _longest_at(title, tokens, at, lexicon, names)
        yield from owners
        at = last


def _longest_at(
    title: str, tokens: Sequence[Token], first: int, lexicon: Lexicon, names: ProperNames
) -> tuple[int, Owners]:
    for last in range(min(len(tokens), first + _TITLE_WORDS), first, -1):
        if last - first == len(tokens):
            continue
        written = title[tokens[first].start : tokens[last - 1].end]
        words = [token.word for token in tokens[first:last]]
        if last - first > 1:
            owners = lexicon.words(words, written) or names.of(words)
        elif _is_set_off(title, tokens, first):
            owners = lexicon.word(written, tokens[first], opens=False)
            owners = owners or names.of(words)
        else:
            owners = ()
        if owners:
            return last, owners
    return first + 1, ()


def _is_set_off(title: str, tokens: Sequence[Token], at: int) -> bool:
    token = tokens[at]
    if not token.capital or never_a_name(token.word):
        return False
    after = title[token.end : token.end + 1] == "," or at + 1 == len(tokens)
    before = at > 0 and (
        title[token.start - 2 : token.start - 1] == ","
        or (not tokens[at - 1].capital and tokens[at - 1].word not in ARTICLES)
    )
    return (after and at == 0) or (before and after)
