"""Which notebook cell made a widget, so that running the cell again replaces it."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Mapping
from typing import Any, Protocol

_LOCK = threading.Lock()
_MADE: dict[str, tuple[str, list[weakref.ref[Closable]]]] = {}
"""Cell -> the run that made its widgets, and they."""


class Closable(Protocol):
    """What can be closed."""

    def close(self) -> None:
        """Let go."""
        ...


def kernel() -> Any:
    """Return the Jupyter kernel that this is; None in a script or terminal."""
    from IPython import get_ipython

    return getattr(get_ipython(), "kernel", None)


def made(widget: Closable) -> None:
    """Note that the running cell made a widget; close what earlier runs of that cell made.

    Widgets that one run makes stay side by side. Those of cells that were deleted are closed, too.
    Outside a cell (a callback, a script) nothing is noted.
    """
    cell, run, deleted = _running()
    if cell is None:
        return
    with _LOCK:
        gone = [_MADE.pop(one) for one in deleted if one in _MADE]
        before = _MADE.get(cell)
        if before is None or before[0] != run:
            gone += [before] if before else []
            _MADE[cell] = before = (run, [])
        before[1].append(weakref.ref(widget))
    for _, references in gone:
        for reference in references:
            if (old := reference()) is not None:
                old.close()


def _running() -> tuple[str | None, str, list[str]]:
    """The cell that runs now, which run of it, and the cells that were deleted since."""
    parent: Mapping[str, Any] = {} if (running := kernel()) is None else running.get_parent()
    header = parent.get("header") or {}
    if header.get("msg_type") != "execute_request":
        return None, "", []
    metadata = parent.get("metadata") or {}
    # Front ends that don't say which cell it is run the same code again.
    cell = metadata.get("cellId") or (parent.get("content") or {}).get("code")
    return cell, str(header.get("msg_id", "")), list(metadata.get("deletedCells") or ())
