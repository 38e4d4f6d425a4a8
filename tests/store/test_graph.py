"""The graph index: all that is asked of it, against the plain rows it was made from."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brainkit.engine import Engine
from brainkit.extract.builder import GraphBuilder
from brainkit.extract.graph import Graph
from brainkit.extract.names import key_of, words_of
from brainkit.store import graph_tables
from brainkit.store.draft import drafting
from brainkit.store.graph import FILES, GraphIndex
from brainkit.store.graph_arrays import Texts

RECORDS = [{"id": str(i), "text": f"alpha w{i}"} for i in range(6)]
NAMES = ("QueryService", "query_service", "Ünïcode", "日本", "VectorStore", "a.b.C", "Zed", "zed 1")
PREDICATES = ("calls", "uses", "mentions")

name, key = st.sampled_from(NAMES), st.integers(1, len(RECORDS))
place = st.integers(0, 5)
weight = st.sampled_from((1.0, 0.75, 0.5, 0.25))  # exact in float32
rows = st.lists(
    st.one_of(
        st.tuples(st.just("relate"), name, st.sampled_from(PREDICATES), name, key, place),
        st.tuples(st.just("mention"), name, key, st.sampled_from(("about", "mentions")), weight),
        st.tuples(st.just("alias"), name, name, weight),
    ),
    max_size=25,
)


def built(steps: list[tuple[Any, ...]]) -> Graph:
    builder = GraphBuilder()

    def entity(name: str) -> Any:
        return builder.entity(key_of(name), name=name, kind=f"kind{len(name) % 3}")

    for step in steps:
        match step:
            case ("relate", subject, predicate, other, key, place):
                builder.relate(
                    entity(subject), predicate, entity(other), chunk=key, start=place, end=place + 3
                )
            case ("mention", name, key, role, weight):
                builder.mention(entity(name), chunk=key, role=role, weight=weight, start=1, end=4)
            case ("alias", name, other, weight):
                builder.alias(entity(name), other, weight)
    return builder.build()


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory, word_vectors: Any) -> Iterator[Engine]:
    engine = Engine(tmp_path_factory.mktemp("graph") / "x.brain", embedder=word_vectors)
    engine.ingest_texts(RECORDS, progress=False)
    yield engine
    engine.close()


@pytest.fixture(scope="module")
def store(engine: Engine) -> Callable[[Graph], None]:
    """Publish a generation that has this graph, and no other."""

    def stored(graph: Graph) -> None:
        with engine.reading() as base, drafting(engine.layout, base.chunks) as draft:
            for table in graph_tables.RESOLVED:
                draft._connection.execute(f"delete from {table}")
            graph_tables.lay_down(graph, draft._connection)
            draft.publish(exact_limit=100)

    return stored


@given(steps=rows)
def test_every_answer_is_what_the_rows_say(
    steps: list[tuple[Any, ...]], engine: Engine, store: Callable[[Graph], None]
) -> None:
    graph = built(steps)
    store(graph)
    with engine.reading() as generation:
        index = generation.graph
        row_of = {int(key): row for row, key in enumerate(generation.chunks.keys)}
        assert generation.faults() == []
        assert index.size == len(graph.entities)
        assert list(index.names) == [one.name for one in graph.entities]
        assert list(index.keys) == sorted(one.key for one in graph.entities)
        assert list(index.kinds) == [one.kinds for one in graph.entities]
        assert index.documents.tolist() == [one.documents for one in graph.entities]
        assert list(index.predicates) == sorted({one.predicate for one in graph.relations})
        aliases = [(a, w, e.id) for e in graph.entities for a, w in e.aliases]
        assert index.longest_name == max((len(words_of(a)) for a, _, _ in aliases), default=0)
        for entity in range(index.size):
            out, into = index.out(entity), index.into(entity)
            near = {r.object for r in graph.relations if r.subject == entity}
            near |= {r.subject for r in graph.relations if r.object == entity}
            assert index.degree[entity] == len(near)
            assert [
                (entity, index.predicates[predicate], other)
                for other, predicate in zip(out.other, out.predicate, strict=True)
            ] == [tuple(r[:3]) for r in graph.relations if r.subject == entity]
            assert [
                (at, int(other))
                for at, other in zip(into.relation.tolist(), into.other, strict=True)
            ] == [(at, r.subject) for at, r in enumerate(graph.relations) if r.object == entity]
            assert out.relation.tolist() == [
                at for at, r in enumerate(graph.relations) if r.subject == entity
            ]
            mentioned = index.chunks_of(entity)
            assert list(zip(*(column.tolist() for column in mentioned), strict=True)) == sorted(
                (
                    (row_of[m.key], m.role == "about", m.weight, m.start, m.end)
                    for m in graph.mentions
                    if m.entity == entity
                ),
                key=lambda row: (row[0], not row[1]),  # what it is about comes first
            )
        for at, relation in enumerate(graph.relations):
            support = index.support(at)
            assert sorted(zip(*(column.tolist() for column in support), strict=True)) == sorted(
                (row_of[key], start, end) for key, start, end in relation.support
            )
            assert support.rows.tolist() == sorted(support.rows.tolist())
        for row, key in enumerate(generation.chunks.keys.tolist()):
            inside = index.entities_in(row)
            assert sorted(zip(inside.entities, inside.about, strict=True)) == sorted(
                (m.entity, m.role == "about") for m in graph.mentions if m.key == key
            )
            assert inside.entities.tolist() == sorted(inside.entities.tolist())
        for spelling in (*NAMES, "nowhere"):
            assert index.named(key_of(spelling)) == tuple(
                (entity, weight, alias)
                for alias, weight, entity in sorted(aliases, key=lambda a: (-a[1], a[2], a[0]))
                if key_of(alias) == key_of(spelling)
            )
            known = [one.id for one in graph.entities if one.key == key_of(spelling)]
            assert index.find(key_of(spelling)) == (known[0] if known else None)
        drawn = index.to_igraph()
        assert drawn.is_directed()
        assert drawn.vs["name"] == list(index.names)
        assert [(edge.source, edge["predicate"], edge.target) for edge in drawn.es] == [
            tuple(relation[:3]) for relation in graph.relations
        ]


def test_arrays_are_read_only_and_plain(engine: Engine, store: Callable[[Graph], None]) -> None:
    """Nothing of a brain that somebody else made is unpickled, nor can a query change it."""
    store(
        built([("relate", "Zed", "uses", "VectorStore", 1, 0), ("mention", "Zed", 1, "about", 1)])
    )
    with engine.reading() as generation:
        folder = generation.folder / "graph"
        assert sorted(path.name for path in folder.iterdir()) == sorted(FILES)
        for path in folder.glob("*.npy"):
            assert np.load(path, allow_pickle=False).dtype.hasobject is False
        json.loads((folder / "words.json").read_text("utf-8"))
        for array in generation.graph.arrays.values():
            assert not array.flags.writeable
        with pytest.raises(IndexError, match="2 is not one of 2"):
            generation.graph.out(2)
        with pytest.raises(IndexError, match="-1 is not one of 6"):
            generation.graph.entities_in(-1)


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("insert into mentions values (0, 99, 'about', 1, 0, 0)", "1 mentions of unknown chunks"),
        ("insert into mentions values (9, 1, 'about', 1, 0, 0)", "1 mentions of unknown entities"),
        ("insert into aliases values (9, 'x', 'x', 1, 1)", "1 aliases of unknown entities"),
        ("insert into merges values (9, ['x'], 'x')", "1 merges of unknown entities"),
        ("delete from aliases where entity = 0", "1 entities without a name"),
        ("update relations set subject = 9", "1 relations of an unknown entity"),
        ("update relations set object = 9", "1 relations to an unknown entity"),
        ("delete from support", "1 relations without support"),
        ("insert into support values (9, 1, 0, 0)", "1 support of unknown relations"),
        ("update support set key = 99", "1 support in unknown chunks"),
        ("insert into facts values ('nowhere', null)", "1 facts of unknown files"),
    ],
)
def test_tables_that_do_not_agree_are_told(
    statement: str, told: str, tmp_path: Path, word_vectors: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = Engine(tmp_path / "x.brain", embedder=word_vectors)
    engine.ingest_texts(RECORDS, progress=False)
    with engine.reading() as base, drafting(engine.layout, base.chunks) as draft:
        graph_tables.lay_down(built([("relate", "Zed", "uses", "日本", 1, 0)]), draft._connection)
        draft._connection.execute(statement)
        # Only what the index would refuse to be made of is asked of the tables alone.
        monkeypatch.setattr("brainkit.store.draft.KINDS", ())
        draft.publish(exact_limit=100)
    with engine.reading() as generation:
        assert told in generation.faults()
    engine.close()


@given(steps=rows, order=st.randoms(use_true_random=False))
def test_several_entities_at_once_give_what_each_gives(
    engine: Engine, store: Callable[[Graph], None], steps: list[tuple[Any, ...]], order: Random
) -> None:
    store(built(steps))
    with engine.reading() as generation:
        graph = generation.graph
        entities = order.sample(range(graph.size), k=graph.size)
        ends = graph.ends_of(np.array(entities, np.int32))
        assert list(zip(*(column.tolist() for column in ends), strict=True)) == [
            (at, *end, forward)
            for at, entity in enumerate(entities)
            for edges, forward in ((graph.out(entity), True), (graph.into(entity), False))
            for end in zip(*(column.tolist() for column in edges), strict=True)
        ]
        chunks = graph.chunks_of_each(np.array(entities, np.int32))
        assert list(zip(*(column.tolist() for column in chunks), strict=True)) == [
            (at, *mention)
            for at, entity in enumerate(entities)
            for mention in zip(
                *(column.tolist() for column in graph.chunks_of(entity)[:3]), strict=True
            )
        ]


def test_an_index_that_differs_from_its_tables_is_told(
    engine: Engine, store: Callable[[Graph], None]
) -> None:
    store(built([("relate", "Zed", "uses", "VectorStore", 1, 0)]))
    with engine.reading() as generation:
        other = built([("relate", "Zed", "uses", "日本", 1, 0)])
        assert generation.faults() == []
        generation._graph = GraphIndex.build(columns_of(other, generation.size))
        assert generation.faults() == ["the graph index differs from the graph in the database"]
        assert generation.faults() == [], "it is opened anew"


def columns_of(graph: Graph, rows: int) -> Any:
    """The columns of a graph that is in no database, without its support and mentions."""
    from brainkit.store.graph_arrays import Columns

    empty = Columns.empty(rows=rows)
    names = Texts.of(one.name for one in graph.entities)
    return Columns(
        **{
            **vars(empty),
            "names": names,
            "keys": Texts.of(one.key for one in graph.entities),
            "kinds": [one.kinds for one in graph.entities],
            "documents": np.zeros(len(names), np.int32),
        }
    )


@given(strings=st.lists(st.text(st.characters(codec="utf-8"), max_size=4), unique=True))
def test_texts_are_found_where_they_are(strings: list[str]) -> None:
    texts = Texts.of(sorted(strings))
    assert list(texts) == texts[:] == sorted(strings)
    for at, text in enumerate(sorted(strings)):
        assert texts.find(text) == at
        assert texts[at - len(strings)] == text
    with pytest.raises(IndexError):
        texts[len(strings)]
