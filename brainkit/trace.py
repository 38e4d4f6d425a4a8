"""The trace: everything a view needs to draw an answer, and to fuse it again."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from brainkit.embed import Identity
from brainkit.errors import NotInTrace
from brainkit.fuse import retrievers_for
from brainkit.models import (
    Corpus,
    Notice,
    QueryMode,
    QueryRequest,
    QueryTerm,
    RankedList,
    Retriever,
    Trace,
)
from brainkit.retrieve.base import Found, Mask, Question, Rows
from brainkit.retrieve.graph import GraphFound
from brainkit.retrieve.graph.record import add_graph, graph_trace
from brainkit.settings import SHAPING
from brainkit.store.generation import Generation

REFUSABLE = {
    "mode", "top_k", "alpha", "similarity_threshold", "depth", "rrf_k", "weights", "normalize",
    "collapse", "rerank", "rerank_depth",
}  # fmt: skip
"""The settings of fusion: all that can differ between answers from one trace."""


def assemble(
    generation: Generation,
    question: Question,
    request: QueryRequest,
    found: Mapping[Retriever, Found],
    allowed: Mask | None,
    *,
    notices: Sequence[Notice],
) -> Trace:
    """Join what the retrievers found: every candidate once, with all its raw scores."""
    lists: dict[str, RankedList] = {name: one.ranked for name, one in found.items()}
    orders = sorted({hit.order for ranked in lists.values() for hit in ranked.hits})
    rows = np.array(orders, np.int64)
    records = generation.chunks.records(rows)
    for name, one in found.items():
        for record, score in zip(records, one.raw(rows).tolist(), strict=True):
            record[name] = None if math.isnan(score) else score
    if "bm25" in found:
        _add_terms(generation, question, request, rows, records)
    graph = found.get("graph")
    if isinstance(graph, GraphFound):
        add_graph(generation, graph, rows, records)
    return Trace.model_validate(  # one call validates all candidates, in half the time of one each
        {
            "generation": generation.name,
            "request": request,
            "lists": lists,
            "candidates": records,
            "terms": _query_terms(generation, question) if "bm25" in found else (),
            "total_chunks": generation.size,
            "allowed_chunks": generation.size if allowed is None else int(allowed.sum()),
            "notices": notices,
            "average_length": generation.keywords.average_length if "bm25" in found else None,
            "graph": graph_trace(graph, generation.graph, scorer=request.graph_scorer)
            if isinstance(graph, GraphFound)
            else None,
            "corpus": corpus_of(generation),
        }
    )


def corpus_of(generation: Generation) -> Corpus:
    """Say what is searched in a generation."""
    return generation.remembered("corpus", lambda: _corpus(generation))


def _corpus(generation: Generation) -> Corpus:
    meta, manifest = generation.meta, generation.manifest
    stored = meta.get("embedder")
    return Corpus(
        name=generation.folder.parent.name,
        generation=generation.name,
        created=manifest.created if manifest else "",
        chunks=generation.size,
        sources=len(generation.chunks.values_of("source")),
        embedder=str(Identity.from_dict(stored)) if stored else "none",
        settings={name: meta["settings"][name] for name in SHAPING if name in meta["settings"]},
        versions=manifest.versions if manifest else {},
    )


def _add_terms(
    generation: Generation,
    question: Question,
    request: QueryRequest,
    rows: Rows,
    records: Sequence[dict[str, Any]],
) -> None:
    """Add each candidate's contribution, count per query term and length."""
    index, terms = generation.keywords, question.terms
    for record, length in zip(records, index.lengths[rows].tolist(), strict=True):
        record.update(bm25_parts={}, term_counts={}, length=length)
    for term in dict.fromkeys(terms):
        known = index.statistics(term)
        if known is None:
            continue
        values, counts = index.postings(known.id, rows, k1=request.bm25_k1, b=request.bm25_b)
        values *= np.float32(terms.count(term))
        for at in np.flatnonzero(counts).tolist():
            records[at]["bm25_parts"][term] = float(values[at])
            records[at]["term_counts"][term] = int(counts[at])


def _query_terms(generation: Generation, question: Question) -> tuple[QueryTerm, ...]:
    terms = []
    for token in question.tokens:
        if not token.terms:
            terms.append(QueryTerm(token=token.text, dropped=token.dropped))
        for term in token.terms:
            known = generation.keywords.statistics(term)
            terms.append(
                QueryTerm(
                    token=token.text,
                    term=term,
                    documents=known.documents if known else 0,
                    idf=known.idf if known else None,
                )
            )
    return tuple(terms)


def answered_as(trace: Trace, request: QueryRequest) -> QueryRequest:
    """Return the request that is answered: graph mode that found nothing becomes vector mode."""
    graph = trace.lists.get("graph")
    return request if graph is None else fallen_back(request, found=bool(graph.hits))


def fallen_back(request: QueryRequest, *, found: bool) -> QueryRequest:
    """Return the request as answered where the graph found something, or nothing."""
    if request.mode is QueryMode.GRAPH and not found:
        return request.with_(mode=QueryMode.VECTOR)
    return request


def check_holds(trace: Trace, request: QueryRequest) -> None:
    """Raise NotInTrace, naming what is missing, unless the trace can answer the request."""
    before = trace.request
    for name in QueryRequest.model_fields:
        if name not in REFUSABLE and getattr(request, name) != getattr(before, name):
            raise NotInTrace(
                f"{name}={getattr(request, name)!r} needs a new query: the trace was made with "
                f"{getattr(before, name)!r}. Fusion can change {', '.join(sorted(REFUSABLE))}."
            )
    for name in retrievers_for(answered_as(trace, request)):
        ranked = trace.lists.get(name)
        if ranked is None:
            raise NotInTrace(
                f"the {name} retriever was not run for this trace (it has: "
                f"{', '.join(trace.lists)}); query with trace='full' to re-fuse in every mode."
            )
        if request.depth > ranked.depth == len(ranked.hits):
            raise NotInTrace(
                f"depth={request.depth}: the {name} list was fetched to {ranked.depth}; "
                "query again with the larger depth."
            )
    if request.rerank and trace.reranked is None:
        raise NotInTrace("rerank=True: no reranker was run for this trace; query with rerank=True.")
    least = before.similarity_threshold
    if (
        "vector" in retrievers_for(answered_as(trace, request))
        and request.similarity_threshold < least
    ):
        raise NotInTrace(
            f"similarity_threshold={request.similarity_threshold:g}: the vector list was cut at "
            f"{least:g}; query again with the lower threshold."
        )
