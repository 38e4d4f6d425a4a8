"""What linking gives a scorer, what a scorer gives back, and the paths between."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

import numpy as np

from brainkit.models import GraphLink, Notice, Part, QueryRequest
from brainkit.retrieve.base import Floats, Mask, Question, Rows
from brainkit.store.generation import Generation


@dataclass(frozen=True, slots=True)
class Seed:
    """An entity that the question names; ``weight`` is of the name, shared among homonyms.

    words : how many words its name has in the question.
    """

    entity: int
    weight: float
    text: str
    words: int = 1


@dataclass(frozen=True, slots=True)
class Asked:
    """The relation that the question asks for in words.

    predicates : any of them will do. forward : whether the named entity is the subject of what is
        asked for ("what does X call"), or its object ("what calls X"). instead : predicates that
        will do where nothing has one of the first.
    """

    words: str
    predicates: tuple[str, ...]
    forward: bool
    instead: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Linked:
    """The question as entities, best first, each once; ``links`` say how, for the trace."""

    seeds: tuple[Seed, ...] = ()
    links: tuple[GraphLink, ...] = ()
    asked: Asked | None = None
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """A relation walked. forward : whether from its subject to its object."""

    origin: int
    relation: int
    predicate: int
    forward: bool


@dataclass(frozen=True, slots=True)
class Reached:
    """An entity that a walk came to.

    weight : what it is worth to a chunk that holds it, before any dividing.
    step : how it was come to; None where the walk begins. arithmetic : of the weight.
    hub : it has so many neighbours that no path goes on from it. capped : edges left unwalked.
    """

    hops: int
    weight: float
    arithmetic: str = ""
    step: Step | None = None
    hub: bool = False
    capped: int = 0


@dataclass(frozen=True, slots=True)
class Scored:
    """What a scorer found: every chunk with evidence, allowed or not, and how to explain any.

    rows : ascending. scores : one per row, above 0, float32.
    reached : entity -> how it was reached, in the order of the walk.
    parts : row -> summands of its score, largest first.
    end : row -> the entity at which its best path ends, None if there is none.
    """

    rows: Rows
    scores: Floats
    reached: Mapping[int, Reached]
    parts: Callable[[int], Sequence[Part]]
    end: Callable[[int], int | None]
    notices: tuple[Notice, ...] = field(default=())


NOTHING: Final = Scored(
    np.empty(0, np.int64), np.empty(0, np.float32), {}, lambda row: (), lambda row: None
)


class Scorer(Protocol):
    """Scores the chunks that can be reached from what the question names.

    linked : perhaps without seeds. allowed : mask (n,) of the chunks that will be listed, or None
        for all. It does not change the score of any.
    """

    def __call__(
        self,
        question: Question,
        generation: Generation,
        linked: Linked,
        request: QueryRequest,
        allowed: Mask | None,
    ) -> Scored: ...


def path_to(entity: int, reached: Mapping[int, Reached]) -> tuple[Step, ...]:
    """Return the steps from where a walk began to an entity that it reached, in their order."""
    steps: list[Step] = []
    at: Step | None = reached[entity].step
    while at is not None:
        steps.append(at)
        at = reached[at.origin].step
    return tuple(reversed(steps))
