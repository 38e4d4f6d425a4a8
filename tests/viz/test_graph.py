"""The picture of a path: where things stand, how roles differ, what hovering tells."""

from __future__ import annotations

from typing import Any

import pytest
from plotly import graph_objects as go

from brainkit.viz import Edge, Node, path_figure
from brainkit.viz.graph import layout

NODES = [
    Node("QueryService", ("class",), "seed"),
    Node("Router", ("class",), "path"),
    Node("VectorStoreManager", ("class",), "seed"),
    Node("<b>Hostile</b> & co", ("document",), "neighbour", beside=1),
    Node("settings", ("module",), "neighbour", beside=0),
]
EDGES = [
    Edge(0, "uses", 1, ("QueryService -> uses -> Router", "q.py:3", "self.router = Router()")),
    Edge(2, "calls", 1, ("VectorStoreManager -> calls -> Router", "v.py:9", "Router.route(q)")),
    Edge(3, "mentions", 1, ("x", "y.md:1", "see <script>alert(1)</script>")),
    Edge(0, "imports", 4, ("z",)),
]


def traces(figure: go.Figure) -> dict[str, Any]:
    return {trace.name: trace for trace in figure.data if trace.name}


def test_the_path_is_on_a_line_and_neighbours_above_and_below_their_own() -> None:
    places = layout(NODES)
    assert places[:3] == [(0.0, 0.0), (2.6, 0.0), (5.2, 0.0)]
    assert places[3] == (2.6, 1.3 + 0.35)
    assert places[4] == (0.0, 1.3)


@pytest.mark.parametrize("hops", [0, 1, 2, 7])
@pytest.mark.parametrize("each", [0, 1, 2, 6])
def test_no_two_nodes_stand_on_one_place(hops: int, each: int) -> None:
    nodes = [Node(f"p{n}") for n in range(hops + 1)]
    nodes += [Node(f"n{n}.{m}", beside=n) for n in range(hops + 1) for m in range(each)]
    places = layout(nodes)
    assert len(set(places)) == len(nodes)
    assert places == layout(nodes)


def test_roles_differ_by_colour_and_by_shape() -> None:
    looks = {
        name: (trace.marker.symbol, trace.marker.color)
        for name, trace in traces(path_figure(NODES, EDGES)).items()
    }
    assert set(looks) == {"asked for", "on the path", "beside it"}
    assert len({symbol for symbol, _ in looks.values()}) == 3
    assert len({colour for _, colour in looks.values()}) == 3


def test_predicates_stand_at_the_middle_of_their_line_and_tell_the_sentence() -> None:
    labels = [t for t in path_figure(NODES, EDGES).data if t.mode == "markers+text" and not t.name]
    told = {
        text: (x, y, hover)
        for trace in labels
        for text, x, y, hover in zip(trace.text, trace.x, trace.y, trace.hovertext, strict=True)
    }
    assert told["uses"][:2] == (1.3, 0.0)
    assert told["calls"] == (
        3.9,
        0.0,
        "VectorStoreManager -&gt; calls -&gt; Router<br>v.py:9<br>Router.route(q)",
    )
    assert told["mentions"][:2] == (2.6, 0.825)


def test_arrows_point_at_the_object_and_lines_leave_room_for_names() -> None:
    beside, main = (t for t in path_figure(NODES, EDGES).data if t.mode == "lines+markers")
    heads = [x for x, size in zip(main.x, main.marker.size, strict=True) if size]
    assert heads == pytest.approx([2.6 - 15 / 125, 2.6 + 15 / 125])  # 15 pixels before the router
    assert sum(size > 0 for size in beside.marker.size) == 2
    up = [y for y in beside.y[:6] if y is not None]
    assert up[0] > up[1] > 0.825 > up[2] > up[3] > 0  # from the document down to the router


def test_what_names_and_sentences_say_is_shown_and_not_obeyed() -> None:
    drawn = path_figure(NODES, EDGES).to_json()
    assert "<script>" not in drawn.encode().decode("unicode_escape")
    assert "<b>Hostile" not in drawn.encode().decode("unicode_escape")


def test_equal_data_gives_an_equal_figure_without_a_ground_of_its_own() -> None:
    figure = path_figure(NODES, EDGES)
    assert figure.to_json() == path_figure(NODES, EDGES).to_json()
    grounds = figure.layout.template.layout
    assert grounds.paper_bgcolor == grounds.plot_bgcolor == "rgba(0, 0, 0, 0)"
