"""What was retrieved, and all that a view needs to redraw an answer."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import Field

from brainkit.models.base import Chunk, Model, Notice, Part, Retriever
from brainkit.models.graph import GraphStep, GraphTrace
from brainkit.models.request import QueryRequest


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
    ``graph_parts`` sum to ``graph``; ``entities`` names those reached that the chunk holds, best
    first; ``path`` leads to the best of them from what the question names.
    ``rerank`` is the reranker's score, None if it did not read the chunk.
    """

    vector: float | None = None
    bm25: float | None = None
    graph: float | None = None
    bm25_parts: Mapping[str, float] = Field(default_factory=dict)
    term_counts: Mapping[str, int] = Field(default_factory=dict)
    length: int | None = None
    graph_parts: tuple[Part, ...] = ()
    entities: tuple[str, ...] = ()
    path: tuple[GraphStep, ...] = ()
    rerank: float | None = None


class Reranked(Model):
    """What a reranker did for a trace.

    reranker : its name. depth : of the fused ranking, how many candidates were meant for it.
    scored : how many have a score. withheld : order of those that it was not shown, as they look
        like they hold secrets. notices : why it gave no scores, or was not shown some.
    """

    reranker: str
    depth: int
    scored: int
    withheld: tuple[int, ...] = ()
    notices: tuple[Notice, ...] = ()


class Corpus(Model):
    """What was searched, as far as a reader elsewhere must know it to judge an answer.

    name : of the brain's folder, without where that is. created : when its data was read.
    settings : those that shape what is stored. versions : of the libraries that made it.
    """

    name: str
    generation: str
    created: str
    chunks: int
    sources: int
    embedder: str
    settings: Mapping[str, str | int] = Field(default_factory=dict)
    versions: Mapping[str, str] = Field(default_factory=dict)


class Trace(Model):
    """Everything a view needs to redraw an answer under other settings.

    ``candidates`` are in tie order (ascending ``order``); ``lists`` hold what each retriever found.
    ``total_chunks`` is the size of the corpus, ``allowed_chunks`` what the filters left of it,
    ``average_length`` the mean number of terms per chunk in BM25, ``notices`` what the reader
    should know whatever the fusion, ``corpus`` what was searched, ``reranked`` what a reranker
    read, None if none was asked.
    """

    generation: str
    request: QueryRequest
    lists: Mapping[str, RankedList] = Field(default_factory=dict)
    candidates: tuple[Candidate, ...] = ()
    terms: tuple[QueryTerm, ...] = ()
    total_chunks: int = 0
    allowed_chunks: int = 0
    average_length: float | None = None
    graph: GraphTrace | None = None
    reranked: Reranked | None = None
    notices: tuple[Notice, ...] = ()
    corpus: Corpus | None = None
