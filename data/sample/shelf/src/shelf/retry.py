"""Try again when the server is busy or away, and wait longer each time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import TypeVar

from shelf.config import MAX_RETRIES
from shelf.errors import ServerBusy, TransportError

MAX_DELAY_SECONDS = 30.0

T = TypeVar("T")


def backoff_delays(
    retries: int, *, first_delay_seconds: float = 1.0, factor: float = 2.0
) -> Iterator[float]:
    """Yield one wait per retry: the first delay, doubled each time, never above thirty seconds.

    >>> list(backoff_delays(6))
    [1.0, 2.0, 4.0, 8.0, 16.0, 30.0]
    """
    for attempt in range(retries):
        yield min(first_delay_seconds * factor**attempt, MAX_DELAY_SECONDS)


def retry_with_backoff(
    call: Callable[[], T],
    *,
    max_retries: int = MAX_RETRIES,
    first_delay_seconds: float = 1.0,
    sleep: Callable[[float], None] = time.sleep,
) -> T:
    """Return what `call` returns, trying again after a `TransportError`.

    A server that names its own wait (`ServerBusy.retry_after_seconds`) gets that wait, up to thirty
    seconds. Other errors pass straight through: asking again does not mend a bad request.
    Raises the last TransportError when the retries are used up.
    """
    for delay in backoff_delays(max_retries, first_delay_seconds=first_delay_seconds):
        try:
            return call()
        except ServerBusy as busy:
            asked = busy.retry_after_seconds
            sleep(delay if asked is None else min(asked, MAX_DELAY_SECONDS))
        except TransportError:
            sleep(delay)
    return call()
