"""What a run has spent and may spend, in tokens and dollars."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from brainkit.hosted.prices import Price, dollars

UNMEASURED_FACTOR = 5
"""How many tokens a server may count to one of the estimate, as long as it has counted nothing."""
_ROUNDING = 1e-6


@dataclass(frozen=True, slots=True)
class Cap:
    """Most dollars and most tokens of one run; None sets no bound."""

    max_cost: float | None = None
    max_tokens: int | None = None


class Spending:
    """The account of one run; its methods may be called from any thread.

    price : None if it is not known. expected : tokens that the run will take, by estimate.

    The bound that a cap sets: what is booked and what is on its way together never exceed it,
    where a text is taken to cost its estimate times the highest ratio of the server's own counts
    to the estimates so far; five times its estimate before there is one. So a cap holds for every
    server that counts no text at more than it counted texts before. It can be passed only by what
    is on its way when a server first does, and by a first text which by its estimate takes more
    than a fifth of the cap: that one goes alone.
    """

    def __init__(self, *, price: Price | None, cap: Cap | None = None, expected: int = 0) -> None:
        self.price = price
        self.expected = expected
        self.requests = 0
        self.ended = threading.Event()
        self._cap = cap or Cap()
        self._changing = threading.Lock()
        self._counted = 0
        self._answered = 0  # the estimate of what is in _counted
        self._highest: float | None = None
        self._in_vain = 0  # by estimate: attempts that gave nothing and may be paid for
        self._in_flight = 0

    @property
    def tokens(self) -> int:
        """Spent so far: as the server counts; attempts that may be paid for, by estimate."""
        return self._counted + round(self._in_vain * self._average())

    @property
    def cost(self) -> float | None:
        """Dollars spent, None where the price is not known."""
        return self.price.of(self.tokens) if self.price else None

    @property
    def careful(self) -> bool:
        """Tell whether there is a cap and nothing to measure the server's counts by yet."""
        return self._most_tokens() is not None and self._highest is None

    def room(self) -> int | None:
        """Return how many estimated tokens the next request may hold; None for any number."""
        with self._changing:
            most = self._most_tokens()
            if most is None:
                return None
            left = (most - self._counted) / self._factor()
            return max(0, int(left - self._in_vain - self._in_flight))

    def trusts(self, estimate: int) -> bool:
        """Tell whether so much may go as the first request of all, alone: it is within the cap."""
        with self._changing:
            most = self._most_tokens()
            return most is None or (self._is_first(0) and estimate <= most)

    def admits(self, estimate: int) -> bool:
        """Tell whether a reserved request may go out now, given what was counted meanwhile."""
        with self._changing:
            most = self._most_tokens()
            if most is None:
                return True
            if self._is_first(estimate):
                return estimate <= most
            taken = self._in_vain + self._in_flight
            return self._counted + taken * self._factor() <= most + _ROUNDING

    def reserve(self, estimate: int) -> None:
        """Count what is about to be sent."""
        with self._changing:
            self._in_flight += estimate

    def release(self, estimate: int) -> None:
        """Take back what was reserved and will not be sent again, but for what is booked."""
        with self._changing:
            self._in_flight -= estimate

    def book(self, estimate: int, *, tokens: int | None) -> None:
        """Count an answer, which was reserved. tokens : as the server counts, None if not."""
        found = estimate if tokens is None else tokens
        with self._changing:
            self.requests += 1
            self._in_flight -= estimate
            self._answered += estimate
            self._counted += found
            if estimate:
                self._highest = max(self._highest or 0.0, found / estimate)

    def book_in_vain(self, estimate: int) -> None:
        """Count an attempt in vain that may be paid for; what it was for stays reserved."""
        with self._changing:
            self.requests += 1
            self._in_vain += estimate

    @property
    def closed(self) -> bool:
        """Tell whether no further request of this run may go out."""
        return self.ended.is_set()

    def close(self) -> None:
        """Let no further request of this run go out: it was interrupted, or none can succeed."""
        self.ended.set()

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
            left = max(0, self.expected - self._answered) * self._average()
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

    def _is_first(self, estimate: int) -> bool:
        """Tell whether nothing is known and nothing else than this is on its way."""
        return self._highest is None and not self._in_vain and self._in_flight == estimate

    def _factor(self) -> float:
        """Tokens of the server to one of the estimate, at most."""
        return UNMEASURED_FACTOR if self._highest is None else self._highest or 1.0

    def _average(self) -> float:
        return self._counted / self._answered if self._answered and self._counted else 1.0
