"""A trace as the JSON that the browser fuses: the same numbers, and texts within a bound."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from brainkit.analyze import Analyzer, highlight_spans
from brainkit.filters import PathFilter, is_filtered, passes
from brainkit.models import Candidate, RankedList, Trace

NOTEBOOK_CHARS = 200_000
"""Characters of text that an output carries whole; a notebook of a hundred answers stays usable."""
EXCERPT_CHARS = 300
"""What is left of a text beyond that."""


Json = dict[str, Any]


def compact_trace(
    trace: Trace,
    analyzer: Analyzer,
    *,
    whole: Collection[str] = (),
    whole_chars: int = NOTEBOOK_CHARS,
) -> Json:
    """Return a trace as plain JSON for the browser (``Trace`` in ``js/types.js``).

    whole : chunk_ids whose texts are never cut, such as those of the results.
    whole_chars : other texts are whole, those of the best ranks first, until all add up to this;
        beyond, they are cut to 300 characters. 0 for reports.
    Numbers are not rounded: the browser must find the very same scores.
    """
    request = trace.request
    terms = {term.term for term in trace.terms if term.term}
    kept = _kept(trace, whole, whole_chars)
    paths = PathFilter(request.file_paths) if request.file_paths else None
    late = request.filter_stage == "post" and is_filtered(request)
    return {
        "generation": trace.generation,
        "request": request.model_dump(mode="json"),
        "lists": {name: _ranked(ranked) for name, ranked in trace.lists.items()},
        "candidates": [
            _candidate(
                candidate,
                text=candidate.text if candidate.order in kept else candidate.text[:EXCERPT_CHARS],
                terms=terms,
                analyzer=analyzer,
                passing=not late or passes(candidate, request, paths),
            )
            for candidate in trace.candidates
        ],
        "terms": [term.model_dump() for term in trace.terms],
        "total_chunks": trace.total_chunks,
        "allowed_chunks": trace.allowed_chunks,
        "average_length": trace.average_length,
        "k1": trace.request.bm25_k1,
        "b": trace.request.bm25_b,
        "graph": None if trace.graph is None else trace.graph.model_dump(mode="json"),
        "reranked": None if trace.reranked is None else trace.reranked.model_dump(mode="json"),
        "notices": [notice.model_dump() for notice in trace.notices],
        "corpus": None if trace.corpus is None else trace.corpus.model_dump(mode="json"),
    }


def _ranked(ranked: RankedList) -> Json:
    hits = [[hit.order, hit.score] for hit in ranked.hits]
    return {"depth": ranked.depth, "hits": hits, "reason": ranked.reason}


def _kept(trace: Trace, whole: Collection[str], whole_chars: int) -> set[int]:
    """The candidates whose text is not cut, by order."""
    best: dict[int, float] = {}
    for ranked in trace.lists.values():
        for hit in ranked.hits:
            best[hit.order] = min(best.get(hit.order, math.inf), hit.rank)
    kept = {c.order for c in trace.candidates if c.chunk_id in whole}
    used = sum(len(c.text) for c in trace.candidates if c.order in kept)
    for candidate in sorted(trace.candidates, key=lambda c: (best.get(c.order, math.inf), c.order)):
        if candidate.order not in kept:
            used += len(candidate.text)
            if used > whole_chars:
                break
            kept.add(candidate.order)
    return kept


def _candidate(
    candidate: Candidate, *, text: str, terms: set[str], analyzer: Analyzer, passing: bool
) -> Json:
    counts = candidate.term_counts
    return {
        "order": candidate.order,
        "chunk_id": candidate.chunk_id,
        "source": candidate.source,
        "start_line": candidate.start_line,
        "end_line": candidate.end_line,
        "source_type": candidate.source_type,
        "language": candidate.language,
        "text": text,
        "chars": len(candidate.text),
        "about": about(candidate.metadata),
        "marks": utf16(text, highlight_spans(analyzer, text, terms)) if counts else [],
        "vector": candidate.vector,
        "bm25": candidate.bm25,
        "graph": candidate.graph,
        "terms": [[t, value, counts.get(t, 0)] for t, value in candidate.bm25_parts.items()],
        "length": candidate.length,
        "graph_parts": [[p.name, p.value, p.arithmetic] for p in candidate.graph_parts],
        "entities": list(candidate.entities),
        "path": [[s.subject, s.predicate, s.object, s.forward] for s in candidate.path],
        "passes": passing,
        "rerank": candidate.rerank,
    }


def about(metadata: Mapping[str, Any]) -> str:
    """Return what a chunk is, beside its place: its symbol, or where in a document it stands."""
    if symbol := metadata.get("symbol_name"):
        return f"{metadata.get('symbol_kind', '')} {symbol}".strip()
    parts = [str(heading) for heading in metadata.get("heading_path") or ()]
    if not parts and "title" in metadata:
        parts = [str(metadata["title"])]
    if "page" in metadata:
        parts.append(f"page {metadata['page']}")
    return " › ".join(parts)


def utf16(text: str, spans: Iterable[tuple[int, int]]) -> list[int]:
    """Return spans of characters as flat offsets in UTF-16, which is how JavaScript counts.

    >>> utf16("a🧠 b", [(1, 2), (3, 4)])
    [1, 3, 4, 5]
    """
    flat = [offset for span in spans for offset in span]
    if not flat or max(text) < "\U00010000":
        return flat
    places, units = [0], 0
    for char in text:
        units += 2 if char >= "\U00010000" else 1
        places.append(units)
    return [places[offset] for offset in flat]
