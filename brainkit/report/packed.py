"""Views as a report stores them: what several of them show is there once.

A view's JSON names every field of every candidate. In a file of a hundred answers most of that is
the same chunk again, so its text and place go into one list for the whole file, as do names that
stand there often, and a view keeps rows of its own numbers. ``js/report/unpack.js`` is the way
back, and gives the same numbers bit by bit. Both are parts of one file, so this form has no version
of its own; the views in it have (``widgets.view.SCHEMA``).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from brainkit.widgets.compact import EXCERPT_CHARS

Json = dict[str, Any]

_MARK = "~"
"""Begins a text that stands for another, and is the name of what stands for rows."""
_WORD_MIN = 8
_ROWS_MIN = 3

_OF_CHUNK = (
    "chunk_id", "source", "start_line", "end_line", "source_type", "language", "about", "chars",
)  # fmt: skip
_OF_VIEW: tuple[tuple[str, Any], ...] = (
    ("order", None), ("vector", None), ("bm25", None), ("terms", []), ("length", None),
    ("marks", []), ("graph", None), ("graph_parts", []), ("entities", []), ("path", []),
    ("passes", True), ("rerank", None),
)  # fmt: skip
"""In the order of a row, with the default that the end of a row may leave out."""


class Pack:
    """What the views of one file share: chunks, and ``words``, texts that may be there often."""

    def __init__(self) -> None:
        self.chunks: list[list[Any]] = []
        self.words: dict[str, int] = {}
        self._places: dict[tuple[Any, ...], list[int]] = {}

    def add(self, view: Json) -> Json:
        """Return a view as it is stored, without its table, and keep its chunks."""
        whole = view.get("whole")
        rest = {name: value for name, value in view.items() if name not in ("table", "whole")}
        packed = {**rest, "trace": self._trace(view["trace"], whole)}
        if view.get("other") is not None:
            other = view["other"]
            packed["other"] = {**other, "trace": self._trace(other.get("trace"), whole)}
        return dict(self._short(packed))

    def shared(self) -> Json:
        """Return what the file holds once for all of its views."""
        return {"chunks": self.chunks, "words": list(self.words)}

    def _short(self, value: Any) -> Any:
        """JSON with long texts by their number, and the names of equal rows written once."""
        if isinstance(value, str):
            if len(value) >= _WORD_MIN:
                return f"{_MARK}{self.words.setdefault(value, len(self.words))}"
            return f"{_MARK}{value}" if value.startswith(_MARK) else value
        if isinstance(value, list):
            names = list(value[0]) if len(value) >= _ROWS_MIN and isinstance(value[0], dict) else []
            if names and all(isinstance(one, dict) and list(one) == names for one in value):
                rows = [[self._short(one) for one in row.values()] for row in value]
                return {_MARK: names, "rows": rows}
            return [self._short(one) for one in value]
        if isinstance(value, dict):
            if _MARK in value:
                raise ValueError(f"a view has a field {_MARK!r}")
            return {name: self._short(one) for name, one in value.items()}
        return value

    def _trace(self, trace: Json | None, whole: Collection[str] | None) -> Json | None:
        if trace is None:
            return None
        words = [term["term"] for term in trace["terms"] if term["term"] is not None]
        number = {word: at for at, word in enumerate(words)}
        kept = None if whole is None else set(whole)
        place = {one["order"]: at for at, one in enumerate(trace["candidates"])}
        single = _is_single(trace["candidates"])
        return {
            **trace,
            "single": single,
            "lists": {
                name: _list(ranked, name, trace["candidates"], place)
                for name, ranked in trace["lists"].items()
            },
            "candidates": [
                self._row(_rounded(one) if single else one, number, kept)
                for one in trace["candidates"]
            ],
        }

    def _row(self, one: Json, number: dict[str, int], whole: set[str] | None) -> list[Any]:
        text = one["text"]
        if whole is not None and one["chunk_id"] not in whole:
            text = text[:EXCERPT_CHARS]
        shown = _units(text)
        given = {
            **one,
            "terms": [
                part for term, value, count in one["terms"] for part in (number[term], value, count)
            ],
            "marks": _steps(_within(one["marks"], shown)),
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


def _is_single(candidates: Sequence[Json]) -> bool:
    """Tell whether all scores are of single precision, as retrievers give them."""
    scores = [one[name] for one in candidates for name in ("vector", "bm25")]
    scores += [value for one in candidates for _, value, _ in one["terms"]]
    exact = np.array([score for score in scores if score is not None], dtype=np.float64)
    with np.errstate(over="ignore"):
        return bool((exact.astype(np.float32) == exact).all())


def _rounded(one: Json) -> Json:
    """Single precision in the fewest digits; ``Math.fround`` is the way back."""
    return {
        **one,
        "vector": _digits(one["vector"]),
        "bm25": _digits(one["bm25"]),
        "terms": [[term, _digits(value), count] for term, value, count in one["terms"]],
    }


def _digits(score: float | None) -> float | None:
    return None if score is None else float(str(np.float32(score)))


def _steps(offsets: Sequence[int]) -> list[int]:
    """Each offset as its distance from the one before it."""
    return [now - before for before, now in zip((0, *offsets), offsets, strict=False)]


def _within(marks: Sequence[int], end: int) -> list[int]:
    spans = zip(marks[::2], marks[1::2], strict=True)
    return [offset for span in spans if span[1] <= end for offset in span]
