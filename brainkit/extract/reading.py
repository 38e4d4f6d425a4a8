"""A run of a chat model over many chunks: bounded, resumable, and never ended by one bad reply."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from brainkit.extract.llm import Dialect, Found, ModelExtractor, Reply, Unusable
from brainkit.hosted.prices import PRICES_OF, dollars
from brainkit.kept import Kept

if TYPE_CHECKING:
    from openai import OpenAI

GIVE_UP_AFTER: Final = 8
"""So many failures in a row, each after its retries, mean that the server is not there."""
WRITTEN_TOKENS_GUESS: Final = 150
"""What a reply to one chunk takes, for plans and for the cap while it is on its way."""


@dataclass
class Readings:
    """What a run gave.

    found : content hash -> triplets. failed : content hash -> reason.
    read, reused : chunks that the model read now, and that it had read before. not_read : left
        when a cap or a dead server ended the run. dropped : triplets outside the rules.
    """

    found: dict[bytes, tuple[Found, ...]] = field(default_factory=dict)
    failed: dict[bytes, str] = field(default_factory=dict)
    read: int = 0
    reused: int = 0
    not_read: int = 0
    dropped: int = 0
    tokens_read: int = 0
    tokens_written: int = 0
    stopped: str | None = None
    note: str | None = None

    @property
    def tokens(self) -> int:
        """Tokens read and written."""
        return self.tokens_read + self.tokens_written


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run would cost. cost : dollars, None where the price is not known."""

    chunks: int
    kept: int
    tokens_read: int
    tokens_written: int
    cost: float | None

    def __str__(self) -> str:
        if not self.chunks:
            return f"nothing to read: all {self.kept:,} chunks were read before"
        price = (
            f"about {dollars(self.cost)} at prices of {PRICES_OF}"
            if self.cost is not None
            else "at a price that is not known"
        )
        before = f" ({self.kept:,} were read before)" if self.kept else ""
        return (
            f"{self.chunks:,} chunks to read{before}: about {self.tokens_read:,} tokens in and "
            f"{self.tokens_written:,} out, {price}"
        )


@contextmanager
def readings_of(folder: Path, extractor: ModelExtractor) -> Iterator[Kept]:
    """What this extractor read before, kept in a brain's folder."""
    kept = Kept(
        folder / f"{extractor.digest}.sqlite",
        identity=extractor.identity,
        is_ours=lambda stored: stored == extractor.identity,
        what="relations",
        maker="model or vocabulary",
    )
    with kept:
        yield kept


def estimate(extractor: ModelExtractor, texts: Mapping[bytes, str], kept: Kept) -> Estimate:
    """Say what reading these texts would take: tokens are a quarter of the characters."""
    missing = set(texts).difference(kept.get(texts))
    prompt = sum(len(message["content"]) for message in extractor.prompt(""))
    tokens_read = sum(-(-(len(texts[one]) + prompt) // 4) for one in missing)
    tokens_written = len(missing) * WRITTEN_TOKENS_GUESS
    price = extractor.known_price
    cost = price.of(tokens_read, tokens_written) if price else None
    return Estimate(len(missing), len(texts) - len(missing), tokens_read, tokens_written, cost)


def read_all(
    extractor: ModelExtractor,
    texts: Mapping[bytes, str],
    kept: Kept,
    *,
    step: Callable[[int], None] = lambda _: None,
) -> Readings:
    """Read the triplets of every text that was not read before; keep each as soon as it is there.

    A reply that cannot be used, or a request that fails after its retries, is reported for its
    chunk and tried again by the next run. Ctrl-C loses only the requests in flight.
    step : called with the number of texts done, for a progress bar.
    Raises EndpointUnavailable where no request can succeed: no key, no such model, no quota.
    """
    before = kept.get(texts)
    result = Readings({one: _decoded(value) for one, value in before.items()}, reused=len(before))
    missing = [one for one in texts if one not in before]
    if missing:
        _run(extractor, {one: texts[one] for one in missing}, kept, result, step)
    result.note = kept.note
    return result


def _run(
    extractor: ModelExtractor,
    texts: Mapping[bytes, str],
    kept: Kept,
    result: Readings,
    step: Callable[[int], None],
) -> None:
    client, dialect = extractor.endpoint.client(), extractor.dialect()
    left = iter(texts.items())
    row = 0
    pool = ThreadPoolExecutor(extractor.concurrency, thread_name_prefix="brainkit-read")
    running: dict[Future[Reply], bytes] = {}
    try:
        while True:
            while len(running) < extractor.concurrency and not result.stopped:
                result.stopped = _over(extractor, result, in_flight=running)
                item = None if result.stopped else next(left, None)
                if item is None:
                    break
                running[_submit(pool, extractor, client, dialect, item[1])] = item[0]
            if not running:
                break
            for done in wait(running, return_when=FIRST_COMPLETED).done:
                one = running.pop(done)
                row = 0 if _take(extractor, done, one, kept, result) else row + 1
                step(1)
            if row >= GIVE_UP_AFTER and not result.stopped:
                last = next(reversed(result.failed.values()))
                result.stopped = f"{row} requests in a row failed, the last one with: {last}"
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
    result.not_read = sum(1 for _ in left)


def _submit(
    pool: ThreadPoolExecutor,
    extractor: ModelExtractor,
    client: OpenAI,
    dialect: Dialect,
    text: str,
) -> Future[Reply]:
    return pool.submit(extractor.read, client, text, dialect=dialect)


def _take(
    extractor: ModelExtractor, done: Future[Reply], one: bytes, kept: Kept, result: Readings
) -> bool:
    """Book what one request gave; return whether the server answered at all."""
    from openai import OpenAIError

    try:
        reply = done.result()
    except Unusable as error:
        result.tokens_read += error.tokens_read
        result.tokens_written += error.tokens_written
        result.failed[one] = str(error)
        return True
    except OpenAIError as error:
        found = extractor.endpoint.fatal(error)
        if found is None:
            result.failed[one] = extractor.endpoint.told(error)
            return getattr(error, "status_code", 500) < 500
        fatal = found
    else:
        kept.put([(one, json.dumps(reply.found, ensure_ascii=False).encode())])
        result.found[one] = reply.found
        result.read += 1
        result.dropped += reply.dropped
        result.tokens_read += reply.tokens_read
        result.tokens_written += reply.tokens_written
        return True
    raise fatal  # here and not above, so that the error with the request stays behind


def _over(
    extractor: ModelExtractor, result: Readings, *, in_flight: Iterable[object]
) -> str | None:
    """Return why the next request must not be sent, counting those on their way at a mean cost."""
    answered = result.read + len(result.failed)
    flying = sum(1 for _ in in_flight) + 1
    share = flying / answered if answered else 0.0
    if extractor.max_tokens is not None:
        expected = result.tokens * (1 + share)
        if expected > extractor.max_tokens:
            return f"max_tokens={extractor.max_tokens:,} would be passed"
    price = extractor.known_price
    if extractor.max_cost is not None and price is not None:
        spent = price.of(result.tokens_read, result.tokens_written)
        if spent * (1 + share) > extractor.max_cost:
            return f"max_cost={dollars(extractor.max_cost)} would be passed"
    return None


def _decoded(value: bytes) -> tuple[Found, ...]:
    return tuple(Found(*row) for row in json.loads(value))
