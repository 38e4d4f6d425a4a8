"""The entity graph as tables: laid down in bulk, read back as columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa

from brainkit.extract.graph import Graph
from brainkit.extract.names import key_of, words_of
from brainkit.store import database
from brainkit.store.chunks import ChunkStore
from brainkit.store.graph_arrays import Columns, Texts

RESOLVED = ("entities", "aliases", "relations", "support", "mentions", "merges")
"""The tables that are made from facts and edits, for each generation where these differ."""

_INT, _TEXT, _WEIGHT = pa.int32(), pa.string(), pa.float32()
_SCHEMAS = {
    "entities": {
        "id": _INT, "key": _TEXT, "name": _TEXT, "kinds": pa.list_(_TEXT), "documents": _INT,
    },
    "aliases": {"entity": _INT, "name": _TEXT, "key": _TEXT, "words": _INT, "weight": pa.float64()},
    "relations": {"id": _INT, "subject": _INT, "predicate": _TEXT, "object": _INT},
    "support": {"relation": _INT, "key": _INT, "start_at": _INT, "end_at": _INT},
    "mentions": {
        "entity": _INT, "key": _INT, "role": _TEXT, "weight": _WEIGHT, "start_at": _INT,
        "end_at": _INT,
    },
    "merges": {"entity": _INT, "names": pa.list_(_TEXT), "reason": _TEXT},
}  # fmt: skip


def lay_down(graph: Graph, connection: duckdb.DuckDBPyConnection) -> None:
    """Fill the tables, which must be empty."""
    entities, relations, mentions = graph.entities, graph.relations, graph.mentions
    named = [(entity.id, name, weight) for entity in entities for name, weight in entity.aliases]
    support = [(id_, *where) for id_, relation in enumerate(relations) for where in relation[3]]
    # Column by column: rows turned by zip take three times as long.
    columns: dict[str, list[Sequence[Any]]] = {
        "entities": [[entity[at] for entity in entities] for at in (0, 1, 2, 3, 5)],
        "aliases": [
            [entity for entity, _, _ in named],
            [name for _, name, _ in named],
            [key_of(name) for _, name, _ in named],
            [len(words_of(name)) for _, name, _ in named],
            [weight for _, _, weight in named],
        ],
        "relations": [
            range(len(relations)),
            *([relation[at] for relation in relations] for at in range(3)),
        ],
        "support": [[place[at] for place in support] for at in range(4)],
        "mentions": [[mention[at] for mention in mentions] for at in range(6)],
        "merges": [[merge[at] for merge in graph.merges] for at in range(3)],
    }
    for table, schema in _SCHEMAS.items():
        arrays = [
            pa.array(values, type_)
            for values, type_ in zip(columns[table], schema.values(), strict=True)
        ]
        database.insert(connection, table, pa.table(arrays, names=list(schema)))


def columns_of(chunks: ChunkStore) -> Columns:
    """Read the graph of a generation, chunks by row; empty where its schema has none."""
    if not chunks.has_graph:
        return Columns.empty(rows=len(chunks.keys))
    with chunks.cursor() as cursor:
        kinds = cursor.execute("select kinds from entities order by id").fetchall()
        return Columns(
            rows=len(chunks.keys),
            names=_texts(cursor, "select name from entities order by id"),
            keys=_texts(cursor, "select key from entities order by id"),
            kinds=[tuple(of_one) for (of_one,) in kinds],
            documents=_numbers(cursor, "select documents from entities order by id")["documents"],
            alias_keys=_texts(cursor, f"select key from {_ALIASES}"),
            alias_names=_texts(cursor, f"select name from {_ALIASES}"),
            aliases=_numbers(cursor, f"select entity, words, weight from {_ALIASES}"),
            predicates=[
                name
                for (name,) in cursor.execute(
                    "select distinct predicate from relations order by 1"
                ).fetchall()
            ],
            relations=_numbers(
                cursor,
                "select subject, object, (dense_rank() over (order by predicate) - 1)::integer "
                "as predicate from relations order by id",
            ),
            support=_numbers(
                cursor, "select relation, ord, start_at, end_at from support join ranks using (key)"
            ),
            mentions=_numbers(
                cursor,
                "select entity, ord, role = 'about' as about, weight, start_at, end_at "
                "from mentions join ranks using (key)",
            ),
        )


def gaps(chunks: ChunkStore) -> str | None:
    """Return why the graph is empty or lacks sources, None where nothing is missing."""
    if not chunks.has_graph:
        return "this brain was made before graphs; ingest again."
    with chunks.cursor() as cursor:
        labels = cursor.execute(
            "select distinct label from files where chunks > 0 "
            "and source not in (select source from facts) order by 1"
        ).fetchall()
    if not labels:
        return None
    names = ", ".join(label or "its records" for (label,) in labels)
    return f"{names}: ingested before graphs, so not in the graph; ingest again."


def disagreements(chunks: ChunkStore) -> list[str]:
    """Return what the tables of the graph hold that they should not; empty when they agree."""
    if not chunks.has_graph:
        return []
    checks = (  # every value of the first must be among those of the second
        ("facts of unknown files", "source from facts", "source from files"),
        ("mentions of unknown chunks", "key from mentions", "key from chunks"),
        ("mentions of unknown entities", "entity from mentions", "id from entities"),
        ("aliases of unknown entities", "entity from aliases", "id from entities"),
        ("merges of unknown entities", "entity from merges", "id from entities"),
        ("entities without a name", "id from entities", "entity from aliases"),
        ("relations of an unknown entity", "subject from relations", "id from entities"),
        ("relations to an unknown entity", "object from relations", "id from entities"),
        ("relations without support", "id from relations", "relation from support"),
        ("support of unknown relations", "relation from support", "id from relations"),
        ("support in unknown chunks", "key from support", "key from chunks"),
    )
    found = []
    with chunks.cursor() as cursor:
        for what, some, all_ in checks:
            query = f"select count(*) from (select {some} except select {all_})"
            ((number,),) = cursor.execute(query).fetchall()
            if number:
                found.append(f"{number} {what}")
    return found


_ALIASES = "aliases order by key, weight desc, entity, name"


def _numbers(cursor: duckdb.DuckDBPyConnection, query: str) -> Mapping[str, np.ndarray[Any, Any]]:
    # Not through Arrow, whose arrays import pandas on their way to NumPy: 0.25 s.
    return cursor.execute(query).fetchnumpy()


def _texts(cursor: duckdb.DuckDBPyConnection, query: str) -> Texts:
    """Return the strings of one column as they lie in Arrow: no object for each."""
    column = cursor.sql(query).to_arrow_table().column(0).combine_chunks().cast(pa.large_string())
    _, ends, data = column.buffers()
    count = len(column)
    if not count:
        return Texts.of([])
    at = np.frombuffer(ends, np.int64)[column.offset : column.offset + count + 1]
    blob = np.frombuffer(data, np.uint8)[at[0] : at[-1]] if data else np.empty(0, np.uint8)
    return Texts(blob, at - at[0])
