"""The part of a brain's public face that answers: questions, comparisons, reports, defaults."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from brainkit.answer import Answer
from brainkit.background import Background
from brainkit.embed import Identity
from brainkit.engine import Engine
from brainkit.engine.defaults import Defaults
from brainkit.errors import InvalidRequest, InvalidSetting
from brainkit.models import QueryRequest
from brainkit.trace import corpus_of

if TYPE_CHECKING:
    from brainkit.chunk_map import ChunkMap
    from brainkit.comparison import Comparison
    from brainkit.evaluation.configs import Choice, Config
    from brainkit.evaluation.swept import Sweep


class Asking:
    """What a brain answers, and with which settings where a question gives none."""

    _engine: Engine
    _asking: Background

    def query(
        self,
        query: str | QueryRequest,
        *,
        trace: Literal["needed", "full"] = "needed",
        **fields: Any,
    ) -> Answer:
        """Answer a question.

        query : the text, with the other fields of QueryRequest by keyword, the brain's defaults
            standing in for those left out; or a QueryRequest, which is taken as it is.
        trace : ``full`` runs every retriever, so that ``refuse`` works in every mode.
        Raises InvalidRequest naming the field and what is allowed; FilterError.
        """
        if trace not in ("needed", "full"):
            raise InvalidSetting(f"trace={trace!r} is not one of needed, full.")
        told = None
        if isinstance(query, QueryRequest):
            request = query.with_(**fields) if fields else query
        elif isinstance(query, str):
            defaults = self._engine.defaults()
            request = QueryRequest(query=query, **defaults.filled(fields))
            told = defaults.notice(fields)
        else:
            raise InvalidRequest(
                f"query={query!r:.60} is a {type(query).__name__}; give a text or a QueryRequest."
            )
        response = self._engine.search(request, full=trace == "full")
        if told is not None:
            response = response.model_copy(update={"notices": (*response.notices, told)})
        return Answer(response, analyzer=self._engine.analyzer)

    async def aquery(
        self,
        query: str | QueryRequest,
        *,
        trace: Literal["needed", "full"] = "needed",
        **fields: Any,
    ) -> Answer:
        """Answer a question as ``query`` does, without blocking the event loop: ``await`` it.

        At most four run at once; others wait their turn. Cancelled, it leaves nothing behind.
        """
        return await self._asking.run(lambda: self.query(query, trace=trace, **fields))

    def compare(
        self,
        query: str | QueryRequest,
        *,
        a: Mapping[str, Any],
        b: Mapping[str, Any],
        **fields: Any,
    ) -> Comparison:
        """Ask one question under two settings, and return what differs, side by side.

        a, b : fields of QueryRequest, such as ``a={"alpha": 0.2}, b={"mode": "multi"}``; ``{}`` is
            the brain's defaults. fields : what both have, such as ``top_k=10``.
        Raises InvalidRequest naming the field and what is allowed; FilterError.
        """
        from brainkit.comparison import comparison_of

        return comparison_of(self._engine, query, a, b, fields)

    def map(
        self,
        query: str | QueryRequest | None = None,
        *,
        projection: Literal["pca", "axes"] = "pca",
        axes: tuple[str, str] | None = None,
        color: Literal["source_type", "file"] = "source_type",
        limit: int = 2000,
        **fields: Any,
    ) -> ChunkMap:
        """Place the chunks, and a question with its results, in two dimensions.

        projection : ``pca`` keeps the most variance that two axes can; ``axes`` shows the
            similarity to each of the two texts given as ``axes``, which is exact and easy to say.
        color : what colours and shapes stand for at first.
        limit : chunks drawn, 1 to 5,000: results first, then evenly over the brain.
        fields : of QueryRequest, for the question.
        Two axes lose most of what embeddings hold, so closeness proves nothing: the map marks the
        true nearest neighbours, and says how many of them are near.
        Raises InvalidSetting, InvalidRequest naming the field and what is allowed.
        """
        from brainkit.chunk_map import map_of

        return map_of(
            self._engine,
            query,
            fields,
            projection=projection,
            axes=axes,
            color=color,
            limit=limit,
        )

    def report(
        self,
        items: Sequence[object],
        path: str | os.PathLike[str] | None = None,
        *,
        title: str = "Report",
        author: str = "",
    ) -> Path:
        """Write one HTML file of answers and more, in which they are live, and return where it is.

        items : answers, comparisons, maps, evaluations, plotly figures, data frames, and texts as
            Markdown, in the order to show them.
        path : by default the title as a file name in the working folder. An existing file is
            replaced.
        It needs no network and no kernel. Secrets are taken out of it, with a warning.
        Raises InvalidReport for an item that cannot be shown.
        """
        from brainkit.report.standalone import file_name, save_items

        with self._engine.reading() as generation:
            corpus = corpus_of(generation).model_dump(mode="json")
        target = file_name(title) if path is None else path
        return save_items(items, target, title=title, author=author, corpus=corpus)

    def use(self, config: Config | Choice | Sweep | None) -> Defaults:
        """Store settings as the brain's defaults, for questions that do not give them themselves.

        config : fields of QueryRequest; a Sweep, whose best value is taken, or the ``choice(name)``
            of an Evaluation, which say what speaks for them; None takes the stored ones back.
        They replace those stored before, and stay through ingests, ``reembed`` and ``export``.
        Raises InvalidRequest naming the field and what is allowed, InvalidSetting, BrainBusy.
        """
        from brainkit.evaluation.choices import choice_of
        from brainkit.evaluation.judgments import default_labeller

        if config is None:
            self._engine.use(None, told="", by="", figures={})
        else:
            found = choice_of(config)
            by = default_labeller()
            self._engine.use(found.fields, told=found.told, by=by, figures=found.figures)
        return self.defaults()

    def defaults(self) -> Defaults:
        """Return the settings in force where a question gives none, and where each comes from."""
        found = self._engine.defaults()
        with self._engine.reading() as generation:
            stored = generation.meta.get("embedder")
        return replace(found, embedder=str(Identity.from_dict(stored)) if stored else "")
