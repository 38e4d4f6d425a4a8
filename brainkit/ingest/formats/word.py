"""WordprocessingML: what the elements of a document's parts mean. Fed by an XML parser's events.

Tags come as ``namespace local``. Source: ECMA-376, part 1, chapter 17.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from brainkit.ingest.formats.flow import Flow

_HEADING_STYLE: Final = re.compile(r"heading ?([1-9])", re.IGNORECASE)
# Deleted or moved text, former formatting, and what is drawn again for older programs.
_SKIPPED: Final = frozenset({"del", "moveFrom", "pPrChange", "rPrChange", "Fallback"})
_CHARACTERS: Final = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_NOTES: Final = {"footnoteReference": "footnote", "endnoteReference": "endnote"}


class Relations:
    """The package's relations, of which one names the main part."""

    document = "word/document.xml"

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """A relation."""
        if attributes.get("Type", "").endswith("/officeDocument"):
            self.document = attributes.get("Target", self.document)

    def end(self, tag: str) -> None:
        """Nothing follows from it."""

    def data(self, text: str) -> None:
        """There is none."""


class Facts:
    """The title and author from the core properties."""

    _NAMES: Final = {"title": "title", "creator": "author"}

    def __init__(self) -> None:
        self.found: dict[str, str] = {}
        self._name = ""

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """A property begins."""
        self._name = self._NAMES.get(_local(tag), "")

    def end(self, tag: str) -> None:
        """A property ends; a blank one is none."""
        if self._name and not self.found.get(self._name, "").strip():
            self.found.pop(self._name, None)
        self._name = ""

    def data(self, text: str) -> None:
        """Its value, or a part of it."""
        if self._name:
            self.found[self._name] = self.found.get(self._name, "") + text


class _Style(NamedTuple):
    name: str = ""
    based_on: str = ""
    outline: str = ""


class Styles:
    """Which styles are headings or lists; a style inherits that from the one it is based on."""

    def __init__(self) -> None:
        self._styles: dict[str, _Style] = {}
        self._id = ""

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """A style or one of its properties."""
        local = _local(tag)
        if local == "style":
            self._id = _attribute(attributes, "styleId")
            self._styles[self._id] = _Style()
        elif self._id and local in ("name", "basedOn", "outlineLvl"):
            value = _attribute(attributes, "val")
            style = self._styles[self._id]
            self._styles[self._id] = (
                style._replace(name=value)
                if local == "name"
                else style._replace(based_on=value)
                if local == "basedOn"
                else style._replace(outline=value)
            )

    def end(self, tag: str) -> None:
        """A style ends."""
        if _local(tag) == "style":
            self._id = ""

    def data(self, text: str) -> None:
        """There is none."""

    def level(self, style: str) -> int | None:
        """Return 1 to 9 for a heading, 0 for the title, None for text."""
        for name, outline in self._ancestry(style):
            if outline:
                return outline_level(outline)
            heading = _HEADING_STYLE.fullmatch(name)
            if heading:
                return int(heading[1])
            if name.casefold() == "title":
                return 0
        return None

    def is_list(self, style: str) -> bool:
        """Tell whether paragraphs of this style are entries of a list."""
        return any(
            name.casefold().startswith(("list bullet", "list number"))
            for name, _ in self._ancestry(style)
        )

    def _ancestry(self, style: str) -> list[tuple[str, str]]:
        found: list[tuple[str, str]] = []
        seen: set[str] = set()
        while style and style not in seen:
            seen.add(style)
            known = self._styles.get(style, _Style(name=style))
            found.append((known.name, known.outline))
            style = known.based_on
        return found


class Notes:
    """The text of footnotes and endnotes by (kind, id)."""

    def __init__(self) -> None:
        self.found: dict[tuple[str, str], str] = {}
        self._key: tuple[str, str] | None = None
        self._text = False

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """A note, or text in one; separators are notes with a type."""
        local = _local(tag)
        if local in _NOTES.values():
            kind = _attribute(attributes, "type")
            self._key = None if kind else (local, _attribute(attributes, "id"))
        elif self._key and local == "p" and self._key in self.found:
            self.found[self._key] += " "
        self._text = local == "t"

    def end(self, tag: str) -> None:
        """A note or text ends."""
        self._text = False
        if _local(tag) in _NOTES.values():
            self._key = None

    def data(self, text: str) -> None:
        """A part of a note."""
        if self._key and self._text:
            self.found[self._key] = self.found.get(self._key, "") + text


@dataclass(slots=True)
class _Paragraph:
    text: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    style: str = ""
    outline: str = ""
    depth: int | None = None


class Body:
    """The main part. Tables and text boxes nest, so paragraphs, rows and cells are stacks."""

    def __init__(self, flow: Flow, styles: Styles, notes: Notes) -> None:
        self._flow = flow
        self._styles = styles
        self._notes = notes
        self._open_in_skipped = 0
        self._runs = 0
        self._text = False
        self._paragraphs: list[_Paragraph] = []
        self._rows: list[list[str]] = []
        self._cells: list[list[str]] = []

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """An element begins."""
        local = _local(tag)
        if self._open_in_skipped or local in _SKIPPED:
            self._open_in_skipped += 1
        elif local == "p":
            self._paragraphs.append(_Paragraph())
        elif local == "r":
            self._runs += 1
        elif local == "tr":
            self._rows.append([])
        elif local == "tc":
            self._cells.append([])
        elif self._paragraphs:
            self._in_paragraph(local, attributes)

    def end(self, tag: str) -> None:
        """An element ends."""
        local = _local(tag)
        if self._open_in_skipped:
            self._open_in_skipped -= 1
        elif local == "p" and self._paragraphs:
            self._paragraph(self._paragraphs.pop())
        elif local == "r":
            self._runs -= 1
        elif local == "t":
            self._text = False
        elif local == "tc" and self._cells:
            cell = " ".join(self._cells.pop())
            if self._rows:
                self._rows[-1].append(cell)
        elif local == "tr" and self._rows:
            self._row(self._rows.pop())

    def data(self, text: str) -> None:
        """Characters; those outside of text elements are field codes and the like."""
        if self._text and self._paragraphs and not self._open_in_skipped:
            self._paragraphs[-1].text.append(text)

    def _in_paragraph(self, local: str, attributes: dict[str, str]) -> None:
        paragraph = self._paragraphs[-1]
        if self._runs and local == "t":
            self._text = True
        elif self._runs and local in _CHARACTERS:
            paragraph.text.append(_CHARACTERS[local])
        elif local in _NOTES:
            number = _attribute(attributes, "id")
            note = self._notes.found.get((_NOTES[local], number), "").strip()
            if note:
                paragraph.text.append(f"[{number}]")
                paragraph.notes.append(f"[{number}] {note}")
        elif local == "pStyle":
            paragraph.style = _attribute(attributes, "val")
        elif local == "outlineLvl":
            paragraph.outline = _attribute(attributes, "val")
        elif local == "ilvl":
            depth = _attribute(attributes, "val")
            paragraph.depth = int(depth) + 1 if depth.isdecimal() else 1
        elif local == "numId" and _attribute(attributes, "val") == "0":
            paragraph.depth = None  # switches a list off that the style would switch on

    def _paragraph(self, paragraph: _Paragraph) -> None:
        text = "".join(paragraph.text)
        if self._cells:
            self._cells[-1] += filter(None, [text.strip(), *paragraph.notes])
            return
        level = (
            outline_level(paragraph.outline)
            if paragraph.outline
            else self._styles.level(paragraph.style)
        )
        if level is not None:
            self._flow.heading(text, level=level)
        elif paragraph.depth is not None or self._styles.is_list(paragraph.style):
            self._flow.item(text, depth=paragraph.depth or 1)
        else:
            self._flow.paragraph(text)
        for note in paragraph.notes:
            self._flow.paragraph(note)

    def _row(self, cells: list[str]) -> None:
        text = " | ".join(cells)
        if self._cells:
            self._cells[-1].append(text)
        elif any(cell.strip() for cell in cells):
            self._flow.row(text)


def outline_level(value: str) -> int | None:
    """Return the level of a heading, from 1; Word writes 0 to 8, and 9 for text.

    >>> outline_level("0"), outline_level("9")
    (1, None)
    """
    return int(value) + 1 if value in {*"012345678"} else None


def _local(tag: str) -> str:
    return tag.rpartition(" ")[2]


def _attribute(attributes: dict[str, str], name: str) -> str:
    return next((value for key, value in attributes.items() if _local(key) == name), "")
