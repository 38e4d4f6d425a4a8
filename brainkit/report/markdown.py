"""Markdown as notebooks have it: tables, footnotes, formulas, and HTML that can only be read."""

from __future__ import annotations

import re
from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict
from mdit_py_plugins.amsmath import amsmath_plugin
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.tasklists import tasklists_plugin

from brainkit import markup
from brainkit.report.clean import NO_PICTURE, clean
from brainkit.report.highlight import code_html
from brainkit.report.maths import mathml
from brainkit.report.pictures import Pictures
from brainkit.report.said import TAG

_BOXES = {True: "\u2611 ", False: "\u2610 "}


@dataclass
class Heading:
    """A heading of the page: its level from 1, what it says, and its id."""

    level: int
    text: str
    id: str


@dataclass
class Page:
    """What Markdown shares with the rest of its page: headings, ids, pictures, a cell's number."""

    pictures: Pictures
    headings: list[Heading] = field(default_factory=list)
    ids: set[str] = field(default_factory=lambda: {"report"})
    cell: int = 0

    def own(self, id_: str) -> str | None:
        """Return an id if the page does not have it yet."""
        if id_ in self.ids or not id_ or any(char.isspace() for char in id_):
            return None
        self.ids.add(id_)
        return id_

    def heading(self, level: int, text: str) -> Heading:
        """Give a heading an id of its own, by Jupyter's rule: what it says, with hyphens."""
        wanted = "-".join(text.split()) or "section"
        taken = {one.id for one in self.headings} | self.ids
        number = 1
        id_ = wanted
        while id_ in taken:
            number += 1
            id_ = f"{wanted}-{number}"
        self.headings.append(Heading(level, text, id_))
        return self.headings[-1]


def markdown_html(
    source: str, page: Page, *, attachments: Mapping[str, Mapping[str, str]] | None = None
) -> str:
    """Return Markdown as HTML, cleaned, with its formulas as MathML.

    attachments : name -> kind -> base64, of a notebook's cell.
    """
    formulas: list[tuple[str, bool]] = []
    page.cell += 1
    # Formulas are put in after cleaning, where these stand. No text can hold its own digest, so
    # none can name one, however it writes it.
    held = f"formula-{sha256(source.encode('utf-8', 'surrogatepass')).hexdigest()}"
    env = {
        "page": page, "attachments": attachments or {}, "formulas": formulas, "held": held,
        "docId": str(page.cell),
    }  # fmt: skip
    html = _parser().render(source, env)
    cleaned = clean(
        html, keep_id=page.own, keep_picture=lambda address: _picture(address, env) or NO_PICTURE
    )

    def written(match: re.Match[str]) -> str:
        if match[1] is None:  # a tag: HTML around a formula may have made it part of an attribute
            return re.sub(
                rf"{held}-(\d+);", lambda one: markup.text(formulas[int(one[1])][0]), match[0]
            )
        tex, block = formulas[int(match[1])]
        return mathml(tex, block=block, prefix=f"m{page.cell}-")

    return re.sub(rf"{TAG}|{held}-(\d+);", written, cleaned)


@cache
def _parser() -> MarkdownIt:
    parser = (
        MarkdownIt("commonmark", {"html": True, "highlight": _highlighted})
        .enable(["table", "strikethrough"])
        .use(footnote_plugin)
        .use(deflist_plugin)
        .use(tasklists_plugin)
        .use(dollarmath_plugin, allow_labels=False, double_inline=True)
        .use(amsmath_plugin)
    )
    for kind, block in (
        ("math_inline", False), ("math_inline_double", True), ("math_block", True),
        ("amsmath", True),
    ):  # fmt: skip
        parser.add_render_rule(kind, _formula_rule(block=block))
    parser.add_render_rule("heading_open", _heading)
    parser.add_render_rule("image", _image)
    parser.add_render_rule("html_inline", _inline)
    return parser


def _formula_rule(*, block: bool) -> Any:
    def rule(
        self: RendererHTML, tokens: Sequence[Token], at: int, options: OptionsDict, env: Env
    ) -> str:
        env["formulas"].append((tokens[at].content, block))
        return f"{env['held']}-{len(env['formulas']) - 1};"

    return rule


Env = MutableMapping[str, Any]


def _heading(
    self: RendererHTML, tokens: Sequence[Token], at: int, options: OptionsDict, env: Env
) -> str:
    token = tokens[at]
    said = _plain(tokens[at + 1].children or [])
    if said.strip():
        token.attrSet("id", env["page"].heading(int(token.tag[1]), said.strip()).id)
    return self.renderToken(tokens, at, options, env)


def _plain(tokens: Sequence[Token]) -> str:
    """What inline tokens say, formulas as TeX."""
    parts = []
    for token in tokens:
        if token.type in ("text", "code_inline") or token.type.startswith("math"):
            parts.append(token.content)
        elif token.type in ("softbreak", "hardbreak"):
            parts.append(" ")
        elif token.type == "image":
            parts.append(_plain(token.children or []))
    return "".join(parts)


def _image(
    self: RendererHTML, tokens: Sequence[Token], at: int, options: OptionsDict, env: Env
) -> str:
    """A picture; with a title, it is a figure with that caption."""
    token = tokens[at]
    data = _picture(str(token.attrGet("src") or ""), env)
    alt = _plain(token.children or [])
    if data is None:
        return f'<span class="dim">[{markup.text(alt or "picture")}: not in this file]</span>'
    image = f'<img src="{data}" alt="{markup.text(alt)}">'
    title = token.attrGet("title")
    if not title:
        return image
    return f"<figure>{image}<figcaption>{markup.text(title)}</figcaption></figure>"


def _picture(address: str, env: Env) -> str | None:
    pictures: Pictures = env["page"].pictures
    if address.startswith("attachment:"):
        name = address.removeprefix("attachment:")
        for kind, text in env["attachments"].get(name, {}).items():
            return pictures.encoded("".join(text), kind, name=name)
        return None
    if address.startswith("data:image/"):
        kind, _, text = address.removeprefix("data:").partition(";base64,")
        return pictures.encoded(text, kind, name="a picture in the text")
    return pictures.file(address)


def _inline(
    self: RendererHTML, tokens: Sequence[Token], at: int, options: OptionsDict, env: Env
) -> str:
    content = tokens[at].content
    if content.startswith('<input class="task-list-item-checkbox"'):
        return _BOXES['checked="checked"' in content]
    return content


def _highlighted(code: str, language: str, _: str) -> str:
    return code_html(code, language) if language else markup.text(code)
