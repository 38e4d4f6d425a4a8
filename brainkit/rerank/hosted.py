"""Rerankers behind an address: Cohere, Jina, Voyage, vLLM, llama.cpp and what is like them."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urldefrag, urlsplit

from brainkit.errors import InvalidSetting, RerankerFailed
from brainkit.hosted import Endpoint
from brainkit.hosted.crew import Crew
from brainkit.rerank.base import checked

if TYPE_CHECKING:
    from openai import OpenAI

KEY: Final = "BRAINKIT_RERANK_KEY"
TIMEOUT_SECONDS: Final = 10.0  # a person waits; the fused order is at hand
RETRIES: Final = 1
_PAUSE_SECONDS: Final = 0.3
_AGAIN: Final = frozenset({408, 409, 425, 429})
_LISTS: Final = ("results", "data")
_SCORES: Final = ("relevance_score", "score")


class HostedReranker:
    """Rerank by ``POST {model, query, documents, top_n}``, as Cohere's and Jina's services do.

    url : the whole address, such as ``https://api.jina.ai/v1/rerank``. What follows a ``#`` is the
        model and is not part of the address: ``http://localhost:8000/v1/rerank#BAAI/bge-reranker``.
    model : instead of the one after ``#``; a server that has only one needs none.
    key : a function that returns the key; None reads ``BRAINKIT_RERANK_KEY`` at each use. The key
        of the embedder's service is never sent here.
    headers : sent with every request. timeout_seconds : until the last byte of the answer, with
        whatever is tried again. retries : 0 or more.
    send_secrets : also send chunks that look like they hold secrets.
    Raises InvalidSetting for an address that is none.
    """

    def __init__(
        self,
        url: str,
        *,
        model: str | None = None,
        key: Callable[[], str] | None = None,
        headers: Mapping[str, str] | None = None,
        timeout_seconds: float = TIMEOUT_SECONDS,
        retries: int = RETRIES,
        send_secrets: bool = False,
    ) -> None:
        self._url, named = urldefrag(url)
        self.model = model or named or None
        self.sends = not send_secrets
        self._endpoint = Endpoint(
            base_url=self._url,
            key=key or (lambda: os.environ.get(KEY, "")),
            headers=headers or {},
            timeout_seconds=timeout_seconds,
            retries=retries,
        )
        self._opening = threading.Lock()
        self._opened: OpenAI | None = None
        parts = urlsplit(self._url)
        if not parts.path.strip("/"):
            where = f"{parts.scheme}://{_host(self._url)}"
            raise InvalidSetting(
                f"{where} has no path; give the whole address, such as {where}/v1/rerank."
            )

    @property
    def name(self) -> str:
        """The server and the model."""
        host = _host(self._url)
        return f"{host}:{self.model}" if self.model else host

    def __repr__(self) -> str:
        return f"HostedReranker({self.name!r})"

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return the service's scores, put back in the order of the texts. Raises RerankerFailed.

        The reason never holds the key or a text.
        """
        if not texts:
            return []
        body = {"query": query, "documents": list(texts), "top_n": len(texts)}
        if self.model:
            body["model"] = self.model
        answer = self._posted(body)
        return checked(self._in_order(answer, len(texts)), texts, name=self.name)

    def _posted(self, body: Mapping[str, Any]) -> Any:
        """Return the answer, waiting no longer than the timeout, however slowly it drips in."""
        until = time.monotonic() + self._endpoint.timeout_seconds
        with Crew[tuple[Any, str]](1) as crew:
            try:
                answer, fault = crew.submit(lambda: self._tried(body, until)).result(
                    self._endpoint.timeout_seconds
                )
            except TimeoutError:
                self._drop()
                answer, fault = None, f"no answer within {self._endpoint.timeout_seconds:g} s"
        if fault:
            raise RerankerFailed(f"{self.name}: {fault}")
        return answer

    def _tried(self, body: Mapping[str, Any], until: float) -> tuple[Any, str]:
        """Return the answer, or what went wrong. No error leaves: its request holds the key."""
        import httpx2

        fault = ""
        for attempt in range(self._endpoint.retries + 1):
            if attempt and time.monotonic() + _PAUSE_SECONDS > until:
                break
            if attempt:
                time.sleep(_PAUSE_SECONDS)
            try:
                reply = self._client().post(self._url, cast_to=httpx2.Response, body=body)
            except Exception as error:  # noqa: BLE001 - the key function is the user's
                fault, again = self._told(error), _may_pass(error)
                if not again:
                    break
                continue
            try:
                return json.loads(reply.content), ""
            except (ValueError, RecursionError):
                return None, "it answered with something that is no JSON"
        return None, fault

    def _told(self, error: Exception) -> str:
        try:
            return self._endpoint.told(error)
        except Exception:  # noqa: BLE001 - whatever a server put where a text belongs
            return type(error).__name__

    def _client(self) -> OpenAI:
        with self._opening:
            if self._opened is None:
                self._opened = self._endpoint.client(retries=0)
            return self._opened

    def _drop(self) -> None:
        """Close the connections, so that a request nobody waits for ends."""
        with self._opening:
            client, self._opened = self._opened, None
        if client is not None:
            client.close()

    def _in_order(self, answer: Any, count: int) -> list[Any]:
        """Return the scores by index; each index once, none missing."""
        rows = answer
        if isinstance(answer, Mapping):
            rows = next((answer[name] for name in _LISTS if name in answer), None)
        found: dict[int, Any] = {}
        for row in rows if isinstance(rows, list) else ():
            at = row.get("index") if isinstance(row, Mapping) else None
            if not isinstance(at, int) or isinstance(at, bool) or not 0 <= at < count:
                raise RerankerFailed(f"{self.name} gave a score for text {at!r:.20} of {count}")
            if at in found:
                raise RerankerFailed(f"{self.name} gave two scores for text {at}")
            found[at] = next((row[name] for name in _SCORES if name in row), None)
        if len(found) != count:
            raise RerankerFailed(f"{self.name} gave {len(found)} scores for {count} texts")
        return [found[at] for at in range(count)]


def _host(url: str) -> str:
    """Return host and port, without a login."""
    return urlsplit(url).netloc.rpartition("@")[2]


def _may_pass(error: Exception) -> bool:
    from openai import APIConnectionError, APIStatusError

    if isinstance(error, APIStatusError):
        return error.status_code in _AGAIN or error.status_code >= 500
    return isinstance(error, APIConnectionError)
