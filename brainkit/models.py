"""Plain data: what is stored, asked, found and answered. No database, index or UI library here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from enum import StrEnum
from typing import Annotated, Any, Literal, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    field_validator,
    model_validator,
)

from brainkit import settings
from brainkit.errors import InvalidRequest, nearest

SourceType = Literal["doc", "code", "test"]
Retriever = Literal["vector", "bm25", "graph"]
Normalize = Literal["max", "minmax", "none"]
FilterStage = Literal["pre", "post"]
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
    """A thing that chunks mention, under one name."""

    name: str
    kinds: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()


class Relation(Model):
    """A typed, directed link between two entities and the chunks that support it."""

    subject: str
    predicate: str
    object: str
    chunk_ids: tuple[str, ...] = ()


class Weights(Model):
    """Weight of each retriever's vote in multi mode; 0 leaves that retriever out."""

    vector: float = Field(1.0, ge=0)
    bm25: float = Field(1.0, ge=0)
    graph: float = Field(1.0, ge=0)

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
    traversal_depth, entity_types, relationship_types : how far and along what graph mode walks.
    filter_stage : ``pre`` filters before retrieval; ``post`` cuts to top_k first, as the seed did.
    collapse : ``overlap`` folds chunks that share lines, ``source`` keeps the best of each source.
    rerank : re-order the candidates with a cross-encoder (not in this version: a notice says so).

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
    traversal_depth: int = Field(settings.TRAVERSAL_DEPTH, ge=0, le=settings.TRAVERSAL_DEPTH_MAX)
    entity_types: Words = None
    relationship_types: Words = None
    filter_stage: FilterStage = "pre"
    collapse: Collapse = "none"
    rerank: bool = False

    def __init__(self, **given: Any) -> None:
        with _clear_errors(type(self), given):
            super().__init__(**given)

    @classmethod
    def model_validate(cls, obj: Any, **options: Any) -> Self:
        """As pydantic's, raising InvalidRequest."""
        with _clear_errors(cls, obj if isinstance(obj, Mapping) else {}):
            return super().model_validate(obj, **options)

    @classmethod
    def model_validate_json(cls, json_data: str | bytes | bytearray, **options: Any) -> Self:
        """As pydantic's, raising InvalidRequest."""
        with _clear_errors(cls, {}):
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


class Hit(Model):
    """One entry of a ranked list; ``rank`` counts from 1."""

    key: int
    order: int
    rank: int = Field(ge=1)
    score: float


class RankedList(Model):
    """What one retriever found, best first; ``reason`` says why when it found nothing."""

    retriever: Retriever
    depth: int
    hits: tuple[Hit, ...] = ()
    reason: str | None = None


class QueryTerm(Model):
    """One token of the query: the term it became, or why it was dropped.

    ``documents`` is the number of chunks that hold the term, ``idf`` its weight in BM25.
    """

    token: str
    term: str | None = None
    dropped: str | None = None
    documents: int | None = None
    idf: float | None = None


class Candidate(Chunk):
    """A chunk that some retriever listed, with every raw score that was computed for it.

    ``bm25_parts`` are the contributions of the query's terms, which sum to ``bm25``;
    ``term_counts`` how often the chunk holds each; ``length`` its number of terms.
    """

    vector: float | None = None
    bm25: float | None = None
    graph: float | None = None
    bm25_parts: Mapping[str, float] = Field(default_factory=dict)
    term_counts: Mapping[str, int] = Field(default_factory=dict)
    length: int | None = None


class Notice(Model):
    """What the reader of an answer should know; ``kind`` is stable, ``message`` is for people."""

    kind: str
    message: str


class Trace(Model):
    """Everything a view needs to redraw an answer under other settings.

    ``candidates`` are in tie order (ascending ``order``); ``lists`` hold what each retriever found.
    ``total_chunks`` is the size of the corpus, ``allowed_chunks`` what the filters left of it,
    ``average_length`` the mean number of terms per chunk in BM25, ``notices`` what the reader
    should know whatever the fusion.
    """

    generation: str
    request: QueryRequest
    lists: Mapping[str, RankedList] = Field(default_factory=dict)
    candidates: tuple[Candidate, ...] = ()
    terms: tuple[QueryTerm, ...] = ()
    total_chunks: int = 0
    allowed_chunks: int = 0
    average_length: float | None = None
    notices: tuple[Notice, ...] = ()


class Part(Model):
    """One summand of a score, and the arithmetic that gave it."""

    name: str
    value: float
    arithmetic: str


class Explanation(Model):
    """Why a result is where it is: parts that sum to its score, and one sentence."""

    mode: QueryMode
    score: float
    parts: tuple[Part, ...] = ()
    sentence: str = ""


class QueryResult(Model):
    """One chunk of the answer. A component score is None when it was not computed."""

    rank: int = Field(ge=1)
    text: str
    source: str
    start_line: int
    end_line: int
    score: float
    vector_score: float | None = None
    bm25_score: float | None = None
    graph_score: float | None = None
    chunk_id: str
    source_type: SourceType
    language: str | None = None
    related_entities: tuple[str, ...] | None = None
    relationship_path: tuple[str, ...] | None = None
    metadata: Mapping[str, Any] = Field(default_factory=dict)
    collapsed: tuple[str, ...] = ()
    explanation: Explanation


class QueryResponse(Model):
    """The results of one query, best first, and how they came about."""

    request: QueryRequest
    results: tuple[QueryResult, ...] = ()
    query_time_ms: float
    total_results: int
    candidates: int = 0
    timings_ms: Mapping[str, float] = Field(default_factory=dict)
    notices: tuple[Notice, ...] = ()
    trace: Trace


@contextmanager
def _clear_errors(model: type[BaseModel], given: Mapping[str, Any]) -> Iterator[None]:
    try:
        yield
    except ValidationError as error:
        raise InvalidRequest("; ".join(_sentences(model, error))) from None


def _sentences(model: type[BaseModel], error: ValidationError) -> Iterator[str]:
    for problem in error.errors(include_url=False):
        path = ".".join(str(step) for step in problem["loc"]) or "request"
        name = str(problem["loc"][0]) if problem["loc"] else ""
        value, context = problem["input"], problem.get("ctx", {})
        match problem["type"]:
            case "extra_forbidden":
                known = list(Weights.model_fields if "." in path else model.model_fields)
                yield (
                    f"{path}={value!r}: there is no field {path!r}"
                    f"{nearest(path.rsplit('.')[-1], known)} (fields: {', '.join(known)})"
                )
            case "missing":
                yield f"{path} is missing; give it a value"
            case "enum" | "literal_error":
                words = str(context["expected"]).replace(" or ", ", ").replace("'", "")
                hint = nearest(str(value), words.split(", "))
                yield f"{path}={value!r} is not one of {words}{hint}"
            case "value_error" if isinstance(context.get("error"), InvalidRequest):
                yield str(context["error"])
            case "value_error":
                yield (
                    f"{path}={_short(value)}: {context['error']}" if name else str(context["error"])
                )
            case _:
                yield f"{path}={_short(value)}: {_lower(problem['msg'])}{_range(model, name)}"


def _range(model: type[BaseModel], name: str) -> str:
    field = model.model_fields.get(name)
    if field is None:
        return ""
    if name == "weights":
        return "; weights are numbers of 0 or more for vector, bm25, graph"
    bounds = {
        word: getattr(rule, short)
        for rule in field.metadata
        for short, word in (("ge", "from"), ("le", "to"))
        if getattr(rule, short, None) is not None
    }
    if not bounds:
        return ""
    kind = "a whole number" if field.annotation is int else "a number"
    return f"; allowed is {kind} " + " ".join(f"{word} {bound}" for word, bound in bounds.items())


def _lower(message: str) -> str:
    return message[:1].lower() + message[1:]


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
