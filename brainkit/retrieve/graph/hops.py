"""The scorer that a lesson can explain: the fewer hops away, the more an entity counts."""

from __future__ import annotations

from dataclasses import replace

from brainkit.models import QueryRequest
from brainkit.retrieve.base import Mask, Question
from brainkit.retrieve.graph.evidence import Evidence
from brainkit.retrieve.graph.ground import Ground
from brainkit.retrieve.graph.paths import Linked, Scored
from brainkit.retrieve.graph.walk import told, walk
from brainkit.store.generation import Generation


def score(
    question: Question,
    generation: Generation,
    linked: Linked,
    request: QueryRequest,
    allowed: Mask | None,
) -> Scored:
    """Score chunks by the entities in them and how many hops these are from those named.

    score(c) = sum over the reached entities e in c of weight(e) * share(e in c), divided by the sum
    of all weights, where weight(e) = weight of the name * decay^hops, and the share is 1 where the
    chunk is about e, and a fifth of the name's weight where it only mentions e. ``walk`` says how
    hubs and a relation that was asked for change the weights. Between 0 and 1; embeds nothing.
    """
    graph = generation.graph
    ground = Ground.of(graph, request, linked)
    found = walk(linked, ground, depth=request.traversal_depth)
    scored = Evidence.of(graph, found.reached, says=found.says).scored(size=generation.size)
    return replace(scored, notices=told(found, ground, linked))
