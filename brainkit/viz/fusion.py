"""How fusion made an order: votes in multi mode, lines and ranks over alpha in hybrid mode."""

from __future__ import annotations

from typing import Final

import numpy as np
from plotly import graph_objects as go
from plotly.subplots import make_subplots

from brainkit.errors import InvalidSetting
from brainkit.evaluation.lines import Lines, sides_of
from brainkit.models import RETRIEVERS, Candidate, QueryMode, QueryRequest, QueryResponse, Trace
from brainkit.viz.template import AMBER, BLUE, COLOURS, GREEN, INK, TEMPLATE

LOOKS: Final = {
    "vector": ("meaning", BLUE, ""),
    "bm25": ("keywords", AMBER, "/"),
    "graph": ("relations", GREEN, "x"),
}
"""Name, colour and hatching of each retriever: none is told by colour alone."""
_DASHES: Final = ("solid", "dash", "dot", "dashdot", "longdash")
_LABEL_CHARS: Final = 34


def rrf_figure(response: QueryResponse) -> go.Figure:
    """Return the votes of each retriever for every result, stacked: weight / (rrf_k + rank).

    Raises InvalidSetting for an answer of another mode.
    """
    _needs(response.request, QueryMode.MULTI)
    labels = [f"{r.rank}  {label(r.source, r.start_line)}" for r in response.results]
    figure = go.Figure()
    for name in RETRIEVERS:
        parts = [
            next((p for p in result.explanation.parts if p.name == name), None)
            for result in response.results
        ]
        title, colour, hatch = LOOKS[name]
        figure.add_bar(
            name=title,
            orientation="h",
            y=labels,
            x=[part.value if part else 0.0 for part in parts],
            customdata=[part.arithmetic if part else "no vote" for part in parts],
            hovertemplate=f"{title}: %{{x:.5f}}<br>%{{customdata}}<extra></extra>",
            marker={"color": colour, "pattern": {"shape": hatch, "size": 6}},
        )
    figure.update_layout(
        template=TEMPLATE,
        barmode="stack",
        title=f"Votes at rrf_k = {response.request.rrf_k:g}",
        height=110 + 28 * max(1, len(labels)),
        xaxis={"title": "sum of votes"},
        yaxis={"autorange": "reversed", "showgrid": False},
        legend={"y": 1.0, "yanchor": "bottom", "x": 1.0, "xanchor": "right"},
    )
    return figure


def alpha_figure(response: QueryResponse, *, top: int = 6) -> go.Figure:
    """Return blended scores as straight lines in alpha, above the ranks that follow from them.

    Lines of the candidates that are among the ``top`` (1 to 20) best at some alpha; dots are the
    exact crossings of two of them, a* = (b_j - b_i) / ((v_i - v_j) + (b_j - b_i)).
    Raises InvalidSetting for an answer of another mode, NotInTrace if a side was not run.
    """
    _needs(response.request, QueryMode.HYBRID)
    if not 1 <= top <= 20:
        raise InvalidSetting(f"top={top}: allowed is 1 to 20.")
    chosen, v, b = _lines(response.trace, response.request, top)
    figure = make_subplots(
        rows=2,
        cols=1,
        shared_xaxes=True,
        vertical_spacing=0.08,
        row_heights=[0.6, 0.4],
        subplot_titles=("Blended score", "Rank"),
    )
    edges, ranks = _ranks(v, b)
    for at, candidate in enumerate(chosen):
        name = label(candidate.source, candidate.start_line)
        look = {"color": COLOURS[at % len(COLOURS)], "dash": _DASHES[at // len(COLOURS)]}
        figure.add_scatter(
            x=[0.0, 1.0],
            y=[b[at], v[at]],
            mode="lines",
            name=name,
            legendgroup=name,
            line=look,
            row=1,
            col=1,
        )
        shown = np.where(ranks[at] <= top, ranks[at].astype(float), np.nan)
        figure.add_scatter(
            x=np.repeat(edges, 2)[1:-1].tolist(),
            y=[None if np.isnan(rank) else rank for rank in np.repeat(shown, 2)],
            mode="lines",
            name=name,
            legendgroup=name,
            showlegend=False,
            line=look,
            row=2,
            col=1,
        )
    crossings = _crossings(v, b)
    figure.add_scatter(
        x=[at for _, _, at in crossings],
        y=[at * v[i] + (1.0 - at) * b[i] for i, _, at in crossings],
        mode="markers",
        name="crossings",
        marker={"size": 6, "color": INK, "symbol": "circle-open"},
        text=[
            f"{label(chosen[i].source, chosen[i].start_line)} and "
            f"{label(chosen[j].source, chosen[j].start_line)} change places at {at:.4f}"
            for i, j, at in crossings
        ],
        hovertemplate="%{text}<extra></extra>",
        row=1,
        col=1,
    )
    figure.add_vline(x=response.request.alpha, line={"color": INK, "dash": "dot", "width": 1})
    figure.update_xaxes(range=[0, 1], row=1, col=1)
    figure.update_xaxes(title="alpha: 0 keywords, 1 meaning", range=[0, 1], row=2, col=1)
    figure.update_yaxes(autorange="reversed", dtick=1, row=2, col=1)
    figure.update_layout(template=TEMPLATE, height=600, legend={"y": -0.2}, margin={"t": 40})
    return figure


def label(source: str, line: int) -> str:
    """Return a place for an axis: the end of the source, which tells more than its beginning."""
    place = f"{source}:{line}"
    return place if len(place) <= _LABEL_CHARS else "…" + place[-_LABEL_CHARS + 1 :]


def _needs(request: QueryRequest, mode: QueryMode) -> None:
    if request.mode is not mode:
        raise InvalidSetting(
            f"this figure is of mode={mode.value!r}, and the answer of {request.mode.value!r}; "
            f"fuse again with answer.refuse(mode={mode.value!r})."
        )


def _lines(
    trace: Trace, request: QueryRequest, top: int
) -> tuple[list[Candidate], list[float], list[float]]:
    """Return the candidates that are in the top at some alpha, with both normalised scores."""
    from brainkit.trace import check_holds

    inside = request.with_(alpha=0.5)
    check_holds(trace, inside)
    lists = {name: [(h.order, h.score) for h in one.hits] for name, one in trace.lists.items()}
    raw = {
        name: {c.order: s for c in trace.candidates if (s := getattr(c, name)) is not None}
        for name in ("vector", "bm25")
    }
    orders, v, b = sides_of(lists, raw, inside)
    candidates = {c.order: c for c in trace.candidates}
    _, ranks = _ranks(v.tolist(), b.tolist())
    kept = [at for at in range(len(orders)) if ranks[at].min(initial=top + 1) <= top]
    return [candidates[orders[at]] for at in kept], v[kept].tolist(), b[kept].tolist()


def _ranks(v: list[float], b: list[float]) -> tuple[np.ndarray, np.ndarray]:
    """Return the alphas between which no ranks change, and each one's rank there, from 1."""
    lines = Lines(np.array(v), np.array(b), np.arange(len(v)), [""] * len(v))
    edges = np.concatenate(([0.0], lines.crossings(), [1.0]))
    order = lines.rankings((edges[:-1] + edges[1:]) / 2)
    ranks = np.empty_like(order)
    np.put_along_axis(ranks, order, np.arange(1, order.shape[1] + 1)[np.newaxis], axis=1)
    return edges, ranks.T


def _crossings(v: list[float], b: list[float]) -> list[tuple[int, int, float]]:
    """Return (i, j, alpha) of every pair of lines that cross strictly between 0 and 1."""
    found = []
    for i in range(len(v)):
        for j in range(i + 1, len(v)):
            slope = (v[i] - v[j]) + (b[j] - b[i])
            at = (b[j] - b[i]) / slope if slope else 0.0
            if 0.0 < at < 1.0:
                found.append((i, j, at))
    return found
