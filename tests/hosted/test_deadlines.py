"""One time limit holds for a whole request, and for all attempts of a question together."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from brainkit.embed.openai import OpenAIEmbedder
from brainkit.errors import EndpointUnavailable
from brainkit.hosted.pace import Pace

Serve = Callable[..., Any]
PATIENCE_SECONDS = 8  # of a test on a busy machine, where what is wrong lasts longer


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BRAINKIT_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)


@pytest.fixture
def dripping() -> Iterator[SimpleNamespace]:
    """A server that sends its headers byte by byte, for 20 s or until the test ends."""
    listening = socket.create_server(("127.0.0.1", 0))
    ended = threading.Event()

    def serve() -> None:
        while True:
            try:
                connection, _ = listening.accept()
            except OSError:
                return
            threading.Thread(target=drip, args=(connection,), daemon=True).start()

    def drip(connection: socket.socket) -> None:
        with connection:
            connection.recv(65536)
            for byte in b"HTTP/1.1 200 OK\r\nX-A: " + b"a" * 80:
                if ended.wait(0.2):
                    return
                try:
                    connection.send(bytes([byte]))
                except OSError:
                    return

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    yield SimpleNamespace(base_url=f"http://127.0.0.1:{listening.getsockname()[1]}/v1")
    ended.set()
    listening.shutdown(socket.SHUT_RDWR)
    listening.close()


def seconds_to_fail(one: OpenAIEmbedder) -> float:
    start = time.monotonic()
    with pytest.raises(EndpointUnavailable):
        one.embed_query("alpha")
    return time.monotonic() - start


def test_headers_drop_by_drop(dripping: SimpleNamespace) -> None:
    one = OpenAIEmbedder("mine", base_url=dripping.base_url, timeout=1, pace=Pace(0))
    assert seconds_to_fail(one) < PATIENCE_SECONDS


@pytest.mark.parametrize("status", [200, 400, 500])
def test_any_body_drop_by_drop(status: int, serve: Serve, loopback: ModuleType) -> None:
    reply = loopback.Reply(b" " * 200, status=status, drip_seconds=0.1)
    one = OpenAIEmbedder("mine", base_url=serve(lambda *_: reply).base_url, timeout=1, pace=Pace(0))
    assert seconds_to_fail(one) < PATIENCE_SECONDS


def test_a_question_does_not_sit_out_what_a_server_asks_for(
    serve: Serve, loopback: ModuleType
) -> None:
    server = serve(lambda *_: loopback.error(429, "slow", Retry_After="100"))
    one = OpenAIEmbedder("mine", base_url=server.base_url, timeout=2, pace=Pace(5))
    assert seconds_to_fail(one) < PATIENCE_SECONDS
    assert len(server.requests) == 1
    assert seconds_to_fail(one) < PATIENCE_SECONDS
    assert len(server.requests) == 1, "nor does the next one ask before that"


def test_a_hung_server_costs_a_question_its_time_limit_once(
    serve: Serve, loopback: ModuleType
) -> None:
    server = serve(lambda *_: loopback.Reply({}, wait_seconds=60))
    one = OpenAIEmbedder("mine", base_url=server.base_url, timeout=1, pace=Pace(5))
    assert seconds_to_fail(one) < PATIENCE_SECONDS
    assert len(server.requests) == 1


def test_a_run_that_cannot_succeed_ends_though_another_batch_was_told_to_wait(
    serve: Serve, loopback: ModuleType
) -> None:
    told = threading.Event()

    def script(path: str, request: dict[str, Any], nth: int) -> Any:
        if loopback.is_probe(request):
            return loopback.embeddings(request)
        if "alpha" in request["input"][0]:
            told.set()
            return loopback.error(429, "slow", Retry_After="100")
        assert told.wait(10)
        return loopback.error(401, "no")

    server = serve(script)
    one = OpenAIEmbedder("mine", base_url=server.base_url, batch_size=1, concurrency=2)
    start = time.monotonic()
    with pytest.raises(EndpointUnavailable, match=r"wants a key|refuses the key"):
        one.embed_documents(["alpha longer", "beta"])
    assert time.monotonic() - start < PATIENCE_SECONDS
