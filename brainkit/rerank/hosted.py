"""Rerankers behind an address: Cohere, Jina, Voyage, vLLM, llama.cpp and what is like them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final
from urllib.parse import urldefrag, urlsplit

from brainkit.errors import BrainkitError, InvalidSetting, RerankerFailed
from brainkit.hosted import Endpoint
from brainkit.rerank.base import checked

KEY: Final = "BRAINKIT_RERANK_KEY"
TIMEOUT_SECONDS: Final = 10.0  # a person waits; the fused order is at hand
RETRIES: Final = 1
_LISTS: Final = ("results", "data")
_SCORES: Final = ("relevance_score", "score")


class HostedReranker:
    """Rerank by ``POST {model, query, documents, top_n}``, as Cohere's and Jina's services do.

    url : the whole address, such as ``https://api.jina.ai/v1/rerank``. What follows a ``#`` is the
        model and is not part of the address: ``http://localhost:8000/v1/rerank#BAAI/bge-reranker``.
    model : instead of the one after ``#``; a server that has only one needs none.
    key : a function that returns the key; None reads ``BRAINKIT_RERANK_KEY`` at each use. The key
        of the embedder's service is never sent here.
    headers : sent with every request. timeout_seconds : of one request. retries : 0 or more.
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
        if not urlsplit(self._url).path.strip("/"):
            raise InvalidSetting(
                f"{url!r} has no path; give the whole address, such as {self._url.rstrip('/')}"
                "/v1/rerank."
            )

    @property
    def name(self) -> str:
        """The server and the model."""
        host = urlsplit(self._url).netloc
        return f"{host}:{self.model}" if self.model else host

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
        import httpx2
        from openai import OpenAIError

        try:
            client = self._endpoint.client()
            reply = client.post(self._url, cast_to=httpx2.Response, body=body)
            return json.loads(reply.content)
        except json.JSONDecodeError:
            raise RerankerFailed(f"{self.name} answered with something that is no JSON") from None
        except (OpenAIError, httpx2.HTTPError, BrainkitError) as error:
            raise RerankerFailed(f"{self.name}: {self._endpoint.told(error)}") from None

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
