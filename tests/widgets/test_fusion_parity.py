"""The browser fuses, collapses and explains as Python does: same order, same words, same bits."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import brainkit
from brainkit.analyze import Analyzer
from brainkit.answer import Answer
from brainkit.comparison import Comparison
from brainkit.explain import _ordinal
from brainkit.fuse import fuse
from brainkit.markup import terminal
from brainkit.models import (
    RETRIEVERS,
    Candidate,
    Hit,
    Notice,
    Part,
    QueryRequest,
    QueryResponse,
    QueryTerm,
    RankedList,
    Reranked,
    Trace,
)
from brainkit.search import refuse
from brainkit.widgets.compact import compact_trace

Ask = Callable[[str, Any], Any]
CASES = json.loads((Path(__file__).parents[2] / "data" / "fusion_cases.json").read_text("utf-8"))
SEEDS = range(300)
# Sums of few binary digits, so that equal scores and equal roundings do occur.
GRID = [n / 64 for n in range(-16, 65)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_a_case_computed_by_hand(case: dict[str, Any], ask_node: Ask) -> None:
    settings = QueryRequest(query="q", mode=case["mode"], top_k=1, **case["settings"])
    job = {"lists": case["lists"], "raw": case.get("raw", {}), "settings": dumped(settings)}
    assert [one[:2] for one in ask_node("fuse", job)] == case["expected"], case["why"]


@pytest.mark.parametrize("seed", SEEDS)
def test_random_lists_fuse_to_the_same_bits(seed: int, ask_node: Ask) -> None:
    chance = random.Random(seed)
    trace = random_trace(chance)
    raw = {
        name: {c.order: score for c in trace.candidates if (score := getattr(c, name)) is not None}
        for name in (*RETRIEVERS, "rerank")
    }
    for _ in range(3):
        request = random_request(chance, trace)
        lists = {n: [(h.order, h.score) for h in r.hits] for n, r in trace.lists.items()}
        here = [
            [one.id, one.score, [*map(list, one.parts.items())]]
            for one in fuse(lists, raw, request)
        ]
        assert ask_node("fuse", {"lists": lists, "raw": raw, "settings": dumped(request)}) == here


@pytest.mark.parametrize("seed", SEEDS)
def test_random_traces_give_the_same_results_and_reasons(seed: int, ask_node: Ask) -> None:
    chance = random.Random(seed)
    trace = random_trace(chance)
    compact = compact_trace(trace, Analyzer())
    for _ in range(3):
        request = random_request(chance, trace)
        theirs = ask_node("results", {"trace": compact, "request": dumped(request)})
        assert theirs == told(refuse(trace, request))


@pytest.mark.parametrize("seed", SEEDS[:150])
def test_random_comparisons_say_the_same(seed: int, ask_node: Ask) -> None:
    chance = random.Random(seed)
    trace = random_trace(chance)
    requests = [random_request(chance, trace) for _ in "ab"]
    here = Comparison(
        *(Answer(refuse(trace, one), analyzer=Analyzer()) for one in requests),
    )
    job = {"trace": compact_trace(trace, Analyzer()), "requests": [*map(dumped, requests)]}
    assert ask_node("compare", job) == {
        "summary": here.summary(),
        "rows": [
            {
                "chunk_id": row.result.chunk_id,
                "where": row.where,
                "move": row.move,
                "ranks": [one and one.rank for one in (row.a, row.b)],
                "why": [one and one.explanation.sentence for one in (row.a, row.b)],
            }
            for row in here.rows
        ],
    }


@pytest.mark.parametrize(
    "query",
    ["how are sessions signed", "what calls normalize_isbn", "BM25 2024 3.11", "zzz", "书 the of"],
)
def test_the_sample_gives_the_same_answers_in_every_mode(
    query: str, sample: brainkit.Brain, ask_node: Ask
) -> None:
    answer = sample.query(query, mode="multi", top_k=10, trace="full")
    compact = compact_trace(answer.trace, Analyzer())
    for change in (
        {"mode": "vector"},
        {"mode": "bm25", "collapse": "overlap"},
        {"mode": "graph"},
        {"mode": "multi", "rrf_k": 7.5, "weights": {"vector": 0.3, "bm25": 2, "graph": 1}},
        *({"mode": "hybrid", "alpha": n / 20, "normalize": "minmax"} for n in range(21)),
        {"mode": "hybrid", "similarity_threshold": 0.4, "collapse": "source"},
    ):
        request = answer.request.with_(**change)
        theirs = ask_node("results", {"trace": compact, "request": dumped(request)})
        assert theirs == told(refuse(answer.trace, request)), change


def test_late_filters_drop_the_same_results(sample: brainkit.Brain, ask_node: Ask) -> None:
    answer = sample.query(
        "catalogue", trace="full", filter_stage="post", file_paths=["*.md"], top_k=20
    )
    assert [notice.kind for notice in answer.response.notices] == ["starved"]
    job = {"trace": compact_trace(answer.trace, Analyzer()), "request": dumped(answer.request)}
    assert ask_node("results", job) == told(answer.response)


def test_numbers_are_written_as_python_writes_them(ask_node: Ask) -> None:
    chance = random.Random(1)
    values = [
        *(n / 32 for n in range(-64, 64)),  # ties: 1/32 = 0.03125
        *(n / 64 + 1000 for n in range(64)),  # and 1000.015625, a tie of seven digits
        *(chance.uniform(-2, 2) * 10 ** chance.randint(-8, 8) for _ in range(500)),
        *(float(np.float32(chance.random())) for _ in range(200)),
        *(0.0, -0.0, 1.0, 60.0, 999999.5, 1e6, 123456789.0, 0.0001, 0.00001234565, 5e-324),
    ]
    here = [[f"{x:.2f}", f"{x:.3f}", f"{x:.4f}", f"{x:.6f}", f"{x:g}"] for x in values]
    for value, mine, theirs in zip(values, here, ask_node("numbers", values), strict=True):
        assert theirs == mine, value


def test_ordinals_are_the_same_words(ask_node: Ask) -> None:
    numbers = list(range(1, 1001))
    assert ask_node("ordinals", numbers) == [_ordinal(n) for n in numbers]


def test_hostile_characters_are_shown_as_on_a_terminal(ask_node: Ask) -> None:
    texts = [chr(code) for code in range(0x3000)] + [
        "\u202eabc\u2066",
        "🧠",
        "a\r\nb\tc",
        "\ud800x",
    ]
    assert ask_node("shown", texts) == [terminal(text) for text in texts]


def test_a_crossing_is_where_both_lines_are_equally_high(ask_node: Ask) -> None:
    lines = [
        {"id": 1, "v": 1.0, "b": 0.0},
        {"id": 2, "v": 0.0, "b": 1.0},
        {"id": 3, "v": 0.5, "b": 0.75},
        {"id": 4, "v": 1.0, "b": 0.0},  # the same line as 1: it crosses 2 and 3, and never 1
    ]
    found = ask_node("crossings", lines)
    assert [one[:3] for one in found] == [
        [(0.75 - 1.0) / ((0.0 - 0.5) + (0.75 - 1.0)), 3, 2],
        [(1.0 - 0.0) / ((1.0 - 0.0) + (1.0 - 0.0)), 1, 2],
        [0.5, 4, 2],
        [(0.75 - 0.0) / ((1.0 - 0.5) + (0.75 - 0.0)), 1, 3],
        [0.6, 4, 3],
    ]
    assert all(up == pytest.approx(down, abs=1e-15) for *_, up, down in found)


@pytest.mark.parametrize(
    ("text", "marks", "shown"),
    [
        ("a\nb\nc\nd", [], "a\nb"),
        ("a\nb\nc\nd", [4, 5], "b\nc"),
        ("\n\nc\nd", [4, 5], "c\nd"),
        ("one line", [0, 3], "one line"),
        ("a\nb\nc x x\nd", [4, 5, 6, 7, 10, 11], "c x x\nd"),
        ("", [], ""),
    ],
)
def test_an_excerpt_shows_the_lines_with_most_marks(
    text: str, marks: list[int], shown: str, ask_node: Ask
) -> None:
    part = ask_node("excerpt", {"text": text, "marks": marks, "lines": 2})
    assert text[part["from"] : part["to"]] == shown
    assert part["total"] == text.count("\n") + 1


def dumped(request: QueryRequest) -> dict[str, Any]:
    return request.model_dump(mode="json")


def told(response: QueryResponse) -> dict[str, Any]:
    """What both sides must agree on."""
    scores = {"score", "vector_score", "bm25_score", "graph_score", "rerank_score"}
    fields = {"rank", "chunk_id", "collapsed", "explanation", *scores}
    results = [result.model_dump(mode="json", include=fields) for result in response.results]
    notices = [notice.model_dump() for notice in response.notices]
    return {"candidates": response.candidates, "notices": notices, "results": results}


def random_trace(chance: random.Random) -> Trace:
    size = chance.choice([0, 1, 2, 5, 20, 60])
    coarse = chance.random() < 0.5

    def score(high: float) -> float:
        value = chance.choice(GRID) if coarse else chance.uniform(-0.2, 1)
        return float(np.float32(value * high))

    names = ["2024", "7", "alpha", "zeta", "é", "書", "🧠"]
    read = chance.choice([0, 0.5, 1])
    candidates = []
    for order in sorted(chance.sample(range(500), size)):
        parts = {term: abs(score(8)) for term in chance.sample(names, chance.randint(0, 4))}
        start = chance.randint(1, 40)
        candidates.append(
            Candidate(
                key=order + 1,
                order=order,
                chunk_id=f"c{order}",
                source=f"root/{chance.choice('abc')}.py",
                text="text",
                start_line=start,
                end_line=start + chance.randint(0, 9),
                source_type="code",
                vector=None if chance.random() < 0.1 else score(1),
                bm25=float(sum(parts.values())),
                graph=abs(score(1)) if chance.random() < 0.5 else None,
                bm25_parts=parts,
                term_counts=dict.fromkeys(parts, chance.randint(1, 9)),
                length=chance.randint(1, 300),
                graph_parts=(Part(name="x", value=0.25, arithmetic="1/4"),),
                entities=tuple(chance.sample(["A.b", "C"], chance.randint(0, 2))),
                rerank=score(12) if chance.random() < read else None,
            )
        )
    depth = chance.choice([50, 500])
    terms = [*chance.choices(names, k=chance.randint(0, 5)), "absent"]
    request = QueryRequest(query="q", mode="multi", top_k=1, depth=depth)
    return Trace(
        generation="gen-000001",
        request=request,
        lists={name: random_list(chance, name, candidates, depth) for name in RETRIEVERS},
        candidates=candidates,
        terms=[QueryTerm(token=t, term=t, documents=3, idf=chance.uniform(0.1, 6)) for t in terms],
        total_chunks=600,
        allowed_chunks=600,
        average_length=chance.uniform(1, 200),
        reranked=Reranked(
            reranker="r",
            depth=20,
            scored=len(candidates),
            withheld=[c.order for c in candidates if c.rerank is None and chance.random() < 0.3],
            notices=[Notice(kind="rerank-withheld", message="some")],
        ),
    )


def random_list(
    chance: random.Random, name: Any, candidates: list[Candidate], depth: int
) -> RankedList:
    scored = [(score, c) for c in candidates if (score := getattr(c, name) or 0.0) > 0]
    scored = [one for one in scored if chance.random() < 0.8]
    scored.sort(key=lambda one: (-one[0], one[1].order))
    hits = [
        Hit(key=c.key, order=c.order, rank=rank, score=score)
        for rank, (score, c) in enumerate(scored[:depth], 1)
    ]
    return RankedList(retriever=name, depth=depth, hits=hits, reason=None if hits else "no luck")


def random_request(chance: random.Random, trace: Trace) -> QueryRequest:
    top_k = chance.choice([1, 5, 50])
    full = trace.request.depth
    return trace.request.with_(
        mode=chance.choice(["vector", "bm25", "hybrid", "hybrid", "graph", "multi", "multi"]),
        top_k=top_k,
        depth=chance.choice([max(top_k, 7), full]),
        alpha=chance.choice([0, 1, 0.5, chance.random(), 0.1 * chance.randint(0, 10)]),
        normalize=chance.choice(["max", "minmax", "none"]),
        similarity_threshold=chance.choice([0, 0, 0.25, chance.random()]),
        rrf_k=chance.choice([1, 60, 1000, chance.uniform(1, 2), chance.uniform(1, 100)]),
        weights={
            "vector": chance.choice([1, 0, chance.uniform(0, 3)]),
            "bm25": chance.choice([1, 0.1, chance.uniform(0, 3)]),
            "graph": chance.choice([1, 0, 0.7]),
        },
        collapse=chance.choice(["none", "overlap", "source"]),
        rerank=chance.random() < 0.4,
        rerank_depth=chance.choice([1, 5, 20, 100]),
    )
