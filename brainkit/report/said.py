"""What a page of HTML says, read across its tags, and changed where it stands."""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from brainkit import markup

Edit = tuple[int, int, str]
"""Start, end and what stands there instead. Those of one text are in order and do not meet."""
Edits = Callable[[str], list[Edit]]

TAG: Final = r"""</?[A-Za-z](?:[^>"']|"[^"]*"|'[^']*')*+>"""
"""A tag of HTML that was cleaned or is ours, whatever its attributes hold."""
_PIECE: Final = re.compile(
    rf"(?P<open><script\b[^>]*>)(?P<data>.*?)</script>|(?P<tag>{TAG})", re.DOTALL
)
_NAME: Final = re.compile(r"</?([\w-]+)")
_ATTRIBUTE: Final = re.compile(r'([\w:-]+)="([^"]+)"')
_HALF: Final = re.compile("[\ud800-\udfff]")
_SVG: Final = "data:image/svg+xml;base64,"
_INLINE: Final = frozenset({
    *("a", "abbr", "b", "bdi", "bdo", "cite", "code", "del", "dfn", "em", "i", "ins", "kbd"),
    *("mark", "math", "mi", "mn", "mo", "mrow", "mtext", "q", "s", "samp", "small", "span"),
    *("strong", "sub", "sup", "tt", "u", "var", "wbr"),
})  # fmt: skip
"""Elements that may begin and end within a word; any other stands between two texts."""


@dataclass
class _Said:
    """A text of the page: where it is in the page's source and in what the page says."""

    start: int
    end: int
    at: int
    text: str


def rewritten(page: str, edits: Edits, data: Callable[[Any], Any]) -> str:
    """Return HTML with its texts, attributes and JSON changed; the rest is as it was, byte by byte.

    page : well formed, with ``<`` and ``&`` escaped in its texts, as ``nh3`` writes it.
    edits : given what the page says, or one attribute, returns what is to be changed. An edit may
        reach across tags, which stay. An SVG picture is one text.
    data : given the JSON of a script element, returns it changed, or the same object.
    """
    changes: list[Edit] = []
    texts: list[_Said] = []
    said: list[str] = []
    length = at = 0

    def take(text: str) -> None:
        nonlocal length
        said.append(text)
        length += len(text)

    for piece in _PIECE.finditer(page):
        if piece.start() > at:
            text = html.unescape(page[at : piece.start()])
            texts.append(_Said(at, piece.start(), length, text))
            take(text)
        at = piece.end()
        if piece["data"] is not None:
            changes += _data(piece, data)
        elif '="' in piece[0]:
            changes += _attributes(piece, edits)
        if _name(piece["tag"]) not in _INLINE:
            take("\n")
    if at < len(page):
        texts.append(_Said(at, len(page), length, html.unescape(page[at:])))
        take(texts[-1].text)
    found = edits("".join(said))
    changes += [
        (one.start, one.end, html.escape(applied(one.text, own), quote=False))
        for one in texts
        if (own := list(_within(one, found)))
    ]
    return applied(page, sorted(changes))


def applied(text: str, edits: Sequence[Edit]) -> str:
    """Return a text with edits made.

    >>> applied("a b c", [(0, 1, "x"), (2, 5, "")])
    'x '
    """
    parts = []
    at = 0
    for start, end, instead in edits:
        parts += [text[at:start], instead]
        at = end
    return "".join([*parts, text[at:]])


def _within(one: _Said, found: Sequence[Edit]) -> Iterator[Edit]:
    """The edits of one text, in its own offsets; what an edit gives stands where it begins.

    One that keeps the length is cut along with the text.
    """
    for start, end, instead in found:
        left, right = start - one.at, end - one.at
        first, last = max(left, 0), min(right, len(one.text))
        if first >= last:
            continue
        if len(instead) == end - start:
            yield first, last, instead[first - left : last - left]
        else:
            yield first, last, instead if left >= 0 else ""


def _name(tag: str | None) -> str:
    named = None if tag is None else _NAME.match(tag)
    return "" if named is None else named[1].lower()


def _data(piece: re.Match[str], data: Callable[[Any], Any]) -> list[Edit]:
    value = json.loads(piece["data"])
    changed = data(value)
    return [] if changed is value else [(*piece.span("data"), json_text(changed))]


def _attributes(piece: re.Match[str], edits: Edits) -> Iterator[Edit]:
    for found in _ATTRIBUTE.finditer(piece[0]):
        value = found[2]
        start, end = (piece.start() + offset for offset in found.span(2))
        if value.startswith(_SVG):
            yield start, end, _picture(value, edits)
        elif not value.startswith("data:"):
            text = html.unescape(value)
            if own := edits(text):
                yield start, end, markup.text(applied(text, own))


def _picture(address: str, edits: Edits) -> str:
    """An SVG is text of others, in any form, so it is read as it stands."""
    try:
        source = base64.b64decode(address.removeprefix(_SVG)).decode()
    except ValueError:
        return address  # which no browser shows
    own = edits(source)
    return _SVG + base64.b64encode(applied(source, own).encode()).decode() if own else address


def json_text(value: Any) -> str:
    """Return JSON that no parser of HTML can end early. Raises ValueError for NaN and infinity."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    if _HALF.search(text):  # half a character: no UTF-8 holds it
        text = json.dumps(value, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")
