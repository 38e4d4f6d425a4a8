"""Facts that somebody else wrote: taken only if they are facts in every part."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, get_args

from brainkit.extract.facts import Facts, Reference, Run, Scope, Target, Triplet


def checked(text: str, *, lengths: Sequence[int]) -> Facts:
    """Read facts from JSON, believing nothing.

    lengths : characters of each of the source's chunks. Raises ValueError saying what is wrong.
    """
    try:
        facts = Facts.from_json(text)
        if facts.to_json() != text:
            raise ValueError("they are not written as facts are")
        text.encode()  # no lone surrogates, which DuckDB refuses
        _texts(facts.family, facts.module, *facts.bindings)
        _targets(facts.bindings.values())
        for named in facts.named:
            _texts(named.path, named.name, named.kind, named.parent or "")
            for chunk in named.chunks:
                _place(lengths, chunk)
            for alias, weight in named.aliases:
                _texts(alias)
                if type(weight) not in (int, float) or not 0 < weight <= 1 or math.isnan(weight):
                    raise ValueError(f"the weight {weight!r:.20} is not above 0 and at most 1")
        for one in facts.references:
            _reference(one, lengths)
        for run in facts.runs:
            _run(run, lengths)
        for triplet in facts.triplets:
            _triplet(triplet, lengths)
    except (LookupError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(f"they are of another form ({type(error).__name__})") from None
    return facts


def _reference(one: Reference, lengths: Sequence[int]) -> None:
    _texts(one.subject, one.predicate)
    if not one.predicate:
        raise ValueError("a reference has no predicate")
    _targets(one.targets)
    _place(lengths, one.chunk, one.start, one.end)


def _run(run: Run, lengths: Sequence[int]) -> None:
    _texts(run.text)
    _place(lengths, run.chunk, run.start, run.end)
    _place(lengths, run.chunk, run.at, run.at)


def _triplet(triplet: Triplet, lengths: Sequence[int]) -> None:
    *names, chunk = triplet
    _texts(*names)
    if not all(names):
        raise ValueError("a triplet has an empty name")
    _place(lengths, chunk)


def _texts(*values: Any) -> None:
    for value in values:
        if type(value) is not str:
            raise ValueError(f"{value!r:.40} is no text")


def _targets(targets: Iterable[Target]) -> None:
    for target in targets:
        _texts(target.path)
        if target.scope not in get_args(Scope):
            raise ValueError(f"the scope {target.scope!r:.20} is not one of {get_args(Scope)}")


def _place(lengths: Sequence[int], chunk: Any, start: Any = 0, end: Any = 0) -> None:
    if any(type(value) is not int for value in (chunk, start, end)):
        raise ValueError(f"{chunk!r:.20}, {start!r:.20}, {end!r:.20} is no place")
    if not 0 <= chunk < len(lengths) or not 0 <= start <= end <= lengths[chunk]:
        raise ValueError(f"there is no place {start} to {end} in chunk {chunk}")
