"""Personalised PageRank over what a walk reached: what many paths lead to counts more."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from brainkit import settings
from brainkit.models import QueryRequest
from brainkit.retrieve.base import Mask, Question
from brainkit.retrieve.graph.evidence import Evidence
from brainkit.retrieve.graph.ground import Ground
from brainkit.retrieve.graph.paths import NOTHING, Linked, Scored
from brainkit.retrieve.graph.walk import told, walk
from brainkit.store.generation import Generation


def score(
    question: Question,
    generation: Generation,
    linked: Linked,
    request: QueryRequest,
    allowed: Mask | None,
) -> Scored:
    """Score chunks by how often a walk at random, which returns to the names, is at their entities.

    Like ``hops``, with weight(e) = personalised PageRank of e among the entities that a
    breadth-first walk reaches, relations taken both ways, restarting at the named ones by weight.
    Paths are those of the breadth-first walk. Source: Haveliwala, WWW 2002. Embeds nothing.
    """
    if not linked.seeds:
        return NOTHING
    from igraph import Graph

    graph = generation.graph
    ground = Ground.of(graph, request, linked)
    found = walk(linked, ground, depth=request.traversal_depth)
    number = {entity: at for at, entity in enumerate(found.reached)}
    ways = [entity for entity, one in found.reached.items() if not one.hub]
    ends, _ = ground.ends_of(np.array(ways, np.int32))
    pairs = {
        tuple(sorted((number[ways[at]], number[other])))
        for at, other in zip(ends.at.tolist(), ends.other.tolist(), strict=True)
        if other in number
    }
    local = Graph(n=len(number), edges=sorted(pairs), directed=False)
    restart = np.zeros(len(number))
    for seed in linked.seeds:
        restart[number[seed.entity]] = seed.weight
    ranks = local.personalized_pagerank(
        directed=False, damping=settings.GRAPH_DAMPING, reset=restart.tolist()
    )
    reached = {
        entity: replace(one, weight=rank, arithmetic=f"{rank:.4g}")
        for (entity, one), rank in zip(found.reached.items(), ranks, strict=True)
    }
    scored = Evidence.of(graph, reached, says=found.says).scored(size=generation.size)
    return replace(scored, notices=told(found, ground, linked))
