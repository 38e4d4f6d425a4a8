"""Read what a learner wrote: the same answer may come as a number, a text, a list or a Series."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass
from typing import Any, Final

_NUMBER: Final = re.compile(r"[-+]?(\d+([.,]\d*)?|[.,]\d+)(e[-+]?\d+)?", re.I)
_APART: Final = re.compile(r"[\s,;]+")
_QUOTES: Final = " \t\n.,;:!?\"'`()[]{}"


class Unreadable(Exception):
    """An answer that is of another kind than the exercise asks for; its text says which."""


@dataclass(frozen=True)
class Reader:
    """How one kind of answer is read, and when two of them are the same."""

    read: Callable[[Any], Any]
    same: Callable[[Any, Any], bool]


def number(*, within: float) -> Reader:
    """Read one number. within : the largest difference that still counts as equal."""
    return Reader(_number, lambda one, other: math.isclose(one, other, rel_tol=0, abs_tol=within))


def numbers(*, within: float) -> Reader:
    """Read several numbers in their order."""

    def same(one: list[float], other: list[float]) -> bool:
        pairs = zip(one, other, strict=False)
        return len(one) == len(other) and all(abs(a - b) <= within for a, b in pairs)

    return Reader(lambda answer: [_number(one) for one in _parts(answer)], same)


def word() -> Reader:
    """Read one word, name or question; case, quotes and white space around it don't count."""
    return Reader(lambda answer: _word(_only(answer)), lambda one, other: bool(one == other))


def words(*, ordered: bool) -> Reader:
    """Read several words, in their order or as a set."""

    def read(answer: Any) -> Any:
        if ordered and isinstance(answer, Set):
            raise Unreadable("a set has no order; give a list, such as ['a', 'b']")
        found = [_word(one) for one in _parts(answer)]
        return found if ordered else frozenset(found)

    return Reader(read, lambda one, other: bool(one == other))


def _only(answer: Any) -> Any:
    """Return the single member of a collection, or the answer itself if it is none."""
    if isinstance(answer, str) or not isinstance(answer, Iterable):
        return answer
    parts = _listed(answer)
    if len(parts) != 1:
        raise Unreadable(f"give one value; this has {len(parts)}")
    return parts[0]


def _parts(answer: Any) -> list[Any]:
    if isinstance(answer, str):
        return [part for part in _APART.split(answer.strip(_QUOTES)) if part]
    return _listed(answer) if isinstance(answer, Iterable) else [answer]


def _listed(answer: Iterable[Any]) -> list[Any]:
    """Return the members; of an array of no dimension, which pretends to have some, its value."""
    if getattr(answer, "ndim", None) == 0:
        return [answer.item()]  # type: ignore[attr-defined]  # arrays and their scalars have it
    return list(answer.keys() if isinstance(answer, Mapping) else answer)


def _number(answer: Any) -> float:
    answer = _only(answer)
    if isinstance(answer, bool) or answer is None:
        raise Unreadable(f"give a number, such as 1.5; this is {answer}")
    if isinstance(answer, str):
        text = answer.strip(_QUOTES.replace(".", "").replace(",", ""))
        if not _NUMBER.fullmatch(text):
            raise Unreadable("give a number, such as 1.5, without other text")
        answer = text.replace(",", ".")
    value = float(answer)
    if not math.isfinite(value):
        raise Unreadable("give a finite number")
    return value


def _word(answer: Any) -> str:
    if not isinstance(answer, str):
        answer = getattr(answer, "source", answer)  # a result or chunk stands for where it is from
    if isinstance(answer, int) and not isinstance(answer, bool):
        answer = str(answer)
    if not isinstance(answer, str):
        raise Unreadable(f"give a text in quotes; this is of type {type(answer).__name__}")
    return " ".join(answer.strip(_QUOTES).casefold().split())
