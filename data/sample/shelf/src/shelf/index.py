"""A small inverted index that ranks by BM25."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass

from shelf.errors import InvalidQuery
from shelf.tokens import STOP_WORDS, tokenize

K1 = 1.5
B = 0.75


@dataclass(frozen=True)
class IndexHit:
    """One entry of a ranked list. `rank` counts from 1; `parts` holds the share of each term."""

    key: str
    rank: int
    score: float
    parts: dict[str, float]


class TermIndex:
    """Maps each term to the keys that contain it, with counts.

    k1 : 0 or more, default 1.5. Larger lets repeats of a term count for longer.
    b : 0 to 1, default 0.75. 0 ignores length; 1 divides by it in full.
    stop_words : terms left out of both the texts and the queries.

    >>> index = TermIndex()
    >>> index.add("c1", "sign the session key")
    >>> index.add("c2", "session expired, new session")
    >>> [hit.key for hit in index.search("session key")]
    ['c1', 'c2']
    """

    def __init__(
        self, *, k1: float = K1, b: float = B, stop_words: frozenset[str] = STOP_WORDS
    ) -> None:
        self.k1 = k1
        self.b = b
        self.stop_words = stop_words
        self._postings: dict[str, dict[str, int]] = {}
        self._lengths: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._lengths)

    def __contains__(self, key: str) -> bool:
        return key in self._lengths

    def add(self, key: str, text: str) -> None:
        """Index a text under a key; an earlier text of that key is replaced in full."""
        self.remove(key)
        counts = Counter(tokenize(text, stop_words=self.stop_words))
        self._lengths[key] = counts.total()
        for term, count in counts.items():
            self._postings.setdefault(term, {})[key] = count

    def remove(self, key: str) -> None:
        """Forget a key in every posting list; an unknown key is ignored.

        An emptied posting list goes too. Otherwise `idf` would see a ghost term.
        """
        if self._lengths.pop(key, None) is None:
            return
        for term in [term for term, keys in self._postings.items() if key in keys]:
            del self._postings[term][key]
            if not self._postings[term]:
                del self._postings[term]

    def postings(self, term: str) -> dict[str, int]:
        """Return key -> count for one term; empty when no text has it."""
        return dict(self._postings.get(term, {}))

    def idf(self, term: str) -> float:
        """Return ln(1 + (N - n + 0.5) / (n + 0.5)), where n of the N texts have the term."""
        n = len(self._postings.get(term, {}))
        return math.log(1 + (len(self) - n + 0.5) / (n + 0.5))

    def search(self, query: str, *, depth: int = 10) -> list[IndexHit]:
        """Return at most `depth` hits, best first; equal scores in key order.

        Only keys that share a term with the query are returned, so no hit has score 0.
        Raises InvalidQuery if depth is below 1 or the query has no terms.
        """
        if depth < 1:
            raise InvalidQuery(f"depth={depth} must be 1 or more")
        terms = Counter(tokenize(query, stop_words=self.stop_words))
        if not terms:
            raise InvalidQuery(f"query={query!r} has no terms after analysis; add a content word")
        parts: dict[str, dict[str, float]] = {}
        for term, repeats in terms.items():
            for key, count in self._postings.get(term, {}).items():
                parts.setdefault(key, {})[term] = repeats * self._term_score(term, key, count)
        best = sorted(parts, key=lambda key: (-sum(parts[key].values()), key))[:depth]
        return [
            IndexHit(key, rank, sum(parts[key].values()), parts[key])
            for rank, key in enumerate(best, start=1)
        ]

    def _term_score(self, term: str, key: str, count: int) -> float:
        average = sum(self._lengths.values()) / len(self)
        length_norm = 1 - self.b + self.b * self._lengths[key] / average
        return self.idf(term) * count * (self.k1 + 1) / (count + self.k1 * length_norm)
