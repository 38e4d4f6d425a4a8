"""Names that were taken for one entity, and why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from brainkit import markup
from brainkit.extract.graph import Edit
from brainkit.store.generation import Generation

if TYPE_CHECKING:
    from pandas import DataFrame
    from rich.console import RenderableType


@dataclass(frozen=True, slots=True)
class Merged:
    """One entity under several names. key : its canonical key."""

    name: str
    key: str
    names: tuple[str, ...]
    reason: str


@dataclass(frozen=True)
class Merges:
    """What was taken for one entity by its spelling or by hand, and all that was said by hand.

    edits : in the order they were made; one whose names are not in the brain waits for them.
    """

    rows: tuple[Merged, ...]
    edits: tuple[Edit, ...]

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Merged]:
        return iter(self.rows)

    def to_frame(self) -> DataFrame:
        """Return one row per merge: name, key, names, reason."""
        import pandas as pd

        columns = list(Merged.__dataclass_fields__)
        return pd.DataFrame([asdict(row) for row in self.rows], columns=columns)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data, for JSON."""
        return {
            "merges": [asdict(row) for row in self.rows],
            "edits": [edit._asdict() for edit in self.edits],
        }

    def summary(self) -> str:
        """Return how many merges there are, and how many edits were made by hand."""
        many, by_hand = len(self.rows), len(self.edits)
        return (
            f"{many or 'No'} {'entities have' if many > 1 else 'entity has'} several names that "
            f"were taken for one; {by_hand:,} {'edit' if by_hand == 1 else 'edits'} by hand."
        )

    def said(self) -> list[str]:
        """Return each edit by hand with the call that takes it back."""
        return [
            f"{edit.name} is {edit.other}: unmerge({edit.name!r}, {edit.other!r}) undoes it"
            if edit.kind == "merge"
            else f"{edit.name} is also called {edit.other}: "
            f"unalias({edit.name!r}, {edit.other!r}) undoes it"
            for edit in self.edits
        ]

    def __repr__(self) -> str:
        lines = [f"{row.name}: {', '.join(row.names)} ({row.reason})" for row in self.rows]
        return markup.terminal("\n".join([self.summary(), *lines, *self.said()]))

    def __rich__(self) -> RenderableType:
        from rich.text import Text

        return Text(repr(self))

    def _repr_html_(self) -> str:
        rows = [[row.name, ", ".join(row.names), row.reason] for row in self.rows]
        headers, said = ["entity", "names", "why"], " · ".join(self.said())
        return markup.table(headers, rows, caption=self.summary(), footer=said)


def merges_of(generation: Generation) -> Merges:
    """Read the merges of a generation, in the order of their keys, and what users said."""
    if not generation.chunks.has_graph:
        return Merges((), ())
    with generation.chunks.cursor() as cursor:
        merged = cursor.execute(
            "select name, key, names, reason from merges join entities on entity = id "
            "order by key, reason, names"
        ).fetchall()
        edits = cursor.execute("select kind, name, other from entity_edits order by ord").fetchall()
    rows = tuple(Merged(name, key, tuple(names), why) for name, key, names, why in merged)
    return Merges(rows, tuple(Edit(*edit) for edit in edits))
