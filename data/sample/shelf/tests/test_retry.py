from __future__ import annotations

import pytest

from shelf import MAX_RETRIES, retry_with_backoff
from shelf.errors import InvalidQuery, ServerBusy, TransportError
from shelf.retry import backoff_delays


class Flaky:
    """Raises the given errors in turn, then answers."""

    def __init__(self, *errors: Exception) -> None:
        self.errors = list(errors)
        self.calls = 0

    def __call__(self) -> str:
        self.calls += 1
        if self.errors:
            raise self.errors.pop(0)
        return "answer"


def test_backoff_delays_double_up_to_the_cap() -> None:
    assert list(backoff_delays(6)) == [1.0, 2.0, 4.0, 8.0, 16.0, 30.0]


def test_max_retries_wait_fifteen_seconds_in_all() -> None:
    assert sum(backoff_delays(MAX_RETRIES)) == 1 + 2 + 4 + 8


def test_retry_with_backoff_waits_between_attempts() -> None:
    waits: list[float] = []
    call = Flaky(TransportError("away"), TransportError("away"))
    assert retry_with_backoff(call, sleep=waits.append) == "answer"
    assert waits == [1.0, 2.0]


def test_retry_with_backoff_obeys_the_servers_own_wait() -> None:
    waits: list[float] = []
    call = Flaky(ServerBusy("busy", retry_after_seconds=7), ServerBusy("busy"))
    retry_with_backoff(call, sleep=waits.append)
    assert waits == [7, 2.0]


def test_retry_with_backoff_gives_up_with_the_last_error() -> None:
    call = Flaky(*(TransportError(f"try {number}") for number in range(9)))
    with pytest.raises(TransportError, match="try 2"):
        retry_with_backoff(call, max_retries=2, sleep=lambda _: None)
    assert call.calls == 3


def test_retry_with_backoff_does_not_repeat_a_bad_request() -> None:
    call = Flaky(InvalidQuery("no terms"))
    with pytest.raises(InvalidQuery):
        retry_with_backoff(call, sleep=lambda _: None)
    assert call.calls == 1
