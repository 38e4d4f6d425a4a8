"""The scorer that lets the question choose among neighbours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from brainkit import settings
from brainkit.models import Part, QueryRequest
from brainkit.retrieve.base import Mask, Question, Rows
from brainkit.retrieve.graph.evidence import share
from brainkit.retrieve.graph.ground import Ground
from brainkit.retrieve.graph.paths import NOTHING, Linked, Reached, Scored, Step
from brainkit.retrieve.graph.textual import TextEvidence, meaning
from brainkit.retrieve.graph.walk import Walk, saying, told
from brainkit.retrieve.graph.wording import Wording
from brainkit.store.generation import Generation
from brainkit.store.graph import Ends, GraphIndex, Ints

Numbers = NDArray[np.float64]

# Chosen on the first 300 questions of 2WikiMultihopQA, plain and among competing passages;
# tests/bench/multihop.py and tests/bench/stress.py measure the others.
TEXT = 0.375
"""Share of a chunk's own text in its score; the rest is its best path."""
FORWARD, BACKWARD = 0.7, 0.3
"""What is left of a weight after a relation, and after one taken from its object."""
SHARPNESS = 8.0
"""How much less an entity's other relations count than the one that suits the question best."""
ONE_WORD = 0.7
"""A name of one word is meant less surely."""
CLEAR = 0.95
"""Text evidence from which a named entity is surely the one that is meant."""
PASSAGES, PASSAGE_WEIGHT, PASSAGE_POWER = 3, 0.1, 8
"""The best chunks by text begin paths too, weakly, unless the question asks for a relation."""
FAINT = 0.05
"""Share of the best below which a path is no evidence. Without it two paths that agree on what is
all but unrelated outvote one that is right: R@5 of multi is .77, and .90 with it."""
FRONT = 64
"""Entities that a round goes on from; the weight of further ones has fallen to nothing."""
SENTENCES, SUPPORTS = 100, 3
"""Relations of a round, and sentences of each, that are read: the heaviest, to bound the time."""
HELD = 64
"""Chunks of a named entity that are looked at for text evidence."""
REACHED, READ = 500, 500
"""Entities that a walk keeps, and chunks whose text is weighed: those of the best paths."""


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
      it names it;
    - weight(named) = weight of the name * sqrt(idf) * (.7 if it is one word) * min(1, H / .95), H
      being the most text evidence of its chunks; the three chunks of most evidence begin paths
      with .1 * H^8, unless the question asks for a relation;
    - a relation carries weight * way * idf * fit: way is .7, or .3 from its object to its subject;
      idf(object) = ln((N + 1) / df) / ln(N + 1); fit = exp(8 * (x - best x of the entity's
      relations)), x being how much of the question's wording stands near the name of the object
      in the sentence that says the relation (``Wording.near``);
    - a relation that the question asks for ("what calls X") carries the whole weight, whatever
      else the first hop takes a quarter; a hub ends the path;
    - H is the evidence of the whole question, H' that of its words without the names
      (``TextEvidence``).

    An entity keeps the path by which it was reached first, of these the heaviest: it explains the
    score. Nothing is found where the question names nothing. Embeds the question once; without
    vectors, text is keywords alone.
    """
    if not linked.seeds:
        return NOTHING
    graph = generation.graph
    ground = Ground.of(graph, request, linked)
    wording = Wording.of(question, linked, generation.keywords)
    vector = meaning(question, generation)
    whole = TextEvidence.of(question.terms, generation, vector)
    rest = TextEvidence.of(wording.terms, generation, vector)
    guide = _Guide(ground, wording, generation)
    guide.walk(_named(linked, graph, generation, whole), depth=request.traversal_depth)
    if not ground.asks:
        guide.walk(_passages(graph, whole), depth=request.traversal_depth)
    scored = _Ranking.of(guide, rest).scored()
    full = len(guide.reached) >= REACHED
    found = Walk(guide.reached, full=full, says=guide.says)
    return replace(scored, notices=told(found, ground, linked))


def _named(
    linked: Linked, graph: GraphIndex, generation: Generation, whole: TextEvidence
) -> dict[int, float]:
    """Return the entities that the question names, by how surely each is meant."""
    found = {}
    for seed in linked.seeds:
        held = graph.chunks_of(seed.entity)
        rows = held.rows[held.about] if held.about.any() else held.rows[:HELD]
        evidence = whole(rows[:HELD].astype(np.int64))
        clear = min(1.0, float(evidence.max()) / CLEAR) if len(rows) else 1.0
        few = ONE_WORD if seed.words == 1 else 1.0
        idf = float(_idf(graph.documents[[seed.entity]], generation.size)[0])
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


def _idf(documents: Ints, size: int) -> Numbers:
    """Return ln((N + 1) / df) / ln(N + 1) of each: 1 for what is in one chunk, 0 for all."""
    return np.asarray(np.log((size + 1) / np.maximum(documents, 1)) / np.log(size + 1))


@dataclass
class _Guide:
    """A walk that weighs every relation by the question.

    says : entity -> rows of the chunks that say of it what the question asks for.
    faint : the weight below which nothing is reached.
    """

    ground: Ground
    wording: Wording
    generation: Generation
    reached: dict[int, Reached] = field(default_factory=dict)
    says: dict[int, frozenset[int]] = field(default_factory=dict)
    faint: float = 0.0

    def walk(self, seeds: Mapping[int, float], *, depth: int) -> None:
        """Walk from entities with weights; those reached before keep their path."""
        new = {
            entity: weight
            for entity, weight in seeds.items()
            if entity not in self.reached and weight > self.faint
        }
        self.faint = max(self.faint, FAINT * max(new.values(), default=0.0))
        for entity, weight in new.items():
            self.reached[entity] = Reached(0, weight, f"{weight:.4g}")
        front = np.array(sorted(new, key=lambda e: (-new[e], e)), np.int32)
        for hops in range(1, depth + 1):
            if not len(front):
                return
            front = self._hop(front, hops)

    def _hop(self, front: Ints, hops: int) -> Ints:
        """Reach what is one hop from a front, and return whence to go on, the heaviest first."""
        graph, ground = self.ground.graph, self.ground
        ends, left = ground.ends_of(front)
        for entity, count in left.items():
            self.reached[entity] = replace(self.reached[entity], capped=count)
        if not len(ends.at):
            return front[:0]
        objects = np.where(ends.forward, ends.other, front[ends.at])
        idf = _idf(graph.documents[objects], self.generation.size)
        way = np.where(ends.forward, FORWARD, BACKWARD)
        wanted = ground.is_wanted(ends) if ground.asks else np.zeros(len(ends.at), np.bool_)
        if ground.asks and hops == 1:
            if not ground.forward:
                self.says.update(saying(front, ends, ground))
            way = np.where(wanted, 1.0, way * settings.GRAPH_ASIDE)
            idf = np.where(wanted, 1.0, idf)
        before = np.array([self.reached[e].weight for e in front.tolist()])[ends.at]
        bound = before * way * idf
        likely = bound >= self.faint
        if not likely.any():
            return front[:0]
        ends = Ends._make(column[likely] for column in ends)
        objects, idf, way, wanted = objects[likely], idf[likely], way[likely], wanted[likely]
        before, bound = before[likely], bound[likely]
        relevance = self._relevance(ends, objects, bound)
        best = np.zeros(len(front))
        np.maximum.at(best, ends.at, relevance)
        fits = np.where(wanted, 1.0, np.exp(SHARPNESS * (relevance - best[ends.at])))
        weight = bound * fits
        known = np.fromiter(self.reached, np.int32, len(self.reached))
        order = np.lexsort((np.arange(len(weight)), -weight, ends.other))
        order = order[np.diff(ends.other[order], prepend=-1) > 0]
        order = order[~np.isin(ends.other[order], known) & (weight[order] >= self.faint)]
        order = order[np.lexsort((ends.other[order], -weight[order]))]
        order = order[: max(0, REACHED - len(self.reached))]
        for at in order.tolist():
            other = int(ends.other[at])
            origin = int(front[ends.at[at]])
            self.reached[other] = Reached(
                hops,
                float(weight[at]),
                f"{before[at]:.4g} * {way[at]:g} * {idf[at]:.4g} * {fits[at]:.4g}",
                Step(
                    origin,
                    int(ends.relation[at]),
                    int(ends.predicate[at]),
                    bool(ends.forward[at]),
                ),
                hub=int(graph.degree[other]) > settings.GRAPH_HUB_DEGREE,
            )
        following = ends.other[order]
        open_ones: Ints = following[graph.degree[following] <= settings.GRAPH_HUB_DEGREE]
        return open_ones[:FRONT]

    def _relevance(self, ends: Ends, objects: Ints, bound: Numbers) -> Numbers:
        """Return x of each relation: the best of the sentences that say it; 0 where none is known.

        bound : the most that each can carry, by which those that are read are chosen.
        """
        found = np.zeros(len(bound))
        if not self.wording.weights:
            return found
        graph = self.ground.graph
        chosen = np.argsort(-bound, kind="stable")[:SENTENCES]
        places = []
        for at in chosen.tolist():
            support = graph.support(int(ends.relation[at]))
            rows, starts, stops = (column[:SUPPORTS].tolist() for column in support)
            places.append(list(zip(rows, starts, stops, strict=True)))
        rows = np.unique([row for place in places for row, start, end in place if end])
        texts = self.generation.chunks.texts(rows.astype(np.int64)) if len(rows) else {}
        for at, place in zip(chosen.tolist(), places, strict=True):
            name = graph.names[int(objects[at])]
            near = [
                self.wording.near(name, texts[row][start:end]) for row, start, end in place if end
            ]
            found[at] = max(near, default=0.0)
        return found


@dataclass(frozen=True)
class _Ranking:
    """Chunks, ascending, with the best path to each: its worth, where it ends, and how much of
    that entity the chunk says.
    """

    reached: Mapping[int, Reached]
    rows: Rows
    path: Numbers
    shares: Numbers
    ends: Ints
    text: Numbers
    graph: GraphIndex

    @classmethod
    def of(cls, guide: _Guide, text: TextEvidence) -> _Ranking:
        """Find the best path to every chunk that holds, or says, what was reached."""
        graph, reached = guide.ground.graph, guide.reached
        entities = np.fromiter(reached, np.int32, len(reached))
        weights = np.fromiter((one.weight for one in reached.values()), np.float64)
        at, held, about, names = graph.chunks_of_each(entities)
        shares = share(about, names)
        if guide.says:
            asked = np.isin(entities, np.fromiter(guide.says, np.int32))
            shares = np.where(asked[at], shares * settings.GRAPH_MENTION, shares)
            number = {entity: position for position, entity in enumerate(reached)}
            extra = [(number[e], r) for e, rows in guide.says.items() for r in rows if e in number]
            at = np.append(at, np.array([n for n, _ in extra], np.int32))
            held = np.append(held, np.array([r for _, r in extra], np.int32))
            shares = np.append(shares, np.ones(len(extra)))
        worth = weights[at] * shares
        order = np.lexsort((at, -worth, held))
        order = order[np.diff(held[order], prepend=-1) > 0]
        order = order[worth[order] >= FAINT * worth.max(initial=0.0)]
        if len(order) > READ:
            order = np.sort(order[np.argsort(-worth[order], kind="stable")[:READ]])
            order = order[np.argsort(held[order], kind="stable")]
        rows = held[order].astype(np.int64)
        return cls(
            reached, rows, worth[order], shares[order], entities[at[order]], text(rows), graph
        )

    def scored(self) -> Scored:
        """Return the scores, and how to explain them."""
        scores = (1 - TEXT) * self.path + TEXT * self.text
        return Scored(self.rows, scores.astype(np.float32), self.reached, self.parts, self.end)

    def parts(self, row: int) -> Sequence[Part]:
        """Return what the path adds, and what the chunk's own text does."""
        at = self._at(row)
        if at is None:
            return ()
        end = int(self.ends[at])
        arithmetic = f"{1 - TEXT:g} * {self.reached[end].arithmetic}"
        if self.shares[at] != 1.0:
            arithmetic += f" * {self.shares[at]:.4g}"
        path, text = float(self.path[at]), float(self.text[at])
        found = (
            Part(name=self.graph.names[end], value=(1 - TEXT) * path, arithmetic=arithmetic),
            Part(name="text", value=TEXT * text, arithmetic=f"{TEXT:g} * {text:.4g}"),
        )
        return sorted(found, key=lambda part: -part.value)

    def end(self, row: int) -> int | None:
        """Return the entity at which the best path to a chunk ends."""
        at = self._at(row)
        return None if at is None else int(self.ends[at])

    def _at(self, row: int) -> int | None:
        at = int(np.searchsorted(self.rows, row))
        return at if at < len(self.rows) and self.rows[at] == row else None
