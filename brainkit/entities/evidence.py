"""Relations with the chunk that says so, its lines, and the sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from brainkit.store.generation import Generation
from brainkit.store.graph import GraphIndex

_SHOWN_CHARS: Final = 240
_SAYS_LEAST: Final = ("mentions", "part_of", "contains", "defines")
"""Of several relations between two things, the reader learns most from another than these."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Where a relation stands. start_line, end_line : of the sentence, else of its chunk.

    chunks : how many chunks say it; this is the first one in the tie order.
    """

    chunk_id: str
    source: str
    start_line: int
    end_line: int
    sentence: str
    chunks: int

    @property
    def place(self) -> str:
        """The citation: source and lines."""
        lines = f"{self.start_line}"
        if self.end_line != self.start_line:
            lines += f"-{self.end_line}"
        return f"{self.source}:{lines}"


@dataclass(frozen=True, slots=True)
class Hop:
    """A relation as it is walked from ``origin`` to ``other``.

    forward : whether from its subject to its object. also : predicates of other relations between
        the two, the other way round ones too.
    """

    origin: str
    predicate: str
    other: str
    forward: bool
    evidence: Evidence
    also: tuple[str, ...] = ()

    @property
    def arrow(self) -> str:
        """The relation between its ends: ``-> uses ->``, or ``<- uses <-`` against it."""
        return f"-> {self.predicate} ->" if self.forward else f"<- {self.predicate} <-"

    def __str__(self) -> str:
        ends = (self.origin, self.other) if self.forward else (self.other, self.origin)
        return f" -> {self.predicate} -> ".join(ends)


def telling(graph: GraphIndex, one: int, other: int) -> list[tuple[int, bool]]:
    """Return (relation, whether forward) of all between two entities, those that say most first.

    Equals by direction, forward first, then by predicate.
    """
    out, into = graph.out(one), graph.into(one)
    found = [(relation, True) for relation in out.relation[out.other == other].tolist()]
    found += [(relation, False) for relation in into.relation[into.other == other].tolist()]

    def order(item: tuple[int, bool]) -> tuple[int, bool, int]:
        relation, forward = item
        name = graph.predicates[graph.predicate_ids[relation]]
        rank = -_SAYS_LEAST.index(name) if name in _SAYS_LEAST else -len(_SAYS_LEAST)
        return rank, not forward, relation

    return sorted(found, key=order)


def evidence_of(generation: Generation, relations: Iterable[int]) -> dict[int, Evidence]:
    """Return relation -> where it stands, reading every chunk once."""
    graph = generation.graph
    chosen = {one: _first(graph, one) for one in dict.fromkeys(relations)}
    rows = np.unique(np.array([row for row, *_ in chosen.values()], np.int64))
    records = {record["order"]: record for record in generation.chunks.records(rows)}
    found = {}
    for relation, (row, start, end) in chosen.items():
        names = [graph.names[int(ends[relation])] for ends in (graph.objects, graph.subjects)]
        count = len(set(graph.support(relation).rows.tolist()))
        found[relation] = _evidence(records[row], start, end, names=names, count=count)
    return found


def _first(graph: GraphIndex, relation: int) -> tuple[int, int, int]:
    support = graph.support(relation)
    return int(support.rows[0]), int(support.starts[0]), int(support.ends[0])


def _evidence(
    record: dict[str, Any], start: int, end: int, *, names: Sequence[str], count: int
) -> Evidence:
    text: str = record["text"]
    if end <= start:
        start, end = _line_with(names, text)
    first, last = record["start_line"], record["end_line"]
    if text.count("\n") == last - first:  # else the chunk is not its lines, character by character
        last = first + text.count("\n", 0, end)
        first += text.count("\n", 0, start)
    sentence = " ".join(text[start:end].split())
    if len(sentence) > _SHOWN_CHARS:
        sentence = f"{sentence[: _SHOWN_CHARS - 1]}…"
    return Evidence(record["chunk_id"], record["source"], first, last, sentence, count)


def _line_with(names: Sequence[str], text: str) -> tuple[int, int]:
    """Return the span of the first line that holds one of the names, else of the first with text.

    Of a dotted name the last part is looked for, as code says it.
    """
    lines = [match.span() for match in re.finditer(r"[^\n]*\S[^\n]*", text)]
    for name in names:
        word = re.compile(rf"(?<!\w){re.escape(name.rpartition('.')[2] or name)}(?!\w)")
        for start, end in lines:
            if word.search(text, start, end):
                return start, end
    return lines[0] if lines else (0, 0)
