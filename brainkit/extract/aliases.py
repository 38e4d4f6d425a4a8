"""Other names of what a text with a title is about, as encyclopedias give them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from brainkit.extract.names import BRACKETS, key_of, never_a_name, tokens_of
from brainkit.extract.runs import runs
from brainkit.extract.sentences import sentences
from brainkit.extract.stopwords import JOINERS

_WITHOUT_BRACKETS: Final = 0.9
_WITHOUT_RANK: Final = 0.8
_OPENING: Final = 0.8

_OPENING_CHARS: Final = 400
_RANK_WORDS: Final = 6
_BEGIN: Final = re.compile(r"\s*(?:(?:The|A|An)\s+)?[\"“'‘]?\s*")
_KNOWN_AS: Final = re.compile(
    r"(?:\b(?:known|credited|billed|styled)(?: \w+ly)? as|\bn[ée]e|\baka|\ba\.k\.a\."
    r"|\balso spel(?:t|led))[\s\"“'‘]+"
)
_AND: Final = re.compile(r"[,&]|\band\b")


def aliases_of(title: str, opening: str) -> tuple[tuple[str, float], ...]:
    """Return other names of what a text with a title is about, best first.

    opening : how the text begins. The proper name that begins it is one of them if it shares a
        word with the title, or if its sentence says that it is known as the title.

    >>> aliases_of("Dark City (1998 film)", "Dark City is a film.")
    (('Dark City', 0.9),)
    >>> aliases_of("Nicki Minaj", "Onika Tanya Maraj-Petty (born 1982), known as Nicki Minaj, ...")
    (('Onika Tanya Maraj-Petty', 0.8),)
    >>> aliases_of("Namibia", "South Africa withdrew in 1990.")
    ()
    """
    found: dict[str, float] = {}
    bare = BRACKETS.sub("", title)
    if bare and bare != title:
        found[bare] = _WITHOUT_BRACKETS
    if head := _without_rank(bare):
        found.setdefault(head, _WITHOUT_RANK)
    for name in _opening_names(bare, opening[:_OPENING_CHARS]):
        if key_of(name) not in {key_of(title), *map(key_of, found)}:
            found[name] = _OPENING
    return tuple(found.items())


def _without_rank(title: str) -> str:
    """Return what stands before a rank or place: Walram II, Count of Nassau. Lists are neither."""
    head, comma, rank = title.partition(", ")
    words = head.split()
    listed = _AND.search(rank) or len(rank.split()) > _RANK_WORDS
    capital = all(word[0].isupper() or word in JOINERS for word in words)
    return head if comma and len(words) > 1 and capital and not listed else ""


def _opening_names(title: str, text: str) -> Iterator[str]:
    start, end = next(sentences(text), (0, 0))
    places = {match.end() for match in _KNOWN_AS.finditer(text, start, end)}
    begin = _BEGIN.match(text, start, end)
    wanted = tokens_of(title)
    names = []
    same = False
    for run in runs(text, start, end):
        name = " ".join(re.split("[,:]", text[run.start : run.end])[0].split())
        tokens = tokens_of(name)
        if begin and run.start <= begin.end():
            same = _alike(tokens, wanted)
            names.append(name)
        elif run.start in places:
            same = same or tokens == wanted
            names.append(name)
    yield from (name for name in names if same and len(name.split()) > 1)


def _alike(tokens: tuple[str, ...], title: tuple[str, ...]) -> bool:
    """Tell whether a name shares a word with a title and is no mere part of a longer one."""
    shared = {word for word in tokens if not never_a_name(word)} & {*title}
    part = len(tokens) < len(title) and any(
        title[at : at + len(tokens)] == tokens for at in range(len(title))
    )
    return bool(shared) and not part
