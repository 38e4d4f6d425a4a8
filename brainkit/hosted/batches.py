"""A run of an embedding model over many texts: several batches at once, none paid for in vain."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from functools import partial
from typing import Any, Final, NoReturn

import numpy as np
from numpy.typing import NDArray

from brainkit.errors import BrainkitError, BudgetReached, EmbedderFailed, EndpointUnavailable
from brainkit.hosted.crew import Crew
from brainkit.hosted.failure import Failure
from brainkit.hosted.service import Outcome, Service
from brainkit.hosted.spending import Spending

BATCH_TOKENS: Final = 250_000
"""Of one request; OpenAI allows 300,000, and the count is an estimate."""

OnBatch = Callable[[Sequence[int], NDArray[Any]], None]


def run(
    service: Service,
    texts: Sequence[str],
    *,
    counts: Sequence[int],
    dim: int,
    batch_texts: int,
    concurrency: int,
    spending: Spending,
    on_batch: OnBatch,
) -> dict[int, str]:
    """Embed every text, longest first, and return position -> reason of those refused.

    counts : estimated tokens of each text. on_batch : called with positions and float64 (n, dim),
        in this thread.
    When a request fails for good, or a cap is reached, nothing more is sent, what is on its way is
    waited for and handed over, and then it raises. Any other exception, such as Ctrl-C, hands over
    what has arrived.
    """
    spending.expected = sum(counts)
    refused = {at: "blank" for at, text in enumerate(texts) if not text.strip()}
    order = sorted((at for at in range(len(texts)) if at not in refused),
                   key=lambda at: (-counts[at], at))  # fmt: skip
    left = deque(order)
    running: dict[Future[Outcome], list[int]] = {}
    failure: Failure | None = None
    done = 0

    def hand_over(future: Future[Outcome]) -> Failure | None:
        nonlocal done
        positions = running[future]
        outcome = future.result()
        refused.update((positions[at], reason) for at, reason in outcome.refused.items())
        if outcome.rows:
            done += len(outcome.rows)
            rows = np.array(list(outcome.rows.values()))
            on_batch([positions[at] for at in outcome.rows], rows)
        unsent = [at for n, at in enumerate(positions) if n not in outcome.rows]
        spending.release(sum(counts[at] for at in unsent))
        if outcome.failure is not None:
            left.extend(at for at in unsent if at not in refused)
        del running[future]  # last: what Ctrl-C cuts short here is handed over again
        return outcome.failure

    with Crew[Outcome](min(concurrency, max(1, len(order)))) as crew:
        try:
            while True:
                while failure is None and len(running) < concurrency:
                    if running and spending.careful:
                        break
                    batch = _next(left, counts, batch_texts, spending)
                    if not batch:
                        break
                    spending.reserve(sum(counts[at] for at in batch))
                    sent = [texts[at] for at in batch]
                    running[crew.submit(partial(service.embed, sent, spending, dim=dim))] = batch
                if not running:
                    break
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    failed = hand_over(future)
                    failure = failure or failed
                if failure is not None and failure.kind == "fatal":
                    spending.close()
        except BaseException:
            spending.close()
            for future in [one for one in running if one.done() and one.exception() is None]:
                hand_over(future)
            raise
    so_far = f"{done:,} of {len(order):,} texts are embedded and kept ({spending})"
    if failure is not None and failure.kind != "capped":
        _raise(failure, service, so_far)
    if left:
        after = f" by another attempt, after {failure}" if failure and str(failure) else ""
        raise BudgetReached(
            f"Stopped before {spending.cap_reached()} would be passed{after}: {so_far}. The brain "
            "answers as before. To go on, do the same again with an embedder of a higher cap: only "
            f"the {len(left):,} texts left are then paid for."
        )
    return dict(sorted(refused.items()))


def _next(
    left: deque[int], counts: Sequence[int], batch_texts: int, spending: Spending
) -> list[int]:
    """Take the next batch off the list: as many texts as fit by number and by tokens.

    Under a cap the shortest come first, alone, until the server has counted some.
    """
    room = spending.room()
    most = BATCH_TOKENS if room is None else min(room, BATCH_TOKENS)
    at, take = (-1, left.pop) if spending.careful else (0, left.popleft)
    batch: list[int] = []
    tokens = 0
    while left and len(batch) < batch_texts:
        tokens += counts[left[at]]
        fits = tokens <= most or (not batch and (room is None or spending.trusts(tokens)))
        if not fits:
            break
        batch.append(take())
    return batch


def _raise(failure: Failure, service: Service, so_far: str) -> NoReturn:
    reason = f"{service.model} at {service.endpoint.address}: {failure}".rstrip(".")
    kind: type[BrainkitError] = EmbedderFailed if failure.kind == "garbled" else EndpointUnavailable
    raise kind(
        f"{reason}. {so_far}; the brain answers as before, and the same again goes on from there."
    )
