"""From the bytes of a file to a text with true line numbers and the sections it is cut along."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Final

from brainkit.ingest.formats import (
    csv,
    docx,
    html,
    json,
    jupyter,
    markdown,
    pdf,
    restructuredtext,
    toml,
    yaml,
)
from brainkit.ingest.formats.cut import pieces_of
from brainkit.ingest.formats.document import Extracted, Heading, Section, notes
from brainkit.ingest.formats.metadata import bounded
from brainkit.ingest.languages import language_of
from brainkit.ingest.load import Loaded, Unreadable, language_in, load_bytes, understood
from brainkit.settings import Settings

__all__ = ["FORMATS", "Document", "Extracted", "Heading", "Section", "pieces_of", "read"]

Outcome = Extracted | Unreadable
Ruled = Callable[[str | None], str | None]

BINARY: Final[Mapping[str, Callable[..., Outcome]]] = {"docx": docx.extract, "pdf": pdf.extract}
"""Formats with an encoding of their own, read from bytes."""

TEXTUAL: Final[Mapping[str, Callable[..., Outcome]]] = {
    "csv": csv.extract,
    "html": html.extract,
    "json": json.extract,
    "jsonl": json.extract_lines,
    "jupyter": jupyter.extract,
    "markdown": markdown.extract,
    "quarto": markdown.extract,
    "restructuredtext": restructuredtext.extract,
    "rmarkdown": markdown.extract,
    "toml": toml.extract,
    "tsv": csv.extract,
    "yaml": yaml.extract,
}
"""Formats read from decoded text."""

FORMATS: Final[Mapping[str, Callable[..., Outcome]]] = {**BINARY, **TEXTUAL}
"""By language; a file of any other language is one section, and its text is the file."""

_PACKAGES: Final = {"lxml": "lxml", "pypdf": "pypdf"}
"""Parsers by the name they are imported under: a file is left out where one is missing."""


@dataclass(frozen=True, slots=True)
class Document:
    """A file that was read.

    sha256 : hex digest of its bytes.
    encoding : Python's name of it; None for formats with one of their own.
    note : how far its decoding was a guess, and what was left out.
    """

    extracted: Extracted
    language: str | None
    sha256: str
    encoding: str | None
    note: str | None


def read(
    path: Path, *, relative: str, settings: Settings, ruled: Ruled = lambda language: language
) -> Document | Unreadable:
    """Read one file as text. Nothing about a single file raises, a missing parser included.

    relative : its POSIX path below the root, whose ending tells the format.
    ruled : the language to take instead of the one that name and first line tell.

    Equal bytes give an equal text: line a to b of a chunk of this file are
    ``document.extracted.text.split("\\n")[a - 1 : b]``.
    """
    try:
        raw = load_bytes(path, settings=settings)
    except OSError as error:
        return Unreadable(f"cannot be read: {error.strerror or error}")
    if isinstance(raw, Unreadable):
        return raw
    known = ruled(language_in(raw, relative))
    try:
        if known is not None and known in BINARY:
            return _from_bytes(raw, known, settings)
        loaded = understood(raw, language=known, settings=settings)
        if isinstance(loaded, Unreadable):
            return loaded
        known = ruled(language_of(relative, loaded.text))
        return _from_text(loaded, known, settings)
    except ModuleNotFoundError as error:
        package = _PACKAGES.get((error.name or "").partition(".")[0])
        if package is None:
            raise
        return Unreadable(f"reading {known} needs {package}: pip install {package}")


def _from_bytes(raw: bytes, language: str, settings: Settings) -> Document | Unreadable:
    if not raw:
        return Unreadable("empty")
    outcome = BINARY[language](raw, settings=settings)
    if isinstance(outcome, Unreadable):
        return outcome
    return _document(outcome, language, sha256(raw).hexdigest(), None, None)


def _from_text(loaded: Loaded, language: str | None, settings: Settings) -> Document | Unreadable:
    if language is None or language not in TEXTUAL:
        whole = Section(1, loaded.text.count("\n") + 1, language)
        outcome: Outcome = Extracted(loaded.text, (whole,))
    else:
        outcome = TEXTUAL[language](loaded.text, settings=settings)
    if isinstance(outcome, Unreadable):
        return outcome
    return _document(outcome, language, loaded.sha256, loaded.encoding, loaded.note)


def _document(
    extracted: Extracted, language: str | None, digest: str, encoding: str | None, note: str | None
) -> Document:
    metadata, left_out = bounded(extracted.metadata)
    return Document(
        replace(extracted, metadata=metadata),
        language,
        digest,
        encoding,
        notes(note, extracted.note, left_out),
    )
