"""Styles that outputs bring along, kept to their output and to what cannot ask for anything."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
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
            f"{one.lower_name}:{_written(one.value)}"
            for one in declarations
            if one.type == "declaration" and _ALLOWED.fullmatch(one.lower_name)
            and not any(_names_address(value) for value in one.value)
        )  # fmt: skip
        if kept:
            yield f"{_written(node.prelude)}{{{kept}}}"


def _names_address(value: Any) -> bool:
    if value.type in ("url", "error", "bad-string", "bad-url"):
        return True
    if value.type == "function":
        return value.lower_name in ("url", "src", "image", "image-set", "element", "attr") or any(
            map(_names_address, value.arguments)
        )
    return False


def _written(values: Iterable[Any]) -> str:
    """CSS that no parser of HTML can end early."""
    return str(tinycss2.serialize(values)).strip().replace("<", r"\3c ")
