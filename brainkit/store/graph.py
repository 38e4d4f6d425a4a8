"""The entity graph of one generation: who relates to whom, and in which chunks it says so.

Entities and relations are numbered from 0, as in the tables; chunks are rows of the tie order.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from brainkit.store import graph_sound, sound
from brainkit.store.graph_arrays import Columns, Texts, arrays_of

if TYPE_CHECKING:
    from igraph import Graph

Ints = NDArray[np.int32]

_WORDS = "words.json"
_ARRAYS = (
    "entities", "relations", "out_from", "into", "into_from", "support", "support_from",
    "mentions", "mentions_from", "about", "weights", "in_chunk", "in_chunk_from", "alias_from",
    "alias_of", "alias_weights", "strings", "strings_at",
)  # fmt: skip
_COLUMNS = {"entities": 3, "relations": 3, "support": 3, "mentions": 4}
_DTYPES = {
    "about": "b1", "weights": "f4", "alias_weights": "f8", "strings": "u1", "strings_at": "i8",
}  # fmt: skip
FILES = (*(f"{name}.npy" for name in _ARRAYS), _WORDS)


class Edges(NamedTuple):
    """The relations at one end of an entity, by ascending relation; three arrays of shape (n,).

    other : the entity at the far end. predicate : position in ``predicates``. relation : its id.
    """

    other: Ints
    predicate: Ints
    relation: Ints


class Ends(NamedTuple):
    """The relations of several entities; five arrays of shape (n,).

    at : position of the entity among those asked for, ascending; of one entity first the relations
    it is the subject of (``forward``), then the others, each by id. The rest is as in ``Edges``.
    """

    at: Ints
    other: Ints
    predicate: Ints
    relation: Ints
    forward: NDArray[np.bool_]


class Support(NamedTuple):
    """The chunks that say a relation, by ascending row, with the sentence or line that does.

    starts, ends : offsets in the chunk's text; 0 and 0 where it is not known.
    """

    rows: Ints
    starts: Ints
    ends: Ints


class Mentioned(NamedTuple):
    """The chunks of an entity, by ascending row; one that is about it *and* names it comes twice.

    about : the chunk defines the entity or is titled by it; else it names it.
    weights : of the alias it is named by, above 0 and at most 1. starts, ends : as in ``Support``.
    """

    rows: Ints
    about: NDArray[np.bool_]
    weights: NDArray[np.float32]
    starts: Ints
    ends: Ints


class Entities(NamedTuple):
    """The entities of a chunk, ascending; the other fields as in ``Mentioned``."""

    entities: Ints
    about: NDArray[np.bool_]
    weights: NDArray[np.float32]
    starts: Ints
    ends: Ints


class GraphIndex:
    """Entities, relations and mentions as read-only arrays.

    size : number of entities. names, keys, kinds : of each entity; keys are sorted.
    alias_keys : the canonical keys of all aliases, sorted; those of key i are the aliases from
        ``arrays["alias_from"][i]`` on. alias_names : every alias as written, in the order of
        ``arrays["alias_of"]``, its entities.
    predicates : all there are, sorted. documents : chunks per entity.
    degree : distinct neighbours, both ways. longest_name : words in the longest alias.
    reason : why it is empty or lacks sources, None where nothing is missing.
    """

    def __init__(self, arrays: Mapping[str, NDArray[Any]], words: Mapping[str, Any]) -> None:
        self.arrays = arrays
        self._words = words
        self.names, self.keys, self.alias_keys, self.alias_names = _texts(arrays, words)
        kinds, self.documents, self.degree = arrays["entities"]
        self.kinds: Sequence[tuple[str, ...]] = _Kinds(
            kinds, [tuple(names) for names in words["kinds"]]
        )
        self.subjects, self.predicate_ids, self.objects = arrays["relations"]
        self.size = len(self.names)
        self.predicates: tuple[str, ...] = tuple(words["predicates"])
        self.longest_name: int = words["longest_name"]
        self.reason: str | None = None
        self._making = threading.Lock()
        self._igraph: Graph | None = None

    @classmethod
    def build(cls, columns: Columns) -> GraphIndex:
        """Lay out a graph given by its columns."""
        return cls(*arrays_of(columns))

    def save(self, folder: Path) -> None:
        """Write the arrays into a folder."""
        folder.mkdir(exist_ok=True)
        for name in _ARRAYS:
            np.save(folder / f"{name}.npy", self.arrays[name], allow_pickle=False)
        (folder / _WORDS).write_text(json.dumps(self._words, sort_keys=True), "utf-8")

    @classmethod
    def open(cls, folder: Path) -> GraphIndex:
        """Map a saved graph into memory; its hashes must have been checked. Raises Unsound."""
        arrays = {
            name: sound.array(
                folder / f"{name}.npy",
                dtypes=_DTYPES.get(name, "i4"),
                shape=(_COLUMNS[name], None) if name in _COLUMNS else (None,),
            )
            for name in _ARRAYS
        }
        words = sound.words_of(folder / _WORDS)
        graph_sound.check(arrays, words)
        return cls(arrays, words)

    @property
    def rows(self) -> int:
        """Number of chunks it is a graph of."""
        return len(self.arrays["in_chunk_from"]) - 1

    @property
    def relations(self) -> int:
        """Number of relations."""
        return len(self.subjects)

    def equals(self, other: GraphIndex) -> bool:
        """Tell whether the two hold the same, array by array."""
        return self._words == other._words and all(
            np.array_equal(self.arrays[name], other.arrays[name]) for name in _ARRAYS
        )

    def find(self, key: str) -> int | None:
        """Return the entity of a canonical key, if there is one."""
        at = self.keys.find(key)
        return at if at < self.size and self.keys[at] == key else None

    def named(self, key: str) -> tuple[tuple[int, float, str], ...]:
        """Return (entity, weight, alias as written) of every alias with this canonical key.

        Best first, equals by entity, then by alias.
        """
        at = self.alias_keys.find(key)
        if at == len(self.alias_keys) or self.alias_keys[at] != key:
            return ()
        start, end = self.arrays["alias_from"][at : at + 2].tolist()
        owners = self.arrays["alias_of"][start:end].tolist()
        weights = self.arrays["alias_weights"][start:end].tolist()
        return tuple(zip(owners, weights, self.alias_names[start:end], strict=True))

    def out(self, entity: int) -> Edges:
        """Return the relations whose subject the entity is."""
        start, end = self._span("out_from", entity)
        return Edges(
            self.objects[start:end],
            self.predicate_ids[start:end],
            np.arange(start, end, dtype=np.int32),
        )

    def into(self, entity: int) -> Edges:
        """Return the relations whose object the entity is."""
        start, end = self._span("into_from", entity)
        relation = self.arrays["into"][start:end]
        return Edges(self.subjects[relation], self.predicate_ids[relation], relation)

    def ends_of(self, entities: Ints) -> Ends:
        """Return the relations of several entities at once, in both directions."""
        at, out = _spread(self.arrays["out_from"], entities)
        into_at, into = _spread(self.arrays["into_from"], entities)
        into = self.arrays["into"][into]
        relation = np.concatenate((out, into))
        order = np.argsort(np.concatenate((at, into_at)), kind="stable")
        other = np.concatenate((self.objects[out], self.subjects[into]))
        return Ends(
            np.concatenate((at, into_at))[order],
            other[order],
            self.predicate_ids[relation[order]],
            relation[order],
            order < len(out),
        )

    def support(self, relation: int) -> Support:
        """Return the chunks that say a relation."""
        start, end = self._span("support_from", relation)
        return Support(*self.arrays["support"][:, start:end])

    def support_of_each(self, relations: Ints, *, most: int) -> tuple[Ints, Ints, Ints, Ints]:
        """Return position of the relation, row, start and end of what supports several of them.

        Ascending by position, then as in ``support``; of each at most so many.
        """
        at, item = _spread(self.arrays["support_from"], relations)
        kept = np.arange(len(at)) - np.searchsorted(at, at) < most
        rows, starts, ends = self.arrays["support"][:, item[kept]]
        return at[kept], rows, starts, ends

    def chunks_of(self, entity: int) -> Mentioned:
        """Return the chunks that are about an entity or name it."""
        start, end = self._span("mentions_from", entity)
        _, rows, starts, ends = self.arrays["mentions"][:, start:end]
        about, weights = self.arrays["about"][start:end], self.arrays["weights"][start:end]
        return Mentioned(rows, about, weights, starts, ends)

    def chunks_of_each(
        self, entities: Ints, *, most: int | None = None
    ) -> tuple[Ints, Ints, NDArray[np.bool_], NDArray[np.float32]]:
        """Return position of the entity, row, about and weight of the mentions of several entities.

        Ascending by position, then as in ``chunks_of``. most : of the mentions of one entity, how
        many at most of the chunks that are about it, and as many of the others.
        """
        bounds, about = self.arrays["mentions_from"], self.arrays["about"]
        if most is None:
            at, mention = _spread(bounds, entities)
        else:
            spans = zip(bounds[entities].tolist(), bounds[entities + 1].tolist(), strict=True)
            each = [start + _first(about[start:end], most) for start, end in spans]
            at = np.repeat(np.arange(len(each), dtype=np.int32), list(map(len, each)))
            mention = np.concatenate([np.empty(0, np.int64), *each])
        rows = self.arrays["mentions"][1][mention]
        return at, rows, about[mention], self.arrays["weights"][mention]

    def ids_in(self, row: int) -> Ints:
        """Return only the entities of ``entities_in``."""
        start, end = self._span("in_chunk_from", row)
        ids: Ints = self.arrays["mentions"][0][self.arrays["in_chunk"][start:end]]
        return ids

    def entities_in(self, row: int) -> Entities:
        """Return the entities that a chunk is about or names."""
        start, end = self._span("in_chunk_from", row)
        at = self.arrays["in_chunk"][start:end]
        entities, _, starts, ends = self.arrays["mentions"][:, at]
        return Entities(
            entities, self.arrays["about"][at], self.arrays["weights"][at], starts, ends
        )

    def to_igraph(self) -> Graph:
        """Return the directed igraph: vertices and edges by id, with ``name`` and ``predicate``.

        Made at the first call and then shared: copy it before changing it.
        """
        with self._making:
            if self._igraph is None:
                from igraph import Graph

                pairs = np.stack((self.subjects, self.objects), axis=1).astype(np.int64)
                graph = Graph(n=self.size, edges=pairs, directed=True)
                graph.vs["name"] = self.names[:]
                predicates = self.predicates
                graph.es["predicate"] = [predicates[at] for at in self.predicate_ids.tolist()]
                self._igraph = graph
            return self._igraph

    def _span(self, name: str, owner: int) -> tuple[int, int]:
        bounds = self.arrays[name]
        if not 0 <= owner < len(bounds) - 1:
            raise IndexError(f"{owner} is not one of {len(bounds) - 1}")
        return int(bounds[owner]), int(bounds[owner + 1])


def _first(about: NDArray[np.bool_], most: int) -> NDArray[np.int64]:
    """Return where the first ones are that are true, and the first that are not, ascending."""
    if len(about) <= most:
        return np.arange(len(about))
    found = [np.flatnonzero(same)[:most] for same in (about, ~about)]
    return np.sort(np.concatenate(found))


def _spread(bounds: Ints, owners: Ints) -> tuple[Ints, Ints]:
    """Return the items of several owners: the position of the owner, and the item, of each."""
    starts = bounds[owners]
    counts = bounds[owners + 1] - starts
    at = np.repeat(np.arange(len(owners), dtype=np.int32), counts)
    first = np.cumsum(counts, dtype=np.int32) - counts
    items = np.arange(len(at), dtype=np.int32) - first[at] + starts[at]
    return at, items


class _Kinds(Sequence[tuple[str, ...]]):
    """The kinds of each entity, of which few combinations occur."""

    def __init__(self, ids: Ints, names: Sequence[tuple[str, ...]]) -> None:
        self._ids, self._names = ids, names

    def __len__(self) -> int:
        return len(self._ids)

    @overload
    def __getitem__(self, index: int) -> tuple[str, ...]: ...
    @overload
    def __getitem__(self, index: slice) -> list[tuple[str, ...]]: ...
    def __getitem__(self, index: int | slice) -> tuple[str, ...] | list[tuple[str, ...]]:
        if isinstance(index, slice):
            return [self._names[at] for at in self._ids[index].tolist()]
        return self._names[int(self._ids[index])]


def _texts(arrays: Mapping[str, NDArray[Any]], words: Mapping[str, Any]) -> list[Texts]:
    """Return the four kinds of strings, which lie in one array one after the other."""
    found, start = [], 0
    for count in words["strings"]:
        found.append(Texts(arrays["strings"], arrays["strings_at"][start : start + count + 1]))
        start += count + 1
    return found
