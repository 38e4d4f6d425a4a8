"""Chunks in two dimensions, coloured by group, with the question and its true neighbours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from plotly import graph_objects as go

from brainkit.projection import Near, Plane
from brainkit.viz.template import AMBER, COLOURS, FAINT, INK, TEMPLATE

_SYMBOLS: Final = ("circle", "square", "diamond", "cross", "triangle-up", "x", "star", "hexagon")
_GROUPS_MAX: Final = 8


def map_figure(
    plane: Plane,
    groups: Sequence[str],
    labels: Sequence[str],
    *,
    axes: tuple[str, str] = ("x", "y"),
    near: Near | None = None,
    title: str = "",
) -> go.Figure:
    """Return a scatter of chunks; places that are close need not be similar.

    groups, labels : of each place of the plane; past seven, the smaller groups are "other".
    near : the question's nearest neighbours in all dimensions, joined to it: by a solid line if
        they are near on the plane too, by a dotted one if the plane puts them elsewhere.
    """
    sizes = {group: groups.count(group) for group in dict.fromkeys(groups)}
    kept = sorted(sizes, key=lambda group: (-sizes[group], group))
    if len(kept) > _GROUPS_MAX:
        kept = kept[: _GROUPS_MAX - 1]
    names = [group if group in kept else "other" for group in groups]
    shown = [*kept, "other"] if "other" in names and "other" not in kept else kept
    figure = go.Figure()
    for at, name in enumerate(shown):
        rows = [row for row, group in enumerate(names) if group == name]
        figure.add_scatter(
            x=plane.places[rows, 0].tolist(),
            y=plane.places[rows, 1].tolist(),
            mode="markers",
            name=name,
            text=[labels[row] for row in rows],
            hovertemplate="%{text}<extra></extra>",
            marker={
                "color": INK if name == "other" else COLOURS[at % len(COLOURS)],
                "symbol": _SYMBOLS[at % len(_SYMBOLS)],
                "size": 7,
                "opacity": 0.75,
            },
        )
    if plane.query is not None:
        x, y = plane.query.tolist()
        if near is not None and len(near.rows):
            for row, here in zip(near.rows[0].tolist(), near.kept[0].tolist(), strict=True):
                end = plane.places[row].tolist()
                figure.add_scatter(
                    x=[x, end[0]],
                    y=[y, end[1]],
                    mode="lines",
                    line={"color": FAINT, "dash": "solid" if here else "dot", "width": 1},
                    hoverinfo="skip",
                    showlegend=False,
                )
        figure.add_scatter(
            x=[x],
            y=[y],
            mode="markers",
            name="question",
            marker={"symbol": "star-diamond", "size": 15, "color": AMBER},
            hovertemplate="the question<extra></extra>",
        )
    figure.update_layout(
        template=TEMPLATE,
        title=title,
        height=520,
        xaxis={"title": axes[0], "zeroline": False},
        yaxis={"title": axes[1], "zeroline": False},
        legend={"y": -0.16},
    )
    return figure
