"""Data of views and figures can be anything: the report is made, and the table is in it."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import brainkit
from brainkit.lessons.pictures import unit_vectors
from brainkit.report.export import report_html
from brainkit.report.scrub import VIEW_DATA
from brainkit.widgets.view import view_html

PLOTLY = "application/vnd.plotly.v1+json"
JUNK = [float("nan"), float("inf"), None, [], {}, "x", -1, 10**400, [[1]], {"a": float("nan")}]
FIGURE = {
    "data": [{"type": "scatter", "y": [1, 2], "name": "a"}, {"type": "bar", "x": [1]}],
    "layout": {"title": {"text": "T"}, "height": 300, "images": [{"source": "data:image/png;"}]},
    "frames": [{"data": []}],
}


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path to every value in JSON; of a list, to its first and last."""
    inner: list[Any] = []
    if isinstance(value, dict):
        inner = list(value)
    elif isinstance(value, list):
        inner = sorted({0, len(value) - 1} if value else ())
    return [path, *(one for name in inner for one in places(value[name], (*path, name)))]


def with_junk(value: Any, path: tuple[Any, ...], junk: Any) -> Any:
    if not path:
        return junk
    spoiled = copy.deepcopy(value)
    inside = spoiled
    for name in path[:-1]:
        inside = inside[name]
    inside[path[-1]] = junk
    return spoiled


@pytest.fixture(scope="module")
def views(sample: brainkit.Brain) -> list[dict[str, Any]]:
    question = "how are sessions signed"
    drawn = (
        sample.query(question, trace="full", mode="graph", top_k=2, depth=3),
        sample.compare(question, a={"depth": 5}, b={"mode": "multi", "depth": 5}),
        sample.map(question, limit=5),
    )
    return [{name: value for name, value in one.view().items() if name != "table"} for one in drawn]


@pytest.fixture
def page_of(make: ModuleType) -> Callable[[dict[str, Any]], str]:
    def shown(data: dict[str, Any]) -> str:
        html, _ = report_html(make.notebook("# A", make.code_cell(make.displayed(data))))
        assert html.endswith("</html>\n")
        return html

    return shown


def output(view: Any) -> dict[str, Any]:
    data = json.dumps(view).replace("<", "\\u003c")
    return {"text/html": f"<brainkit-view-1><p>the table</p>{VIEW_DATA}{data}</script>"}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(data=st.data())
def test_a_view_with_junk_in_any_place(
    data: st.DataObject, views: list[dict[str, Any]], page_of: Callable[..., str]
) -> None:
    view = data.draw(st.sampled_from(views))
    path, junk = data.draw(st.sampled_from(places(view))), data.draw(st.sampled_from(JUNK))
    assert "<p>the table</p>" in page_of(output(with_junk(view, path, junk)))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(data=st.data())
def test_a_figure_with_junk_in_any_place(data: st.DataObject, page_of: Callable[..., str]) -> None:
    path, junk = data.draw(st.sampled_from(places(FIGURE))), data.draw(st.sampled_from(JUNK))
    page_of({PLOTLY: with_junk(FIGURE, path, junk), "text/plain": "Figure"})


@pytest.mark.parametrize(
    ("view", "told"),
    [
        (None, "The data of this view is damaged"),
        ([], "The data of this view is damaged"),
        ({}, "The data of this view is damaged"),
        ({"schema": 1, "kind": "answer"}, "The data of this view is damaged"),
        (
            {"schema": 1, "kind": "answer", "trace": float("nan")},
            "The data of this view is damaged",
        ),
        ({"schema": 1, "kind": "a <b>"}, "does not know views of kind “a &lt;b&gt;”"),
        ({"schema": 1, "kind": ["a"]}, "does not know views of kind"),
        ({"schema": 7, "kind": "answer"}, "view schema 7; this one knows 1"),
        ({"schema": "<b>"}, "view schema &lt;b&gt;; this one knows 1"),
    ],
)
def test_what_is_told_of_it(view: Any, told: str, page_of: Callable[..., str]) -> None:
    page = page_of(output(view))
    assert told in page
    assert "</p><p>the table</p></div>" in page
    assert "data-view=" not in page.partition("<script")[0]


def test_numbers_that_json_lacks_leave_a_figure_out_and_nothing_else(
    page_of: Callable[..., str],
) -> None:
    page = page_of({PLOTLY: {"data": [{"y": [1, float("nan")]}], "layout": {}}})
    assert '{"data":[{"y":[1,null],"type":"scatter"}],"layout":{}}' in page


@pytest.mark.parametrize("width", [float("nan"), float("inf"), -3, 0, 10**9, "a", None, [1]])
def test_a_picture_of_a_size_that_is_none_has_its_own(width: Any, make: ModuleType) -> None:
    sized = {**make.displayed({"image/png": "AA=="}), "metadata": {"image/png": {"width": width}}}
    page, _ = report_html(make.notebook(make.code_cell(sized)))
    assert '<img class="output" src="data:image/png;base64,AA==" alt="Picture">' in page


def test_a_lesson_picture_is_known_by_its_element_alone(page_of: Callable[..., str]) -> None:
    """Programs that store notebooks may drop types of output that they do not know."""
    picture = unit_vectors({"a": (3, 4), "b": (1, 0)}, (1, 0))
    html = view_html(picture.view())
    page = page_of({"text/html": html})
    assert "<brainkit-lesson-1>" in page
    assert page.count("brainkit-lesson-") >= 2  # the element, and the module that defines it
