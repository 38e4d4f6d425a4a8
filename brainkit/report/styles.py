"""Styles that outputs bring along, kept to their output and to what cannot ask for anything."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import tinycss2

_ELEMENT: Final = re.compile(r"<style\b[^>]*>(.*?)</style\s*>", re.IGNORECASE | re.DOTALL)
_ALLOWED: Final = re.compile(
    r"(?:background-color|border(?:-\w+)*|caption-side|color|column-gap|display|font(?:-\w+)*|gap"
    r"|grid-(?:template|column|row|area)[\w-]*|align-(?:items|self|content)|justify-[a-z]+"
    r"|flex(?:-\w+)?|height|letter-spacing|line-height|list-style(?:-type)?|margin(?:-\w+)*"
    r"|(?:max|min)-(?:width|height)|opacity|overflow(?:-\w+)*|padding(?:-\w+)*|row-gap|tab-size"
    r"|text-[a-z-]+|vertical-align|white-space|width|word-break|background)"
)
_ADDRESSES: Final = frozenset({"url", "src", "image", "image-set", "element", "attr"})
_WHOLE: Final = frozenset(
    {"dimension", "hash", "ident", "number", "percentage", "string", "whitespace"}
)
_CHARS_MAX: Final = 100_000


def scoped_styles(html: str, scope: str) -> str:
    """Return the rules of an output's style elements, for its own element only.

    scope : a selector of that element. At-rules, properties that could lie over the page, and
    values that name an address are left out.

    >>> scoped_styles("<style>b{color:red;position:fixed;background:url(//x)}</style>", "#o")
    '@scope (#o){b{color:red}}'
    """
    css = "".join(_ELEMENT.findall(html))
    if not css or len(css) > _CHARS_MAX:
        return ""
    rules = "".join(
        _rules(tinycss2.parse_stylesheet(css, skip_comments=True, skip_whitespace=True))
    )
    return f"@scope ({scope}){{{rules}}}" if rules else ""


def _rules(nodes: Iterable[Any]) -> Iterator[str]:
    for node in nodes:
        if node.type != "qualified-rule":
            continue
        declarations = tinycss2.parse_blocks_contents(
            node.content, skip_comments=True, skip_whitespace=True
        )
        kept = ";".join(
            f"{one.lower_name}:{value}"
            for one in declarations
            if one.type == "declaration" and _ALLOWED.fullmatch(one.lower_name)
            and (value := _written(one.value))
        )  # fmt: skip
        selector = _written(node.prelude)
        if kept and selector:
            yield f"{selector}{{{kept}}}"


def _is_whole(value: Any) -> bool:
    """Tell whether a part of a rule ends where it says, and names no address.

    What is left over of broken CSS, as a string without an end, would not end with its rule.
    """
    if value.type == "function":
        return value.lower_name not in _ADDRESSES and all(map(_is_whole, value.arguments))
    if value.type in ("() block", "[] block"):
        return all(map(_is_whole, value.content))
    if value.type == "literal":
        return value.value not in ("{", "}", ";", "(", ")", "[", "]", "<!--", "-->")
    return value.type in _WHOLE


def _written(values: Sequence[Any]) -> str:
    """CSS that no parser of HTML can end early; nothing if some part of it is not whole."""
    if not all(map(_is_whole, values)):
        return ""
    return str(tinycss2.serialize(values)).strip().replace("<", r"\3c ")
