"""Why a result is where it is: the summands of its score, the arithmetic, and one sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from brainkit.fuse import Fused
from brainkit.models import Candidate, Explanation, Move, Part, QueryMode, QueryRequest, Trace

_SIDE = {"vector": "meaning", "bm25": "keywords", "graph": "relations"}
_SCORE = {"vector": "similarity", "bm25": "BM25", "graph": "graph score"}


@dataclass(frozen=True)
class Facts:
    """One fused candidate, its rank in each list, and the settings that fused it.

    bounds : least and largest score of each side over the hybrid candidates, as they count.
    move : what the reranker did to it, None if it did not read it.
    """

    candidate: Candidate
    fused: Fused
    ranks: Mapping[str, int]
    bounds: Mapping[str, tuple[float, float]]
    request: QueryRequest
    trace: Trace
    move: Move | None = None


def explain(facts: Facts) -> Explanation:
    """Return parts that sum to the fused score, with the arithmetic of each, and a sentence.

    The parts of a BM25 score are float32, added in query order, as bm25s does: they sum to it
    within float32 rounding, as those of a graph score do. All other sums are exact in float64.
    """
    parts = _PARTS[facts.request.mode](facts)
    return Explanation(
        mode=facts.request.mode,
        score=facts.fused.score,
        parts=parts,
        sentence=_sentence(facts),
        move=facts.move,
    )


def path_of(candidate: Candidate) -> tuple[str, ...]:
    """Return the relations that lead to a candidate, one hop each; empty if the graph has none.

    One that needs no hop mentions what the question names.
    """
    if candidate.path or not candidate.entities:
        return tuple(map(str, candidate.path))
    return (f"{candidate.source} -> mentions -> {candidate.entities[0]}",)


def _vector(facts: Facts) -> tuple[Part, ...]:
    score = facts.fused.score
    return (Part(name="vector", value=score, arithmetic=f"cosine similarity {score:.4f}"),)


def _graph(facts: Facts) -> tuple[Part, ...]:
    return facts.candidate.graph_parts


def _bm25(facts: Facts) -> tuple[Part, ...]:
    candidate, trace = facts.candidate, facts.trace
    idf = {term.term: term.idf for term in trace.terms}
    asked = [term.term for term in trace.terms]
    k1, b = facts.request.bm25_k1, facts.request.bm25_b
    parts = []
    for term, value in candidate.bm25_parts.items():
        f, times = candidate.term_counts.get(term, 0), asked.count(term)
        arithmetic = (
            f"idf {idf.get(term) or 0.0:.4f} * {f} * {k1 + 1:g} / ({f} + {k1:g} * "
            f"(1 - {b:g} + {b:g} * {candidate.length} / {trace.average_length or 0.0:.2f}))"
        )
        if times > 1:
            arithmetic = f"{times} * {arithmetic}"
        parts.append(Part(name=term, value=value, arithmetic=arithmetic))
    return tuple(parts)


def _hybrid(facts: Facts) -> tuple[Part, ...]:
    weights = {"vector": facts.request.alpha, "bm25": 1.0 - facts.request.alpha}
    return tuple(
        Part(name=name, value=value, arithmetic=f"{weights[name]:g} * {_normalized(facts, name)}")
        for name, value in facts.fused.parts.items()
    )


def _normalized(facts: Facts, name: str) -> str:
    raw, (low, high) = getattr(facts.candidate, name), facts.bounds[name]
    least, why = facts.request.similarity_threshold, ""
    if raw is None:
        why = " (no vector to compare)"
    elif name == "vector" and raw < least:
        why = f" (similarity {raw:.4f} is below {least:g} and counts 0)"
    score = f"{0.0 if why else raw:.6f}"  # what has a reason not to count, counts 0
    if facts.request.normalize == "none":
        return score + why
    if high <= 0.0:
        return "0" + why
    if facts.request.normalize == "max":
        return f"{score} / {high:.6f}{why}"
    return "1" if low == high else f"({score} - {low:.6f}) / ({high:.6f} - {low:.6f}){why}"


def _multi(facts: Facts) -> tuple[Part, ...]:
    weights = dict(facts.request.weights)
    return tuple(
        Part(
            name=name,
            value=value,
            arithmetic=f"{weights[name]:g} / ({facts.request.rrf_k:g} + {facts.ranks[name]})",
        )
        for name, value in facts.fused.parts.items()
    )


_PARTS: dict[QueryMode, Callable[[Facts], tuple[Part, ...]]] = {
    QueryMode.VECTOR: _vector,
    QueryMode.BM25: _bm25,
    QueryMode.HYBRID: _hybrid,
    QueryMode.GRAPH: _graph,
    QueryMode.MULTI: _multi,
}


def _sentence(facts: Facts) -> str:
    clauses = []
    for name in facts.fused.parts:
        raw = getattr(facts.candidate, name)
        score = "no vector" if raw is None else f"{_SCORE[name]} {raw:.3f}"
        rank = facts.ranks.get(name)
        if rank is not None:
            clauses.append(f"{_ordinal(rank)} by {_SIDE[name]} ({score}{_words(facts, name)})")
        else:
            clauses.append(f"not in the {_SIDE[name]} list ({score}{_words(facts, name)})")
    text = " and ".join(clauses)
    return f"{text[:1].upper()}{text[1:]}.{_moved(facts)}"


def _moved(facts: Facts) -> str:
    if not facts.request.rerank:
        return ""
    if facts.move is None:
        return " Not read by the reranker."
    score, before, after = facts.move.score, facts.move.before, facts.move.after
    way = f"kept {_ordinal(after)}" if before == after else f"moved from {before} to {after}"
    return f" Reranking {way} (score {score:.3f})."


def _words(facts: Facts, name: str) -> str:
    if name == "graph":
        path = path_of(facts.candidate)
        return ": " + ", then ".join(path) if path else ""
    if name != "bm25" or not facts.candidate.bm25_parts:
        return ""
    best = sorted(facts.candidate.bm25_parts.items(), key=lambda part: (-part[1], part[0]))[:3]
    return ": " + ", ".join(f"{term} {value:.2f}" for term, value in best)


def _ordinal(n: int) -> str:
    words = ("first", "second", "third", "fourth", "fifth")
    if n <= len(words):
        return words[n - 1]
    suffix = "th" if 10 <= n % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n}{suffix}"
