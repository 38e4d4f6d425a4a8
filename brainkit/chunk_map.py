"""A map of a brain: chunks and a question in two dimensions, and what that loses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from brainkit import markup
from brainkit.answer import Answer, place
from brainkit.engine import Engine
from brainkit.errors import InvalidSetting
from brainkit.models import Chunk, QueryRequest, QueryResponse
from brainkit.projection import (
    Near,
    Plane,
    by_axes,
    neighbours,
    principal,
    query_neighbours,
    spread,
)
from brainkit.retrieve.base import Question
from brainkit.search import search
from brainkit.store.generation import Generation
from brainkit.widgets.drawn import Drawn
from brainkit.widgets.map_view import map_data, map_view, query_data

if TYPE_CHECKING:
    from pandas import DataFrame
    from plotly.graph_objects import Figure
    from rich.console import RenderableType

Projection = Literal["pca", "axes"]
Color = Literal["source_type", "file"]
LIMIT = 2000
_MOST = 5000


@dataclass(frozen=True, repr=False, eq=False)
class ChunkMap(Drawn):
    """What ``brain.map`` returns. Places that are close need not be similar: ``near`` tells.

    chunks : those drawn, in tie order; ``plane.places`` and the rows of ``near`` follow them.
    near : the nearest neighbours of each chunk in all dimensions, among the chunks drawn.
    query_near : those of the question. total : chunks in the brain. missing : those of them
    without a vector, which have no place. axes : what each axis is.
    """

    projection: Projection
    color: Color
    axes: tuple[str, str]
    chunks: tuple[Chunk, ...]
    plane: Plane
    near: Near
    query_near: Near | None
    total: int
    missing: int
    answer: Answer | None = None

    @property
    def title(self) -> str:
        """The question, or that there is none."""
        return self.answer.request.query if self.answer else "Map of the brain"

    def summary(self) -> str:
        """Say how much is drawn and how far it can be trusted."""
        count, k = len(self.chunks), self.near.rows.shape[1]
        drawn = f"{count:,} of {self.total:,} chunks drawn"
        if self.missing:
            drawn += f", {self.missing:,} of the others have no vector"
        if not k:
            return f"{drawn}."
        chance = k * k / (count - 1)
        shares = self.plane.shares
        kept = f" The axes keep {sum(shares):.0%} of the variance." if shares else ""
        return (
            f"{drawn}.{kept} Of a chunk's {k} nearest neighbours in all dimensions, "
            f"{self.near.agreement:.1f} on average are among its {k} nearest here "
            f"({chance:.1f} by chance)."
        )

    def to_frame(self) -> DataFrame:
        """Return one row per chunk drawn: where it is, and how many neighbours are near here."""
        import pandas as pd

        fields = ("chunk_id", "source", "start_line", "end_line", "source_type", "language")
        columns: dict[str, Any] = {f: [getattr(c, f) for c in self.chunks] for f in fields}
        columns["x"], columns["y"] = self.plane.places[:, 0], self.plane.places[:, 1]
        columns["neighbours_kept"] = self.near.kept.sum(axis=1)
        return pd.DataFrame(columns)

    def figure(self) -> Figure:
        """Return the map as a plotly figure, the question joined to its true neighbours."""
        from brainkit.viz import map_figure

        kinds = [c.source if self.color == "file" else c.source_type for c in self.chunks]
        labels = [f"{c.source}:{c.start_line}" for c in self.chunks]
        return map_figure(
            self.plane, kinds, labels, axes=self.axes, near=self.query_near, title=self.title
        )

    def view(self) -> dict[str, Any]:
        """Return the map as the browser draws it (``widgets.map_view``)."""
        data = map_data(
            self.chunks,
            self.plane,
            self.near,
            projection=self.projection,
            color=self.color,
            axes=list(self.axes),
            total=self.total,
            summary=self.summary(),
            query=self._query(),
        )
        return map_view(data, self.answer.view() if self.answer else None, table=self._table())

    def _query(self) -> dict[str, Any] | None:
        if self.query_near is None:
            return None
        return query_data(self.title, self.plane, self.query_near)

    def _nearest(self) -> list[tuple[str, str, str]]:
        """Similarity, whether it is near here, and place of the chunks nearest to the question."""
        if self.query_near is None:
            return []
        columns = (self.query_near.rows[0], self.query_near.similar[0], self.query_near.kept[0])
        return [
            (f"{similar:.3f}", "near" if kept else "far", place(self.chunks[row]))
            for row, similar, kept in zip(*columns, strict=True)
        ]

    def _kinds(self) -> str:
        kinds = Counter(chunk.source_type for chunk in self.chunks)
        return ", ".join(f"{count:,} {kind}" for kind, count in sorted(kinds.items())) or "none"

    def __repr__(self) -> str:
        lines = [f"{self.title!r}: {self.summary()}", f"x: {self.axes[0]}", f"y: {self.axes[1]}"]
        lines += [f"{similar}  {here:<4}  {place}" for similar, here, place in self._nearest()]
        return markup.terminal("\n".join(lines))

    def __rich__(self) -> RenderableType:
        from rich.text import Text

        return Text(repr(self))

    def _table(self) -> str:
        rows = self._nearest() or [("", "", self._kinds())]
        return markup.table(
            ("similarity", "on the map", "chunk"),
            rows,
            caption=self.title,
            footer=self.summary(),
        )


def map_of(
    engine: Engine,
    query: str | QueryRequest | None,
    fields: Mapping[str, Any],
    *,
    projection: str,
    axes: Sequence[str] | None,
    color: str,
    limit: int,
) -> ChunkMap:
    """Place chunks, and a question with its answer, in two dimensions.

    Raises InvalidSetting, InvalidRequest.
    """
    _check(query, fields, projection=projection, axes=axes, color=color, limit=limit)
    request = None
    if isinstance(query, QueryRequest):
        request = query.with_(**fields)
    elif query is not None:
        request = QueryRequest(query=query, **engine.defaults().filled(fields))
    with engine.reading() as generation:

        def ask(text: str) -> Question:
            return Question(
                text, analyzer=engine.analyzer, embedder=lambda: engine.embedder(generation)
            )

        question = None if request is None else ask(request.query)
        response = (
            None
            if question is None or request is None
            else search(
                generation, question, request, full=True, reranker=lambda: engine.judge(generation)
            )
        )
        drawn, missing = _drawn(generation, response, limit)
        vectors = generation.vectors.at(drawn)
        asked = question.vector if question is not None and len(drawn) else None
        plane, names = _plane(vectors, asked, [ask(text) for text in axes or ()])
        chunks = tuple(Chunk.model_validate(one) for one in generation.chunks.records(drawn))
        total = generation.size
    return ChunkMap(
        projection="axes" if axes else "pca",
        color="file" if color == "file" else "source_type",
        axes=names,
        chunks=chunks,
        plane=plane,
        near=neighbours(vectors, plane),
        query_near=None if asked is None else query_neighbours(vectors, asked, plane),
        total=total,
        missing=missing,
        answer=None if response is None else Answer(response, analyzer=engine.analyzer),
    )


def _drawn(
    generation: Generation, response: QueryResponse | None, limit: int
) -> tuple[np.ndarray[Any, np.dtype[np.int64]], int]:
    """The rows to draw, those of the results first; and how many have no vector."""
    every = np.arange(generation.size)
    present = every[generation.vectors.present(every)]
    order = {c.chunk_id: c.order for c in response.trace.candidates} if response else {}
    results = [order[result.chunk_id] for result in response.results] if response else []
    always = np.array(results, np.int64)
    return spread(present, limit, always=always), len(every) - len(present)


def _plane(
    vectors: np.ndarray[Any, np.dtype[np.float32]],
    query: np.ndarray[Any, np.dtype[np.float32]] | None,
    axes: Sequence[Question],
) -> tuple[Plane, tuple[str, str]]:
    if not axes:
        plane = principal(vectors, query=query)
        first, second = plane.shares or (0.0, 0.0)
        return plane, (
            f"first principal component, {first:.1%} of the variance",
            f"second principal component, {second:.1%} of the variance",
        )
    ends = []
    for one in axes:
        if one.vector is None:
            raise InvalidSetting(f"{one.text!r:.60} cannot be an axis: {one.no_vector}.")
        ends.append(one.vector)
    plane = by_axes(vectors, *ends, query=query)
    x, y = (
        f"similarity to “{one.text}”{_range(plane.places[:, at])}" for at, one in enumerate(axes)
    )
    return plane, (x, y)


def _range(places: np.ndarray[Any, np.dtype[np.float64]]) -> str:
    return f", {places.min():.2f} to {places.max():.2f}" if len(places) else ""


def _check(
    query: object,
    fields: Mapping[str, Any],
    *,
    projection: str,
    axes: object,
    color: str,
    limit: object,
) -> None:
    for name, value, allowed in (
        ("projection", projection, get_args(Projection)),
        ("color", color, get_args(Color)),
    ):
        if value not in allowed:
            raise InvalidSetting(f"{name}={value!r:.60} is not one of {', '.join(allowed)}.")
    if isinstance(limit, bool) or not isinstance(limit, int) or not 1 <= limit <= _MOST:
        raise InvalidSetting(f"limit={limit!r:.60}; give how many chunks to draw, 1 to {_MOST:,}.")
    if query is None and fields:
        raise InvalidSetting(f"{', '.join(fields)} are settings of a question; give one first.")
    if (projection == "axes") != (axes is not None):
        raise InvalidSetting(
            "projection='axes' and axes=(TEXT, TEXT) belong together: each axis is the similarity "
            "to a text of yours."
        )
    if axes is not None:
        texts = list(axes) if isinstance(axes, list | tuple) else []
        given = [text for text in texts if isinstance(text, str) and text.strip()]
        if len(texts) != 2 or len(given) != 2 or given[0] == given[1]:
            raise InvalidSetting(f"axes={axes!r:.60}; give two different texts.")
