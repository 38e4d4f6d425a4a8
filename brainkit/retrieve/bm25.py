"""BM25 retriever: chunks that hold the query's terms."""

from __future__ import annotations

import numpy as np

from brainkit.models import QueryRequest
from brainkit.retrieve.base import Found, Mask, Question, nothing_allowed, ranked_list
from brainkit.store.generation import Generation
from brainkit.store.ranking import best_rows


def retrieve(
    question: Question, generation: Generation, request: QueryRequest, allowed: Mask | None
) -> Found:
    """Rank chunks by BM25, with the request's k1 and b.

    score = sum over query terms of idf * f * (k1 + 1) / (f + k1 * (1 - b + b * |D| / avgdl)), where
    idf = ln(1 + (N - n + 0.5) / (n + 0.5)). Only chunks that hold a term of the query are hits. A
    term that the query repeats counts each time. Source: Robertson and Zaragoza, 2009; the seed.
    """
    reason = nothing_allowed(generation, allowed)
    index = generation.keywords
    known = [(t, s.id) for t in question.terms if (s := index.statistics(t)) is not None]
    scores = index.scores([id_ for _, id_ in known], k1=request.bm25_k1, b=request.bm25_b)
    hits = scores > 0.0 if allowed is None else (scores > 0.0) & allowed
    rows = np.flatnonzero(hits)
    found = best_rows(rows, scores[rows], request.depth)
    ranked = ranked_list(
        "bm25",
        *found,
        generation,
        depth=request.depth,
        reason=reason or _why_empty(question, found_terms=[term for term, _ in known]),
    )
    return Found(ranked, lambda rows: scores[rows])


def _why_empty(question: Question, *, found_terms: list[str]) -> str:
    if not question.terms:
        dropped = ", ".join(f"{t.text!r} ({t.dropped})" for t in question.tokens[:8])
        return "the query has no word to look for" + (f": {dropped}" if dropped else "")
    if not found_terms:
        return f"no chunk holds any of: {', '.join(dict.fromkeys(question.terms))}"
    return f"no chunk that the filters leave holds any of: {', '.join(dict.fromkeys(found_terms))}"
