"""The words of a question, and what speaks for each being a name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from brainkit.extract.names import TOKEN, never_a_name, pattern_of
from brainkit.retrieve.graph.intent import Intent

_UNIT: Final = re.compile(rf"_*(?:{TOKEN.pattern})(?:_+(?:{TOKEN.pattern}))*_*", TOKEN.flags)
_QUOTED: Final = re.compile(r"`([^`]+)`|\"([^\"]+)\"|“([^”]+)”|‘([^’]+)’|(?<!\w)'([^']+)'(?!\w)")
_OPENING: Final = re.compile(r"[.?!:]\s")
IDENTIFIERS: Final = ("CamelCase", "PascalCase", "snake_case", "SCREAMING_SNAKE")
_JOINING: Final = re.compile(
    "and|as|at|by|directly|for|from|if|in|inside|is|of|on|or|outside|the|through|to|under|when|"
    "where|which|while|with|within|without|works"
)


@dataclass(frozen=True, slots=True)
class Unit:
    """A word as written; ``opens`` a sentence, ``marked`` if quoted or in a code span.

    pattern : the seed's pattern of how it is written. asked : it stands where a relation that is
        asked for has its name.
    """

    text: str
    start: int
    end: int
    opens: bool
    marked: bool
    asked: bool
    pattern: str | None
    entity_type: str | None

    @property
    def is_identifier(self) -> bool:
        """Whether no word of prose is written like it."""
        return self.pattern in IDENTIFIERS

    @property
    def is_never(self) -> bool:
        """Whether it is a word of the language, or a number."""
        return never_a_name(self.text)


def units_of(text: str, asked: Sequence[Intent]) -> list[Unit]:
    """Return the words of a question; identifiers are one, dotted ones one a part."""
    quoted = [match.span(match.lastindex or 0) for match in _QUOTED.finditer(text)]
    spans = [match.span() for match in _UNIT.finditer(text)]
    found = []
    for at, (start, end) in enumerate(spans):
        word = text[start:end]
        pattern = pattern_of(word)
        whole = any(
            a <= start and end <= b and not re.search(r"\w", text[a:start] + text[end:b])
            for a, b in quoted
        )
        following = text[spans[at + 1][0] : spans[at + 1][1]] if at + 1 < len(spans) else ""
        found.append(
            Unit(
                text=word,
                start=start,
                end=end,
                opens=at == 0 or bool(_OPENING.search(text, spans[at - 1][1], start)),
                marked=whole,
                asked=any(
                    one.start <= start
                    and end <= one.end
                    and (one.asked.forward or not _goes_on(following))
                    for one in asked
                ),
                pattern=pattern.name if pattern else None,
                entity_type=pattern.entity_type if pattern else None,
            )
        )
    return found


def _goes_on(following: str) -> bool:
    """Tell whether the word after makes a phrase of two: "what uses session cookies"."""
    return (
        following[:1].islower() and not _JOINING.fullmatch(following) and not pattern_of(following)
    )
