"""Lesson 06: graphs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from brainkit.lessons.exercise import Exercise, Mistake, NothingToFind, Prediction
from brainkit.lessons.reading import number, word

if TYPE_CHECKING:
    from brainkit.brain import Brain

_DECAY: Final = 0.5
_IN_PASSING: Final = 0.2
_READER: Final = word()


def score(place: int, *, depth: int) -> float:
    """Return the graph score of a note in the chain: it is about one entity, and names the next.

    place : hops from what was asked for to the entity that the note is about.

    >>> [round(score(place, depth=2), 4) for place in range(3)]
    [0.6286, 0.3143, 0.1429]
    """
    reached = [_DECAY**hops for hops in range(depth + 1)] + [0.0, 0.0]
    return (reached[place] + _IN_PASSING * reached[place + 1]) / sum(reached)


def hubs(brain: Brain) -> dict[str, int]:
    """Return how many relations each entity has, those with most first."""
    relations = brain.graph().relations
    if not len(relations):
        raise NothingToFind("this brain has no relations; ingest files that name things")
    counts = (
        relations["subject"].value_counts().add(relations["object"].value_counts(), fill_value=0)
    )
    return {str(name): int(n) for name, n in counts.sort_values(ascending=False).items()}


def _counts(brain: Brain) -> dict[str, int]:
    counts: dict[str, int] = {}
    for name, n in hubs(brain).items():  # names that are read alike: the larger one is meant
        key = _READER.read(name)
        counts[key] = max(n, counts.get(key, 0))
    return counts


def _is_largest(given: str, brain: Brain) -> bool:
    counts = _counts(brain)
    return counts.get(given, 0) == max(counts.values())


def _smaller(given: str, brain: Brain) -> str:
    n = _counts(brain).get(given)
    if n is None:
        return f"no entity of this brain is called {given!r}; copy a name of the table."
    return f"{given} has {n} relations; another has more."


PREDICTIONS: Final[Mapping[str, Prediction]] = {
    "found": Prediction(number(within=0), lambda answer: float(len(answer))),
}

EXERCISES: Final[Mapping[int, Exercise]] = {
    1: Exercise(
        number(within=0.0005),
        lambda: score(1, depth=1),
        "0.5 / 1.5 = 0.3333: the Difference Engine is not reached, so nothing comes of it.",
        (
            Mistake(lambda: score(1, depth=2), "that is with two hops; one is asked for."),
            Mistake(lambda: _DECAY / 1.75, "with one hop less is reached than 1.75 in all."),
            Mistake(
                lambda: (_DECAY + _IN_PASSING * _DECAY**2) / 1.5,
                "the Difference Engine is two hops away, and so it is not reached.",
            ),
            Mistake(lambda: _DECAY, "divide it by the sum of all that was reached."),
            Mistake(lambda: score(0, depth=1), "that is note one; note two is asked for."),
        ),
        "reached are Ada Byron, 1, and Charles Babbage, 0.5; what is their sum?",
    ),
    2: Exercise(
        number(within=0),
        lambda: 3,
        "Ada Byron, Charles Babbage, Difference Engine, London: three steps.",
        (
            Mistake(lambda: 2, "two hops end at the Difference Engine."),
            Mistake(lambda: 4, "count the steps between the names, not the names."),
        ),
        "how many steps is it from Ada Byron to London?",
    ),
    3: Exercise(
        _READER,
        _is_largest,
        "everything near it is near everything else, so a walk ends there.",
        otherwise=_smaller,
        is_test=True,
    ),
}
