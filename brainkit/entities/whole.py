"""The whole graph, for other tools: an igraph and data frames."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from brainkit import markup
from brainkit.store.generation import Generation

if TYPE_CHECKING:
    from igraph import Graph
    from pandas import DataFrame
    from pyarrow import Table

_QUERIES = {
    "entities": "select id, key, name, kinds, documents from entities order by id",
    "relations": "select r.id, s.name as subject, predicate, o.name as object, "
    "r.subject as subject_id, r.object as object_id, "
    "(select count(distinct u.key) from support u where u.relation = r.id) as chunks "
    "from relations r join entities s on s.id = r.subject join entities o on o.id = r.object "
    "order by r.id",
    "mentions": "select e.name as entity, role, weight, source, start_line, end_line, chunk_id, "
    "e.id as entity_id from mentions m join entities e on e.id = m.entity "
    "join chunks c on c.key = m.key join ranks k on k.key = m.key order by e.id, ord, role",
}
_NONE = {
    "entities": "select 0 as id, '' as key, '' as name, ['']::varchar[] as kinds, 0 as documents",
    "relations": "select 0 as id, '' as subject, '' as predicate, '' as object, 0 as subject_id, "
    "0 as object_id, 0 as chunks",
    "mentions": "select '' as entity, '' as role, 1.0 as weight, '' as source, 0 as start_line, "
    "0 as end_line, '' as chunk_id, 0 as entity_id",
}
"""The same columns, for a brain whose schema has no graph."""


class EntityGraph:
    """All entities, relations and mentions of the generation that answered.

    It is a copy: what is changed in it changes nothing in the brain.
    """

    def __init__(self, tables: dict[str, Table], shared: Graph, kinds: list[str]) -> None:
        self._tables = tables
        self._shared = shared
        self._kinds = kinds

    @cached_property
    def igraph(self) -> Graph:
        """The directed ``igraph.Graph``.

        Vertices have ``name``, ``key``, ``kind`` (several joined by ``", "``) and ``documents``;
        edges ``predicate`` and ``chunks``. All are strings or numbers, so every format can hold
        them. Vertices and edges are numbered like the rows of ``entities`` and ``relations``.
        """
        graph = self._shared.copy()
        entities, relations = self._tables["entities"], self._tables["relations"]
        graph.vs["key"] = entities.column("key").to_pylist()
        graph.vs["kind"] = self._kinds
        graph.vs["documents"] = entities.column("documents").to_pylist()
        graph.es["chunks"] = relations.column("chunks").to_pylist()
        return graph

    @cached_property
    def entities(self) -> DataFrame:
        """One row per entity: id, key, name, kinds, documents."""
        return self._frame("entities")

    @cached_property
    def relations(self) -> DataFrame:
        """One row per relation: id, subject, predicate, object, subject_id, object_id, chunks."""
        return self._frame("relations")

    @cached_property
    def mentions(self) -> DataFrame:
        """One row per entity and chunk.

        Columns: entity, role (about or mentions), weight, source, start_line, end_line, chunk_id,
        entity_id.
        """
        return self._frame("mentions")

    def summary(self) -> str:
        """Return how much there is of each."""
        return ", ".join(f"{len(table):,} {name}" for name, table in self._tables.items())

    def __repr__(self) -> str:
        return f"<EntityGraph: {self.summary()}>"

    def _repr_html_(self) -> str:
        predicates = self._tables["relations"].column("predicate").value_counts().to_pylist()
        rows = sorted((-one["counts"], one["values"]) for one in predicates)
        cells: list[list[Any]] = [[name, f"{-count:,}"] for count, name in rows]
        head = ["relation", "times"]
        return markup.table(head, cells, caption=self.summary(), right=(1,))

    def _frame(self, name: str) -> DataFrame:
        frame: DataFrame = self._tables[name].to_pandas()
        return frame


def graph_of(generation: Generation) -> EntityGraph:
    """Read the whole graph of a generation."""
    chunks, graph = generation.chunks, generation.graph
    tables = {
        name: chunks.table(query if chunks.has_graph else f"{_NONE[name]} where false")
        for name, query in _QUERIES.items()
    }
    kinds = [", ".join(kinds) for kinds in graph.kinds]
    return EntityGraph(tables, graph.to_igraph(), kinds)
