"""Changing a brain: ingest, removal, other vectors, and what users say of its entities."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from brainkit.analyze import Analyzer
from brainkit.embed import Embedder, Identity, resolve
from brainkit.embed.matching import to_store
from brainkit.engine.reader import Reader
from brainkit.errors import NoSuchFolder
from brainkit.extract.graph import Edit
from brainkit.extract.llm import ModelExtractor
from brainkit.ingest import edits, pipeline
from brainkit.ingest.config import read_config
from brainkit.ingest.outgoing import refuse_secrets
from brainkit.ingest.precedence import InForce, in_force, shape_of, unshaped
from brainkit.ingest.prepare import Prepared, Stored, from_folder, from_records
from brainkit.ingest.records import checked, rows_of
from brainkit.ingest.report import FileReport, IngestReport, ReembedReport
from brainkit.ingest.roots import as_source, label_for, sources_of
from brainkit.ingest.tools import Tools
from brainkit.ingest.upkeep import (
    bring_up_to_date,
    embed_again,
    is_current,
    plan_again,
    set_shape,
)
from brainkit.progress import steps
from brainkit.store import defaults
from brainkit.store.database import refusals_named
from brainkit.store.draft import Draft
from brainkit.store.generation import Generation
from brainkit.store.graph import GraphIndex
from brainkit.store.layout import resolved
from brainkit.store.locks import WriterLock


class Engine(Reader):
    """Owns a brain's stores and runs search and ingest on them. No algorithms; thread-safe."""

    def ingest(
        self,
        folder: Path,
        *,
        include: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        label: str | None = None,
        send_secrets: bool = False,
        extractor: ModelExtractor | None = None,
        dry_run: bool = False,
        progress: bool = True,
    ) -> IngestReport:
        """Bring the brain up to date with a folder; with ``dry_run`` only say what would happen."""
        root = resolved(folder, refuse=NoSuchFolder)
        config = read_config(root)
        with self._writing(dry_run) as base:
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
            tools = self._tools(base, holds=holds, send_secrets=send_secrets, extractor=extractor)
            reading = base.meta.get("reading", {})
            again = bool(known) and reading.get(name) != holds.reading
            stored = Stored(base.chunks.content_hashes(), base.chunks.facts()) if again else None

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
                    each=steps(progress),
                    stored=stored,
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
        extractor: ModelExtractor | None = None,
        progress: bool = True,
    ) -> IngestReport:
        """Add or replace records by id; other records stay."""
        with self._writing() as base:
            known = base.chunks.files()
            clean = list(checked(rows_of(records), labels=base.chunks.roots()))
            tools = self._tools(base, send_secrets=send_secrets, extractor=extractor)
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
        with self._writing() as base:
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

    def reembed(
        self,
        embedder: Any,
        *,
        send_secrets: bool = False,
        dry_run: bool = False,
        progress: bool = True,
    ) -> ReembedReport:
        """Make all vectors anew with another embedder, or with ``dry_run`` only say what that is.

        Chunks keep the size they have; texts longer than the new embedder's window lose their end.
        """
        new = resolve(embedder)
        with self._writing(dry_run) as base:
            if hasattr(new, "confirmed"):
                new.confirmed()  # if its model has changed, that is the one to switch to
            if not send_secrets:
                refuse_secrets(base.chunks, new.identity)
            tools = Tools(self.analyzer, new, self.settings)
            if dry_run:
                return plan_again(self.layout, base.chunks, tools=tools)
            report = embed_again(
                self.layout, base.chunks, tools=tools, ready=self._prefer, progress=progress
            )
            with self._changing:
                self._given = embedder
        return report

    def use(
        self, settings: Mapping[str, Any] | None, *, told: str, by: str, figures: Mapping[str, Any]
    ) -> None:
        """Store the settings that answer where a question gives none; None takes them back.

        Raises InvalidRequest naming what is wrong with them, before anything is written.
        """
        stored = None
        if settings:
            with self.reading() as generation:
                whose = generation.meta.get("embedder")
            embedder = str(Identity.from_dict(whose)) if whose else ""
            stored = defaults.new(settings, told=told, by=by, embedder=embedder, figures=figures)
        with WriterLock(self.layout), refusals_named(self.layout.folder):
            defaults.write(self.layout, stored)

    def merge_entities(self, name: str, other: str, *, progress: bool = True) -> None:
        """Make one entity of two; the second gives the name, and the first becomes an alias.

        It holds for as long as the brain, also where a file that names them comes later. Raises
        NoSuchEntity if a name means none or several, InvalidEdit if they are one already.
        """
        self._edit(lambda graph, said: [*said, edits.merge(graph, name, other)], progress)

    def unmerge(self, name: str, other: str, *, progress: bool = True) -> None:
        """Take back a merge made by hand. Raises InvalidEdit if there is no such merge."""
        self._edit(lambda graph, said: edits.without(said, name, other), progress)

    def alias(self, name: str, other: str, *, progress: bool = True) -> None:
        """Let an entity be found by another name too. Raises NoSuchEntity, InvalidEdit."""
        self._edit(lambda graph, said: [*said, edits.alias(graph, name, other)], progress)

    def unalias(self, name: str, other: str, *, progress: bool = True) -> None:
        """Take back another name that was given by hand. Raises InvalidEdit if it was not."""
        self._edit(lambda graph, said: edits.without(said, name, other, kind="alias"), progress)

    def _edit(
        self, change: Callable[[GraphIndex, Sequence[Edit]], list[Edit]], progress: bool
    ) -> None:
        with self._writing() as base:
            edits.apply(
                self.layout,
                base,
                lambda said: change(base.graph, said),
                exact_limit=self.settings.exact_limit_chunks,
                progress=progress,
            )

    @contextmanager
    def _writing(self, dry_run: bool = False) -> Iterator[Generation]:
        """The right to write, and the newest generation with terms and facts brought up to date.

        Those of two versions never meet in one generation.
        """
        if dry_run:
            with self.reading() as base:
                yield base
            return
        with WriterLock(self.layout) as lock:
            with self.reading() as base:
                if not is_current(base, self.analyzer):
                    limit = self.settings.exact_limit_chunks
                    bring_up_to_date(self.layout, base, analyzer=self.analyzer, exact_limit=limit)
            with self.reading() as base:
                lock.check()
                yield base

    def _tools(
        self,
        base: Generation,
        *,
        holds: InForce | None = None,
        send_secrets: bool,
        extractor: ModelExtractor | None,
    ) -> Tools:
        if holds is None:
            embedder = self.embedder(base)
            return Tools(self.analyzer, embedder, self.settings, send_secrets, extractor)
        embedder = resolve(holds.embedder) if holds.embedder else self.embedder(base)
        analyzer = Analyzer(language=holds.settings.analyzer_language)
        return Tools(analyzer, embedder, holds.settings, send_secrets, extractor)

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
                stored = base.meta.get("embedder")
                before = Identity.from_dict(stored) if stored else None
                found = to_store(tools.embedder.identity, before)
                draft.set_meta("embedder", found.to_dict())

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

    def _prefer(self, embedder: Embedder) -> None:
        with self._matching:
            self._embedders.insert(0, embedder)
