"""Labelling in Python: what a browser may ask, what it is told, and what is on disk by then."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

import brainkit
from brainkit.errors import InvalidDataset, InvalidSetting
from brainkit.evaluation.judgments import FILE
from brainkit.widgets.labelled import ROWS, labels_html
from brainkit.widgets.labelling import Labelling
from brainkit.widgets.reopened import only_without

QUESTIONS = ["how are sessions signed", "who may borrow a book"]
SCRIPT = '</script><img src=x onerror="hit = 1">'
# What names who found something, and how high.
TELLING = ("score", "rank", "bm25", "vector", "graph", "keywords", "meaning", "similar", "order")
Label = Callable[..., Labelling]


@pytest.fixture
def label(sample: brainkit.Brain) -> Iterator[Label]:
    """Begin to label the sample; the labels are gone after the test."""
    opened: list[Labelling] = []

    def begun(queries: Any = QUESTIONS, **options: Any) -> Labelling:
        opened.append(sample.label(queries, **{"depth": 4, "progress": False, **options}))
        return opened[-1]

    yield begun
    for one in opened:
        one.close()
    (sample.folder / FILE).unlink(missing_ok=True)


def heard(widget: Labelling) -> list[dict[str, Any]]:
    """Keep what the widget says to its browser from now on."""
    said: list[dict[str, Any]] = []

    def keep(kind: str, data: Any = None, **_: Any) -> None:
        if kind == "comm_msg":
            said.append(json.loads(json.dumps(data)))

    widget.comm.publish_msg = keep
    return said


def ask(widget: Labelling, kind: str, **content: Any) -> None:
    """Say what the browser would."""
    page = widget._page
    meant = {"question": page["question"], "content": page.get("content"), **content}
    message = {"method": "custom", "content": {"id": "x", "ask": kind, **meant}}
    widget._handle_msg({"content": {"data": message}, "buffers": []})


def test_a_grade_is_on_disk_before_it_is_acknowledged(label: Label, sample: brainkit.Brain) -> None:
    widget = label()
    item = widget.item
    assert item is not None
    on_disk = []
    widget.observe(lambda _: on_disk.extend(sample.judgments), "_said")
    said = heard(widget)
    ask(widget, "grade", grade=3, note="")
    assert [(one.content, one.grade, one.labeller) for one in on_disk] == [(item.content, 3, "me")]
    assert widget._said == f"Saved: 3 perfect, {item.source}:{item.lines}"
    assert [one["content"] for one in said if one["method"] == "custom"] == [
        {"id": "x", "reply": None}
    ]
    assert [one["method"] for one in said] == ["update", "custom"]


def test_nothing_that_is_sent_tells_who_found_a_chunk(label: Label) -> None:
    widget = label()
    said = heard(widget)
    while widget.item is not None:
        ask(widget, "grade", grade=1, note="")
    sent = [widget.get_state(), *said]
    names = set()

    def walk(value: Any) -> None:
        if isinstance(value, dict):
            names.update(map(str, value))
            for one in value.values():
                walk(one)
        elif isinstance(value, list):
            for one in value:
                walk(one)

    for one in sent:
        walk({name: value for name, value in one.items() if name not in ("_esm", "layout")})
    assert [name for name in names if any(word in name.lower() for word in TELLING)] == []


def test_a_view_that_is_behind_grades_what_it_shows(label: Label) -> None:
    widget = label()
    first = widget.item
    assert first is not None
    widget.go("next")
    ask(widget, "grade", question=0, content=first.content, grade=2, note="")
    (one,) = widget._session.judgments
    assert one.content == first.content


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ({"grade": 7}, "grades are 0 (not relevant) to 3 (perfect)"),
        ({"grade": "2"}, "grades are 0 (not relevant) to 3 (perfect)"),
        ({"grade": 1, "content": "elsewhere"}, "in no pool here"),
        ({"grade": 1, "note": "x" * 2001}, "2,001 characters"),
        ({}, "KeyError"),
    ],
)
def test_what_cannot_be_is_told_and_changes_nothing(
    content: dict[str, Any], told: str, label: Label, sample: brainkit.Brain
) -> None:
    widget = label()
    before, said = widget._page, heard(widget)
    ask(widget, "grade", **content)
    assert told in said[-1]["content"]["error"]
    assert widget._page == before
    assert not (sample.folder / FILE).exists()


def test_python_does_what_keys_do(label: Label) -> None:
    widget = label(labeller="ana")
    first = widget.item
    widget.label(2, note="by hand")
    widget.skip()
    widget.note("third")
    assert widget.undo()
    widget.go("previous")
    assert widget.undo()
    assert widget.undo()
    assert widget.item == first
    assert not widget.undo()
    assert widget._said == "There is nothing to take back."
    assert (widget.queries, widget.query, widget.done) == (tuple(QUESTIONS), QUESTIONS[0], 0)
    widget.go("end")
    assert (widget.item, widget.query) == (None, None)
    with pytest.raises(InvalidSetting, match="no chunk here"):
        widget.label(1)
    assert repr(widget).startswith("<Labelling of sample.brain by ana: 0 of ")


def test_without_questions_those_with_labels_are_gone_through(label: Label) -> None:
    with pytest.raises(InvalidDataset, match="no question to label"):
        label(None)
    label(["normalize isbn"]).label(1)
    assert label(None).queries == ("normalize isbn",)


def test_the_end_says_what_was_given_and_how_far_others_agree(label: Label) -> None:
    for name in ("ana", "ben"):
        widget = label(QUESTIONS[:1], labeller=name)
        for n in range(widget.progress.total):
            widget.label(n % 2)
    end = widget._page
    assert sum(end["grades"]) == widget.progress.total
    assert (end["open"], end["skipped"], end["file"]) == (0, 0, "sample.brain/judgments.tsv")
    (line,) = end["agreement"]
    assert line.startswith("ben and ana: kappa ")


def test_the_environment_names_the_labeller(label: Label, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BRAINKIT_LABELLER", " ana ")
    assert label().labeller == "ana"
    with pytest.raises(InvalidSetting, match="is no name"):
        label(labeller="a\nb")


def test_the_table_left_behind_escapes_all_and_ends(label: Label) -> None:
    widget = label([SCRIPT, *(f"book {n}" for n in range(20))], labeller="<b>")
    widget.label(2, note=SCRIPT)
    for _ in range(ROWS):
        widget.skip()
    html = labels_html(widget._session, "x.brain")
    assert "<img" not in html
    assert html.count("<tr>") == ROWS + 1
    assert f"The newest {ROWS} of {ROWS + 1}." in html
    assert "Labels by &lt;b&gt;: 1 of " in html


def test_labels_follow_their_texts_through_a_rename_and_are_measured_there(
    tmp_path: Path, word_vectors: Any
) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    for name, text in {
        "loans": "A book is lent for three weeks.",
        "fines": "A fine is due.",
    }.items():
        (notes / f"{name}.md").write_text(f"# {name.title()}\n\n{text}\n")
    with brainkit.open(tmp_path / "n.brain", embedder=word_vectors) as brain:
        brain.ingest(notes, progress=False)
        widget = brain.label(["for how long is a book lent"], progress=False)
        while (item := widget.item) is not None:
            widget.label(3 if "loans" in item.source else 0)
        (notes / "loans.md").rename(notes / "lending.md")
        brain.ingest(notes, progress=False)
        data = brainkit.load_dataset(brain.judgments)
        assert list(data.qrels.values()) == [{"notes/lending.md": 3, "notes/fines.md": 0}]
        found = brainkit.evaluate(brain, data, {"k": {"mode": "bm25"}}, progress=False)
        assert found.mean("k", "nDCG@10") == 1.0
        again = brain.label(["for how long is a book lent"], progress=False)
        assert (again.progress.open, again.item) == (0, None)
        widget.close()
        again.close()


def test_a_report_of_the_notebook_has_the_table_in_place_of_the_view(
    label: Label, tmp_path: Path
) -> None:
    widget = label()
    widget.label(3, note="kept in the report")
    left = only_without(labels_html(widget._session, "sample.brain"), of=widget._name)
    view, _ = widget._repr_mimebundle_() or ({}, {})
    outputs = [
        new_output("display_data", data=view),
        new_output("display_data", data={"text/plain": repr(widget), "text/html": left}),
    ]
    notebook = new_notebook(cells=[new_code_cell("brain.label()", outputs=outputs)])
    nbformat.write(notebook, tmp_path / "n.ipynb")
    page = brainkit.export_html(tmp_path / "n.ipynb", tmp_path / "n.html").read_text("utf-8")
    assert page.count("kept in the report") == 1
    assert "&lt;Labelling of" not in page
