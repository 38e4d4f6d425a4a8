"""A path through the entity graph and what lies beside it."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final, Literal

from plotly import graph_objects as go

from brainkit.viz.template import AMBER, BLUE, INK, TEMPLATE

Role = Literal["seed", "path", "neighbour"]
Point = tuple[float, float]

_STEP: Final = 2.6
_FAN: Final = ((0.0, 1.3), (-0.85, 0.9), (0.85, 0.9))
"""Places above an entity of the path, nearest the middle first; the same below."""
_LABEL_CHARS: Final = 24
_HOVER_CHARS: Final = 70
_UNIT: Final = (125.0, 100.0)
"""Pixels of one unit, across and up, at the size the figure is made in."""
_ABOVE, _BELOW = 15, 38
"""Pixels that an entity of the path takes above its middle, and below with its name."""
_BESIDE: Final = 9
_MARGIN, _LEGEND = 8, 36

_LOOKS: Final[dict[Role, tuple[str, str, str, int]]] = {
    "seed": ("asked for", "square", AMBER, 20),
    "path": ("on the path", "circle", BLUE, 18),
    "neighbour": ("beside it", "diamond-open", INK, 11),
}
"""Name in the legend, symbol, colour and size: no role is told by colour alone."""


@dataclass(frozen=True, slots=True)
class Node:
    """An entity. beside : position of the node that a neighbour stands at."""

    name: str
    kinds: tuple[str, ...] = ()
    role: Role = "path"
    beside: int | None = None


@dataclass(frozen=True, slots=True)
class Edge:
    """A relation between two nodes by position. detail : lines to show on hover."""

    subject: int
    predicate: str
    object: int
    detail: tuple[str, ...] = ()


def layout(nodes: Sequence[Node]) -> list[Point]:
    """Return the place of every node: the path on a line, neighbours above and below their node.

    It depends on the order of the nodes alone, so that a picture can be drawn twice.

    >>> layout([Node("a"), Node("b"), Node("x", beside=1), Node("y", beside=1)])
    [(0.0, 0.0), (2.6, 0.0), (2.6, 1.65), (2.6, -1.65)]
    """
    on_path = sum(node.beside is None for node in nodes)
    places: list[Point] = [(at * _STEP, 0.0) for at in range(on_path)]
    beside = [0] * on_path
    for node in nodes[on_path:]:
        at = node.beside or 0
        slot, below = divmod(beside[at], 2)
        beside[at] += 1
        x, y = _FAN[slot % len(_FAN)]
        y += 0.35 * (at % 2)  # neighbours of neighbours are not written over each other
        y += 0.7 * (slot // len(_FAN))
        places.append((round(places[at][0] + x, 3), round(-y if below else y, 3)))
    return places


def path_figure(nodes: Sequence[Node], edges: Sequence[Edge]) -> go.Figure:
    """Draw nodes on a path, then their neighbours, and the relations between them.

    nodes : those of the path in its order, then the others. Hovering a relation shows its detail.
    """
    places = layout(nodes)
    on_path = {at for at, node in enumerate(nodes) if node.beside is None}
    main = [edge for edge in edges if {edge.subject, edge.object} <= on_path]
    beside = [edge for edge in edges if not {edge.subject, edge.object} <= on_path]
    figure = go.Figure(
        [
            _lines(beside, nodes, places, colour=INK, width=1, dash="dot", cut=True),
            _lines(main, nodes, places, colour=BLUE, width=3, dash="solid", cut=False),
            _labels(beside, places, at="middle center", size=10),
            _labels(main, places, at="top center", size=13),
            *(_nodes(role, nodes, places) for role in ("neighbour", "path", "seed")),
        ]
    )
    xs, ys = zip(*places, strict=True) if places else ((0.0,), (0.0,))
    left, right = min(xs) - 1.1, max(xs) + 1.1
    low, high = min(ys) - 0.55, max(ys) + 0.55
    hidden = {"visible": False, "fixedrange": True}
    figure.update_layout(
        template=TEMPLATE,
        xaxis={**hidden, "range": [left, right]},
        yaxis={**hidden, "range": [low, high]},
        width=round((right - left) * _UNIT[0] + 2 * _MARGIN),
        height=round((high - low) * _UNIT[1] + 2 * _MARGIN + _LEGEND),
        margin={"l": _MARGIN, "r": _MARGIN, "t": _MARGIN, "b": _MARGIN + _LEGEND},
        hovermode="closest",
    )
    return figure


def _lines(
    edges: Sequence[Edge],
    nodes: Sequence[Node],
    places: Sequence[Point],
    *,
    colour: str,
    width: int,
    dash: str,
    cut: bool,
) -> go.Scatter:
    """All lines of one look, each with its head at the object.

    cut : leave room for the predicate in the middle.
    """
    xs: list[float | None] = []
    ys: list[float | None] = []
    sizes: list[int] = []
    for edge in edges:
        begin, finish = (places[edge.subject], places[edge.object])
        across, up = ((b - a) * unit for a, b, unit in zip(begin, finish, _UNIT, strict=True))
        length = math.hypot(across, up)
        first = _taken(nodes[edge.subject], up / length) / length
        last = 1 - _taken(nodes[edge.object], -up / length) / length
        gap = _room(edge.predicate, across / length, up / length) / length if cut else 0.0
        spans = [(first, 0.5 - gap), (0.5 + gap, last)] if cut else [(first, last)]
        for one, other in spans:
            xs += [_between(begin[0], finish[0], one), _between(begin[0], finish[0], other), None]
            ys += [_between(begin[1], finish[1], one), _between(begin[1], finish[1], other), None]
            sizes += [0, 7 + 2 * width if other == last else 0, 0]
    return go.Scatter(
        x=xs,
        y=ys,
        mode="lines+markers",
        line={"color": colour, "width": width, "dash": dash},
        marker={
            "symbol": "arrow",
            "angleref": "previous",
            "size": sizes,
            "color": colour,
            "opacity": 1,
            "line": {"width": 0},
        },
        hoverinfo="skip",
        showlegend=False,
    )


def _taken(node: Node, up: float) -> float:
    """Return the pixels of a line at a node, given which part of each pixel it rises."""
    if node.beside is not None:
        return _BESIDE
    return _BELOW / -up if up < 0 else _ABOVE


def _room(predicate: str, across: float, up: float) -> float:
    """Return half the pixels of a line of this direction that the predicate covers."""
    wide, high = 3.3 * len(predicate) + 3, 8.0
    return min(wide / max(abs(across), 1e-9), high / max(abs(up), 1e-9))


def _between(start: float, end: float, share: float) -> float:
    return round(start + (end - start) * share, 4)


def _labels(edges: Sequence[Edge], places: Sequence[Point], *, at: str, size: int) -> go.Scatter:
    """The predicates at the middle of their lines; hovering one shows where it is said."""
    ends = [(places[edge.subject], places[edge.object]) for edge in edges]
    return go.Scatter(
        x=[_between(one[0], other[0], 0.5) for one, other in ends],
        y=[_between(one[1], other[1], 0.5) for one, other in ends],
        mode="markers+text",
        marker={"size": 16, "color": "rgba(0, 0, 0, 0)", "line": {"width": 0}},
        text=[_escaped(edge.predicate) for edge in edges],
        textposition=at,
        textfont={"size": size},
        hovertext=[_wrapped(edge.detail) for edge in edges],
        hovertemplate="%{hovertext}<extra></extra>",
        showlegend=False,
    )


def _nodes(role: Role, nodes: Sequence[Node], places: Sequence[Point]) -> go.Scatter:
    legend, symbol, colour, size = _LOOKS[role]
    chosen = [at for at, node in enumerate(nodes) if node.role == role]
    line = {"width": 2 if symbol.endswith("-open") else 0}
    return go.Scatter(
        x=[places[at][0] for at in chosen],
        y=[places[at][1] for at in chosen],
        mode="markers+text",
        name=legend,
        marker={"symbol": symbol, "size": size, "color": colour, "line": line},
        text=[_bold(_short(nodes[at].name), on=role != "neighbour") for at in chosen],
        textposition=["bottom center" if places[at][1] <= 0 else "top center" for at in chosen],
        textfont={"size": 11 if role == "neighbour" else 14},
        hovertext=[_wrapped((nodes[at].name, ", ".join(nodes[at].kinds))) for at in chosen],
        hovertemplate="%{hovertext}<extra></extra>",
        showlegend=bool(chosen),
    )


def _short(name: str) -> str:
    """Return as much of a name as fits beside a node: of a dotted one the end, else the beginning.

    >>> _short("shelf.client.ShelfClient.search"), _short("How to read a very long title")
    ('…ShelfClient.search', 'How to read a very long…')
    """
    if len(name) <= _LABEL_CHARS:
        return name
    parts = name.split(".") if " " not in name else [name]
    kept = ""
    for part in reversed(parts):
        longer = f"{part}.{kept}" if kept else part
        if len(longer) >= _LABEL_CHARS:
            break
        kept = longer
    return f"…{kept}" if kept else f"{name[: _LABEL_CHARS - 1].rstrip()}…"


def _wrapped(lines: Iterable[str]) -> str:
    """Return lines as the HTML that plotly shows, long ones broken."""
    broken = [part for line in lines if line for part in textwrap.wrap(line, _HOVER_CHARS)]
    return "<br>".join(map(_escaped, broken))


def _bold(text: str, *, on: bool) -> str:
    return f"<b>{_escaped(text)}</b>" if on else _escaped(text)


def _escaped(text: str) -> str:
    return escape(text, quote=False)
