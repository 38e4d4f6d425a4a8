"""The libraries' own calls on a brain's own files: what a query would cost without brainkit."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bm25s
import numpy as np
from bm25s.selection import topk
from numpy.typing import NDArray
from usearch.index import Index, MetricKind, search

from brainkit.store import layout
from brainkit.store.database import open_to_read

if TYPE_CHECKING:
    from igraph import Graph

Floats = NDArray[np.float32]
Rows = NDArray[np.int64]

_COLUMNS = (
    "key, chunk_id, source, start_line, end_line, source_type, language, text, context, metadata"
)
_EXPANSION = 1024  # as in a brain


class Bare:
    """Open the files of a generation with nothing but the libraries.

    generation : its folder. depth : hits per search, as in a query.
    """

    def __init__(self, generation: Path, *, depth: int) -> None:
        self._folder = generation
        self._depth = depth
        self.matrix: Floats = np.load(generation / layout.VECTORS, mmap_mode="r")
        self._connection, _ = open_to_read(generation / layout.DATABASE)

    def close(self) -> None:
        """Close the database."""
        self._connection.close()

    @property
    def approximate(self) -> bool:
        """Whether the brain has an HNSW index."""
        return (self._folder / layout.HNSW).exists()

    def exact(self, vector: Floats, *, depth: int | None = None) -> Rows:
        """Exact cosine search by NumPy as one matrix product, cut and sorted."""
        scores = self.matrix @ vector
        depth = min(depth or self._depth, len(scores))
        best = np.argpartition(scores, -depth)[-depth:]
        return np.asarray(best[np.argsort(-scores[best])], np.int64)

    def usearch_exact(self, vector: Floats) -> Rows:
        """Exact search by usearch, on all cores."""
        depth = min(self._depth, len(self.matrix))
        found = search(self.matrix, vector, depth, MetricKind.Cos, exact=True)
        return np.asarray(found.keys, np.int64)

    def hnsw(self, vector: Floats) -> Rows:
        """Search the brain's HNSW file."""
        return np.asarray(self._index.search(vector, self._depth).keys, np.int64)

    def bm25(self, terms: Sequence[str]) -> Rows:
        """Scores of all chunks and the best of them, by bm25s."""
        scores = self._keywords.get_scores(list(terms))
        _, best = topk(scores, k=min(self._depth, len(scores)), backend="numpy")
        return np.asarray(best, np.int64)

    def walk(self, entities: Sequence[int], *, hops: int) -> list[list[int]]:
        """What can be reached from each entity, by igraph."""
        found: list[list[int]] = self._graph.neighborhood(list(entities), order=hops)
        return found

    def fetch(self, keys: Sequence[int]) -> list[tuple[Any, ...]]:
        """Rows of the chunks, by DuckDB."""
        return self._connection.execute(
            f"select {_COLUMNS} from chunks where key in (select unnest($keys))",
            {"keys": list(keys)},
        ).fetchall()

    @cached_property
    def _keywords(self) -> Any:
        return bm25s.BM25.load(self._folder / layout.KEYWORDS, mmap=True, show_progress=False)

    @cached_property
    def _index(self) -> Index:
        index = Index(
            ndim=self.matrix.shape[1], metric="cos", dtype="f32", expansion_search=_EXPANSION
        )
        index.view(str(self._folder / layout.HNSW))
        return index

    @cached_property
    def _graph(self) -> Graph:
        from igraph import Graph

        subjects, _, objects = np.load(self._folder / layout.GRAPH / "relations.npy")
        entities = np.load(self._folder / layout.GRAPH / "entities.npy").shape[1]
        return Graph(entities, np.stack([subjects, objects], axis=1))
