"""Keep a brain up to date with a folder: ingest again after each change, in the background."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from brainkit.errors import BrainBusy, BrainClosed, BrainkitError
from brainkit.ingest.report import IngestReport
from brainkit.settings import WATCH_DEBOUNCE_MS

log = logging.getLogger("brainkit")
_RETRY_SECONDS = 2.0


class Watcher:
    """A running watch: ``report`` is the last ingest, ``stop()`` ends it.

    ingest : brings the brain up to date and reports. on_report : called after each ingest that
        changed something. An error stays in ``error`` and is logged; the next change tries again.
    """

    def __init__(
        self,
        ingest: Callable[[], IngestReport],
        folder: Path,
        *,
        avoid: Sequence[Path],
        debounce_ms: int = WATCH_DEBOUNCE_MS,
        on_report: Callable[[IngestReport], None] | None = None,
    ) -> None:
        self.folder = folder
        self.error: BrainkitError | None = None
        self._ingest = ingest
        self._avoid = [str(path) for path in avoid]
        self._debounce_ms = debounce_ms
        self._on_report = on_report
        self._stop = threading.Event()
        self._ready = threading.Event()
        self._changed = threading.Condition()
        self._rounds = 0
        self.report = ingest()
        self._thread = threading.Thread(target=self._run, name=f"watch {folder}", daemon=True)
        self._thread.start()
        self._ready.wait()

    @property
    def running(self) -> bool:
        """Tell whether changes are still being taken in."""
        return self._thread.is_alive()

    def wait(self, rounds: int = 1, *, timeout_seconds: float | None = None) -> bool:
        """Wait until so many ingests have followed a change; False if the time ran out before."""
        with self._changed:
            return self._changed.wait_for(lambda: self._rounds >= rounds, timeout_seconds)

    def join(self) -> None:
        """Wait until the watch ends, interruptibly."""
        while self._thread.is_alive():
            self._thread.join(0.2)

    def stop(self) -> None:
        """End the watch; an ingest under way finishes first."""
        self._stop.set()
        if threading.current_thread() is not self._thread:
            self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.stop()

    def __repr__(self) -> str:
        state = "watching" if self.running else "stopped watching"
        return f"<{state} {self.folder}: {self._rounds} updates; last: {self.report.summary()}>"

    def _run(self) -> None:
        from watchfiles import DefaultFilter, watch

        # One empty round at once: what changed between the first ingest and now is not missed.
        rounds = watch(
            self.folder,
            watch_filter=_Relevant(self._avoid, DefaultFilter()),
            debounce=self._debounce_ms,
            stop_event=self._stop,
            rust_timeout=1000,
            yield_on_timeout=True,
            raise_interrupt=False,
        )
        pending = True
        self._ready.set()
        for changes in rounds:
            if not (changes or pending):
                continue
            try:
                pending = not self._again()
            except BrainClosed:
                return

    def _again(self) -> bool:
        """Ingest once; False if another writer was in the way, so that it must be tried again."""
        try:
            report = self._ingest()
        except BrainBusy:
            self._stop.wait(_RETRY_SECONDS)
            return False
        except BrainClosed:
            raise
        except BrainkitError as error:
            log.warning("watching %s: %s", self.folder, error)
            self.error = error
            return True
        self.error = None
        if report.changed:
            self.report = report
            with self._changed:
                self._rounds += 1
                self._changed.notify_all()
            if self._on_report is not None:
                self._on_report(report)
        return True


class _Relevant:
    """Whether a change on disk is worth a look: not in caches, and never in a brain."""

    def __init__(self, avoid: Sequence[str], usual: Callable[..., bool]) -> None:
        self._avoid = avoid
        self._usual = usual

    def __call__(self, change: object, path: str) -> bool:
        inside = any(path == folder or path.startswith(f"{folder}/") for folder in self._avoid)
        brains = any(part.endswith(".brain") for part in Path(path).parts)
        return not inside and not brains and self._usual(change, path)
