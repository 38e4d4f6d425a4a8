"""Pictures of the lessons that are moved by hand; they need no kernel, like every view."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from brainkit import markup
from brainkit.answer import Answer
from brainkit.errors import InvalidSetting
from brainkit.widgets.drawn import Drawn
from brainkit.widgets.view import SCHEMA

_CHUNKS_MAX: Final = 200


class Picture(Drawn):
    """A picture to move, with a table of what it shows for where scripts don't run."""

    def __init__(
        self, title: str, data: Mapping[str, Any], headers: Sequence[str], rows: list[list[str]]
    ) -> None:
        self._title, self._data = title, dict(data)
        self._headers, self._rows = headers, rows

    @property
    def title(self) -> str:
        """What it is a picture of."""
        return self._title

    def view(self) -> dict[str, Any]:
        """Return it as the browser draws it (``js/lessons/types.js``)."""
        right = range(1, len(self._headers))
        table = markup.table(self._headers, self._rows, caption=self._title, right=right)
        return {"schema": SCHEMA, **self._data, "table": table}

    def __repr__(self) -> str:
        rows = [f"  {name}  {'  '.join(values)}" for name, *values in self._rows]
        return markup.terminal("\n".join([self._title, *rows]))


def bm25_sliders(answer: Answer) -> Picture:
    """Return BM25 with sliders for k1 and b: the curve of each term, and the ranking they give.

    answer : one for which BM25 was run; the best 200 of its list are drawn.
    Raises InvalidSetting if there is nothing to draw.
    """
    trace, request = answer.trace, answer.request
    idf = {t.term: t.idf for t in trace.terms if t.term and t.idf is not None}
    asked = Counter(t.term for t in trace.terms)
    ranked = trace.lists.get("bm25")
    if not idf or ranked is None or not ranked.hits or not trace.average_length:
        raise InvalidSetting(
            "bm25 found nothing, or was not run; ask with mode='bm25' for a word of the brain."
        )
    found = {c.order: c for c in trace.candidates}
    best = [found[hit.order] for hit in ranked.hits[:_CHUNKS_MAX]]
    best.sort(key=lambda c: c.order)
    single = len({c.source for c in best}) == len(best)
    names = {c.order: c.source if single else f"{c.source}:{c.start_line}" for c in best}
    data = {
        "kind": "lesson-bm25",
        "question": request.query,
        "k1": request.bm25_k1,
        "b": request.bm25_b,
        "average": trace.average_length,
        "terms": [{"term": term, "idf": value * asked[term]} for term, value in idf.items()],
        "chunks": [
            {
                "name": names[c.order],
                "length": c.length,
                "counts": [c.term_counts.get(term, 0) for term in idf],
            }
            for c in best
        ],
    }
    rows = [[names[hit.order], f"{hit.score:.4f}"] for hit in ranked.hits[:10]]
    title = f"BM25 of {request.query!r} at k1 = {request.bm25_k1:g}, b = {request.bm25_b:g}"
    return Picture(title, data, ("chunk", "score"), rows)


def unit_vectors(vectors: Mapping[str, Sequence[float]], asked: Sequence[float]) -> Picture:
    """Return vectors of two numbers as directions to turn, with the cosine of each.

    vectors : by name. asked : the question's.
    Raises InvalidSetting for a vector that has no direction, or not two numbers.
    """
    angles = {name: _angle(name, vector) for name, vector in vectors.items()}
    question = _angle("asked", asked)
    cosines = {name: math.cos(math.radians(angle - question)) for name, angle in angles.items()}
    data = {
        "kind": "lesson-vectors",
        "asked": question,
        "vectors": [{"name": name, "angle": angle} for name, angle in angles.items()],
    }
    rows = [
        [name, f"{angles[name]:.1f}°", f"{cosines[name]:.3f}"]
        for name in sorted(cosines, key=lambda name: -cosines[name])
    ]
    return Picture("Directions and cosines", data, ("vector", "angle", "cosine"), rows)


def _angle(name: str, vector: Sequence[float]) -> float:
    """Return the direction of a vector in degrees, from -180 to 180."""
    if len(vector) != 2 or not all(map(math.isfinite, vector)) or not any(vector):
        raise InvalidSetting(
            f"the vector {name!r} is {tuple(vector)}; give two numbers that are not both 0."
        )
    return math.degrees(math.atan2(vector[1], vector[0]))
