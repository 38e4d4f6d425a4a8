"""A report as one HTML file, which asks for nothing and runs nothing but its own scripts."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from brainkit import markup
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
    footer: str = "",
    warnings: Sequence[str] = (),
    is_titled: bool = True,
) -> str:
    """Return the whole file. Equal bodies give equal files, byte for byte.

    The policy allows the page's scripts by their hashes and pictures that are in it; styles may be
    inline. Data is in elements that no browser runs.

    is_titled : False shows the title to screen readers only, where a view says the same.
    """
    module = report_source()
    library = plotly_source() if body.charts else ""
    hashes = " ".join(_hash(script) for script in (module, library) if script)
    policy = (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )
    headings = [one for one in body.page.headings if one.level <= _CONTENTS_LEVEL]
    starts = bool(headings) and headings[0].level == 1 and headings[0].text == title
    contents = _contents(headings[1:] if starts else headings)
    by = f'<p class="author">{markup.text(author)}</p>' if author else ""
    shown = markup.text(markup.terminal(title))
    head = f"<h1{'' if is_titled else ' class=unseen'}>{shown}</h1>"
    data = json_script(body.pack.chunks, holds="chunks") if body.views else ""
    figures = (
        f'<script type="text/plain" data-library="plotly">{library}</script>' if library else ""
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        '<meta name="generator" content="brainkit">\n'
        f"<title>{shown}</title>\n"
        f"<style>{style()}{''.join(body.styles)}</style></head>\n<body>\n"
        f'<a class="skip" href="#report">Skip to the report</a>{contents}\n'
        f'<main id="report"><header>{"" if starts else head}{by}'
        '<button type="button" class="folds" data-folds hidden></button></header>\n'
        + "\n".join(part for part in body.parts if part)
        + f"\n</main>\n<footer>{footer}{_notes(warnings)}</footer>\n"
        f'{data}{figures}<script type="module">{module}</script>\n</body></html>\n'
    )


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
