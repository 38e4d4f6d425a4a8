"""A view: JSON for the browser, and an output that draws itself wherever a notebook is opened."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from brainkit import markup
from brainkit.analyze import Analyzer
from brainkit.errors import InvalidSetting
from brainkit.models import QueryResponse, QueryResult
from brainkit.widgets.compact import NOTEBOOK_CHARS, Json, compact_trace

SCHEMA = 1
"""Version of the view's JSON; part of the element's name, so that two versions share a page."""
MIME = "application/vnd.brainkit.view+json"
KINDS = (
    "answer", "result-list", "mode-picker", "alpha-slider", "settings", "score-breakdown",
    "alpha-picture", "rrf-chart", "flow", "graph-path", "compare", "map",
)  # fmt: skip
"""What can be drawn: the whole answer, or one piece of it."""
EVALUATIONS = ("evaluation", "sweep")
"""Views of many queries; a module of their own draws them, in an element of its own."""
LESSONS = ("lesson-bm25", "lesson-vectors")
"""Pictures of the lessons; likewise."""

_TAG = f"brainkit-view-{SCHEMA}"
EVALUATION_TAG = f"brainkit-evaluation-{SCHEMA}"
LESSON_TAG = f"brainkit-lesson-{SCHEMA}"
_DATA = re.compile(r'<script type="application/json" class="brainkit-data">(.*?)</script>', re.S)
_HALF = re.compile("[\ud800-\udfff]")
_TABLE_CHARS = 240
_LEFT = 'style="text-align:left;vertical-align:top"'  # notebooks would align tables to the right


def answer_view(
    response: QueryResponse,
    analyzer: Analyzer,
    *,
    kind: str = "answer",
    whole_chars: int = NOTEBOOK_CHARS,
    selected: str | None = None,
    labels: Mapping[str, int] | None = None,
    also: Collection[str] = (),
) -> Json:
    """Return the view of an answer or of one piece of it (``View`` in ``js/types.js``).

    kind : one of ``KINDS``.
    whole_chars : as for ``compact_trace``; 0 in reports.
    selected : chunk_id of the result to explain first, else the best.
    also : chunk_ids beside the results whose texts are whole.
    Its ``"table"`` is what people read where scripts don't run; it is not sent to the browser.
    Raises InvalidSetting for an unknown kind.
    """
    if kind not in KINDS:
        raise InvalidSetting(f"kind={kind!r} is not one of {', '.join(KINDS)}.")
    results = {*(result.chunk_id for result in response.results), *also}
    return {
        "schema": SCHEMA,
        "kind": kind,
        "request": response.request.model_dump(mode="json"),
        "trace": compact_trace(response.trace, analyzer, whole=results, whole_chars=whole_chars),
        "timings_ms": dict(response.timings_ms),
        "query_time_ms": response.query_time_ms,
        "selected": selected,
        "error": None,
        "labels": dict(labels or {}),
        "whole": sorted(results),
        "table": _table(response),
    }


def view_html(view: Mapping[str, Any]) -> str:
    """Return an output that draws itself: a readable table, the view's data, and the module.

    The table is all that an untrusted notebook shows. Where scripts run, the module replaces it by
    the live view; a page uses the first it has. A view of another schema keeps its table.
    """
    table = str(view.get("table", ""))
    tag, module = _TAG, module_source
    if view["kind"] in EVALUATIONS:
        tag, module = EVALUATION_TAG, evaluation_source
    elif view["kind"] in LESSONS:
        tag, module = LESSON_TAG, lesson_source
    return (
        f'<{tag}>{table}<script type="application/json" class="brainkit-data">'
        f'{view_json(view)}</script></{tag}><script type="module">{module()}</script>'
    )


def view_json(view: Mapping[str, Any]) -> str:
    """Return the view's data as JSON that no HTML parser can end early: ``<`` is ``\\u003c``."""
    data = {name: value for name, value in view.items() if name != "table"}
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    if _HALF.search(text):  # half a character: no UTF-8 holds it
        text = json.dumps(data, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")


def mimebundle(view: Mapping[str, Any], *, plain: str) -> dict[str, Any]:
    """Return the output in three forms; the data is stored once, in the HTML.

    plain : for terminals and diffs. ``MIME`` holds what the view is, and the SHA-256 of its data.
    """
    data = view_json(view)
    return {
        "text/plain": plain,
        "text/html": view_html(view),
        MIME: {
            "schema": view["schema"],
            "kind": view["kind"],
            "sha256": hashlib.sha256(data.encode()).hexdigest(),
        },
    }


def view_of(html: str) -> Json | None:
    """Return the view in an output's HTML, or None if there is none: the way back, for exporters.

    >>> view_of("<p>no view</p>")
    """
    found = _DATA.search(html)
    return None if found is None else json.loads(found[1])


@cache
def module_source() -> str:
    """Return the front end: one ES module, without anything that would end its script element."""
    return files("brainkit.widgets").joinpath("static/brainkit.js").read_text("utf-8")


@cache
def evaluation_source() -> str:
    """Return the module that draws evaluations and sweeps, and needs no other."""
    return files("brainkit.widgets").joinpath("static/evaluation.js").read_text("utf-8")


@cache
def lesson_source() -> str:
    """Return the module that draws the pictures of the lessons, and needs no other."""
    return files("brainkit.widgets").joinpath("static/lessons.js").read_text("utf-8")


def _table(response: QueryResponse) -> str:
    """The results as HTML that stands without style: an untrusted notebook strips all of it."""
    notices = [f'<div class="notice">{markup.text(n.message)}</div>' for n in response.notices]
    request = response.request
    found = f"{response.total_results} of {response.candidates} candidates by {request.mode.value}"
    rows = "".join(_row(result) for result in response.results)
    head = f"<tr>{''.join(_cell('th', name) for name in ('', 'score', 'result'))}</tr>"
    return markup.block(
        [
            f"<div><b>{markup.text(request.query)}</b></div>",
            *notices,
            f'<div class="scroll"><table>{head}{rows}</table></div>' if rows else "",
            f'<div class="dim">{markup.text(found)}</div>',
        ]
    )


def _row(result: QueryResult) -> str:
    first, last = result.start_line, result.end_line
    lines = f"{first}" if first == last else f"{first}-{last}"
    text = result.text
    excerpt = text if len(text) <= _TABLE_CHARS else text[: _TABLE_CHARS - 1] + "…"
    place = markup.text(f"{result.source}:{lines}")
    why = markup.text(result.explanation.sentence)
    cells = (
        _cell("td", result.rank),
        _cell("td", f"{result.score:.4f}"),
        f"<td {_LEFT}><b>{place}</b><br>{why}<pre>{markup.text(excerpt)}</pre></td>",
    )
    return f"<tr>{''.join(cells)}</tr>"


def _cell(tag: str, value: object) -> str:
    return f"<{tag} {_LEFT}>{markup.text(value)}</{tag}>"
