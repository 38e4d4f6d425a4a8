"""Scores of pairs that were read before, so that none is read, or paid for, twice."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Sequence

from brainkit.errors import BrainkitError, RerankerFailed
from brainkit.rerank.base import Reranker, checked

PAIRS_MAX = 50_000
"""About 6 MB: an evaluation of 300 queries in several configurations reads each pair once."""


class KeptScores:
    """A reranker that remembers the scores of the last pairs, by hash.

    A reranker of one's own may raise anything and answer with anything: it becomes RerankerFailed.
    Moving alpha brings up mostly chunks that were read already, and two settings of an evaluation
    share most of theirs. Failures are not remembered. Thread-safe.
    """

    def __init__(self, reranker: Reranker, *, pairs_max: int = PAIRS_MAX) -> None:
        self._reranker = reranker
        self._pairs_max = pairs_max
        self._kept: OrderedDict[bytes, float] = OrderedDict()
        self._changing = threading.Lock()

    @property
    def name(self) -> str:
        """Of the reranker behind it."""
        return self._reranker.name

    @property
    def sends(self) -> bool:
        """As the reranker behind it does."""
        return self._reranker.sends

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return one score per text; only pairs that are new go to the reranker."""
        keys = [_key(query, text) for text in texts]
        with self._changing:
            known = {key: self._kept[key] for key in keys if key in self._kept}
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if new:
            found = self._asked(query, list(new.values()))
            known.update(zip(new, found, strict=True))
        with self._changing:
            for key in keys:
                self._kept[key] = known[key]
                self._kept.move_to_end(key)
            while len(self._kept) > self._pairs_max:
                self._kept.popitem(last=False)
        return [known[key] for key in keys]

    def _asked(self, query: str, texts: list[str]) -> list[float]:
        try:
            found = self._reranker.scores(query, texts)
        except BrainkitError:
            raise
        except Exception as error:
            raise RerankerFailed(f"{self.name} raised {type(error).__name__}: {error}") from error
        return checked(found, texts, name=self.name)


def _key(query: str, text: str) -> bytes:
    pair = f"{len(query)} {query}{text}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(pair, digest_size=16).digest()
