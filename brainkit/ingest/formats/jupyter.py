"""Notebooks, cell by cell. Every version of the format differs only in where it puts the source."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from brainkit.ingest.formats.document import Extracted, Heading, Section, notes, storable
from brainkit.ingest.formats.kernels import cell_language, kernel_language
from brainkit.ingest.load import Unreadable, long_line
from brainkit.settings import Settings

CELLS_MAX: Final = 10_000
CELL_CHARS_MAX: Final = 1_000_000
OUTPUT_CHARS_MAX: Final = 10_000

_PICTURE: Final = re.compile(r"(data:[\w/+.-]{1,80};base64,)[A-Za-z0-9+/=]{80,}")
_MAGIC: Final = re.compile(r"^(\s*)[%!](?=\S)", re.MULTILINE)
_HELP: Final = re.compile(r"^(\s*)[?\w](?=[\w.?*]*\?\s*$)", re.MULTILINE)
_ESCAPES: Final = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


class _Cell(NamedTuple):
    """A cell of any version of the format; ``kind`` is code, markdown, raw or output."""

    number: int
    kind: str
    text: str
    language: str | None = None


def extract(text: str, *, settings: Settings) -> Extracted | Unreadable:
    """Return the sources of all cells, a blank line between two, each cell a section or more.

    Cells are counted from 1, empty ones too; metadata has ``cell``, ``cell_type`` and, for code,
    ``language``: the kernel's, or that of a cell magic. Headings in Markdown cells enclose the
    cells after them. Attachments and embedded pictures are dropped, and so are outputs unless
    ``settings.notebook_outputs`` asks for those that are text.

    It is read as JSON and neither validated nor upgraded: notebooks that Jupyter has repaired for
    years are not refused, and no cell number moves.
    """
    try:
        notebook = json.loads(text)
    except RecursionError:
        return Unreadable("a notebook nested too deeply to be read")
    except ValueError as error:
        return Unreadable(f"a broken notebook, not JSON: {str(error)[:100]}")
    cells = _cells_of(notebook)
    if cells is None:
        return Unreadable("a JSON file without the cells of a notebook")
    outline = _Outline()
    left_out: list[str] = []
    for cell in _read(cells[:CELLS_MAX], notebook, settings):
        why = _too_much(cell, settings)
        if why:
            left_out.append(why)
        else:
            outline.add(cell)
    if len(cells) > CELLS_MAX:
        left_out.append(
            f"{len(cells) - CELLS_MAX:,} of {len(cells):,} cells (the limit is {CELLS_MAX:,})"
        )
    note = f"left out: {_few(left_out)}" if left_out else None
    if not outline.sections:
        return Unreadable(notes("no cell with text", note) or "no cell with text")
    title = _mapping(notebook.get("metadata")).get("title")
    metadata = {"title": title} if isinstance(title, str) and title.strip() else {}
    return Extracted("\n".join(outline.lines), tuple(outline.sections), metadata, note)


class _Outline:
    """The lines and sections so far, and the headings that enclose what comes next."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.sections: list[Section] = []
        self._path: list[Heading] = []

    def add(self, cell: _Cell) -> None:
        """Append a cell; a Markdown cell is parted where it leaves an earlier heading."""
        if not cell.text.strip():
            return
        if self.lines:
            self.lines.append("")
        first = len(self.lines) + 1
        self.lines += cell.text.split("\n")
        start = first
        headings = _headings(cell, first)
        path = self._path
        for heading in headings:
            kept = [above for above in path if above.level < heading.level]
            if len(kept) < len(path):
                if heading.line > start:
                    self._section(cell, start, heading.line - 1, path)
                path, start = kept, heading.line
        self._section(cell, start, len(self.lines), path)
        for heading in headings:
            self._path = [above for above in self._path if above.level < heading.level]
            self._path.append(heading)

    def _section(self, cell: _Cell, start: int, end: int, path: list[Heading]) -> None:
        metadata: dict[str, Any] = {"cell": cell.number, "cell_type": cell.kind}
        if cell.kind == "code" and cell.language:
            metadata["language"] = cell.language
        named = tuple(heading for heading in path if heading.title)
        if named:
            metadata["heading_path"] = [heading.title for heading in named]
        text = "\n".join(self.lines[start - 1 : end])
        parsed = _without_magics(text) if cell.language == "python" else None
        language = "markdown" if cell.kind == "markdown" else cell.language
        self.sections.append(Section(start, end, language, metadata, named, parsed=parsed))


def _cells_of(notebook: Any) -> list[Any] | None:
    """The cells of nbformat 4, of the worksheets of 2 and 3, or of 1, which had a single one."""
    if not isinstance(notebook, dict):
        return None
    if isinstance(notebook.get("cells"), list):
        return list(notebook["cells"])
    sheets = notebook.get("worksheets")
    if not isinstance(sheets, list):
        return None
    held = [_mapping(sheet).get("cells") for sheet in sheets]
    return [cell for cells in held if isinstance(cells, list) for cell in cells]


def _read(cells: list[Any], notebook: Mapping[str, Any], settings: Settings) -> Iterator[_Cell]:
    kernel = kernel_language(_mapping(notebook.get("metadata")))
    for number, cell in enumerate(map(_mapping, cells), start=1):
        kind = cell.get("cell_type")
        if kind == "code":
            # Before version 4 the source was called input, and code in version 1.
            text = _joined(cell.get("source", cell.get("input", cell.get("code"))))
            named = cell.get("language")  # versions 2 and 3 say it in each cell
            default = kernel_language({"kernelspec": {"name": named}}) if named else kernel
            yield _Cell(number, "code", text, cell_language(text, default))
            if settings.notebook_outputs:
                outputs = cell.get("outputs")
                for output in outputs if isinstance(outputs, list) else []:
                    yield _Cell(number, "output", _output(_mapping(output)))
        else:
            text = _joined(cell.get("source", cell.get("text")))
            if kind == "heading":
                level = cell.get("level")
                marks = level if isinstance(level, int) and 1 <= level <= 6 else 1
                text = f"{'#' * marks} {' '.join(text.split())}"
            raw = kind in ("raw", "plaintext")
            yield _Cell(number, "raw" if raw else "markdown", text)


def _output(output: Mapping[str, Any]) -> str:
    """The text of a stream or result, up to `OUTPUT_CHARS_MAX`; pictures and HTML have none."""
    if output.get("output_type") == "stream":
        text = _joined(output.get("text"))
    else:
        data = _mapping(output.get("data"))
        text = _joined(data.get("text/plain", output.get("text")))
    text = _ESCAPES.sub("", text).strip("\n")
    if len(text) <= OUTPUT_CHARS_MAX:
        return text
    kept = text[:OUTPUT_CHARS_MAX].rpartition("\n")[0]
    return f"{kept or text[:OUTPUT_CHARS_MAX]}\n[the rest of {len(text):,} characters left out]"


def _headings(cell: _Cell, first: int) -> list[Heading]:
    if cell.kind != "markdown":
        return []
    from brainkit.ingest.chunk_markdown import headings_of

    return [
        Heading(first + one.line, first + one.end - 1, one.level, one.title)
        for one in headings_of(cell.text)
    ]


def _without_magics(text: str) -> str:
    """Make comments of IPython's own lines, so that a cell with one still parses as Python."""
    return _HELP.sub(r"\1#", _MAGIC.sub(r"\1#", text))


def _too_much(cell: _Cell, settings: Settings) -> str | None:
    if len(cell.text) > CELL_CHARS_MAX:
        limit = f"the limit is {CELL_CHARS_MAX:,}"
        reason: str | None = f"{len(cell.text):,} characters; {limit}"
    else:
        reason = long_line(cell.text, settings=settings)
    return f"{cell.kind} of cell {cell.number} ({reason})" if reason else None


def _few(things: list[str]) -> str:
    more = f" and {len(things) - 3:,} more" if len(things) > 3 else ""
    return ", ".join(things[:3]) + more


def _joined(source: Any) -> str:
    """A source is a string or a list of lines, which before version 3 did not keep their ends."""
    if isinstance(source, list):
        lines = [part for part in source if isinstance(part, str)]
        kept = any(line.endswith("\n") for line in lines)
        source = ("" if kept else "\n").join(lines)
    return _PICTURE.sub(r"\1...", storable(source)) if isinstance(source, str) else ""


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
