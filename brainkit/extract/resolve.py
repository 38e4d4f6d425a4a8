"""From the facts of all files to one graph."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from brainkit.extract.builder import GraphBuilder, Handle
from brainkit.extract.graph import Edit, Graph, SourceFacts
from brainkit.extract.names import key_of
from brainkit.extract.naming import resolve_names
from brainkit.extract.relations import relate_symbols

_SURELY: Final = 0.9
"""Least weight of an alias by which a model means the one thing that has it."""


def resolve(sources: Iterable[SourceFacts], edits: Sequence[Edit] = ()) -> Graph:
    """Resolve names across files: symbols of code, then names of prose, then a model's triplets.

    Equal facts give an equal graph, in whatever order they come.
    """
    ordered = sorted(sources, key=lambda one: (one.label, one.source))
    builder = GraphBuilder()
    symbols = relate_symbols(ordered, builder)
    resolve_names(ordered, builder, symbols=symbols)
    _add_triplets(ordered, builder)
    return builder.build(edits)


def _add_triplets(sources: Sequence[SourceFacts], builder: GraphBuilder) -> None:
    """Add what a model read: of names that one known thing has, and of new ones."""
    if not any(source.facts.triplets for source in sources):
        return
    named = builder.named()

    def entity(name: str, kind: str) -> Handle | None:
        key = key_of(name)
        if builder.find(key) is None:
            owners = [owner for owner, weight in named.get(key, ()) if weight >= _SURELY]
            if len(owners) == 1:
                return owners[0]
        return builder.entity(key, name=name, kind=kind) if key else None

    for source in sources:
        for one in source.facts.triplets:
            chunk = source.keys[one.chunk]
            ends = (entity(one.subject, one.subject_kind), entity(one.object, one.object_kind))
            for end in ends:
                if end is not None:
                    builder.mention(end, chunk=chunk, role="mentions")
            subject, object_ = ends
            if subject is not None and object_ is not None:
                builder.relate(subject, one.predicate, object_, chunk=chunk, start=0, end=0)
