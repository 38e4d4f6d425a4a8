"""The libraries' own calls on a brain's own files: what a query would cost without brainkit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bm25s
import duckdb
import numpy as np
from bm25s.selection import topk
from numpy.typing import NDArray
from usearch.index import MetricKind, search

from brainkit.store import layout
from brainkit.store.database import open_to_read

Floats = NDArray[np.float32]

_COLUMNS = (
    "key, chunk_id, source, start_line, end_line, source_type, language, text, context, metadata"
)


class Bare:
    """Open the files of a generation with nothing but the libraries.

    generation : its folder. depth : hits per search, as in a query.
    """

    def __init__(self, generation: Path, *, depth: int) -> None:
        self._depth = depth
        self._matrix: Floats = np.load(generation / layout.VECTORS, mmap_mode="r")
        self._keywords: Any = bm25s.BM25.load(
            generation / layout.KEYWORDS, mmap=True, show_progress=False
        )
        self._connection: duckdb.DuckDBPyConnection = open_to_read(generation / layout.DATABASE)

    def close(self) -> None:
        """Close the database."""
        self._connection.close()

    def numpy_search(self, vector: Floats) -> NDArray[np.int64]:
        """Exact cosine search as one matrix product, cut and sorted."""
        scores = self._matrix @ vector
        depth = min(self._depth, len(scores))
        best = np.argpartition(scores, -depth)[-depth:]
        return best[np.argsort(-scores[best])]

    def usearch_search(self, vector: Floats) -> NDArray[np.int64]:
        """Exact search by usearch, on all cores."""
        depth = min(self._depth, len(self._matrix))
        found = search(self._matrix, vector, depth, MetricKind.Cos, exact=True)
        return np.asarray(found.keys, np.int64)

    def bm25s_search(self, terms: list[str]) -> NDArray[np.int64]:
        """Scores of all chunks and the best of them, by bm25s."""
        scores = self._keywords.get_scores(terms)
        _, best = topk(scores, k=min(self._depth, len(scores)), backend="numpy")
        return np.asarray(best, np.int64)

    def fetch(self, keys: list[int]) -> list[tuple[Any, ...]]:
        """Rows of the chunks, by DuckDB."""
        return self._connection.execute(
            f"select {_COLUMNS} from chunks where key in (select unnest($keys))", {"keys": keys}
        ).fetchall()
