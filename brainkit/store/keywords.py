"""The BM25 index: bm25s over the stored terms, one document per chunk in tie order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from brainkit import settings

if TYPE_CHECKING:
    from bm25s import BM25

Floats = NDArray[np.float32]
Rows = NDArray[np.int64]

# bm25s "atire" term frequencies with "lucene" idf is the seed's formula:
# idf * f * (k1 + 1) / (f + k1 * (1 - b + b * |D| / avgdl)), idf = ln(1 + (N - n + .5) / (n + .5)).
_METHOD = {"method": "atire", "idf_method": "lucene"}
_LENGTHS = "lengths.npy"
_COUNTS = "counts.npy"
FILES = (
    "data.csc.index.npy",
    "indices.csc.index.npy",
    "indptr.csc.index.npy",
    "vocab.index.json",
    "params.index.json",
    _LENGTHS,
    _COUNTS,
)


@dataclass(frozen=True)
class TermStatistics:
    """A term of the index: its id there, the number of chunks that hold it, its idf."""

    id: int
    documents: int
    idf: float


class KeywordIndex:
    """Scores every chunk against query terms.

    index : None if no chunk has a term. lengths : terms per chunk. counts : how often a chunk holds
        a term, one number per posting, in the order of bm25s: by term, then by chunk.
    """

    def __init__(
        self, index: BM25 | None, lengths: NDArray[np.int32], counts: NDArray[np.integer[Any]]
    ) -> None:
        self._index = index
        self._counts = counts
        self.lengths = lengths
        self.average_length = float(lengths.mean()) if len(lengths) else 0.0

    @classmethod
    def build(
        cls, flat: NDArray[np.int32], lengths: NDArray[np.int32], vocabulary: Mapping[int, str]
    ) -> KeywordIndex:
        """Index documents given as term ids.

        The arrays of bm25s are filled here, bit for bit as its own ``index`` does, since that takes
        lists of Python integers: four times the time, and half a gigabyte for 100,000 chunks.

        flat : the ids of all documents, one after the other. lengths : ids per document.
        vocabulary : id -> term; terms that no document holds are left out of the index.
        """
        if not len(flat):
            return cls(None, lengths, np.empty(0, np.uint8))
        n, occurrences = len(lengths), np.bincount(flat)
        used = np.flatnonzero(occurrences)
        new_ids = np.cumsum(occurrences > 0) - 1
        chunk_of = np.repeat(np.arange(n), lengths)
        postings, counts = np.unique(new_ids[flat] * n + chunk_of, return_counts=True)
        terms, chunks = np.divmod(postings, n)
        documents = np.bincount(terms)
        idf = np.log(1 + (n - documents + 0.5) / (documents + 0.5)).astype(np.float32)
        k1, b, average = settings.BM25_K1, settings.BM25_B, float(lengths.mean())
        index = _empty_index()
        index.scores = {
            "data": _values(idf[terms], counts, lengths[chunks], average, k1=k1, b=b),
            "indices": chunks.astype(np.int32),
            "indptr": np.concatenate(([0], np.cumsum(documents))),
            "num_docs": n,
        }
        index.vocab_dict = {vocabulary[old]: new for new, old in enumerate(used.tolist())}
        index.nonoccurrence_array = None
        return cls(index, lengths, counts.astype(np.min_scalar_type(counts.max())))

    def save(self, folder: Path) -> None:
        """Write the index into a folder."""
        folder.mkdir(exist_ok=True)
        np.save(folder / _LENGTHS, self.lengths, allow_pickle=False)
        np.save(folder / _COUNTS, self._counts, allow_pickle=False)
        if self._index is not None:
            self._index.save(folder, show_progress=False, allow_pickle=False)

    @classmethod
    def open(cls, folder: Path) -> KeywordIndex:
        """Map a saved index into memory; its hashes must have been checked."""
        lengths = np.load(folder / _LENGTHS, allow_pickle=False)
        counts = np.load(folder / _COUNTS, mmap_mode="r", allow_pickle=False)
        if not (folder / FILES[0]).exists():
            return cls(None, lengths, counts)
        from bm25s import BM25

        index = BM25.load(folder, mmap=True, allow_pickle=False, show_progress=False)
        for name in ("data", "indices", "indptr"):  # a slice of a memmap costs ten of an array's
            index.scores[name] = np.asarray(index.scores[name])
        return cls(index, lengths, np.asarray(counts))

    def statistics(self, term: str) -> TermStatistics | None:
        """Return what the index knows of a term, or None if no chunk holds it."""
        if self._index is None:
            return None
        id_ = self._index.vocab_dict.get(term)
        if id_ is None:
            return None
        start, end = self._span(id_)
        n, documents = len(self.lengths), end - start
        return TermStatistics(
            id_, documents, float(np.log(1 + (n - documents + 0.5) / (documents + 0.5)))
        )

    def scores(
        self, ids: Sequence[int], *, k1: float = settings.BM25_K1, b: float = settings.BM25_B
    ) -> Floats:
        """Return the BM25 score of every chunk, shape (n,), summed over the ids in their order.

        k1, b : others than those of the index are worked out from its counts and lengths, for the
            chunks that hold a term: what an index built with them gives, bit for bit.
        """
        scores = np.zeros(len(self.lengths), np.float32)
        if self._index is None or not ids:
            return scores
        if (k1, b) == (settings.BM25_K1, settings.BM25_B):
            return np.asarray(self._index.get_scores_from_ids(list(ids)), dtype=np.float32)
        for id_ in ids:
            start, end = self._span(id_)
            scores[self._index.scores["indices"][start:end]] += self._added(id_, k1, b)
        return scores

    def postings(
        self,
        id_: int,
        rows: Rows,
        *,
        k1: float = settings.BM25_K1,
        b: float = settings.BM25_B,
    ) -> tuple[Floats, NDArray[np.int32]]:
        """Return for each row what one occurrence of a query term adds to its score, and how often
        the row holds the term; 0 and 0 where it does not.
        """
        values, counts = np.zeros(len(rows), np.float32), np.zeros(len(rows), np.int32)
        if self._index is None:
            return values, counts
        start, end = self._span(id_)
        holders = self._index.scores["indices"][start:end]
        at = np.searchsorted(
            holders, rows.astype(holders.dtype)
        )  # unequal types would copy holders
        found = np.flatnonzero(at < len(holders))
        found = found[holders[at[found]] == rows[found]]
        values[found] = self._added(id_, k1, b)[at[found]]
        counts[found] = self._counts[start:end][at[found]]
        return values, counts

    def _added(self, id_: int, k1: float, b: float) -> Floats:
        """What one occurrence of a query term adds to the score of each chunk that holds it."""
        scores = self._index.scores  # type: ignore[union-attr]
        start, end = self._span(id_)
        if (k1, b) == (settings.BM25_K1, settings.BM25_B):
            stored: Floats = scores["data"][start:end]
            return stored
        n, documents = len(self.lengths), end - start
        idf = np.log(1 + (n - documents + 0.5) / (documents + 0.5)).astype(np.float32)
        counts, lengths = self._counts[start:end], self.lengths[scores["indices"][start:end]]
        return _values(idf, counts, lengths, self.average_length, k1=k1, b=b)

    def _span(self, id_: int) -> tuple[int, int]:
        bounds = self._index.scores["indptr"]  # type: ignore[union-attr]
        return int(bounds[id_]), int(bounds[id_ + 1])


def _values(
    idf: Any,
    counts: NDArray[np.integer[Any]],
    lengths: NDArray[np.int32],
    average: float,
    *,
    k1: float,
    b: float,
) -> Floats:
    """Return what a term adds to each chunk, rounded as in bm25s: its counts are float32."""
    norms = k1 * (1 - b + b * lengths / average)
    times = counts.astype(np.float32)
    return np.asarray(idf * (times * (k1 + 1) / (times + norms)), np.float32)


def _empty_index() -> BM25:
    from bm25s import BM25

    return BM25(
        k1=settings.BM25_K1, b=settings.BM25_B, dtype="float32", auto_compile=False, **_METHOD
    )
