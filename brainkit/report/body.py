"""The body of a report while it is written: its parts in order, and what they share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from brainkit import markup
from brainkit.report.charts import chart_of
from brainkit.report.clean import clean
from brainkit.report.kinds import kind_of
from brainkit.report.markdown import Page
from brainkit.report.packed import Pack
from brainkit.report.places import last_names, last_names_in
from brainkit.report.said import json_text
from brainkit.report.scrub import Scrubber
from brainkit.report.styles import scoped_styles
from brainkit.widgets.view import SCHEMA

DAMAGED = (LookupError, TypeError, ValueError, AttributeError, OverflowError)
"""What reading data raises that is not what it says."""


@dataclass
class Body:
    """What has been written so far; ``scrub`` has seen what came in, and sees what goes out.

    parts : HTML, with where it is from. corpora : the brains that its views are of.
    modules : sources of what draws views, beside the page's own.
    """

    page: Page
    scrub: Scrubber
    parts: list[tuple[str, str]] = field(default_factory=list)
    pack: Pack = field(default_factory=Pack)
    corpora: list[dict[str, Any]] = field(default_factory=list)
    modules: set[str] = field(default_factory=set)
    views: int = 0
    charts: int = 0
    figures: int = 0
    styles: list[str] = field(default_factory=list)

    def add(self, html: str, *, where: str) -> None:
        """Write the next part; ``where`` it is from, for people."""
        if html:
            self.parts.append((where, html))

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

    def view(self, view: Any, table: str) -> str:
        """Return a view: its table, and the data that the page draws over it.

        One of another schema, or that is not what it says, keeps the table, with a notice.
        """
        shown = last_names_in(clean(table))
        kind = kind_of(view)
        try:
            if kind is None:
                return f'<div class="output"><p class="notice">{_unknown(view)}</p>{shown}</div>'
            json_text(view)  # NaN is in no JSON, and what is stored of a view may come later
            corpus = _named(view)
            script = json_script(kind.store(self.pack, view))
        except (*DAMAGED, RecursionError):
            told = "The data of this view is damaged; the table is what it holds."
            return f'<div class="output"><p class="notice">{told}</p>{shown}</div>'
        if corpus is not None and corpus not in self.corpora:
            self.corpora.append(corpus)
        if kind.module is not None:
            self.modules.add(kind.module())
            drawn = f"<{kind.element}>{shown}{script}</{kind.element}>"
        else:
            self.views += 1
            drawn = f'<div data-view="{self.views}">{shown}{script}</div>'
        return f'<div class="output view">{drawn}</div>'

    def chart(self, figure: Mapping[str, Any]) -> str:
        """Return a plotly figure, or why it cannot be in a file without a network."""
        try:
            chart = chart_of(figure)
            script = json_script(chart.figure)
        except (*DAMAGED, RecursionError):
            return '<p class="note">A plotly figure is not in this file: its data is damaged.</p>'
        if chart.reason:
            return f'<p class="note">{markup.text(chart.reason)}</p>'
        self.charts += 1
        label = markup.text(chart.title or "Figure")
        return (
            f'<div class="output chart" data-chart="{self.charts}" role="group" '
            f'aria-label="{label}" style="min-height:{chart.height}px">'
            f'<p class="note">{label}: a figure that is drawn where scripts run.</p>'
            f"{script}</div>"
        )


def json_script(value: Any, *, holds: str = "") -> str:
    """Return data for the page's own script, which no parser of HTML can end early."""
    name = f' data-holds="{holds}"' if holds else ""
    return f'<script type="application/json"{name}>{json_text(value)}</script>'


def _named(view: Any) -> dict[str, Any] | None:
    """The corpus of a view, with no path in it; it is changed where it stands."""
    trace = view.get("trace") or {}
    corpus = trace.get("corpus")
    if corpus is None:
        return None
    trace["corpus"] = {
        name: last_names(value) if isinstance(value, str) else value
        for name, value in corpus.items()
    }
    return dict(trace["corpus"])


def _unknown(view: Any) -> str:
    version = view["schema"]
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
