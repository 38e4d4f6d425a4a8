"""How far two persons agree who labelled the same: Cohen's kappa, and where they differ."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from brainkit import markup
from brainkit.errors import InvalidSetting, nearest
from brainkit.evaluation.judgments import GRADES, Judgment, Judgments

Weights = Literal["none", "linear", "quadratic"]
Graded = Mapping[tuple[str, str], Judgment]
_POWER: Final[Mapping[str, float]] = {"none": 0, "linear": 1, "quadratic": 2}


@dataclass(frozen=True)
class Agreement:
    """Two labellers on the chunks that both graded.

    kappa : 1 is full agreement, 0 what chance gives, below 0 less than that; NaN where it is
        undefined, and ``undefined`` says why. observed, expected : share of agreement, weighted, as
        it is and by chance. common : (query, chunk) pairs that both graded.
    table : ``table[a][b]`` counts the pairs with grade a by ``one`` and b by ``other``.
    differing : (query, source, lines, grade of one, grade of other), largest difference first.
    """

    one: str
    other: str
    weights: Weights
    kappa: float
    observed: float
    expected: float
    common: int
    table: tuple[tuple[int, ...], ...]
    differing: tuple[tuple[str, str, str, int, int], ...]

    @property
    def undefined(self) -> str:
        """Why there is no kappa; empty if there is one."""
        if not self.common:
            return f"{self.one} and {self.other} have graded no chunk for the same question."
        if math.isnan(self.kappa):
            return (
                "both always gave one and the same grade, so agreement cannot be told from chance."
            )
        return ""

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data for JSON; what is undefined is None."""
        defined = {
            name: None if math.isnan(value := getattr(self, name)) else value
            for name in ("kappa", "observed", "expected")
        }
        return {
            "labellers": [self.one, self.other],
            "weights": self.weights,
            **defined,
            "undefined": self.undefined or None,
            "common": self.common,
            "table": [list(row) for row in self.table],
            "differing": [
                dict(zip(("query", "source", "lines", "one", "other"), row, strict=True))
                for row in self.differing
            ],
        }

    def summary(self) -> str:
        """Return one line: kappa, and on how much it stands."""
        if self.undefined:
            return f"kappa is undefined: {self.undefined}"
        kind = "" if self.weights == "none" else f" ({self.weights} weights)"
        same = sum(self.table[grade][grade] for grade in range(len(GRADES)))
        return (
            f"{self.one} and {self.other}: kappa {self.kappa:.3f}{kind} on {self.common:,} "
            f"chunks that both graded, {same:,} of them alike"
        )

    def __repr__(self) -> str:
        heads = [str(grade) for grade in range(len(GRADES))]
        width = max(5, *(len(str(count)) + 1 for row in self.table for count in row))
        lines = [
            self.summary(),
            f"{self.one} down, {self.other} across",
            " " * 18 + "".join(head.rjust(width) for head in heads),
        ]
        lines += [
            f"{grade} {name:<16}" + "".join(str(count).rjust(width) for count in row)
            for (grade, name), row in zip(enumerate(GRADES), self.table, strict=True)
        ]
        return markup.terminal("\n".join(lines))

    def _repr_html_(self) -> str:
        return markup.table(
            [f"{self.one} down, {self.other} across", *map(str, range(len(GRADES)))],
            [
                [f"{g} {name}", *row]
                for (g, name), row in zip(enumerate(GRADES), self.table, strict=True)
            ],
            caption=self.summary(),
            right=range(1, len(GRADES) + 1),
        )


def agreement(
    judgments: Judgments, one: str, other: str, *, weights: Weights = "none"
) -> Agreement:
    """Compare two labellers by Cohen's kappa.

    kappa = (p_o - p_e) / (1 - p_e), p_o the share of agreement and p_e what it would be if each
    gave their grades by chance. With weights, two grades that differ by d agree by
    1 - (d / 3)^p: p = 1 is ``linear``, p = 2 ``quadratic``; ``none`` counts equal grades only.
    Skipped chunks count for nobody.
    Raises InvalidSetting for a labeller without labels, one and the same, or unknown weights.
    Source: Cohen, Educational and Psychological Measurement 20(1), 1960; weighted: Psychological
    Bulletin 70(4), 1968.
    """
    if weights not in _POWER:
        raise InvalidSetting(f"weights={weights!r} is not one of {', '.join(_POWER)}.")
    if one == other:
        raise InvalidSetting(f"{one!r} is compared with themself; name two labellers.")
    known = judgments.labellers()
    for name in (one, other):
        if name not in known:
            raise InvalidSetting(
                f"{name!r} has no labels{nearest(name, known)}; there are labels by "
                f"{', '.join(known) or 'nobody yet'}."
            )
    mine, theirs = judgments.graded(labeller=one), judgments.graded(labeller=other)
    pairs = {
        key: (mine[key].grade or 0, theirs[key].grade or 0)
        for key in sorted(mine.keys() & theirs.keys())
    }
    table = [[0] * len(GRADES) for _ in GRADES]
    for a, b in pairs.values():
        table[a][b] += 1
    observed, expected = _shares(table, _POWER[weights])
    is_defined = bool(pairs) and expected < 1.0
    differing = sorted(
        (key for key, (a, b) in pairs.items() if a != b),
        key=lambda key: (-abs(pairs[key][0] - pairs[key][1]), key),
    )
    return Agreement(
        one=one,
        other=other,
        weights=weights,
        kappa=(observed - expected) / (1.0 - expected) if is_defined else math.nan,
        observed=observed,
        expected=expected,
        common=len(pairs),
        table=tuple(map(tuple, table)),
        differing=tuple(
            (mine[key].query, mine[key].source, mine[key].lines, *pairs[key]) for key in differing
        ),
    )


def _shares(table: list[list[int]], power: float) -> tuple[float, float]:
    """Observed and expected agreement of a table of counts; NaN for an empty one."""
    total = sum(map(sum, table))
    if total == 0:
        return math.nan, math.nan
    grades = range(len(table))
    rows, columns = [sum(row) for row in table], [sum(row[g] for row in table) for g in grades]
    agrees = {
        (a, b): float(a == b) if power == 0 else 1.0 - (abs(a - b) / (len(table) - 1)) ** power
        for a in grades
        for b in grades
    }
    observed = sum(agrees[a, b] * table[a][b] for a, b in agrees) / total
    expected = sum(agrees[a, b] * rows[a] * columns[b] for a, b in agrees) / total**2
    return observed, expected
