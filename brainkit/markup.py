"""The one way to put data into HTML or onto a terminal: what it says is shown, never obeyed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from html import escape

STYLE = """<style>
.brainkit{font-family:var(--jp-ui-font-family,system-ui,sans-serif);font-size:13px;line-height:1.45;
 color:var(--jp-ui-font-color1,inherit);max-width:64em;color-scheme:light dark}
.brainkit .scroll{overflow-x:auto}
.brainkit table{border-collapse:collapse;margin:.4em 0;width:auto;font-size:inherit;color:inherit}
.brainkit caption{text-align:left;padding:.2em 0 .4em;font-weight:600}
.brainkit th{font-weight:600;text-align:left;white-space:nowrap;
 border-bottom:1px solid var(--jp-border-color1,#8886)}
.brainkit th,.brainkit td{padding:.22em .9em .22em 0;vertical-align:top;background:none;
 color:inherit;text-align:left}
.brainkit th.n,.brainkit td.n{text-align:right;font-variant-numeric:tabular-nums}
.brainkit td.s{white-space:nowrap}
.brainkit td{overflow-wrap:anywhere;border-bottom:1px solid var(--jp-border-color2,#8883)}
.brainkit .dim{color:var(--jp-ui-font-color2,inherit);opacity:.85}
.brainkit .src{font-weight:600;overflow-wrap:anywhere}
.brainkit ol{padding-left:1.8em;margin:.3em 0}
.brainkit li{margin:.55em 0}
.brainkit pre{margin:.25em 0;padding:.45em .6em;white-space:pre-wrap;overflow-wrap:anywhere;
 font-family:var(--jp-code-font-family,ui-monospace,monospace);font-size:12px;
 background:var(--jp-layout-color2,#8881);color:inherit;border-radius:3px;max-height:16em;
 overflow:auto}
.brainkit mark{background:rgba(255,176,0,.3);color:inherit;font-weight:600;border-radius:2px}
.brainkit .notice{border-left:3px solid var(--jp-warn-color1,#c77700);padding:.1em .6em;
 margin:.3em 0}
</style>"""
_SHORT = 14  # characters that a cell never breaks


def text(value: object) -> str:
    """Return a value as escaped HTML text.

    >>> text("<b> & 'c'")
    '&lt;b&gt; &amp; &#x27;c&#x27;'
    """
    return escape(str(value), quote=True)


_SHOWN = {
    **{code: 0x2400 + code for code in range(32) if chr(code) not in "\t\n"},
    0x7F: 0x2421,
    **dict.fromkeys([*range(0x80, 0xA0), *range(0xD800, 0xE000)], 0xFFFD),
    **dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A)], 0xFFFD),
}
"""Control characters, which terminals obey; halves of characters; and marks that reorder a line."""


def terminal(value: object) -> str:
    """Return a value as text of the same length that is safe to print on a terminal.

    >>> terminal("a\x1b[31mb\tc")
    'a␛[31mb\tc'
    """
    return str(value).translate(_SHOWN)


def block(parts: Iterable[str]) -> str:
    """Wrap HTML parts with the style they need."""
    return f'{STYLE}<div class="brainkit">{"".join(parts)}</div>'


def table(
    headers: Sequence[str],
    rows: Iterable[Sequence[object]],
    *,
    caption: str = "",
    footer: str = "",
    right: Collection[int] = (),
) -> str:
    """Return a styled HTML table; ``right`` are the columns of numbers."""

    def cell(tag: str, column: int, value: object) -> str:
        kind = "n" if column in right else "s" if len(str(value)) <= _SHORT else ""
        return f'<{tag} class="{kind}">{text(value)}</{tag}>'

    head = "".join(cell("th", i, name) for i, name in enumerate(headers))
    body = "".join(
        "<tr>" + "".join(cell("td", i, value) for i, value in enumerate(row)) + "</tr>"
        for row in rows
    )
    above = f"<caption>{text(caption)}</caption>" if caption else ""
    if not body:
        return block([f"<div><b>{text(caption)}</b></div>"])
    whole = f"<table>{above}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    below = f'<div class="dim">{text(footer)}</div>' if footer else ""
    return block([f'<div class="scroll">{whole}</div>', below])


def size(count: int) -> str:
    """Return a number of bytes for people.

    >>> size(1_530_000)
    '1.5 MB'
    """
    value = float(count)
    for unit in ("B", "kB", "MB"):
        if value < 1000:
            return f"{value:.0f} {unit}" if unit == "B" else f"{value:.1f} {unit}"
        value /= 1000
    return f"{value:.1f} GB"
