"""The shortest relation paths between two entities, told hop by hop and drawn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from brainkit import markup, settings
from brainkit.entities.evidence import Hop, evidence_of, telling
from brainkit.entities.known import known, meant
from brainkit.errors import InvalidSetting
from brainkit.models import Entity
from brainkit.retrieve.graph.shortest import shortest_ways
from brainkit.store.generation import Generation
from brainkit.store.graph import GraphIndex

if TYPE_CHECKING:
    from plotly.graph_objects import Figure
    from rich.console import RenderableType
    from rich.text import Text

_KEPT: Final = 5
_BESIDE: Final = 6
_BESIDE_ALL: Final = 24
"""Neighbours drawn beside one entity of a path, and beside all: more is no picture any more."""
_NAMED: Final = 3


@dataclass(frozen=True, slots=True)
class Beside:
    """What else is related to an entity of the path. at : its position there, from 0."""

    at: int
    entity: Entity
    hop: Hop


@dataclass(frozen=True)
class Paths:
    """The shortest paths between two entities, or what each is connected to where there is none.

    entities : of the first path, both ends included; only the ends where there is no path.
    paths : the best first, each a tuple of hops; at most five. count : how many are as short.
    hubs : entities that the first path goes through although they are related to so many that
        everything is near them; only where there is no way around.
    reach : how many entities relations lead to from either end, where there is no path.
    beside : neighbours of the entities, for the picture.
    """

    entities: tuple[Entity, ...]
    paths: tuple[tuple[Hop, ...], ...]
    count: int
    hubs: tuple[Entity, ...]
    reach: tuple[int, int]
    beside: tuple[Beside, ...]

    @property
    def start(self) -> Entity:
        """Where the path begins."""
        return self.entities[0]

    @property
    def end(self) -> Entity:
        """Where the path ends."""
        return self.entities[-1]

    @property
    def hops(self) -> tuple[Hop, ...]:
        """The hops of the best path; empty where there is none."""
        return self.paths[0] if self.paths else ()

    def __bool__(self) -> bool:
        return bool(self.paths)

    def line(self, at: int = 0) -> str:
        """Return a path in one line: ``QueryService -> uses -> VectorStoreManager``.

        at : which of ``paths``. A relation that is walked against its direction points backwards.
        """
        if not self.paths:
            return f"{self.start.name} … {self.end.name}"
        return f"{self.start.name}{''.join(f' {hop.arrow} {hop.other}' for hop in self.paths[at])}"

    @property
    def notes(self) -> tuple[str, ...]:
        """What the reader of this path should know, in full sentences."""
        if not self.paths:
            return (
                f"No relations lead from {self.start.name} to {self.end.name}.",
                *(self._connected(at) for at in range(2)),
            )
        if not self.hops:
            return (f"Both names mean {self.start.name}.",)
        notes = [f"As short: {self.line(at)}" for at in range(1, len(self.paths))]
        if self.count > len(self.paths):
            notes.append(f"{self.count - len(self.paths):,} more paths are as short.")
        notes += [
            f"It goes through {one.name}, which is related to {one.degree:,} entities: there is no "
            "way around."
            for one in self.hubs
        ]
        return tuple(notes)

    def _connected(self, at: int) -> str:
        name, count = self.entities[at].name, self.reach[at]
        if not count:
            return f"{name} has no relations."
        beside = [one.entity.name for one in self.beside if one.at == at]
        named = ", ".join(beside[:_NAMED])
        return (
            f"{name} is connected to {count:,} {'entity' if count == 1 else 'entities'}, "
            f"such as {named}."
        )

    def figure(self, *, neighbours: bool = True) -> Figure:
        """Return the path as a plotly figure, with what else its entities are related to.

        neighbours : False draws the path alone.
        """
        from brainkit.viz import Edge, Node, path_figure

        last = len(self.entities) - 1
        nodes = [
            Node(one.name, one.kinds, "seed" if at in (0, last) else "path")
            for at, one in enumerate(self.entities)
        ]
        edges = [_edge(Edge, hop, at, at + 1) for at, hop in enumerate(self.hops)]
        for one in self.beside if neighbours else ():
            edges.append(_edge(Edge, one.hop, one.at, len(nodes)))
            nodes.append(Node(one.entity.name, one.entity.kinds, "neighbour", beside=one.at))
        return path_figure(nodes, edges)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data, for JSON."""
        return {
            "path": self.line() if self.paths else None,
            "entities": [one.model_dump(mode="json") for one in self.entities],
            "paths": [[asdict(hop) for hop in path] for path in self.paths],
            "count": self.count,
            "hubs": [one.name for one in self.hubs],
            "notes": list(self.notes),
        }

    def __repr__(self) -> str:
        lines = [self.line()]
        for number, hop in enumerate(self.hops, 1):
            lines += [f"{number}. {hop}{_also(hop)}", f"   {hop.evidence.place}"]
            lines[-1] += f"  {hop.evidence.sentence}" if hop.evidence.sentence else ""
        return markup.terminal("\n".join([*lines, *(f"note: {note}" for note in self.notes)]))

    def __rich__(self) -> RenderableType:
        from rich.console import Group
        from rich.padding import Padding
        from rich.text import Text

        parts: list[RenderableType] = [self._rich_line(), Text()]
        for number, hop in enumerate(self.hops, 1):
            head = Text(f"{number:>2}. ", style="bold", overflow="fold")
            head.append(markup.terminal(f"{hop}{_also(hop)}"), style="bold")
            place = Text(markup.terminal(hop.evidence.place), style="cyan")
            said = Text(markup.terminal(hop.evidence.sentence), style="dim")
            parts += [head, *(Padding(one, (0, 0, 0, 4), expand=False) for one in (place, said))]
        parts += [Text(markup.terminal(f"note: {note}"), style="yellow") for note in self.notes]
        return Group(*parts)

    def _rich_line(self) -> Text:
        from rich.text import Text

        line = Text(markup.terminal(self.start.name), style="bold cyan", overflow="fold")
        if not self.paths:
            return line.append(markup.terminal(f" … {self.end.name}"), style="bold cyan")
        for hop in self.hops:
            line.append(markup.terminal(f" {hop.arrow} "), style="dim")
            line.append(markup.terminal(hop.other), style="bold cyan")
        return line

    def _repr_html_(self) -> str:
        return markup.block([_STYLE, *self._html_parts()])

    def _html_parts(self) -> Iterable[str]:
        last = len(self.entities) - 1
        drawn = [_pill(self.start, seed=True)]
        if not self.paths:
            drawn += ['<span class="gap">no path</span>', _pill(self.end, seed=True)]
        for at, hop in enumerate(self.hops, 1):
            way, sign = ("on", "→") if hop.forward else ("back", "←")
            title = markup.text(hop)
            drawn.append(
                f'<span class="hop {way}" title="{title}"><span>{markup.text(hop.predicate)}</span>'
                f"<b>{sign}</b></span>"
            )
            drawn.append(_pill(self.entities[at], seed=at == last))
        yield f'<div class="path" role="img" aria-label="{markup.text(self.line())}">'
        yield f"{''.join(drawn)}</div>"
        if self.hops:
            items = "".join(
                f'<li><span class="src">{markup.text(hop)}</span>'
                f'<span class="dim">{markup.text(_also(hop))}</span>'
                f'<div class="dim">{markup.text(hop.evidence.place)}</div>'
                f"<pre>{markup.text(hop.evidence.sentence)}</pre></li>"
                for hop in self.hops
            )
            yield f"<ol>{items}</ol>"
        for note in self.notes:
            yield f'<div class="notice">{markup.text(note)}</div>'


def paths_of(generation: Generation, start: str, end: str) -> Paths:
    """Find the shortest paths between what two names mean. Raises NoSuchEntity, InvalidSetting."""
    for name in (start, end):
        if not isinstance(name, str):
            raise InvalidSetting(f"{name!r:.60} is a {type(name).__name__}; give an entity's name.")
    graph = generation.graph
    ends = (meant(graph, start), meant(graph, end))
    ways = shortest_ways(graph, *ends, most=_KEPT)
    shown = ways.paths[0] if ways.paths else ends
    beside = _beside(graph, shown)
    chosen = {
        (one, other): telling(graph, one, other)
        for one, other in [
            *(pair for path in ways.paths for pair in pairwise(path)),
            *((shown[at], other) for at, other in beside),
        ]
    }
    evidence = evidence_of(generation, [found[0][0] for found in chosen.values()])
    hops = {pair: _hop(graph, pair, found, evidence) for pair, found in chosen.items()}
    everyone = dict.fromkeys([*shown, *(other for _, other in beside)])
    told = dict(zip(everyone, known(generation, everyone), strict=True))
    most = settings.GRAPH_HUB_DEGREE
    return Paths(
        entities=tuple(told[one] for one in shown),
        paths=tuple(tuple(hops[pair] for pair in pairwise(path)) for path in ways.paths),
        count=ways.total,
        hubs=tuple(told[one] for one in shown[1:-1] if graph.degree[one] > most),
        reach=ways.reach,
        beside=tuple(Beside(at, told[other], hops[shown[at], other]) for at, other in beside),
    )


def _hop(
    graph: GraphIndex,
    pair: tuple[int, int],
    found: Sequence[tuple[int, bool]],
    evidence: dict[int, Any],
) -> Hop:
    (relation, forward), *rest = found
    names = [graph.predicates[graph.predicate_ids[one]] for one, _ in found]
    return Hop(
        origin=graph.names[pair[0]],
        predicate=names[0],
        other=graph.names[pair[1]],
        forward=forward,
        evidence=evidence[relation],
        also=tuple(dict.fromkeys(name for name in names[1 : len(rest) + 1] if name != names[0])),
    )


def _beside(graph: GraphIndex, shown: Sequence[int]) -> list[tuple[int, int]]:
    """Return (position in the path, neighbour) to draw: hubs last, of most chunks first."""
    taken, found = set(shown), []
    most = max(2, min(_BESIDE, _BESIDE_ALL // len(shown)))
    for at, entity in enumerate(dict.fromkeys(shown)):
        around = {*graph.out(entity).other.tolist(), *graph.into(entity).other.tolist()} - taken
        order = sorted(
            around,
            key=lambda one: (
                graph.degree[one] > settings.GRAPH_HUB_DEGREE,
                -int(graph.documents[one]),
                one,
            ),
        )
        found += [(at, other) for other in order[:most]]
        taken |= set(order[:most])
    return found


def _edge(make: Any, hop: Hop, at: int, other: int) -> Any:
    ends = (at, other) if hop.forward else (other, at)
    detail = (str(hop), hop.evidence.place, hop.evidence.sentence)
    return make(ends[0], hop.predicate, ends[1], detail=detail)


def _also(hop: Hop) -> str:
    return f" (also {', '.join(hop.also)})" if hop.also else ""


def _pill(entity: Entity, *, seed: bool) -> str:
    kinds = markup.text(", ".join(entity.kinds))
    name, kind = markup.text(entity.name), "seed" if seed else "via"
    return f'<span class="ent {kind}"><b>{name}</b><i>{kinds}</i></span>'


_STYLE = """<style>
.brainkit .path{display:flex;flex-wrap:wrap;align-items:center;gap:.3em .35em;margin:.4em 0 .7em}
.brainkit .ent{display:inline-flex;flex-direction:column;padding:.25em .7em;
 border:1.5px solid #3f87c8;border-radius:1.1em;line-height:1.25;overflow-wrap:anywhere}
.brainkit .ent.seed{border:2.5px solid #c27217;border-radius:.25em}
.brainkit .ent i{font-style:normal;font-size:11px;opacity:.8}
.brainkit .hop{display:inline-flex;flex-direction:column;align-items:center;line-height:1.1}
.brainkit .hop span{font-size:11px}
.brainkit .hop b{font-weight:400;font-size:18px}
.brainkit .gap{border-top:2px dashed #8888;padding:.2em 1.2em;font-size:11px}
</style>"""
