"""Whether the arrays of an entity graph lead nowhere but to each other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeGuard

from numpy.typing import NDArray

from brainkit.store.sound import Unsound, bounds, texts, within

_LISTED = {"predicates": str, "kinds": list, "strings": int}


def check(arrays: Mapping[str, NDArray[Any]], words: Any) -> None:
    """Raise Unsound unless a graph can be read without leaving its arrays.

    arrays, words : as `graph_arrays.arrays_of` gives them; types and numbers of columns are right.
    """
    if not isinstance(words, dict) or not all(
        isinstance(words.get(name), list) and all(isinstance(one, kind) for one in words[name])
        for name, kind in _LISTED.items()
    ):
        raise Unsound("the graph does not say what its numbers mean")
    rows, longest = words.get("rows"), words.get("longest_name")
    if not (_is_size(rows) and _is_size(longest)):
        raise Unsound("the graph does not say how large it is")
    if not all(isinstance(kind, str) for kinds in words["kinds"] for kind in kinds):
        raise Unsound("the graph has kinds of entities without a name")
    texts(arrays["strings"], arrays["strings_at"], words["strings"])
    size = arrays["entities"].shape[1]
    if len(words["strings"]) != 4 or words["strings"][:2] != [size, size]:
        raise Unsound("the graph has other names than entities")
    alias_keys, aliases = words["strings"][2:]
    relations = arrays["relations"].shape[1]
    mentions = arrays["mentions"].shape[1]
    within("the graph's kinds", arrays["entities"][0], len(words["kinds"]))
    within("the graph's relations", arrays["relations"][[0, 2]], size)
    within("the graph's relations", arrays["relations"][1], len(words["predicates"]))
    within("the graph's relations", arrays["into"], relations)
    within("the graph's support", arrays["support"][0], rows)
    within("the graph's mentions", arrays["mentions"][0], size)
    within("the graph's mentions", arrays["mentions"][1], rows)
    within("the graph's chunks", arrays["in_chunk"], mentions)
    within("the graph's aliases", arrays["alias_of"], size)
    lengths = {
        "out_from": (size, relations),
        "into_from": (size, len(arrays["into"])),
        "support_from": (relations, arrays["support"].shape[1]),
        "mentions_from": (size, mentions),
        "in_chunk_from": (rows, len(arrays["in_chunk"])),
        "alias_from": (alias_keys, len(arrays["alias_of"])),
    }
    for name, (owners, items) in lengths.items():
        if len(arrays[name]) != owners + 1:
            raise Unsound(f"{name} has {len(arrays[name]):,} bounds for {owners:,} owners")
        bounds(name, arrays[name], items)
    for name, items in {"about": mentions, "weights": mentions, "alias_weights": aliases}.items():
        if len(arrays[name]) != items:
            raise Unsound(f"{name} has {len(arrays[name]):,} numbers for {items:,}")
    if len(arrays["alias_of"]) != aliases:
        raise Unsound("the graph has other aliases than are named")


def _is_size(value: Any) -> TypeGuard[int]:
    return type(value) is int and 0 <= value < 2**31
