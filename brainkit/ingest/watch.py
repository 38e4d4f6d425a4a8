"""Keep a brain up to date with a folder: ingest again after each change, in the background."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from brainkit.errors import BrainBusy, BrainClosed
from brainkit.ingest.report import IngestReport
from brainkit.settings import WATCH_DEBOUNCE_MS

log = logging.getLogger("brainkit")
_RETRY_SECONDS = 2.0


class Watcher:
    """A running watch: ``report`` is the last ingest, ``stop()`` ends it.

    ingest : brings the brain up to date and reports. on_report : called after each ingest that
        changed something. Whatever goes wrong stays in ``error`` and is logged; the next change
        tries again.
    Raises what the first ingest raises; then nothing is watched.
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
        from watchfiles import DefaultFilter, watch

        self.folder = folder
        self.error: Exception | None = None
        self._ingest = ingest
        self._on_report = on_report
        self._stop = threading.Event()
        self._changed = threading.Condition()
        self._rounds = 0
        self.report = ingest()
        # One empty round at once: what changed between the first ingest and now is not missed.
        rounds = watch(
            folder,
            watch_filter=_Relevant([str(path) for path in avoid], DefaultFilter()),
            debounce=debounce_ms,
            stop_event=self._stop,
            rust_timeout=1000,
            yield_on_timeout=True,
            raise_interrupt=False,
        )
        self._thread = threading.Thread(
            target=self._run, args=(rounds,), name=f"watch {folder}", daemon=True
        )
        self._thread.start()

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

    def _run(self, rounds: Iterable[object]) -> None:
        pending = True
        try:
            with self._kept():  # the watch itself may fail, for want of file handles
                for changes in rounds:
                    if changes or pending:
                        pending = not self._again()
        except BrainClosed:
            return

    def _again(self) -> bool:
        """Ingest once; False if another writer was in the way, so that it must be tried again."""
        with self._kept():
            try:
                report = self._ingest()
            except BrainBusy:
                self._stop.wait(_RETRY_SECONDS)
                return False
            self.error = None
            if report.changed:
                self.report = report
                with self._changed:
                    self._rounds += 1
                    self._changed.notify_all()
                if self._on_report is not None:
                    self._on_report(report)
        return True

    @contextmanager
    def _kept(self) -> Iterator[None]:
        """Keep an error instead of ending the thread, above which is nobody to see it."""
        try:
            yield
        except BrainClosed:
            raise
        except Exception as error:  # noqa: BLE001 - embedders and on_report are users' code
            log.warning("watching %s: %s: %s", self.folder, type(error).__name__, error)
            self.error = error


class _Relevant:
    """Whether a change on disk is worth a look: not in caches, and never in a brain."""

    def __init__(self, avoid: Sequence[str], usual: Callable[..., bool]) -> None:
        self._avoid = avoid
        self._usual = usual

    def __call__(self, change: object, path: str) -> bool:
        inside = any(path == folder or path.startswith(f"{folder}/") for folder in self._avoid)
        brains = any(part.endswith(".brain") for part in Path(path).parts)
        return not inside and not brains and self._usual(change, path)
