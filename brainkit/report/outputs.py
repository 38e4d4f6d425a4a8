"""What cells put out, as HTML that can only be read, and views and figures that are live."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from brainkit import markup
from brainkit.report.body import Body
from brainkit.report.clean import clean, is_blank
from brainkit.report.markdown import markdown_html
from brainkit.report.places import last_names, last_names_in
from brainkit.report.scrub import VIEW_DATA
from brainkit.widgets.view import MIME, view_of

PLOTLY: Final = "application/vnd.plotly.v1+json"
WIDGET: Final = "application/vnd.jupyter.widget-view+json"
_CHARS_MAX: Final = 200_000
_PIXELS_MAX: Final = 20_000
_TAG: Final = re.compile(r"<brainkit-(?:view|evaluation|lesson)-\d+>")
_COLOUR: Final = re.compile(r'style="[^"]*?(?<!-)color: (rgb\(\d+,\d+,\d+\))[^"]*"')
"""A colour out of 256, which is made for one ground; the page has two."""
_PROGRESS: Final = re.compile(r"[^|\n]*\d+%\|[^|\n]*\|")
"""A bar that ended, as tqdm draws it, of which a notebook keeps the first moment."""
_SCRIPTS: Final = re.compile(r"<script\b", re.IGNORECASE)

Bundle = Mapping[str, Any]


def output_html(output: Mapping[str, Any], body: Body, *, caption: str, alt: str) -> str:
    """Return one output of a cell; empty for what has nothing to show."""
    kind = output.get("output_type")
    if kind == "stream":
        name = "stderr" if output.get("name") == "stderr" else "stdout"
        return _text(joined(output.get("text", "")), name)
    if kind == "error":
        return error_html(output)
    return bundle_html(
        output.get("data") or {}, body, metadata=output.get("metadata"), caption=caption, alt=alt
    )


def bundle_html(
    data: Bundle,
    body: Body,
    *,
    metadata: Mapping[str, Any] | None = None,
    caption: str = "",
    alt: str = "",
) -> str:
    """Return the best form of an output that a page without a kernel can show."""
    page = joined(data.get("text/html", ""))
    if (MIME in data or _TAG.search(page)) and page:
        return body.figure(_view(page, body), caption)
    if PLOTLY in data and isinstance(data[PLOTLY], Mapping):
        return body.figure(body.chart(data[PLOTLY]), caption)
    if WIDGET in data:
        return _widget(data, body)
    for name, render in _RENDERERS.items():
        if name in data and (shown := render(data[name], body, metadata or {}, alt or _alt(data))):
            return body.figure(shown, caption)
    return _rest(data, body)


def error_html(output: Mapping[str, Any]) -> str:
    """Return an error with its traceback; what failed is the first thing that is read."""
    name, said = str(output.get("ename", "Error")), str(output.get("evalue", ""))
    trace = "\n".join(map(str, output.get("traceback") or ()))
    head = markup.text(markup.terminal(f"{name}: {said}" if said else name))
    below = f"<pre>{_ansi(_bounded(trace))}</pre>" if trace else ""
    return f'<div class="output error" role="group" aria-label="Error"><p>{head}</p>{below}</div>'


def joined(value: Any) -> str:
    """Return a text that notebooks may store as a list of lines."""
    return "".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _view(page: str, body: Body) -> str:
    start = _TAG.search(page)
    table = page[start.end() if start else 0 :].partition(VIEW_DATA)[0]
    try:
        view = view_of(page)
    except (ValueError, RecursionError):
        view = None
    return body.view(view, table)


def _text(text: str, kind: str) -> str:
    shown = _overwritten(_bounded(text))
    if not shown.strip():
        return ""
    return f'<pre class="output {kind}">{_ansi(shown)}</pre>'


def _plain(value: Any, _: Body, __: Bundle, ___: str) -> str:
    text = joined(value)
    own = text.startswith(("<Brain ", "<Explorer "))
    return _text(last_names(text) if own else text, "plain")


def _page(value: Any, body: Body, _: Bundle, __: str) -> str:
    page = joined(value)
    own = 'class="brainkit"' in page
    cleaned = clean(page, keep_id=body.page.own, any_class=True)
    if own:
        cleaned = last_names_in(cleaned)
    if is_blank(cleaned):
        return ""
    if len(cleaned) > 10 * _CHARS_MAX:
        return '<p class="note">An output of more than 2 MB of HTML is not in this file.</p>'
    return f'<div class="output html"{body.styled(page)}>{cleaned}</div>'


def _markdown(value: Any, body: Body, _: Bundle, __: str) -> str:
    return f'<div class="output">{markdown_html(joined(value), body.page)}</div>'


def _latex(value: Any, body: Body, metadata: Bundle, alt: str) -> str:
    return _markdown(value, body, metadata, alt)


def _script(_: Any, __: Body, ___: Bundle, ____: str) -> str:
    return '<p class="note">An output that runs JavaScript is not in this file.</p>'


def _json(value: Any, _: Body, __: Bundle, ___: str) -> str:
    text = json.dumps(value, indent=2, ensure_ascii=False)
    return _text(text, "plain")


def _picture(kind: str) -> Callable[[Any, Body, Bundle, str], str]:
    def render(value: Any, body: Body, metadata: Bundle, alt: str) -> str:
        pictures, text = body.page.pictures, joined(value)
        if kind == "image/svg+xml":
            data = pictures.data(text.encode(), kind, name="an SVG")
        else:
            data = pictures.encoded(text, kind, name=f"an output ({kind})")
        if data is None:
            return f'<p class="note">{markup.text(pictures.notes[-1])}</p>'
        own = metadata.get(kind)
        sizes = "".join(
            f' {name}="{int(own[name])}"'
            for name in ("width", "height")
            if isinstance(own, Mapping) and _is_size(own.get(name))
        )
        return f'<img class="output" src="{data}" alt="{markup.text(alt)}"{sizes}>'

    return render


_RENDERERS: Final[Mapping[str, Callable[[Any, Body, Bundle, str], str]]] = {
    "text/html": _page,
    "text/markdown": _markdown,
    **{
        kind: _picture(kind)
        for kind in ("image/svg+xml", "image/png", "image/jpeg", "image/webp", "image/gif")
    },
    "text/latex": _latex,
    "application/json": _json,
    "application/javascript": _script,
    "text/plain": _plain,
}
"""Best first; one that leaves nothing to see, as HTML that is all script does, gives way."""


def _is_size(value: Any) -> bool:
    return isinstance(value, int | float) and 1 <= value <= _PIXELS_MAX


def _alt(data: Bundle) -> str:
    return joined(data.get("text/plain", "")).strip()[:200] or "Picture"


def _widget(data: Bundle, body: Body) -> str:
    plain = joined(data.get("text/plain", "")).strip()
    if _PROGRESS.match(plain):
        return ""
    if plain.startswith("<Explorer "):
        return '<p class="note">An explorer, which asks a running kernel.</p>'
    name = re.match(r"[A-Za-z_]\w*", plain)
    kind = f" ({name[0]})" if name else ""
    note = f"An interactive widget{kind} needs a running kernel and is not in this file."
    page = joined(data.get("text/html", ""))
    shown = _page(page, body, {}, "") if page else ""
    return f'<p class="note">{markup.text(note)}</p>{shown}'


def _rest(data: Bundle, body: Body) -> str:
    kinds = [kind for kind in data if kind != "text/plain"]
    if not kinds:
        return ""
    reason = "would run code" if _runs(data) else "is of a kind that pages cannot show"
    return (
        f'<p class="note">An output that {reason} is not in this file '
        f"({markup.text(', '.join(kinds)[:120])}).</p>"
    )


def _runs(data: Bundle) -> bool:
    return "application/javascript" in data or bool(
        _SCRIPTS.search(joined(data.get("text/html", "")))
    )


def _bounded(text: str) -> str:
    if len(text) <= _CHARS_MAX:
        return text
    half = _CHARS_MAX // 2
    left_out = len(text) - 2 * half
    return f"{text[:half]}\n… {left_out:,} characters left out …\n{text[-half:]}"


def _overwritten(text: str) -> str:
    """Lines as a terminal leaves them: what follows a carriage return replaces what was before."""
    if "\r" not in text:
        return text
    lines: Sequence[str] = text.replace("\r\n", "\n").split("\n")
    return "\n".join(line.rstrip("\r").rpartition("\r")[2] for line in lines)


def _ansi(text: str) -> str:
    """Escaped text with the colours of a terminal as classes; other signs are shown as pictures."""
    from nbconvert.filters.ansi import ansi2html

    parts = re.split(r"(\x1b\[[0-9;]*m)", text)
    shown = "".join(part if at % 2 else markup.terminal(part) for at, part in enumerate(parts))
    if len(parts) == 1:
        return html.escape(shown, quote=False)
    coloured = str(ansi2html(shown))  # type: ignore[no-untyped-call] # nbconvert annotates in part
    return _COLOUR.sub(r'style="color: color-mix(in srgb, \1 35%, var(--fg))"', coloured)
