"""The graph of a generation as plain rows, ready to be stored."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from brainkit.extract.facts import Facts

PREDICATES = (
    "contains", "defines", "imports", "calls", "inherits", "implements", "uses", "tests",
    "mentions", "links_to", "part_of",
)  # fmt: skip
"""What is extracted without a model; a model may add its own."""

GRAPH_VERSION = 1
"""To be raised whenever equal facts give another graph: the next write then resolves it again."""

Role = Literal["about", "mentions"]


class EntityRow(NamedTuple):
    """A thing under one name.

    key : canonical: see names.key_of. Two entities never share one.
    name : for display: the most frequent spelling, by the order of sources among equals.
    kinds : sorted. aliases : (name, weight) including the name itself, best first.
    documents : number of chunks that mention it or are about it.
    """

    id: int
    key: str
    name: str
    kinds: tuple[str, ...]
    aliases: tuple[tuple[str, float], ...]
    documents: int


class RelationRow(NamedTuple):
    """A typed, directed link. support : (chunk key, start, end of the sentence or line), sorted."""

    subject: int
    predicate: str
    object: int
    support: tuple[tuple[int, int, int], ...]


class MentionRow(NamedTuple):
    """An entity in a chunk: what the chunk defines or is titled (``about``), or what it names.

    weight : of the alias it was named by, shared among the entities of that name.
    """

    entity: int
    key: int
    role: Role
    weight: float
    start: int
    end: int


class Merge(NamedTuple):
    """Names that were taken for one entity, and why."""

    entity: int
    names: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Graph:
    """Entities in the order of their keys, relations and mentions in the order of their rows.

    Equal facts give equal rows, whatever the order in which files were ingested.
    """

    entities: tuple[EntityRow, ...] = ()
    relations: tuple[RelationRow, ...] = ()
    mentions: tuple[MentionRow, ...] = ()
    merges: tuple[Merge, ...] = field(default=())


class SourceFacts(NamedTuple):
    """The facts of one source, with the keys of its chunks in their order."""

    source: str
    label: str
    source_type: str
    keys: tuple[int, ...]
    facts: Facts


class Edit(NamedTuple):
    """What a user said of names: ``merge``, name is the entity other; ``alias``, other is a name of
    it too. Each side is a canonical key where one was known, else a name as written.
    """

    kind: Literal["merge", "alias"]
    name: str
    other: str
