"""The kinds of view that a report can hold: how each is stored in its file, and what draws it.

A new kind joins here. The rest of the exporter treats every kind alike.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from brainkit.report.packed import Pack
from brainkit.widgets.view import (
    EVALUATION_TAG,
    EVALUATIONS,
    KINDS,
    LESSON_TAG,
    LESSONS,
    SCHEMA,
    evaluation_source,
    lesson_source,
)

Json = dict[str, Any]


@dataclass(frozen=True)
class Kind:
    """One kind of view.

    store : what is stored of a view, given the chunks that all views of the file share. It raises
        one of ``body.DAMAGED`` for one that is not what it says. The table is beside it anyway.
    element, module : the custom element that draws itself from the JSON in it, and the source that
        defines it; none for what ``report.js`` draws. A file carries a module once, and only if
        something in it needs it.
    """

    store: Callable[[Pack, Json], Json]
    element: str = ""
    module: Callable[[], str] | None = None


def whole(_: Pack, view: Json) -> Json:
    """Return all of a view but its table: the store of kinds that share nothing with others."""
    return {name: value for name, value in view.items() if name != "table"}


REGISTERED: Final[dict[str, Kind]] = {
    **dict.fromkeys(KINDS, Kind(Pack.add)),
    **dict.fromkeys(EVALUATIONS, Kind(whole, element=EVALUATION_TAG, module=evaluation_source)),
    **dict.fromkeys(LESSONS, Kind(whole, element=LESSON_TAG, module=lesson_source)),
}


def kind_of(view: Any) -> Kind | None:
    """Return the kind of a view; None for another schema, or a kind of which nothing is known."""
    if not isinstance(view, dict) or view.get("schema") != SCHEMA:
        return None
    kind = view.get("kind")
    return REGISTERED.get(kind) if isinstance(kind, str) else None
