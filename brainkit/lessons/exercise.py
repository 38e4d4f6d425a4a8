"""Exercises and predictions: the right value, why it is right, and what to say of a mistake."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from brainkit.lessons.reading import Reader, Unreadable
from brainkit.lessons.verdict import Verdict

Hint = str | Callable[..., str]
"""What to look at, or a function that says it of an answer and what the exercise is about."""
_UNREADABLE: Final = "this cannot be read; give what the exercise asks for"


class NothingToFind(Exception):
    """The reader's own data has no answer to the exercise; the text says what to change."""


@dataclass(frozen=True)
class Mistake:
    """A wrong answer with a reason that is known.

    value : the answer it leads to, from what the exercise is about; or a test of an answer,
        called with it and what the exercise is about. hint : what to look at, without the answer.
    """

    value: Callable[..., Any]
    hint: Hint
    is_test: bool = False

    def explains(self, answer: Any, reader: Reader, about: tuple[Any, ...]) -> bool:
        """Whether the answer is this mistake."""
        if self.is_test:
            return bool(self.value(answer, *about))
        return reader.same(answer, self.value(*about))


@dataclass(frozen=True)
class Exercise:
    """One exercise.

    reader : how its answers are read. right : the value, from what the exercise is about, or with
        ``is_test`` a test of the answer. why : said of a right answer. mistakes : the first that
        explains a wrong answer gives its hint. otherwise : the hint for all others.
    """

    reader: Reader
    right: Callable[..., Any]
    why: str
    mistakes: tuple[Mistake, ...] = ()
    otherwise: Hint = ""
    is_test: bool = False

    def check(self, answer: Any, *about: Any) -> Verdict:
        """Say of an answer whether it is right; no answer makes this raise.

        about : the data that the exercise is about, where it is about the reader's own.
        """
        if answer is ...:
            return Verdict("open")
        try:
            return self._graded(self.reader.read(answer), about)
        except (Unreadable, NothingToFind) as told:
            return Verdict("hint", f"{told}.")
        except Exception:  # noqa: BLE001  # an object may do anything when it is read
            return Verdict("hint", f"{_UNREADABLE}.")

    def _graded(self, value: Any, about: tuple[Any, ...]) -> Verdict:
        if self.is_test:
            right = bool(self.right(value, *about))
        else:
            right = self.reader.same(value, self.right(*about))
        if right:
            return Verdict("right", self.why)
        for mistake in self.mistakes:
            if mistake.explains(value, self.reader, about):
                return Verdict("hint", _hint(mistake.hint, value, about))
        return Verdict("hint", _hint(self.otherwise, value, about))


@dataclass(frozen=True)
class Prediction:
    """A guess before the cell that shows what is so."""

    reader: Reader
    fact: Callable[..., Any]

    def check(self, answer: Any, *about: Any) -> Verdict:
        """Compare the guess with the fact, without a grade; no guess makes this raise."""
        try:
            fact = self.fact(*about)
            if answer is ...:
                return Verdict("open", f"it is {_said(fact)}.")
            guess = self.reader.read(answer)
        except (Unreadable, NothingToFind) as told:
            return Verdict("hint", f"{told}.")
        except Exception:  # noqa: BLE001  # as in Exercise.check
            return Verdict("hint", f"{_UNREADABLE}.")
        if self.reader.same(guess, fact):
            return Verdict("noted", f"you said {_said(guess)}, and so it is.")
        return Verdict("noted", f"you said {_said(guess)}; it is {_said(fact)}.")


def _hint(hint: Hint, value: Any, about: tuple[Any, ...]) -> str:
    return hint if isinstance(hint, str) else hint(value, *about)


def _said(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, list | frozenset):
        return ", ".join(map(_said, value if isinstance(value, list) else sorted(value)))
    return str(value)
