"""The query flow: request -> filters -> retrievers -> trace -> fuse -> rerank -> response."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from brainkit.filters import PathFilter, check_languages, is_filtered, unused_paths
from brainkit.fuse import retrievers_for
from brainkit.models import (
    RETRIEVERS,
    Notice,
    QueryMode,
    QueryRequest,
    QueryResponse,
    Retriever,
    Trace,
)
from brainkit.rerank import Reranker
from brainkit.rerank.stage import Withheld, by_default, judged
from brainkit.results import counted_lists, fused_order, results_of
from brainkit.retrieve import bm25, graph, vector
from brainkit.retrieve.base import Found, Mask, Question, Retrieve
from brainkit.store.generation import Generation
from brainkit.trace import answered_as, assemble, check_holds

RETRIEVE: dict[Retriever, Retrieve] = {
    "vector": vector.retrieve,
    "bm25": bm25.retrieve,
    "graph": graph.retrieve,
}


def search(
    generation: Generation,
    question: Question,
    request: QueryRequest,
    *,
    full: bool = False,
    reranker: Callable[[], tuple[Reranker, Withheld]] = by_default,
) -> QueryResponse:
    """Answer a request from one generation.

    full : run every retriever, so that the trace can be fused again in every mode.
    reranker : asked for only where the request reranks; with what it must not be shown.
    Raises FilterError for an unknown language, relation type or entity type, RerankerUnavailable.
    """
    clock = Clock()
    with clock("filter"):
        allowed, told = _allowed(generation, request)
        notices = list(told)
    found: dict[Retriever, Found] = {}
    for name in _wanted(request, full):
        with clock(name, question):
            found[name] = RETRIEVE[name](question, generation, request, allowed)
    if request.mode is QueryMode.GRAPH and not found["graph"].ranked.hits and not full:
        with clock("vector", question):
            found["vector"] = vector.retrieve(question, generation, request, allowed)
    notices += generation.notices
    with clock("fetch"):
        trace = assemble(generation, question, request, found, allowed, notices=notices)
    if request.rerank:
        with clock("rerank"):
            trace = _reranked(trace, request, *reranker())
    return _answered(trace, request, clock)


def refuse(trace: Trace, request: QueryRequest) -> QueryResponse:
    """Answer a request again from what a trace recorded, without asking the stores.

    Equal to a new query with the same settings on the same generation, but that a reranker reads
    nothing more: a notice says how many of the best it has not read. Raises NotInTrace, naming
    what is missing, if the trace does not hold enough.
    """
    clock = Clock()
    check_holds(trace, request)
    return _answered(trace, request, clock)


def _answered(trace: Trace, request: QueryRequest, clock: Clock) -> QueryResponse:
    answered = answered_as(trace, request)
    with clock("fuse"):
        results, candidates, notices = results_of(trace, answered)
    fell_back = answered.mode is not request.mode
    told = [*trace.notices]
    if trace.graph and "graph" in retrievers_for(request):
        told += trace.graph.notices
    if fell_back:
        message = f"graph: {trace.lists['graph'].reason}; vector search answered instead."
        told.append(Notice(kind="fallback", message=message))
    return QueryResponse(
        request=request,
        results=results,
        query_time_ms=clock.total_ms,
        total_results=len(results),
        candidates=candidates,
        timings_ms=clock.by_stage,
        notices=(*told, *_empty_lists(trace, answered), *notices),
        fallback="vector" if fell_back else None,
        trace=trace,
    )


def _reranked(trace: Trace, request: QueryRequest, reranker: Reranker, withheld: Withheld) -> Trace:
    """Return the trace with the reranker's scores of the best fused candidates."""
    candidates = {candidate.order: candidate for candidate in trace.candidates}
    best = fused_order(trace, answered_as(trace, request))[: request.rerank_depth]
    scores, record = judged(
        request.query,
        [candidates[one.id] for one in best],
        reranker,
        depth=request.rerank_depth,
        withheld=withheld,
    )
    scored = tuple(
        one.model_copy(update={"rerank": scores[order]}) if order in scores else one
        for order, one in candidates.items()
    )
    return trace.model_copy(update={"candidates": scored, "reranked": record})


class Clock:
    """Milliseconds per named stage."""

    def __init__(self) -> None:
        self._start = time.perf_counter()
        self.by_stage: dict[str, float] = {}

    @contextmanager
    def __call__(self, stage: str, question: Question | None = None) -> Iterator[None]:
        """Time a stage; embedding the question in it is counted apart, as ``embed``."""
        embedded = question.embed_ms if question else 0.0
        start = time.perf_counter()
        try:
            yield
        finally:
            spent = (time.perf_counter() - start) * 1000
            embedding = question.embed_ms - embedded if question else 0.0
            self.by_stage[stage] = max(0.0, spent - embedding)
            if embedding:
                self.by_stage["embed"] = embedding

    @property
    def total_ms(self) -> float:
        """Milliseconds since the clock was made."""
        return (time.perf_counter() - self._start) * 1000


def _allowed(generation: Generation, request: QueryRequest) -> tuple[Mask | None, list[Notice]]:
    if not is_filtered(request):
        return None, []
    asked = (request.source_types, request.languages, request.file_paths, request.filter_stage)
    return generation.remembered(asked, lambda: _resolved(generation, request))


def _resolved(generation: Generation, request: QueryRequest) -> tuple[Mask | None, list[Notice]]:
    store = generation.chunks
    if request.languages:
        check_languages(request, store.values_of("language"))
    sources, notices = None, []
    if request.file_paths:
        paths, known = PathFilter(request.file_paths), list(store.values_of("source"))
        sources = [source for source in known if paths.keeps(source)]
        notices = unused_paths(paths, known)
    if request.filter_stage == "post":
        return None, notices
    mask = store.rows_where(
        source_types=request.source_types, languages=request.languages, sources=sources
    )
    return mask, notices


def _wanted(request: QueryRequest, full: bool) -> tuple[Retriever, ...]:
    return RETRIEVERS if full else retrievers_for(request)


def _empty_lists(trace: Trace, request: QueryRequest) -> list[Notice]:
    empty = [name for name, hits in counted_lists(trace, request).items() if not hits]
    notices = []
    for name in empty:
        reason = trace.lists[name].reason
        if reason in (None, vector.too_dissimilar(trace.request)):  # the threshold may be new
            reason = vector.too_dissimilar(request)
        notices.append(Notice(kind=f"empty-{name}", message=f"{name}: {reason}."))
    return notices
