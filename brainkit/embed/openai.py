"""Embed with a model at OpenAI, or at any server that speaks its language."""

from __future__ import annotations

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from brainkit.embed.base import Identity
from brainkit.embed.vectors import PROBES, encodable, flaws, projected, unit_rows
from brainkit.errors import EmbedderFailed, EmbedderUnavailable, EndpointUnavailable, InvalidSetting
from brainkit.hosted.batches import OnBatch, run
from brainkit.hosted.crew import Crew
from brainkit.hosted.endpoint import RETRIES, TIMEOUT_SECONDS, Endpoint, is_loopback
from brainkit.hosted.failure import Failure
from brainkit.hosted.known import Memory
from brainkit.hosted.pace import Pace
from brainkit.hosted.prices import Price, price_of
from brainkit.hosted.service import CANARY, Outcome, Service
from brainkit.hosted.spending import Cap, Spending
from brainkit.hosted.tokens import beginning, counter, estimated

MODEL: Final = "text-embedding-3-large"
DIMS: Final = {
    "text-embedding-3-large": 3072,
    "text-embedding-3-small": 1536,
    "text-embedding-ada-002": 1536,
}
"""OpenAI's own models. Elsewhere their names are believed only until a server is asked."""
WINDOW: Final = 8191
"""Tokens that OpenAI's models read of one text."""
_ASSUMED_WINDOW: Final = 512
_BATCH_TEXTS, _OWN_BATCH_TEXTS = 256, 64
"""At OpenAI, where 2,048 are allowed but an answer would be 100 MB; and at a server of one's own,
which computes them one after the other within the time limit."""
_BATCH_TEXTS_MAX: Final = 2048
_CONCURRENCY: Final = 4
_QUERY_RETRIES: Final = 2
_NOT_TAKEN: Final = frozenset({400, 422})
_QUERIES_KEPT: Final = 256
_CONFIRMED: Final = 3
"""Probes that are asked again before each ingest."""


class OpenAIEmbedder:
    """Embed with a hosted model: OpenAI, Azure, Ollama, vLLM, LM Studio, llama.cpp and their like.

    Rows are scaled to length 1. Nothing is sent before something is embedded, except that a model
    which is not OpenAI's own, or not at OpenAI, is asked for the vectors of eight fixed texts,
    which tell its dimension, and one model from another under the same name: they become part of
    the identity, so that the same model at another address is recognised, and another one refused.
    Three of them are asked again before each ingest, since weights may change meanwhile.

    model : its name there. dimensions : shorter vectors, where the model can; 1 or more.
    base_url, key, organization, headers : see Endpoint. A key is never given as a text.
    timeout : seconds for one request. retries : after 429, 5xx and lost lines, with backoff.
    batch_size : texts in one request, 1 to 2,048; None for 256 at OpenAI and 64 elsewhere. What a
        server takes is found out and remembered.
    concurrency : requests in flight at once, 1 to 64. More is faster until the server says 429.
    window : tokens that the model reads of one text; None for OpenAI's 8,191, elsewhere unknown
        (chunks then have 512 at most).
    query_prefix, document_prefix : what the model wants before a text of that role.
    price : dollars per million tokens; None looks in the table of OpenAI's prices.
    max_cost, max_tokens : stop before one ingest or reembed spends more dollars or tokens; what is
        done is kept. max_cost needs a known price. Attempts that gave nothing count where they may
        be billed; probes and questions do not. See Spending for the exact bound.
    pace : when to try again; for tests.
    Raises InvalidSetting for a number out of range, a cap without a price, an address that is none.
    """

    counts_by_line = True
    special_tokens = 0

    def __init__(
        self,
        model: str = MODEL,
        *,
        dimensions: int | None = None,
        base_url: str | None = None,
        key: Callable[[], str] | None = None,
        organization: str | None = None,
        timeout: float = TIMEOUT_SECONDS,
        headers: Mapping[str, str] | None = None,
        retries: int = RETRIES,
        batch_size: int | None = None,
        concurrency: int = _CONCURRENCY,
        window: int | None = None,
        query_prefix: str = "",
        document_prefix: str = "",
        price: Price | None = None,
        max_cost: float | None = None,
        max_tokens: int | None = None,
        pace: Pace | None = None,
    ) -> None:
        self.endpoint = Endpoint(
            base_url=base_url,
            key=key,
            organization=organization,
            headers=dict(headers or {}),
            timeout_seconds=timeout,
            retries=retries,
        )
        address = self.endpoint.address
        _check_model(model, dimensions)
        _check_range("batch_size", batch_size, most=_BATCH_TEXTS_MAX)
        _check_range("concurrency", concurrency, most=64)
        _check_range("window", window)
        self.model = model
        self.price = price or price_of(model, address=address)
        _check_cap(max_cost, max_tokens, self.price, where=f"{model!r} at {address}")
        self.batch_size = batch_size or (_BATCH_TEXTS if address == "openai" else _OWN_BATCH_TEXTS)
        self.concurrency = concurrency
        self._dimensions = dimensions
        self._window = window or (WINDOW if model in DIMS else None)
        self._query_prefix = query_prefix
        self._document_prefix = document_prefix
        self._cap = Cap(max_cost, max_tokens)
        self._count = counter(model)
        self.service = Service(
            self.endpoint,
            model,
            dimensions=dimensions,
            count=self._count,
            pace=pace or Pace(retries),
            memory=Memory(address, model),
        )
        self._probing = threading.Lock()
        self._identity: Identity | None = None
        self._asking = threading.Lock()
        self._asked: OrderedDict[str, NDArray[np.float32]] = OrderedDict()

    def __repr__(self) -> str:
        return f"<OpenAIEmbedder {self.model} at {self.endpoint.address}>"

    @property
    def identity(self) -> Identity:
        """Known of OpenAI's models at OpenAI; of others found by one request, the first time.

        Raises EndpointUnavailable if that cannot be answered.
        """
        return self._identified()

    def confirmed(self) -> bool:
        """Ask again for a few probes, and tell whether the answers are those that were given.

        If not, another model answers now: the identity is found anew the next time it is asked.
        Raises EndpointUnavailable if there is no answer.
        """
        is_new, before = self._identity is None, self.identity
        if is_new or before.probes is None:
            return True
        _, now = self._probe(_CONFIRMED)
        if replace(before, probes=before.probes[: len(now)]).agrees(replace(before, probes=now)):
            return True
        with self._probing, self._asking:
            self._identity = None
            self._asked.clear()
        return False

    @property
    def max_tokens(self) -> int:
        """The window: what is known or was given, else 512."""
        return self._window or _ASSUMED_WINDOW

    def spending(self) -> Spending:
        """Return the account of a new run, with this embedder's price and caps."""
        return Spending(price=self.price, cap=self._cap)

    def billed(self, texts: Sequence[str]) -> int:
        """Return how many tokens these documents will be billed as, by estimate."""
        return sum(self._count([self._document(text) for text in texts]))

    def embed_each(
        self, texts: Sequence[str], *, on_batch: OnBatch, spending: Spending | None = None
    ) -> dict[int, str]:
        """Embed documents, several batches at once, and hand over each as soon as it is there.

        on_batch : called in this thread with positions in ``texts`` and float32 (n, dim).
        Returns position -> reason for each text that the server refuses by itself.
        Raises BudgetReached, EndpointUnavailable, EmbedderFailed, after all that is paid for was
        handed over; Ctrl-C loses only what is on its way.
        """
        dim = self.identity.dim
        sent = [self._document(text) for text in texts]
        return run(
            self.service,
            sent,
            counts=self._count(sent),
            dim=dim,
            batch_texts=self.batch_size,
            concurrency=self.concurrency,
            spending=spending or self.spending(),
            on_batch=lambda positions, rows: on_batch(positions, unit_rows(rows)),
        )

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return unit vectors, float32 (n, dim), in order; NaN for a text that is refused."""
        matrix = np.full((len(texts), self.identity.dim), np.nan, np.float32)

        def put(positions: Sequence[int], vectors: NDArray[np.float32]) -> None:
            matrix[list(positions)] = vectors

        self.embed_each(texts, on_batch=put)
        return matrix

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return the unit vector of a question, float32 (dim,), by one request.

        All attempts together take no longer than the time limit of one, since somebody waits.
        The last 256 questions are kept in memory, so that one asked again costs nothing.
        Raises EmbedderFailed if the server refuses this very question, and EndpointUnavailable if
        it does not answer: results without a vector would be others, and nobody would know.
        """
        with self._asking:
            if text in self._asked:
                self._asked.move_to_end(text)
                return self._asked[text]
        until = time.monotonic() + self.endpoint.timeout_seconds
        dim = self._identified(until).dim
        outcome = self._outcome([self._fitted(self._query_prefix, text)], dim=dim, until=until)
        if outcome.refused:
            raise EmbedderFailed(f"{self.endpoint.address} refuses {text[:60]!r}: "
                                 f"{outcome.refused[0]}.")  # fmt: skip
        vector: NDArray[np.float32] = unit_rows(outcome.rows[0][np.newaxis])[0]
        vector.flags.writeable = False
        with self._asking:
            self._asked[text] = vector
            while len(self._asked) > _QUERIES_KEPT:
                self._asked.popitem(last=False)
        return vector

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Estimate the tokens of each text, rather too many than too few.

        The same on every machine, whether or not an exact tokenizer is there, since chunks are cut
        by it; what is billed is counted exactly where possible.
        """
        return [estimated(text) for text in texts]

    def examined(self) -> str:
        """Ask whether the model gives shorter vectors, remember it, and say what is known of it.

        One request with a few tokens. Raises EndpointUnavailable if the server does not answer.
        """
        wanted = max(1, self.identity.dim // 2)
        service = Service(
            self.endpoint,
            self.model,
            dimensions=wanted,
            count=self._count,
            pace=Pace(0),
            memory=self.service.memory,
        )
        with Crew[Outcome](1) as crew:
            free = Spending(price=None)
            outcome = crew.submit(lambda: service.embed([CANARY], free, dim=None)).result()
        able = 0 in outcome.rows and len(outcome.rows[0]) == wanted
        failure = outcome.failure
        if failure is not None and failure.status not in _NOT_TAKEN:  # which says nothing of it
            raise self._unavailable(failure)
        self.service.memory.learn(takes_dimensions=able)
        known = self.service.memory.known
        texts = f"{known.batch_texts:,}" if known.batch_texts else f"{self.batch_size:,} or more"
        can = "can" if able else "cannot"
        return f"dimensions= {can} be chosen; {texts} texts in one request"

    def _document(self, text: str) -> str:
        return self._fitted(self._document_prefix, text)

    def _fitted(self, prefix: str, text: str) -> str:
        whole = encodable(f"{prefix}{text}")
        return beginning(whole, self._window) if self._window else whole

    def _place(self) -> str:
        address = self.endpoint.address
        return address if address == "openai" or is_loopback(address) else "other"

    def _identified(self, until: float = math.inf) -> Identity:
        with self._probing:
            if self._identity is None:
                dim, probes = self._dimensions or DIMS.get(self.model), None
                is_known = self.model in DIMS
                if not is_known or self.endpoint.address != "openai":
                    dim, probes = self._probe(len(PROBES), until)
                self._identity = Identity(
                    provider="openai",
                    model=self.model,
                    dim=dim or 0,
                    # Of another's model nobody knows whether it was asked for this number.
                    revision="" if is_known or not self._dimensions else f"dimensions {dim}",
                    query_prefix=self._query_prefix,
                    document_prefix=self._document_prefix,
                    max_tokens=self._window,
                    probes=probes,
                    address=self._place(),
                )
            return self._identity

    def _probe(self, count: int, until: float = math.inf) -> tuple[int, tuple[float, ...]]:
        dim = self._dimensions or DIMS.get(self.model)
        outcome = self._outcome(PROBES[:count], dim=dim, until=until)
        if self._dimensions is not None:
            self.service.memory.learn(takes_dimensions=True)
        if outcome.refused:
            ((_, reason), *_) = outcome.refused.items()
            raise EmbedderFailed(
                f"{self!r} refuses an ordinary text ({reason}), so it cannot be used."
            )
        units = unit_rows(np.array([outcome.rows[at] for at in range(count)]))
        if flaws(units):
            raise EmbedderFailed(f"{self!r} gives unusable vectors: {flaws(units)}.")
        return units.shape[1], projected(units.astype(np.float64))

    def _outcome(
        self, texts: Sequence[str], *, dim: int | None, until: float = math.inf
    ) -> Outcome:
        """Embed a few texts at once, in a thread of its own: Ctrl-C ends the wait for it at once,
        and no traceback shows the frames in which the key is.
        """
        free, retries = Spending(price=None), min(self.endpoint.retries, _QUERY_RETRIES)
        with Crew[Outcome](1) as crew:
            outcome = crew.submit(
                lambda: self.service.embed(texts, free, dim=dim, retries=retries, until=until)
            ).result()
        if outcome.failure is not None:
            raise self._unavailable(outcome.failure)
        return outcome

    def _unavailable(self, failure: Failure) -> EndpointUnavailable:
        return EndpointUnavailable(
            f"{self.model} at {self.endpoint.address}: {failure}. mode='bm25' works without it."
        )


def reopened(stored: Identity, *, brain: object) -> OpenAIEmbedder:
    """Return the embedder that made a brain's vectors, as far as a brain may say so.

    A brain may come from anyone, so it has no say in where questions and keys go: only OpenAI
    itself and servers on this machine are used as it says, the latter without a key.
    Raises EmbedderUnavailable where the server must be named again.
    """
    options: dict[str, object] = {}
    if Endpoint().address == "openai" != stored.address:
        if stored.address is None or not is_loopback(stored.address):
            raise EmbedderUnavailable(
                f"the vectors of {brain} were made by {stored} at a server that a brain may not "
                "choose; set OPENAI_BASE_URL, or pass embedder=brainkit.OpenAIEmbedder("
                f"{stored.model!r}, base_url=...). mode='bm25' works without it."
            )
        options = {"base_url": stored.address, "key": lambda: ""}
    if stored.revision or stored.dim != DIMS.get(stored.model, stored.dim):
        options["dimensions"] = stored.dim
    return OpenAIEmbedder(
        stored.model,
        window=stored.max_tokens,
        query_prefix=stored.query_prefix,
        document_prefix=stored.document_prefix,
        **options,  # type: ignore[arg-type]  # a parameter's name and its value
    )


def _check_model(model: str, dimensions: int | None) -> None:
    if not str(model or "").strip():
        raise InvalidSetting(f"model={model!r:.60} is no name; give one such as {MODEL!r}.")
    _check_range("dimensions", dimensions, most=DIMS.get(model))
    if dimensions is not None and model == "text-embedding-ada-002":
        raise InvalidSetting(f"dimensions={dimensions}: {model} gives 1536 and no other number.")


def _check_range(name: str, value: object, *, most: int | None = None) -> None:
    if value is None:
        return
    if type(value) is not int or value < 1 or (most is not None and value > most):
        allowed = f"1 to {most:,}" if most else "1 or more"
        raise InvalidSetting(f"{name}={value!r:.60}: allowed is a whole number, {allowed}.")


def _check_cap(
    max_cost: float | None, max_tokens: int | None, price: Price | None, *, where: str
) -> None:
    kinds = {"max_cost": (max_cost, (int, float)), "max_tokens": (max_tokens, (int,))}
    for name, (value, kind) in kinds.items():
        is_one = isinstance(value, kind) and not isinstance(value, bool)
        if value is not None and not (is_one and 0 < value < math.inf):
            what = "a whole number" if kind == (int,) else "a number"
            raise InvalidSetting(f"{name}={value!r}: give {what}, more than 0, or leave it out.")
    if max_cost is not None and price is None:
        raise InvalidSetting(
            f"max_cost={max_cost}: the price of {where} is not known; give "
            "price=Price(dollars per million tokens), or max_tokens= instead."
        )
