"""TeX as MathML, which browsers draw by themselves: no script, no font, no network."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from brainkit import markup

_DEPTH_MAX: Final = 100
_COMMANDS_MAX: Final = 2000
_NESTING: Final = re.compile(
    r"(?P<opens>\{|\\left\b|\\begin\b)|(?P<closes>\}|\\right\b|\\end\b)|\\.", re.DOTALL
)

if TYPE_CHECKING:
    from math_core import LatexToMathML


def mathml(tex: str, *, block: bool, prefix: str = "") -> str:
    """Return a formula as MathML; one that cannot be read stands there as it was written.

    prefix : begins every id, so that labels of two cells do not meet.
    Text in a formula is escaped, and what would be a link or a style is not known.

    >>> mathml("a < b", block=False)
    '<math><mi>a</mi><mo>&lt;</mo><mi>b</mi></math>'
    >>> mathml(r"\\nonsense", block=False)
    '<code class="tex" title="This formula cannot be shown.">\\\\nonsense</code>'
    """
    from math_core import LatexError

    tex = tex.strip()
    try:
        if _shallow(tex):
            return _converter(prefix).convert_with_local_state(tex, displaystyle=block)
    except LatexError:
        pass
    shown = f'title="This formula cannot be shown.">{markup.text(tex)}'
    return f'<pre class="tex" {shown}</pre>' if block else f'<code class="tex" {shown}</code>'


def _shallow(tex: str) -> bool:
    """Tell whether a formula nests no deeper than a converter that calls itself can follow.

    It would end the whole process, which no ``except`` prevents. Whatever encloses something else
    is opened by a brace, or begins with a backslash.
    """
    depth = 0
    for mark in _NESTING.finditer(tex):
        depth = depth + 1 if mark["opens"] else max(0, depth - bool(mark["closes"]))
        if depth > _DEPTH_MAX:
            return False
    return tex.count("\\") <= _COMMANDS_MAX


@cache
def _converter(prefix: str) -> LatexToMathML:
    from math_core import LatexToMathML

    return LatexToMathML(fancy_error=False, id_prefix=prefix)
