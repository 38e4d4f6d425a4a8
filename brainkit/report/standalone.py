"""Reports without a notebook: answers, comparisons, tables and figures in one page."""

from __future__ import annotations

import json
import logging
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from brainkit import markup
from brainkit.errors import InvalidReport, InvalidSetting
from brainkit.report.body import Body
from brainkit.report.export import save
from brainkit.report.markdown import Page, markdown_html
from brainkit.report.outputs import PLOTLY, bundle_html
from brainkit.report.page import page_html
from brainkit.report.pictures import Pictures
from brainkit.report.scrub import Scrubber
from brainkit.store.layout import resolved
from brainkit.widgets.view import view_json

log = logging.getLogger(__name__)


@runtime_checkable
class Viewed(Protocol):
    """What has a view: answers, comparisons, maps."""

    def view(self) -> dict[str, Any]:
        """Return it as the browser draws it."""
        ...


def items_html(
    items: Sequence[object],
    *,
    title: str,
    author: str = "",
    corpus: Mapping[str, Any] | None = None,
) -> tuple[str, list[str]]:
    """Return a page of items, one below the other, and what was left out of it.

    items : what has a view or is a plotly figure, live; texts, as Markdown; and what shows itself
        in a notebook, such as data frames and evaluations.
    corpus : what the page is about, if its views do not say it.
    Raises InvalidReport for anything else.
    """
    shown = [_bundle(item) for item in items]
    scrub = Scrubber([shown, title, author])
    body = Body(Page(Pictures(None)), scrub)
    for number, data in enumerate(shown, 1):
        where = f"item {number}"
        scrub.at(where)
        body.add(f'<section class="cell">{_item(scrub.data(data), body)}</section>', where=where)
    return page_html(
        body,
        title=title,
        author=author,
        corpus=corpus,
        is_titled=len(shown) > 1 or "view" not in shown[0],
    )


def save_items(
    items: Sequence[object],
    path: str | os.PathLike[str],
    *,
    title: str,
    author: str = "",
    corpus: Mapping[str, Any] | None = None,
) -> Path:
    """Write a page of items and return where it is. Raises InvalidReport, InvalidSetting."""
    if isinstance(items, str) or not items:
        raise InvalidReport(f"items={items!r:.60}; give a list of what the report should show.")
    target = resolved(path, refuse=InvalidSetting)
    page, warnings = items_html(items, title=title, author=author, corpus=corpus)
    for warning in warnings:
        log.warning("%s: %s", target.name, warning)
    save(page, target)
    return target


def file_name(title: str) -> str:
    """Return a file name for a title.

    >>> file_name("What is ../ an ISBN?")
    'what-is-an-isbn.html'
    """
    words = re.findall(r"\w+", title.lower())
    return f"{'-'.join(words)[:60].strip('-') or 'report'}.html"


def _item(data: Mapping[str, Any], body: Body) -> str:
    if "view" in data:
        return body.view(data["view"], str(data["view"].get("table", "")))
    if "source" in data:
        text = markdown_html(data["source"], body.page)
        return f'<div class="text">{text}</div>'
    return bundle_html(data, body)


def _bundle(item: object) -> dict[str, Any]:
    """What is known of an item, as a notebook's output would hold it."""
    if isinstance(item, str):
        return {"source": item}
    if isinstance(item, Viewed):
        view = item.view()
        return {"view": {**json.loads(view_json(view)), "table": view.get("table", "")}}
    if hasattr(item, "to_plotly_json"):
        return {PLOTLY: json.loads(str(item.to_json()))}  # type: ignore[attr-defined]
    table, summary = getattr(item, "table", None), getattr(item, "summary", None)
    said = f"<p>{markup.text(summary())}</p>" if callable(table) and callable(summary) else ""
    for one in (item, table() if callable(table) else None):
        page = getattr(one, "_repr_html_", None)
        if callable(page) and (html := page()):
            return {"text/html": html if one is item else said + html}
    raise InvalidReport(
        f"{item!r:.60} is a {type(item).__name__}; give answers, comparisons, maps, evaluations, "
        "plotly figures, data frames, or texts as Markdown."
    )
