"""Names: their canonical form, their words, and the five patterns of written identifiers."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final, NamedTuple

from brainkit.extract.stopwords import NEVER_NAMES

_UNSPACED: Final = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff\uac00-\ud7a3"
_KANA: Final = "\u3040-\u30ff\uff66-\uff9f"

TOKEN: Final = re.compile(
    r"(?<![\w.])\.NET\b"
    r"|[^\W\d_][^\W_]*\+\+(?!\w)"  # C++, libstdc++
    r"|(?<!\w)[A-Za-z]\#(?!\w)"  # C#, F#
    rf"|[{_UNSPACED}]"  # no spaces between words: every sign is a token
    rf"|[{_KANA}]+"
    rf"|(?:[^\W_{_UNSPACED}{_KANA}]+[\u0300-\u036f]*)+",  # accents may be signs of their own
    re.IGNORECASE,
)
"""A token of a name: letters and digits, or a name with signs. All else parts tokens."""

_PLAIN_TOKEN: Final = re.compile("[A-Za-z0-9]+")
BRACKETS: Final = re.compile(r"\s*[(（\[][^()（）\[\]]*[)）\]]\s*$")
"""What tells a name from others that are the same: Dark City (1998 film)."""

_HUMPS: Final = re.compile(
    r"(?<=[a-zß-öø-ÿ0-9])(?=[A-ZÀ-ÖØ-Þ])|(?<=[A-ZÀ-ÖØ-Þ])(?=[A-ZÀ-ÖØ-Þ][a-zß-öø-ÿ])"
)
_INNER_DOT: Final = re.compile(r"(?<=\w)\.(?=\w)")
_INITIALS: Final = re.compile(r"(?:[^\W\d_]\.){2}")
_ACCENTS: Final = re.compile("[\u0300-\u036f]+")
_UNLIKE_BASE: Final = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h"}
)
"""Letters that are an accented one to a reader, and that Unicode does not take apart."""
_CACHED: Final = 131_072


class Pattern(NamedTuple):
    """How a word is written, and what it is then taken for."""

    name: str
    entity_type: str


_SCREAMING: Final = re.compile(r"_*[A-Z][A-Z0-9]*(?:_+[A-Z0-9]+)+_*")
_SNAKE: Final = re.compile(r"_*[a-z][a-z0-9]*(?:_+[a-z0-9]+)+_*|_+[a-z][a-z0-9]*_*")
_CAMEL: Final = re.compile(r"[a-z]+[0-9]*(?:[A-Z]+[a-z0-9]*)+")
_PASCAL: Final = re.compile(r"(?:[A-Z]+[a-z0-9]*)*[A-Z][a-z0-9]+")


def folded(text: str) -> str:
    """Return text without case, accents and compatibility forms.

    >>> folded("Żuławski"), folded("ＦＬＡＳＫ"), folded("ガ")
    ('zulawski', 'flask', 'ガ')
    """
    if text.isascii():
        return text.lower()
    plain = unicodedata.normalize("NFKD", text).casefold()
    return unicodedata.normalize("NFC", _ACCENTS.sub("", plain).translate(_UNLIKE_BASE))


def tokens_of(text: str) -> tuple[str, ...]:
    """Return the folded tokens of a text; identifiers stay whole up to their underscores.

    >>> tokens_of("St. Maurice's C++ code")
    ('st', 'maurice', 's', 'c++', 'code')
    """
    return tuple(_folded_tokens(text))


@lru_cache(maxsize=_CACHED)
def words_of(name: str) -> tuple[str, ...]:
    """Return the words of a name, identifiers split at humps and separators.

    >>> words_of("QueryService"), words_of("MAX_CHUNK_SIZE"), words_of("Blind Husbands (1919)")
    (('query', 'service'), ('max', 'chunk', 'size'), ('blind', 'husbands', '1919'))
    """
    tokens = (_PLAIN_TOKEN if _is_plain(name) else TOKEN).findall(name)
    return tuple(
        folded(word)
        for token in tokens
        for word in ((token,) if token.islower() else _HUMPS.split(token))
    )


@lru_cache(maxsize=_CACHED)
def key_of(name: str) -> str:
    """Return the canonical key of a name: folded, its words joined; the dots of a path stay.

    A dot is one of a path between two signs of a name without blanks, unless it follows initials.

    >>> key_of("QueryService") == key_of("query_service") == key_of("Query-Service")
    True
    >>> key_of("flask.app.Flask"), key_of("Dr. No"), key_of("J.R.R. Tolkien"), key_of("C++")
    ('flask.app.flask', 'drno', 'jrrtolkien', 'c++')
    """
    parts = [name] if " " in name or _INITIALS.match(name) else _INNER_DOT.split(name)
    return ".".join(key for part in parts if (key := "".join(_folded_tokens(part))))


def is_spelling(text: str, name: str) -> bool:
    """Tell whether a stretch of text writes a name: all its words as the name parts them, or one.

    Keys alone are not enough, as they join words.

    >>> is_spelling("query service", "QueryService"), is_spelling("QueryService", "query_service")
    (True, True)
    >>> is_spelling("the rapist", "Therapist"), is_spelling("rapist", "Therapist")
    (False, False)
    """
    tokens = tokens_of(text)
    if not tokens or key_of(text) != key_of(name):
        return False
    if len(tokens) == 1 or tokens == tokens_of(name):
        return True
    return words_of(name) in (tokens, words_of(text))


def pattern_of(word: str) -> Pattern | None:
    """Return which of the five patterns a word is written in, and the entity type that implies.

    >>> pattern_of("QueryService").name, pattern_of("VectorStoreManager").entity_type
    ('CamelCase', 'class')
    >>> pattern_of("execute_query").entity_type, pattern_of("MAX_CHUNK_SIZE").entity_type
    ('function', 'constant')
    >>> pattern_of("FastAPI").entity_type, pattern_of("Łódź").name, pattern_of("word")
    ('framework/library', 'Capitalized', None)
    """
    if _SCREAMING.fullmatch(word):
        return Pattern("SCREAMING_SNAKE", "constant")
    if _SNAKE.fullmatch(word):
        return Pattern("snake_case", "function")
    if _CAMEL.fullmatch(word):
        return Pattern("CamelCase", "function")
    humps = len(_HUMPS.split(word))
    if humps > 1 and _PASCAL.fullmatch(word):
        # The table that names these has QueryService for the one and VectorStoreManager for the
        # other; both are classes.
        return Pattern("CamelCase" if humps == 2 else "PascalCase", "class")
    if word[:1].isupper() and word.isalnum():
        return Pattern("Capitalized", "framework/library")
    return None


@lru_cache(maxsize=_CACHED)
def never_a_name(word: str) -> bool:
    """Tell whether a single word names nothing: stop words, keywords, sentence openers, numbers.

    Months, weekdays and peoples are among them: what two texts share by them is no subject.

    >>> [never_a_name(word) for word in ("The", "Return", "November", "1984", "Flask")]
    [True, True, True, True, False]
    """
    plain = folded(word)
    if plain.startswith("__") or len(plain) < 2:  # __init__ and its kin are Python's own words
        return True
    return plain.strip("_") in NEVER_NAMES or not any(map(str.isalpha, plain))


def _folded_tokens(text: str) -> list[str]:
    if _is_plain(text):
        plain: list[str] = _PLAIN_TOKEN.findall(text.lower())
        return plain
    return [folded(token) for token in TOKEN.findall(text)]


def _is_plain(text: str) -> bool:
    """Tell whether only letters and digits can be tokens here, which takes a third of the time.

    A code base of 100,000 chunks has 400,000 names, and nearly all are of this kind.
    """
    return text.isascii() and not ("+" in text or "#" in text or ".net" in text.lower())
