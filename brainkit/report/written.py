"""The ways in which a value is written, and in which a text is read."""

from __future__ import annotations

import html
import json
import re
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Callable
from typing import Final
from urllib.parse import quote, quote_plus

_CORE_MIN: Final = 8
_ANSI: Final = re.compile(r"\x1b\[[0-9;]*m")
_TAG: Final = re.compile(r"<[^<>]*>")
_ESCAPED: Final = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&#34;", "'": "&#39;"}

_WRITERS: Final[tuple[Callable[[str], str], ...]] = (
    lambda value: value,
    html.escape,
    lambda value: html.escape(value, quote=False),
    lambda value: "".join(_ESCAPED.get(char, char) for char in value),
    lambda value: json.dumps(value)[1:-1],
    lambda value: json.dumps(value, ensure_ascii=False)[1:-1],
    lambda value: json.dumps(value)[1:-1].replace("/", "\\/"),
    lambda value: re.sub("[<>&']", lambda one: f"\\u{ord(one[0]):04x}", json.dumps(value)[1:-1]),
    lambda value: repr(value)[1:-1],
    lambda value: quote(value, safe="", errors="replace"),
    lambda value: quote(value, errors="replace"),
    lambda value: quote_plus(value, errors="replace"),
)


def written(value: str, *, in_base64: bool = True) -> tuple[str, ...]:
    r"""Return a value as it stands, and as HTML, JSON, Python, addresses and base64 write it.

    Also as one of the first four writes what another wrote: JSON within HTML, or within JSON.
    in_base64 : also within the base64 of a longer text, at each of its three alignments.

    >>> written("a/b&c", in_base64=False)[:5]
    ('a/b&c', 'a/b&amp;c', 'a\\/b&c', 'a/b\\u0026c', 'a%2Fb%26c')
    """
    once = [write(value) for write in _WRITERS]
    forms = [*once, *(write(form) for form in dict.fromkeys(once) for write in _WRITERS)]
    if in_base64:
        forms += _in_base64(value.encode("utf-8", "surrogatepass"))
    return tuple(dict.fromkeys(forms))


def readings(text: str) -> tuple[str, ...]:
    r"""Return a text as it stands, and without colours, tags, entities and JSON's escapes.

    >>> readings("<td>token = &#x27;q8&#x27;</td>")[-1]
    "token = 'q8'"
    """
    plain = _ANSI.sub("", text)
    said = html.unescape(_TAG.sub("", plain)) if "<" in plain or "&" in plain else plain
    forms = (text, plain, html.unescape(plain), said)
    return tuple(dict.fromkeys([*forms, *(form.replace('\\"', '"') for form in forms)]))


def _in_base64(value: bytes) -> list[str]:
    """What is sure to stand in the base64 of any text with the value in it."""
    cores = []
    for encode in (b64encode, urlsafe_b64encode):
        for before in range(3):
            whole = encode(b"\0" * before + value).decode()
            first, last = -(-before * 8 // 6), (before + len(value)) * 8 // 6
            if last - first >= _CORE_MIN:
                cores.append(whole[first:last])
    return cores
