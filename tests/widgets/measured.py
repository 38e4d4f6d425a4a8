"""Evaluations and sweeps made by hand, and a page as strict as a report that shows them."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from brainkit.evaluation.datasets import Dataset
from brainkit.evaluation.measures import grades_of, parse
from brainkit.models import QueryRequest
from brainkit.widgets.evaluated import Evaluation, Sweep
from brainkit.widgets.view import evaluation_source, view_html

ROOT = "document.querySelectorAll('brainkit-evaluation-1')[{index}].shadowRoot"


def evaluation(
    rankings: Mapping[str, Mapping[str, Sequence[str]]],
    qrels: Mapping[str, Mapping[str, int]],
    *,
    texts: Mapping[str, str] | None = None,
    metadata: Mapping[str, Mapping[str, Any]] | None = None,
    measures: Sequence[str] = ("nDCG@10", "R@5"),
    name: str = "by hand",
    **more: Any,
) -> Evaluation:
    """Return the evaluation of rankings: configuration -> query -> units, best first.

    A query that a configuration lacks was not run.
    """
    queries = texts or {query: f"query {query}" for query in qrels}
    dataset = Dataset(name=name, queries=queries, qrels=qrels, metadata=metadata or {})
    chosen = tuple(map(parse, measures))
    scores, ms, unjudged = {}, {}, {}
    for config, found in rankings.items():
        ms[config] = np.array([10.0 + n if q in found else np.nan for n, q in enumerate(queries)])
        unjudged[config] = np.array([0.5 if query in found else np.nan for query in queries])
        for measure in chosen:
            values = [
                measure.of(grades_of(found[q], qrels[q], 1000)[np.newaxis], list(qrels[q].values()))
                if q in found
                else [np.nan]
                for q in queries
            ]
            scores[config, str(measure)] = np.array([value[0] for value in values], float)
    return Evaluation(
        dataset=dataset,
        unit="source",
        measures=chosen,
        configs={config: QueryRequest(query="-", mode="bm25") for config in rankings},
        baseline=next(iter(rankings)),
        scores=scores,
        rankings=rankings,
        ms=ms,
        unjudged=unjudged,
        generation="gen-000001",
        **more,
    )


def many(count: int, configs: int = 2, *, depth: int = 10) -> Evaluation:
    """Return an evaluation of so many queries: configuration c has the relevant unit at any rank.

    The rank is 1 + (7 query + 3 c) mod (depth + 2), so that some are missed and some tie.
    """
    qrels = {f"q{n}": {f"d{n}": 1 + n % 3, f"e{n}": 0} for n in range(count)}
    rankings: dict[str, dict[str, list[str]]] = {}
    for c in range(configs):
        rankings[f"config {c}"] = {}
        for n in range(count):
            units = [f"x{n}-{rank}" for rank in range(depth)]
            units.insert((7 * n + 3 * c) % (depth + 2), f"d{n}")
            rankings[f"config {c}"][f"q{n}"] = units[:depth]
    kinds = {f"q{n}": {"type": ("exact", "paraphrase")[n % 2]} for n in range(count)}
    return evaluation(rankings, qrels, metadata=kinds)


def sweep(**fields: Any) -> Sweep:
    """Return a sweep of rrf_k over four queries, with what is given otherwise."""
    scores = {10: np.array([0.5, 1.0, 0.0, 0.5]), 60: np.array([0.5, 0.5, 0.0, 0.25])}
    given: dict[str, Any] = {
        "setting": "rrf_k",
        "measure": parse("nDCG@10"),
        "unit": "source",
        "dataset": Dataset(name="by hand", queries={q: q for q in "abcd"}, qrels={}),
        "base": QueryRequest(query="-", mode="multi"),
        "values": (10, 60),
        "means": np.array([0.5, 0.3125]),
        "default": 60,
        "default_scores": scores[60],
        "held": None,
        "score_at": lambda value: scores[value],
    }
    return Sweep(**{**given, **fields})


def open_page(
    page: Any, folder: Path, live: ModuleType, *views: Mapping[str, Any], head: str = ""
) -> Any:
    """Show views on a page without network and inline scripts; return the first one, drawn."""
    digest = base64.b64encode(hashlib.sha256(evaluation_source().encode()).digest()).decode()
    policy = f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'"
    file = folder / "page.html"
    file.write_text(
        '<!doctype html><html lang="en"><title>Views</title><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">{head}'
        "<main><h1>A page</h1><h2>Views</h2>"
        + "".join(view_html(view) for view in views)
        + "</main>",
        "utf-8",
    )
    page.open(file)
    every = "[...document.querySelectorAll('brainkit-evaluation-1')]"
    page.wait(f"{every}.filter(v => v.shadowRoot?.childElementCount).length === {len(views)}")
    return live.LiveView(page, root=ROOT.format(index=0))
