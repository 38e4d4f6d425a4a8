"""What a checker says of an answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from brainkit import markup

if TYPE_CHECKING:
    from rich.console import RenderableType

State = Literal["open", "right", "hint", "noted"]

_HEADS: Final[dict[State, str]] = {
    "open": "not answered yet",
    "right": "right",
    "hint": "not yet",
    "noted": "noted",
}
_LOOKS: Final[dict[State, tuple[str, str]]] = {  # of a terminal and of a page
    "open": ("dim", "var(--jp-border-color1,#8888)"),
    "right": ("bold green", "var(--jp-success-color1,#2e7d32)"),
    "hint": ("bold yellow", "var(--jp-warn-color1,#c77700)"),
    "noted": ("bold", "var(--jp-border-color1,#8888)"),
}


@dataclass(frozen=True)
class Verdict:
    """What a checker says of one answer. It is true if the answer is right.

    state : ``open`` (not answered yet), ``right``, ``hint``, or ``noted`` for a prediction, which
        is neither right nor wrong. text : why it is right, or what to look at.
    """

    state: State
    text: str = ""

    def __bool__(self) -> bool:
        return self.state == "right"

    def __str__(self) -> str:
        head = _HEADS[self.state]
        return f"{head}: {self.text}" if self.text else head

    def __repr__(self) -> str:
        return markup.terminal(self)

    def __rich__(self) -> RenderableType:
        from rich.text import Text

        line = Text(_HEADS[self.state], style=_LOOKS[self.state][0])
        return (
            line.append(markup.terminal(f": {self.text}"), style="not bold") if self.text else line
        )

    def _repr_html_(self) -> str:
        edge = _LOOKS[self.state][1]
        text = f": {markup.text(self.text)}" if self.text else ""
        return markup.block(
            [
                f'<div role="status" style="border-left:3px solid {edge};padding:.1em .6em">'
                f"<b>{_HEADS[self.state]}</b>{text}</div>"
            ]
        )
