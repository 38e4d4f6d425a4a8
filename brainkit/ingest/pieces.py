"""A text cut into pieces: what a piece is, and what it may cost."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, NamedTuple

from brainkit.errors import InvalidSetting

EXTRACTION_VERSION = 1
"""To be raised whenever equal bytes give other chunks: unchanged files are then read again."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Whole lines of a text, or a part of one line that no piece can hold.

    text : the lines joined by ``\\n``; for a part of a line, ``metadata["columns"] = [from, to]``
        are its character offsets (``to`` exclusive) and both line numbers are that line's.
    start_line, end_line : 1-based, inclusive; neither is a blank line.
    context : what encloses the text without being part of it, outermost first.
    """

    text: str
    start_line: int
    end_line: int
    context: str = ""
    metadata: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Budget:
    """How much a piece may hold, in tokens of the embedder's own tokenizer.

    max_tokens : 1 or more, for context and text together. Smaller pieces are found more precisely
        and say less each.
    overlap_tokens : 0 or more. Prose repeats whole trailing lines worth at most this much.
    count : the tokens of each text; called once per file with all its lines, and again only for
        lines and headings too long to be kept whole. Counts must add up as those of word pieces
        do: a text joined from lines or words never counts more than the sum of them.

    Raises InvalidSetting if a number is out of its range.
    """

    max_tokens: int
    overlap_tokens: int
    count: Callable[[Sequence[str]], Sequence[int]]

    def __post_init__(self) -> None:
        for name, least in (("max_tokens", 1), ("overlap_tokens", 0)):
            if getattr(self, name) < least:
                raise InvalidSetting(
                    f"{name}={getattr(self, name)} is too small; the least is {least}."
                )


class Header(NamedTuple):
    """A heading or signature that encloses lines after ``line`` (from 0), and its tokens."""

    line: int
    text: str
    cost: int


class Lines:
    """The lines of one text, counted once.

    text, blank : each line, and whether it is blank; indexed from 0.
    sums : ``sums[b] - sums[a]`` bounds the tokens of lines a to b-1.
    extra_costs : tokens of each of ``extra``, counted in the same call.
    """

    __slots__ = ("_contexts", "_empty", "blank", "budget", "extra_costs", "sums", "text")

    def __init__(self, text: str, budget: Budget, *, extra: Sequence[str] = ()) -> None:
        self.budget = budget
        self.text = text.split("\n")
        self.blank = [not line or line.isspace() for line in self.text]
        counts = [int(n) for n in budget.count([*self.text, "", *extra])]
        self.sums = list(accumulate(counts[: len(self.text)], initial=0))
        # An empty context is nothing to a tokenizer, but an estimate may count its line end.
        self._empty = counts[len(self.text)]
        self.extra_costs = counts[len(self.text) + 1 :]
        self._contexts: dict[tuple[Header, ...], tuple[str, int]] = {}

    def __len__(self) -> int:
        return len(self.text)

    def cost(self, start: int, end: int) -> int:
        """Tokens of lines ``start`` to ``end - 1``, at most."""
        return self.sums[end] - self.sums[start]

    def context(self, headers: tuple[Header, ...], joiner: str) -> tuple[str, int]:
        """Join headers, outermost first, and say what they cost.

        More than a quarter of the budget is not spent: the outermost headers go first, and an
        innermost one that is still too long keeps its beginning, where a signature has its name.
        """
        if not headers:
            return "", self._empty
        known = self._contexts.get(headers)
        if known is None:
            known = self._contexts[headers] = self._shortened(headers, joiner)
        return known

    def room(self, headers: tuple[Header, ...], joiner: str) -> int:
        """Tokens left for the text of a piece under ``headers``."""
        return self.budget.max_tokens - self.context(headers, joiner)[1]

    def _shortened(self, headers: tuple[Header, ...], joiner: str) -> tuple[str, int]:
        limit = self.budget.max_tokens // 4
        kept: list[str] = []
        spent = 0
        for header in reversed(headers):
            if spent + header.cost > limit:
                break
            kept.append(header.text)
            spent += header.cost
        if kept:
            return joiner.join(reversed(kept)), spent
        words = headers[-1].text.split()
        sums = list(accumulate(self.budget.count(words), initial=0))
        fitting = bisect_right(sums, limit) - 1
        return (" ".join(words[:fitting]), int(sums[fitting])) if fitting else ("", self._empty)
