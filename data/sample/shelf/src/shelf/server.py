"""A WSGI application that answers searches from a catalogue."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

from shelf.catalogue import Catalogue
from shelf.errors import InvalidQuery, InvalidRecord, RecordNotFound, SignatureError
from shelf.signing import SessionSigner

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

STATUS_LINES = {
    200: "200 OK",
    400: "400 Bad Request",
    401: "401 Unauthorized",
    404: "404 Not Found",
}


class CatalogueApp:
    """Serves `/search?q=...&top_k=...` and `/records/<isbn>` to readers with a valid session.

    >>> from wsgiref.simple_server import make_server
    >>> app = CatalogueApp(Catalogue(), signer=SessionSigner(b"a secret of 24 bytes ..."))
    >>> make_server("127.0.0.1", 8080, app).serve_forever()  # doctest: +SKIP
    """

    def __init__(self, catalogue: Catalogue, *, signer: SessionSigner) -> None:
        self._catalogue = catalogue
        self._signer = signer

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer one request; every answer is JSON, errors too."""
        status, body = self._answer(environ)
        raw = json.dumps(body, ensure_ascii=False).encode()
        headers = [
            ("Content-Type", "application/json; charset=utf-8"),
            ("Content-Length", str(len(raw))),
        ]
        start_response(STATUS_LINES[status], headers)
        return [raw]

    def _answer(self, environ: WSGIEnvironment) -> tuple[int, Any]:
        try:
            self._signer.verify(environ.get("HTTP_AUTHORIZATION", "").removeprefix("Bearer "))
            return self._route(environ["PATH_INFO"], environ.get("QUERY_STRING", ""))
        except SignatureError as error:
            return 401, {"error": str(error)}
        except RecordNotFound as error:
            return 404, {"error": str(error)}
        except (InvalidQuery, InvalidRecord) as error:
            return 400, {"error": str(error)}

    def _route(self, path: str, query_string: str) -> tuple[int, Any]:
        if path == "/search":
            fields = parse_qs(query_string)
            return 200, self._search(fields.get("q", [""])[0], fields.get("top_k", ["5"])[0])
        if path.startswith("/records/"):
            return 200, self._catalogue.get(path.removeprefix("/records/")).to_dict()
        return 404, {"error": f"there is nothing at {path}"}

    def _search(self, query: str, top_k: str) -> list[dict[str, Any]]:
        if not top_k.isdecimal():
            raise InvalidQuery(f"top_k={top_k!r} is not a whole number")
        return [
            {"rank": result.rank, "score": result.score, "record": result.record.to_dict()}
            for result in self._catalogue.search(query, top_k=int(top_k))
        ]
