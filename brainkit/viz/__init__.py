"""Data -> plotly figures, stateless: the pictures of the kit for papers and notebooks."""

from brainkit.viz.flow import flow_figure
from brainkit.viz.fusion import alpha_figure, rrf_figure
from brainkit.viz.graph import Edge, Node, path_figure
from brainkit.viz.map import map_figure
from brainkit.viz.scores import bm25_figure, similarity_figure
from brainkit.viz.template import TEMPLATE

__all__ = [
    "TEMPLATE",
    "Edge",
    "Node",
    "alpha_figure",
    "bm25_figure",
    "flow_figure",
    "map_figure",
    "path_figure",
    "rrf_figure",
    "similarity_figure",
]
