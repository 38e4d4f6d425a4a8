"""The public face of a brain: open it, fill it, ask it."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, Self, overload

from numpy.typing import ArrayLike

from brainkit.asking import Asking
from brainkit.background import Background
from brainkit.embed import Embedder
from brainkit.engine import Engine
from brainkit.entities import Related
from brainkit.errors import (
    BrainClosed,
    BrainkitError,
    InvalidSetting,
    NoSuchFolder,
)
from brainkit.extract.llm import Extract, extractor_of
from brainkit.info import Check, Info, info_of
from brainkit.ingest.precedence import check_given
from brainkit.ingest.report import IngestReport, ReembedReport
from brainkit.ingest.watch import Watcher
from brainkit.rerank import AnyReranker, Reranker
from brainkit.store.layout import resolved

if TYPE_CHECKING:
    from pandas import DataFrame
    from pyarrow import Table

    from brainkit.evaluation.configs import Config
    from brainkit.evaluation.judgments import Judgments
    from brainkit.widgets.explorer import Explorer
    from brainkit.widgets.labelling import Labelling

PathLike = str | os.PathLike[str]
AnyEmbedder = str | Embedder | Callable[[list[str]], ArrayLike]

OPENING = threading.Lock()
"""Held while a brain is opened or closed."""


class Brain(Asking, Related):
    """A store of chunks that answers questions; made by ``brainkit.open``. Thread-safe."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._forgotten = weakref.finalize(self, engine.close)
        self._watchers: list[weakref.ref[Watcher]] = []
        self._asking = Background("brainkit-query")

    @property
    def folder(self) -> Path:
        """Where the brain lies on disk."""
        return self._engine.layout.folder

    @property
    def reranker(self) -> Reranker:
        """What re-orders the best candidates where a request has ``rerank=True``.

        Set it to ``local``, the address of a rerank endpoint (``http://host/v1/rerank#model``), a
        Reranker, or any callable ``(query, list[str]) -> scores``; None is the default.
        """
        return self._engine.reranker

    @reranker.setter
    def reranker(self, reranker: AnyReranker | None) -> None:
        self._engine.use_reranker(reranker)

    def plan(
        self,
        folder: PathLike,
        *,
        include: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        label: str | None = None,
        send_secrets: bool = False,
        extract: Extract = None,
        progress: bool = True,
    ) -> IngestReport:
        """Say what ``ingest`` would do, without embedding, sending or writing anything of it.

        With a hosted embedder, which may be asked who it is with texts of ours, ``bill`` says how
        many texts and tokens it would be sent, what kept vectors save, and what the rest costs.
        With ``extract``, ``estimate`` says what the model would read and what that costs.
        """
        return self._ingest(
            folder,
            include,
            exclude,
            label,
            progress,
            send_secrets=send_secrets,
            extract=extract,
            dry_run=True,
        )

    @overload
    def ingest(
        self,
        folder: PathLike,
        *,
        include: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        label: str | None = None,
        send_secrets: bool = False,
        extract: Extract = None,
        progress: bool = True,
        watch: Literal[False] = False,
    ) -> IngestReport: ...

    @overload
    def ingest(
        self,
        folder: PathLike,
        *,
        include: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        label: str | None = None,
        send_secrets: bool = False,
        extract: Extract = None,
        progress: bool = True,
        watch: Literal[True],
    ) -> Watcher: ...

    def ingest(
        self,
        folder: PathLike,
        *,
        include: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        label: str | None = None,
        send_secrets: bool = False,
        extract: Extract = None,
        progress: bool = True,
        watch: bool = False,
    ) -> IngestReport | Watcher:
        """Bring the brain up to date with a folder (or one file); unchanged files cost no work.

        include, exclude : gitignore-style globs on the path below the folder; they hold for this
            call, so files that an earlier call took in and this one leaves out are removed. Left
            out, those of the folder's `brainkit.toml` hold.
        label : first part of the sources' names; by default the folder's own name.
        send_secrets : let a hosted model read files that look like they hold secrets. Otherwise a
            hosted embedder leaves them out, and none of them goes to an extractor. For embedders
            on this machine they are only reported.
        extract : ``"llm"`` or a ModelExtractor lets a chat model read relations out of every chunk
            of the folder, also of unchanged files; what it read before is not sent again. What it
            read stays with its text when later ingests leave this out.
        watch : go on in the background, ingesting again after each change, and return a Watcher:
            its ``report`` is the last ingest, its ``stop()`` ends it.
        Interrupted or failed, the brain answers as before and finished embeddings are kept.
        Raises NoSuchFolder, OverlappingRoots, EmbedderMismatch, BrainBusy, InvalidSetting for
        a mistake in `brainkit.toml`, and EndpointUnavailable if the chat model cannot be used.
        """

        def once(progress: bool) -> IngestReport:
            return self._ingest(
                folder,
                include,
                exclude,
                label,
                progress,
                send_secrets=send_secrets,
                extract=extract,
                dry_run=False,
            )

        if not watch:
            return once(progress)
        root = resolved(folder, refuse=NoSuchFolder)
        watcher = Watcher(lambda: once(False), root, avoid=[self.folder])
        self._watchers.append(weakref.ref(watcher))
        return watcher

    def ingest_texts(
        self,
        records: Any,
        *,
        split: bool = True,
        send_secrets: bool = False,
        extract: Extract = None,
        progress: bool = True,
    ) -> IngestReport:
        """Add or replace records: dicts or a DataFrame with ``id``, ``text`` and maybe ``title``.

        The id becomes the source; other fields become metadata; title and text are both indexed.
        split : cut long texts into chunks. False keeps each record one chunk, as published figures
            do; the embedder then sees the beginning of what is longer than its window.
        send_secrets, extract : as for ``ingest``.
        Raises InvalidRecord before anything is written.
        """
        return self._engine.ingest_texts(
            records,
            split=split,
            send_secrets=send_secrets,
            extractor=extractor_of(extract),
            progress=progress,
        )

    def explore(self, query: str | None = None, **fields: Any) -> Explorer:
        """Return the explorer: a widget to ask in, with the reasons beside each result.

        query : a first question. fields : any field of QueryRequest, such as ``mode="multi"``.
        Its settings are traits and ``explorer.request`` is the exact question. Running the cell
        again replaces it. Raises InvalidRequest naming the field and what is allowed.
        """
        from brainkit.widgets.explorer import Explorer

        return Explorer(self, query or "", **self._engine.defaults().filled(fields))

    @property
    def judgments(self) -> Judgments:
        """The relevance labels of this brain, of every labeller, as they are on disk now.

        ``brainkit.load_dataset(brain.judgments)`` makes a dataset of them, in which each label
        counts for the sources that have its text now, wherever it was given.
        """
        from brainkit.evaluation.judgments import Judgments
        from brainkit.evaluation.pooling import whereabouts

        return Judgments(
            self.folder, whereabouts=lambda contents, unit: whereabouts(self, contents, unit)
        )

    def label(
        self,
        queries: Any = None,
        *,
        configs: Mapping[str, Config] | Sequence[Config] | None = None,
        depth: int = 10,
        labeller: str | None = None,
        progress: bool = True,
    ) -> Labelling:
        """Return a widget to judge by keyboard what several configurations find.

        queries : a list of questions, a Dataset, a text file with one a line, or one question; left
            out, those that have labels.
        configs : as for ``brainkit.evaluate``; by default bm25, vector and graph, each alone. The
            pool of a question is what any of them finds, each text once.
        depth : how many chunks of each configuration go into the pool.
        labeller : a name, so that the labels of several persons stay apart; by default
            ``$BRAINKIT_LABELLER``, or ``me``.
        Whatever was labelled before is kept and passed over: run the cell again to go on.
        Raises InvalidDataset if there is no question, InvalidRequest, InvalidSetting.
        """
        from brainkit.widgets.labelling import Labelling

        return Labelling(
            self, queries, configs=configs, depth=depth, labeller=labeller, progress=progress
        )

    def remove(self, target: PathLike) -> IngestReport:
        """Remove a root by label, a source or record, a folder of sources, or what a glob matches.

        Files on disk are not touched; ingesting their folder again brings them back.
        Raises NoSuchSource naming the nearest known one.
        """
        return self._engine.remove(os.fspath(target))

    def plan_reembed(self, embedder: AnyEmbedder, *, send_secrets: bool = False) -> ReembedReport:
        """Say what ``reembed`` would do and cost, without embedding or writing anything.

        Raises SecretsFound where ``reembed`` would.
        """
        return self._engine.reembed(embedder, send_secrets=send_secrets, dry_run=True)

    def reembed(
        self, embedder: AnyEmbedder, *, send_secrets: bool = False, progress: bool = True
    ) -> ReembedReport:
        """Make all vectors anew with another embedder; return the number of chunks, as a report.

        Until all are made the old ones answer. Interrupted, or stopped by a cap, nothing has
        changed and what was embedded is kept: the same again goes on from there.
        Raises SecretsFound if a hosted embedder would read what looks like a secret, unless
        ``send_secrets`` lets it; EmbedderFailed if no chunk gets a usable vector.
        """
        return self._engine.reembed(embedder, send_secrets=send_secrets, progress=progress)

    def to_frame(self) -> DataFrame:
        """Return one row per chunk as a pandas DataFrame, in the tie order; vectors left out."""
        return self.sql(
            "select chunk_id, source, start_line, end_line, source_type, language, text, context, "
            "metadata, tokens from chunks join ranks using (key) order by ord"
        )

    def sql(self, query: str, parameters: Mapping[str, Any] | None = None) -> DataFrame:
        """Ask the brain's DuckDB file with SQL, read-only, and return the rows as a DataFrame.

        Tables: chunks, files, roots, vectors, terms, chunk_terms, ranks; of the graph entities,
            aliases, relations, support, mentions, merges, made from facts and entity_edits.
        parameters : values for ``$name`` placeholders. Files and the network are out of reach.
        Raises InvalidSQL with DuckDB's reason.
        """
        return self._engine.sql(query, parameters)

    def sql_table(self, query: str, parameters: Mapping[str, Any] | None = None) -> Table:
        """Ask as ``sql`` does, and return an Arrow table, which keeps integers beside nulls."""
        with self._engine.reading() as generation:
            return generation.chunks.table(query, parameters)

    def export(self, target: PathLike) -> Path:
        """Write the brain to one zip of Parquet and JSON, and return its path.

        ``brainkit.import_brain`` reads it on any machine and with other versions of DuckDB. Equal
        brains give equal files, byte for byte. An existing file is replaced.
        Raises InvalidSetting if the target is a folder, or cannot be written.
        """
        path = resolved(target, refuse=InvalidSetting)
        self._engine.export(path)
        return path

    def info(self) -> Info:
        """Return counts, disk use per store, embedder and settings."""
        return info_of(self._engine)

    def check(self) -> Check:
        """Verify the hash of every file and that all stores hold the same chunks."""
        with self._engine.reading() as generation:
            name = generation.name
        return Check(str(self.folder), name, tuple(self._engine.faults()))

    def close(self) -> None:
        """Let the brain go; running queries finish. Opening it again is always possible."""
        for reference in self._watchers:
            watcher = reference()
            if watcher is not None:
                watcher.stop()
        self._asking.close()
        with OPENING:
            if OPEN.get(self.folder) is self:
                del OPEN[self.folder]
        self._engine.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        try:
            with self._engine.reading() as generation:
                return f"<Brain {self.folder} {generation.name}: {generation.size:,} chunks>"
        except BrainkitError as error:  # moved, damaged or closed
            what = "closed" if isinstance(error, BrainClosed) else f"not readable: {error}"
            return f"<Brain {self.folder}, {what}>"

    def _repr_html_(self) -> str | None:
        with suppress(BrainkitError):  # the repr, shown in its place, says why
            return self.info()._repr_html_()
        return None

    def _take_over(self, engine: Engine) -> None:
        """Go on with another engine on the same folder: its embedder or settings are new."""
        before, self._engine = self._engine, engine
        self._forgotten.detach()
        self._forgotten = weakref.finalize(self, engine.close)
        before.close()

    def _ingest(
        self,
        folder: PathLike,
        include: Sequence[str] | None,
        exclude: Sequence[str] | None,
        label: str | None,
        progress: bool,
        *,
        send_secrets: bool,
        extract: Extract,
        dry_run: bool,
    ) -> IngestReport:
        check_given(include=include, exclude=exclude, label=label)
        return self._engine.ingest(
            Path(folder),
            include=include,
            exclude=exclude,
            label=label,
            send_secrets=send_secrets,
            extractor=extractor_of(extract),
            dry_run=dry_run,
            progress=progress,
        )


OPEN: weakref.WeakValueDictionary[Path, Brain] = weakref.WeakValueDictionary()
"""The brains that are open in this process, by folder."""
