"""Lesson 09: tune it for your corpus."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final

from brainkit.fuse.alpha import blend
from brainkit.lessons.exercise import Exercise, Mistake, NothingToFind, Prediction
from brainkit.lessons.four import CHUNKS, bm25, cosines
from brainkit.lessons.reading import number, word

if TYPE_CHECKING:
    from brainkit.evaluation.swept import Sweep

CHOOSE: Final = {"cat sat": "c", "sat": "c"}
"""Question -> the chunk that was wanted, of the half that chooses."""
HELD: Final = {"cat": "a", "birds": "d"}
"""The same of the half that does not."""
DEFAULT: Final = 0.5
CHOSEN: Final = 0.7
_NUMBER: Final = {name: at for at, name in enumerate(CHUNKS)}
_QUESTIONS, _WIDTH, _WANTED_WIDTH = 32, 0.04, 0.01


def rank(question: str, wanted: str, alpha: float) -> int:
    """Return the rank of a chunk for a question, from 1, with both sides divided by their maximum.

    >>> rank("cat sat", "c", 0.7), rank("cat", "a", 0.7)
    (1, 2)
    """
    words, names = bm25(question), list(_NUMBER)
    meaning = {at: cosines()[name] for name, at in _NUMBER.items()}
    scored = blend(meaning, {at: words.get(n, 0.0) for n, at in _NUMBER.items()}, alpha=alpha)
    return [names[one.id] for one in scored].index(wanted) + 1


def mean(asked: Mapping[str, str], alpha: float) -> float:
    """Return the mean reciprocal rank of what was wanted."""
    return sum(1 / rank(question, wanted, alpha) for question, wanted in asked.items()) / len(asked)


def best(asked: Mapping[str, str], alphas: Iterable[int] = range(1, 1000)) -> float:
    """Return the highest mean over all alphas between 0 and 1, in thousandths."""
    return max(mean(asked, alpha / 1000) for alpha in alphas)


def _does_best(alpha: float) -> bool:
    return 0 <= alpha <= 1 and mean(HELD, alpha) == best(HELD)


def _gains(tuned: Sweep) -> tuple[float, float]:
    """Return the gain on the questions that chose, and on those that did not."""
    if tuned.held is None:
        raise NothingToFind("this sweep held no questions out; sweep with test=")
    on_own = tuned.score_at(tuned.best).mean() - tuned.default_scores.mean()
    return float(on_own), tuned.held.gain.mean


def _flattery(tuned: Sweep) -> float:
    on_own, on_others = _gains(tuned)
    return on_own - on_others


def _fewer_points(tuned: Sweep) -> float:
    """Return how much lower the tuned mean is on the held-out questions."""
    _gains(tuned)
    on_others = tuned.held.tuned if tuned.held else 0.0
    return float(tuned.score_at(tuned.best).mean()) - on_others


def _fate(tuned: Sweep) -> str:
    _, on_others = _gains(tuned)
    if abs(on_others) < 1e-9:
        return "nothing"
    return "a gain" if on_others > 0 else "a loss"


PREDICTIONS: Final[Mapping[str, Prediction]] = {"others": Prediction(word(), _fate)}

EXERCISES: Final[Mapping[int, Exercise]] = {
    1: Exercise(
        number(within=0),
        _does_best,
        "from 0.4871 to 0.6457 both have rank 1. The default is among them: nothing to tune.",
        (
            Mistake(lambda: CHOSEN, "that is what the other two chose; a has rank 2 there."),
            Mistake(lambda given: not 0 <= given <= 1, "alpha is from 0 to 1.", is_test=True),
            Mistake(
                lambda given: rank("cat", "b", given) == 1,
                "there b, with two cats, is ahead of a; give meaning more weight.",
                is_test=True,
            ),
        ),
        "there d, the favourite of the vector side, is ahead of a; give meaning less weight.",
        is_test=True,
    ),
    2: Exercise(
        number(within=1e-6),
        lambda: best({**CHOOSE, **HELD}) - mean({**CHOOSE, **HELD}, DEFAULT),
        "0.875 at best, and 0.875 at the default: what one half gains, the other loses.",
        (
            Mistake(lambda: 0.25, "that is what two of them gain alone; all four choose here."),
            Mistake(lambda: -0.25, "that is what the held-out two lose; all four choose here."),
            Mistake(
                lambda: best({**CHOOSE, **HELD}),
                "that is the mean itself; from it goes the mean at the default.",
            ),
        ),
        "the best mean of all four columns that any alpha gives, less their mean at 0.5.",
    ),
    3: Exercise(
        number(within=0.001),
        _flattery,
        "so much was promised and not kept. Below 0, luck was with the held-out half this time.",
        (
            Mistake(lambda tuned: -_flattery(tuned), "the other way round: tuning half first."),
            Mistake(
                lambda tuned: _gains(tuned)[0],
                "that is the gain on the tuning half; the held-out gain goes from it.",
            ),
            Mistake(
                lambda tuned: _gains(tuned)[1],
                "that is the held-out gain; take it from the gain on the tuning half.",
            ),
            Mistake(
                _fewer_points,
                "that compares two means, and one half may be harder; compare the gains over 0.5.",
            ),
        ),
        "the gain on the tuning half, less tuned.held.gain.mean.",
    ),
    4: Exercise(
        number(within=0.5),
        lambda: _QUESTIONS * (_WIDTH / _WANTED_WIDTH) ** 2,
        "a quarter of the width costs sixteen times the questions: 32 * 16.",
        (
            Mistake(
                lambda: _QUESTIONS * _WIDTH / _WANTED_WIDTH,
                "four times the questions halve the width only: it goes with the square root.",
            ),
            Mistake(lambda: _QUESTIONS * 2, "that takes it from 0.04 to 0.028."),
            Mistake(lambda: (_WIDTH / _WANTED_WIDTH) ** 2, "times the 32 that there are."),
            Mistake(
                lambda: _QUESTIONS * ((_WIDTH / _WANTED_WIDTH) ** 2 - 1),
                "those are the new ones; how many are there in all?",
            ),
        ),
        "the width goes with 1 / sqrt(n): by which factor has n to grow for a quarter of it?",
    ),
}
