"""Reading a brain: which generation answers, whose vectors it has, and the answer."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from brainkit.analyze import Analyzer
from brainkit.embed import Embedder, Identity, resolve
from brainkit.embed.matching import matching
from brainkit.engine.defaults import Defaults
from brainkit.errors import BrainClosed, BrainDamaged, InvalidSetting, NotABrain
from brainkit.ingest.outgoing import holds_secrets
from brainkit.ingest.precedence import kept, overridden, shape_of
from brainkit.ingest.upkeep import create_or_wait
from brainkit.models import Candidate, Notice, QueryRequest, QueryResponse
from brainkit.rerank import AnyReranker, Reranker
from brainkit.rerank import resolve as resolve_reranker
from brainkit.rerank.stage import Withheld
from brainkit.retrieve.base import Question
from brainkit.search import search
from brainkit.settings import SHAPING, Settings, environment, from_environment
from brainkit.store import defaults as stored_defaults
from brainkit.store.exchange import export
from brainkit.store.generation import Generation, open_current, way_back
from brainkit.store.layout import Layout

if TYPE_CHECKING:
    from pandas import DataFrame

_OTHER_ANALYZER = Notice(
    kind="other-analyzer",
    message="the terms of this brain were made by another version of the analyzer, so some words "
    "may be missed; the next ingest makes them anew.",
)


class Reader:
    """One brain folder, open to be asked.

    embedder : a name, an Embedder or a callable; None takes the one that made the brain's vectors.
    reranker : a name, an address, a Reranker or a callable; None for the default.
    settings : sizes to override; those that shaped the stored chunks cannot change later.
    create : make the brain if the folder is absent or empty.
    """

    def __init__(
        self,
        folder: Path,
        *,
        embedder: Any = None,
        reranker: AnyReranker | None = None,
        settings: dict[str, Any] | None = None,
        create: bool = True,
    ) -> None:
        self.layout = Layout(folder)
        self._given = embedder
        self._reranker = None if reranker is None else resolve_reranker(reranker)
        self._changing = threading.RLock()
        self._matching = threading.RLock()  # of its own: asking a server who it is may take long
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
            create_or_wait(self.layout, base, chosen=self._outranked.intersection(SHAPING))
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
        identity = generation.remembered("identity", lambda: _identity(generation))
        with self._matching:
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
            return search(
                generation, question, request, full=full, reranker=lambda: self.judge(generation)
            )

    @property
    def reranker(self) -> Reranker:
        """What re-orders the best candidates of a request with ``rerank``."""
        with self._changing:
            if self._reranker is None:
                self._reranker = resolve_reranker(None)
            return self._reranker

    def use_reranker(self, reranker: AnyReranker | None) -> None:
        """Take another reranker from the next query on; None for the default."""
        found = resolve_reranker(reranker)
        with self._changing:
            self._reranker = found

    def judge(self, generation: Generation) -> tuple[Reranker, Withheld]:
        """Return the reranker, and which candidates of a generation must not leave this machine."""

        def withheld(candidate: Candidate) -> bool:
            source = candidate.source
            return generation.remembered(
                ("secrets", source), lambda: holds_secrets(generation.chunks, source)
            )

        return self.reranker, withheld

    def defaults(self) -> Defaults:
        """Return the settings that answer where a question gives none, as they are on disk now."""
        name = self.layout.folder.name
        try:
            return Defaults(name, stored_defaults.read(self.layout))
        except InvalidSetting as error:
            return Defaults(name, problem=f"{error} Until then the built-in defaults answer.")

    def sql(self, query: str, parameters: Mapping[str, Any] | None = None) -> DataFrame:
        """Return the rows of a SQL query over the newest generation; raises InvalidSQL."""
        with self.reading() as generation:
            return generation.chunks.table(query, parameters).to_pandas()

    def export(self, target: Path) -> None:
        """Write the newest generation to one zip of Parquet and JSON."""
        with self.reading() as generation:
            export(generation.chunks, target, defaults=stored_defaults.read(self.layout))

    def faults(self) -> list[str]:
        """Verify every hash and compare the stores; return what is wrong, empty when nothing is."""
        problem = self.defaults().problem
        with self.reading() as generation:
            return [*generation.faults(), *([problem] if problem else [])]

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


def _identity(generation: Generation) -> Identity | None:
    stored = generation.meta.get("embedder")
    return Identity.from_dict(stored) if stored else None
