"""Words and records that all models share."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

SourceType = Literal["doc", "code", "test"]
Retriever = Literal["vector", "bm25", "graph"]
Normalize = Literal["max", "minmax", "none"]
FilterStage = Literal["pre", "post"]
GraphScorer = Literal["hops", "guided", "pagerank"]
Collapse = Literal["none", "overlap", "source"]

RETRIEVERS: tuple[Retriever, ...] = ("vector", "bm25", "graph")
"""The one order in which contributions are added up, here and in the browser."""


class QueryMode(StrEnum):
    """How a query is answered."""

    VECTOR = "vector"
    BM25 = "bm25"
    HYBRID = "hybrid"
    GRAPH = "graph"
    MULTI = "multi"


class Model(BaseModel):
    """A frozen record that refuses unknown fields and survives a JSON round trip."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Chunk(Model):
    """The unit of retrieval: whole lines of one source, with what they mean.

    ``context`` is what encloses the text but is not part of it (heading path, class line, title);
    it is indexed and embedded before the text. Lines are 1-based and inclusive.
    """

    key: int = Field(ge=1)
    order: int = Field(ge=0)
    chunk_id: str
    source: str
    text: str
    context: str = ""
    start_line: int = Field(ge=1)
    end_line: int = Field(ge=1)
    source_type: SourceType
    language: str | None = None
    metadata: Mapping[str, Any] = Field(default_factory=dict)


class Entity(Model):
    """A thing that chunks mention, under one name.

    key : canonical, of no other entity. aliases : other names, best first.
    documents : chunks that are about it or name it. degree : entities it is related to, either way.
    """

    name: str
    key: str
    kinds: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    documents: int = Field(0, ge=0)
    degree: int = Field(0, ge=0)


class Notice(Model):
    """What the reader of an answer should know; ``kind`` is stable, ``message`` is for people."""

    kind: str
    message: str


class Part(Model):
    """One summand of a score, and the arithmetic that gave it."""

    name: str
    value: float
    arithmetic: str
