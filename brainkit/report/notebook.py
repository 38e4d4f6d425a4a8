"""A notebook's cells as the body of a report."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal

from brainkit import markup
from brainkit.report.body import Body
from brainkit.report.highlight import code_html
from brainkit.report.markdown import Page, markdown_html
from brainkit.report.outputs import joined, output_html
from brainkit.report.pictures import Pictures
from brainkit.report.scrub import Scrubber

Code = Literal["show", "fold", "hide"]
CODE: Final = ("show", "fold", "hide")

_OPTION: Final = re.compile(r"#\| *(fig-cap|fig-alt|caption|alt) *: *(.*)")
_NO_INPUT: Final = {"hide-input", "hide_input", "remove-input", "remove_input"}
_NO_OUTPUT: Final = {"hide-output", "hide_output", "remove-output", "remove_output"}
_NO_CELL: Final = {"hide-cell", "hide_cell", "remove-cell", "remove_cell"}
"""Tags as Jupyter Book and nbconvert's own documents use them."""


def taken_in(notebook: Mapping[str, Any], scrub: Scrubber) -> dict[str, Any]:
    """Return a copy of a notebook without secrets, of which nothing was cut yet."""
    cells = []
    for number, cell in enumerate(notebook.get("cells") or (), 1):
        scrub.at(_where(number))
        cells.append(scrub.data(cell))
    scrub.at("the title")
    return {"cells": cells, "metadata": scrub.data(notebook.get("metadata") or {})}


def notebook_body(
    notebook: Mapping[str, Any], scrub: Scrubber, *, code: Code = "show", folder: Path | None = None
) -> Body:
    """Return what a report shows of a notebook that was taken in.

    code : ``show``, ``fold`` behind a line that opens it, or ``hide``.
    folder : where the notebook lies, for its pictures; nothing outside is read.
    """
    body = Body(Page(Pictures(folder)), scrub)
    language = _language(notebook["metadata"])
    for number, cell in enumerate(notebook["cells"], 1):
        if _tags(cell) & _NO_CELL:
            continue
        source = joined(cell.get("source", ""))
        shown = ""
        if cell.get("cell_type") == "markdown":
            text = markdown_html(source, body.page, attachments=cell.get("attachments"))
            shown = f'<section class="text">{text}</section>'
        elif cell.get("cell_type") == "code":
            shown = _code_cell(cell, source, body, code=code, language=language)
        elif source.strip():
            shown = f'<pre class="raw">{markup.text(source)}</pre>'
        body.add(shown, where=_where(number))
    return body


def title_of(notebook: Mapping[str, Any], *, otherwise: str) -> str:
    """Return what a notebook calls itself: in its metadata, or by its first heading of level 1."""
    given = (notebook.get("metadata") or {}).get("title")
    if isinstance(given, str) and given.strip():
        return given.strip()
    for cell in notebook.get("cells") or ():
        if cell.get("cell_type") == "markdown":
            found = re.search(r"^# +(.+?) *#*$", joined(cell.get("source", "")), re.MULTILINE)
            if found:
                return re.sub(r"[*_`]", "", found[1]).strip()
    return otherwise


def _code_cell(
    cell: Mapping[str, Any], source: str, body: Body, *, code: Code, language: str
) -> str:
    tags = _tags(cell)
    source, options = _options(source)
    metadata = cell.get("metadata") or {}
    hidden = bool((metadata.get("jupyter") or {}).get("source_hidden"))
    parts = []
    if code != "hide" and not tags & _NO_INPUT and source.strip():
        count = cell.get("execution_count")
        name = f"Code [{count}]" if isinstance(count, int) else "Code"
        shown = code_html(source.strip("\n"), language)
        opened = " open" if code == "show" and not hidden else ""
        parts.append(
            f'<details class="code"{opened}><summary>{name}</summary>'
            f'<pre class="source"><code>{shown}</code></pre></details>'
        )
    if not tags & _NO_OUTPUT:
        caption = options.get("caption") or options.get("fig-cap", "")
        alt = options.get("alt") or options.get("fig-alt") or caption
        outputs = _merged(cell.get("outputs") or ())
        for at, output in enumerate(outputs):
            if _is_left_by(output, outputs[at + 1 :]):
                continue
            parts.append(output_html(output, body, caption=caption, alt=alt))
            caption = ""
    held = "".join(parts)
    return f'<section class="cell">{held}</section>' if held else ""


def _where(number: int) -> str:
    return f"cell {number}"


def _options(source: str) -> tuple[str, dict[str, str]]:
    """Take the captions, as Quarto writes them, off the beginning of a cell."""
    options: dict[str, str] = {}
    lines = source.split("\n")
    kept = []
    for line in lines:
        found = _OPTION.fullmatch(line.strip()) if line.startswith("#|") else None
        if found:
            options[found[1]] = found[2].strip().strip("\"'")
        else:
            kept.append(line)
    return "\n".join(kept), options


def _merged(outputs: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Join what one stream wrote in several pieces, as progress bars do."""
    merged: list[Mapping[str, Any]] = []
    for output in outputs:
        last = merged[-1] if merged else {}
        same = output.get("output_type") == "stream" == last.get("output_type")
        if same and output.get("name") == last.get("name"):
            text = joined(last.get("text", "")) + joined(output.get("text", ""))
            merged[-1] = {**last, "text": text}
        else:
            merged.append(output)
    return merged


def _is_left_by(output: Mapping[str, Any], rest: Sequence[Mapping[str, Any]]) -> bool:
    """Tell whether an output is a widget that left what it showed in one of the next."""
    plain = joined((output.get("data") or {}).get("text/plain", ""))
    return plain.startswith(("<Explorer ", "<Labelling ")) and any(
        "brainkit-left" in joined((one.get("data") or {}).get("text/html", "")) for one in rest
    )


def _tags(cell: Mapping[str, Any]) -> set[str]:
    tags = (cell.get("metadata") or {}).get("tags")
    return {str(tag) for tag in tags} if isinstance(tags, list | tuple) else set()


def _language(metadata: Mapping[str, Any]) -> str:
    info, kernel = metadata.get("language_info") or {}, metadata.get("kernelspec") or {}
    lexer = info.get("pygments_lexer") or info.get("name") or kernel.get("language") or "text"
    return "ipython3" if lexer == "python" else str(lexer)
