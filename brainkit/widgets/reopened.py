"""What a widget leaves in the notebook, for when it is opened again without its kernel."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from brainkit.widgets.view import mimebundle

_NOTE = "This explorer has no kernel any more: run its cell again to ask. This is its first answer."
# It has no height until the widget above it had time to appear, which then hides it. Where there is
# none, JupyterLab has put a message there, and where a progress bar was another, in elements that
# hold nothing but text.
_STYLE = """<style>
@keyframes brainkit-late {{ from, to {{ max-height: 0; overflow: hidden; }} }}
.brainkit-left[data-of="{of}"] {{ animation: brainkit-late 1.5s; }}
.jp-OutputArea-child:has(~ .jp-OutputArea-child .brainkit-left[data-of="{of}"])
 .jp-OutputArea-output:not(:has(*)) {{ display: none; }}
</style>"""


def left_behind(view: Mapping[str, Any], *, of: str, plain: str) -> dict[str, Any]:
    """Return an output that shows an answer where no explorer of this name is on the page.

    of : the explorer's name, of letters and digits; ``js/widget.js`` hides what has it.
    plain : for terminals and diffs.
    """
    bundle = mimebundle(view, plain=plain)
    html = f'<p style="font-size:12px">{_NOTE}</p>{bundle["text/html"]}'
    return {**bundle, "text/html": only_without(html, of=of)}


def only_without(html: str, *, of: str) -> str:
    """Return HTML that is hidden while there is a widget of this name on the page."""
    return f'{_STYLE.format(of=of)}<div class="brainkit-left" data-of="{of}">{html}</div>'
