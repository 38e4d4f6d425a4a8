"""Figures that others published for the public collections, each with its source.

What stands here was measured with the same documents, questions and judgements as ours unless the
note says otherwise. A figure is comparable with one of our methods only where `method` names it:
for bm25 the same formula and stemming, for vector the same model, unquantised.
"""

from __future__ import annotations

from typing import NamedTuple

SOURCES = {
    1: 'xhluca/bm25-benchmarks 18ef41d, README, "NDCG@10", row Lucene 1.5/.75',
    2: "embeddings-benchmark/results f4cc6c8, results/<model>/<revision>/<task>.json",
    3: "castorini/pyserini 0a0be29, docs/2cr/beir.html",
    4: "castorini/anserini, testCacmEndToEnd (k1 .9, b .4, over the HTML pages with authors)",
    5: "HippoRAG 2, arXiv 2502.14802, table 3, as copied in third-party notes",
    6: "HippoRAG, arXiv 2405.14831, table 2, as copied in third-party notes",
    7: "LocAgent, arXiv 2503.09089, table 4, as copied in third-party notes; 274 issues",
}


class Figure(NamedTuple):
    """One published figure.

    method : ours that it can be held against, or "" where it shows what else there is.
    source : a key of SOURCES.
    """

    collection: str
    measure: str
    method: str
    of: str
    value: float
    source: int


_BY_MODEL = {
    # all-mpnet-base-v2 and the others: nDCG@10 of SciFact and NFCorpus, MTEB's results.
    "all-MiniLM-L6-v2": (0.645, 0.316),
    "all-mpnet-base-v2": (0.656, 0.333),
    "bge-base-en-v1.5": (0.743, 0.374),
    "text-embedding-3-small": (0.734, 0.383),
    "text-embedding-3-large": (0.778, 0.421),
    "potion-base-8M": (0.506, 0.243),
    "static-retrieval-mrl-en-v1": (0.593, 0.300),
}
_MULTI_HOP = {
    # The same 6,119 passages, but 1,000 questions with the original gold: R@2, R@5.
    ("bm25", "BM25", 6): (0.518, 0.619),
    ("", "Contriever", 6): (0.466, 0.575),
    ("", "ColBERTv2", 6): (0.592, 0.682),
    ("", "HippoRAG, with an LLM", 6): (0.707, 0.891),
    ("bm25", "BM25", 5): (None, 0.653),
    ("", "NV-Embed-v2", 5): (None, 0.765),
    ("", "HippoRAG 2, with an LLM", 5): (None, 0.904),
}
PUBLISHED = (
    Figure("scifact", "nDCG@10", "bm25", "bm25s", 0.687, 1),
    Figure("scifact", "R@10", "bm25", "bm25s", 0.8187, 2),
    Figure("scifact", "nDCG@10", "", "Anserini BM25, flat", 0.679, 3),
    Figure("scifact", "nDCG@10", "", "Anserini BM25, multifield", 0.665, 3),
    Figure("scifact", "nDCG@10", "vector", "bge-small-en-v1.5", 0.713, 2),
    Figure("scifact", "R@10", "vector", "bge-small-en-v1.5", 0.836, 2),
    Figure("scifact", "nDCG@10", "", "SPLADE++", 0.704, 3),
    Figure("scifact", "nDCG@10", "", "Contriever-msmarco", 0.677, 3),
    Figure("nfcorpus", "nDCG@10", "bm25", "bm25s", 0.321, 1),
    Figure("nfcorpus", "nDCG@10", "", "Anserini BM25, flat", 0.322, 3),
    Figure("nfcorpus", "nDCG@10", "", "Anserini BM25, multifield", 0.325, 3),
    Figure("nfcorpus", "nDCG@10", "vector", "bge-small-en-v1.5", 0.343, 2),
    Figure("nfcorpus", "R@10", "vector", "bge-small-en-v1.5", 0.162, 2),
    Figure("nfcorpus", "nDCG@10", "", "SPLADE++", 0.347, 3),
    Figure("nfcorpus", "nDCG@10", "", "Contriever-msmarco", 0.328, 3),
    Figure("cacm", "AP@1000", "", "Anserini BM25", 0.3123, 4),
    *(
        Figure(collection, "nDCG@10", "", model, value, 2)
        for model, values in _BY_MODEL.items()
        for collection, value in zip(("scifact", "nfcorpus"), values, strict=True)
    ),
    *(
        Figure("2wikimultihop", measure, method, of, value, source)
        for (method, of, source), values in _MULTI_HOP.items()
        for measure, value in zip(("R@2", "R@5"), values, strict=True)
        if value is not None
    ),
    Figure("swe-lite-loc50", "Success@1", "bm25", "BM25, LocAgent's", 0.387, 7),
    Figure("swe-lite-loc50", "Success@3", "bm25", "BM25, LocAgent's", 0.518, 7),
    Figure("swe-lite-loc50", "Success@5", "bm25", "BM25, LocAgent's", 0.617, 7),
)


def comparable(collection: str, measure: str, method: str) -> list[Figure]:
    """Return what was published for the method itself, to be held against ours."""
    return [one for one in PUBLISHED if one[:3] == (collection, measure, method)]


def others(collection: str) -> list[Figure]:
    """Return what was published for other methods on the same questions, best first."""
    found = [one for one in PUBLISHED if one.collection == collection and not one.method]
    return sorted(found, key=lambda one: (one.measure, -one.value))
