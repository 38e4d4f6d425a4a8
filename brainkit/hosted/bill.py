"""What embedding takes at a hosted model, before it is sent and after."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from brainkit.hosted.endpoint import Endpoint
from brainkit.hosted.prices import PRICES_FROM, PRICES_OF, Price, dollars, price_of
from brainkit.hosted.spending import Spending


@runtime_checkable
class Paid(Protocol):
    """An embedder that is paid for by the token."""

    model: str
    endpoint: Endpoint
    price: Price | None

    def spending(self) -> Spending:
        """Return the account of a new run."""
        ...

    def billed(self, texts: Sequence[str]) -> int:
        """Return how many tokens documents will be billed as, by estimate."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Bill:
    """What is sent to a hosted embedder, and what that costs.

    chunks : of new and changed files. duplicates : of them with the text of another, embedded once.
    kept : whose vector is kept from before, so that it costs nothing.
    texts : left to be sent, or sent. tokens : by estimate, or as the server counted them.
    cost : dollars; None where the price is not known. price_source : where the price is from.
    withheld : files that are not sent, since they look like they hold secrets.
    planned : nothing was sent yet.
    """

    model: str
    address: str
    chunks: int
    duplicates: int
    kept: int
    texts: int
    tokens: int
    cost: float | None
    price_source: str | None
    withheld: int
    planned: bool

    def __str__(self) -> str:
        where = "OpenAI" if self.address == "openai" else self.address
        saved = [f"{self.kept:,} kept from before"] if self.kept else []
        saved += [f"{_many(self.duplicates, 'duplicate')}"] if self.duplicates else []
        told = f"{self.model} at {where}: {_many(self.texts, 'text')} "
        told += "to send" if self.planned else "sent"
        if saved:
            told += f" of {_many(self.chunks, 'chunk')} ({', '.join(saved)})"
        if self.texts:
            told += f"; {'about ' if self.planned else ''}{self.tokens:,} tokens"
            told += (
                f", {'about ' if self.planned else ''}{dollars(self.cost)} at {self.price_source}"
                if self.cost is not None
                else "; the price is not known"
            )
        if self.withheld:
            told += f"; {_many(self.withheld, 'file')} not sent, for what looks like secrets"
        return f"{told}."


def source_of(price: Price | None, *, model: str, address: str) -> str | None:
    """Return where a price is from, for people; None if there is none."""
    if price is None:
        return None
    if price == price_of(model, address=address):
        return f"prices of {PRICES_OF} ({PRICES_FROM})"
    return "the price given"


def _many(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
