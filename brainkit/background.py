"""Work on a few threads beside an event loop, which goes on meanwhile."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from brainkit.errors import BrainClosed

AT_ONCE = 4
"""Threads of one brain: enough to wait for a hosted model side by side, few enough for a laptop."""
T = TypeVar("T")


class Background:
    """A bounded pool of threads for one owner; the rest waits its turn, first come first served.

    name : of its threads. Threads start with the first work and end with ``close``, or when the
        owner is forgotten.
    """

    def __init__(self, name: str, *, workers: int = AT_ONCE) -> None:
        self._name = name
        self._workers = workers
        self._opening = threading.Lock()
        self._pool: ThreadPoolExecutor | None = None
        self._closed = False

    async def run(self, work: Callable[[], T]) -> T:
        """Return what ``work`` returns, or raise what it raises, without blocking the loop.

        Cancelled while it waits, it never starts; cancelled while it runs, it ends on its thread
        and what it returns is dropped. Context variables are those of the caller.
        Raises BrainClosed after ``close``.
        """
        context = contextvars.copy_context()
        with self._opening:
            if self._closed:
                raise BrainClosed("this brain was closed; open it again.")
            if self._pool is None:
                self._pool = ThreadPoolExecutor(self._workers, thread_name_prefix=self._name)
            future = self._pool.submit(context.run, work)
        return await asyncio.wrap_future(future)

    def close(self) -> None:
        """Take no more work; what was begun or waits still runs, and its threads then end."""
        with self._opening:
            self._closed = True
            if self._pool is not None:
                self._pool.shutdown(wait=False)
