"""What single scores are made of: BM25's saturation, and where similarities lie."""

from __future__ import annotations

import numpy as np
from plotly import graph_objects as go

from brainkit.errors import InvalidSetting
from brainkit.models import QueryResponse
from brainkit.viz.fusion import label
from brainkit.viz.template import AMBER, BLUE, COLOURS, INK, TEMPLATE

_SYMBOLS = ("circle", "square", "diamond", "triangle-up", "x")


def bm25_figure(
    response: QueryResponse, *, k1: float | None = None, b: float | None = None
) -> go.Figure:
    """Return BM25's saturation: what a term is worth by how often a chunk holds it.

    One curve per term of the query, for a chunk of average length; the dots are the candidates,
    off the curve as they are shorter or longer; the dashes are the asymptote idf * (k1 + 1).
    k1 : 0 or more. Larger lets repetition count for longer. b : 0 to 1. Larger punishes length.
        Left out, those of the answer.
    Raises InvalidSetting if BM25 was not run, or for a number out of range.
    """
    asked = response.request
    k1, b = asked.bm25_k1 if k1 is None else k1, asked.bm25_b if b is None else b
    if k1 < 0 or not 0 <= b <= 1:
        raise InvalidSetting(f"k1={k1}, b={b}: allowed are k1 of 0 or more and b of 0 to 1.")
    trace = response.trace
    idf = {term.term: term.idf for term in trace.terms if term.term and term.idf is not None}
    average = trace.average_length
    if not idf or not average:
        raise InvalidSetting(
            "no term of the query is in the keyword index, or bm25 was not run; ask with "
            "mode='bm25', 'hybrid' or 'multi', or trace='full'."
        )
    figure = go.Figure()
    most = max((n for c in trace.candidates for n in c.term_counts.values()), default=1)
    counts = np.linspace(0, most + 1, 120)
    for at, (term, weight) in enumerate(idf.items()):
        colour, symbol = COLOURS[at % len(COLOURS)], _SYMBOLS[at % len(_SYMBOLS)]
        figure.add_scatter(
            x=counts.tolist(),
            y=(weight * counts * (k1 + 1) / (counts + k1)).tolist() if k1 else [weight] * 120,
            mode="lines",
            line={"color": colour},
            name=term,
            legendgroup=term,
            hoverinfo="skip",
        )
        held = [c for c in trace.candidates if c.term_counts.get(term) and c.length]
        times = np.array([c.term_counts[term] for c in held], float)
        norms = k1 * (1 - b + b * np.array([c.length or 0 for c in held], float) / average)
        figure.add_scatter(
            x=times.tolist(),
            y=(weight * times * (k1 + 1) / (times + norms)).tolist(),
            mode="markers",
            marker={"color": colour, "symbol": symbol, "size": 8},
            name=term,
            legendgroup=term,
            showlegend=False,
            text=[f"{label(c.source, c.start_line)}, {c.length} terms" for c in held],
            hovertemplate="%{text}<br>%{x} times: %{y:.3f}<extra></extra>",
        )
        figure.add_hline(y=weight * (k1 + 1), line={"color": colour, "dash": "dash", "width": 1})
    figure.update_layout(
        template=TEMPLATE,
        height=420,
        title=f"BM25 at k1 = {k1:g}, b = {b:g}",
        xaxis={"title": "times the term is in the chunk", "rangemode": "tozero"},
        yaxis={"title": "what it adds to the score", "rangemode": "tozero"},
        legend={"y": -0.2},
    )
    return figure


def similarity_figure(response: QueryResponse, *, bins: int = 40) -> go.Figure:
    """Return where the candidates' similarities lie, the threshold, and how many survive it.

    Candidates are the chunks that some retriever listed, not the whole corpus; the title says so.
    Raises InvalidSetting if the vector retriever was not run.
    """
    values = np.array([c.vector for c in response.trace.candidates if c.vector is not None])
    if not len(values):
        raise InvalidSetting(
            "no candidate has a similarity: the vector retriever was not run; ask with "
            "mode='vector', 'hybrid' or 'multi', or trace='full'."
        )
    least = response.request.similarity_threshold
    kept = int((values >= least).sum())
    low, high = min(0.0, float(values.min())), 1.0
    heights, edges = np.histogram(values, bins=bins, range=(low, high))
    middles = (edges[:-1] + edges[1:]) / 2
    figure = go.Figure()
    figure.add_bar(
        x=middles.tolist(),
        y=heights.tolist(),
        width=(edges[1] - edges[0]) * 0.92,
        marker={
            "color": [BLUE if at >= least else INK for at in middles],
            "pattern": {"shape": ["" if at >= least else "/" for at in middles], "size": 5},
        },
        hovertemplate="%{y} near %{x:.3f}<extra></extra>",
        showlegend=False,
    )
    top = max((r.vector_score for r in response.results if r.vector_score is not None), default=0.0)
    figure.add_vline(
        x=least, line={"color": AMBER, "dash": "dash"}, annotation_text=f"threshold {least:g}"
    )
    if top:
        figure.add_vline(x=top, line={"color": INK, "dash": "dot"}, annotation_text="best result")
    figure.update_layout(
        template=TEMPLATE,
        height=340,
        title=f"{kept:,} of {len(values):,} candidates are at least {least:g} similar",
        xaxis={"title": "cosine similarity", "range": [low, high]},
        yaxis={"title": "candidates"},
        bargap=0.05,
    )
    return figure
