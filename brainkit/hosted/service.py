"""Embedding requests to one model at one address: sent, tried again, divided, checked."""

from __future__ import annotations

import math
import threading
import time
import weakref
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import wait
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from brainkit.errors import BrainkitError
from brainkit.hosted.answers import Rows, rows_of
from brainkit.hosted.crew import Crew
from brainkit.hosted.endpoint import Endpoint
from brainkit.hosted.failure import Failure, failure_of
from brainkit.hosted.known import FEWEST_TEXTS, Memory
from brainkit.hosted.pace import LONGEST_RETRY_AFTER_SECONDS, Pace
from brainkit.hosted.spending import Spending

if TYPE_CHECKING:
    from openai import OpenAI

CANARY: Final = "the cat sat on the mat"
"""Sent where it is in doubt whether a text or the server is at fault."""
_PART_RETRIES: Final = 1
_TOO_LARGE: Final = frozenset({413, 422})
"""Statuses that speak of the size of a request, where 400 may mean anything."""
_REFUSALS: Final = 2
"""Whole batches of one size refused, and taken in parts, before that is known as a limit."""
_GRACE_SECONDS: Final = 0.5
"""Beyond the time limit, for the library's own to be heard first: it knows more."""

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
        self._learning = threading.Lock()
        self._refusals: Counter[int] = Counter()

    def embed(
        self,
        texts: Sequence[str],
        spending: Spending,
        *,
        dim: int | None,
        retries: int | None = None,
        until: float = math.inf,
    ) -> Outcome:
        """Return the row of each text, or why there is none.

        until : when somebody stops waiting, by ``time.monotonic``.
        What the server refuses is halved until it is clear which text it does not take, or that
        it does not take so many, which is remembered. What it fails at again and again (5xx) while
        it takes others is treated likewise. Where a later part fails, the rows before it are
        returned with the failure. The texts are reserved in ``spending``; what is answered is
        booked there.
        """
        outcome = Outcome()
        divided: dict[range, Failure] = {}
        taken: list[range] = []
        parts = [(range(len(texts)), retries)]
        while parts:
            part, most = parts.pop()
            limit = self.memory.known.batch_texts
            if limit is not None and len(part) > limit:
                parts += [(part[at : at + limit], most) for at in range(0, len(part), limit)][::-1]
                continue
            some = [texts[at] for at in part]
            try:
                rows = self._send(some, spending, dim=dim, retries=most, until=until)
            except Failure as failure:
                try:
                    self._check_divisible(failure, some, spending, sure=bool(taken), until=until)
                except Failure as final:
                    outcome.failure = final
                    return outcome
                if len(part) == 1:
                    outcome.refused[part[0]] = str(failure)
                    continue
                divided[part] = failure
                half = len(part) // 2
                fewer = most if failure.kind == "refused" else _PART_RETRIES
                parts += [(part[half:], fewer), (part[:half], fewer)]
            else:
                taken.append(part)
                outcome.rows.update(zip(part, rows, strict=True))
        self._learn(divided, taken, outcome.refused)
        return outcome

    def _check_divisible(
        self,
        failure: Failure,
        texts: Sequence[str],
        spending: Spending,
        *,
        sure: bool,
        until: float,
    ) -> None:
        """Raise the failure again unless it is the texts' own. sure : others of them were taken."""
        if failure.kind not in ("refused", "broken"):
            raise failure
        if failure.kind == "refused" and (sure or len(texts) > 1):
            return
        instead, one = sum(self._count(texts)), sum(self._count([CANARY]))
        spending.release(instead)
        spending.reserve(one)
        try:
            self._send([CANARY], spending, dim=None, retries=0, until=until)
        except Failure as other:
            spending.release(one)
            if other.kind == "capped":
                raise
            told = f"not even an ordinary text is taken: {failure}"
            raise Failure("fatal", told, status=failure.status) from None
        finally:
            spending.reserve(instead)

    def _learn(
        self, divided: Mapping[range, Failure], taken: Sequence[range], refused: Mapping[int, str]
    ) -> None:
        """Remember how many texts the server takes where it was their number that it refused.

        Not where it failed (5xx): an outage is no limit. Where it does not say that the request
        was too large, two of one size have to be refused as a whole and taken in parts.
        """
        for part, failure in divided.items():
            sizes = [len(one) for one in taken if one.start in part and len(one) < len(part)]
            if failure.kind != "refused" or not sizes or any(at in part for at in refused):
                continue
            with self._learning:
                self._refusals[len(part)] += 1
                often = self._refusals[len(part)] >= _REFUSALS
            if len(part) > FEWEST_TEXTS and (often or failure.status in _TOO_LARGE):
                known = self.memory.known.batch_texts or len(part)
                self.memory.learn(batch_texts=max(FEWEST_TEXTS, min(*sizes, known)))

    def _send(
        self,
        texts: list[str],
        spending: Spending,
        *,
        dim: int | None,
        retries: int | None,
        until: float,
    ) -> NDArray[np.float64]:
        estimate = sum(self._count(texts))
        failure: Failure | None = None
        attempt = 0
        while True:
            left = until - time.monotonic()
            if left <= 0 or not self._pace.wait(spending.ended, within=left):
                raise self._final(failure or Failure("busy", "it asked to be left alone"), attempt)
            if spending.closed:
                raise Failure("fatal", "the run was ended")
            if not spending.admits(estimate):
                raise Failure("capped", str(failure or ""))
            attempt += 1
            try:
                rows = self._once(texts, dim=dim, limit=min(left, self.endpoint.timeout_seconds))
            except Failure as error:
                failure = error
            else:
                spending.book(estimate, tokens=rows.tokens)
                return rows.numbers
            if failure.maybe_paid:
                spending.book_in_vain(estimate)
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
        return failure.told(told)

    def _once(self, texts: list[str], *, dim: int | None, limit: float) -> Rows:
        """Send one request and wait for its answer ``limit`` seconds, however slowly it comes.

        It is sent in a thread of its own, since the library's limit holds for each wait and not for
        the whole; what does not end in time is left behind, and its thread ends with it.
        """
        with Crew[bytes | Failure](1) as crew:
            future = crew.submit(partial(self._answer, texts, limit))
            wait([future], timeout=limit + _GRACE_SECONDS)
            if not future.done():
                raise Failure("timeout", f"no answer within {round(limit, 1):g} s", maybe_paid=True)
            answer = future.result()
        if isinstance(answer, Failure):
            raise answer
        try:
            return rows_of(answer, count=len(texts), dim=dim)
        except Failure as error:
            error.maybe_paid = True
            raise

    def _answer(self, texts: list[str], limit: float) -> bytes | Failure:
        """Return what came, or why nothing did; no error leaves, since its request holds the key.

        Raises EndpointUnavailable where there is no key to send.
        """
        try:
            return self._posted(texts, limit)
        except BrainkitError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is
            found = error
        if isinstance(found, Failure):
            return found.with_traceback(None)
        return failure_of(found, self.endpoint)

    def _posted(self, texts: list[str], limit: float) -> bytes:
        """Send one request; the time limit holds for the whole answer, drop by drop or at once."""
        from openai import omit

        end = time.monotonic() + limit
        received = bytearray()
        with self._open().embeddings.with_streaming_response.create(
            model=self.model,
            input=texts,
            encoding_format="float",  # some servers refuse base64, the library's own choice
            dimensions=omit if self._dimensions is None else self._dimensions,
            timeout=limit,
        ) as response:
            for piece in response.iter_bytes():
                received += piece
                if time.monotonic() > end:
                    told = f"no whole answer within {round(limit, 1):g} s"
                    raise Failure("timeout", told, maybe_paid=True)
        return bytes(received)

    def _open(self) -> OpenAI:
        with self._opening:
            if self._client is None:
                self._client = self.endpoint.client(retries=0)
                weakref.finalize(self, self._client.close)
            return self._client
