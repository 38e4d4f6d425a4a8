"""The table of entities: what the brain knows by name, best connected first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from brainkit import markup
from brainkit.entities.known import known
from brainkit.errors import FilterError, InvalidSetting, nearest
from brainkit.extract.names import key_of
from brainkit.models import Entity
from brainkit.store.generation import Generation

if TYPE_CHECKING:
    from pandas import DataFrame
    from rich.console import RenderableType

_COLUMNS = ("name", "key", "kinds", "aliases", "documents", "degree")
_ALIASES_SHOWN = 4


@dataclass(frozen=True)
class Entities:
    """Entities, best connected first; a table, a sequence, and plain data.

    total : how many matched, of which ``rows`` are the first. reason : why there are none, or which
        sources the graph lacks; None where nothing is missing.
    """

    rows: tuple[Entity, ...]
    total: int
    like: str | None = None
    kinds: tuple[str, ...] | None = None
    reason: str | None = None

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Entity]:
        return iter(self.rows)

    def __getitem__(self, at: int) -> Entity:
        return self.rows[at]

    def to_frame(self) -> DataFrame:
        """Return one row per entity: name, key, kinds, aliases, documents, degree."""
        import pandas as pd

        return pd.DataFrame(
            [[getattr(row, name) for name in _COLUMNS] for row in self.rows], columns=list(_COLUMNS)
        )

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data, for JSON."""
        return {
            "entities": [row.model_dump(mode="json") for row in self.rows],
            "total": self.total,
            "like": self.like,
            "kinds": self.kinds,
            "reason": self.reason,
        }

    def summary(self) -> str:
        """Return how many there are, and how they were chosen."""
        kinds = f" of kind {' or '.join(self.kinds)}" if self.kinds else ""
        like = f" like {self.like!r}" if self.like is not None else ""
        which = f"{self.total:,} {'entity' if self.total == 1 else 'entities'}{kinds}{like}"
        if len(self.rows) < self.total:
            which = f"the {len(self.rows):,} best connected of {which}; limit= shows more"
        return f"{which}{f'; {self.reason}' if self.reason else '.'}"

    def __repr__(self) -> str:
        widths = [max((len(row.name) for row in self.rows), default=0), 0]
        lines = [f"{row.name:<{widths[0]}}  {_told(row)}" for row in self.rows]
        return markup.terminal("\n".join([self.summary(), *lines]))

    def __rich__(self) -> RenderableType:
        from rich.console import Group
        from rich.table import Table
        from rich.text import Text

        grid = Table(box=None, pad_edge=False, header_style="dim")
        grid.add_column("entity", overflow="fold")
        grid.add_column("kind", overflow="fold")
        grid.add_column("chunks", justify="right", no_wrap=True)
        grid.add_column("related", justify="right", no_wrap=True)
        grid.add_column("also called", overflow="fold", style="dim")
        for row in self.rows:
            name = Text(markup.terminal(row.name), style="bold cyan")
            others = Text(markup.terminal(_also(row)))
            kinds = markup.terminal(", ".join(row.kinds))
            grid.add_row(name, kinds, f"{row.documents:,}", f"{row.degree:,}", others)
        parts: list[RenderableType] = [Text(markup.terminal(self.summary()), style="bold")]
        parts += [Text(), grid] if self.rows else []
        return Group(*parts)

    def _repr_html_(self) -> str:
        rows = [
            [row.name, ", ".join(row.kinds), f"{row.documents:,}", f"{row.degree:,}", _also(row)]
            for row in self.rows
        ]
        headers = ["entity", "kind", "chunks", "related", "also called"]
        return markup.table(headers, rows, caption=self.summary(), right=(2, 3))


def entities_of(
    generation: Generation, like: str | None, *, kind: str | Sequence[str] | None, limit: int | None
) -> Entities:
    """Choose entities by name and kind.

    Raises FilterError naming the kinds there are, InvalidSetting.
    """
    if like is not None and not isinstance(like, str):
        raise InvalidSetting(f"like={like!r:.60} is a {type(like).__name__}; give part of a name.")
    if limit is not None and (type(limit) is not int or limit < 1):
        raise InvalidSetting(f"limit={limit!r:.60}: give 1 or more, or None for all.")
    graph = generation.graph
    kinds = _kinds(generation, kind)
    keep = np.ones(graph.size, np.bool_)
    if kinds is not None:
        keep &= np.fromiter((not kinds.isdisjoint(some) for some in graph.kinds), np.bool_)
    if like is not None and graph.size:
        named = np.zeros(graph.size, np.bool_)
        named[_like(generation, like)] = True
        keep &= named
    chosen = np.flatnonzero(keep)
    order = np.lexsort((chosen, -graph.documents[chosen], -graph.degree[chosen]))
    chosen = chosen[order]
    exact = graph.find(key_of(like)) if like else None
    if exact is not None and keep[exact]:
        chosen = np.concatenate(([exact], chosen[chosen != exact]))
    rows = known(generation, chosen[:limit].tolist())
    told = None if kinds is None else tuple(sorted(kinds))
    return Entities(tuple(rows), len(chosen), like, told, graph.reason)


def _kinds(generation: Generation, kind: str | Sequence[str] | None) -> frozenset[str] | None:
    if kind is None:
        return None
    known_ones = sorted({name for kinds in set(generation.graph.kinds) for name in kinds})
    spelt = {name.casefold(): name for name in known_ones}
    wanted = set()
    for one in [kind] if isinstance(kind, str) else kind:
        if str(one).casefold() not in spelt:
            raise FilterError(
                f"kind={one!r}: this brain's graph has no such kind{nearest(str(one), known_ones)} "
                f"(known: {', '.join(known_ones) or 'none'})"
            )
        wanted.add(spelt[str(one).casefold()])
    return frozenset(wanted)


def _like(generation: Generation, like: str) -> list[int]:
    """Return entities with an alias that holds the text, or that a glob matches whole."""
    globs = any(sign in like for sign in "*?[")
    key = key_of(like)
    condition = (
        "lower(name) glob lower($like)"
        if globs
        else "contains(lower(name), lower($like)) or ($key <> '' and contains(key, $key))"
    )
    given = {"like": like} if globs else {"like": like, "key": key}
    with generation.chunks.cursor() as cursor:
        rows = cursor.execute(
            f"select distinct entity from aliases where {condition}", given
        ).fetchall()
    return [entity for (entity,) in rows]


def _also(entity: Entity) -> str:
    shown = entity.aliases[:_ALIASES_SHOWN]
    more = len(entity.aliases) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")


def _told(entity: Entity) -> str:
    kinds = ", ".join(entity.kinds)
    return f"{kinds}; {entity.documents:,} chunks, {entity.degree:,} related"
