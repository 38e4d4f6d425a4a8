"""Word documents (.docx): the parts of the archive that hold text, streamed through expat."""

from __future__ import annotations

import io
import posixpath
import zipfile
import zlib
from typing import Final, Protocol
from xml.parsers import expat

from brainkit.ingest.formats.document import Extracted
from brainkit.ingest.formats.flow import Flow
from brainkit.ingest.formats.word import Body, Facts, Notes, Relations, Styles
from brainkit.ingest.load import Unreadable
from brainkit.settings import Settings

PART_BYTES_MAX: Final = 100_000_000
ELEMENTS_MAX: Final = 2_000_000
"""Of a part. A book of a thousand pages has a quarter; each takes a microsecond or more."""
DEPTH_MAX: Final = 200_000
"""Word itself stops far below; each level that is open takes 400 bytes."""

_BLOCK: Final = 65_536
_OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


class _Refused(Exception):
    """A part is too large, or would declare entities."""


class _Handler(Protocol):
    def start(self, tag: str, attributes: dict[str, str]) -> None: ...
    def end(self, tag: str) -> None: ...
    def data(self, text: str) -> None: ...


def extract(raw: bytes, *, settings: Settings) -> Extracted | Unreadable:
    """Return headings, paragraphs, lists and tables, each note after the paragraph it belongs to.

    Deleted text of tracked changes is left out, as are headers, footers, comments and pictures.
    Metadata: ``title`` and ``author``. Nothing but the parts with text is unpacked, none of it
    beyond `PART_BYTES_MAX`, `ELEMENTS_MAX` or `DEPTH_MAX`, and a part with a document type is
    refused before an entity counts.
    """
    if raw.startswith(_OLE):
        return Unreadable("an encrypted document, or one in the format before .docx")
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            return _read(archive, settings)
    except (_Refused, KeyError) as error:
        return Unreadable(str(error.args[0]))
    except (expat.ExpatError, zipfile.BadZipFile, zlib.error, EOFError, LookupError) as error:
        return Unreadable(f"damaged: {str(error)[:100]}")
    except (NotImplementedError, RuntimeError, OSError, ValueError) as error:
        return Unreadable(f"cannot be unpacked: {str(error)[:100]}")


def _read(archive: zipfile.ZipFile, settings: Settings) -> Extracted | Unreadable:
    names = frozenset(archive.namelist())
    relations, facts, styles, notes = Relations(), Facts(), Styles(), Notes()
    flow = Flow(settings)
    _parse(archive, "_rels/.rels", relations)
    main = posixpath.normpath(relations.document.lstrip("/"))
    folder = posixpath.dirname(main)
    handlers: dict[str, _Handler] = {
        "docProps/core.xml": facts,
        f"{folder}/styles.xml": styles,
        f"{folder}/footnotes.xml": notes,
        f"{folder}/endnotes.xml": notes,
    }
    for name, handler in handlers.items():
        if name in names:
            _parse(archive, name, handler)
    _parse(archive, main, Body(flow, styles, notes))
    return flow.extracted(metadata=facts.found, nothing="no text in the document")


def _parse(archive: zipfile.ZipFile, name: str, handler: _Handler) -> None:
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = _refuse
    elements = depth = 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal elements, depth
        elements, depth = elements + 1, depth + 1
        if elements > ELEMENTS_MAX:
            raise _Refused(f"{name} has more than {ELEMENTS_MAX:,} elements, the limit")
        if depth > DEPTH_MAX:
            raise _Refused(f"{name} is nested more than {DEPTH_MAX:,} deep, the limit")
        handler.start(tag, attributes)

    def end(tag: str) -> None:
        nonlocal depth
        depth -= 1
        handler.end(tag)

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = handler.data
    size = 0
    with archive.open(name) as part:
        while block := part.read(_BLOCK):
            size += len(block)
            if size > PART_BYTES_MAX:
                raise _Refused(f"{name} unpacks to more than {PART_BYTES_MAX:,} bytes, the limit")
            parser.Parse(block, False)
        parser.Parse(b"", True)


def _refuse(*_: object) -> None:
    raise _Refused("damaged: its XML declares a document type, which Word never does")
