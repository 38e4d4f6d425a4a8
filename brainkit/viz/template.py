"""One look for every figure, on light pages and on dark ones.

A figure does not know its page: an exported one is read in either theme. So nothing has a ground of
its own, and every colour is of middle brightness, legible on white and on JupyterLab's #111111.
"""

from __future__ import annotations

from typing import Final

from plotly import graph_objects as go

INK: Final = "#797979"
"""4.3 to 1 on both grounds: more on the one is less on the other."""
FAINT: Final = "rgba(121, 121, 121, .45)"
AMBER: Final = "#c27217"
BLUE: Final = "#3f87c8"
GREEN: Final = "#2d8f6f"
VIOLET: Final = "#9668c4"
RED: Final = "#d1495b"
COLOURS: Final = (BLUE, AMBER, GREEN, VIOLET, RED)
"""At least 3 to 1 on both grounds, and apart for readers who see no red or green."""

FONT: Final = "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif"

_AXIS: Final = {
    "gridcolor": "rgba(121, 121, 121, .22)",
    "linecolor": FAINT,
    "zerolinecolor": FAINT,
    "ticks": "",
    "automargin": True,
}

TEMPLATE: Final = go.layout.Template(
    layout={
        "paper_bgcolor": "rgba(0, 0, 0, 0)",
        "plot_bgcolor": "rgba(0, 0, 0, 0)",
        "colorway": COLOURS,
        "font": {"family": FONT, "size": 13, "color": INK},
        "title": {"x": 0, "xanchor": "left", "font": {"size": 15}},
        "margin": {"l": 48, "r": 16, "t": 48, "b": 40},
        "xaxis": _AXIS,
        "yaxis": _AXIS,
        "legend": {
            "orientation": "h",
            "x": 0,
            "y": 0,
            "yanchor": "top",
            "bgcolor": "rgba(0,0,0,0)",
        },
        "modebar": {"bgcolor": "rgba(0, 0, 0, 0)", "color": FAINT, "activecolor": INK},
        # A label lies on whatever is under it, so it has a ground of its own.
        "hoverlabel": {
            "bgcolor": "#2b2b2b",
            "bordercolor": "#2b2b2b",
            "font": {"family": FONT, "size": 13, "color": "#f2f2f2"},
            "align": "left",
        },
    }
)
