"""Graph retriever: chunks that relations lead to from what the question names."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from brainkit.errors import FilterError, nearest
from brainkit.extract.graph import PREDICATES
from brainkit.models import GraphScorer, Notice, QueryRequest
from brainkit.retrieve.base import Found, Mask, Question, nothing_allowed, ranked_list
from brainkit.retrieve.graph import guided, hops, pagerank
from brainkit.retrieve.graph.link import link
from brainkit.retrieve.graph.paths import NOTHING, Linked, Scored, Scorer
from brainkit.store.generation import Generation
from brainkit.store.graph import GraphIndex
from brainkit.store.ranking import best_rows

SCORERS: dict[GraphScorer, Scorer] = {
    "hops": hops.score,
    "guided": guided.score,
    "pagerank": pagerank.score,
}


@dataclass(frozen=True)
class GraphFound(Found):
    """A ranked list with what it came from: how the question was linked, and what was reached."""

    linked: Linked
    scored: Scored
    gaps: str | None

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What was taken for what, what was left out, and which sources the graph lacks."""
        gaps = [Notice(kind="graph-gaps", message=self.gaps)] if self.gaps else []
        return (*gaps, *self.linked.notices, *self.scored.notices)


def retrieve(
    question: Question, generation: Generation, request: QueryRequest, allowed: Mask | None
) -> GraphFound:
    """Rank the chunks that hold what the question names, or what relations lead to from there.

    The scorer is ``request.graph_scorer``. A list that is empty says which step found nothing.
    Raises FilterError for a relation or entity type that the graph does not have.
    """
    graph = generation.graph
    _check_types(request, generation)
    reason = nothing_allowed(generation, allowed)
    linked, scored = Linked(), NOTHING
    if reason is None and graph.size:
        linked = link(question.text, graph)
        scored = SCORERS[request.graph_scorer](question, generation, linked, request, allowed)
    rows, listed = scored.rows, scored.scores
    if allowed is not None:
        rows, listed = rows[allowed[rows]], listed[allowed[rows]]
    found = best_rows(rows, listed, request.depth)
    ranked = ranked_list(
        "graph",
        *found,
        generation,
        depth=request.depth,
        reason=reason or _why_empty(linked, scored, graph),
    )
    scores = np.full(generation.size, 0.0 if len(scored.rows) else np.nan, np.float32)
    scores[scored.rows] = scored.scores
    return GraphFound(ranked, lambda rows: scores[rows], linked, scored, graph.reason)


def _why_empty(linked: Linked, scored: Scored, graph: GraphIndex) -> str:
    if not graph.size:
        return graph.reason or "this brain has no entities"
    if scored.reached or linked.seeds:
        return "no chunk that the filters leave holds what the question names or leads to"
    refused = [f"{one.text!r} {one.reason}" for one in linked.links if one.reason][:3]
    return "the question names no known entity" + (f" ({'; '.join(refused)})" if refused else "")


def _check_types(request: QueryRequest, generation: Generation) -> None:
    graph = generation.graph
    for field, given, known in (
        (
            "relationship_types",
            request.relationship_types,
            lambda: {*PREDICATES, *graph.predicates},
        ),
        ("entity_types", request.entity_types, lambda: {k for kinds in graph.kinds for k in kinds}),
    ):
        if not given or not graph.size:
            continue
        words = sorted(generation.remembered(field, known))
        for word in given:
            if word.casefold() not in map(str.casefold, words):
                raise FilterError(
                    f"{field}={word!r}: this brain's graph has no such type"
                    f"{nearest(word, words)} (known: {', '.join(words)})"
                )
