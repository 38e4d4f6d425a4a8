"""The view of a map: where chunks lie in two dimensions, as columns of JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from brainkit.models import Chunk
from brainkit.projection import Near, Plane
from brainkit.widgets.compact import Json, about
from brainkit.widgets.view import SCHEMA

_TEXT_CHARS = 90
_DIGITS = 4
_THOUSANDTHS = 1000


def map_data(chunks: Sequence[Chunk], plane: Plane, near: Near, **said: Any) -> Json:
    """Return what the browser draws a map from (``MapData`` in ``js/types.js``).

    said : the members that are plain words and numbers.
    """
    files = {chunk.source: chunk.source_type for chunk in chunks}
    number = {source: at for at, source in enumerate(files)}
    return {
        **said,
        "shares": None if plane.shares is None else list(plane.shares),
        "agreement": near.agreement,
        "files": [[source, kind] for source, kind in files.items()],
        "order": [chunk.order for chunk in chunks],
        "file": [number[chunk.source] for chunk in chunks],
        "lines": [[chunk.start_line, chunk.end_line] for chunk in chunks],
        "about": [about(chunk.metadata) for chunk in chunks],
        "text": [" ".join(chunk.text[:400].split())[:_TEXT_CHARS] for chunk in chunks],
        "places": [_rounded(place) for place in plane.places.tolist()],
        "near": _near(near),
    }


def query_data(text: str, plane: Plane, near: Near) -> Json | None:
    """Return the question as a mark on the map; None if the plane was made without it."""
    if plane.query is None:
        return None
    return {"text": text, "place": _rounded(plane.query.tolist()), "near": _near(near)}


def map_view(data: Mapping[str, Any], answer: Mapping[str, Any] | None, *, table: str) -> Json:
    """Return the view of a map, linked to the results of an answer's view if there is one."""
    empty: Json = {
        "schema": SCHEMA,
        "request": None,
        "trace": None,
        "timings_ms": {},
        "query_time_ms": None,
        "selected": None,
        "error": None,
        "labels": {},
    }
    return {**(answer or empty), "kind": "map", "map": dict(data), "table": table}


def _near(near: Near) -> Json:
    """Neighbours of each row, their similarities in thousandths, and bit i for the i-th if kept."""
    bits = near.kept @ (1 << np.arange(near.kept.shape[1]))
    similar = (near.similar * _THOUSANDTHS).round().astype(int)
    return {"rows": near.rows.tolist(), "similar": similar.tolist(), "kept": bits.tolist()}


def _rounded(numbers: Sequence[float]) -> list[float]:
    return [round(number, _DIGITS) + 0.0 for number in numbers]  # no -0.0
