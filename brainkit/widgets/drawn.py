"""What everything that a notebook draws can do besides: be a page, and be a live output."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any

from brainkit.widgets.cells import kernel
from brainkit.widgets.view import mimebundle


class Drawn(ABC):
    """Something with a view of its own; its ``repr`` is what terminals and diffs get."""

    @property
    @abstractmethod
    def title(self) -> str:
        """What a page of it is called."""

    @abstractmethod
    def view(self) -> dict[str, Any]:
        """Return it as the browser draws it (``widgets.view``)."""

    def save_html(self, path: str | os.PathLike[str]) -> Path:
        """Write it as one page that is live anywhere, and return where it is.

        It needs no network, no kernel and no other file. An existing file is replaced.
        Raises InvalidSetting if it cannot be written.
        """
        from brainkit.report.standalone import save_items

        return save_items([self], path, title=self.title)

    def _repr_html_(self) -> str:
        return str(self.view()["table"])

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any] | None:
        """In a notebook, the live view; None elsewhere, where ``__repr__`` says it all."""
        return None if kernel() is None else mimebundle(self.view(), plain=repr(self))
