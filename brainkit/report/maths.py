"""TeX as MathML, which browsers draw by themselves: no script, no font, no network."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from brainkit import markup

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

    try:
        return _converter(prefix).convert_with_local_state(tex.strip(), displaystyle=block)
    except LatexError:
        shown = f'title="This formula cannot be shown.">{markup.text(tex.strip())}'
        return f'<pre class="tex" {shown}</pre>' if block else f'<code class="tex" {shown}</code>'


@cache
def _converter(prefix: str) -> LatexToMathML:
    from math_core import LatexToMathML

    return LatexToMathML(fancy_error=False, id_prefix=prefix)
