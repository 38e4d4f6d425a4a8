"""Lesson 05: rank fusion."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from typing import Final

from brainkit.fuse.rrf import rrf
from brainkit.lessons.exercise import Exercise, Mistake, Prediction
from brainkit.lessons.four import CHUNKS, QUESTION, bm25, cosines
from brainkit.lessons.reading import number, word

_NAMES: Final = list(CHUNKS)


def _ranked(scores: Mapping[str, float]) -> list[int]:
    return [_NAMES.index(name) for name in sorted(scores, key=lambda name: -scores[name])]


def votes(*, rrf_k: float = 60, vector: float = 1.0) -> dict[str, float]:
    """Return the sum of votes for each of the four, best first. vector : weight of that list."""
    lists = {"vector": _ranked(cosines()), "bm25": _ranked(bm25(QUESTION))}
    fused = rrf(lists, rrf_k=rrf_k, weights={"vector": vector})
    return {_NAMES[at]: score for at, score, _ in fused}


def _beats_single(rank: int, *, rrf_k: float) -> bool:
    """Whether rank n in both lists beats a first place in one."""
    lists = {name: [*(f"{name}{i}" for i in range(1, rank)), "both"] for name in ("x", "y")}
    numbered = {one: at for at, one in enumerate([*lists["x"], *lists["y"]])}
    fused = rrf({n: [numbered[one] for one in ids] for n, ids in lists.items()}, rrf_k=rrf_k)
    scores = {at: score for at, score, _ in fused}
    return rank == 1 or scores[numbered["both"]] > scores[numbered["x1"]]


def _last_that_beats(rrf_k: int) -> int:
    return next(n for n in count(1) if not _beats_single(n + 1, rrf_k=rrf_k))


def _weight_for(name: str, *, over: str | None = None) -> int:
    """Return the smallest whole weight of the vector list that puts a chunk over one, or all."""
    for weight in count(1):
        scores = votes(vector=weight)
        rivals = [over] if over else [one for one in scores if one != name]
        if all(scores[name] > scores[one] for one in rivals):
            return weight
    raise AssertionError  # count has no end


PREDICTIONS: Final[Mapping[str, Prediction]] = {
    "first": Prediction(word(), lambda: next(iter(votes()))),
}

EXERCISES: Final[Mapping[int, Exercise]] = {
    1: Exercise(
        number(within=0.000005),
        lambda: votes()["b"],
        "1 / (60 + 4) + 1 / (60 + 2) = 0.031754.",
        (
            Mistake(lambda: 1 / 63 + 1 / 61, "ranks count from 1, so the second place is 2."),
            Mistake(lambda: 1 / 64, "that is the vote of one list; b is in both."),
            Mistake(lambda: 1 / 62, "that is the vote of one list; b is in both."),
            Mistake(lambda: 1 / 4 + 1 / 2, "the constant k = 60 is missing from the denominators."),
            Mistake(lambda: 2 / (64 + 62), "add the two votes, each with its own denominator."),
        ),
        "b is fourth by vector and second by bm25; give all of 1/(60 + 4) + 1/(60 + 2).",
    ),
    2: Exercise(
        number(within=0),
        lambda: _last_that_beats(10),
        "n < k + 2: at rank 12 both would have 2 / 22 = 1 / 11.",
        (
            Mistake(lambda: 12, "there they are equal: 2 / 22 = 1 / 11; it has to be more."),
            Mistake(lambda: 61, "that is for k = 60; here k is 10."),
            Mistake(lambda: 10, "rank 10 does beat it; is it the last that does?"),
        ),
        "2 / (10 + n) > 1 / (10 + 1): which is the largest whole n?",
    ),
    3: Exercise(
        number(within=0),
        lambda: _weight_for("d"),
        "w / 61 > w / 62 + 1 / 63 holds from 61 on: c is the last that d has to pass.",
        (
            Mistake(
                lambda: _weight_for("d", over="a"),
                "there d passes a. But c, second by vector, gained as well: who leads now?",
            ),
            Mistake(lambda: 60, "almost: at 60 c is still ahead; 61 * 62 / 63 is more than 60."),
            Mistake(
                lambda given: given < 1, "weights here are whole numbers from 1 on.", is_test=True
            ),
        ),
        "compare w / (60 + 1) of d with w / (60 + 2) + 1 / (60 + 3) of c.",
    ),
}
