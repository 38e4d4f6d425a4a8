"""Relevance labels of what a widget shows, kept with the brain they are about."""

from __future__ import annotations

from collections.abc import Iterable

from brainkit.errors import NoSuchSource
from brainkit.evaluation.judgments import Judgment, Judgments, default_labeller
from brainkit.widgets.corpus import Tables, places


def grades(
    judgments: Judgments, brain: Tables, query: str, chunk_ids: Iterable[str]
) -> dict[str, int]:
    """Return chunk_id -> grade of the chunks that this person labelled for a query.

    A label finds its text again wherever it is now: it holds the hash of its content.
    """
    known = judgments.of(query, labeller=default_labeller())
    if not known:
        return {}
    found = {}
    for chunk_id, place in places(brain, chunk_ids).items():
        label = known.get(place["content"])
        if label is not None and label.grade is not None:
            found[chunk_id] = label.grade
    return found


def put(judgments: Judgments, brain: Tables, query: str, chunk_id: str, grade: int | None) -> None:
    """Write one label, or take it back with ``None``. Raises NoSuchSource, InvalidSetting."""
    place = places(brain, [chunk_id]).get(chunk_id)
    if place is None:
        raise NoSuchSource(
            f"chunk {chunk_id} is not in this brain any more; ask again to see what is."
        )
    first, last = place["start_line"], place["end_line"]
    label = Judgment(
        query=query,
        source=place["source"],
        lines=f"{first}" if first == last else f"{first}-{last}",
        grade=grade,
        labeller=default_labeller(),
        note="",
        when="",
        chunk_id=chunk_id,
        content=place["content"],
    )
    if grade is None:
        judgments.remove(label.key)
    else:
        judgments.put(label)
