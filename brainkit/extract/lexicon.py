"""All names that a generation knows, and where a text holds which of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from typing import Final, NamedTuple

from brainkit.extract.builder import Handle
from brainkit.extract.names import TOKEN, folded, key_of, never_a_name, tokens_of, words_of

HOMONYMS_MAX: Final = 5
"""A name of more things than this tells nothing of which is meant."""


Owners = tuple[tuple[Handle, float], ...]
"""What a name means, each with its share of the name's weight."""


class Owner(NamedTuple):
    """A thing that has a name.

    exact : prose names it only as written, as a symbol of code. weak : no single word that opens a
        sentence names it, as a heading. minor : others of the name come before it, as before what
        only tests define.
    """

    entity: Handle
    weight: float
    spelling: str
    exact: bool
    weak: bool
    minor: bool


class Token(NamedTuple):
    """A token of a text, folded, and where it stands."""

    word: str
    start: int
    end: int
    capital: bool


class Match(NamedTuple):
    """A known name in a text: tokens ``first`` to ``last - 1``, and who has it, sharing weight."""

    first: int
    last: int
    owners: Owners


class Lexicon:
    """Names by their tokens, so that ``the rapist`` is never found for ``Therapist``."""

    def __init__(self) -> None:
        self._by_tokens: dict[str, list[Owner]] = defaultdict(list)
        self._by_key: dict[str, list[Owner]] = defaultdict(list)
        self._longest: dict[str, int] = {}

    def add(
        self,
        name: str,
        entity: Handle,
        weight: float,
        *,
        exact: bool = False,
        weak: bool = False,
        minor: bool = False,
    ) -> None:
        """Add a name of an entity; exact, weak and minor as in Owner."""
        owner = Owner(entity, weight, name, exact, weak, minor)
        key = key_of(name)
        if not key:
            return
        self._by_key[key].append(owner)
        for tokens in {tokens_of(name), words_of(name), (key,)}:
            self._by_tokens[" ".join(tokens)].append(owner)
            if len(tokens) > self._longest.get(tokens[0], 0):
                self._longest[tokens[0]] = len(tokens)

    def knows(self, name: str) -> bool:
        """Tell whether something has this name, or one that differs by case and separators."""
        return key_of(name) in self._by_key

    def code(self, text: str) -> Owners:
        """Return what a code span or identifier names; the same spelling comes before others."""
        bare = text.strip().lstrip("@&*").partition("(")[0].rstrip(".:")
        if not bare or any(sign.isspace() for sign in bare):
            return ()
        owners = self._by_key.get(key_of(bare), ())
        exact = [owner for owner in owners if owner.spelling == bare]
        if not exact and never_a_name(bare):
            return ()
        return _shared(exact or owners)

    def matches(self, text: str, tokens: Sequence[Token]) -> Iterator[Match]:
        """Yield the known names of several words in a run, leftmost first, of those the longest."""
        at = 0
        while at < len(tokens):
            match = self._longest_at(text, tokens, at)
            if match is None:
                at += 1
            else:
                yield match
                at = match.last

    def word(self, written: str, token: Token, *, opens: bool) -> Owners:
        """Return what a single word names that is a whole name in a run.

        opens : it opens a sentence, and so is capitalised anyway.
        """
        if not token.capital or never_a_name(token.word):
            return ()
        return self._meant(token.word, written, weak=not opens)

    def words(self, words: Sequence[str], written: str) -> Owners:
        """Return what some folded tokens name; written : how they stand in the text."""
        return self._meant(" ".join(words), written, weak=True)

    def _longest_at(self, text: str, tokens: Sequence[Token], first: int) -> Match | None:
        longest = self._longest.get(tokens[first].word, 0)
        for last in range(min(len(tokens), first + longest), first + 1, -1):
            words = " ".join(token.word for token in tokens[first:last])
            if words in self._by_tokens:
                written = text[tokens[first].start : tokens[last - 1].end]
                if owners := self._meant(words, written, weak=True):
                    return Match(first, last, owners)
        return None

    def _meant(self, words: str, written: str, *, weak: bool) -> Owners:
        return _shared(
            [
                owner
                for owner in self._by_tokens.get(words, ())
                if (weak or not owner.weak) and (not owner.exact or owner.spelling == written)
            ]
        )


def tokenized(text: str) -> list[Token]:
    """Return the tokens of a run."""
    found = []
    for match in TOKEN.finditer(text):
        word = match[0]
        capital = not word[0].islower()
        found.append(Token(folded(word), match.start(), match.end(), capital))
    return found


def _shared(owners: Collection[Owner]) -> Owners:
    """Give every owner its part of the name's weight; too many share nothing."""
    best: dict[Handle, float] = {}
    for owner in [owner for owner in owners if not owner.minor] or owners:
        best[owner.entity] = max(owner.weight, best.get(owner.entity, 0.0))
    if not 0 < len(best) <= HOMONYMS_MAX:
        return ()
    return tuple((entity, weight / len(best)) for entity, weight in best.items())
