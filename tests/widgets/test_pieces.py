"""Every piece stands alone, is given an answer, and its traits link to others."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import ipywidgets
import pytest
from traitlets import TraitError

import brainkit
from brainkit.errors import InvalidRequest
from brainkit.widgets import (
    AlphaSlider,
    FilterBar,
    GraphPath,
    ModePicker,
    RankBump,
    ResultList,
    RrfChart,
    ScoreBreakdown,
)
from brainkit.widgets.answer_widget import FIELDS, AnswerWidget

OF_ANSWERS = (GraphPath, RankBump, ResultList, RrfChart, ScoreBreakdown)
CONTROLS = (AlphaSlider, ModePicker)
QUESTION = "what calls normalize_isbn"


@pytest.fixture
def answer(sample: brainkit.Brain) -> brainkit.Answer:
    return sample.query(QUESTION, mode="multi", trace="full")


@pytest.fixture
def keep() -> Iterator[Callable[[Any], Any]]:
    """Close widgets after the test."""
    opened: list[Any] = []

    def kept(widget: Any) -> Any:
        opened.append(widget)
        return widget

    yield kept
    for widget in opened:
        widget.close()


def hears(widget: Any) -> list[dict[str, Any]]:
    """What the browser will hear from now on."""
    heard: list[dict[str, Any]] = []
    widget.comm.publish_msg = lambda _kind, data=None, **_: heard.append(
        json.loads(json.dumps(data))
    )
    return heard


def moved(widget: Any, **settings: Any) -> None:
    """A hand moves settings in the browser."""
    state = {"_request": widget._request | settings}
    widget._handle_msg({"content": {"data": {"method": "update", "state": state}}, "buffers": []})


def scores(answer: brainkit.Answer) -> list[tuple[str, float]]:
    return [(result.chunk_id, result.score) for result in answer.results]


@pytest.mark.parametrize("piece", OF_ANSWERS)
def test_a_piece_shows_an_answer_and_fuses_it_again(
    piece: Any, answer: brainkit.Answer, keep: Any
) -> None:
    widget = keep(piece(answer))
    assert widget._request == answer.request.model_dump(mode="json")
    assert widget._view["trace"]["request"]["query"] == QUESTION
    heard = hears(widget)
    widget.rrf_k = 10.0
    assert scores(widget.answer) == scores(answer.refuse(rrf_k=10))
    (said,) = [one["state"] for one in heard]
    assert list(said) == ["_request"]  # and not the trace again
    moved(widget, mode="hybrid", alpha=0.2)
    assert (widget.mode, widget.alpha) == ("hybrid", 0.2)
    assert scores(widget.answer) == scores(answer.refuse(mode="hybrid", alpha=0.2))


@pytest.mark.parametrize("piece", OF_ANSWERS)
def test_settings_beside_an_answer_are_taken_over(
    piece: Any, answer: brainkit.Answer, keep: Any
) -> None:
    widget = keep(piece(answer, mode="hybrid", alpha=0.9, layout={"width": "50%"}))
    assert scores(widget.answer) == scores(answer.refuse(mode="hybrid", alpha=0.9))
    assert widget.layout.width == "50%"


def test_what_the_trace_lacks_is_told(answer: brainkit.Answer, keep: Any) -> None:
    widget = keep(ResultList(answer))
    widget.query = "another question"
    assert "another question" in str(widget._request)
    assert widget.error
    assert widget.answer is answer
    widget.query = QUESTION
    widget.alpha = 0.25
    assert widget.error is None


def test_another_answer_takes_its_place(
    answer: brainkit.Answer, sample: brainkit.Brain, keep: Any
) -> None:
    widget = keep(ScoreBreakdown(answer, selected=answer.results[1].chunk_id))
    assert widget.selected == answer.results[1].chunk_id
    other = sample.query("how are sessions signed", trace="full")
    widget.answer = other
    assert (widget.query, widget.mode, widget.selected) == (other.request.query, "hybrid", None)
    assert widget._view["trace"]["request"]["query"] == other.request.query


@pytest.mark.parametrize(
    ("piece", "name", "values"),
    [(AlphaSlider, "alpha", (0.5, 0.3, 1.5)), (ModePicker, "mode", ("hybrid", "bm25", "hybird"))],
)
def test_a_control_is_one_value(
    piece: Any, name: str, values: tuple[Any, Any, Any], keep: Any
) -> None:
    first, other, wrong = values
    widget = keep(piece())
    assert (widget.value, getattr(widget, name)) == (first, first)
    heard: list[Any] = []
    widget.observe(lambda change: heard.append(change["new"]), "value")
    moved(widget, **{name: other})
    assert (widget.value, getattr(widget, name), heard) == (other, other, [other])
    widget.value = first
    assert getattr(widget, name) == first
    setattr(widget, name, other)
    assert widget.value == other
    with pytest.raises(TraitError, match=f"{name}="):
        widget.value = wrong
    assert widget.value == other
    with pytest.raises(InvalidRequest, match=f"{name}="):
        piece(wrong)


def test_a_control_works_as_one_of_ipywidgets(answer: brainkit.Answer, keep: Any) -> None:
    alpha = keep(AlphaSlider(0.3))
    found: list[float] = []

    def plot(alpha: float) -> None:
        found.append(alpha)

    keep(ipywidgets.interactive_output(plot, {"alpha": alpha}))
    slider = keep(ipywidgets.FloatSlider(max=1))
    ipywidgets.link((alpha, "value"), (slider, "value"))
    results = keep(ResultList(answer, mode="hybrid"))
    ipywidgets.link((alpha, "value"), (results, "alpha"))
    assert (slider.value, results.answer.request.alpha) == (0.3, 0.3)
    moved(alpha, alpha=0.75)
    assert (slider.value, results.answer.request.alpha) == (0.75, 0.75)
    moved(results, alpha=0.1)
    assert (slider.value, alpha.value) == (0.1, 0.1)
    assert found == [0.3, 0.75, 0.1]
    box = keep(ipywidgets.HBox([alpha, results]))
    assert box.children == (alpha, results)


def test_a_control_drives_the_explorer_and_the_explorer_drives_pieces(
    sample: brainkit.Brain, keep: Any
) -> None:
    explorer = keep(sample.explore("how are sessions signed"))
    alpha, bump = keep(AlphaSlider()), keep(RankBump(explorer.answer))
    ipywidgets.link((alpha, "value"), (explorer, "alpha"))
    ipywidgets.dlink((explorer, "answer"), (bump, "answer"))
    moved(alpha, alpha=0.9)
    assert bump.answer is explorer.answer
    assert scores(bump.answer) == scores(sample.query("how are sessions signed", alpha=0.9))
    explorer.query = "normalize isbn"
    assert bump.query == "normalize isbn"


def test_selecting_in_one_piece_explains_in_another(answer: brainkit.Answer, keep: Any) -> None:
    results, why = keep(ResultList(answer)), keep(ScoreBreakdown(answer))
    ipywidgets.link((results, "selected"), (why, "selected"))
    heard = hears(why)
    second = answer.results[1].chunk_id
    message = {"method": "update", "state": {"selected": second}}
    results._handle_msg({"content": {"data": message}, "buffers": []})
    assert why.selected == second
    assert heard == [
        {"method": "update", "state": {"selected": second}, "buffer_paths": []},
    ]


def test_filters_of_a_brain_are_counted(sample: brainkit.Brain, keep: Any) -> None:
    bar = keep(FilterBar(sample, languages=["python"]))
    python = sample.query("isbn", languages=["python"]).trace
    assert (bar.count, bar.total) == (python.allowed_chunks, python.total_chunks)
    heard: list[int] = []
    bar.observe(lambda change: heard.append(change["new"]), "count")
    moved(bar, languages=None, file_paths=["*.md"])
    assert heard == [sample.query("isbn", file_paths=["*.md"]).trace.allowed_chunks]
    explorer = keep(sample.explore("isbn"))
    for name in ("languages", "file_paths"):
        ipywidgets.link((bar, name), (explorer, name))
    assert explorer.answer.request.file_paths == ("*.md",)


def test_filters_of_an_answer_are_offered_without_a_count(
    sample: brainkit.Brain, keep: Any
) -> None:
    answer = sample.query("isbn", source_types=["doc"])
    bar = keep(FilterBar(answer=answer))
    assert (bar.source_types, bar.count, bar._counts) == (("doc",), 0, False)
    assert list(dict(bar._choices["source_types"])) == ["doc"]
    moved(bar, source_types=None)
    assert (bar.source_types, bar.error, bar.answer) == (None, None, answer)
    with pytest.raises(InvalidRequest, match="give FilterBar one"):
        bar._count({"request": bar._request})


@pytest.mark.parametrize("piece", [*OF_ANSWERS, *CONTROLS, FilterBar])
def test_every_piece_documents_its_traits_and_has_no_more(piece: Any, keep: Any) -> None:
    widget = keep(piece())
    own = {name for name in widget.trait_names() if not name.startswith("_")}
    inherited = set(ipywidgets.DOMWidget.class_trait_names())
    docs = f"{AnswerWidget.__doc__} {piece.__doc__}"
    assert [name for name in sorted(own - inherited) if name not in docs] == []
    assert set(FIELDS) <= own


@pytest.mark.parametrize("piece", [*OF_ANSWERS, *CONTROLS])
def test_a_closed_piece_keeps_no_answer(piece: Any, answer: brainkit.Answer) -> None:
    before = len(ipywidgets.Widget.get_manager_state()["state"])
    widget = piece(answer=answer)
    layout = ipywidgets.Layout()
    other = piece(answer=answer, layout=layout)
    widget.close()
    other.close()
    assert (widget.answer, widget._view) == (None, {})
    assert len(ipywidgets.Widget.get_manager_state()["state"]) == before + 1  # the layout given
    layout.close()
