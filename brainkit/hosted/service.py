"""Embedding requests to one model at one address: sent, tried again, divided, checked."""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from brainkit.errors import BrainkitError
from brainkit.hosted.answers import Rows, rows_of
from brainkit.hosted.endpoint import Endpoint
from brainkit.hosted.failure import Failure, failure_of
from brainkit.hosted.known import Memory
from brainkit.hosted.pace import LONGEST_RETRY_AFTER_SECONDS, Pace
from brainkit.hosted.spending import Spending

if TYPE_CHECKING:
    from openai import OpenAI

CANARY: Final = "the cat sat on the mat"
"""Sent where it is in doubt whether a text or the server is at fault."""
_PART_RETRIES: Final = 1

Count = Callable[[Sequence[str]], list[int]]


@dataclass
class Outcome:
    """What became of a batch: rows by position, reasons by position, and what ended it early."""

    rows: dict[int, NDArray[np.float64]] = field(default_factory=dict)
    refused: dict[int, str] = field(default_factory=dict)
    failure: Failure | None = None


class Service:
    """Sends texts to one embedding model. Thread-safe.

    dimensions : to ask for, None for the model's own. count : tokens of texts, for the account.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        model: str,
        *,
        dimensions: int | None,
        count: Count,
        pace: Pace,
        memory: Memory,
    ) -> None:
        self.endpoint = endpoint
        self.model = model
        self.memory = memory
        self._dimensions = dimensions
        self._count = count
        self._pace = pace
        self._opening = threading.Lock()
        self._client: OpenAI | None = None

    def embed(
        self,
        texts: Sequence[str],
        spending: Spending,
        *,
        dim: int | None,
        retries: int | None = None,
    ) -> Outcome:
        """Return the row of each text, or why there is none.

        What the server refuses is halved until it is clear which text it does not take, or that
        it does not take so many, which is remembered. What it fails at again and again (5xx) while
        it takes others is treated likewise. Where a later part fails, the rows before it are
        returned with the failure.
        """
        outcome = Outcome()
        too_large: list[range] = []
        taken: list[range] = []
        parts = [(range(len(texts)), retries)]
        while parts:
            part, most = parts.pop()
            limit = self.memory.known.batch_texts
            if limit is not None and len(part) > limit:
                parts += [(part[at : at + limit], most) for at in range(0, len(part), limit)][::-1]
                continue
            try:
                rows = self._send([texts[at] for at in part], spending, dim=dim, retries=most)
            except Failure as failure:
                try:
                    self._check_divisible(failure, spending, sure=bool(taken), alone=len(part) == 1)
                except Failure as final:
                    outcome.failure = final
                    return outcome
                if len(part) == 1:
                    outcome.refused[part[0]] = str(failure)
                    continue
                too_large.append(part)
                half = len(part) // 2
                fewer = most if failure.kind == "refused" else _PART_RETRIES
                parts += [(part[half:], fewer), (part[:half], fewer)]
            else:
                taken.append(part)
                outcome.rows.update(zip(part, rows, strict=True))
        self._learn(too_large, taken, outcome.refused)
        return outcome

    def _check_divisible(
        self, failure: Failure, spending: Spending, *, sure: bool, alone: bool
    ) -> None:
        """Raise the failure again unless it is the texts' own. sure : others of them were taken."""
        if failure.kind not in ("refused", "broken"):
            raise failure
        if failure.kind == "refused" and (sure or not alone):
            return
        try:
            self._send([CANARY], spending, dim=None, retries=0)
        except Failure:
            raise Failure("fatal", f"not even an ordinary text is taken: {failure}") from None

    def _learn(
        self, too_large: Sequence[range], taken: Sequence[range], refused: dict[int, str]
    ) -> None:
        """Remember how many texts the server took where it was their number that it refused."""
        for part in too_large:
            sizes = [len(one) for one in taken if one.start in part and len(one) < len(part)]
            if sizes and not any(at in part for at in refused):
                known = self.memory.known.batch_texts
                self.memory.learn(batch_texts=min(max(sizes), known or len(part)))

    def _send(
        self, texts: list[str], spending: Spending, *, dim: int | None, retries: int | None
    ) -> NDArray[np.float64]:
        estimate = sum(self._count(texts))
        attempt = 0
        while True:
            attempt += 1
            self._pace.wait()
            if spending.closed:
                raise Failure("fatal", "the run was ended")
            try:
                rows = self._once(texts, dim=dim)
            except Failure as error:
                failure = error
            else:
                spending.book(estimate, tokens=rows.tokens)
                return rows.numbers
            if failure.kind == "garbled":  # it was answered, so it may be paid for
                spending.book(estimate, tokens=None)
            if not self._pace.again(failure, attempt, retries=retries):
                raise self._final(failure, attempt)

    def _final(self, failure: Failure, attempts: int) -> Failure:
        """Return the failure with what was tried, and what to do about it."""
        told = self.endpoint.without_key(str(failure))
        if attempts > 1:
            told += f" ({attempts} attempts)"
        wait = failure.retry_after_seconds
        if wait is not None and wait > LONGEST_RETRY_AFTER_SECONDS:
            told += f"; it asks to be left alone for {wait:,.0f} s"
        if failure.kind == "timeout":
            told += "; give timeout= more seconds, or batch_size= fewer texts"
        return Failure(failure.kind, told, retry_after_seconds=wait)

    def _once(self, texts: list[str], *, dim: int | None) -> Rows:
        body, failure = b"", None
        try:
            body = self._posted(texts)
        except (Failure, BrainkitError):
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, its request holds the key
            failure = failure_of(error, self.endpoint)
        if failure is not None:
            raise failure  # here and not above, so that the error with the request stays behind
        return rows_of(body, count=len(texts), dim=dim)

    def _posted(self, texts: list[str]) -> bytes:
        """Send one request; the time limit holds for the whole answer, drop by drop or at once."""
        from openai import omit

        limit = self.endpoint.timeout_seconds
        end = time.monotonic() + limit
        received = bytearray()
        with self._open().embeddings.with_streaming_response.create(
            model=self.model,
            input=texts,
            encoding_format="float",  # some servers refuse base64, the library's own choice
            dimensions=omit if self._dimensions is None else self._dimensions,
        ) as response:
            for piece in response.iter_bytes():
                received += piece
                if time.monotonic() > end:
                    raise Failure("timeout", f"no whole answer within {limit:g} s")
        return bytes(received)

    def _open(self) -> OpenAI:
        with self._opening:
            if self._client is None:
                self._client = self.endpoint.client(retries=0)
                weakref.finalize(self, self._client.close)
            return self._client
