"""Names: their canonical form, their words, and the five patterns of written identifiers."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

_PARTS: Final = re.compile(r"[^\W\d_]*\d+|[^\W\d_]+")
_HUMPS: Final = re.compile(
    r"(?<=[a-zß-öø-ÿ0-9])(?=[A-ZÀ-ÖØ-Þ])|(?<=[A-ZÀ-ÖØ-Þ])(?=[A-ZÀ-ÖØ-Þ][a-zß-öø-ÿ])"
)


def folded(text: str) -> str:
    """Return text without case, accents and compatibility forms."""
    plain = unicodedata.normalize("NFKD", text).casefold()
    return "".join(c for c in plain if not unicodedata.combining(c))


@lru_cache(maxsize=65_536)
def words_of(name: str) -> tuple[str, ...]:
    """Return the words of a name, identifiers split at humps and separators.

    >>> words_of("QueryService"), words_of("MAX_CHUNK_SIZE"), words_of("Blind Husbands (1919)")
    (('query', 'service'), ('max', 'chunk', 'size'), ('blind', 'husbands', '1919'))
    """
    return tuple(folded(word) for part in _PARTS.findall(name) for word in _HUMPS.split(part))


@lru_cache(maxsize=65_536)
def key_of(name: str) -> str:
    """Return the canonical key of a name: folded, its words joined; dots stay apart.

    >>> key_of("QueryService") == key_of("query_service") == key_of("Query-Service")
    True
    >>> key_of("flask.app.Flask")
    'flask.app.flask'
    """
    return ".".join(key for part in name.split(".") if (key := "".join(words_of(part))))
