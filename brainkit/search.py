"""The query flow: request -> filters -> retrievers -> trace -> fuse -> results -> response."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from brainkit.errors import NoGraph
from brainkit.filters import PathFilter, check_languages, is_filtered, unused_paths
from brainkit.fuse import retrievers_for
from brainkit.models import RETRIEVERS, Notice, QueryRequest, QueryResponse, Trace
from brainkit.results import counted_lists, results_of
from brainkit.retrieve import bm25, vector
from brainkit.retrieve.base import Found, Mask, Question, Retrieve
from brainkit.store.generation import Generation
from brainkit.trace import NO_GRAPH, assemble, check_holds

_NO_RERANKER = Notice(
    kind="no-reranker",
    message="rerank: this version has no reranker; the results are in fused order.",
)
RETRIEVE: dict[str, Retrieve] = {"vector": vector.retrieve, "bm25": bm25.retrieve}


def search(
    generation: Generation, question: Question, request: QueryRequest, *, full: bool = False
) -> QueryResponse:
    """Answer a request from one generation.

    full : run every retriever, so that the trace can be fused again in every mode.
    Raises FilterError for an unknown language, NoGraph if only a graph could answer.
    """
    clock = Clock()
    with clock("filter"):
        allowed, told = _allowed(generation, request)
        notices = list(told)
    found: dict[str, Found] = {}
    for name in _wanted(request, full):
        with clock(name):
            found[name] = RETRIEVE[name](question, generation, request, allowed)
    if request.rerank:
        notices.append(_NO_RERANKER)
    notices += generation.notices
    with clock("fetch"):
        trace = assemble(generation, question, request, found, allowed, notices=notices)
    return _answered(trace, request, clock, embed_ms=question.embed_ms)


def refuse(trace: Trace, request: QueryRequest) -> QueryResponse:
    """Answer a request again from what a trace recorded, without asking the stores.

    Equal to a new query with the same settings on the same generation. Raises NotInTrace, naming
    what is missing, if the trace does not hold enough.
    """
    clock = Clock()
    check_holds(trace, request)
    return _answered(trace, request, clock)


def _answered(
    trace: Trace, request: QueryRequest, clock: Clock, *, embed_ms: float = 0.0
) -> QueryResponse:
    with clock("fuse"):
        results, candidates, notices = results_of(trace, request)
    return QueryResponse(
        request=request,
        results=results,
        query_time_ms=clock.total_ms,
        total_results=len(results),
        candidates=candidates,
        timings_ms=clock.by_stage(embed_ms),
        notices=(*trace.notices, *_empty_lists(trace, request), *notices),
        trace=trace,
    )


class Clock:
    """Milliseconds per named stage."""

    def __init__(self) -> None:
        self._start = time.perf_counter()
        self._stages: dict[str, float] = {}

    @contextmanager
    def __call__(self, stage: str) -> Iterator[None]:
        start = time.perf_counter()
        try:
            yield
        finally:
            self._stages[stage] = (time.perf_counter() - start) * 1000

    @property
    def total_ms(self) -> float:
        """Milliseconds since the clock was made."""
        return (time.perf_counter() - self._start) * 1000

    def by_stage(self, embed_ms: float = 0.0) -> dict[str, float]:
        """Return stage -> ms; embedding the query is counted apart from the vector search."""
        stages = dict(self._stages)
        if embed_ms and "vector" in stages:
            stages["vector"] = max(0.0, stages["vector"] - embed_ms)
            stages["embed"] = embed_ms
        return stages


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


def _wanted(request: QueryRequest, full: bool) -> tuple[str, ...]:
    needed = retrievers_for(request)
    if not any(name in RETRIEVE for name in needed):
        raise NoGraph(
            f"mode={request.mode.value!r} needs a graph, and {NO_GRAPH}; "
            "use vector, bm25, hybrid or multi."
        )
    return tuple(name for name in (RETRIEVERS if full else needed) if name in RETRIEVE)


def _empty_lists(trace: Trace, request: QueryRequest) -> list[Notice]:
    empty = [name for name, hits in counted_lists(trace, request).items() if not hits]
    notices = []
    for name in empty:
        reason = trace.lists[name].reason
        if reason in (None, vector.too_dissimilar(trace.request)):  # the threshold may be new
            reason = vector.too_dissimilar(request)
        notices.append(Notice(kind=f"empty-{name}", message=f"{name}: {reason}."))
    return notices
