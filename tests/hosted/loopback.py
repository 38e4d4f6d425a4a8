"""An OpenAI-compatible server on this machine, well-behaved or not; it keeps what it is asked."""

from __future__ import annotations

import hashlib
import json
import struct
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socket import SO_LINGER, SOL_SOCKET
from typing import Any

from brainkit.embed.vectors import PROBES

Answer = dict[str, Any]
Script = Callable[[str, Answer, int], "Reply | Answer"]


class Reply:
    """One HTTP answer: a status, headers, a body as JSON or raw bytes, and a time to wait first.

    cut : end before the length that was announced. reset : break the connection in the middle.
    drip_seconds : wait so long after each byte.
    """

    def __init__(
        self,
        body: Answer | bytes = b"",
        *,
        status: int = 200,
        headers: dict[str, str] | None = None,
        wait_seconds: float = 0.0,
        cut: bool = False,
        reset: bool = False,
        drip_seconds: float = 0.0,
    ) -> None:
        self.body = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.status = status
        self.headers = headers or {}
        self.wait_seconds = wait_seconds
        self.cut = cut
        self.reset = reset
        self.drip_seconds = drip_seconds


def error(status: int, message: str, *, code: str | None = None, **headers: str) -> Reply:
    """An error as the real API words it; underscores in header names stand for dashes."""
    body = {"error": {"message": message, "type": "error", "param": None, "code": code}}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(body, status=status, headers=named)


def completion(
    content: str | None, *, refusal: str | None = None, reason: str = "stop"
) -> dict[str, Any]:
    """A chat completion of 100 tokens read and 20 written."""
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 0,
        "model": "test",
        "choices": [
            {
                "index": 0,
                "finish_reason": reason,
                "message": {"role": "assistant", "content": content, "refusal": refusal},
            }
        ],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
    }


def vector(text: str, dim: int) -> list[float]:
    """The sum of a vector per word, so that texts with a word in common are similar."""
    total = [0.0] * dim
    for word in text.casefold().split():
        numbers = hashlib.shake_256(word.encode()).digest(dim)
        total = [one + number - 127.5 for one, number in zip(total, numbers, strict=True)]
    return total


def tokens(text: str) -> int:
    """What this server bills: a token per word."""
    return len(text.split())


def embeddings(request: Answer, *, dim: int = 16) -> Answer:
    """The answer to an embedding request, as the real API gives it."""
    size = request.get("dimensions", dim)
    billed = sum(map(tokens, request["input"]))
    return {
        "object": "list",
        "model": request["model"],
        "data": [
            {"object": "embedding", "index": at, "embedding": vector(text, size)}
            for at, text in enumerate(request["input"])
        ],
        "usage": {"prompt_tokens": billed, "total_tokens": billed},
    }


def is_probe(request: Answer) -> bool:
    """Whether a request asks which model this is, and not for vectors to keep."""
    return len(request["input"]) > 1 and set(request["input"]) <= set(PROBES)


class Loopback:
    """The server. ``script(path, request, nth)`` says what to answer to the nth request, from 1.

    requests : (path, body, headers) of each, in the order they came.
    """

    def __init__(self, script: Script) -> None:
        self.requests: list[tuple[str, Answer, dict[str, str]]] = []
        self.script = script
        self._counting = threading.Lock()
        self._closing = threading.Event()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                with outer._counting:
                    outer.requests.append(
                        (
                            self.path,
                            body,
                            {name.lower(): value for name, value in self.headers.items()},
                        )
                    )
                    nth = len(outer.requests)
                answer = outer.script(self.path, body, nth)
                reply = answer if isinstance(answer, Reply) else Reply(answer)
                if reply.wait_seconds:
                    outer._closing.wait(reply.wait_seconds)
                length = len(reply.body) + (100 if reply.cut or reply.reset else 0)
                try:
                    self.send_response(reply.status)
                    self.send_header("Content-Type", "application/json")
                    self.send_header("Content-Length", str(length))
                    for name, value in reply.headers.items():
                        self.send_header(name, value)
                    self.end_headers()
                    self._write(reply)
                except OSError:
                    return  # the client did not wait
                if reply.cut or reply.reset:
                    self.close_connection = True
                if reply.reset:  # closed with something unsent, TCP says so to the other side
                    self.request.setsockopt(SOL_SOCKET, SO_LINGER, struct.pack("ii", 1, 0))
                    self.connection.close()

            def _write(self, reply: Reply) -> None:
                if not reply.drip_seconds:
                    self.wfile.write(reply.body)
                for at in range(len(reply.body) if reply.drip_seconds else 0):
                    self.wfile.write(reply.body[at : at + 1])
                    self.wfile.flush()
                    if outer._closing.wait(reply.drip_seconds):
                        return
                self.wfile.flush()

            def log_message(self, format: str, *arguments: object) -> None:
                """Stay quiet."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()

    @property
    def base_url(self) -> str:
        """The address to give as ``base_url``."""
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def close(self) -> None:
        """Stop serving."""
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
