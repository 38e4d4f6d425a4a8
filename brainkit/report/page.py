"""A report as one HTML file, which asks for nothing and runs nothing but its own scripts."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from brainkit import markup
from brainkit.report.about import footer_html
from brainkit.report.body import Body, json_script
from brainkit.report.charts import plotly_source
from brainkit.report.markdown import Heading

_CONTENTS_LEVEL = 3
_CONTENTS_LEAST = 3


def page_html(
    body: Body,
    *,
    title: str,
    author: str = "",
    corpus: Mapping[str, Any] | None = None,
    is_titled: bool = True,
) -> tuple[str, list[str]]:
    """Return the whole file, and what its reader and its author should know was left out.

    Equal bodies give equal files, byte for byte. Here everything that the page says passes the
    scrubber, as it stands in the file. The policy allows the page's scripts by their hashes and
    pictures that are in it; styles may be inline. Data is in elements that no browser runs.

    corpus : what the page is about, if its views do not say it.
    is_titled : False shows the title to screen readers only, where a view says the same.
    """
    scrub = body.scrub
    scrub.at("the title")
    called = scrub.page(markup.text(markup.terminal(title)))
    contents, header, heading = map(scrub.page, _head(body, title, author, is_titled=is_titled))
    shown = []
    for where, part in body.parts:
        scrub.at(where)
        shown.append(scrub.page(part))
    shown = _titled(shown, heading, header)
    scrub.at("")
    data = scrub.page(json_script(body.pack.shared(), holds="shared")) if body.views else ""
    about = body.corpora or ([dict(corpus)] if corpus else [])
    footer = scrub.page(footer_html(about, charts=body.charts > 0))
    styles = scrub.said("".join(body.styles))
    warnings = [scrub.said(one) for one in (*scrub.warnings(), *body.page.pictures.notes)]
    modules = [report_source(), *sorted(body.modules)]
    library = plotly_source() if body.charts else ""
    hashes = " ".join(_hash(script) for script in (*modules, library) if script)
    policy = (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )
    figures = (
        f'<script type="text/plain" data-library="plotly">{library}</script>' if library else ""
    )
    page = (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        '<meta name="generator" content="brainkit">\n'
        f"<title>{called}</title>\n"
        f"<style>{style()}{styles}</style></head>\n<body>\n"
        f'<a class="skip" href="#report">Skip to the report</a>{contents}\n'
        '<main id="report">'
        + "\n".join(shown)
        + f"\n</main>\n<footer>{footer}{_notes(warnings)}</footer>\n"
        f"{data}{figures}"
        + "\n".join(f'<script type="module">{module}</script>' for module in modules)
        + "\n</body></html>\n"
    )
    return page, warnings


@cache
def report_source() -> str:
    """Return the page's module: the views' and what makes a page of them."""
    return files("brainkit.widgets").joinpath("static/report.js").read_text("utf-8")


@cache
def style() -> str:
    """Return the page's style."""
    return files("brainkit.report").joinpath("static/report.css").read_text("utf-8")


def _hash(script: str) -> str:
    digest = hashlib.sha256(script.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def _head(body: Body, title: str, author: str, *, is_titled: bool) -> tuple[str, str, str]:
    """Return the contents, what stands under the title, and the heading that is the title.

    That is the first heading where it says the same; else there is one more, and none is named.
    """
    headings = [one for one in body.page.headings if one.level <= _CONTENTS_LEVEL]
    starts = bool(headings) and headings[0].level == 1 and headings[0].text == title
    shown = markup.text(markup.terminal(title))
    heading = "" if starts else f"<h1{'' if is_titled else ' class=unseen'}>{shown}</h1>"
    by = f'<p class="author">{markup.text(author)}</p>' if author else ""
    contents = _contents(headings[1:] if starts else headings)
    header = (
        f"<header>{heading}{by}"
        '<button type="button" class="folds" data-folds hidden></button></header>\n'
    )
    return contents, header, f'<h1 id="{markup.text(headings[0].id)}">' if starts else ""


def _titled(parts: Sequence[str], title: str, header: str) -> list[str]:
    """The parts with the header under the heading that is the title; first of all without one."""
    for at, part in enumerate(parts):
        before, found, after = part.partition(title) if title else (part, "", "")
        said, end, rest = after.partition("</h1>")
        if found and end:
            return [*parts[:at], f"{before}{found}{said}{end}{header}{rest}", *parts[at + 1 :]]
    return [header, *parts]


def _contents(headings: Sequence[Heading]) -> str:
    """The contents list; nested by level, whichever level the first heading has."""
    if len(headings) < _CONTENTS_LEAST:
        return ""
    parts: list[str] = []
    open_levels: list[int] = []
    for one in headings:
        while len(open_levels) > 1 and one.level < open_levels[-1]:
            parts.append("</li></ol>")
            open_levels.pop()
        if not open_levels or one.level > open_levels[-1]:
            parts.append("<ol>")
            open_levels.append(one.level)
        else:
            parts.append("</li>")
        link = f'<a href="#{markup.text(one.id)}">{markup.text(one.text)}</a>'
        parts.append(f"<li>{link}")
    parts.append("</li></ol>" * len(open_levels))
    return f'<nav aria-label="Contents"><h2>Contents</h2>{"".join(parts)}</nav>'


def _notes(warnings: Sequence[str]) -> str:
    if not warnings:
        return ""
    items = "".join(f"<li>{markup.text(one)}</li>" for one in warnings)
    return f"<section><h2>Left out of this file</h2><ul>{items}</ul></section>"
