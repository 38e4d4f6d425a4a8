"""One file: read, cut into chunks, looked through for secrets and for what it says."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from brainkit.errors import BrainkitError
from brainkit.extract.facts import Facts
from brainkit.extract.of_file import facts_of
from brainkit.ingest.chunk_text import chunk_text
from brainkit.ingest.config import Config
from brainkit.ingest.formats import Document, Extracted, pieces_of, read
from brainkit.ingest.formats.document import Section, notes
from brainkit.ingest.languages import PARSED, language_of
from brainkit.ingest.load import Unreadable, load
from brainkit.ingest.outgoing import is_hosted
from brainkit.ingest.pieces import Budget, Piece
from brainkit.ingest.secrets import Secret, secrets_in_chunks, told
from brainkit.ingest.tools import Tools, new_chunks
from brainkit.ingest.walk import Found
from brainkit.store.chunks import FileRow, NewChunk
from brainkit.store.manifest import file_hash

log = logging.getLogger("brainkit")


@dataclass(frozen=True, slots=True)
class Made:
    """What became of one file or record.

    facts : None where it has no chunks, or where its extractor failed, as its note says.
    """

    row: FileRow
    chunks: list[NewChunk]
    facts: Facts | None
    secrets: tuple[Secret, ...]


def from_file(file: Found, *, source: str, label: str, tools: Tools, config: Config) -> Made:
    """Make of one file all that is stored of it; whatever it holds, it does not end the run."""
    opened = _opened(file, tools, config)
    counts = tools.counts()
    pieces: list[Piece] = []
    if isinstance(opened, Document):
        pieces, fault = _pieces(opened, tools.budget(counts), source)
        if fault and not pieces:
            opened = Unreadable(fault)
        else:
            opened = replace(opened, note=notes(opened.note, fault))
    secrets: tuple[Secret, ...] = ()
    facts: Facts | None = None
    if isinstance(opened, Unreadable):
        source_type, language = config.typed(file.relative, language_of(file.relative))
        sha256, decoded_as, note, skipped = hash_if_possible(file.path), None, None, opened.reason
        chunks: list[NewChunk] = []
    else:
        source_type, language = config.typed(file.relative, opened.language)
        sha256, decoded_as, note, skipped = opened.sha256, opened.encoding, opened.note, None
        chunks = new_chunks(pieces, counts, tools)
        secrets = secrets_in_chunks(lines_in(chunks), language=language)
        if kept_back(secrets, tools):
            chunks, skipped = [], told(secrets)
        facts, fault = facts_or_fault(
            opened.extracted.text,
            chunks=chunks,
            source=source,
            relative=file.relative,
            language=language,
            title=str(opened.extracted.metadata.get("title", "")),
            sections=opened.extracted.sections,
        )
        note = notes(note, fault)
    row = FileRow(
        source=source,
        label=label,
        relative=file.relative,
        size=file.size,
        sha256=sha256,
        source_type=source_type,
        language=language,
        decoded_as=decoded_as,
        note=note,
        skipped=skipped,
        chunks=len(chunks),
    )
    return Made(row, chunks, facts, secrets)


def facts_or_fault(
    text: str,
    *,
    chunks: Sequence[NewChunk],
    source: str,
    relative: str,
    language: str | None,
    title: str = "",
    sections: Sequence[Section] = (),
) -> tuple[Facts | None, str | None]:
    """Return what a document says of named things; if that fails, None and why."""
    if not chunks:
        return None, None
    try:
        found = facts_of(
            text,
            chunks=chunks,
            relative=relative,
            language=language,
            title=title,
            sections=sections,
        )
    except Exception as error:  # noqa: BLE001 - it must not cost the file its chunks
        return None, f"not in the graph: {_fault(error, language, 'extractor', source)}"
    return found, None


def lines_in(chunks: Iterable[NewChunk]) -> list[tuple[int, str]]:
    """Return the first line of each chunk and its text."""
    return [(one.start_line, one.text) for one in chunks]


def kept_back(secrets: Sequence[Secret], tools: Tools) -> bool:
    """Tell whether what looks like a secret would leave this machine unasked."""
    return bool(secrets) and is_hosted(tools.embedder.identity) and not tools.send_secrets


def hash_if_possible(path: Path) -> str:
    """Return the SHA-256 of a file as hex, ``""`` where it cannot be read."""
    try:
        return file_hash(path)
    except OSError:
        return ""


def _opened(file: Found, tools: Tools, config: Config) -> Document | Unreadable:
    """Read a file; if its reader fails, take its text as it is, if it has one."""

    def ruled(named: str | None) -> str | None:
        return config.typed(file.relative, named)[1]

    settings = tools.settings
    try:
        return read(file.path, relative=file.relative, settings=settings, ruled=ruled)
    except BrainkitError:
        raise
    except Exception as error:  # noqa: BLE001 - one malformed file must not end the whole run
        language = ruled(language_of(file.relative))
        fault = _fault(error, language, "reader", file.relative)
    plain = load(file.path, relative=file.relative, settings=settings)
    if isinstance(plain, Unreadable):
        return Unreadable(f"{fault}; {plain.reason}")
    note = notes(plain.note, f"cut by lines: {fault}")
    return Document(Extracted(plain.text, ()), language, plain.sha256, plain.encoding, note)


def _pieces(opened: Document, budget: Budget, source: str) -> tuple[list[Piece], str | None]:
    """Cut a document by its rules, or by lines if these fail; return what failed too.

    Without pieces, the fault is why there are none.
    """
    extracted = opened.extracted
    fault = None
    try:
        if extracted.sections:
            pieces = pieces_of(extracted, budget=budget)
            return pieces, _grammar_fault(pieces, extracted)
    except BrainkitError:  # of the embedder, which counts the tokens
        raise
    except Exception as error:  # noqa: BLE001 - as above; lines can be cut without understanding
        fault = "cut by lines: " + _fault(error, opened.language, "parser", source)
    try:
        found = chunk_text(extracted.text, budget=budget, overlap=False)
    except BrainkitError:
        raise
    except Exception as error:  # noqa: BLE001 - as above; then the file is left out
        return [], _fault(error, opened.language, "line cutter", source)
    failed = {**extracted.metadata, "parse": "failed"}
    return [replace(one, metadata={**failed, **one.metadata}) for one in found], fault


def _fault(error: Exception, language: str | None, part: str, source: str) -> str:
    log.debug("%s: the %s failed", source, part, exc_info=error)
    # Other messages may quote the file.
    told = f": {error}" if isinstance(error, ImportError) else ""
    return f"the {language or 'text'} {part} failed ({type(error).__name__}{told})"


def _grammar_fault(pieces: Sequence[Piece], extracted: Extracted) -> str | None:
    """Return which grammars were missing where code was cut by lines."""
    if all(piece.metadata.get("parse") != "failed" for piece in pieces):
        return None
    from brainkit.parse.grammar import fault_of
    from brainkit.parse.table import GRAMMARS

    cut = sorted({one.language for one in extracted.sections if one.language in PARSED})
    faults = [(name, fault_of(GRAMMARS[name])) for name in cut if name in GRAMMARS]
    return notes(*(f"{name} cut by lines: {fault}" for name, fault in faults if fault))
