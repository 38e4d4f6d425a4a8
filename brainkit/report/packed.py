"""Views as a report stores them: what several of them show is there once.

A view's JSON names every field of every candidate. In a file of a hundred answers most of that is
the same chunk again, so its text and place go into one list for the whole file, and a view keeps
rows of its own numbers. ``js/report/unpack.js`` is the way back. Both are parts of one file, so
this form has no version of its own; the views in it have (``widgets.view.SCHEMA``).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from brainkit.widgets.compact import EXCERPT_CHARS
from brainkit.widgets.view import KINDS, SCHEMA

Json = dict[str, Any]

_OF_CHUNK = (
    "chunk_id", "source", "start_line", "end_line", "source_type", "language", "about", "chars",
)  # fmt: skip
_OF_VIEW: tuple[tuple[str, Any], ...] = (
    ("order", None), ("vector", None), ("bm25", None), ("terms", []), ("length", None),
    ("marks", []), ("graph", None), ("graph_parts", []), ("entities", []), ("path", []),
    ("passes", True),
)  # fmt: skip
"""In the order of a row, with the default that the end of a row may leave out."""


class Pack:
    """The chunks that the views of one file share."""

    def __init__(self) -> None:
        self.chunks: list[list[Any]] = []
        self._places: dict[tuple[Any, ...], list[int]] = {}

    def add(self, view: Json) -> Json:
        """Return a view as it is stored, without its table, and keep its chunks."""
        whole = view.get("whole")
        rest = {name: value for name, value in view.items() if name not in ("table", "whole")}
        packed = {**rest, "trace": self._trace(view["trace"], whole)}
        if view.get("other") is not None:
            other = view["other"]
            packed["other"] = {**other, "trace": self._trace(other.get("trace"), whole)}
        return packed

    def _trace(self, trace: Json | None, whole: Collection[str] | None) -> Json | None:
        if trace is None:
            return None
        words = [term["term"] for term in trace["terms"] if term["term"] is not None]
        number = {word: at for at, word in enumerate(words)}
        kept = None if whole is None else set(whole)
        place = {one["order"]: at for at, one in enumerate(trace["candidates"])}
        return {
            **trace,
            "lists": {
                name: _list(ranked, name, trace["candidates"], place)
                for name, ranked in trace["lists"].items()
            },
            "candidates": [self._row(one, number, kept) for one in trace["candidates"]],
        }

    def _row(self, one: Json, number: dict[str, int], whole: set[str] | None) -> list[Any]:
        text = one["text"]
        if whole is not None and one["chunk_id"] not in whole:
            text = text[:EXCERPT_CHARS]
        shown = _units(text)
        given = {
            **one,
            "terms": [[number[term], value, count] for term, value, count in one["terms"]],
            "marks": _within(one["marks"], shown),
        }
        row = [self._chunk(one, text), shown, *(given[name] for name, _ in _OF_VIEW)]
        for _, default in reversed(_OF_VIEW):
            if row[-1] != default:
                break
            row.pop()
        return row

    def _chunk(self, one: Json, text: str) -> int:
        """Return where the chunk is; what is stored of its text begins with this one."""
        key = tuple(one[name] for name in _OF_CHUNK)
        for at in self._places.setdefault(key, []):
            stored = self.chunks[at][-1]
            if text.startswith(stored):
                self.chunks[at][-1] = text
            if self.chunks[at][-1].startswith(text):
                return at
        self.chunks.append([*key, text])
        self._places[key].append(len(self.chunks) - 1)
        return len(self.chunks) - 1


def is_known(view: Any) -> bool:
    """Tell whether a view is of this version's schema, so that it can be drawn."""
    return isinstance(view, dict) and view.get("schema") == SCHEMA and view.get("kind") in KINDS


def _list(ranked: Json, name: str, candidates: Sequence[Json], place: dict[int, int]) -> Json:
    """A ranked list by the candidates' places; scores only where they are not the candidates'."""
    hits = ranked["hits"]
    same = all(candidates[place[order]][name] == score for order, score in hits)
    return {
        **ranked,
        "hits": None,
        "at": [place[order] for order, _ in hits],
        "scores": None if same else [score for _, score in hits],
    }


def _units(text: str) -> int:
    """The length of a text in UTF-16, which is how JavaScript counts."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _within(marks: Sequence[int], end: int) -> list[int]:
    spans = zip(marks[::2], marks[1::2], strict=True)
    return [offset for span in spans if span[1] <= end for offset in span]
