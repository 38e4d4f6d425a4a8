"""Work on a thread of its own, of which only the newest piece that waits is ever done."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

log = logging.getLogger(__name__)

Job = Callable[[], None]


class Newest:
    """Runs jobs one at a time on a thread, and of those that wait only the newest.

    What a job raises is logged, and the next one runs. The thread ends when nothing is left to do.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._changed = threading.Condition()
        self._waiting: Job | None = None
        self._running = False

    def put(self, job: Job) -> None:
        """Run a job as soon as the present one is done, in place of any other that waits."""
        with self._changed:
            self._waiting = job
            if not self._running:
                self._running = True
                threading.Thread(target=self._work, name=self._name, daemon=True).start()

    def drop(self) -> None:
        """Forget the job that waits; one that runs goes on."""
        with self._changed:
            self._waiting = None

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until nothing runs or waits; return False if it took longer than ``timeout`` s."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._running, timeout)

    def _work(self) -> None:
        try:
            while (job := self._next()) is not None:
                try:
                    job()
                except Exception:
                    log.exception("A job of %s failed.", self._name)
        except BaseException:
            self._end()  # or what is put next would wait for a thread that is gone
            raise

    def _next(self) -> Job | None:
        with self._changed:
            job, self._waiting = self._waiting, None
            if job is None:
                self._end()
            return job

    def _end(self) -> None:
        with self._changed:
            self._running = False
            self._changed.notify_all()
