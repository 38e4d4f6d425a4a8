"""Test collections in BEIR layout, and how a ranking of theirs is measured."""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from ir_measures import Measure, R, calc_aggregate, nDCG
from numpy.typing import NDArray

from brainkit.settings import QUERY_CHARS_MAX

Qrels = dict[str, dict[str, int]]
Measured = dict[Measure, float]

NDCG10: Measure = nDCG @ 10
R10: Measure = R @ 10


@dataclass(frozen=True)
class Collection:
    """A folder with ``corpus.jsonl.gz``, ``queries.jsonl`` and ``qrels/<split>.tsv``."""

    folder: Path

    @property
    def name(self) -> str:
        """Name of the folder."""
        return self.folder.name

    def records(self) -> Iterator[dict[str, Any]]:
        """Yield the documents as ``ingest_texts`` takes them."""
        with gzip.open(self.folder / "corpus.jsonl.gz", "rt", encoding="utf-8") as lines:
            yield from map(json.loads, lines)

    def qrels(self, split: str = "test") -> Qrels:
        """Return query id -> document id -> grade, of queries with a grade above 0."""
        found: Qrels = {}
        with open(self.folder / "qrels" / f"{split}.tsv", encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
                grades = found.setdefault(row["query-id"], {})
                grades[row["corpus-id"]] = int(row["score"])
        return {query: grades for query, grades in found.items() if max(grades.values()) > 0}

    def queries(self, split: str = "test") -> tuple[dict[str, str], int]:
        """Return query id -> text of the judged queries, and how many were cut.

        A query is cut to the length that a request may have.
        """
        judged, texts = self.qrels(split), {}
        with open(self.folder / "queries.jsonl", encoding="utf-8") as lines:
            for query in map(json.loads, lines):
                if query["_id"] in judged:
                    texts[query["_id"]] = query["text"].strip()
        cut = sum(len(text) > QUERY_CHARS_MAX for text in texts.values())
        return {id_: text[:QUERY_CHARS_MAX] for id_, text in texts.items()}, cut


def collections(folder: Path) -> dict[str, Collection]:
    """Return the collections of a folder that have a corpus, by name."""
    found = sorted(path.parent for path in folder.glob("*/corpus.jsonl.gz"))
    return {path.name: Collection(path) for path in found}


def measured(qrels: Qrels, rankings: Mapping[str, Sequence[str]]) -> Measured:
    """Return nDCG@10 (linear gain) and R@10, averaged over every judged query.

    rankings : query id -> document ids, best first. Scores are made from the ranks, since trec_eval
    breaks ties of scores by document id and ours have their own rule. A query without a ranking
    counts 0.
    """
    run = {
        query: {document: 1.0 / rank for rank, document in enumerate(documents, 1)}
        for query, documents in rankings.items()
    }
    return dict(calc_aggregate([NDCG10, R10], qrels, run))


def one_direction(texts: Iterable[str]) -> NDArray[np.float32]:
    """Embed every text alike: for runs that measure keywords only."""
    return np.ones((len(list(texts)), 2), np.float32)
