"""Threads that nobody waits for: Ctrl-C must not hang until an answer on its way has come."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from types import TracebackType
from typing import Generic, Self, TypeVar

Result = TypeVar("Result")


class Crew(Generic[Result]):
    """So many daemon threads. Those of ``concurrent.futures`` would be joined as Python exits.

    What a call raises, and what its frames hold, stays in its thread but for the error itself.
    """

    def __init__(self, size: int) -> None:
        self._waiting: queue.SimpleQueue[tuple[Future[Result], Callable[[], Result]] | None]
        self._waiting = queue.SimpleQueue()
        self._size = size
        for number in range(size):
            threading.Thread(target=self._work, name=f"brainkit-{number}", daemon=True).start()

    def submit(self, call: Callable[[], Result]) -> Future[Result]:
        """Let the next free thread make the call."""
        future: Future[Result] = Future()
        self._waiting.put((future, call))
        return future

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for _ in range(self._size):
            self._waiting.put(None)

    def _work(self) -> None:
        while (job := self._waiting.get()) is not None:
            future, call = job
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(call())
            except BaseException as error:  # noqa: BLE001 - it belongs to whoever waits for it
                future.set_exception(error.with_traceback(None))
