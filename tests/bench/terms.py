"""Measure how much of our BM25 is the formula and how much the terms.

    python tests/bench/terms.py --datasets ../shared/datasets

bm25s ranks every collection alone, without a brain, each time over other terms: its own (words of
two letters or more, its English stop words, stemmed), the same with words of one letter, each token
of ours as one term, and ours with the parts of identifiers. Measured by ir_measures.
"""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path

import bm25s
import numpy as np
import Stemmer
from ir_measures import calc_aggregate, nDCG
from rich.console import Console
from rich.table import Table

import brainkit
from brainkit.analyze import Analyzer
from brainkit.settings import BM25_B, BM25_K1

Terms = Callable[[str], list[str]]
DEPTH = 10


def library(least: int) -> Terms:
    """Return terms as bm25s makes them, of words with at least so many letters."""
    word = re.compile(rf"(?u)\b\w{{{least},}}\b")
    dropped, stem = set(bm25s.stopwords.STOPWORDS_EN), Stemmer.Stemmer("english").stemWord
    return lambda text: [stem(one) for one in word.findall(text.lower()) if one not in dropped]


def wholes(text: str) -> list[str]:
    """Return the first term of each of our tokens: an identifier without its parts."""
    return [token.terms[0] for token in Analyzer().analyze(text) if token.terms]


WAYS: Mapping[str, Terms] = {
    "bm25s' own": library(2),
    "and one letter": library(1),
    "our tokens": wholes,
    "and their parts": Analyzer().terms,
}


def ndcg(dataset: brainkit.Dataset, terms: Terms) -> float:
    """Return nDCG@10 of bm25s over the terms of title and text."""
    ids, documents = [], []
    numbers: dict[str, int] = {}
    for record in dataset.records():
        ids.append(record["_id"])
        text = f"{record.get('title') or ''} {record['text']}"
        documents.append([numbers.setdefault(term, len(numbers)) for term in terms(text)])
    index = bm25s.BM25(k1=BM25_K1, b=BM25_B, method="lucene")
    index.index((documents, numbers), show_progress=False)
    run = {}
    for query, text in dataset.queries.items():
        asked = [numbers[term] for term in terms(text) if term in numbers]
        scores = index.get_scores_from_ids(asked) if asked else np.zeros(len(ids))
        best = np.argsort(-scores, kind="stable")[:DEPTH]
        run[query] = {ids[at]: 1.0 / rank for rank, at in enumerate(best, 1)}
    qrels = {query: dict(grades) for query, grades in dataset.qrels.items()}
    return float(calc_aggregate([nDCG @ DEPTH], qrels, run)[nDCG @ DEPTH])


def main() -> None:
    """Print one line per collection."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--datasets", type=Path, default=os.environ.get("BRAINKIT_SHARED"))
    parser.add_argument("--sets", nargs="+", default=["scifact", "nfcorpus"])
    given = parser.parse_args()
    if given.datasets is None:
        parser.error("give --datasets FOLDER, or set BRAINKIT_SHARED")
    table = Table("collection", *WAYS, title=f"nDCG@{DEPTH} of bm25s by terms", box=None)
    for name in given.sets:
        dataset = brainkit.load_dataset(Path(given.datasets) / name)
        table.add_row(name, *(f"{ndcg(dataset, terms):.4f}" for terms in WAYS.values()))
    Console(width=100, highlight=False).print(table)


if __name__ == "__main__":
    main()
