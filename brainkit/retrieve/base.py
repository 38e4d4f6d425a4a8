"""What every retriever is given and gives back."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from brainkit.analyze import Analyzer, Token
from brainkit.embed import Embedder
from brainkit.embed.batching import query_vector
from brainkit.embed.vectors import unit_rows
from brainkit.errors import EmbedderFailed
from brainkit.models import Hit, QueryRequest, RankedList, Retriever
from brainkit.store.generation import Generation

Rows = NDArray[np.int64]
Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]

_HIT = tuple(Hit.model_fields)


class Question:
    """A query text with its tokens and its vector, each made once and only when asked for."""

    def __init__(self, text: str, *, analyzer: Analyzer, embedder: Callable[[], Embedder]) -> None:
        self.text = text
        self.embed_ms = 0.0
        self.no_vector: str | None = None
        self.analyzer = analyzer
        self._embedder = embedder
        self._making = threading.Lock()
        self._tokens: list[Token] | None = None
        self._vector: Floats | None = None

    @property
    def tokens(self) -> list[Token]:
        """The tokens of the query, with the terms they became or why they were dropped."""
        with self._making:
            if self._tokens is None:
                self._tokens = self.analyzer.analyze(self.text)
            return self._tokens

    @property
    def terms(self) -> list[str]:
        """The terms of the query in their order, repeated ones repeated."""
        return [term for token in self.tokens for term in token.terms]

    @property
    def vector(self) -> Floats | None:
        """The unit query vector, shape (dim,); None, with ``no_vector`` saying why, if unusable."""
        with self._making:
            if self._vector is None and self.no_vector is None:
                start = time.perf_counter()
                try:
                    embedder = self._embedder()
                    vector = query_vector(embedder, self.text)
                    if not embedder.identity.normalized:
                        vector = unit_rows(vector[np.newaxis])[0]
                    self._vector = vector
                except EmbedderFailed as error:
                    self.no_vector = str(error)
                self.embed_ms = (time.perf_counter() - start) * 1000
            return self._vector


@dataclass(frozen=True)
class Found:
    """A ranked list, and a way to score any other chunk just as the list was scored.

    raw : rows (n,) -> scores (n,), the retriever's raw score of each row; NaN where it has none.
    """

    ranked: RankedList
    raw: Callable[[Rows], Floats]


class Retrieve(Protocol):
    """A retriever: at most ``request.depth`` hits with evidence, ties in tie order, no duplicates.

    allowed : mask (n,) of the chunks that the filters leave, or None for all.
    An empty list says why.
    """

    def __call__(
        self,
        question: Question,
        generation: Generation,
        request: QueryRequest,
        allowed: Mask | None,
    ) -> Found: ...


def ranked_list(
    retriever: Retriever,
    rows: Rows,
    scores: Floats,
    generation: Generation,
    *,
    depth: int,
    reason: str | None,
) -> RankedList:
    """Wrap ordered rows and scores as a ranked list; ``reason`` is kept only if it is empty."""
    keys = generation.chunks.keys
    columns = (keys[rows].tolist(), rows.tolist(), range(1, len(rows) + 1), scores.tolist())
    hits = [dict(zip(_HIT, values, strict=True)) for values in zip(*columns, strict=True)]
    return RankedList.model_validate(  # one call validates all hits, in half the time of one each
        {"retriever": retriever, "depth": depth, "hits": hits, "reason": None if hits else reason}
    )


def nothing_allowed(generation: Generation, allowed: Mask | None) -> str | None:
    """Return why no retriever can find anything, or None if there are chunks to search."""
    if generation.size == 0:
        return "the brain has no chunks yet; ingest a folder first"
    if allowed is not None and not allowed.any():
        return "the filters leave no chunk to search"
    return None
