"""A question and every setting of its answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Self

from pydantic import BeforeValidator, Field, field_validator, model_validator

from brainkit import settings
from brainkit.errors import nearest
from brainkit.models.base import (
    Collapse,
    FilterStage,
    GraphScorer,
    Model,
    Normalize,
    QueryMode,
)
from brainkit.models.complaints import clear_errors


class Weights(Model):
    """Weight of each retriever's vote in multi mode; 0 leaves that retriever out.

    The graph's counts as much as those of vector and bm25 together, which both judge the text: else
    they outvote it wherever they agree.
    """

    vector: float = Field(1.0, ge=0)
    bm25: float = Field(1.0, ge=0)
    graph: float = Field(settings.GRAPH_WEIGHT, ge=0)

    @model_validator(mode="after")
    def _one_counts(self) -> Self:
        if self.vector == self.bm25 == self.graph == 0:
            raise ValueError("all weights are 0; give at least one retriever a weight above 0")
        return self


def _as_list(value: object) -> object:
    return [value] if isinstance(value, str) else value


Words = Annotated[tuple[str, ...] | None, BeforeValidator(_as_list)]
Unit = Annotated[float, Field(ge=0, le=1)]


class QueryRequest(Model):
    """One question and every setting of its answer.

    query : 1 to 1,000 characters after trimming.
    mode : vector, bm25, hybrid (default), graph or multi.
    top_k : results returned, 1 to 50. It never changes their order.
    alpha : weight of the vector side in hybrid mode, 0 (only keywords) to 1 (only vectors).
    similarity_threshold : least cosine similarity of a vector hit, 0 to 1; other scores ignore it.
    source_types, languages, file_paths : filters; ``None`` means all. Paths are gitignore globs.
    depth : hits fetched per retriever, top_k to 1,000. Deeper finds more agreement, and is slower.
    rrf_k : 1 or more. Larger flattens the lead of top ranks in multi mode: agreement counts more.
    weights : a weight for each retriever in multi mode.
    normalize : how each side's scores are brought to 0-1 before the blend: max, minmax or none.
    bm25_k1, bm25_b : of the BM25 formula. A larger k1 lets repeats of a term count for longer; a
        larger b, 0 to 1, takes more from long chunks.
    traversal_depth, entity_types, relationship_types : how far and along what graph mode walks.
    graph_scorer : ``hops`` halves with every hop; ``guided`` chooses among relations by the query,
        which it embeds; ``pagerank`` shares a walk's weight by how many paths lead somewhere.
    filter_stage : ``pre`` filters before retrieval; ``post`` cuts to top_k first, as the seed did.
    collapse : ``overlap`` folds chunks that share lines, ``source`` keeps the best of each source.
    rerank : re-order the first ``rerank_depth`` of the fused ranking by the brain's reranker.
    rerank_depth : 1 to 1,000. Each is a text that the reranker reads: deeper is better and slower.

    Raises InvalidRequest naming the field, the value, what is allowed and the nearest valid word.

    >>> QueryRequest(query=" how are sessions signed? ").query
    'how are sessions signed?'
    """

    query: str
    mode: QueryMode = QueryMode.HYBRID
    top_k: int = Field(settings.TOP_K, ge=1, le=settings.TOP_K_MAX)
    alpha: Unit = settings.ALPHA
    similarity_threshold: Unit = settings.SIMILARITY_THRESHOLD
    source_types: Words = None
    languages: Words = None
    file_paths: Words = None
    depth: int = Field(settings.DEPTH, ge=1, le=settings.DEPTH_MAX)
    rrf_k: float = Field(settings.RRF_K, ge=1)
    weights: Weights = Weights()
    normalize: Normalize = "max"
    bm25_k1: float = Field(settings.BM25_K1, ge=0)
    bm25_b: Unit = settings.BM25_B
    traversal_depth: int = Field(settings.TRAVERSAL_DEPTH, ge=0, le=settings.TRAVERSAL_DEPTH_MAX)
    entity_types: Words = None
    relationship_types: Words = None
    graph_scorer: GraphScorer = "guided"
    filter_stage: FilterStage = "pre"
    collapse: Collapse = "none"
    rerank: bool = False
    rerank_depth: int = Field(settings.RERANK_DEPTH, ge=1, le=settings.DEPTH_MAX)

    def __init__(self, **given: Any) -> None:
        with clear_errors(type(self), given):
            super().__init__(**given)

    @classmethod
    def model_validate(cls, obj: Any, **options: Any) -> Self:
        """As pydantic's, raising InvalidRequest."""
        with clear_errors(cls, obj if isinstance(obj, Mapping) else {}):
            return super().model_validate(obj, **options)

    @classmethod
    def model_validate_json(cls, json_data: str | bytes | bytearray, **options: Any) -> Self:
        """As pydantic's, raising InvalidRequest."""
        with clear_errors(cls, {}):
            return super().model_validate_json(json_data, **options)

    def with_(self, **changes: Any) -> QueryRequest:
        """Return the request with some fields changed, validated again."""
        return QueryRequest(**{**dict(self), **changes})

    @field_validator("query")
    @classmethod
    def _trimmed(cls, query: str) -> str:
        query = query.encode("utf-8", "replace").decode("utf-8").strip()
        if not query:
            raise ValueError("the query is empty; give 1 to 1000 characters")
        if len(query) > settings.QUERY_CHARS_MAX:
            raise ValueError(
                f"the query has {len(query)} characters; allowed are 1 to "
                f"{settings.QUERY_CHARS_MAX}, so shorten it"
            )
        return query

    @field_validator("source_types")
    @classmethod
    def _known_types(cls, types: tuple[str, ...] | None) -> tuple[str, ...] | None:
        for word in types or ():
            if word not in ("doc", "code", "test"):
                known = ("doc", "code", "test")
                raise ValueError(f"{word!r} is not one of doc, code, test{nearest(word, known)}")
        return types

    @field_validator("source_types", "languages", "file_paths")
    @classmethod
    def _some(cls, words: tuple[str, ...] | None) -> tuple[str, ...] | None:
        if words is not None and not words:
            raise ValueError("an empty list would match nothing; leave it out to match everything")
        return words

    @model_validator(mode="after")
    def _deep_enough(self) -> Self:
        if self.depth < self.top_k:
            if "depth" in self.model_fields_set:
                raise ValueError(
                    f"depth={self.depth} is less than top_k={self.top_k}; "
                    f"choose {self.top_k} to {settings.DEPTH_MAX}"
                )
            object.__setattr__(self, "depth", self.top_k)
        return self
