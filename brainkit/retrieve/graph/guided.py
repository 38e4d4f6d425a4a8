"""The scorer that lets the question choose among neighbours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from brainkit.models import QueryRequest
from brainkit.retrieve.base import Mask, Question, Rows
from brainkit.retrieve.graph.best_path import BestPaths
from brainkit.retrieve.graph.ground import Ground
from brainkit.retrieve.graph.guide import REACHED, Guide, rarity
from brainkit.retrieve.graph.paths import NOTHING, Linked, Scored
from brainkit.retrieve.graph.textual import TextEvidence, evidence
from brainkit.retrieve.graph.walk import Walk, told
from brainkit.retrieve.graph.wording import Wording
from brainkit.store.generation import Generation
from brainkit.store.graph import GraphIndex

# The constants of this scorer, here and in the modules it is made of, were chosen on the first 300
# questions of 2WikiMultihopQA, plain and among competing passages; tests/bench/multihop.py and
# tests/bench/stress.py measure the others.
ONE_WORD = 0.7
"""A name of one word is meant less surely."""
CLEAR = 0.95
"""Text evidence from which a named entity is surely the one that is meant."""
HELD = 64
"""Chunks of a named entity that are looked at for text evidence."""
PASSAGES, PASSAGE_WEIGHT, PASSAGE_POWER = 3, 0.1, 8
"""The best chunks by text begin paths too, weakly, unless the question asks for a relation."""


def score(
    question: Question,
    generation: Generation,
    linked: Linked,
    request: QueryRequest,
    allowed: Mask | None,
) -> Scored:
    """Score chunks by the best path to them from what the question names, and by their own text.

    score(c) = .625 * path(c) + .375 * H'(c), for the chunks that a path leads to, where

    - path(c) = max over the entities e of c of weight(e) * share(e in c): 1 if c is about e, .2 if
      it names it; a path of less than a twentieth of the best leads nowhere;
    - weight(named) = weight of the name * sqrt(idf) * (.7 if it is one word) * min(1, H / .95), H
      being the most text evidence of its chunks; the three chunks of most evidence begin paths
      with .1 * H^8 and fit 1, unless the question asks for a relation;
    - a relation carries weight * way * idf * fit: way is .7, or .3 from its object to its subject;
      idf(object) = ln((N + 1) / df) / ln(N + 1); fit = exp(8 * (x - best x of the entity's
      relations)), x being how much of the question's wording stands near the name of the object
      in the sentence that says the relation (``Wording.near``);
    - a relation that the question asks for ("what calls X") carries the whole weight, whatever
      else the first hop takes a quarter; a hub ends the path;
    - H is the evidence of the whole question, H' that of its words without the names
      (``TextEvidence``): what named the beginning of a path says nothing of its end.

    An entity keeps the path by which it was reached first, of these the heaviest: it explains the
    score. Nothing is found where the question names nothing. Embeds the question once; without
    vectors, text is keywords alone.
    """
    if not linked.seeds:
        return NOTHING
    graph = generation.graph
    ground = Ground.of(graph, request, linked)
    wording = Wording.of(question, linked, generation.keywords)
    named = _rows_of(linked, graph)
    whole, rest = evidence(
        question, wording.terms, generation, named=np.concatenate([*named.values()])
    )
    guide = Guide(ground, wording, generation)
    guide.walk(_named(linked, named, generation, whole), depth=request.traversal_depth)
    if not ground.asks:
        guide.walk(_passages(graph, whole), depth=request.traversal_depth, reads=False)
    scored = BestPaths.of(guide, rest).scored()
    found = Walk(guide.reached, full=len(guide.reached) >= REACHED, says=guide.says)
    return replace(scored, notices=told(found, ground, linked))


def _rows_of(linked: Linked, graph: GraphIndex) -> dict[int, Rows]:
    """Return the rows that are about each named entity, else those that name it."""
    found = {}
    for seed in linked.seeds:
        held = graph.chunks_of(seed.entity)
        rows = held.rows[held.about] if held.about.any() else held.rows
        found[seed.entity] = rows[:HELD].astype(np.int64)
    return found


def _named(
    linked: Linked, rows: Mapping[int, Rows], generation: Generation, whole: TextEvidence
) -> dict[int, float]:
    """Return the entities that the question names, by how surely each is meant."""
    found = {}
    for seed in linked.seeds:
        held = whole(rows[seed.entity])
        clear = min(1.0, float(held.max()) / CLEAR) if len(held) else 1.0
        few = ONE_WORD if seed.words == 1 else 1.0
        documents = generation.graph.documents[[seed.entity]]
        idf = float(rarity(documents, generation.size)[0])
        found[seed.entity] = seed.weight * idf**0.5 * few * clear
    return found


def _passages(graph: GraphIndex, whole: TextEvidence) -> dict[int, float]:
    """Return what the chunks of most text evidence are about."""
    found: dict[int, float] = {}
    rows = whole.best[:PASSAGES]
    for row, worth in zip(rows.tolist(), whole(rows).tolist(), strict=True):
        held = graph.entities_in(row)
        for entity in held.entities[held.about].tolist():
            found[entity] = max(found.get(entity, 0.0), PASSAGE_WEIGHT * worth**PASSAGE_POWER)
    return found
