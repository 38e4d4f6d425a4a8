"""The arrays of a graph index, made from the columns of its tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]
Numbers = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Texts(Sequence[str]):
    """Strings as one run of UTF-8 bytes and the offsets (n + 1,) at which they begin."""

    blob: NDArray[np.uint8]
    at: NDArray[np.int64]

    @classmethod
    def of(cls, strings: Iterable[str]) -> Texts:
        """Join strings.

        >>> Texts.of(["sign", "", "é"])[2]
        'é'
        """
        encoded = [text.encode() for text in strings]
        at = np.cumsum([0, *map(len, encoded)], dtype=np.int64)
        return cls(np.frombuffer(b"".join(encoded), np.uint8), at)

    def __len__(self) -> int:
        return len(self.at) - 1

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(len(self)))]
        if index < 0:
            index += len(self)
            if index < 0:
                raise IndexError("before the first string")
        return self.blob[self.at[index] : self.at[index + 1]].tobytes().decode()

    def find(self, text: str) -> int:
        """Return where the text is, or where it would go: the strings must be sorted."""
        low, high, wanted = 0, len(self), text.encode()
        blob, at = self.blob, self.at
        while low < high:
            middle = (low + high) // 2
            if blob[at[middle] : at[middle + 1]].tobytes() < wanted:
                low = middle + 1
            else:
                high = middle
        return low


@dataclass(frozen=True)
class Columns:
    """A graph by columns: entities and relations in the order of their ids, aliases in that of
    their keys, support and mentions in any.

    rows : number of chunks. kinds : of each entity. aliases : entity, words, weight.
    relations : subject, object, predicate (position in ``predicates``).
    support : relation, ord, start_at, end_at. mentions : entity, ord, about, weight, start_at,
    end_at.
    """

    rows: int
    names: Texts
    keys: Texts
    kinds: Sequence[tuple[str, ...]]
    documents: Numbers
    alias_keys: Texts
    alias_names: Texts
    aliases: Mapping[str, Numbers]
    predicates: Sequence[str]
    relations: Mapping[str, Numbers]
    support: Mapping[str, Numbers]
    mentions: Mapping[str, Numbers]

    @classmethod
    def empty(cls, *, rows: int) -> Columns:
        """Return the columns of a graph without entities."""
        none = Texts.of([])
        nothing = np.empty(0, np.int32)

        def columns(*names: str) -> dict[str, Numbers]:
            return dict.fromkeys(names, nothing)

        places = ("ord", "start_at", "end_at")
        return cls(
            rows=rows,
            names=none,
            keys=none,
            kinds=[],
            documents=nothing,
            alias_keys=none,
            alias_names=none,
            aliases=columns("entity", "words", "weight"),
            predicates=[],
            relations=columns("subject", "object", "predicate"),
            support=columns("relation", *places),
            mentions=columns("entity", "about", "weight", *places),
        )


def arrays_of(columns: Columns) -> tuple[dict[str, Numbers], dict[str, Any]]:
    """Return the arrays of the index by name, and what is kept as JSON beside them.

    Arrays named ``..._from`` say where the items of the next one begin, shape (n + 1,).
    """
    n, rows = len(columns.names), columns.rows
    subject, object_ = columns.relations["subject"], columns.relations["object"]
    into = np.argsort(object_, kind="stable")
    support = _sorted(columns.support, "relation", "ord", "start_at", "end_at")
    mentions = dict(columns.mentions)
    mentions["after"] = 1 - mentions["about"].astype(np.int32)
    mentions = _sorted(mentions, "entity", "ord", "after")
    in_chunk = np.lexsort((mentions["after"], mentions["entity"], mentions["ord"]))
    first, alias_keys = _first_of_equals(columns.alias_keys)
    kind_names = sorted(set(columns.kinds))
    number = {kinds: at for at, kinds in enumerate(kind_names)}
    strings = [columns.names, columns.keys, alias_keys, columns.alias_names]
    arrays = {
        "entities": _stacked(
            np.array([number[kinds] for kinds in columns.kinds]),
            columns.documents,
            _degrees(n, subject, object_),
        ),
        "relations": _stacked(subject, columns.relations["predicate"], object_),
        "out_from": _starts(subject, n),
        "into": into,
        "into_from": _starts(object_, n),
        "support": _stacked(support["ord"], support["start_at"], support["end_at"]),
        "support_from": _starts(support["relation"], len(subject)),
        "mentions": _stacked(*(mentions[x] for x in ("entity", "ord", "start_at", "end_at"))),
        "mentions_from": _starts(mentions["entity"], n),
        "about": mentions["about"].astype(np.bool_),
        "weights": mentions["weight"].astype(np.float32),
        "in_chunk": in_chunk,
        "in_chunk_from": _starts(mentions["ord"], rows),
        "alias_from": np.append(first, len(columns.alias_keys)),
        "alias_of": columns.aliases["entity"],
        "alias_weights": columns.aliases["weight"].astype(np.float64),
    }
    whole = ("about", "weights", "alias_weights")
    arrays = {k: v if k in whole else v.astype(np.int32, copy=False) for k, v in arrays.items()}
    arrays["strings"] = np.concatenate([one.blob for one in strings])
    arrays["strings_at"] = _offsets(strings)
    words = columns.aliases["words"]
    return arrays, {
        "rows": rows,
        "predicates": [*columns.predicates],
        "kinds": [list(kinds) for kinds in kind_names],
        "longest_name": int(words.max()) if len(words) else 0,
        "strings": [len(one) for one in strings],
    }


def _sorted(columns: Mapping[str, Numbers], *by: str) -> dict[str, Numbers]:
    order = np.lexsort([columns[name] for name in reversed(by)])
    return {name: values[order] for name, values in columns.items()}


def _stacked(*columns: Numbers) -> Numbers:
    return np.stack([column.astype(np.int32, copy=False) for column in columns])


def _starts(owners: Numbers, n: int) -> Numbers:
    """Return where the items of each of n owners begin, shape (n + 1,), once sorted by owner."""
    return np.concatenate(([0], np.cumsum(np.bincount(owners, minlength=n))))


def _degrees(n: int, subject: Numbers, object_: Numbers) -> Numbers:
    """Return how many other entities each is related to, either way."""
    one, other = np.concatenate((subject, object_)), np.concatenate((object_, subject))
    pairs = np.unique(one.astype(np.int64) * n + other)
    return np.bincount(pairs // n if n else pairs, minlength=n)


def _first_of_equals(keys: Texts) -> tuple[Numbers, Texts]:
    """Return the positions at which another key begins, and these keys."""
    strings = keys[:]
    first = [i for i, key in enumerate(strings) if not i or key != strings[i - 1]]
    return np.array(first, np.int32), Texts.of(strings[i] for i in first)


def _offsets(texts: Sequence[Texts]) -> NDArray[np.int64]:
    """Return the offsets of all texts in their joined bytes, each with its own end."""
    shifts = np.cumsum([0, *(len(one.blob) for one in texts)])
    return np.concatenate([one.at + shift for one, shift in zip(texts, shifts, strict=False)])
