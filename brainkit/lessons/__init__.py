"""Checkers of the lessons' exercises: "not answered yet", "right", or a hint.

>>> from brainkit import lessons
>>> check = lessons.lesson("02")
>>> check.exercise_1(...)
not answered yet
>>> bool(check.exercise_1("1.204"))
True
"""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import Any, Final

from brainkit.errors import InvalidSetting
from brainkit.lessons.exercise import Exercise, Prediction
from brainkit.lessons.verdict import Verdict

__all__ = ["Lesson", "Verdict", "check", "lesson"]

LESSONS: Final = ("01", "02", "03", "04", "05", "06", "07", "08", "09", "10")
"""Lessons with exercises that are checked here; each has a module ``of_NN``."""
_EXERCISE: Final = "exercise_"


class Lesson:
    """The checkers of one lesson: ``exercise_1(answer)`` and so on, and ``predict``.

    An exercise about the reader's own data takes that data after the answer.
    """

    def __init__(self, number: str) -> None:
        module = import_module(f"brainkit.lessons.of_{number}")
        self.number = number
        self._exercises: dict[int, Exercise] = module.EXERCISES
        self._predictions: dict[str, Prediction] = module.PREDICTIONS

    def predict(self, name: str, answer: Any, *about: Any) -> Verdict:
        """Compare a prediction with what is so; it is never wrong to have guessed.

        Raises InvalidSetting if the lesson asks for no prediction of this name.
        """
        if name not in self._predictions:
            raise InvalidSetting(
                f"lesson {self.number} has no prediction {name!r}; it has "
                f"{', '.join(self._predictions)}."
            )
        return self._predictions[name].check(answer, *about)

    def __getattr__(self, name: str) -> Any:
        given = name.removeprefix(_EXERCISE)
        if name.startswith(_EXERCISE) and given.isdecimal() and int(given) in self._exercises:
            return partial(self.__check, int(given))
        raise AttributeError(f"lesson {self.number} has no {name!r}; it has {', '.join(dir(self))}")

    def __dir__(self) -> list[str]:
        return [*(f"{_EXERCISE}{number}" for number in self._exercises), "predict"]

    def __repr__(self) -> str:
        return f"<the checkers of lesson {self.number}: {', '.join(dir(self))}>"

    def __check(self, number: int, answer: Any, *about: Any) -> Verdict:
        return self._exercises[number].check(answer, *about)


def lesson(number: str | int) -> Lesson:
    """Return the checkers of a lesson. number : such as ``"02"`` or 2.

    Raises InvalidSetting naming the lessons that have exercises checked here.
    """
    name = str(number).zfill(2)
    if name not in LESSONS:
        raise InvalidSetting(f"lesson {number!r} is not one of {', '.join(LESSONS)}.")
    return Lesson(name)


def check(exercise: str, answer: Any, *about: Any) -> Verdict:
    """Check one answer. exercise : lesson and number, such as ``"02.1"``.

    >>> check("02.1", ...)
    not answered yet

    Raises InvalidSetting if there is no such exercise.
    """
    number, _, of_it = exercise.partition(".")
    checker = getattr(lesson(number), f"{_EXERCISE}{of_it}", None)
    if checker is None:
        raise InvalidSetting(f"lesson {number} has no exercise {of_it!r}; give such as '02.1'.")
    verdict: Verdict = checker(answer, *about)
    return verdict
