"""What hosted models cost. Prices change: they are for plans and caps, and can be overridden."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

PRICES_OF: Final = "June 2026"
"""When the table was last compared with copies of OpenAI's price list."""
PRICES_FROM: Final = "developers.openai.com/api/docs/pricing"


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars per million tokens read, and per million written (0 for embeddings)."""

    read: float
    written: float = 0.0

    def of(self, tokens_read: int, tokens_written: int = 0) -> float:
        """Return the price in dollars.

        >>> Price(0.4, 1.6).of(1_000_000, 500_000)
        1.2
        """
        return (tokens_read * self.read + tokens_written * self.written) / 1_000_000


PRICES: Final = {
    "text-embedding-3-large": Price(0.13),
    "text-embedding-3-small": Price(0.02),
    "text-embedding-ada-002": Price(0.10),
    "gpt-4.1": Price(2.00, 8.00),
    "gpt-4.1-mini": Price(0.40, 1.60),
    "gpt-4.1-nano": Price(0.10, 0.40),
    "gpt-4o": Price(2.50, 10.00),
    "gpt-4o-mini": Price(0.15, 0.60),
    "gpt-5-mini": Price(0.25, 2.00),
}


def price_of(model: str, *, address: str) -> Price | None:
    """Return the price of a model at an address, None if it is not known.

    Only OpenAI's own prices are known; a server of one's own is not free, but nobody sends a bill
    by the token.
    """
    return PRICES.get(model) if address == "openai" else None


def dollars(amount: float) -> str:
    """Return an amount for people.

    >>> dollars(0.00123), dollars(1.5), dollars(0.0000021)
    ('$0.0012', '$1.50', '$0.000002')
    """
    if 0 < amount < 0.0001:
        return f"${amount:.6f}"
    return f"${amount:.4f}" if amount < 0.1 else f"${amount:,.2f}"
