"""Plain data: what is stored, asked, found and answered. No database, index or UI library here."""

from __future__ import annotations

from brainkit.models.base import (
    RETRIEVERS,
    Chunk,
    Collapse,
    Entity,
    FilterStage,
    GraphScorer,
    Model,
    Normalize,
    Notice,
    Part,
    QueryMode,
    Retriever,
    SourceType,
)
from brainkit.models.graph import (
    GraphEdge,
    GraphEntity,
    GraphLink,
    GraphStep,
    GraphTrace,
)
from brainkit.models.request import (
    QueryRequest,
    Unit,
    Weights,
    Words,
)
from brainkit.models.response import (
    Explanation,
    Move,
    QueryResponse,
    QueryResult,
)
from brainkit.models.trace import (
    Candidate,
    Corpus,
    Hit,
    QueryTerm,
    RankedList,
    Reranked,
    Trace,
)

__all__ = [
    "RETRIEVERS",
    "Candidate",
    "Chunk",
    "Collapse",
    "Corpus",
    "Entity",
    "Explanation",
    "FilterStage",
    "GraphEdge",
    "GraphEntity",
    "GraphLink",
    "GraphScorer",
    "GraphStep",
    "GraphTrace",
    "Hit",
    "Model",
    "Move",
    "Normalize",
    "Notice",
    "Part",
    "QueryMode",
    "QueryRequest",
    "QueryResponse",
    "QueryResult",
    "QueryTerm",
    "RankedList",
    "Reranked",
    "Retriever",
    "SourceType",
    "Trace",
    "Unit",
    "Weights",
    "Words",
]
