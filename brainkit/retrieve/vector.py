"""Vector retriever: chunks whose embedding points where the query's does."""

from __future__ import annotations

import numpy as np

from brainkit.models import QueryRequest
from brainkit.retrieve.base import Floats, Found, Mask, Question, Rows, nothing_allowed, ranked_list
from brainkit.store.generation import Generation


def retrieve(
    question: Question, generation: Generation, request: QueryRequest, allowed: Mask | None
) -> Found:
    """Rank chunks by cosine similarity: 1 - cosine distance, from -1 to 1, as float32.

    A hit needs a similarity above 0 and at least ``similarity_threshold``.
    """
    reason = nothing_allowed(generation, allowed)
    index = None if reason else generation.vectors
    if index is not None and index.dim == 0:
        reason, index = "no chunk of this brain has a vector", None
    vector = None if index is None else question.vector
    if index is None or vector is None:
        reason = reason or question.no_vector or "no vector"
        empty = np.empty(0, np.int64), np.empty(0, np.float32)
        ranked = ranked_list("vector", *empty, generation, depth=request.depth, reason=reason)
        return Found(ranked, lambda rows: np.full(len(rows), np.nan, np.float32))
    found = index.search(
        vector, depth=request.depth, least=request.similarity_threshold, allowed=allowed
    )

    def raw(rows: Rows) -> Floats:
        similar = index.similarities(vector, rows)
        zero = np.flatnonzero(similar == 0.0)  # only there can it be that there is no vector
        similar[zero[~index.present(rows[zero])]] = np.nan
        return similar

    why = too_dissimilar(request)
    return Found(ranked_list("vector", *found, generation, depth=request.depth, reason=why), raw)


def too_dissimilar(request: QueryRequest) -> str:
    """Return why no chunk is similar enough for the request."""
    least = request.similarity_threshold
    return "no chunk has a similarity above 0" + (f" and at least {least:g}" if least else "")
