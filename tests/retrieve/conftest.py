"""Brains whose graph is made by hand, so that every hop can be checked by eye."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

from brainkit.engine import Engine
from brainkit.extract.builder import GraphBuilder
from brainkit.extract.graph import Graph
from brainkit.extract.names import key_of, words_of
from brainkit.models import QueryRequest, QueryResponse
from brainkit.retrieve.base import Question
from brainkit.search import search
from brainkit.store.generation import Generation
from brainkit.store.graph import GraphIndex
from brainkit.store.graph_arrays import Columns, Texts


def _index_of(graph: Graph, row_of: Mapping[int, int]) -> GraphIndex:
    aliases = sorted(
        (key_of(name), -weight, entity.id, name)
        for entity in graph.entities
        for name, weight in entity.aliases
    )
    predicates = sorted({relation.predicate for relation in graph.relations})
    support = [
        (at, row_of[key], start, end)
        for at, relation in enumerate(graph.relations)
        for key, start, end in relation.support
    ]
    mentions = [
        (m.entity, row_of[m.key], m.role == "about", m.weight, m.start, m.end)
        for m in graph.mentions
    ]

    def columns(names: str, rows: Sequence[Sequence[Any]]) -> dict[str, Any]:
        values = zip(*rows, strict=True) if rows else ([] for _ in names.split())
        return {
            name: np.array(list(column), np.float32 if name == "weight" else np.int32)
            for name, column in zip(names.split(), values, strict=True)
        }

    return GraphIndex.build(
        Columns(
            rows=len(row_of),
            names=Texts.of(entity.name for entity in graph.entities),
            keys=Texts.of(entity.key for entity in graph.entities),
            kinds=[entity.kinds for entity in graph.entities],
            documents=np.array([entity.documents for entity in graph.entities], np.int32),
            alias_keys=Texts.of(key for key, *_ in aliases),
            alias_names=Texts.of(name for *_, name in aliases),
            aliases=columns(
                "weight entity words", [(-w, e, len(words_of(n))) for _, w, e, n in aliases]
            ),
            predicates=predicates,
            relations=columns(
                "subject predicate object",
                [(r.subject, predicates.index(r.predicate), r.object) for r in graph.relations],
            ),
            support=columns("relation ord start_at end_at", support),
            mentions=columns("entity ord about weight start_at end_at", mentions),
        )
    )


@pytest.fixture(scope="session")
def index_of() -> Callable[[Graph, Mapping[int, int]], GraphIndex]:
    """Lay out the index of a graph without a database; the second is chunk key -> row."""
    return _index_of


Chunks = Mapping[str, tuple[str, Sequence[str], Sequence[str]]]
"""Source -> (text, names it is about, names it mentions)."""


@dataclass
class Hand:
    """A generation with a graph made by hand, and the ways to ask it."""

    engine: Engine
    generation: Generation
    embedded: list[list[str]]

    @property
    def graph(self) -> GraphIndex:
        return self.generation.graph

    def ask(self, text: str, *, full: bool = False, **fields: Any) -> QueryResponse:
        question = Question(
            text,
            analyzer=self.engine.analyzer,
            embedder=lambda: self.engine.embedder(self.generation),
        )
        request = QueryRequest(query=text, **{"mode": "graph", "graph_scorer": "hops", **fields})
        return search(self.generation, question, request, full=full)

    def wire(
        self,
        chunks: Chunks,
        relations: Sequence[tuple[str, str, str]] = (),
        *,
        kinds: Mapping[str, str] = MappingProxyType({}),
        aliases: Mapping[str, Sequence[tuple[str, float]]] = MappingProxyType({}),
    ) -> None:
        """Replace the graph.

        relations : each supported by the first chunk that is about its subject. kinds, aliases :
        by name; an entity is a class unless it says otherwise.
        """
        records = self.generation.chunks.records(np.arange(self.generation.size))
        key_at = {record["source"]: record["key"] for record in records}
        builder = GraphBuilder()
        names = dict.fromkeys(
            [name for _, about, held in chunks.values() for name in (*about, *held)]
            + [name for subject, _, object_ in relations for name in (subject, object_)]
            + [*kinds]
        )
        handles = {
            name: builder.entity(
                key_of(name),
                name=name,
                kind=kinds.get(name, "class"),
                aliases=aliases.get(name, ()),
            )
            for name in names
        }
        for source, (_, about, held) in chunks.items():
            for name in about:
                builder.mention(handles[name], chunk=key_at[source], role="about")
            for name in held:
                builder.mention(handles[name], chunk=key_at[source], role="mentions")
        for subject, predicate, object_ in relations:
            home = next((source for source in chunks if subject in chunks[source][1]), None)
            chunk = key_at[home or next(iter(chunks))]
            builder.relate(
                handles[subject], predicate, handles[object_], chunk=chunk, start=0, end=0
            )
        rows = {int(key): row for row, key in enumerate(self.generation.chunks.keys)}
        self.generation._graph = _index_of(builder.build(), rows)


@pytest.fixture(scope="module")
def make(
    tmp_path_factory: pytest.TempPathFactory, word_vectors: Any
) -> Iterator[Callable[..., Hand]]:
    """Make a brain of records, and a graph over them as ``Hand.wire`` takes it."""
    with ExitStack() as stack:

        def made(chunks: Chunks, *relations: Any, **more: Any) -> Hand:
            embedded: list[list[str]] = []

            def counted(texts: list[str]) -> Any:
                embedded.append(list(texts))
                return word_vectors(texts)

            engine = Engine(tmp_path_factory.mktemp("by-hand") / "x.brain", embedder=counted)
            stack.callback(engine.close)
            records = [{"id": id_, "text": text} for id_, (text, _, _) in chunks.items()]
            engine.ingest_texts(records, split=False, progress=False)
            hand = Hand(engine, stack.enter_context(engine.reading()), embedded)
            hand.wire(chunks, *relations, **more)
            embedded.clear()
            return hand

        yield made
