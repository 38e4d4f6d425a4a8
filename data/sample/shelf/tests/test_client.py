from __future__ import annotations

import socket
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from shelf import Catalogue, CatalogueApp, ClientConfig, SessionSigner, ShelfClient
from shelf.errors import InvalidQuery, RecordNotFound, SignatureError, TransportError

Serve = Callable[[Any], str]


def client_for(url: str, signer: SessionSigner, waits: list[float] | None = None) -> ShelfClient:
    return ShelfClient(
        "ada",
        signer=signer,
        config=ClientConfig(base_url=url, max_retries=2),
        sleep=(waits if waits is not None else []).append,
    )


class BusyFirst:
    """Answers 503 a few times before passing requests on."""

    def __init__(self, app: CatalogueApp, times: int) -> None:
        self.app = app
        self.times = times

    def __call__(self, environ: Any, start_response: Any) -> Iterable[bytes]:
        if self.times:
            self.times -= 1
            start_response("503 Service Unavailable", [("Retry-After", "5")])
            return [b'{"error": "reindexing"}']
        return self.app(environ, start_response)


def test_search_equals_the_catalogues_own_answer(
    catalogue: Catalogue, signer: SessionSigner, serve: Serve
) -> None:
    client = client_for(serve(CatalogueApp(catalogue, signer=signer)), signer)
    assert client.search("physics tea") == catalogue.search("physics tea")
    assert len(client.search("physics tea", top_k=1)) == 1


def test_fetch_returns_the_record(
    catalogue: Catalogue, signer: SessionSigner, serve: Serve
) -> None:
    client = client_for(serve(CatalogueApp(catalogue, signer=signer)), signer)
    assert client.fetch("978-0-306-40615-7") == catalogue.get("9780306406157")


def test_the_servers_complaints_arrive_as_errors(
    catalogue: Catalogue, signer: SessionSigner, serve: Serve
) -> None:
    client = client_for(serve(CatalogueApp(catalogue, signer=signer)), signer)
    with pytest.raises(InvalidQuery, match="no terms"):
        client.search("the of and")
    with pytest.raises(InvalidQuery, match="top_k=0"):
        client.search("tea", top_k=0)
    with pytest.raises(RecordNotFound, match="9780000000026"):
        client.fetch("9780000000026")


def test_a_foreign_signature_is_refused(
    catalogue: Catalogue, signer: SessionSigner, serve: Serve
) -> None:
    url = serve(CatalogueApp(catalogue, signer=signer))
    client = client_for(url, SessionSigner(b"another secret altogether"))
    with pytest.raises(SignatureError):
        client.search("tea")


def test_a_busy_server_is_asked_again(
    catalogue: Catalogue, signer: SessionSigner, serve: Serve
) -> None:
    waits: list[float] = []
    url = serve(BusyFirst(CatalogueApp(catalogue, signer=signer), times=2))
    assert client_for(url, signer, waits).search("tea")
    assert waits == [5.0, 5.0]


def test_an_unreachable_server_is_a_transport_error(signer: SessionSigner) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
        waits: list[float] = []
        client = client_for(f"http://127.0.0.1:{port}", signer, waits)
        with pytest.raises(TransportError, match="no answer"):
            client.search("tea")
    assert waits == [1.0, 2.0]
