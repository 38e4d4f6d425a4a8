"""When to ask again: bounded, with jitter, as late as the server asks, and together."""

from __future__ import annotations

import math
import random
import threading
import time
from collections.abc import Callable
from typing import Final

from brainkit.hosted.failure import Failure

FIRST_WAIT_SECONDS: Final = 1.0
LONGEST_WAIT_SECONDS: Final = 30.0
LONGEST_RETRY_AFTER_SECONDS: Final = 120.0
"""A server that asks for more is not waited for: the run ends, and says so."""
TIMEOUTS: Final = 1
"""Attempts after one that got no answer in time: each costs the whole time limit again."""
GARBLED: Final = 2
"""Attempts after an answer that is none: each may be paid for."""
_JITTER: Final = 0.25


class Pace:
    """When requests to one server may go out; shared by the threads of all runs, so that one
    told to wait holds the others back, too.

    retries : of one request after ``busy`` and ``lost``.
    clock, sleep, chance : seconds that only grow; a wait, by default one that ends with its run; a
        number from 0 up to 1.
    """

    def __init__(
        self,
        retries: int,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], object] | None = None,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self._retries = retries
        self._clock = clock
        self._sleep = sleep
        self._chance = chance
        self._changing = threading.Lock()
        self._not_before = clock()

    def wait(self, ended: threading.Event, *, within: float = math.inf) -> bool:
        """Wait until a request may go out, or the run has ended.

        Return False at once if that is more than ``within`` seconds away.
        """
        while not ended.is_set() and (left := self._not_before - self._clock()) > 0:
            if left > within:
                return False
            (self._sleep or ended.wait)(left)
        return True

    def again(self, failure: Failure, attempt: int, *, retries: int | None = None) -> bool:
        """Tell whether to try again, and hold everyone back until then.

        attempt : how many there were, this one included. retries : instead of the usual number.
        Waits double from 1 s to 30 s, a quarter of them by chance, so that many clients of one
        server do not come back at the same moment; a server that names a time is given it.
        """
        most = self._retries if retries is None else retries
        allowed = {"timeout": min(most, TIMEOUTS), "garbled": min(most, GARBLED)}
        if failure.kind in ("refused", "capped", "fatal"):
            return False
        if attempt > allowed.get(failure.kind, most):
            return False
        asked = failure.retry_after_seconds
        if asked is not None and asked > LONGEST_RETRY_AFTER_SECONDS:
            return False
        usual = min(FIRST_WAIT_SECONDS * 2.0 ** (attempt - 1), LONGEST_WAIT_SECONDS)
        if asked is None:
            seconds = usual * (1 - _JITTER * self._chance())
        else:
            seconds = asked + min(usual, 1.0) * _JITTER * self._chance()
        if failure.kind in ("timeout", "garbled"):
            return True  # it has waited, or there is nothing to wait for
        with self._changing:
            self._not_before = max(self._not_before, self._clock() + seconds)
        return True
