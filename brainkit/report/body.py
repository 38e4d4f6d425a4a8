"""The body of a report while it is written: its parts in order, and what they share."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from brainkit import markup
from brainkit.report.charts import chart_of
from brainkit.report.clean import clean
from brainkit.report.markdown import Page
from brainkit.report.packed import Pack, is_known
from brainkit.report.scrub import Scrubber
from brainkit.report.styles import scoped_styles
from brainkit.widgets.view import SCHEMA


@dataclass
class Body:
    """What has been written so far. ``corpora`` are the brains that its views are of."""

    page: Page
    scrub: Scrubber
    parts: list[str] = field(default_factory=list)
    pack: Pack = field(default_factory=Pack)
    corpora: list[dict[str, Any]] = field(default_factory=list)
    views: int = 0
    charts: int = 0
    figures: int = 0
    styles: list[str] = field(default_factory=list)

    def add(self, html: str) -> None:
        """Write the next part."""
        self.parts.append(html)

    def figure(self, html: str, caption: str) -> str:
        """Return a part with a caption under it, if there is one, and a number."""
        if not caption:
            return html
        self.figures += 1
        return (
            f'<figure class="numbered">{html}<figcaption><b>Figure {self.figures}.</b> '
            f"{markup.text(caption)}</figcaption></figure>"
        )

    def styled(self, html: str) -> str:
        """Keep the style of an output, and return the attribute that its element needs for it."""
        name = f'data-output="{len(self.styles) + 1}"'
        rules = scoped_styles(html, f"[{name}]")
        if not rules:
            return ""
        self.styles.append(rules)
        return f" {name}"

    def view(self, view: Mapping[str, Any], table: str) -> str:
        """Return a view: its table, and the data that the page draws over it.

        One of another schema, or that is not what it says, keeps the table, with a notice.
        """
        shown = clean(self.scrub.own(self.scrub.text(table)))
        if not is_known(view):
            return f'<div class="output"><p class="notice">{_unknown(view)}</p>{shown}</div>'
        try:
            packed = self.pack.add(self.scrub.data(dict(view)))
        except (KeyError, TypeError, ValueError, IndexError, AttributeError):
            told = "The data of this view is damaged; the table is what it holds."
            return f'<div class="output"><p class="notice">{told}</p>{shown}</div>'
        self.views += 1
        corpus = (view.get("trace") or {}).get("corpus")
        if isinstance(corpus, dict) and corpus not in self.corpora:
            self.corpora.append(corpus)
        return (
            f'<div class="output view"><div data-view="{self.views}">{shown}'
            f"{json_script(packed)}</div></div>"
        )

    def chart(self, figure: Mapping[str, Any]) -> str:
        """Return a plotly figure, or why it cannot be in a file without a network."""
        chart = chart_of(self.scrub.data(dict(figure)))
        if chart.reason:
            return f'<p class="note">{markup.text(chart.reason)}</p>'
        self.charts += 1
        label = markup.text(chart.title or "Figure")
        return (
            f'<div class="output chart" data-chart="{self.charts}" role="group" '
            f'aria-label="{label}" style="min-height:{chart.height}px">'
            f'<p class="note">{label}: a figure that is drawn where scripts run.</p>'
            f"{json_script(chart.figure)}</div>"
        )


def json_script(value: Any, *, holds: str = "") -> str:
    """Return data for the page's own script, which no parser of HTML can end early."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    if any("\ud800" <= char <= "\udfff" for char in text):  # half a character: no UTF-8 holds it
        text = json.dumps(value, allow_nan=False, separators=(",", ":"))
    name = f' data-holds="{holds}"' if holds else ""
    return f'<script type="application/json"{name}>{text.replace("<", chr(92) + "u003c")}</script>'


def _unknown(view: Any) -> str:
    version = view.get("schema") if isinstance(view, dict) else None
    if version == SCHEMA:
        return (
            f"This version of brainkit does not know views of kind "
            f"“{markup.text(str(view.get('kind'))[:60])}”; the table is what it holds."
        )
    return (
        f"This output was made by another version of brainkit (view schema "
        f"{markup.text(str(version)[:20])}; this one knows {SCHEMA}). The table is what it holds; "
        "run the notebook again for the live view."
    )
