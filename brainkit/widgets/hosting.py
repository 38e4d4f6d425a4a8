"""What every widget does: its place among the browser's modules, its messages, its end."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib.resources import files
from typing import Any, ClassVar

import anywidget
import traitlets

from brainkit.errors import BrainkitError
from brainkit.widgets.cells import made

HAND = threading.RLock()
"""Held while traits change: JupyterLab may call from another thread than the cell's. One for all
widgets, since linked ones change each other."""


@cache
def explorer_source() -> str:
    """Return the browser's modules with what connects them to a kernel, as one ES module."""
    return files("brainkit.widgets").joinpath("static/explorer.js").read_text("utf-8")


class Hosted(anywidget.AnyWidget):
    """A view that a kernel serves; ``js/widget.js`` is its other half.

    The browser asks by messages ``{"id", "ask", ...}``; ``asks`` names the method for each, whose
    result goes back as ``{"id", "reply"}``, and what it raises as ``{"id", "error"}``.
    Running a cell again closes the widgets that it made before; see ``cells``.
    """

    _esm = explorer_source()
    _kind = traitlets.Unicode().tag(sync=True)

    asks: ClassVar[Mapping[str, str]] = {}

    def __init__(self, **traits: Any) -> None:
        self._owns_layout = "layout" not in traits
        self._hearing = threading.local()
        super().__init__(**traits)
        self.on_msg(self._heard)
        made(self)

    def set_state(self, sync_data: Mapping[str, Any]) -> None:
        """Take what the browser changed; what cannot be is told in the view, not raised."""
        with HAND, self._told(), self._from_browser():
            super().set_state(sync_data)

    def _should_send_property(self, key: str, value: Any) -> bool:
        with HAND:  # else what one thread changes could be lost at the end of another's hold_sync
            return bool(super()._should_send_property(key, value))

    def close(self) -> None:
        """Take every view of the widget off the page, and let go of what it held."""
        if self.comm is None:  # closed before, or never finished
            return
        layout = self.layout if self._owns_layout else None
        super().close()
        if layout is not None:
            layout.close()
        self.unobserve_all()
        self._let_go()

    def _let_go(self) -> None:
        """Keep nothing alive: IPython's ``Out`` still holds the widget."""

    @property
    def _is_heard(self) -> bool:
        """Whether the browser makes the change that is going on in this thread."""
        return getattr(self._hearing, "on", False)

    @contextmanager
    def _from_browser(self) -> Iterator[None]:
        self._hearing.on = True
        try:
            yield
        finally:
            self._hearing.on = False

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Show what goes wrong in the block: exceptions of callbacks would vanish."""
        try:
            yield
        except Exception as error:  # whoever waits sits before the view
            self._tell(said(error))
            if not isinstance(error, BrainkitError | traitlets.TraitError):
                self.log.exception("brainkit: %s", type(self).__name__)

    def _tell(self, problem: str) -> None:
        """Show a problem in the view."""
        raise NotImplementedError

    def _heard(self, _: Hosted, content: Any, __: Any) -> None:
        name = self.asks.get(str(content.get("ask"))) if isinstance(content, dict) else None
        if name is None:
            return
        method: Callable[[Mapping[str, Any]], Any] = getattr(self, name)
        try:
            reply = {"reply": method(content)}
        except Exception as error:  # noqa: BLE001  # as in _told
            reply = {"error": said(error)}
        self.send({"id": content.get("id"), **reply})


def said(error: Exception) -> str:
    """Return what to tell people of an exception: ours speak for themselves."""
    if isinstance(error, BrainkitError | traitlets.TraitError):
        return str(error)
    return f"{type(error).__name__}: {error}"
