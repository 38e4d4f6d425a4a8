"""Entities by number, as plain data."""

from __future__ import annotations

from collections.abc import Iterable

from brainkit.ingest.edits import entity_key
from brainkit.models import Entity
from brainkit.store.generation import Generation
from brainkit.store.graph import GraphIndex


def known(generation: Generation, entities: Iterable[int]) -> list[Entity]:
    """Return these entities, in their order."""
    graph, wanted = generation.graph, list(entities)
    aliases = _aliases(generation, wanted) if wanted else {}
    return [
        Entity(
            name=graph.names[one],
            key=graph.keys[one],
            kinds=graph.kinds[one],
            aliases=tuple(alias for alias in aliases[one] if alias != graph.names[one]),
            documents=int(graph.documents[one]),
            degree=int(graph.degree[one]),
        )
        for one in wanted
    ]


def meant(graph: GraphIndex, name: str) -> int:
    """Return the entity of a key, a name or an alias.

    Raises NoSuchEntity naming the nearest, or all that are meant.
    """
    found = graph.find(entity_key(graph, name))
    if found is None:
        raise LookupError(name)  # of a key that was found just now
    return found


def _aliases(generation: Generation, entities: list[int]) -> dict[int, list[str]]:
    with generation.chunks.cursor() as cursor:
        rows = cursor.execute(
            "select entity, list(name order by weight desc, name) from aliases "
            "where entity in (select unnest($entities)) group by entity",
            {"entities": entities},
        ).fetchall()
    return dict(rows)
