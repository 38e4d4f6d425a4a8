"""What else could be installed instead, over the same texts, vectors and questions.

    python tests/bench/rivals.py WORK NAME MODE RECALL

suite.py runs it, with the Python that has them: it imports nothing of brainkit. WORK holds
``vectors.npy``, ``texts.jsonl``, ``asked.npz`` and ``truth.npy``, the ten nearest rows by exact
search. Each rival gives ten ids with their texts; an approximate one is asked with the least effort
that reaches RECALL, or its most. Prints one JSON object.
"""

from __future__ import annotations

import json
import os
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from probe import peak_memory_mb

TOP_K = 10
WARM_UP = 5
SECONDS_MAX = 10.0
"""Time for the questions of one mode; the slowest get through some of them only."""
NEARLY = 0.005
_BATCH = 5_000


class Rival(ABC):
    """One of them: ``build`` fills it on disk, ``open`` is what a later process does.

    package : its name in the registry. modes : what it can do. most : the most chunks it is tried
    with. efforts : how hard its vector search tries, least first.
    """

    package: ClassVar[str]
    modes: ClassVar[tuple[str, ...]]
    most: ClassVar[int] = 1_000_000
    efforts: Sequence[int | None] = (None,)

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.effort: int | None = None

    @abstractmethod
    def build(self, texts: Sequence[str], vectors: Any) -> None:
        """Take everything in."""

    @abstractmethod
    def open(self) -> None:
        """Make ready to be asked."""

    def exert(self, effort: int | None) -> None:
        """Search vectors with this effort from now on."""
        self.effort = effort

    @abstractmethod
    def ask(self, mode: str, text: str, vector: Any) -> list[int]:
        """Return the ids of the best, having read their texts too."""


class LanceDB(Rival):
    """Flat vector search, IVF-PQ refined above 100,000; its own full-text index; both, by RRF."""

    package, modes = "lancedb", ("vector", "bm25", "hybrid")
    _flat = 100_000

    def build(self, texts: Sequence[str], vectors: Any) -> None:
        import lancedb
        import pyarrow as pa

        flat = pa.array(np.asarray(vectors).ravel())
        columns = {
            "id": pa.array(range(len(texts)), pa.int32()),
            "text": pa.array(texts),
            "vector": pa.FixedSizeListArray.from_arrays(flat, vectors.shape[1]),
        }
        rows = lancedb.connect(self.folder).create_table("chunks", data=pa.table(columns))
        rows.create_fts_index("text")
        if len(texts) > self._flat:
            rows.create_index(metric="cosine", index_type="IVF_PQ", num_sub_vectors=48)

    def open(self) -> None:
        import lancedb
        from lancedb.rerankers import RRFReranker

        self._rows = lancedb.connect(self.folder).open_table("chunks")
        self._reranker = RRFReranker()
        if self._rows.count_rows() > self._flat:
            self.efforts = (10, 20, 40, 80, 160, 320)

    def ask(self, mode: str, text: str, vector: Any) -> list[int]:
        if mode == "bm25":
            query = self._rows.search(text, query_type="fts")
        elif mode == "vector":
            query = self._near(self._rows.search(vector))
        else:
            query = self._rows.search(query_type="hybrid").vector(vector).text(text)
            query = self._near(query).rerank(self._reranker)
        # Asked for without its score, it warns.
        columns = ["id", "text", *({"bm25": ["_score"], "vector": ["_distance"]}.get(mode, []))]
        if mode != "hybrid":
            query = query.select(columns)
        return [row["id"] for row in query.limit(TOP_K).to_list()]

    def _near(self, query: Any) -> Any:
        near = query.distance_type("cosine")
        return near if self.effort is None else near.nprobes(self.effort).refine_factor(20)


class Chroma(Rival):
    """HNSW, kept in its own files; texts in SQLite."""

    package, modes, most = "chromadb", ("vector",), 100_000
    efforts = (50, 100, 200, 400, 800, 1600)

    def build(self, texts: Sequence[str], vectors: Any) -> None:
        configuration = {"hnsw": {"space": "cosine"}}
        rows = self._client().create_collection(
            "chunks", embedding_function=None, configuration=configuration
        )
        for start in range(0, len(texts), _BATCH):
            end = min(start + _BATCH, len(texts))
            rows.add(
                ids=[str(at) for at in range(start, end)],
                documents=list(texts[start:end]),
                embeddings=np.asarray(vectors[start:end]),
            )

    def open(self) -> None:
        self._rows = self._client().get_collection("chunks", embedding_function=None)

    def exert(self, effort: int | None) -> None:
        self._rows.modify(configuration={"hnsw": {"ef_search": effort}})

    def ask(self, mode: str, text: str, vector: Any) -> list[int]:
        found = self._rows.query(
            query_embeddings=[vector], n_results=TOP_K, include=["documents", "distances"]
        )
        return [int(one) for one in found["ids"][0]]

    def _client(self) -> Any:
        import chromadb

        return chromadb.PersistentClient(
            str(self.folder), chromadb.Settings(anonymized_telemetry=False)
        )


class Tantivy(Rival):
    """BM25 over stemmed words; any of them may match."""

    package, modes = "tantivy", ("bm25",)

    def build(self, texts: Sequence[str], vectors: Any) -> None:
        import tantivy

        schema = tantivy.SchemaBuilder()
        schema.add_integer_field("id", stored=True)
        schema.add_text_field("text", stored=True, tokenizer_name="en_stem")
        writer = tantivy.Index(schema.build(), path=str(self.folder)).writer()
        for at, text in enumerate(texts):
            writer.add_document(tantivy.Document(id=at, text=text))
        writer.commit()
        writer.wait_merging_threads()

    def open(self) -> None:
        import tantivy

        self._index = tantivy.Index.open(str(self.folder))
        self._searcher = self._index.searcher()

    def ask(self, mode: str, text: str, vector: Any) -> list[int]:
        words = "".join(char if char.isalnum() else " " for char in text)  # no query syntax
        hits = self._searcher.search(self._index.parse_query(words, ["text"]), TOP_K).hits
        documents = [self._searcher.doc(address) for _, address in hits]
        return [one["id"][0] for one in documents if one["text"]]


class LlamaIndex(Rival):
    """Its default store: all vectors in memory, compared with each."""

    package, modes, most = "llama-index-core", ("vector",), 10_000

    def build(self, texts: Sequence[str], vectors: Any) -> None:
        from llama_index.core import MockEmbedding, VectorStoreIndex
        from llama_index.core.schema import TextNode

        nodes = [
            TextNode(id_=str(at), text=text, embedding=vector)
            for at, (text, vector) in enumerate(zip(texts, vectors.tolist(), strict=True))
        ]
        model = MockEmbedding(embed_dim=vectors.shape[1])
        VectorStoreIndex(nodes, embed_model=model).storage_context.persist(str(self.folder))

    def open(self) -> None:
        from llama_index.core import MockEmbedding, StorageContext, load_index_from_storage

        context = StorageContext.from_defaults(persist_dir=str(self.folder))
        index = load_index_from_storage(context, embed_model=MockEmbedding(embed_dim=1))
        self._retriever = index.as_retriever(similarity_top_k=TOP_K)

    def ask(self, mode: str, text: str, vector: Any) -> list[int]:
        from llama_index.core import QueryBundle

        found = self._retriever.retrieve(QueryBundle(text, embedding=vector.tolist()))
        return [int(one.node.node_id) for one in found if one.node.get_content()]


RIVALS: dict[str, type[Rival]] = {
    "LanceDB": LanceDB,
    "Chroma": Chroma,
    "tantivy": Tantivy,
    "llama-index": LlamaIndex,
}


class Given:
    """What suite.py laid down."""

    def __init__(self, work: Path) -> None:
        self.vectors = np.load(work / "vectors.npy", mmap_mode="r")
        self.truth = np.load(work / "truth.npy")
        with np.load(work / "asked.npz") as asked:
            self.asked = list(zip(asked["texts"].tolist(), asked["vectors"], strict=True))
        self._texts = work / "texts.jsonl"

    def texts(self) -> list[str]:
        """Read the texts."""
        with self._texts.open(encoding="utf-8") as lines:
            return [json.loads(line) for line in lines]

    def recall(self, rival: Rival) -> float:
        """Return recall@10 of vector search against exact."""
        found = 0
        for (text, vector), best in zip(self.asked, self.truth, strict=True):
            found += len(set(rival.ask("vector", text, vector)) & set(best.tolist()))
        return found / int(self.truth.size)


def built(rival: Rival, given: Given) -> dict[str, Any]:
    """Fill it, and say how long that took and what it left on disk."""
    texts = given.texts()
    start = time.perf_counter()
    rival.folder.mkdir(parents=True)
    rival.build(texts, given.vectors)
    seconds = time.perf_counter() - start
    size = sum(one.stat().st_size for one in rival.folder.rglob("*") if one.is_file())
    return {"build_s": seconds, "disk_mb": size / 1e6}


def asked(rival: Rival, given: Given, wanted: float) -> dict[str, Any]:
    """Ask every question in every mode; for vectors with the least effort that is enough."""
    rival.open()
    found: dict[str, Any] = {"modes": {}}
    for mode in rival.modes:
        one: dict[str, Any] = {}
        if "vector" in (mode, *rival.modes) and mode != "bm25":
            for effort in rival.efforts:
                rival.exert(effort)
                one = {"effort": effort, "recall": given.recall(rival)}
                if one["recall"] >= wanted - NEARLY:
                    break
        found["modes"][mode] = {**one, "ms": list(_spent(rival, mode, given))}
    return {**found, "peak_mb": peak_memory_mb()}


def _spent(rival: Rival, mode: str, given: Given) -> Iterator[float]:
    for text, vector in given.asked[:WARM_UP]:
        rival.ask(mode, text, vector)
    begin = time.perf_counter()
    for text, vector in given.asked:
        start = time.perf_counter()
        rival.ask(mode, text, vector)
        end = time.perf_counter()
        yield (end - start) * 1000
        if end - begin > SECONDS_MAX:
            return


def main(work: str, name: str, what: str, wanted: str) -> dict[str, Any]:
    """Build, or ask what was built."""
    kind = RIVALS[name]
    try:
        known = version(kind.package)
    except PackageNotFoundError:
        return {"skipped": f"{kind.package} is not installed"}
    given = Given(Path(work))
    if len(given.vectors) > kind.most:
        return {"skipped": f"not tried above {kind.most:,} chunks"}
    rival = kind(Path(work) / name)
    gave = built(rival, given) if what == "build" else asked(rival, given, float(wanted))
    return {"version": known, **gave}


if __name__ == "__main__":
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    outcome = main(*sys.argv[1:])
    sys.stdout.write("\n" + json.dumps(outcome))
