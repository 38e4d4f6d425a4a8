"""Owns a brain's stores and runs search and ingest on them. No algorithms, no UI; thread-safe."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from brainkit.analyze import Analyzer
from brainkit.embed import Embedder, Identity, resolve
from brainkit.embed.matching import matching
from brainkit.errors import (
    BrainBusy,
    BrainClosed,
    BrainDamaged,
    NoSuchFolder,
    NotABrain,
)
from brainkit.ingest import pipeline
from brainkit.ingest.config import read_config
from brainkit.ingest.outgoing import refuse_secrets
from brainkit.ingest.precedence import InForce, in_force, kept, overridden, shape_of, unshaped
from brainkit.ingest.prepare import Prepared, Tools, from_folder, from_records
from brainkit.ingest.records import checked, rows_of
from brainkit.ingest.report import FileReport, IngestReport
from brainkit.ingest.roots import as_source, label_for, sources_of
from brainkit.ingest.upkeep import analyze_again, embed_again, publish_empty, set_shape
from brainkit.models import Notice, QueryRequest, QueryResponse
from brainkit.retrieve.base import Question
from brainkit.search import search
from brainkit.settings import SHAPING, Settings, environment, from_environment
from brainkit.store.draft import Draft
from brainkit.store.exchange import export
from brainkit.store.generation import Generation, open_current, way_back
from brainkit.store.layout import Layout, resolved
from brainkit.store.locks import WriterLock

if TYPE_CHECKING:
    from pandas import DataFrame

_CREATING_SECONDS = 30
_OTHER_ANALYZER = Notice(
    kind="other-analyzer",
    message="the terms of this brain were made by another version of the analyzer, so some words "
    "may be missed; the next ingest makes them anew.",
)


class Engine:
    """One brain folder, open.

    embedder : a name, an Embedder or a callable; None takes the one that made the brain's vectors.
    settings : sizes to override; those that shaped the stored chunks cannot change later.
    create : make the brain if the folder is absent or empty.
    """

    def __init__(
        self,
        folder: Path,
        *,
        embedder: Any = None,
        settings: dict[str, Any] | None = None,
        create: bool = True,
    ) -> None:
        self.layout = Layout(folder)
        self._given = embedder
        self._changing = threading.RLock()
        self._generation: Generation | None = None
        self._embedders: list[Embedder] = []
        self._closed = False
        self._outranked = {*environment(), *(settings or {})}
        self.settings = self._asked = base = overridden(from_environment(), settings or {})
        self.analyzer = Analyzer(language=base.analyzer_language)
        if not self.layout.exists():
            if not create:
                raise NotABrain(
                    f"there is no brain at {folder}; make one with "
                    f"brainkit.open({str(folder)!r}).ingest(FOLDER) or "
                    f"`brainkit ingest FOLDER --brain {folder}`."
                )
            resolve(embedder)  # an embedder that cannot be had leaves no empty brain behind
            self._create(base)
        try:
            self._settle(base, asked=settings or {})
        except BaseException:
            self.close()
            raise

    @contextmanager
    def reading(self) -> Iterator[Generation]:
        """The newest generation, kept open for the length of the block.

        Raises BrainDamaged naming the way back, here or at any read in the block.
        """
        generation = self._newest()
        try:
            yield generation
        except BrainDamaged as error:
            raise BrainDamaged(way_back(self.layout, generation.name, str(error))) from None
        finally:
            generation.release()

    def embedder(self, generation: Generation) -> Embedder:
        """Return the embedder of a generation's vectors; where it has none yet, the one to use.

        Asked for each generation anew, since another process may have switched the embedder.
        Raises EmbedderMismatch if another one was given, EmbedderUnavailable if it must be given
        again.
        """
        stored = generation.meta.get("embedder")
        identity = Identity.from_dict(stored) if stored else None
        with self._changing:
            for known in self._embedders:
                if identity is None or known.identity.agrees(identity):
                    return known
            found = matching(self._given, identity, brain=self.layout.folder)
            self._embedders.insert(0, found)
            return found

    def search(self, request: QueryRequest, *, full: bool = False) -> QueryResponse:
        """Answer a request from the newest generation."""
        with self.reading() as generation:
            question = Question(
                request.query, analyzer=self.analyzer, embedder=lambda: self.embedder(generation)
            )
            return search(generation, question, request, full=full)

    def ingest(
        self,
        folder: Path,
        *,
        include: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        label: str | None = None,
        send_secrets: bool = False,
        dry_run: bool = False,
        progress: bool = True,
    ) -> IngestReport:
        """Bring the brain up to date with a folder; with ``dry_run`` only say what would happen."""
        root = resolved(folder, refuse=NoSuchFolder)
        config = read_config(root)
        with self._writing(dry_run), self.reading() as base:
            roots, files = base.chunks.roots(), base.chunks.files()
            name, notes = label_for(root, roots, files=files, wanted=label)
            known = {source: row for source, row in files.items() if row.label == name}
            holds = in_force(
                config,
                settings=self.settings if files else unshaped(self._asked, base.meta),
                outranked=self._outranked,
                meta=base.meta,
                is_empty=not files,
                embedder_given=self._given is not None,
            )
            tools = self._tools(base, holds=holds, send_secrets=send_secrets)
            reading = base.meta.get("reading", {})
            again = bool(known) and reading.get(name) != holds.reading

            def prepare() -> Prepared:
                prepared = from_folder(
                    root,
                    label=name,
                    known=known,
                    tools=tools,
                    config=config,
                    include=include,
                    exclude=exclude,
                    avoid=[self.layout.folder],
                    each=pipeline.steps(progress),
                    stored=base.chunks.content_hashes() if again else None,
                )
                prepared.notes += [*notes, *holds.notes]
                return prepared

            def finish(draft: Draft) -> None:
                draft.set_root(name, str(root))
                draft.set_meta("reading", {**reading, name: holds.reading})
                if holds.shape != shape_of(self.settings):
                    set_shape(draft, holds.settings)

            return self._run(
                prepare,
                base=base,
                tools=tools,
                label=name,
                root=str(root),
                finish=finish,
                always=roots.get(name) != str(root) or again,
                dry_run=dry_run,
                progress=progress,
            )

    def ingest_texts(
        self,
        records: Any,
        *,
        split: bool = True,
        send_secrets: bool = False,
        progress: bool = True,
    ) -> IngestReport:
        """Add or replace records by id; other records stay."""
        with self._writing(), self.reading() as base:
            known = base.chunks.files()
            clean = list(checked(rows_of(records), labels=base.chunks.roots()))
            tools = self._tools(base, send_secrets=send_secrets)
            return self._run(
                lambda: from_records(clean, split=split, known=known, tools=tools),
                base=base,
                tools=tools,
                label="",
                root=None,
                finish=lambda draft: None,
                progress=progress,
            )

    def remove(self, target: str) -> IngestReport:
        """Remove a root, a source, a folder of sources, or what a glob matches."""
        with self._writing(), self.reading() as base:
            roots, files = base.chunks.roots(), base.chunks.files()
            gone = sources_of(target, list(files), roots)
            left = {files[source].label for source in files.keys() - set(gone)}
            emptied = {files[source].label for source in gone} - left
            named = as_source(target, roots)
            dropped = [label for label in roots if label in emptied or label == named]

            def finish(draft: Draft) -> None:
                for label in dropped:
                    draft.drop_root(label)

            reports = [FileReport(source, "removed") for source in gone]
            return self._run(
                lambda: Prepared(gone=gone, reports=reports),
                base=base,
                tools=None,
                label=target,
                root=target,
                finish=finish,
                always=bool(dropped),
            )

    def reembed(self, embedder: Any, *, send_secrets: bool = False, progress: bool = True) -> int:
        """Make all vectors anew with another embedder; return the number of chunks embedded.

        Chunks keep the size they have; texts longer than the new embedder's window lose their end.
        """
        new = resolve(embedder)
        with self._writing(), self.reading() as base:
            if not send_secrets:
                refuse_secrets(base.chunks, new.identity)
            count = embed_again(
                self.layout,
                base.chunks,
                tools=Tools(self.analyzer, new, self.settings),
                ready=self._prefer,
                progress=progress,
            )
            with self._changing:
                self._given = embedder
        return count

    def sql(self, query: str, parameters: Mapping[str, Any] | None = None) -> DataFrame:
        """Return the rows of a SQL query over the newest generation; raises InvalidSQL."""
        with self.reading() as generation:
            return generation.chunks.table(query, parameters).to_pandas()

    def export(self, target: Path) -> None:
        """Write the newest generation to one zip of Parquet and JSON."""
        with self.reading() as generation:
            export(generation.chunks, target)

    def faults(self) -> list[str]:
        """Verify every hash and compare the stores; return what is wrong, empty when nothing is."""
        with self.reading() as generation:
            return generation.faults()

    def close(self) -> None:
        """Let the brain go; running queries finish."""
        with self._changing:
            self._closed = True
            if self._generation is not None:
                self._generation.retire()
                self._generation = None

    def _settle(self, base: Settings, *, asked: dict[str, Any]) -> None:
        """Take over what the brain stores, and refuse what contradicts it."""
        with self.reading() as generation:
            kept(base, generation.meta["settings"], asked=asked)
            if self._given is not None:
                self.embedder(generation)

    def _newest(self) -> Generation:
        while True:
            with self._changing:
                if self._closed:
                    raise BrainClosed(f"{self.layout.folder} was closed; open it again.")
                name, held = self.layout.current(), self._generation
                if held is not None and not held.on_disk():
                    held.retire()  # first: DuckDB would hand out the open file under the same path
                    self._generation = held = None
                if held is None or held.name != name:
                    limit = self.settings.exact_limit_chunks
                    newer = open_current(self.layout, exact_limit=limit)
                    if held is not None:
                        held.retire()
                    self._generation = held = newer
                    self._take_shape(newer)
                generation = held
            if generation.acquire():
                return generation

    def _take_shape(self, generation: Generation) -> None:
        """Take over what shaped the chunks; the first ingest may have had it from a folder."""
        stored = generation.meta["settings"]
        if stored != shape_of(self.settings):
            self.settings = kept(self.settings, stored, asked={})
            self.analyzer = Analyzer(language=self.settings.analyzer_language)
        if generation.meta["analyzer"] != self.analyzer.identity:
            generation.notices.append(_OTHER_ANALYZER)

    @contextmanager
    def _writing(self, dry_run: bool = False) -> Iterator[None]:
        """The right to write, with the terms brought up to date first if their analyzer is another.

        Terms of two analyzers never meet in one generation.
        """
        if dry_run:
            yield
            return
        with WriterLock(self.layout):
            with self.reading() as base:
                if base.meta["analyzer"] != self.analyzer.identity:
                    limit = self.settings.exact_limit_chunks
                    analyze_again(
                        self.layout, base.chunks, analyzer=self.analyzer, exact_limit=limit
                    )
            yield

    def _tools(
        self, base: Generation, *, holds: InForce | None = None, send_secrets: bool
    ) -> Tools:
        if holds is None:
            return Tools(self.analyzer, self.embedder(base), self.settings, send_secrets)
        embedder = resolve(holds.embedder) if holds.embedder else self.embedder(base)
        analyzer = Analyzer(language=holds.settings.analyzer_language)
        return Tools(analyzer, embedder, holds.settings, send_secrets)

    def _run(
        self,
        prepare: Callable[[], Prepared],
        *,
        base: Generation,
        tools: Tools | None,
        label: str,
        root: str | None,
        finish: Callable[[Draft], None],
        always: bool = False,
        dry_run: bool = False,
        progress: bool = True,
    ) -> IngestReport:
        def finish_all(draft: Draft) -> None:
            finish(draft)
            if tools is not None:
                draft.set_meta("embedder", tools.embedder.identity.to_dict())

        return pipeline.run(
            prepare,
            layout=self.layout,
            base=base,
            tools=tools,
            exact_limit=self.settings.exact_limit_chunks,
            label=label,
            root=root,
            finish=finish_all,
            always=always,
            dry_run=dry_run,
            progress=progress,
        )

    def _create(self, settings: Settings) -> None:
        """Make an empty brain, or wait while another process or thread makes it."""
        give_up = time.monotonic() + _CREATING_SECONDS
        while not self.layout.exists():
            try:
                with WriterLock(self.layout):
                    if not self.layout.exists():
                        chosen = self._outranked.intersection(SHAPING)
                        publish_empty(self.layout, settings, chosen=chosen)
            except BrainBusy:
                if time.monotonic() > give_up:
                    raise
                time.sleep(0.02)

    def _prefer(self, embedder: Embedder) -> None:
        with self._changing:
            self._embedders.insert(0, embedder)
