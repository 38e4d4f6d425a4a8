"""What a run has spent and may spend, in tokens and dollars."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from brainkit.hosted.prices import Price, dollars

_UNMEASURED_SHARE = 0.5
"""Of a cap that may be on its way before the server's own count has been seen once."""


@dataclass(frozen=True, slots=True)
class Cap:
    """Most dollars and most tokens of one run; None sets no bound."""

    max_cost: float | None = None
    max_tokens: int | None = None


class Spending:
    """The account of one run; its methods may be called from any thread.

    price : None if it is not known. expected : tokens that the run will take, by estimate.
    Estimates are scaled by what the server counted so far, upwards at once.
    """

    def __init__(self, *, price: Price | None, cap: Cap | None = None, expected: int = 0) -> None:
        self.price = price
        self.expected = expected
        self.tokens = 0
        self.requests = 0
        self.closed = False
        self._cap = cap or Cap()
        self._changing = threading.Lock()
        self._estimated = 0
        self._in_flight = 0

    @property
    def cost(self) -> float | None:
        """Dollars spent, None where the price is not known."""
        return self.price.of(self.tokens) if self.price else None

    def room(self) -> int | None:
        """Return how many estimated tokens the next request may hold; None for any number.

        Before the first answer only half of the cap may be on its way, since the server may count
        otherwise than the estimate.
        """
        with self._changing:
            most = self._most_tokens()
            if most is None:
                return None
            factor = self._factor()
            share = 1.0 if self._estimated else _UNMEASURED_SHARE
            return int(max(0.0, most * share - self.tokens - self._in_flight * factor) / factor)

    def reserve(self, estimate: int) -> None:
        """Count a batch that is about to be sent."""
        with self._changing:
            self._in_flight += estimate

    def release(self, estimate: int) -> None:
        """Count a batch that came to its end; what it cost is booked already."""
        with self._changing:
            self._in_flight -= estimate

    def book(self, estimate: int, *, tokens: int | None) -> None:
        """Count an answer that is paid for. tokens : as the server counts, None if it does not."""
        with self._changing:
            self.requests += 1
            self._estimated += estimate
            self.tokens += estimate if tokens is None else tokens

    def close(self) -> None:
        """Let no further request of this run go out: it was interrupted, or none can succeed."""
        self.closed = True

    def cap_reached(self) -> str:
        """Return which cap the next text would pass."""
        if self._cap.max_cost is not None and self.price is not None:
            by_cost = self._cap.max_cost / self.price.read * 1e6 if self.price.read else None
            if by_cost is not None and by_cost <= (self._cap.max_tokens or by_cost):
                return f"max_cost={dollars(self._cap.max_cost)}"
        return f"max_tokens={self._cap.max_tokens:,}"

    def told(self) -> str:
        """Return what is spent, and what is left to spend, for a progress bar."""
        with self._changing:
            left = max(0.0, self.expected - self._estimated) * self._factor()
        if self.price is None:
            return f"{self.tokens:,} tokens, about {left:,.0f} left"
        to_come = self.price.of(int(left))
        return f"{dollars(self.price.of(self.tokens))}, about {dollars(to_come)} left"

    def __str__(self) -> str:
        text = f"{self.tokens:,} tokens"
        return text if self.cost is None else f"{text}, {dollars(self.cost)}"

    def _most_tokens(self) -> float | None:
        bounds: list[float] = []
        if self._cap.max_tokens is not None:
            bounds.append(self._cap.max_tokens)
        if self._cap.max_cost is not None and self.price is not None and self.price.read:
            bounds.append(self._cap.max_cost / self.price.read * 1e6)
        return min(bounds) if bounds else None

    def _factor(self) -> float:
        """Tokens of the server to one of the estimate, 1 until it is known."""
        return self.tokens / self._estimated if self._estimated and self.tokens else 1.0
