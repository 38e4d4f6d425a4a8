"""What users say of entities: kept in its order, and applied whenever the graph is made again."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal

from brainkit.errors import InvalidEdit, NoSuchEntity, nearest
from brainkit.extract.facts import Facts
from brainkit.extract.graph import Edit
from brainkit.extract.names import key_of
from brainkit.progress import steps
from brainkit.store.draft import drafting
from brainkit.store.generation import Generation
from brainkit.store.graph import GraphIndex
from brainkit.store.layout import Layout
from brainkit.store.sound import contradictions_named

_SHOWN: Final = 10
_WORDS: Final = {
    "merge": ("was not merged into", "into", "merges"),
    "alias": ("was not said to be also called", "is also", "other names"),
}


def merge(graph: GraphIndex, name: str, other: str) -> Edit:
    """Say that what one name means is the entity that another means.

    Raises NoSuchEntity if a name means none or several, InvalidEdit if they are one already.
    """
    gone, stays = entity_key(graph, name), entity_key(graph, other)
    if gone == stays:
        raise InvalidEdit(f"{name!r} and {other!r} are one entity already ({stays}).")
    return Edit("merge", gone, stays)


def alias(graph: GraphIndex, name: str, other: str) -> Edit:
    """Say that an entity is also known by another name.

    Raises NoSuchEntity if the name means none or several, InvalidEdit if the other one has neither
    letter nor digit.
    """
    other = other.strip()
    if not key_of(other):
        raise InvalidEdit(f"{other!r} has no letter or digit, so nothing could be found by it.")
    return Edit("alias", entity_key(graph, name), other)


def without(
    edits: Sequence[Edit], name: str, other: str, *, kind: Literal["merge", "alias"] = "merge"
) -> list[Edit]:
    """Return the edits without the last of this kind on these two; names may be short for its keys.

    Raises InvalidEdit, listing those there are, if it is not among them.
    """
    said = [at for at, edit in enumerate(edits) if edit.kind == kind]
    found = [at for at in said if _means(edits[at].name, name) and _means(edits[at].other, other)]
    if not found:
        was, joint, plural = _WORDS[kind]
        known = "; ".join(f"{edits[at].name} {joint} {edits[at].other}" for at in said)
        raise InvalidEdit(f"{name!r} {was} {other!r} by hand ({plural}: {known or 'none'}).")
    return [edit for at, edit in enumerate(edits) if at != found[-1]]


def followed(
    edits: Sequence[Edit],
    renamed: Mapping[str, str],
    base: Generation,
    facts: Mapping[str, Facts | None],
) -> list[Edit]:
    """Return edits that mean what they meant though files are called otherwise.

    The key of a symbol begins with the name of its module, that of one title among several ends in
    its source. renamed : source before -> source now. base : the generation before.
    facts : of the sources now.
    """
    modules: dict[str, str] = {}
    for before, text in base.chunks.facts(list(renamed)).items():
        now = facts.get(renamed[before])
        if text is not None and now is not None and now.family != "prose":
            label = before.partition("/")[0]
            with contradictions_named(f"the graph of {before}"):
                old = Facts.from_json(text).module
            modules |= _module_keys(base.graph, f"{label}.{old}", f"{label}.{now.module}")

    def moved(key: str) -> str:
        title, at, source = key.partition("@")
        for before, now in renamed.items():
            if at and source.startswith(before):
                return f"{title}@{now}{source.removeprefix(before)}"
        for before, now in modules.items():
            if f"{key}.".startswith(f"{before}."):
                return now + key.removeprefix(before)
        return key

    return [edit._replace(name=moved(edit.name), other=moved(edit.other)) for edit in edits]


def _module_keys(graph: GraphIndex, before: str, now: str) -> dict[str, str]:
    """Return the key of a module -> its key under the new name, less the same leading folders."""
    parts, new_parts = before.split("."), now.split(".")
    for left_out in range(len(parts)):
        key = key_of(".".join(parts[left_out:]))
        if graph.find(key) is not None:
            return {key: key_of(".".join(new_parts[left_out:]))}
    return {}


def apply(
    layout: Layout,
    base: Generation,
    change: Callable[[Sequence[Edit]], list[Edit]],
    *,
    exact_limit: int,
    progress: bool,
) -> str:
    """Publish a generation whose graph follows other edits. change : the edits -> those to be."""
    with drafting(layout, base.chunks) as draft:
        draft.facts.set_edits(change(draft.facts.edits()))
        return draft.publish(exact_limit=exact_limit, each=steps(progress))


def entity_key(graph: GraphIndex, name: str) -> str:
    """Return the key of the entity that a user means by its key, its name or an alias.

    Of several by that name, those that are written exactly like it are meant.
    Raises NoSuchEntity naming the nearest, or the keys of all that are meant.
    """
    exact = graph.find(name.strip())
    if exact is not None:
        return graph.keys[exact]
    named = graph.named(key_of(name))
    found = sorted({entity for entity, _, _ in named})
    if len(found) > 1:
        found = sorted({one for one, _, alias in named if alias == name.strip()}) or found
    if len(found) == 1:
        return graph.keys[found[0]]
    if found:
        raise NoSuchEntity(
            f"{name!r} may mean {len(found)} entities; give the key of one: {_told(graph, found)}."
        )
    raise NoSuchEntity(_unknown(graph, name))


def _unknown(graph: GraphIndex, name: str) -> str:
    """Return a message that names the nearest, by their last part where they are dotted."""
    owners: dict[str, list[int]] = {}
    for entity, known in enumerate(graph.names):
        short = known if " " in known else known.rpartition(".")[2] or known
        if short[:1].casefold() == name[:1].casefold():
            owners.setdefault(short, []).append(entity)
    close = difflib.get_close_matches(name, owners, n=3)
    message = f"no entity is named {name!r}{nearest(name, close)}"
    if close:
        meant = [entity for short in close for entity in owners[short]]
        message += f" The nearest: {_told(graph, meant)}."
    else:
        message += "."
    return f"{message} ({graph.reason})" if graph.reason else message


def _told(graph: GraphIndex, entities: Sequence[int]) -> str:
    shown = [f"{graph.keys[one]} ({', '.join(graph.kinds[one])})" for one in entities[:_SHOWN]]
    more = len(entities) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")


def _means(key: str, name: str) -> bool:
    return key == name or f".{key_of(key)}".endswith(f".{key_of(name)}")
