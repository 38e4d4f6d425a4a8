"""Results, why they are where they are, and the response that holds them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field

from brainkit.models.base import Model, Notice, Part, QueryMode, SourceType
from brainkit.models.request import QueryRequest
from brainkit.models.trace import Trace


class Move(Model):
    """What a reranker did to a candidate: its score, and the ranks it moved from and to.

    score : as the reranker gives it; the local one's is a logit, of no fixed range.
    before, after : ranks from 1 among all fused candidates, before ``collapse``.
    """

    score: float
    before: int = Field(ge=1)
    after: int = Field(ge=1)


class Explanation(Model):
    """Why a result is where it is: parts that sum to its score, and one sentence.

    move : where the reranker put it; None if it was not reranked.
    """

    mode: QueryMode
    score: float
    parts: tuple[Part, ...] = ()
    sentence: str = ""
    move: Move | None = None


class QueryResult(Model):
    """One chunk of the answer. A component score is None when it was not computed.

    score : of the fusion, also where the reranker's ``rerank_score`` decided about the order.
    """

    rank: int = Field(ge=1)
    text: str
    source: str
    start_line: int
    end_line: int
    score: float
    vector_score: float | None = None
    bm25_score: float | None = None
    graph_score: float | None = None
    rerank_score: float | None = None
    chunk_id: str
    source_type: SourceType
    language: str | None = None
    related_entities: tuple[str, ...] | None = None
    relationship_path: tuple[str, ...] | None = None
    metadata: Mapping[str, Any] = Field(default_factory=dict)
    collapsed: tuple[str, ...] = ()
    explanation: Explanation


class QueryResponse(Model):
    """The results of one query, best first, and how they came about.

    fallback : ``vector`` where graph mode found nothing and vector search answered instead.
    """

    request: QueryRequest
    results: tuple[QueryResult, ...] = ()
    query_time_ms: float
    total_results: int
    candidates: int = 0
    timings_ms: Mapping[str, float] = Field(default_factory=dict)
    notices: tuple[Notice, ...] = ()
    fallback: Literal["vector"] | None = None
    trace: Trace
