"""Code with its parts marked, by class; the page's style gives them colours."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from brainkit import markup

if TYPE_CHECKING:
    from pygments.lexer import Lexer

_CHARS_MAX = 100_000


def code_html(code: str, language: str) -> str:
    """Return code as escaped HTML, its tokens in spans with Pygments' short classes.

    language : a name that Pygments knows; any other, and code beyond 100,000 characters, stays
        plain.
    """
    lexer = _lexer(language) if len(code) <= _CHARS_MAX else None
    if lexer is None:
        return markup.text(code)
    from pygments import highlight
    from pygments.formatters import HtmlFormatter

    return str(highlight(code, lexer, HtmlFormatter(nowrap=True))).rstrip("\n")


@lru_cache(maxsize=32)
def _lexer(language: str) -> Lexer | None:
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    try:
        return get_lexer_by_name(language, stripnl=False)
    except ClassNotFound:
        return None
