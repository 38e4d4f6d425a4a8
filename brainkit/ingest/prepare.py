"""From files or records to chunks ready to store: what is new, what changed, what is gone."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from brainkit.extract.facts import Facts
from brainkit.ingest.bounds import first_files, reached
from brainkit.ingest.chunking import chunk
from brainkit.ingest.config import CONFIG_FILE, Config
from brainkit.ingest.load import lines_of
from brainkit.ingest.one_file import (
    Made,
    facts_or_fault,
    from_file,
    hash_if_possible,
    kept_back,
    lines_in,
)
from brainkit.ingest.outgoing import secrets_note
from brainkit.ingest.pieces import Piece
from brainkit.ingest.report import FileReport, Status
from brainkit.ingest.secrets import TITLE, Secret, secrets_in_chunks, told
from brainkit.ingest.tools import Tools, new_chunks
from brainkit.ingest.walk import Found, Passed, walk
from brainkit.store.chunks import FileRow, NewChunk

Step = Callable[[Sequence[Found], str], Iterable[Found]]


@dataclass
class Prepared:
    """The difference between what a brain holds and what it should hold.

    facts : of every source in ``new``, and of others whose chunks stay as they are; None where
        nothing could be read.
    renamed : source before -> source now, of files whose content is the same.
    """

    new: list[tuple[FileRow, list[NewChunk]]] = field(default_factory=list)
    facts: dict[str, Facts | None] = field(default_factory=dict)
    renamed: dict[str, str] = field(default_factory=dict)
    gone: list[str] = field(default_factory=list)
    reports: list[FileReport] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def anything(self) -> bool:
        """Tell whether there is anything to write."""
        return bool(self.new or self.gone or self.facts)

    def add(self, made: Made, *, is_new: bool) -> None:
        """Take in a file or record that is new or differs."""
        self.new.append((made.row, made.chunks))
        if made.chunks:
            self.facts[made.row.source] = made.facts
        self.reports.append(_report(made, is_new=is_new))


class Stored(NamedTuple):
    """What a brain holds of each source: content hashes of its chunks, and its facts as JSON."""

    hashes: Mapping[str, Sequence[bytes]] = {}
    facts: Mapping[str, str | None] = {}

    def has_chunks(self, made: Made) -> bool:
        """Tell whether these are its chunks."""
        hashes = [one.content_hash for one in made.chunks]
        return bool(made.row.skipped) or hashes == self.hashes.get(made.row.source, [])

    def has_facts(self, made: Made) -> bool:
        """Tell whether these are its facts."""
        source, facts = made.row.source, made.facts
        if not made.chunks:
            return True
        return source in self.facts and self.facts[source] == (facts and facts.to_json())


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
    stored: Stored | None = None,
) -> Prepared:
    """Compare a folder with the files known of it, and chunk what is new or changed.

    known : source -> file, of this root. each : wraps the list of files, for a progress bar.
    stored : given if files with the bytes that are known must be read again, since other settings
        or another version may make other chunks or facts of them.
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
            and before.sha256 == hash_if_possible(file.path)
        ):
            prepared.reports.append(_unchanged(before))
            continue
        made = from_file(file, source=source, label=label, tools=tools, config=config)
        if made.row == before and (stored or Stored()).has_chunks(made):
            prepared.reports.append(_unchanged(made.row, made.secrets))
            if stored is not None and not stored.has_facts(made):
                prepared.facts[source] = made.facts
            continue
        prepared.add(made, is_new=before is None)
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
        whole = [title, text, record["metadata"], split]
        digest = hashlib.sha256(json.dumps(whole, sort_keys=True).encode()).hexdigest()
        before = known.get(source)
        if before is not None and before.sha256 == digest:
            prepared.reports.append(_unchanged(before))
            continue
        counts = tools.counts()
        if split and text.strip():
            pieces = chunk(text, language=None, budget=tools.budget(counts, title=title))
        else:
            pieces = [Piece(text, 1, len(lines_of(text)))] if (text or title).strip() else []
        chunks = new_chunks(pieces, counts, tools, context=title, metadata=record["metadata"])
        secrets = secrets_in_chunks([(TITLE, title), *lines_in(chunks)], language=None)
        skipped = None if chunks else "blank"
        if kept_back(secrets, tools):
            chunks, skipped = [], told(secrets)
        facts, fault = facts_or_fault(
            text, chunks=chunks, source=source, relative=source, language=None, title=title
        )
        row = FileRow(
            source=source,
            label="",
            relative=source,
            size=len(text.encode()),
            sha256=digest,
            source_type="doc",
            language=None,
            decoded_as=None,
            note=fault,
            skipped=skipped,
            chunks=len(chunks),
        )
        prepared.add(Made(row, chunks, facts, secrets), is_new=before is None)
    _note_secrets(prepared, tools)
    return prepared


def _without_config(walked: Iterable[Found | Passed], root: Path) -> Iterator[Found | Passed]:
    for one in walked:
        if isinstance(one, Found) and one.relative == CONFIG_FILE and root.is_dir():
            yield Passed(CONFIG_FILE, "settings of this folder, not part of it")
        else:
            yield one


def _note_secrets(prepared: Prepared, tools: Tools) -> None:
    count = sum(bool(row.secrets) for row in prepared.reports)
    if count:
        identity = tools.embedder.identity
        reader = tools.extractor.endpoint.address if tools.extractor else None
        prepared.notes.append(
            secrets_note(count, identity, forced=tools.send_secrets, reader=reader)
        )


def _unchanged(row: FileRow, secrets: tuple[Secret, ...] = ()) -> FileReport:
    if row.skipped:
        return FileReport(row.source, "skipped", detail=row.skipped, secrets=secrets)
    return FileReport(row.source, "unchanged", row.chunks)


def _report(made: Made, *, is_new: bool) -> FileReport:
    row, secrets = made.row, made.secrets
    if row.skipped:
        return FileReport(row.source, "skipped", detail=row.skipped, secrets=secrets)
    tokens = sum(one.tokens for one in made.chunks)
    detail = "; ".join(filter(None, [row.note, told(secrets)]))
    status: Status = "added" if is_new else "changed"
    return FileReport(row.source, status, len(made.chunks), tokens, detail, secrets)


def _find_renames(prepared: Prepared, known: Mapping[str, FileRow]) -> None:
    """Report an added file with the content of a vanished one as renamed."""
    vanished: dict[str, str] = {
        known[source].sha256: source for source in prepared.gone if known[source].chunks
    }
    hashes = {row.source: row.sha256 for row, _ in prepared.new}
    for i, report in enumerate(prepared.reports):
        before = vanished.get(hashes.get(report.source, ""))
        if report.status == "added" and before is not None and before not in prepared.renamed:
            prepared.renamed[before] = report.source
            detail = "; ".join(filter(None, [f"was {before}", told(report.secrets)]))
            prepared.reports[i] = replace(report, status="renamed", detail=detail)
    prepared.reports += [
        FileReport(source, "removed") for source in prepared.gone if source not in prepared.renamed
    ]
