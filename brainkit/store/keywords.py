"""The BM25 index: bm25s over the stored terms, one document per chunk in tie order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from brainkit import settings
from brainkit.store import sound
from brainkit.store.moved import Moved

if TYPE_CHECKING:
    from bm25s import BM25

Floats = NDArray[np.float32]
Rows = NDArray[np.int64]

# bm25s "atire" term frequencies with "lucene" idf is the seed's formula:
# idf * f * (k1 + 1) / (f + k1 * (1 - b + b * |D| / avgdl)), idf = ln(1 + (N - n + .5) / (n + .5)).
_METHOD = {"method": "atire", "idf_method": "lucene"}
_LENGTHS = "lengths.npy"
_COUNTS = "counts.npy"
_BLOCK = 1 << 16  # postings scored at a time, so that all they need stays in the cache
_ARRAYS: dict[str, tuple[str, ...]] = {"data": ("f4",), "indices": ("i4",), "indptr": ("i4", "i8")}
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
        n = len(lengths)
        used = np.flatnonzero(np.bincount(flat, minlength=1))
        new_ids = np.zeros(len(flat) and int(used[-1]) + 1, np.int64)
        new_ids[used] = np.arange(len(used))
        postings, counts = _counted(new_ids[flat], np.arange(n), lengths, n=n)
        terms = [vocabulary[id_] for id_ in used.tolist()] if len(flat) else []
        return cls._of(postings, counts, lengths, terms)

    def moved(
        self,
        moved: Moved,
        flat: NDArray[np.int32],
        lengths: NDArray[np.int32],
        vocabulary: Mapping[int, str],
    ) -> KeywordIndex:
        """Return the index after chunks went, came and changed places.

        It is what ``build`` gives of all chunks, bit for bit: what a chunk adds to a score depends
        on all others, but how often it holds a term does not, so only that is taken over. With 20
        of 100,000 chunks changed it takes a fifth of the time.

        flat, lengths : as in ``build``, of the chunks that are new, in the order of their rows.
        vocabulary : id -> term of their ids; a new term's id is above those of all known ones.
        """
        if self._index is None:
            known, bounds, rows = {}, np.zeros(1, np.int64), np.empty(0, np.int32)
        else:
            known, stored = self._index.vocab_dict, self._index.scores
            bounds, rows = stored["indptr"], moved.rows[stored["indices"]]
        terms = [*known, *(term for _, term in sorted(vocabulary.items()) if term not in known)]
        new_ids = np.zeros(max(vocabulary, default=-1) + 1, np.int64)
        number = {term: at for at, term in enumerate(terms)}
        new_ids[[*vocabulary]] = [number[term] for term in vocabulary.values()]
        stay = rows >= 0
        postings = np.repeat(np.arange(len(known)), np.diff(bounds))[stay] * moved.size + rows[stay]
        new, new_counts = _counted(new_ids[flat], moved.added, lengths, n=moved.size)
        at = np.searchsorted(postings, new)
        counts = np.insert(self._counts[stay].astype(np.int64), at, new_counts)
        all_lengths = np.zeros(moved.size, np.int32)
        all_lengths[moved.rows[moved.kept]] = self.lengths[moved.kept]
        all_lengths[moved.added] = lengths
        return self._of(np.insert(postings, at, new), counts, all_lengths, terms)

    @classmethod
    def _of(
        cls,
        postings: NDArray[np.int64],
        counts: NDArray[np.int64],
        lengths: NDArray[np.int32],
        terms: Sequence[str],
    ) -> KeywordIndex:
        """Score postings, each term * chunks + row, ascending; terms that none has are left out."""
        if not len(postings):
            return cls(None, lengths, np.empty(0, np.uint8))
        n = len(lengths)
        documents = np.diff(np.searchsorted(postings, np.arange(len(terms) + 1) * n))
        idf = np.log(1 + (n - documents + 0.5) / (documents + 0.5)).astype(np.float32)
        norms = _norms(lengths, float(lengths.mean()), k1=settings.BM25_K1, b=settings.BM25_B)
        rows, data = np.empty(len(postings), np.int32), np.empty(len(postings), np.float32)
        for start in range(0, len(postings), _BLOCK):
            block = slice(start, start + _BLOCK)
            of_term, rows[block] = np.divmod(postings[block], n)
            data[block] = _values(
                idf[of_term], counts[block], norms[rows[block]], k1=settings.BM25_K1
            )
        index = _empty_index()
        index.scores = {
            "data": data,
            "indices": rows,
            "indptr": np.concatenate(([0], np.cumsum(documents[documents > 0]))),
            "num_docs": n,
        }
        held = [term for term, number in zip(terms, documents.tolist(), strict=True) if number]
        index.vocab_dict = {term: at for at, term in enumerate(held)}
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
        """Map a saved index into memory; its hashes must have been checked. Raises Unsound."""
        lengths = sound.array(folder / _LENGTHS, dtypes="i4", shape=(None,))
        counts = sound.array(folder / _COUNTS, dtypes=("u1", "u2", "u4"), shape=(None,))
        if not (folder / FILES[0]).exists():
            return cls(None, lengths, counts)
        scores = {
            name: sound.array(folder / f"{name}.csc.index.npy", dtypes=dtypes, shape=(None,))
            for name, dtypes in _ARRAYS.items()
        }
        vocabulary = sound.words_of(folder / "vocab.index.json")
        sound.postings(scores, vocabulary, counts, lengths)
        # Not by bm25s, which takes from the file with what, and by which compiler, it counts.
        index = _empty_index()
        index.scores = {**scores, "num_docs": len(lengths)}
        index.vocab_dict = vocabulary
        index.nonoccurrence_array = None
        return cls(index, lengths, counts)

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
        lengths = self.lengths[scores["indices"][start:end]]
        return _values(
            idf, self._counts[start:end], _norms(lengths, self.average_length, k1=k1, b=b), k1=k1
        )

    def _span(self, id_: int) -> tuple[int, int]:
        bounds = self._index.scores["indptr"]  # type: ignore[union-attr]
        return int(bounds[id_]), int(bounds[id_ + 1])


def _norms(lengths: NDArray[np.int32], average: float, *, k1: float, b: float) -> Any:
    return k1 * (1 - b + b * lengths / average)


def _values(idf: Any, counts: NDArray[np.integer[Any]], norms: Any, *, k1: float) -> Floats:
    """Return what a term adds to each chunk, rounded as in bm25s: its counts are float32."""
    times = counts.astype(np.float32)
    return np.asarray(idf * (times * (k1 + 1) / (times + norms)), np.float32)


def _counted(
    ids: NDArray[np.int64], rows: NDArray[np.integer[Any]], lengths: NDArray[np.int32], *, n: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return each different (id, row) as id * n + row, ascending, and how often it comes."""
    return np.unique(ids * n + np.repeat(rows, lengths), return_counts=True)


def _empty_index() -> BM25:
    from bm25s import BM25

    return BM25(
        k1=settings.BM25_K1, b=settings.BM25_B, dtype="float32", auto_compile=False, **_METHOD
    )
