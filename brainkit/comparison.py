"""Two configurations side by side: what each finds, what moves, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from brainkit import markup
from brainkit.answer import Answer, place
from brainkit.engine import Engine
from brainkit.engine.defaults import Defaults
from brainkit.errors import InvalidSetting
from brainkit.models import QueryRequest, QueryResponse, QueryResult
from brainkit.results import results_of
from brainkit.search import refuse
from brainkit.trace import REFUSABLE, answered_as
from brainkit.widgets.compare_view import compare_view
from brainkit.widgets.drawn import Drawn

if TYPE_CHECKING:
    from pandas import DataFrame
    from rich.console import RenderableType

Where = Literal["both", "a", "b"]


@dataclass(frozen=True, slots=True)
class Compared:
    """One chunk that A or B shows.

    a, b : the chunk as it stands in the whole ranking of that side, so ranks go on beyond top_k;
        None where it is no candidate. where : which side shows it.
    """

    where: Where
    a: QueryResult | None
    b: QueryResult | None

    @property
    def result(self) -> QueryResult:
        """The chunk itself, by the side that shows it."""
        shown = self.b if self.where == "b" else self.a
        if shown is None:
            raise InvalidSetting(f"where={self.where!r}, but that side has no result.")
        return shown

    @property
    def move(self) -> int | None:
        """Ranks it is higher in B than in A, negative where lower; None unless both have it."""
        return self.a.rank - self.b.rank if self.a and self.b else None


class Comparison(Drawn):
    """What ``brain.compare`` returns: two answers to one question, and what differs.

    a, b : any two answers to the same question. Raises InvalidSetting if it is not the same.
    """

    def __init__(self, a: Answer, b: Answer) -> None:
        if a.request.query != b.request.query:
            raise InvalidSetting(
                f"{a.request.query!r:.60} and {b.request.query!r:.60} are two questions; a "
                "comparison is of two settings for one."
            )
        self.a, self.b = a, b

    @property
    def title(self) -> str:
        """The question."""
        return self.a.request.query

    @property
    def changes(self) -> dict[str, tuple[Any, Any]]:
        """The settings that differ, each with its value in A and in B."""
        one, other = (side.request.model_dump(mode="json") for side in (self.a, self.b))
        return {name: (one[name], other[name]) for name in one if one[name] != other[name]}

    @cached_property
    def rows(self) -> tuple[Compared, ...]:
        """Every chunk that A or B shows: by its better rank, A's before B's of the same."""
        ranked = [_whole(side.response) for side in (self.a, self.b)]
        shown = [{r.chunk_id: r.rank for r in side.results} for side in (self.a, self.b)]
        best: dict[str, tuple[int, int]] = {}
        for side, ranks in enumerate(shown):
            for chunk_id, rank in ranks.items():
                best[chunk_id] = min(best.get(chunk_id, (rank, side)), (rank, side))
        return tuple(
            Compared(_where(c in shown[0], c in shown[1]), *(one.get(c) for one in ranked))
            for c in sorted(best, key=lambda c: best[c])
        )

    @property
    def shared(self) -> tuple[Compared, ...]:
        """The chunks that both show."""
        return tuple(row for row in self.rows if row.where == "both")

    @property
    def only_a(self) -> tuple[Compared, ...]:
        """The chunks that only A shows."""
        return tuple(row for row in self.rows if row.where == "a")

    @property
    def only_b(self) -> tuple[Compared, ...]:
        """The chunks that only B shows."""
        return tuple(row for row in self.rows if row.where == "b")

    def refuse(
        self, *, a: Mapping[str, Any] | None = None, b: Mapping[str, Any] | None = None
    ) -> Comparison:
        """Compare under other settings, from the traces alone: what is left out stays.

        Raises NotInTrace naming what was not recorded.
        """
        return Comparison(self.a.refuse(**(a or {})), self.b.refuse(**(b or {})))

    def summary(self) -> str:
        """Say in words what differs: how many are shared, which way they move, who leads."""
        shared, moves = self.shared, [row.move or 0 for row in self.shared]
        counts = f"{len(shared)} shared, {len(self.only_a)} only in A, {len(self.only_b)} only in B"
        if not self.rows:
            return "Neither side has results."
        if not self.only_a and not self.only_b and not any(moves):
            return f"{counts}: the same results in the same order."
        up, down = sum(move > 0 for move in moves), sum(move < 0 for move in moves)
        stay = len(moves) - up - down
        told = f". Of the shared, B ranks {up} higher, {down} lower and {stay} the same"
        return f"{counts}{told if shared else ''}. {self._leader()}"

    def _leader(self) -> str:
        first, other = (side.results[0] if side.results else None for side in (self.a, self.b))
        if first is None or other is None:
            return f"Only {'B' if first is None else 'A'} has results."
        if first.chunk_id == other.chunk_id:
            return f"Both put {place(first)} first."
        return f"A puts {place(first)} first, B {place(other)}."

    def to_frame(self) -> DataFrame:
        """Return one row per chunk that A or B shows, in the order of ``rows``."""
        import pandas as pd

        columns: dict[str, list[Any]] = {
            name: [getattr(row.result, name) for row in self.rows]
            for name in ("chunk_id", "source", "start_line", "end_line")
        }
        columns["where"] = [row.where for row in self.rows]
        columns["move"] = [row.move for row in self.rows]
        for side in ("a", "b"):
            ones = [getattr(row, side) for row in self.rows]
            columns[f"rank_{side}"] = [one and one.rank for one in ones]
            columns[f"score_{side}"] = [one and one.score for one in ones]
            columns[f"why_{side}"] = [one and one.explanation.sentence for one in ones]
        whole = dict.fromkeys(("move", "rank_a", "rank_b"), "Int64")
        return pd.DataFrame(columns).astype({**whole, "score_a": "Float64", "score_b": "Float64"})

    def to_dict(self) -> dict[str, Any]:
        """Return both responses and what differs as plain data, for JSON."""
        return {
            "changes": {name: list(values) for name, values in self.changes.items()},
            "summary": self.summary(),
            "rows": [
                {
                    "chunk_id": row.result.chunk_id,
                    "where": row.where,
                    "move": row.move,
                    "rank_a": row.a and row.a.rank,
                    "rank_b": row.b and row.b.rank,
                }
                for row in self.rows
            ],
            "a": self.a.to_dict(),
            "b": self.b.to_dict(),
        }

    def view(self) -> dict[str, Any]:
        """Return the comparison as the browser draws it (``widgets.compare_view``)."""
        responses = (self.a.response, self.b.response)
        return compare_view(*responses, self.a.analyzer, table=self._table())

    def _settings(self) -> list[str]:
        return [f"{name}: A {a}, B {b}" for name, (a, b) in self.changes.items()] or [
            "A and B have the same settings."
        ]

    def _cells(self) -> list[tuple[str, str, str, str]]:
        return [
            (_standing(row, "a"), _standing(row, "b"), _mark(row), place(row.result))
            for row in self.rows
        ]

    def __repr__(self) -> str:
        lines = [f"{self.title!r}: {self.summary()}", *self._settings()]
        lines += [f"{a:>12}  {b:>12}  {mark:<6}  {where}" for a, b, mark, where in self._cells()]
        return markup.terminal("\n".join(lines))

    def __rich__(self) -> RenderableType:
        from rich.console import Group
        from rich.table import Table
        from rich.text import Text

        grid = Table(box=None, pad_edge=False, header_style="dim")
        for name in ("A", "B", "move"):
            grid.add_column(name, justify="right", no_wrap=True)
        grid.add_column("chunk", overflow="fold", style="cyan")
        for cells in self._cells():
            grid.add_row(*(Text(markup.terminal(cell)) for cell in cells))
        head = Text(markup.terminal(self.title), style="bold")
        told = [Text(markup.terminal(line), style="dim") for line in self._settings()]
        return Group(head, *told, grid, Text(markup.terminal(self.summary())))

    def _table(self) -> str:
        said = " ".join([self.summary(), *self._settings()])
        if not self.rows:
            return markup.block([f"<div><b>{markup.text(self.title)}</b></div>{markup.text(said)}"])
        return markup.table(
            ("A", "B", "move", "chunk", "why in A", "why in B"),
            [
                (*cells, *(one.explanation.sentence if one else "" for one in (row.a, row.b)))
                for cells, row in zip(self._cells(), self.rows, strict=True)
            ],
            caption=self.title,
            footer=said,
        )


def comparison_of(
    engine: Engine,
    query: str | QueryRequest,
    a: Mapping[str, Any],
    b: Mapping[str, Any],
    fields: Mapping[str, Any],
) -> Comparison:
    """Ask one question under two settings.

    fields : what both have; a and b : what each has besides. One retrieval serves both if they
    differ in nothing but fusion. Raises InvalidRequest, InvalidSetting.
    """
    defaults = engine.defaults()
    first, second = (
        _request(query, name, own, fields, defaults=defaults) for name, own in (("a", a), ("b", b))
    )
    fused = set(REFUSABLE)
    alike = first.model_dump(exclude=fused) == second.model_dump(exclude=fused)
    # Two rankings that differ have other candidates at their top for a reranker to read.
    if alike and not (first.rerank or second.rerank):
        asked = first.with_(
            depth=max(first.depth, second.depth),
            similarity_threshold=min(first.similarity_threshold, second.similarity_threshold),
        )
        trace = engine.search(asked, full=True).trace
        responses = [refuse(trace, one) for one in (first, second)]
    else:
        responses = [engine.search(one, full=True) for one in (first, second)]
    return Comparison(*(Answer(one, analyzer=engine.analyzer) for one in responses))


def _request(
    query: str | QueryRequest,
    name: str,
    own: Mapping[str, Any],
    fields: Mapping[str, Any],
    *,
    defaults: Defaults,
) -> QueryRequest:
    if not isinstance(own, Mapping):
        raise InvalidSetting(
            f"{name}={own!r:.60} is a {type(own).__name__}; give settings, such as "
            f'{name}={{"alpha": 0.2}}.'
        )
    if "query" in own:
        raise InvalidSetting(f"{name} has a query; a comparison is of two settings for one.")
    if isinstance(query, QueryRequest):
        return query.with_(**{**fields, **own})
    return QueryRequest(**{"query": query, **defaults.filled({**fields, **own})})


def _whole(response: QueryResponse) -> dict[str, QueryResult]:
    """Every candidate of a response as a result, those beyond its top_k too."""
    request = answered_as(response.trace, response.request)
    every = request.model_copy(update={"top_k": max(1, len(response.trace.candidates))})
    results, _, _ = results_of(response.trace, every)
    return {result.chunk_id: result for result in results}


def _where(in_a: bool, in_b: bool) -> Where:
    return "both" if in_a and in_b else "a" if in_a else "b"


def _standing(row: Compared, side: Literal["a", "b"]) -> str:
    one: QueryResult | None = getattr(row, side)
    if one is None:
        return "no candidate"
    shown = row.where in ("both", side)
    return f"{one.rank} ({one.score:.4f})" if shown else f"[{one.rank}] ({one.score:.4f})"


def _mark(row: Compared) -> str:
    if row.where != "both":
        return f"only {row.where.upper()}"
    move = row.move or 0
    return f"▲{move}" if move > 0 else f"▼{-move}" if move < 0 else "="
