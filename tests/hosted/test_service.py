"""One service: what it sends once its run has ended, and how it is billed."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from brainkit.hosted import Endpoint
from brainkit.hosted.batches import run
from brainkit.hosted.known import Memory
from brainkit.hosted.pace import Pace
from brainkit.hosted.service import Service
from brainkit.hosted.spending import Spending

Serve = Callable[..., Any]


@pytest.fixture(autouse=True)
def _no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)


def service(server: Any, folder: Path, sleep: Callable[[float], Any] = lambda _: None) -> Service:
    return Service(
        Endpoint(base_url=server.base_url, timeout_seconds=10),
        "mine",
        dimensions=None,
        count=lambda texts: [len(text.split()) for text in texts],
        pace=Pace(3, sleep=sleep),
        memory=Memory("x", "mine", path=folder / "servers.json"),
    )


def test_a_run_that_was_ended_sends_nothing_more(
    serve: Serve, loopback: ModuleType, tmp_path: Path
) -> None:
    server = serve(lambda path, request, nth: loopback.embeddings(request))
    spending = Spending(price=None)
    spending.close()
    outcome = service(server, tmp_path).embed(["alpha"], spending, dim=16)
    assert str(outcome.failure) == "the run was ended"
    assert server.requests == []


def test_ctrl_c_while_others_wait_to_try_again_sends_nothing_more(
    serve: Serve, loopback: ModuleType, tmp_path: Path
) -> None:
    """The second batch is told to wait, which lasts until the interrupt has been raised."""
    interrupted, waiting, ended = threading.Event(), threading.Event(), threading.Event()

    def script(path: str, request: dict[str, Any], nth: int) -> Any:
        if request["input"] == ["beta"]:
            return loopback.error(429, "slow down", Retry_After="60")
        assert waiting.wait(10)
        return loopback.embeddings(request)

    def sleep(seconds: float) -> None:
        waiting.set()
        assert interrupted.wait(10)
        one._pace._not_before = 0.0

    class Watched(Service):
        def embed(self, *given: Any, **more: Any) -> Any:
            outcome = super().embed(*given, **more)
            if given[0] == ["beta"]:
                ended.set()
            return outcome

    server = serve(script)
    one = service(server, tmp_path, sleep)
    one.__class__ = Watched

    def on_batch(positions: Any, rows: Any) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(
            one,
            ["alpha", "beta"],
            counts=[1, 1],
            dim=16,
            batch_texts=1,
            concurrency=2,
            spending=Spending(price=None),
            on_batch=on_batch,
        )
    interrupted.set()
    assert ended.wait(10)
    assert [request["input"] for _, request, _ in server.requests].count(["beta"]) == 1


def test_a_server_that_does_not_count_tokens_is_billed_by_estimate(
    serve: Serve, loopback: ModuleType, tmp_path: Path
) -> None:
    def script(path: str, request: dict[str, Any], nth: int) -> Any:
        answer = loopback.embeddings(request)
        del answer["usage"]
        return answer

    spending = Spending(price=None)
    outcome = service(serve(script), tmp_path).embed(["a b", "c"], spending, dim=16)
    assert spending.tokens == 3
    assert np.allclose(outcome.rows[1], loopback.vector("c", 16))
