"""A signature as one line of bounded length."""

from __future__ import annotations

import re
from typing import Final

SIGNATURE_CHARS_MAX: Final = 300

_INNER_SPACE: Final = re.compile(r"(?<=[(\[]) |,? (?=[)\]])")


def one_line(text: str) -> str:
    """Join lines, and cut at the last word that fits SIGNATURE_CHARS_MAX characters.

    >>> one_line("def f(\\n    a,\\n    b,\\n)")
    'def f(a, b)'
    """
    line = _INNER_SPACE.sub("", " ".join(text.split()))
    if len(line) > SIGNATURE_CHARS_MAX:
        line = line[:SIGNATURE_CHARS_MAX].rpartition(" ")[0] or line[:SIGNATURE_CHARS_MAX]
    return line
