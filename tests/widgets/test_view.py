"""The JSON of a view and the output that carries it."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

import brainkit
from brainkit.analyze import Analyzer
from brainkit.errors import InvalidSetting
from brainkit.widgets.compact import EXCERPT_CHARS, compact_trace, utf16
from brainkit.widgets.view import (
    KINDS,
    MIME,
    SCHEMA,
    answer_view,
    mimebundle,
    view_html,
    view_json,
    view_of,
)

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(1)> & \u2028 \ud800"


@pytest.fixture
def view(sample: brainkit.Brain) -> dict[str, Any]:
    answer = sample.query("how are sessions signed", mode="multi", trace="full")
    return answer_view(answer.response, Analyzer())


def test_a_view_comes_back_from_its_output(view: dict[str, Any]) -> None:
    back = view_of(view_html(view))
    assert back == {
        name: value for name, value in json.loads(json.dumps(view)).items() if name != "table"
    }


def test_the_data_is_stored_once(view: dict[str, Any]) -> None:
    bundle = mimebundle(view, plain="plain")
    assert set(bundle) == {"text/plain", "text/html", MIME}
    assert bundle[MIME].keys() == {"schema", "kind", "sha256"}
    assert bundle["text/html"].count('"candidates":[') == 1
    assert len(json.dumps(bundle[MIME])) < 200


def test_the_table_is_readable_without_the_module(view: dict[str, Any]) -> None:
    before, _, _ = view_html(view).partition("<script")
    text = re.sub(r"<style>.*?</style>|<[^>]+>", " ", before, flags=re.S)
    best = view["trace"]["candidates"]
    assert "how are sessions signed" in text
    assert any(one["source"] in text for one in best)
    assert re.search(r"\d\.\d{4}", text)


def test_nothing_in_a_view_ends_its_elements(view: dict[str, Any]) -> None:
    view["request"]["query"] = HOSTILE
    view["trace"]["candidates"][0]["text"] = HOSTILE
    html = view_html(view)
    data = html.partition('class="brainkit-data">')[2].partition("</script>")[0]
    assert "<" not in data
    assert json.loads(data)["request"]["query"] == HOSTILE
    html.encode("utf-8")  # the half character is written as an escape


def test_a_hostile_query_is_escaped_in_the_table(sample: brainkit.Brain) -> None:
    answer = sample.query("<img src=x onerror=alert(1)> sessions")
    html = view_html(answer_view(answer.response, Analyzer()))
    assert "<img" not in html.partition('<script type="module">')[0]


def test_infinities_are_refused(view: dict[str, Any]) -> None:
    view["query_time_ms"] = float("inf")
    with pytest.raises(ValueError, match="not JSON compliant"):
        view_json(view)


def test_kinds_are_checked(sample: brainkit.Brain) -> None:
    response = sample.query("sessions").response
    assert all(answer_view(response, Analyzer(), kind=kind)["schema"] == SCHEMA for kind in KINDS)
    with pytest.raises(InvalidSetting, match=r"kind='answr' is not one of answer, result-list"):
        answer_view(response, Analyzer(), kind="answr")


@pytest.mark.parametrize("whole_chars", [0, 5_000, 10**9])
def test_texts_beyond_the_bound_are_cut_and_results_never(
    sample: brainkit.Brain, whole_chars: int
) -> None:
    answer = sample.query("how are sessions signed", mode="multi", top_k=3, trace="full")
    view = answer_view(answer.response, Analyzer(), whole_chars=whole_chars)
    texts = {c.chunk_id: c.text for c in answer.trace.candidates}
    results = {result.chunk_id for result in answer.results}
    uncut = 0
    for candidate in view["trace"]["candidates"]:
        text = texts[candidate["chunk_id"]]
        assert candidate["chars"] == len(text)
        if candidate["text"] == text:
            uncut += len(text) > EXCERPT_CHARS and candidate["chunk_id"] not in results
        else:
            assert candidate["chunk_id"] not in results
            assert candidate["text"] == text[:EXCERPT_CHARS]
    long = sum(len(t) > EXCERPT_CHARS for id_, t in texts.items() if id_ not in results)
    assert {0: uncut == 0, 5_000: 0 < uncut < long, 10**9: uncut == long}[whole_chars]


def test_marks_lie_on_the_terms(sample: brainkit.Brain) -> None:
    answer = sample.query("isbn", mode="bm25", top_k=20)
    for candidate in compact_trace(answer.trace, Analyzer())["candidates"]:
        text, marks = candidate["text"], candidate["marks"]
        found = [text[a:b] for a, b in zip(marks[::2], marks[1::2], strict=True)]
        assert all("isbn" in word.casefold() for word in found)
        if "isbn" in text.casefold().split():
            assert found


def test_offsets_count_as_javascript_does() -> None:
    text = "🧠 isbn 🧠isbn"
    spans = [(2, 6), (8, 12)]
    units = text.encode("utf-16-le")
    flat = utf16(text, spans)
    pairs = zip(flat[::2], flat[1::2], strict=True)
    assert [units[2 * a : 2 * b].decode("utf-16-le") for a, b in pairs] == ["isbn", "isbn"]


def test_integer_like_terms_keep_their_place(sample: brainkit.Brain) -> None:
    answer = sample.query("isbn 2024 9780306406157", mode="bm25")
    for candidate in compact_trace(answer.trace, Analyzer())["candidates"]:
        parts = next(c.bm25_parts for c in answer.trace.candidates if c.order == candidate["order"])
        assert [term for term, *_ in json.loads(json.dumps(candidate["terms"]))] == list(parts)
