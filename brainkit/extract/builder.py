"""Collects entities, relations and mentions, and lays them out in one order."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NewType

from brainkit.extract.graph import (
    Edit,
    EntityRow,
    Graph,
    MentionRow,
    Merge,
    RelationRow,
    Role,
)
from brainkit.extract.names import key_of

Handle = NewType("Handle", int)


@dataclass(slots=True)
class _Entity:
    key: str
    names: Counter[str] = field(default_factory=Counter)
    kinds: set[str] = field(default_factory=set)
    aliases: dict[str, float] = field(default_factory=dict)
    merged: list[tuple[str, str]] = field(default_factory=list)


class GraphBuilder:
    """Entities by canonical key; adding a key twice merges the two and records it.

    What is added in another order builds an equal graph.
    """

    def __init__(self) -> None:
        self._entities: list[_Entity] = []
        self._by_key: dict[str, Handle] = {}
        self._relations: dict[tuple[Handle, str, Handle], set[tuple[int, int, int]]] = defaultdict(
            set
        )
        self._mentions: dict[tuple[Handle, int, Role], tuple[float, int, int]] = {}

    def entity(
        self,
        key: str,
        *,
        name: str,
        kind: str,
        aliases: Iterable[tuple[str, float]] = (),
        times: int = 1,
    ) -> Handle:
        """Return the entity of a canonical key, made at need; name, kind and aliases add up.

        times : how often it is written like that; the most frequent spelling becomes its name.
        """
        handle = self._by_key.get(key)
        if handle is None:
            handle = self._by_key[key] = Handle(len(self._entities))
            self._entities.append(_Entity(key))
        entity = self._entities[handle]
        entity.names[name] += times
        entity.kinds.add(kind)
        for alias, weight in ((name, 1.0), *aliases):
            entity.aliases[alias] = max(weight, entity.aliases.get(alias, 0.0))
        return handle

    def find(self, key: str) -> Handle | None:
        """Return the entity of a canonical key, if there is one."""
        return self._by_key.get(key)

    def alias(self, entity: Handle, name: str, weight: float) -> None:
        """Add another name of an entity."""
        aliases = self._entities[entity].aliases
        aliases[name] = max(weight, aliases.get(name, 0.0))

    def aliases(self) -> Iterator[tuple[Handle, str, float]]:
        """Yield every name of every entity as written, with its weight."""
        for number, entity in enumerate(self._entities):
            for alias, weight in entity.aliases.items():
                yield Handle(number), alias, weight

    def named(self) -> dict[str, list[tuple[Handle, float]]]:
        """Return canonical key of every name -> (entity, weight) in no particular order."""
        found: dict[str, dict[Handle, float]] = defaultdict(dict)
        for number, entity in enumerate(self._entities):
            for alias, weight in entity.aliases.items():
                owners = found[key_of(alias)]
                handle = Handle(number)
                owners[handle] = max(weight, owners.get(handle, 0.0))
        return {key: list(owners.items()) for key, owners in found.items()}

    def relate(
        self, subject: Handle, predicate: str, object: Handle, *, chunk: int, start: int, end: int
    ) -> None:
        """Add a relation, or one more chunk that supports it. Nothing relates to itself."""
        if subject != object:
            self._relations[subject, predicate, object].add((chunk, start, end))

    def mention(
        self,
        entity: Handle,
        *,
        chunk: int,
        role: Role,
        weight: float = 1.0,
        start: int = 0,
        end: int = 0,
    ) -> None:
        """Put an entity in a chunk; of several mentions in one, that of most weight is kept."""
        at = (entity, chunk, role)
        before = self._mentions.get(at)
        new = (weight, start, end)
        if before is None or (-weight, start, end) < (-before[0], before[1], before[2]):
            self._mentions[at] = new

    def build(self, edits: Sequence[Edit] = ()) -> Graph:
        """Apply the user's edits, number the entities in the order of their keys, and lay out."""
        target = self._merged(edits)
        alive = sorted({*target}, key=lambda handle: self._entities[handle].key)
        number = {handle: at for at, handle in enumerate(alive)}
        moved = {Handle(old): number[new] for old, new in enumerate(target)}
        relations: dict[tuple[int, str, int], set[tuple[int, int, int]]] = defaultdict(set)
        for (subject, predicate, object_), support in self._relations.items():
            if moved[subject] != moved[object_]:
                relations[moved[subject], predicate, moved[object_]] |= support
        mentions: dict[tuple[int, int, Role], tuple[float, int, int]] = {}
        for (entity, chunk, role), (weight, start, end) in self._mentions.items():
            at = (moved[entity], chunk, role)
            before = mentions.get(at)
            if before is None or (-weight, start, end) < (-before[0], before[1], before[2]):
                mentions[at] = (weight, start, end)
        chunks: Counter[int] = Counter(
            entity for entity, _ in {(entity, chunk) for entity, chunk, _ in mentions}
        )
        return Graph(
            entities=tuple(
                self._row(number[handle], self._entities[handle], chunks[number[handle]])
                for handle in alive
            ),
            relations=tuple(
                RelationRow(*at, tuple(sorted(support)))
                for at, support in sorted(relations.items())
            ),
            mentions=tuple(MentionRow(*at, *how) for at, how in sorted(mentions.items())),
            merges=tuple(
                Merge(number[handle], tuple(sorted(names)), reason)
                for handle in alive
                for names, reason in self._merges(self._entities[handle])
            ),
        )

    def _merged(self, edits: Sequence[Edit]) -> list[Handle]:
        """Return for each entity the one it became; names add up in the one that stays."""
        target = [Handle(number) for number in range(len(self._entities))]
        names: dict[str, list[Handle]] | None = None
        for edit in edits:
            if names is None:
                names = {k: sorted(h for h, _ in v) for k, v in self.named().items()}
            found = self._meant(edit.name, names)
            if found is None:
                continue  # kept for when it is ingested again
            if edit.kind == "alias":
                self.alias(target[found], edit.other, 1.0)
                continue
            other = self._meant(edit.other, names)
            if other is None or target[found] == target[other]:
                continue
            gone, stays = target[found], target[other]
            kept, lost = self._entities[stays], self._entities[gone]
            kept.merged.append((self._shown(lost), "merged by hand"))
            kept.merged += lost.merged
            kept.kinds |= lost.kinds
            for alias, weight in lost.aliases.items():
                kept.aliases[alias] = max(weight, kept.aliases.get(alias, 0.0))
            target = [stays if handle == gone else handle for handle in target]
        return target

    def _meant(self, name: str, names: dict[str, list[Handle]]) -> Handle | None:
        """Return the entity of a key, else the only one of that name."""
        exact = self._by_key.get(name)
        if exact is not None:
            return exact
        found = names.get(key_of(name.partition("@")[0]), [])
        return found[0] if len(found) == 1 else None

    def _row(self, number: int, entity: _Entity, documents: int) -> EntityRow:
        aliases = sorted(entity.aliases.items(), key=lambda one: (-one[1], one[0]))
        return EntityRow(
            id=number,
            key=entity.key,
            name=self._shown(entity),
            kinds=tuple(sorted(entity.kinds)),
            aliases=tuple(aliases),
            documents=documents,
        )

    @staticmethod
    def _shown(entity: _Entity) -> str:
        return min(entity.names, key=lambda name: (-entity.names[name], name))

    def _merges(self, entity: _Entity) -> list[tuple[list[str], str]]:
        found = []
        if len(entity.names) > 1:
            found.append(([*entity.names], "the same but for case and separators"))
        by_hand = [name for name, _ in entity.merged]
        if by_hand:
            found.append(([self._shown(entity), *by_hand], "merged by hand"))
        return found
