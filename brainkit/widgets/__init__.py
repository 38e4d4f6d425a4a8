"""Live views: what Python hands to the browser, and the widgets that a kernel serves.

>>> from brainkit.widgets import AlphaSlider
>>> AlphaSlider(0.3).value
0.3
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from brainkit.widgets.alpha_slider import AlphaSlider
    from brainkit.widgets.explorer import Explorer
    from brainkit.widgets.filter_bar import FilterBar
    from brainkit.widgets.graph_path import GraphPath
    from brainkit.widgets.labelling import Labelling
    from brainkit.widgets.mode_picker import ModePicker
    from brainkit.widgets.rank_bump import RankBump
    from brainkit.widgets.result_list import ResultList
    from brainkit.widgets.rrf_chart import RrfChart
    from brainkit.widgets.score_breakdown import ScoreBreakdown

_HOME = {
    "AlphaSlider": "alpha_slider",
    "Explorer": "explorer",
    "FilterBar": "filter_bar",
    "GraphPath": "graph_path",
    "Labelling": "labelling",
    "ModePicker": "mode_picker",
    "RankBump": "rank_bump",
    "ResultList": "result_list",
    "RrfChart": "rrf_chart",
    "ScoreBreakdown": "score_breakdown",
}

__all__ = [
    "AlphaSlider",
    "Explorer",
    "FilterBar",
    "GraphPath",
    "Labelling",
    "ModePicker",
    "RankBump",
    "ResultList",
    "RrfChart",
    "ScoreBreakdown",
]


def __getattr__(name: str) -> Any:
    """Load a widget when it is first used: an answer in a terminal needs no ipywidgets."""
    if name not in _HOME:
        raise AttributeError(f"module 'brainkit.widgets' has no attribute {name!r}")
    return getattr(import_module(f"brainkit.widgets.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
