"""All that relations join to one entity, each with the chunk that says so."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

from brainkit import markup
from brainkit.entities.evidence import Hop, evidence_of
from brainkit.entities.known import known, meant
from brainkit.errors import FilterError, InvalidSetting, nearest
from brainkit.models import Entity
from brainkit.store.generation import Generation
from brainkit.store.graph import GraphIndex

if TYPE_CHECKING:
    from pandas import DataFrame
    from rich.console import RenderableType

Direction = Literal["out", "in"]
_SHOWN = 20


@dataclass(frozen=True)
class Neighbours:
    """The relations of an entity: those it is the subject of, then the others, by predicate.

    hops : one per relation, from the entity to its neighbour.
    """

    entity: Entity
    hops: tuple[Hop, ...]
    predicates: tuple[str, ...] | None = None
    direction: Direction | None = None

    def __len__(self) -> int:
        return len(self.hops)

    def __iter__(self) -> Iterator[Hop]:
        return iter(self.hops)

    def to_frame(self) -> DataFrame:
        """Return one row per relation: subject, predicate, object, place, sentence, chunks."""
        import pandas as pd

        columns = ["subject", "predicate", "object", "place", "sentence", "chunks"]
        rows = [
            [
                *((hop.origin, hop.predicate, hop.other)[:: 1 if hop.forward else -1]),
                hop.evidence.place,
                hop.evidence.sentence,
                hop.evidence.chunks,
            ]
            for hop in self.hops
        ]
        return pd.DataFrame(rows, columns=columns)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data, for JSON."""
        return {
            "entity": self.entity.model_dump(mode="json"),
            "neighbours": [asdict(hop) for hop in self.hops],
            "predicates": self.predicates,
            "direction": self.direction,
        }

    def summary(self) -> str:
        """Return how many relations there are, and which were asked for."""
        which = f" {' or '.join(self.predicates)}" if self.predicates else ""
        side = {"out": " from it", "in": " to it", None: ""}[self.direction]
        count = len(self.hops)
        noun = "relation" if count == 1 else "relations"
        return f"{self.entity.name}: {count:,}{which} {noun}{side}."

    def __repr__(self) -> str:
        lines = [f"{hop}  ({hop.evidence.place})" for hop in self.hops[:_SHOWN]]
        return markup.terminal("\n".join([self.summary(), *lines, *self._more()]))

    def __rich__(self) -> RenderableType:
        from rich.console import Group
        from rich.text import Text

        lines = []
        for hop in self.hops[:_SHOWN]:
            line = Text(markup.terminal(f"{hop}  "))
            line.append(markup.terminal(hop.evidence.place), style="dim")
            lines.append(line)
        more = [Text(one, style="dim") for one in self._more()]
        return Group(Text(markup.terminal(self.summary()), style="bold"), *lines, *more)

    def _repr_html_(self) -> str:
        rows = [[hop, hop.evidence.place, hop.evidence.sentence] for hop in self.hops[:_SHOWN]]
        headers, more = ["relation", "where", "as it says there"], "".join(self._more())
        return markup.table(headers, rows, caption=self.summary(), footer=more)

    def _more(self) -> list[str]:
        rest = len(self.hops) - _SHOWN
        return [f"and {rest:,} more; to_frame() has them all"] if rest > 0 else []


def neighbours_of(
    generation: Generation,
    name: str,
    *,
    predicate: str | Sequence[str] | None,
    direction: Direction | None,
) -> Neighbours:
    """Collect the relations of an entity.

    Raises NoSuchEntity, FilterError naming the predicates there are, InvalidSetting.
    """
    if direction not in (None, "out", "in"):
        raise InvalidSetting(f"direction={direction!r} is not one of 'out', 'in', None.")
    graph = generation.graph
    entity = meant(graph, name)
    wanted = _predicates(graph, predicate)
    found: list[tuple[int, bool]] = []
    for side, edges in (("out", graph.out(entity)), ("in", graph.into(entity))):
        if direction in (None, side):
            found += [(relation, side == "out") for relation in edges.relation.tolist()]
    names = {relation: graph.predicates[graph.predicate_ids[relation]] for relation, _ in found}
    found = [one for one in found if wanted is None or names[one[0]] in wanted]
    ends = {True: graph.objects, False: graph.subjects}
    found.sort(key=lambda one: (not one[1], names[one[0]], int(ends[one[1]][one[0]])))
    evidence = evidence_of(generation, [relation for relation, _ in found])
    hops = tuple(
        Hop(
            origin=graph.names[entity],
            predicate=names[relation],
            other=graph.names[int(ends[forward][relation])],
            forward=forward,
            evidence=evidence[relation],
        )
        for relation, forward in found
    )
    (whole,) = known(generation, [entity])
    return Neighbours(whole, hops, wanted, direction)


def _predicates(graph: GraphIndex, predicate: str | Sequence[str] | None) -> tuple[str, ...] | None:
    if predicate is None:
        return None
    wanted = (predicate,) if isinstance(predicate, str) else tuple(predicate)
    for one in wanted:
        if one not in graph.predicates:
            raise FilterError(
                f"predicate={one!r}: this brain's graph has no such relation"
                f"{nearest(str(one), graph.predicates)} (known: {', '.join(graph.predicates)})"
            )
    return wanted
