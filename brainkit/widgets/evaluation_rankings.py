"""The rankings and grades of an evaluation, small enough for a page."""

from __future__ import annotations

from typing import Final

from brainkit.evaluation.outcome import Evaluation
from brainkit.widgets.compact import Json

RANKED_MAX: Final = 60_000
"""Ranked units that a view holds in all, as long as that leaves ``DEPTH_MIN`` of each ranking."""
DEPTH_MIN: Final = 10
_ALL: Final = 1000


def depth_of(evaluation: Evaluation) -> int:
    """Return down to which rank a view shows every ranking: at most the largest cutoff.

    More queries and configurations leave fewer ranks to each, but never fewer than ``DEPTH_MIN``.
    """
    deepest = max(m.cutoff or _ALL for m in evaluation.measures)
    rankings = sum(len(found) for found in evaluation.rankings.values())
    return min(deepest, max(DEPTH_MIN, RANKED_MAX // max(1, rankings)))


def rankings_data(evaluation: Evaluation) -> Json:
    """Return rankings and grades as numbers of units, which are named once.

    ``rankings`` : configuration -> query -> units, best first; None where it was not run.
    ``grades`` : query -> [unit, grade] pairs, the best grade first: every relevant unit, and what
        was judged not relevant where a ranking has it. ``depth`` : ranks that are here.
    """
    depth = depth_of(evaluation)
    number: dict[str, int] = {}
    rankings: list[list[list[int] | None]] = []
    for name in evaluation.configs:
        found = evaluation.rankings.get(name, {})
        rankings.append(
            [
                [number.setdefault(unit, len(number)) for unit in found[query][:depth]]
                if query in found
                else None
                for query in evaluation.dataset.queries
            ]
        )
    grades = []
    for query in evaluation.dataset.queries:
        judged = evaluation.dataset.qrels.get(query, {})
        shown = {u for found in evaluation.rankings.values() for u in found.get(query, ())[:depth]}
        kept = [(u, g) for u, g in judged.items() if g > 0 or u in shown]
        kept.sort(key=lambda pair: (-pair[1], pair[0]))
        grades.append([[number.setdefault(u, len(number)), g] for u, g in kept])
    return {
        "depth": depth,
        "deepest": max(m.cutoff or _ALL for m in evaluation.measures),
        "units": list(number),
        "rankings": rankings,
        "grades": grades,
    }
