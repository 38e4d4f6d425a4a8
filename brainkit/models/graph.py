"""What graph mode made of a question: links, the walk, and paths."""

from __future__ import annotations

from pydantic import Field

from brainkit.models.base import GraphScorer, Model, Notice


class GraphLink(Model):
    """A stretch of the question that may name an entity, and what became of it.

    text, start, end : as written in the query. pattern : one of the seed's five (CamelCase,
        PascalCase, snake_case, SCREAMING_SNAKE, Capitalized), else ``name``, ``title``, ``alias``
        or ``similar``. entity_type : what the pattern suggests, None without one of the five.
    entities : names of the entities it was linked to, which share ``weight``; empty when it was
        rejected, with ``reason`` saying why.
    """

    text: str
    start: int
    end: int
    pattern: str
    entity_type: str | None = None
    entities: tuple[str, ...] = ()
    weight: float = 0.0
    reason: str | None = None


class GraphEntity(Model):
    """An entity that a walk reached; ``hub`` ends paths, ``capped`` counts edges left unwalked.

    id : names it among the entities of one trace, where two may share a name.
    weight : what it is worth to a chunk that holds it.
    """

    id: int
    name: str
    kinds: tuple[str, ...] = ()
    hops: int = Field(ge=0)
    weight: float
    hub: bool = False
    capped: int = 0


class GraphEdge(Model):
    """A relation walked between two entities of a trace, as it is stored: subject to object."""

    subject: int
    predicate: str
    object: int


class GraphStep(Model):
    """One hop of a path: a relation and which way it was walked.

    chunk_ids : of the first candidates of the trace that support it.
    """

    subject: str
    predicate: str
    object: str
    forward: bool
    chunk_ids: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.subject} -> {self.predicate} -> {self.object}"


class GraphTrace(Model):
    """What graph mode made of the question, and where its walk went.

    asked : the relation that the question asks for in words, such as "what calls".
    entities : the nearest that were reached, at most settings.GRAPH_SHOWN. edges : the relation by
        which each was reached. reached : how many there were. capped : whether any relation was
        left unwalked. notices : what the reader of a graph answer should know.
    """

    scorer: GraphScorer
    links: tuple[GraphLink, ...] = ()
    asked: str | None = None
    entities: tuple[GraphEntity, ...] = ()
    edges: tuple[GraphEdge, ...] = ()
    reached: int = 0
    capped: bool = False
    notices: tuple[Notice, ...] = ()
