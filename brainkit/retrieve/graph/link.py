"""From a question to the entities that it names: whole words, longest name first."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from brainkit import settings
from brainkit.extract.names import (
    is_spelling,
    key_of,
    pattern_of,
    words_of,
)
from brainkit.models import GraphLink, Notice
from brainkit.retrieve.graph.intent import Intent, intents
from brainkit.retrieve.graph.paths import Linked, Seed
from brainkit.retrieve.graph.similar import most_similar
from brainkit.retrieve.graph.units import IDENTIFIERS, Unit, units_of
from brainkit.store.graph import GraphIndex

_APART: Final = re.compile(r"[?!;\n]")
_CAPITALIZED: Final = "Capitalized"
_MODULES: Final = frozenset(("module", "package"))
_LINKS_MAX: Final = 50
_SIMILAR_LETTERS: Final = 5
"""Shorter names share trigrams by chance."""


class _Known(NamedTuple):
    """An entity of a name; weight is of its alias, which is ``written`` like that."""

    entity: int
    weight: float
    written: str


def link(text: str, graph: GraphIndex) -> Linked:
    """Return the entities that a question names, and how every candidate fared.

    A name is a run of whole words, the leftmost and longest first, that is the name, title or alias
    of an entity. A single plain word is one only if it is written like an identifier, quoted, in a
    code span, capitalised within the question, where a relation that is asked for has its name
    ("what calls abort"), or, at the start of the question, known with a capital. Entities that
    share a name share its weight; a name of more than five is left out.
    """
    asked = intents(text)
    reader = _Reader(text, graph, units_of(text, asked), importers=_asks_importers(asked))
    links, seeds, notices = reader.read()
    wanted = next((one.asked for one in asked if any(_meets(link, one) for link in links)), None)
    return Linked(
        seeds=_each_once(seeds),
        links=tuple(links[:_LINKS_MAX]),
        asked=wanted,
        notices=tuple(notices),
    )


class _Reader:
    """Reads a question once, from left to right.

    importers : it asks who imports something; to import a part of a module is to import it.
    """

    def __init__(
        self, text: str, graph: GraphIndex, units: Sequence[Unit], *, importers: bool
    ) -> None:
        self._text = text
        self._graph = graph
        self._units = units
        self._importers = importers
        self._some_lower = any(unit.text[:1].islower() for unit in units)

    def read(self) -> tuple[list[GraphLink], list[Seed], list[Notice]]:
        """Return the candidates in their order, the seeds, and what was taken for what."""
        links: list[GraphLink] = []
        seeds: list[Seed] = []
        at = 0
        unknown: list[tuple[int, int]] = []
        while at < len(self._units):
            for end in self._ends(at):
                known = self._known(at, end)
                if not known:
                    continue
                reason = self._refusal(at, end, known)
                link, named = self._link(at, end, known, reason)
                links.append(link)
                seeds += named
                if reason is None:
                    at = end
                    break
            else:
                if not self._known(at, at + 1) and self._is_written_as_a_name(at):
                    unknown.append((at, at + 1))
                at += 1
        notices = []
        for start, end in _runs(unknown, self._units, self._text):
            link, named, notice = self._take_similar(start, end)
            links.append(link)
            seeds += named
            notices += [notice] if notice else []
        return sorted(links, key=lambda one: (one.start, one.end)), seeds, notices

    def _ends(self, at: int) -> Iterator[int]:
        """Yield where a name that begins here may end, the farthest first."""
        longest = min(self._graph.longest_name, settings.GRAPH_NAME_WORDS)
        end, words = at, 0
        while end < len(self._units) and (words := words + len(words_of(self._units[end].text))):
            if words > longest and end > at:
                break
            if end > at and _APART.search(
                self._text, self._units[end - 1].end, self._units[end].start
            ):
                break
            end += 1
        yield from range(end, at, -1)

    def _slice(self, at: int, end: int) -> str:
        return self._text[self._units[at].start : self._units[end - 1].end]

    def _known(self, at: int, end: int) -> list[_Known]:
        """Return the entities of this name, each by the alias that is written most like it."""
        text = self._slice(at, end)
        best: dict[int, _Known] = {}
        for found in map(_Known._make, self._graph.named(key_of(text))):
            if not is_spelling(text, found.written):
                continue
            before = best.get(found.entity)
            if before is None or (found.written == text and before.written != text):
                best[found.entity] = found
        return list(best.values())

    def _refusal(self, at: int, end: int, known: Sequence[_Known]) -> str | None:
        """Return why a known name is not taken for one here, None if it is."""
        units, text = self._units[at:end], self._slice(at, end)
        if len(_closest(known, text)) > settings.GRAPH_HOMONYMS:
            return f"names {len(known)} things; say of which, as in Class.{text}"
        if any(unit.marked or unit.is_identifier for unit in units):
            return None
        if all(word.isdigit() for word in words_of(text)):
            return "is only a number"
        written = any(one.written == text for one in known)
        if len(units) == 1:
            return self._refusal_of_word(units[0], known, written=written)
        plain = all(unit.is_never for unit in units) and not written
        return "has only words that are no names" if plain else None

    def _refusal_of_word(self, unit: Unit, known: Sequence[_Known], *, written: bool) -> str | None:
        """Return why a single known word that is written like any other is no name here."""
        inside = unit.text[:1].isupper() and not unit.opens
        refused = {
            "is a word of the language": unit.is_never and not (written and (unit.asked or inside)),
            f"is a plain word here; to mean the name, write `{unit.text}`": not unit.asked
            and unit.text[:1].islower(),
            "is capitalised only because it opens a sentence": not unit.asked
            and unit.opens
            and not any(one.written[:1].isupper() for one in known),
            "is capitalised like every word of the question": not unit.asked
            and inside
            and not self._some_lower,
        }
        return next((reason for reason, holds in refused.items() if holds), None)

    def _link(
        self, at: int, end: int, known: Sequence[_Known], reason: str | None
    ) -> tuple[GraphLink, list[Seed]]:
        text, first = self._slice(at, end), self._units[at]
        pattern, entity_type = first.pattern, first.entity_type
        if end - at > 1 or pattern is None:
            pattern, entity_type = self._how(known[0], text), None
        shares = {} if reason else _shares(known, text)
        if self._importers and first.asked:
            shares |= self._parts(shares)
        words = len(words_of(text))
        link = GraphLink(
            text=text,
            start=first.start,
            end=self._units[end - 1].end,
            pattern=pattern,
            entity_type=entity_type,
            entities=tuple(self._graph.names[entity] for entity in shares),
            weight=max((one.weight for one in known), default=0.0) if shares else 0.0,
            reason=reason,
        )
        return link, [Seed(entity, share, text, words) for entity, share in shares.items()]

    def _parts(self, shares: Mapping[int, float]) -> dict[int, float]:
        """Return the modules below those named, each with the weight of the one above it."""
        keys, kinds = self._graph.keys, self._graph.kinds
        found = {}
        for entity, share in shares.items():
            prefix = f"{keys[entity]}."
            for part in range(keys.find(prefix), len(keys)):
                if not keys[part].startswith(prefix):
                    break
                if not _MODULES.isdisjoint(kinds[part]):
                    found[part] = share
        return found

    def _how(self, known: _Known, text: str) -> str:
        name, kinds = self._graph.names[known.entity], self._graph.kinds[known.entity]
        if "document" in kinds and key_of(name) == key_of(text):
            return "title"
        own = {key_of(name), key_of(name.rpartition(".")[2])}  # of a symbol, its last part
        return "name" if key_of(text) in own else "alias"

    def _is_written_as_a_name(self, at: int) -> bool:
        unit = self._units[at]
        if unit.is_identifier or unit.marked or unit.asked:
            return True
        return unit.pattern == _CAPITALIZED and not unit.is_never

    def _take_similar(self, at: int, end: int) -> tuple[GraphLink, list[Seed], Notice | None]:
        """Link an unknown name to the one it resembles most, saying so."""
        text, first = self._slice(at, end), self._units[at]
        one = end - at == 1
        link = GraphLink(
            text=text,
            start=first.start,
            end=self._units[end - 1].end,
            pattern=(first.pattern if one else None)
            or ("marked" if first.marked else _CAPITALIZED),
            entity_type=first.entity_type if one else None,
            reason="no entity has this name",
        )
        plain = one and not (first.is_identifier or first.marked or first.asked)
        if plain or len(key_of(text)) < _SIMILAR_LETTERS:
            return link, [], None
        entities, alike = most_similar(text, self._graph)
        if not entities:
            return link, [], None
        if len(entities) > settings.GRAPH_HOMONYMS:
            return link.model_copy(update={"reason": "resembles too many names"}), [], None
        names = tuple(self._graph.names[entity] for entity in entities)
        taken = link.model_copy(
            update={"pattern": "similar", "entities": names, "weight": alike, "reason": None}
        )
        seeds = [
            Seed(entity, alike / len(entities), text, len(words_of(text))) for entity in entities
        ]
        message = f"no entity is named {text!r}; took {names[0]!r}, which is {alike:.0%} alike."
        return taken, seeds, Notice(kind="took-for", message=message)


def _meets(link: GraphLink, intent: Intent) -> bool:
    """Tell whether a link that was taken stands where a relation is asked for."""
    return bool(link.entities) and intent.start < link.end and link.start < intent.end


def _asks_importers(asked: Sequence[Intent]) -> bool:
    return any("imports" in one.asked.predicates and not one.asked.forward for one in asked)


def _closest(known: Sequence[_Known], text: str) -> Sequence[_Known]:
    """Return those written as in the question if it is code, or all are too many; else all."""
    pattern = pattern_of(text)
    is_code = "." in text or (pattern is not None and pattern.name in IDENTIFIERS)
    if len(known) <= settings.GRAPH_HOMONYMS and not is_code:
        return known
    return [one for one in known if one.written == text] or known


def _shares(known: Sequence[_Known], text: str) -> dict[int, float]:
    """Share the best alias's weight among the entities of a name; another case counts half."""
    known = _closest(known, text)
    worth = [one.weight * (1.0 if one.written == text else 0.5) for one in known]
    best, whole = max(one.weight for one in known), sum(worth)
    return {one.entity: best * own / whole for one, own in zip(known, worth, strict=True)}


def _runs(
    unknown: Sequence[tuple[int, int]], units: Sequence[Unit], text: str
) -> Iterator[tuple[int, int]]:
    """Join unknown names that stand side by side, with nothing but a space between."""
    run: tuple[int, int] | None = None
    for start, end in unknown:
        if run and run[1] == start and text[units[start - 1].end : units[start].start].isspace():
            run = (run[0], end)
            continue
        if run:
            yield run
        run = (start, end)
    if run:
        yield run


def _each_once(seeds: Sequence[Seed]) -> tuple[Seed, ...]:
    best: dict[int, Seed] = {}
    for seed in seeds:
        before = best.get(seed.entity)
        if before is None or seed.weight > before.weight:
            best[seed.entity] = seed
    return tuple(sorted(best.values(), key=lambda seed: (-seed.weight, seed.entity)))
