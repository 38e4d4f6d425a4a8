"""Jobs on a thread: the newest of those that wait, and a failure ends nothing but itself."""

from __future__ import annotations

import logging
import threading

import pytest

from brainkit.widgets.newest import Newest

PATIENCE_S = 20.0


def test_of_those_that_wait_only_the_newest_is_run() -> None:
    ran: list[int] = []
    started, go = threading.Event(), threading.Event()
    worker = Newest("test")

    def first() -> None:
        started.set()
        go.wait(PATIENCE_S)

    worker.put(first)
    started.wait(PATIENCE_S)
    for number in range(3):
        worker.put(lambda number=number: ran.append(number))
    go.set()
    assert worker.wait(PATIENCE_S)
    assert ran == [2]


def test_a_job_that_fails_is_logged_and_the_next_one_runs(
    caplog: pytest.LogCaptureFixture,
) -> None:
    ran: list[str] = []
    started, go = threading.Event(), threading.Event()
    worker = Newest("a test")

    def fails() -> None:
        started.set()
        go.wait(PATIENCE_S)
        raise OSError("no disk")

    with caplog.at_level(logging.ERROR):
        worker.put(fails)
        started.wait(PATIENCE_S)
        worker.put(lambda: ran.append("waiting"))
        go.set()
        assert worker.wait(PATIENCE_S)
        worker.put(lambda: ran.append("later"))
        assert worker.wait(PATIENCE_S)
    assert ran == ["waiting", "later"]
    assert [record.getMessage() for record in caplog.records] == ["A job of a test failed."]
    assert "no disk" in caplog.text


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_thread_that_is_ended_is_replaced() -> None:
    ran: list[str] = []
    threads: list[threading.Thread] = []
    worker = Newest("test")

    def ends() -> None:
        threads.append(threading.current_thread())
        raise KeyboardInterrupt

    worker.put(ends)
    assert worker.wait(PATIENCE_S)
    threads[0].join(PATIENCE_S)  # what it raised is reported at its end, and belongs to this test
    worker.put(lambda: ran.append("after"))
    assert worker.wait(PATIENCE_S)
    assert ran == ["after"]
