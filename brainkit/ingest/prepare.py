"""From files or records to chunks ready to store: what is new, what changed, what is gone."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from brainkit.analyze import Analyzer, embedded_text
from brainkit.embed import Embedder
from brainkit.embed.batching import room
from brainkit.errors import BrainkitError
from brainkit.ingest.bounds import first_files, reached
from brainkit.ingest.chunk_text import chunk_text
from brainkit.ingest.chunking import chunk
from brainkit.ingest.config import CONFIG_FILE, Config
from brainkit.ingest.counting import LineCounts
from brainkit.ingest.formats import Document, Extracted, pieces_of, read
from brainkit.ingest.formats.document import notes
from brainkit.ingest.languages import PARSED, language_of
from brainkit.ingest.load import Unreadable, lines_of, load
from brainkit.ingest.outgoing import is_hosted, secrets_note
from brainkit.ingest.pieces import Budget, Piece
from brainkit.ingest.report import FileReport, Status
from brainkit.ingest.secrets import Secret, secrets_in_chunks, told
from brainkit.ingest.walk import Found, Passed, walk
from brainkit.kept import content_hash
from brainkit.settings import Settings
from brainkit.store.chunks import FileRow, NewChunk
from brainkit.store.manifest import file_hash

log = logging.getLogger("brainkit")

Step = Callable[[Sequence[Found], str], Iterable[Found]]


@dataclass(frozen=True)
class Tools:
    """What turns text into chunks: the analyzer, the embedder's tokenizer, the sizes.

    send_secrets : a hosted embedder may read what looks like a secret.
    """

    analyzer: Analyzer
    embedder: Embedder
    settings: Settings
    send_secrets: bool = False

    def counts(self) -> LineCounts:
        """Return a counter for one file, with the embedder's own tokenizer."""
        by_line = getattr(self.embedder, "counts_by_line", False)
        return LineCounts(self.embedder.count_tokens, by_line=by_line)

    def budget(self, counts: LineCounts, *, title: str = "") -> Budget:
        """The largest chunk, in tokens: the setting, or what the embedder can see, less a title."""
        most = min(self.settings.chunk_tokens, room(self.embedder))
        most = max(most - sum(counts.of_lines([title] if title else [])), most // 2)
        return Budget(
            max_tokens=most,
            overlap_tokens=min(self.settings.chunk_overlap_tokens, most // 2),
            count=counts.of_lines,
        )


@dataclass
class Prepared:
    """The difference between what a brain holds and what it should hold."""

    new: list[tuple[FileRow, list[NewChunk]]] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    reports: list[FileReport] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def anything(self) -> bool:
        """Tell whether there is anything to write."""
        return bool(self.new or self.gone)


def from_folder(
    root: Path,
    *,
    label: str,
    known: Mapping[str, FileRow],
    tools: Tools,
    config: Config,
    include: Sequence[str] | None,
    exclude: Sequence[str] | None,
    avoid: Sequence[Path],
    each: Step,
    stored: Mapping[str, Sequence[bytes]] | None = None,
) -> Prepared:
    """Compare a folder with the files known of it, and chunk what is new or changed.

    known : source -> file, of this root. each : wraps the list of files, for a progress bar.
    stored : source -> content hashes of its chunks, if files with the bytes that are known must be
        read again, since other settings may make other chunks of them.
    A file that was skipped before is looked at again: a setting or a right may have changed.
    """
    walked = walk(
        root,
        include=config.include if include is None else include,
        exclude=config.exclude if exclude is None else exclude,
        avoid=avoid,
        settings=tools.settings,
    )
    found, passed = first_files(_without_config(walked, root), settings=tools.settings)
    prepared = Prepared()
    seen: set[str] = set()
    for file in each(found, "reading"):
        source = label if root.is_file() else f"{label}/{file.relative}"
        seen.add(source)
        before = known.get(source)
        if (
            stored is None
            and before
            and not before.skipped
            and before.sha256 == _hash_if_possible(file.path)
        ):
            prepared.reports.append(_unchanged(before))
            continue
        row, chunks, secrets = _from_file(file, source, label, tools, config)
        same = row.skipped or [one.content_hash for one in chunks] == (stored or {}).get(source, [])
        if row == before and same:
            prepared.reports.append(_unchanged(row, secrets))
            continue
        prepared.new.append((row, chunks))
        prepared.reports.append(_report(row, chunks, secrets, is_new=before is None))
    prepared.gone = sorted(set(known) - seen)
    _find_renames(prepared, known)
    prepared.reports += [
        FileReport(f"{label}/{one.relative}", "skipped", detail=one.reason) for one in passed
    ]
    prepared.notes += reached(prepared.reports)
    _note_secrets(prepared, tools)
    return prepared


def from_records(
    records: Iterable[Mapping[str, Any]],
    *,
    split: bool,
    known: Mapping[str, FileRow],
    tools: Tools,
) -> Prepared:
    """Chunk records that are new or differ from those known; others are left as they are.

    records : checked by records.checked. split : cut long texts; else a record stays one chunk.
    """
    prepared = Prepared()
    for record in records:
        source, text, title = record["id"], record["text"], record["title"]
        facts = [title, text, record["metadata"], split]
        digest = hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()
        before = known.get(source)
        if before is not None and before.sha256 == digest:
            prepared.reports.append(_unchanged(before))
            continue
        counts = tools.counts()
        if split and text.strip():
            pieces = chunk(text, language=None, budget=tools.budget(counts, title=title))
        else:
            pieces = [Piece(text, 1, len(lines_of(text)))] if (text or title).strip() else []
        chunks = _new_chunks(pieces, counts, tools, context=title, metadata=record["metadata"])
        secrets = secrets_in_chunks([(1, title), *_lines(chunks)], language=None)
        skipped = None if chunks else "blank"
        if _kept_back(secrets, tools):
            chunks, skipped = [], told(secrets)
        row = FileRow(
            source=source,
            label="",
            relative=source,
            size=len(text.encode()),
            sha256=digest,
            source_type="doc",
            language=None,
            decoded_as=None,
            note=None,
            skipped=skipped,
            chunks=len(chunks),
        )
        prepared.new.append((row, chunks))
        prepared.reports.append(_report(row, chunks, secrets, is_new=before is None))
    _note_secrets(prepared, tools)
    return prepared


def _without_config(walked: Iterable[Found | Passed], root: Path) -> Iterator[Found | Passed]:
    for one in walked:
        if isinstance(one, Found) and one.relative == CONFIG_FILE and root.is_dir():
            yield Passed(CONFIG_FILE, "settings of this folder, not part of it")
        else:
            yield one


def _from_file(
    file: Found, source: str, label: str, tools: Tools, config: Config
) -> tuple[FileRow, list[NewChunk], tuple[Secret, ...]]:
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
    if isinstance(opened, Unreadable):
        source_type, language = config.typed(file.relative, language_of(file.relative))
        sha256, decoded_as, note, skipped = _hash_if_possible(file.path), None, None, opened.reason
        chunks: list[NewChunk] = []
    else:
        source_type, language = config.typed(file.relative, opened.language)
        sha256, decoded_as, note, skipped = opened.sha256, opened.encoding, opened.note, None
        chunks = _new_chunks(pieces, counts, tools)
        secrets = secrets_in_chunks(_lines(chunks), language=language)
        if _kept_back(secrets, tools):
            chunks, skipped = [], told(secrets)
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
    return row, chunks, secrets


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


def _lines(chunks: Iterable[NewChunk]) -> list[tuple[int, str]]:
    return [(one.start_line, one.text) for one in chunks]


def _kept_back(secrets: Sequence[Secret], tools: Tools) -> bool:
    return bool(secrets) and is_hosted(tools.embedder.identity) and not tools.send_secrets


def _note_secrets(prepared: Prepared, tools: Tools) -> None:
    count = sum(bool(row.secrets) for row in prepared.reports)
    if count:
        identity = tools.embedder.identity
        prepared.notes.append(secrets_note(count, identity, forced=tools.send_secrets))


def _new_chunks(
    pieces: Sequence[Piece],
    counts: LineCounts,
    tools: Tools,
    *,
    context: str = "",
    metadata: Mapping[str, Any] | None = None,
) -> list[NewChunk]:
    whole = [embedded_text(piece.context or context, piece.text) for piece in pieces]
    tokens = counts.of_texts(whole)
    return [
        NewChunk(
            start_line=piece.start_line,
            end_line=piece.end_line,
            text=piece.text,
            context=piece.context or context,
            terms=tools.analyzer.terms(text),
            content_hash=content_hash(text),
            tokens=count,
            metadata={**(metadata or {}), **piece.metadata},
        )
        for piece, text, count in zip(pieces, whole, tokens, strict=True)
    ]


def _hash_if_possible(path: Path) -> str:
    try:
        return file_hash(path)
    except OSError:
        return ""


def _unchanged(row: FileRow, secrets: tuple[Secret, ...] = ()) -> FileReport:
    if row.skipped:
        return FileReport(row.source, "skipped", detail=row.skipped, secrets=secrets)
    return FileReport(row.source, "unchanged", row.chunks)


def _report(
    row: FileRow,
    chunks: Sequence[NewChunk],
    secrets: tuple[Secret, ...],
    *,
    is_new: bool,
) -> FileReport:
    if row.skipped:
        return FileReport(row.source, "skipped", detail=row.skipped, secrets=secrets)
    tokens = sum(one.tokens for one in chunks)
    detail = "; ".join(filter(None, [row.note, told(secrets)]))
    status: Status = "added" if is_new else "changed"
    return FileReport(row.source, status, len(chunks), tokens, detail, secrets)


def _find_renames(prepared: Prepared, known: Mapping[str, FileRow]) -> None:
    """Report an added file with the content of a vanished one as renamed."""
    vanished: dict[str, str] = {
        known[source].sha256: source for source in prepared.gone if known[source].chunks
    }
    renamed: set[str] = set()
    hashes = {row.source: row.sha256 for row, _ in prepared.new}
    for i, report in enumerate(prepared.reports):
        before = vanished.get(hashes.get(report.source, ""))
        if report.status == "added" and before is not None and before not in renamed:
            renamed.add(before)
            detail = "; ".join(filter(None, [f"was {before}", told(report.secrets)]))
            prepared.reports[i] = replace(report, status="renamed", detail=detail)
    prepared.reports += [
        FileReport(source, "removed") for source in prepared.gone if source not in renamed
    ]
