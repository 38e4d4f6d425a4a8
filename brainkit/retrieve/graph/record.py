"""What a trace keeps of graph mode: enough to draw the walk and every path, and no more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from brainkit import settings
from brainkit.models import GraphScorer, GraphStep, GraphTrace
from brainkit.retrieve.base import Rows
from brainkit.retrieve.graph import GraphFound
from brainkit.retrieve.graph.paths import Reached, Step, path_to
from brainkit.store.generation import Generation
from brainkit.store.graph import GraphIndex

_SUPPORT_MAX = 3
"""Chunks named for one relation of a path: a reader opens one."""
_ENTITIES_MAX = 10


def add_graph(
    generation: Generation, found: GraphFound, rows: Rows, records: Sequence[dict[str, Any]]
) -> None:
    """Add to each record with graph evidence its parts, its entities and the path to the best.

    rows : of the records, ascending.
    """
    graph, scored = generation.graph, found.scored
    paths: dict[int, tuple[Step, ...]] = {}
    for row, record in zip(rows.tolist(), records, strict=True):
        if not record["graph"]:
            continue
        record["graph_parts"] = tuple(scored.parts(row))
        end = scored.end(row)
        if end is not None:
            paths[row] = path_to(end, scored.reached)
            record["entities"] = _entities(
                row, end, paths[row], graph=graph, reached=scored.reached
            )
    ids = {row: record["chunk_id"] for row, record in zip(rows.tolist(), records, strict=True)}
    steps = {
        step: _told(step, graph, _supporting(graph, ids, step.relation))
        for step in dict.fromkeys(step for path in paths.values() for step in path)
    }
    for row, record in zip(rows.tolist(), records, strict=True):
        record["path"] = tuple(steps[step] for step in paths.get(row, ()))


def graph_trace(found: GraphFound, graph: GraphIndex, *, scorer: GraphScorer) -> GraphTrace:
    """Return how the question was linked, and the entities of the best paths, then the nearest."""
    reached = found.scored.reached
    shown = dict.fromkeys(_worth_showing(found))
    edges = []
    for entity in shown:
        step = reached[entity].step
        if step is not None and step.origin in shown:
            subject, object_ = (step.origin, entity) if step.forward else (entity, step.origin)
            name = graph.predicates[step.predicate]
            edges.append({"subject": subject, "predicate": name, "object": object_})
    asked = found.linked.asked
    return GraphTrace.model_validate(  # one call, as for the candidates
        {
            "scorer": scorer,
            "links": found.linked.links,
            "asked": asked.words if asked else None,
            "entities": [_entity(entity, reached[entity], graph) for entity in shown],
            "edges": edges,
            "reached": len(reached),
            "capped": any(notice.kind == "capped" for notice in found.scored.notices),
            "notices": found.notices,
        }
    )


def _worth_showing(found: GraphFound) -> list[int]:
    reached = found.scored.reached
    shown: dict[int, None] = {}
    for hit in found.ranked.hits:
        end = found.scored.end(hit.order)
        if end is not None:
            shown.update(dict.fromkeys(step.origin for step in path_to(end, reached)))
            shown[end] = None
        if len(shown) >= settings.GRAPH_SHOWN:
            break
    nearest = sorted(reached, key=lambda one: (reached[one].hops, -reached[one].weight, one))
    shown.update(dict.fromkeys(nearest[: settings.GRAPH_SHOWN]))
    return list(shown)[: settings.GRAPH_SHOWN]


def _entity(entity: int, one: Reached, graph: GraphIndex) -> dict[str, Any]:
    return {
        "id": entity,
        "name": graph.names[entity],
        "kinds": graph.kinds[entity],
        "hops": one.hops,
        "weight": one.weight,
        "hub": one.hub,
        "capped": one.capped,
    }


def _entities(
    row: int,
    end: int,
    path: Sequence[Step],
    *,
    graph: GraphIndex,
    reached: Mapping[int, Reached],
) -> tuple[str, ...]:
    """Return the names on the path, from its end, then of what else was reached in the chunk."""
    held = [one for one in graph.ids_in(row).tolist() if one in reached]
    held.sort(key=lambda one: (-reached[one].weight, one))
    on_path = [step.origin for step in reversed(path)]
    names: dict[str, None] = {}
    for one in (end, *on_path, *held):
        if len(names) == _ENTITIES_MAX:
            break
        names[graph.names[one]] = None
    return tuple(names)


def _told(step: Step, graph: GraphIndex, chunk_ids: tuple[str, ...]) -> GraphStep:
    return GraphStep(
        subject=graph.names[int(graph.subjects[step.relation])],
        predicate=graph.predicates[step.predicate],
        object=graph.names[int(graph.objects[step.relation])],
        forward=step.forward,
        chunk_ids=chunk_ids,
    )


def _supporting(graph: GraphIndex, ids: Mapping[int, str], relation: int) -> tuple[str, ...]:
    """Return the ids of the first records that support a relation. ids : by ascending row."""
    support = np.unique(graph.support(relation).rows).tolist()
    return tuple([ids[row] for row in support if row in ids][:_SUPPORT_MAX])
