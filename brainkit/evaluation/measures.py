"""Measures of one ranking, as trec_eval computes them, for a whole stack of rankings at once.

Names are those of ir_measures. They are computed here because a sweep ranks a query hundreds of
times; tests hold every value against ir_measures.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from brainkit.errors import InvalidMeasure, nearest

Floats = NDArray[np.float64]
Grades = NDArray[np.int64]
Gain = Literal["linear", "exp"]


@dataclass(frozen=True, slots=True)
class Measure:
    """One measure: ``nDCG@10``, ``nDCG(exp)@10``, ``R@5``, ``P@5``, ``RR@10``, ``AP@100``.

    cutoff : ranks looked at, 1 or more; None looks at all (not for P).
    gain : of nDCG only: ``linear`` takes the grade, as trec_eval does; ``exp`` takes 2^grade - 1,
        as Burges et al. (ICML 2005) do, so that high grades count for more.
    """

    name: str
    cutoff: int | None = None
    gain: Gain = "linear"

    def __str__(self) -> str:
        gain = "(exp)" if self.gain == "exp" else ""
        return f"{self.name}{gain}" + (f"@{self.cutoff}" if self.cutoff else "")

    def of(self, grades: Grades, judged: Sequence[int]) -> Floats:
        """Return the measure of each ranking, shape (n,), each from 0 to 1.

        grades : (n, depth), the grade at each rank, best rank first; 0 where not judged.
        judged : every positive grade of the query, found or not. Empty gives 0.
        """
        relevant = np.sort(np.array([g for g in judged if g > 0], np.int64))[::-1]
        seen = grades if self.cutoff is None else grades[:, : self.cutoff]
        if not len(relevant) or not seen.shape[1]:
            return np.zeros(len(grades))
        return _MEASURES[self.name](self, seen, relevant)


def parse(name: str | Measure) -> Measure:
    """Return the measure of a name.

    >>> parse("nDCG@10"), str(parse("nDCG(exp)@5"))
    (Measure(name='nDCG', cutoff=10, gain='linear'), 'nDCG(exp)@5')

    Raises InvalidMeasure listing what there is.
    """
    if isinstance(name, Measure):
        return name
    match = _NAME.fullmatch(str(name).strip().replace("(dcg='exp-log2')", "(exp)"))
    word = match[1] if match else str(name).split("@")[0]
    found = _SPELLED.get(word.casefold())
    if match is None or found is None or (match[2] and found != "nDCG"):
        raise InvalidMeasure(
            f"{name!r} is no measure known here{nearest(word, _SPELLED)}; there are "
            "nDCG@k, nDCG(exp)@k, R@k, P@k, RR@k, AP@k, Success@k, such as nDCG@10."
        )
    cutoff = int(match[3]) if match[3] else None
    if cutoff == 0 or (cutoff is None and found in ("P", "Success")):
        raise InvalidMeasure(f"{name!r} needs a cutoff of 1 or more, such as {found}@5.")
    return Measure(found, cutoff, "exp" if match[2] else "linear")


def grades_of(ranking: Sequence[str], judged: Mapping[str, int], depth: int) -> Grades:
    """Return the grade at each of the first ``depth`` ranks, shape (depth,), 0 past the end."""
    row = np.zeros(depth, np.int64)
    for at, source in enumerate(ranking[:depth]):
        row[at] = judged.get(source, 0)
    return row


def _ndcg(measure: Measure, grades: Grades, relevant: Grades) -> Floats:
    """DCG = sum of gain / log2(rank + 1), over that of the best ranking there could be."""
    gain: Callable[[Grades], Floats] = _GAINS[measure.gain]
    ideal = relevant if measure.cutoff is None else relevant[: measure.cutoff]
    discount = 1.0 / np.log2(np.arange(2, max(grades.shape[1], len(ideal)) + 2))
    best = float(gain(ideal) @ discount[: len(ideal)])
    return np.asarray((gain(grades) * discount[: grades.shape[1]]).sum(axis=1) / best)


def _recall(measure: Measure, grades: Grades, relevant: Grades) -> Floats:
    found: Floats = (grades > 0).sum(axis=1) / len(relevant)
    return found


def _precision(measure: Measure, grades: Grades, relevant: Grades) -> Floats:
    found: Floats = (grades > 0).sum(axis=1) / (measure.cutoff or grades.shape[1])
    return found


def _success(measure: Measure, grades: Grades, relevant: Grades) -> Floats:
    return np.asarray((grades > 0).any(axis=1), np.float64)


def _reciprocal_rank(measure: Measure, grades: Grades, relevant: Grades) -> Floats:
    hit = grades > 0
    first = hit.argmax(axis=1)
    return np.where(hit.any(axis=1), 1.0 / (first + 1.0), 0.0)


def _average_precision(measure: Measure, grades: Grades, relevant: Grades) -> Floats:
    """Mean over the relevant sources of the precision where each is found; 0 for those missed."""
    hit = grades > 0
    precision = hit.cumsum(axis=1) / np.arange(1, grades.shape[1] + 1)
    found: Floats = (precision * hit).sum(axis=1) / len(relevant)
    return found


_GAINS: Final[dict[Gain, Callable[[Grades], Floats]]] = {
    "linear": lambda grades: grades.astype(np.float64),
    "exp": lambda grades: np.asarray(np.exp2(grades) - 1.0),
}
_MEASURES: Final[dict[str, Callable[[Measure, Grades, Grades], Floats]]] = {
    "nDCG": _ndcg,
    "R": _recall,
    "P": _precision,
    "RR": _reciprocal_rank,
    "AP": _average_precision,
    "Success": _success,
}
_SPELLED: Final = {name.casefold(): name for name in _MEASURES} | {"mrr": "RR", "recall": "R"}
_NAME: Final = re.compile(r"([A-Za-z]+)(\(exp\))?(?:@(\d+))?")
