"""A slider moves the ranking within a frame, measured in the page."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from brainkit.analyze import Analyzer
from brainkit.models import Candidate, Hit, QueryRequest, QueryTerm, RankedList, Trace
from brainkit.search import refuse
from brainkit.widgets.compare_view import compare_view
from brainkit.widgets.view import answer_view

HANDLER_MS = 8
ROUNDS = 8
MEASURE = """
const [name, values] = args;
const control = root.querySelector(`[aria-label=${name}]`);
const times = [];
for (const value of values) {
  await new Promise(requestAnimationFrame);
  const start = performance.now();
  control.value = value;
  control.dispatchEvent(new Event('input'));
  times.push(performance.now() - start);
}
return times;
"""


@pytest.fixture(scope="module")
def trace() -> Trace:
    """Three lists of 200, of 600 chunks with texts of ordinary length."""
    chance = random.Random(7)
    words = ["session", "signed", "token", "key"]
    text = "\n".join(f"line {n}: the session token is signed by a key" for n in range(20))
    candidates = []
    for order in range(600):
        parts = {word: chance.uniform(0.1, 5) for word in words if chance.random() < 0.6}
        candidates.append(
            Candidate(
                key=order + 1,
                order=order,
                chunk_id=f"c{order}",
                source=f"root/src/package/module_{order % 70}.py",
                text=text,
                start_line=order + 1,
                end_line=order + 20,
                source_type="code",
                vector=float(np.float32(chance.uniform(0.2, 0.9))),
                bm25=sum(parts.values()),
                graph=chance.random(),
                bm25_parts=parts,
                term_counts=dict.fromkeys(parts, 20),
                length=180,
            )
        )
    lists = {}
    for name in ("vector", "bm25", "graph"):
        found = sorted(chance.sample(candidates, 200), key=lambda c: -getattr(c, name))
        hits = [
            Hit(key=c.key, order=c.order, rank=rank, score=getattr(c, name))
            for rank, c in enumerate(found, 1)
        ]
        lists[name] = RankedList(retriever=name, depth=200, hits=hits)
    return Trace(
        generation="gen-000001",
        request=QueryRequest(query="how are session tokens signed", mode="multi", depth=200),
        lists=lists,
        candidates=candidates,
        terms=[QueryTerm(token=word, term=word, documents=9, idf=2.0) for word in words],
        total_chunks=9_999,
        allowed_chunks=9_999,
        average_length=170.0,
    )


@pytest.mark.parametrize(
    ("mode", "slider", "tab"),
    [
        ("hybrid", "alpha", "Why here"),
        ("hybrid", "alpha", "Alpha"),
        ("multi", "rrf_k", "Why here"),
        ("multi", "rrf_k", "Votes"),
        ("multi", "bm25", "Flow"),
    ],
)
def test_a_slider_answers_within_8_ms(
    mode: str, slider: str, tab: str, trace: Trace, show: Callable[..., Any]
) -> None:
    response = refuse(trace, trace.request.with_(mode=mode))
    live = show(answer_view(response, Analyzer()))
    live.page.resize(1400)
    live.tab(tab)
    most = {"alpha": 1, "rrf_k": 300, "bm25": 3}[slider]
    steps = [most * n / 50 for n in (*range(50), *range(50, 0, -1))]
    # Other work on the machine only ever adds: one quiet round tells what the page itself needs.
    rounds = (np.percentile(live.do(MEASURE, slider, steps), 95) for _ in range(ROUNDS))
    assert any(p95 <= HANDLER_MS for p95 in rounds)


def test_a_comparison_answers_within_8_ms(trace: Trace, show: Callable[..., Any]) -> None:
    sides = [refuse(trace, trace.request.with_(mode="hybrid", alpha=alpha)) for alpha in (0, 1)]
    live = show(compare_view(*sides, Analyzer(), table=""))
    live.page.resize(1400)
    steps = [n / 50 for n in (*range(50), *range(50, 0, -1))]
    rounds = (np.percentile(live.do(MEASURE, "alpha", steps), 95) for _ in range(ROUNDS))
    assert any(p95 <= HANDLER_MS for p95 in rounds)


def test_an_answer_is_drawn_within_150_ms(trace: Trace, host: Callable[..., Any]) -> None:
    view = answer_view(refuse(trace, trace.request), Analyzer())
    live = host(view, "{}")
    data = {name: value for name, value in view.items() if name != "table"}
    script = """
      stop();
      const start = performance.now();
      window.stop = render(here, args[0], host);
      await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
      return performance.now() - start;
    """
    assert min(live.do(script, data) for _ in range(ROUNDS)) <= 150
