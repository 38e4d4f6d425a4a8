"""What a report stores of its views is what they were: the page's numbers are Python's."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

import brainkit
from brainkit.report.packed import Pack
from brainkit.widgets.compact import EXCERPT_CHARS

QUESTION = "what calls normalize_isbn and how are sessions signed"


@pytest.fixture(scope="module")
def views(sample: brainkit.Brain) -> list[dict[str, Any]]:
    drawn = (
        sample.query(QUESTION, trace="full"),
        sample.query(QUESTION, mode="multi", rrf_k=7, depth=200, trace="full"),
        sample.compare(QUESTION, a={"mode": "graph"}, b={"mode": "bm25"}),
        sample.map(QUESTION, limit=50),
    )
    kept = [
        {name: value for name, value in one.view().items() if name not in ("table", "whole")}
        for one in drawn
    ]
    return list(json.loads(json.dumps(kept)))


def back(ask_node: Callable[[str, Any], Any], views: list[dict[str, Any]]) -> list[Any]:
    pack = Pack()
    packed = [pack.add(view) for view in views]
    return [ask_node("unpacked", {"packed": one, "shared": pack.shared()}) for one in packed]


def test_views_are_given_back_as_they_were(
    views: list[dict[str, Any]], ask_node: Callable[[str, Any], Any]
) -> None:
    assert back(ask_node, views) == views
    stored = [candidate for view in views for candidate in view["trace"]["candidates"]]
    assert max(len(one["text"]) for one in stored) > EXCERPT_CHARS  # ``whole`` is not given here


def test_texts_that_look_like_marks_and_scores_of_full_precision(
    views: list[dict[str, Any]], ask_node: Callable[[str, Any], Any]
) -> None:
    view = json.loads(json.dumps(views[0]))
    view["request"]["query"] = "~1"
    view["labels"] = {"~~": 1, "a": 2}
    first = view["trace"]["candidates"][0]
    first.update(vector=1 / 3, about="~", source="~0", entities=["~", "~~2", "~a long name"])
    assert back(ask_node, [view]) == [view]


def test_a_field_with_the_mark_as_its_name_is_no_views(views: list[dict[str, Any]]) -> None:
    with pytest.raises(ValueError, match="has a field '~'"):
        Pack().add({**views[0], "labels": {"~": 1}})
