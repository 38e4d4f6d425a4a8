"""The part of a brain's public face that is about entities and relations."""

from __future__ import annotations

from collections.abc import Sequence

from brainkit.engine import Engine
from brainkit.entities.merges import Merges, merges_of
from brainkit.entities.neighbours import Direction, Neighbours, neighbours_of
from brainkit.entities.path import Paths, paths_of
from brainkit.entities.table import Entities, entities_of
from brainkit.entities.whole import EntityGraph, graph_of

ENTITIES_SHOWN = 20


class Related:
    """What a brain knows of entities, and what its user says of them."""

    _engine: Engine

    def entities(
        self,
        like: str | None = None,
        *,
        kind: str | Sequence[str] | None = None,
        limit: int | None = ENTITIES_SHOWN,
    ) -> Entities:
        """Return a table of the entities, best connected first: names, kinds, how often, how many.

        like : part of a name or alias, case and separators aside; or a glob such as ``shelf.*``.
        kind : one or several of class, function, document, heading, name, ...
        limit : rows, 1 or more; None for all. ``to_frame()`` gives a DataFrame.
        Raises FilterError naming the kinds there are.
        """
        with self._engine.reading() as generation:
            return entities_of(generation, like, kind=kind, limit=limit)

    def path(self, start: str, end: str) -> Paths:
        """Return the shortest relation paths between two entities, each hop with where it stands.

        start, end : names, aliases or keys. Relations are followed in both directions. A way
            around hubs, which are related to nearly everything, is preferred to a shorter one
            through them.
        Of equally short paths the one through the least connected entities comes first, then by
        key. ``figure()`` draws the best one. Raises NoSuchEntity naming the nearest, or all that
        a name may mean.
        """
        with self._engine.reading() as generation:
            return paths_of(generation, start, end)

    def neighbours(
        self,
        name: str,
        *,
        predicate: str | Sequence[str] | None = None,
        direction: Direction | None = None,
    ) -> Neighbours:
        """Return the relations of an entity, each with where it stands.

        predicate : only these, such as ``calls``. direction : ``out``, those it is the subject
            of; ``in``, those it is the object of; None both.
        Raises NoSuchEntity, FilterError naming the predicates there are.
        """
        with self._engine.reading() as generation:
            return neighbours_of(generation, name, predicate=predicate, direction=direction)

    def graph(self) -> EntityGraph:
        """Return the whole graph: ``.igraph``, and ``.entities``, ``.relations``, ``.mentions``."""
        with self._engine.reading() as generation:
            return graph_of(generation)

    def merges(self) -> Merges:
        """Return which names were taken for one entity and why, and what was said by hand."""
        with self._engine.reading() as generation:
            return merges_of(generation)

    def merge_entities(self, name: str, other: str, *, progress: bool = True) -> None:
        """Make one entity of two: the second keeps its name, the first becomes another name of it.

        It holds from then on, also after files change, move, or come back. ``unmerge`` takes it
        back. Raises NoSuchEntity if a name means none or several, InvalidEdit if both mean one.
        """
        self._engine.merge_entities(name, other, progress=progress)

    def unmerge(self, name: str, other: str, *, progress: bool = True) -> None:
        """Take back a merge made by hand; ``merges()`` lists them. Raises InvalidEdit."""
        self._engine.unmerge(name, other, progress=progress)

    def alias(self, name: str, other: str, *, progress: bool = True) -> None:
        """Let an entity be found by another name too; ``unalias`` takes it back.

        Raises NoSuchEntity, InvalidEdit for a name without letters and digits.
        """
        self._engine.alias(name, other, progress=progress)

    def unalias(self, name: str, other: str, *, progress: bool = True) -> None:
        """Take back another name that was given by hand. Raises InvalidEdit."""
        self._engine.unalias(name, other, progress=progress)
