"""From text to terms. Indexing and searching must call the same function."""

from __future__ import annotations

import re
import unicodedata

_STOP = "a an and are as at be but by for from has in is it of on or that the to was with"
STOP_WORDS = frozenset(_STOP.split())
"""Words too common to tell one book from another. "not" and "no" stay: they change the sense."""

_WORD = re.compile(r"\w+")


def fold_accents(text: str) -> str:
    """Drop combining marks, so that a reader without the right keyboard still finds the book.

    >>> fold_accents("Škvorecký")
    'Skvorecky'
    """
    decomposed = unicodedata.normalize("NFKD", text)
    kept = "".join(char for char in decomposed if not unicodedata.combining(char))
    return unicodedata.normalize("NFC", kept)


def tokenize(text: str, *, stop_words: frozenset[str] = STOP_WORDS) -> list[str]:
    """Return the terms of a text, in order and with repeats.

    Accents are folded, case is folded, words are runs of letters, digits and underscores, and stop
    words are dropped. There is no stemming: "session" does not match "sessions".

    >>> tokenize("The Café at the End of the Stacks")
    ['cafe', 'end', 'stacks']
    """
    words = _WORD.findall(fold_accents(text).casefold())
    return [word for word in words if word not in stop_words]
