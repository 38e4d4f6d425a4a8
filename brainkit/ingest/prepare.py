"""From files or records to chunks ready to store: what is new, what changed, what is gone."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from brainkit.analyze import Analyzer
from brainkit.embed import Embedder
from brainkit.embed.batching import room
from brainkit.embed.cache import content_hash
from brainkit.ingest.languages import language_of, source_type_of
from brainkit.ingest.load import Unreadable, lines_of, load
from brainkit.ingest.pieces import Budget, Piece, chunk
from brainkit.ingest.report import FileReport
from brainkit.ingest.walk import Found, Passed, walk
from brainkit.settings import Settings
from brainkit.store.chunks import FileRow, NewChunk
from brainkit.store.manifest import file_hash

Step = Callable[[Sequence[Found], str], Iterable[Found]]


@dataclass(frozen=True)
class Tools:
    """What turns text into chunks: the analyzer, the embedder's tokenizer, the sizes."""

    analyzer: Analyzer
    embedder: Embedder
    settings: Settings

    @property
    def budget(self) -> Budget:
        """The largest chunk, in tokens: the setting, or what the embedder can see."""
        most = min(self.settings.chunk_tokens, room(self.embedder))
        return Budget(
            max_tokens=most,
            overlap_tokens=min(self.settings.chunk_overlap_tokens, most // 2),
            count=self.embedder.count_tokens,
        )


@dataclass
class Prepared:
    """The difference between what a brain holds and what it should hold."""

    new: list[tuple[FileRow, list[NewChunk]]] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    reports: list[FileReport] = field(default_factory=list)

    @property
    def anything(self) -> bool:
        """Tell whether there is anything to write."""
        return bool(self.new or self.gone)


def embedded_text(context: str, text: str) -> str:
    """Return what is indexed and embedded for a chunk: what encloses it, then the text itself."""
    return f"{context}\n{text}" if context else text


def from_folder(
    root: Path,
    *,
    label: str,
    known: Mapping[str, FileRow],
    tools: Tools,
    include: Sequence[str] | None,
    exclude: Sequence[str] | None,
    avoid: Sequence[Path],
    each: Step,
) -> Prepared:
    """Compare a folder with the files known of it, and chunk what is new or changed.

    known : source -> file, of this root. each : wraps the list of files, for a progress bar.
    A file that was skipped before is looked at again: a setting or a right may have changed.
    """
    walked = list(
        walk(root, include=include, exclude=exclude, avoid=avoid, settings=tools.settings)
    )
    found = [one for one in walked if isinstance(one, Found)]
    prepared = Prepared()
    seen: set[str] = set()
    for file in each(found, "reading"):
        source = label if root.is_file() else f"{label}/{file.relative}"
        seen.add(source)
        before = known.get(source)
        if before and not before.skipped and before.sha256 == _hash_if_possible(file.path):
            prepared.reports.append(_unchanged(before))
            continue
        row, chunks = _from_file(file, source, label, tools)
        if row == before and row.skipped:
            prepared.reports.append(_unchanged(row))
            continue
        prepared.new.append((row, chunks))
        prepared.reports.append(_report(row, chunks, "added" if before is None else "changed"))
    prepared.gone = sorted(set(known) - seen)
    _find_renames(prepared, known)
    prepared.reports += [
        FileReport(f"{label}/{one.relative}", "skipped", detail=one.reason)
        for one in walked
        if isinstance(one, Passed)
    ]
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
        if split and text.strip():
            pieces = chunk(text, language=None, budget=_less(tools.budget, title))
        else:
            pieces = [Piece(text, 1, len(lines_of(text)))] if (text or title).strip() else []
        chunks = _new_chunks(pieces, tools, context=title, metadata=record["metadata"])
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
            skipped=None if chunks else "blank",
            chunks=len(chunks),
        )
        prepared.new.append((row, chunks))
        prepared.reports.append(_report(row, chunks, "added" if before is None else "changed"))
    return prepared


def _from_file(
    file: Found, source: str, label: str, tools: Tools
) -> tuple[FileRow, list[NewChunk]]:
    loaded = load(file.path, relative=file.relative, settings=tools.settings)
    if isinstance(loaded, Unreadable):
        language = language_of(file.relative)
        sha256, decoded_as, note, skipped = _hash_if_possible(file.path), None, None, loaded.reason
        chunks: list[NewChunk] = []
    else:
        language = language_of(file.relative, loaded.text.partition("\n")[0])
        sha256, decoded_as, note, skipped = loaded.sha256, loaded.encoding, loaded.note, None
        chunks = _new_chunks(chunk(loaded.text, language=language, budget=tools.budget), tools)
    row = FileRow(
        source=source,
        label=label,
        relative=file.relative,
        size=file.size,
        sha256=sha256,
        source_type=source_type_of(file.relative, language),
        language=language,
        decoded_as=decoded_as,
        note=note,
        skipped=skipped,
        chunks=len(chunks),
    )
    return row, chunks


def _new_chunks(
    pieces: Sequence[Piece],
    tools: Tools,
    *,
    context: str = "",
    metadata: Mapping[str, Any] | None = None,
) -> list[NewChunk]:
    whole = [embedded_text(piece.context or context, piece.text) for piece in pieces]
    tokens = tools.embedder.count_tokens(whole) if whole else []
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


def _less(budget: Budget, title: str) -> Budget:
    if not title:
        return budget
    room_left = max(budget.max_tokens - budget.count([title])[0], budget.max_tokens // 2)
    return Budget(room_left, min(budget.overlap_tokens, room_left // 2), budget.count)


def _hash_if_possible(path: Path) -> str:
    try:
        return file_hash(path)
    except OSError:
        return ""


def _unchanged(row: FileRow) -> FileReport:
    if row.skipped:
        return FileReport(row.source, "skipped", detail=row.skipped)
    return FileReport(row.source, "unchanged", row.chunks)


def _report(row: FileRow, chunks: Sequence[NewChunk], status: str) -> FileReport:
    if row.skipped:
        return FileReport(row.source, "skipped", detail=row.skipped)
    tokens = sum(one.tokens for one in chunks)
    return FileReport(
        row.source, "added" if status == "added" else "changed", len(chunks), tokens, row.note or ""
    )


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
            prepared.reports[i] = FileReport(
                report.source, "renamed", report.chunks, report.tokens, f"was {before}"
            )
    prepared.reports += [
        FileReport(source, "removed") for source in prepared.gone if source not in renamed
    ]
