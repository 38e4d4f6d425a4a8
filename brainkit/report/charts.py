"""Plotly figures as a report draws them: by plotly.js in the file, without a network."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

_NEEDS_MAPS: Final = {
    *("scattergeo", "choropleth", "scattermapbox", "choroplethmapbox", "densitymapbox"),
    *("scattermap", "choroplethmap", "densitymap"),
}
_PLAIN: Final = {"scattergl": "scatter", "scatterpolargl": "scatterpolar"}
"""The same picture without WebGL, whose shaders plotly compiles in a way the policy forbids."""
_NEEDS_SHADERS: Final = {"parcoords", "splom"}
_HEIGHT: Final = 450
_HEIGHTS: Final = range(50, 4001)


@dataclass(frozen=True)
class Chart:
    """A figure to draw, its title and height in CSS pixels; or the reason why it cannot be."""

    figure: dict[str, Any]
    title: str = ""
    height: int = _HEIGHT
    reason: str = ""


def chart_of(figure: Mapping[str, Any]) -> Chart:
    """Return what is drawn of a figure's JSON (``application/vnd.plotly.v1+json``).

    Gaps, which Python writes as NaN, are null, as plotly itself writes them.
    """
    figure = _without_nan(figure)
    data = [trace for trace in figure.get("data") or () if isinstance(trace, dict)]
    kinds = set(map(_kind, data))
    if maps := kinds & _NEEDS_MAPS:
        return Chart({}, reason=_left_out(maps, "fetches its map from the web"))
    if shaders := kinds & _NEEDS_SHADERS:
        return Chart({}, reason=_left_out(shaders, "compiles code, which this file does not allow"))
    layout = dict(figure.get("layout") or {})
    layout["images"] = [
        image
        for image in layout.get("images") or ()
        if isinstance(image, dict) and str(image.get("source", "")).startswith("data:image/")
    ]
    if not layout["images"]:
        del layout["images"]
    plain = [{**trace, "type": _PLAIN.get(_kind(trace), _kind(trace))}
             for trace in data]  # fmt: skip
    height = layout.get("height")
    drawn = {"data": plain, "layout": layout}
    if figure.get("frames"):
        drawn["frames"] = figure["frames"]
    return Chart(
        drawn,
        title=_title(layout),
        height=int(height) if isinstance(height, int | float) and int(height) in _HEIGHTS
        else _HEIGHT,
    )  # fmt: skip


@cache
def plotly_source() -> str:
    """Return plotly.js, as its Python package carries it.

    Two of its strings hold control characters, which HTML forbids: they are written as escapes.
    """
    source = files("plotly").joinpath("package_data", "plotly.min.js").read_text("utf-8")
    return re.sub(r"[\x01-\x08\x0b\x0e-\x1f]", lambda one: f"\\x{ord(one[0]):02x}", source)


def _without_nan(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, list):
        return [_without_nan(one) for one in value]
    if isinstance(value, Mapping):
        return {name: _without_nan(one) for name, one in value.items()}
    return value


def _kind(trace: Mapping[str, Any]) -> str:
    return str(trace.get("type") or "scatter")


def _title(layout: Mapping[str, Any]) -> str:
    title = layout.get("title")
    return str(title.get("text") or "") if isinstance(title, dict) else str(title or "")


def _left_out(kinds: set[str], reason: str) -> str:
    return f"A plotly figure ({', '.join(sorted(kinds))}) is not in this file: it {reason}."
