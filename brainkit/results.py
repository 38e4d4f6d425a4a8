"""Results: a trace fused under a request's settings, collapsed, cut and explained."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from brainkit.explain import Facts, explain, path_of
from brainkit.filters import PathFilter, is_filtered, passes
from brainkit.fuse import Fused, cut, fuse, retrievers_for, sides
from brainkit.models import (
    Candidate,
    Move,
    Notice,
    QueryMode,
    QueryRequest,
    QueryResult,
    Trace,
)
from brainkit.rerank.stage import FAILED

UNREAD = "rerank-unread"
"""Kind of the notice that a new query would have the reranker read more."""


def results_of(
    trace: Trace, request: QueryRequest
) -> tuple[tuple[QueryResult, ...], int, list[Notice]]:
    """Return the results, the number of fused candidates, and what the reader should know."""
    candidates = {candidate.order: candidate for candidate in trace.candidates}
    lists, raw = counted_lists(trace, request), _raw(trace, request)
    fused = fuse(lists, raw, request)
    before = fused_order(trace, request) if request.rerank else []
    moves = _moves(before, fused, raw.get("rerank", {}), request)
    groups = _collapsed(fused, candidates, request)
    notices = _rerank_notices(trace, request, before)
    top = groups[: request.top_k]
    if request.filter_stage == "post" and is_filtered(request):
        paths = PathFilter(request.file_paths) if request.file_paths else None
        kept = [g for g in top if passes(candidates[g[0].id], request, paths)]
        if len(kept) < len(top):
            notices.append(_starved(len(top) - len(kept), len(top)))
        top = kept
    ranks = {
        name: {order: rank for rank, (order, _) in enumerate(hits, 1)}
        for name, hits in lists.items()
    }
    bounds = {}
    if request.mode is QueryMode.HYBRID:
        least = request.similarity_threshold
        for name, scores in sides(lists, raw, request).items():
            floor = least if name == "vector" else 0.0
            counted = [score if score >= floor else 0.0 for score in scores.values()]
            bounds[name] = (min(counted, default=0.0), max(counted, default=0.0))
    results = tuple(
        _result(
            rank,
            group,
            candidates=candidates,
            ranks=ranks,
            bounds=bounds,
            move=moves.get(group[0].id),
            request=request,
            trace=trace,
        )
        for rank, group in enumerate(top, 1)
    )
    return results, len(fused), notices


def fused_order(trace: Trace, request: QueryRequest) -> list[Fused]:
    """Return the candidates as fusion ranks them, before any reranker moves them."""
    plain = request.model_copy(update={"rerank": False})
    return fuse(counted_lists(trace, request), _raw(trace, plain), plain)


def counted_lists(trace: Trace, request: QueryRequest) -> dict[str, list[tuple[int, float]]]:
    """Return (order, raw score) of the hits that count for a request, by retriever that it uses."""
    used: dict[str, list[tuple[int, float]]] = {
        name: [(hit.order, hit.score) for hit in trace.lists[name].hits]
        for name in retrievers_for(request)
        if name in trace.lists
    }
    return cut(used, request)


def _raw(trace: Trace, request: QueryRequest) -> dict[str, dict[int, float]]:
    names = (*retrievers_for(request), *(("rerank",) if request.rerank else ()))
    return {
        name: {c.order: score for c in trace.candidates if (score := getattr(c, name)) is not None}
        for name in names
    }


def _moves(
    before: Sequence[Fused],
    after: Sequence[Fused],
    scores: Mapping[int, float],
    request: QueryRequest,
) -> dict[int, Move]:
    """Return what reranking did to each of the candidates that it ordered."""
    ranks = {one.id: rank for rank, one in enumerate(after, 1)}
    return {
        one.id: Move(score=scores[one.id], before=rank, after=ranks[one.id])
        for rank, one in enumerate(before[: request.rerank_depth], 1)
        if one.id in scores
    }


def _rerank_notices(trace: Trace, request: QueryRequest, before: Sequence[Fused]) -> list[Notice]:
    reranked = trace.reranked
    if not request.rerank or reranked is None:
        return []
    notices = [*reranked.notices]
    scored = {c.order for c in trace.candidates if c.rerank is not None}
    read = scored.union(reranked.withheld)
    top = before[: request.rerank_depth]
    unread = sum(one.id not in read for one in top)
    failed = any(notice.kind == FAILED for notice in reranked.notices)
    if unread and not failed:
        notices.append(
            Notice(
                kind=UNREAD,
                message=f"rerank: {unread} of the first {len(top)} were not read by the reranker "
                "under the settings of this trace, and come after those that were; a new query "
                "has them read.",
            )
        )
    return notices


def _result(
    rank: int,
    group: Sequence[Fused],
    *,
    candidates: Mapping[int, Candidate],
    ranks: Mapping[str, Mapping[int, int]],
    bounds: Mapping[str, tuple[float, float]],
    move: Move | None,
    request: QueryRequest,
    trace: Trace,
) -> QueryResult:
    best, candidate = group[0], candidates[group[0].id]
    own = {name: orders[best.id] for name, orders in ranks.items() if best.id in orders}
    used = retrievers_for(request)
    by_graph = "graph" in used and candidate.graph is not None
    return QueryResult(
        rank=rank,
        text=candidate.text,
        source=candidate.source,
        start_line=candidate.start_line,
        end_line=candidate.end_line,
        score=best.score,
        vector_score=candidate.vector if "vector" in used else None,
        bm25_score=candidate.bm25 if "bm25" in used else None,
        graph_score=candidate.graph if "graph" in used else None,
        rerank_score=move.score if move else None,
        chunk_id=candidate.chunk_id,
        source_type=candidate.source_type,
        language=candidate.language,
        related_entities=candidate.entities if by_graph else None,
        relationship_path=path_of(candidate) if by_graph else None,
        metadata=candidate.metadata,
        collapsed=tuple(candidates[other.id].chunk_id for other in group[1:]),
        explanation=explain(Facts(candidate, best, own, bounds, request, trace, move)),
    )


def _collapsed(
    fused: Sequence[Fused], candidates: Mapping[int, Candidate], request: QueryRequest
) -> list[list[Fused]]:
    """Group candidates under the best one that they overlap, or share a source, with."""
    if request.collapse == "none":
        return [[one] for one in fused]
    groups: dict[str, list[list[Fused]]] = {}
    order: list[list[Fused]] = []
    for one in fused:
        chunk = candidates[one.id]
        for group in groups.setdefault(chunk.source, []):
            best = candidates[group[0].id]
            apart = chunk.end_line < best.start_line or chunk.start_line > best.end_line
            if request.collapse == "source" or not apart:
                group.append(one)
                break
        else:
            groups[chunk.source].append([one])
            order.append(groups[chunk.source][-1])
    return order


def _starved(dropped: int, of: int) -> Notice:
    return Notice(
        kind="starved",
        message=f"{dropped} of the top {of} were dropped by filters after retrieval; "
        "filter_stage='pre' filters first and fills them up.",
    )
