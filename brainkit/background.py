"""Work on a few threads beside an event loop, which goes on meanwhile."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

from brainkit.errors import BrainClosed

AT_ONCE = 4
"""Threads of one brain: enough to wait for a hosted model side by side, few enough for a laptop."""
T = TypeVar("T")


class Background:
    """A bounded number of threads for one owner; the rest waits its turn, first come first served.

    name : of its threads. Each does one piece of work. They are daemons: a server that never
        answers must not keep Python from ending.
    """

    def __init__(self, name: str, *, at_once: int = AT_ONCE) -> None:
        self._name = name
        self._free = at_once
        self._changing = threading.Lock()
        self._waiting: deque[_Piece] = deque()
        self._closed = False

    async def run(self, work: Callable[[], T]) -> T:
        """Return what ``work`` returns, or raise what it raises, without blocking the loop.

        Cancelled while it waits, it never starts; cancelled while it runs, it ends on its thread,
        what it returns is dropped, and the next one need not wait for that.
        Context variables are those of the caller. Raises BrainClosed after ``close``.
        """
        piece = _Piece(contextvars.copy_context(), work)
        with self._changing:
            if self._closed:
                raise BrainClosed("this brain was closed; open it again.")
            self._waiting.append(piece)
            self._start()
        try:
            found: T = await asyncio.wrap_future(piece.future)
        except asyncio.CancelledError:
            # Not at once: of those cancelled together, none may start that waits.
            asyncio.get_running_loop().call_soon(self._done, piece)
            raise
        return found

    def close(self) -> None:
        """Take no more work; what was begun or waits still runs."""
        with self._changing:
            self._closed = True

    def _start(self) -> None:
        while self._free and self._waiting:
            piece = self._waiting.popleft()
            if piece.future.set_running_or_notify_cancel():
                self._free -= 1
                piece.holds_slot = True
                threading.Thread(
                    target=self._work, args=(piece,), name=self._name, daemon=True
                ).start()

    def _work(self, piece: _Piece) -> None:
        try:
            found = piece.context.run(piece.work)
        except BaseException as error:  # noqa: BLE001 - it belongs to whoever waits for it
            self._done(piece)
            piece.future.set_exception(error)
        else:
            self._done(piece)
            piece.future.set_result(found)

    def _done(self, piece: _Piece) -> None:
        """Give the piece's slot to the next one, when it ends or when nobody waits for it."""
        with self._changing:
            if piece.holds_slot:
                piece.holds_slot = False
                self._free += 1
                self._start()


class _Piece:
    """Work, and whether it counts among those that may run at once."""

    def __init__(self, context: contextvars.Context, work: Callable[[], Any]) -> None:
        self.context = context
        self.work = work
        self.future: Future[Any] = Future()
        self.holds_slot = False
