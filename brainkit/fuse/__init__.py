"""Fusion as a pure function of (what was retrieved, settings); the browser has its twin.

Candidates are named by integers whose ascending order is the tie order. Everything is float64,
added in the order vector, bm25, graph.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from brainkit.fuse.alpha import blend
from brainkit.fuse.normalize import normalize
from brainkit.fuse.reorder import reorder
from brainkit.fuse.rrf import rrf
from brainkit.models import RETRIEVERS, QueryMode, QueryRequest, Retriever

__all__ = [
    "Fused",
    "blend",
    "cut",
    "fuse",
    "normalize",
    "reorder",
    "retrievers_for",
    "rrf",
    "sides",
]

Lists = Mapping[str, Sequence[tuple[int, float]]]
Raw = Mapping[str, Mapping[int, float]]


class Fused(NamedTuple):
    """One candidate after fusion; ``parts`` are its summands by retriever."""

    id: int
    score: float
    parts: dict[str, float]


def retrievers_for(request: QueryRequest) -> tuple[Retriever, ...]:
    """Return the retrievers that an answer to this request needs, in the fixed order.

    >>> retrievers_for(QueryRequest(query="q", mode="hybrid", alpha=1))
    ('vector',)
    """
    weights = request.weights
    needed: dict[QueryMode, set[str]] = {
        QueryMode.VECTOR: {"vector"},
        QueryMode.BM25: {"bm25"},
        QueryMode.GRAPH: {"graph"},
        QueryMode.HYBRID: {s for s, w in _sides(request.alpha) if w > 0},
        QueryMode.MULTI: {r for r in RETRIEVERS if getattr(weights, r) > 0},
    }
    return tuple(r for r in RETRIEVERS if r in needed[request.mode])


def cut(lists: Lists, request: QueryRequest) -> dict[str, list[tuple[int, float]]]:
    """Return the hits of each list that count: similarities of at least the threshold, to depth."""
    least = request.similarity_threshold
    return {
        name: [hit for hit in hits if name != "vector" or hit[1] >= least][: request.depth]
        for name, hits in lists.items()
    }


def fuse(lists: Lists, raw: Raw, request: QueryRequest) -> list[Fused]:
    """Fuse ranked lists under the request's mode and settings.

    lists : (id, raw score) best first, by retriever; ``cut`` is applied to them first. A retriever
        that was not run is absent.
    raw : for hybrid mode the raw score of every candidate, by side; one without a score, such as a
        chunk without a vector, counts 0. With ``request.rerank``, ``raw["rerank"]`` holds what a
        reranker gave, and ``reorder`` is the last step; scores stay those of the fusion.
    Returns candidates best first, ties in id order; single modes keep their raw score.
    """
    fused = _FUSERS[request.mode](cut(lists, request), raw, request)
    if request.rerank:
        return reorder(fused, raw.get("rerank", {}), depth=request.rerank_depth)
    return fused


def _single(lists: Lists, raw: Raw, request: QueryRequest) -> list[Fused]:
    name = request.mode.value
    return [Fused(c, score, {name: score}) for c, score in lists.get(name, ())]


def sides(lists: Lists, raw: Raw, request: QueryRequest) -> dict[str, dict[int, float]]:
    """Return the raw score of every hybrid candidate on each side of weight above 0.

    lists : as ``cut`` leaves them. A candidate without a score counts 0.
    """
    used = [name for name, weight in _sides(request.alpha) if weight > 0]
    ids = {c for name in used for c, _ in lists.get(name, ())}
    return {name: {c: raw[name].get(c, 0.0) for c in ids} for name in used}


def _hybrid(lists: Lists, raw: Raw, request: QueryRequest) -> list[Fused]:
    scores = sides(lists, raw, request)
    fused = blend(
        scores.get("vector", {}),
        scores.get("bm25", {}),
        alpha=request.alpha,
        normalize=request.normalize,
        similarity_threshold=request.similarity_threshold,
    )
    return [
        Fused(c.id, c.score, {n: p for n in scores if (p := getattr(c, n)) is not None})
        for c in fused
    ]


def _multi(lists: Lists, raw: Raw, request: QueryRequest) -> list[Fused]:
    ranked: dict[str, list[int]] = {
        name: [c for c, _ in lists[name]] for name in RETRIEVERS if name in lists
    }
    fused = rrf(ranked, rrf_k=request.rrf_k, weights=dict(request.weights))
    return [Fused(*entry) for entry in fused]


def _sides(alpha: float) -> tuple[tuple[str, float], tuple[str, float]]:
    return ("vector", alpha), ("bm25", 1.0 - alpha)


_FUSERS: dict[QueryMode, Callable[[Lists, Raw, QueryRequest], list[Fused]]] = {
    QueryMode.VECTOR: _single,
    QueryMode.BM25: _single,
    QueryMode.GRAPH: _single,
    QueryMode.HYBRID: _hybrid,
    QueryMode.MULTI: _multi,
}
