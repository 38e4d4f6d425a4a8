"""The BM25 index: bm25s over the stored terms, one document per chunk in tie order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

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
FILES = (
    "data.csc.index.npy",
    "indices.csc.index.npy",
    "indptr.csc.index.npy",
    "vocab.index.json",
    "params.index.json",
    _LENGTHS,
)


@dataclass(frozen=True)
class TermStatistics:
    """A term of the index: its id there, the number of chunks that hold it, its idf."""

    id: int
    documents: int
    idf: float


class KeywordIndex:
    """Scores every chunk against query terms."""

    def __init__(self, index: BM25 | None, lengths: NDArray[np.int32]) -> None:
        self._index = index
        self.lengths = lengths
        self.average_length = float(lengths.mean()) if len(lengths) else 0.0

    @classmethod
    def build(
        cls, flat: NDArray[np.int32], lengths: NDArray[np.int32], vocabulary: Sequence[str]
    ) -> KeywordIndex:
        """Index documents given as term ids.

        flat : the ids of all documents, one after the other. lengths : ids per document.
        vocabulary : term of each id; terms that no document holds are left out of the index.
        """
        if not len(flat):
            return cls(None, lengths)
        from bm25s import BM25

        used, compact = np.unique(flat, return_inverse=True)
        bounds = np.cumsum(lengths)[:-1]
        documents = [part.tolist() for part in np.split(compact.astype(np.int32), bounds)]
        index = BM25(
            k1=settings.BM25_K1, b=settings.BM25_B, dtype="float32", auto_compile=False, **_METHOD
        )
        words = {vocabulary[old]: new for new, old in enumerate(used.tolist())}
        index.index((documents, words), show_progress=False, create_empty_token=False)
        return cls(index, lengths)

    def save(self, folder: Path) -> None:
        """Write the index into a folder."""
        folder.mkdir(exist_ok=True)
        np.save(folder / _LENGTHS, self.lengths, allow_pickle=False)
        if self._index is not None:
            self._index.save(folder, show_progress=False, allow_pickle=False)

    @classmethod
    def open(cls, folder: Path) -> KeywordIndex:
        """Map a saved index into memory; its hashes must have been checked."""
        lengths = np.load(folder / _LENGTHS, allow_pickle=False)
        if not (folder / FILES[0]).exists():
            return cls(None, lengths)
        from bm25s import BM25

        index = BM25.load(folder, mmap=True, allow_pickle=False, show_progress=False)
        return cls(index, lengths)

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

    def scores(self, ids: Sequence[int]) -> Floats:
        """Return the BM25 score of every chunk, shape (n,), summed over the ids in their order."""
        if self._index is None or not ids:
            return np.zeros(len(self.lengths), np.float32)
        return np.asarray(self._index.get_scores_from_ids(list(ids)), dtype=np.float32)

    def contributions(self, id_: int, rows: Rows) -> Floats:
        """Return what one occurrence of a query term adds to the score of each row; 0 if absent."""
        if self._index is None:
            return np.zeros(len(rows), np.float32)
        start, end = self._span(id_)
        holders = self._index.scores["indices"][start:end]
        at = np.searchsorted(holders, rows)
        found = at < len(holders)
        found[found] = holders[at[found]] == rows[found]
        values = np.zeros(len(rows), np.float32)
        values[found] = self._index.scores["data"][start:end][at[found]]
        return values

    def _span(self, id_: int) -> tuple[int, int]:
        bounds = self._index.scores["indptr"]  # type: ignore[union-attr]
        return int(bounds[id_]), int(bounds[id_ + 1])
