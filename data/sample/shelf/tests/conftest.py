from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, make_server

import pytest

from shelf import Catalogue, Record, SessionSigner

SECRET = b"the stacks are closed on Mondays"


class QuietHandler(WSGIRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture
def signer() -> SessionSigner:
    return SessionSigner(SECRET)


@pytest.fixture
def catalogue() -> Catalogue:
    return Catalogue(
        [
            Record(
                isbn="9780306406157",
                title="Thermal Physics of Kettles",
                authors=("Ada Brewer",),
                year=1998,
                subjects=("physics", "cooking"),
            ),
            Record(
                isbn="9780000000002",
                title="Letters from the Lighthouse",
                authors=("Jon Skerry",),
                year=2011,
                summary="A keeper writes about storms, physics and tea.",
            ),
            Record(isbn="9780000000019", title="The Café at the End of the Stacks", year=2020),
        ]
    )


@pytest.fixture
def serve() -> Iterator[Callable[[Any], str]]:
    """Serve a WSGI application on a free port and return its URL."""
    with ExitStack() as stack:

        def start(app: Any) -> str:
            server = stack.enter_context(
                make_server("127.0.0.1", 0, app, handler_class=QuietHandler)
            )
            thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
            thread.start()
            stack.callback(thread.join)
            stack.callback(server.shutdown)
            return f"http://127.0.0.1:{server.server_port}"

        yield start
