"""What a reader's program talks to."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any
from urllib.parse import quote, urlencode

from shelf.catalogue import SearchResult
from shelf.config import ClientConfig
from shelf.errors import InvalidQuery, RecordNotFound, ServerBusy, SignatureError, TransportError
from shelf.records import Record, normalize_isbn
from shelf.retry import retry_with_backoff
from shelf.signing import SessionSigner
from shelf.transport import HttpTransport, Response, Transport


class ShelfClient:
    """Searches a remote catalogue on behalf of one reader.

    Every request carries a fresh token of the signer, and goes through `retry_with_backoff`.

    reader : the name that the server will see.
    signer : shares its secret with the server.
    config : where the server is and how patient to be.
    transport : how requests travel; HTTP unless given.
    sleep : waits between attempts; tests pass their own.
    """

    def __init__(
        self,
        reader: str,
        *,
        signer: SessionSigner,
        config: ClientConfig | None = None,
        transport: Transport | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.reader = reader
        self.config = config or ClientConfig()
        self._signer = signer
        self._transport = transport or HttpTransport(
            self.config.base_url, timeout_seconds=self.config.timeout_seconds
        )
        self._sleep = sleep

    def search(self, query: str, *, top_k: int = 5) -> list[SearchResult]:
        """Return at most `top_k` results, best first.

        Raises InvalidQuery if the server finds no terms in the query, SignatureError if it refuses
        the session, TransportError if it cannot be reached.
        """
        rows = self._get("/search?" + urlencode({"q": query, "top_k": top_k}))
        return [
            SearchResult(Record.from_dict(row["record"]), row["rank"], row["score"]) for row in rows
        ]

    def fetch(self, isbn: str) -> Record:
        """Return one record. Raises RecordNotFound if the catalogue does not have it."""
        return Record.from_dict(self._get("/records/" + quote(normalize_isbn(isbn))))

    def _get(self, path: str) -> Any:
        return retry_with_backoff(
            lambda: self._get_once(path),
            max_retries=self.config.max_retries,
            first_delay_seconds=self.config.first_delay_seconds,
            sleep=self._sleep,
        )

    def _get_once(self, path: str) -> Any:
        headers = {"Authorization": f"Bearer {self._signer.sign(self.reader)}"}
        response = self._transport.get(path, headers=headers)
        if response.status == 200:
            return response.body
        raise _error_for(response)


def _error_for(response: Response) -> Exception:
    message = f"the server answered {response.status}"
    if isinstance(response.body, dict) and "error" in response.body:
        message = str(response.body["error"])
    if response.status in (429, 503):
        return ServerBusy(message, retry_after_seconds=_retry_after(response))
    kinds = {400: InvalidQuery, 401: SignatureError, 404: RecordNotFound}
    return kinds.get(response.status, TransportError)(message)


def _retry_after(response: Response) -> float | None:
    text = response.headers.get("retry-after", "")
    return float(text) if text.isdecimal() else None
