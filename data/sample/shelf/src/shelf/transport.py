"""Carries one request to the server and brings the answer back."""

from __future__ import annotations

import http.client
import json
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from shelf.config import DEFAULT_TIMEOUT_SECONDS
from shelf.errors import TransportError


@dataclass(frozen=True)
class Response:
    """Status, headers (lower-case names) and parsed JSON body."""

    status: int
    body: Any
    headers: Mapping[str, str]


class Transport(Protocol):
    """Anything that can send a GET request to the catalogue server."""

    def get(self, path: str, *, headers: Mapping[str, str]) -> Response:
        """Return the response, whatever its status. Raises TransportError if none arrived."""
        ...


class HttpTransport:
    """Sends requests over HTTP with the standard library."""

    def __init__(self, base_url: str, *, timeout_seconds: float = DEFAULT_TIMEOUT_SECONDS) -> None:
        self._base_url = base_url.rstrip("/")
        self._timeout_seconds = timeout_seconds

    def get(self, path: str, *, headers: Mapping[str, str]) -> Response:
        """Send a GET request. A 4xx or 5xx status is a response, not an exception."""
        request = urllib.request.Request(self._base_url + path, headers=dict(headers))
        try:
            with urllib.request.urlopen(request, timeout=self._timeout_seconds) as answer:
                return _response(answer.status, answer.read(), dict(answer.headers))
        except urllib.error.HTTPError as error:
            with error:
                return _response(error.code, error.read(), dict(error.headers))
        except (OSError, http.client.HTTPException) as error:
            raise TransportError(f"no answer from {self._base_url}: {error}") from None


def _response(status: int, raw: bytes, headers: Mapping[str, str]) -> Response:
    try:
        body = json.loads(raw or b"null")
    except json.JSONDecodeError:
        raise TransportError(
            f"the server answered {status} with something that is not JSON"
        ) from None
    return Response(status, body, {name.lower(): value for name, value in headers.items()})
