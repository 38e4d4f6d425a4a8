"""The settings that a brain answers with where a question gives none, and where they come from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from brainkit import markup
from brainkit.models import Notice, QueryRequest
from brainkit.store.defaults import Stored

if TYPE_CHECKING:
    from pandas import DataFrame
    from rich.console import RenderableType

_BUILT_IN = QueryRequest(query="?")


@dataclass(frozen=True)
class Defaults:
    """What ``brain.defaults()`` returns: the settings in force, and the origin of each.

    name : of the brain. stored : what ``brain.use`` stored, None for the built-in defaults.
    problem : why what is stored cannot be used; the built-in defaults then hold. embedder : whose
    vectors the brain has now.
    """

    name: str
    stored: Stored | None = None
    problem: str | None = None
    embedder: str = ""

    @property
    def own(self) -> dict[str, Any]:
        """The settings that are this brain's own: a configuration for ``brainkit.evaluate``."""
        return {} if self.stored is None else dict(self.stored.settings)

    @property
    def settings(self) -> dict[str, Any]:
        """Every setting in force, as JSON has it."""
        plain = _BUILT_IN.model_dump(mode="json", exclude={"query"})
        return {**plain, **self.own}

    @property
    def stale(self) -> bool:
        """Whether they were stored for the vectors of another embedder than the brain has now."""
        was = self.stored.embedder if self.stored else ""
        return bool(was and self.embedder and was != self.embedder)

    def filled(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        """Return the fields of a question with the brain's own defaults in place of those left out.

        A depth or ``top_k`` that the question contradicts by the other gives way, as the built-in
        depth does.
        """
        own = self.own
        filled = {**own, **fields}
        top_k, depth = filled.get("top_k"), filled.get("depth")
        if isinstance(top_k, int) and isinstance(depth, int) and depth < top_k:
            if "depth" not in fields and "depth" in own:
                filled["depth"] = top_k
            elif "top_k" not in fields and "top_k" in own:
                filled["top_k"] = depth
        return filled

    def notice(self, fields: Mapping[str, Any]) -> Notice | None:
        """Return what a reader of an answer should know; None if only built-in defaults count.

        fields : what the question gave itself.
        """
        if self.problem:
            return Notice(kind="defaults-damaged", message=self.problem)
        plain = _BUILT_IN.model_dump(mode="json")
        used = {n: v for n, v in self.own.items() if n not in fields and v != plain[n]}
        if not used:
            return None
        settings = ", ".join(f"{name}={_shown(value)}" for name, value in used.items())
        return Notice(kind="defaults", message=f"this brain's own defaults: {settings}.")

    def origin(self, name: str) -> str:
        """Return where a setting comes from, in a word or two."""
        return f"stored by {self.stored.by}" if self.stored and name in self.own else "built-in"

    def table(self) -> DataFrame:
        """Return one row per setting: its value and where that comes from."""
        import pandas as pd

        rows = [(name, _shown(value), self.origin(name)) for name, value in self.settings.items()]
        frame = pd.DataFrame(rows, columns=["setting", "value", "from"])
        return frame.set_index("setting")

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data for JSON."""
        stored = self.stored
        return {
            "settings": self.settings,
            "own": self.own,
            "from": "built-in" if stored is None else stored.told,
            "by": stored and stored.by,
            "when": stored and stored.when,
            "figures": stored and dict(stored.figures),
            "stale": self.stale,
            "problem": self.problem,
        }

    def summary(self) -> str:
        """Return where the settings come from, in a sentence or two."""
        if self.problem:
            return self.problem
        if self.stored is None:
            return f"{self.name} has the built-in defaults; brain.use(...) stores others."
        settings = ", ".join(f"{name}={_shown(value)}" for name, value in self.own.items())
        text = (
            f"{self.name} has defaults of its own: {settings}. Stored by {self.stored.by} on "
            f"{self.stored.when}, from {self.stored.told.rstrip('.')}."
        )
        if self.stale:
            text += (
                f" The vectors were of {self.stored.embedder} then, and are of {self.embedder} "
                "now: tune again."
            )
        return text

    def __rich__(self) -> RenderableType:
        from rich.console import Group
        from rich.table import Table
        from rich.text import Text

        grid = Table(box=None, pad_edge=False, header_style="dim")
        for name in ("setting", "value", "from"):
            grid.add_column(name, overflow="fold")
        for name, value, origin in self.table().itertuples():
            cells = [Text(markup.terminal(cell)) for cell in (name, value, origin)]
            grid.add_row(*cells, style="bold" if name in self.own else "")
        return Group(Text(markup.terminal(self.summary())), grid)

    def __repr__(self) -> str:
        return markup.terminal(f"{self.summary()}\n{self.table().to_string()}")

    def _repr_html_(self) -> str:
        rows = [(name, *row) for name, *row in self.table().itertuples()]
        return markup.table(
            ("setting", "value", "from"), rows, caption=self.name, footer=self.summary()
        )


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name}: {_shown(one)}" for name, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_shown, value)) + "]"
    return f"{value:.6g}" if isinstance(value, float) else str(value)
