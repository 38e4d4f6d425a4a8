"""HTML: what a reader sees, with its headings; without scripts, styles and navigation."""

from __future__ import annotations

import re
from typing import Final

from brainkit.ingest.formats.document import Extracted, storable
from brainkit.ingest.formats.flow import Flow
from brainkit.ingest.load import Unreadable
from brainkit.settings import Settings

_DROPPED: Final = frozenset(
    {
        *("script", "style", "template", "noscript", "nav", "svg", "iframe", "object", "canvas"),
        *("audio", "video", "select", "datalist", "button"),
    }
)
_DROPPED_CLASSES: Final = frozenset({"headerlink", "anchorjs-link", "linenos", "linenodiv"})
"""The pilcrow after a heading and the column of line numbers, as Sphinx and Pygments write them."""

_BLOCKS: Final = frozenset(
    {
        *(
            "address",
            "article",
            "aside",
            "blockquote",
            "body",
            "caption",
            "center",
            "dd",
            "details",
        ),
        *("dialog", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form"),
        *("header", "hgroup", "hr", "legend", "li", "main", "menu", "ol", "option", "p", "pre"),
        *("search", "section", "summary", "table", "tbody", "tfoot", "thead", "tr", "ul"),
        *("h1", "h2", "h3", "h4", "h5", "h6"),
    }
)
_HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_LISTS: Final = frozenset({"ul", "ol", "menu"})
_CELLS: Final = frozenset({"td", "th"})
_LAYOUT_CHARS: Final = 200  # a cell with longer paragraphs lays out a page rather than a table
_SPACE: Final = re.compile(r"\s+")


def extract(text: str, *, settings: Settings) -> Extracted | Unreadable:
    """Read a page; a paragraph, list item or table row is a line, longer prose ends at sentences.

    Preformatted text stays as it is. Metadata: ``title``, ``author`` and ``description``.
    The parser reports tags as they come and builds no tree, so nesting costs nothing.
    """
    from lxml import etree

    parser = etree.HTMLParser(target=_Reader(Flow(settings)), remove_comments=True)
    parser.feed(text)
    reader: _Reader = parser.close()
    return reader.flow.extracted(
        metadata=reader.metadata, nothing="no text: only markup, scripts or navigation"
    )


class _Reader:
    """Takes the parser's events."""

    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.metadata: dict[str, str] = {}
        self._buffer: list[str] = []
        self._open_in_dropped = 0
        self._pre = 0
        self._lists = 0
        self._item = False
        self._row = False
        self._cell_chars = 0
        self._level = 0
        self._title: list[str] | None = None

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """An element begins."""
        if self._open_in_dropped or self._dropped(tag, attributes):
            self._open_in_dropped += 1
            return
        if tag in _BLOCKS:
            self._boundary(tag)
        if tag == "title":
            self._title = []
        elif tag == "meta":
            self._meta(attributes)
        elif tag == "br":
            self._buffer.append(" " if self._row else "\n")
        elif tag == "img":
            self._buffer.append(_SPACE.sub(" ", attributes.get("alt", "")))
        elif tag in _HEADINGS:
            self._level = int(tag[1])
        elif tag == "pre":
            self._pre += 1
        elif tag in _LISTS:
            self._lists += 1
        elif tag == "li":
            self._item = True
        elif tag == "tr":
            self._row = True
        elif tag in _CELLS:
            self._cell()

    def end(self, tag: str) -> None:
        """An element ends; the parser ends whatever it began, also where the page forgets to."""
        if self._open_in_dropped:
            self._open_in_dropped -= 1
            return
        if tag in _BLOCKS:
            self._boundary(tag)
        if tag == "title" and self._title is not None:
            title = " ".join(storable("".join(self._title)).split())
            if title:
                self.metadata.setdefault("title", title)
            self._title = None
        elif tag in _HEADINGS:
            self._level = 0
        elif tag == "pre":
            self._pre = max(0, self._pre - 1)
        elif tag in _LISTS:
            self._lists = max(0, self._lists - 1)
        elif tag == "li":
            self._item = False
        elif tag == "tr":
            self._row = False

    def data(self, text: str) -> None:
        """Characters between tags."""
        if self._open_in_dropped:
            return
        if self._title is not None:
            self._title.append(text)
        elif self._pre:
            self._buffer.append(text)
        else:
            self._cell_chars += len(text)
            self._buffer.append(_SPACE.sub(" ", text))

    def close(self) -> _Reader:
        """The page ends."""
        self._flush()
        return self

    def _dropped(self, tag: str, attributes: dict[str, str]) -> bool:
        classes = attributes.get("class", "")
        return (
            tag in _DROPPED
            or "hidden" in attributes
            or bool(classes and not _DROPPED_CLASSES.isdisjoint(classes.split()))
        )

    def _meta(self, attributes: dict[str, str]) -> None:
        name = attributes.get("name", "").casefold()
        content = " ".join(storable(attributes.get("content", "")).split())
        if name in ("author", "description") and content:
            self.metadata.setdefault(name, content)

    def _cell(self) -> None:
        if not self._row:
            self._flush()
        elif self._buffer:
            self._buffer.append(" | ")
        self._cell_chars = 0

    def _boundary(self, tag: str) -> None:
        """A block begins or ends: so does a line, unless it is a short one in a table's cell."""
        short = self._cell_chars <= _LAYOUT_CHARS and tag not in _HEADINGS
        if self._row and short and tag not in ("pre", "table", "tr"):
            self._buffer.append(" ")
        else:
            self._flush()

    def _flush(self) -> None:
        text = "".join(self._buffer)
        self._buffer.clear()
        if self._pre:
            self.flow.verbatim(text)
        elif not text.strip(" |\n"):
            return
        elif self._level:
            self.flow.heading(text, level=self._level)
        elif self._row and self._cell_chars <= _LAYOUT_CHARS:
            self.flow.row(text.rstrip(" |"))
        elif self._item:
            self.flow.item(text, depth=self._lists)
            self._item = False
        else:
            self.flow.paragraph(text.rstrip(" |") if self._row else text)
