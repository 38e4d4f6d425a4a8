"""A small real brain with questions, for experiments."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import brainkit
from brainkit.evaluation.datasets import Dataset, load_dataset

# Words are shared so that both retrievers have something to say, and disagree.
TEXTS = {
    "sign": "Session tokens are signed with a secret key before they leave the server.",
    "retry": "The client retries a request three times and waits longer after each failure.",
    "loan": "A book is lent for three weeks; the loan can be renewed twice by its reader.",
    "shelf": "Shelves hold books by call number, and a reader finds a book by its shelf.",
    "key": "The secret key is rotated every month; old tokens stay valid for a day.",
    "wait": "Readers wait for a book that is lent; the waiting list is first come first served.",
    "fine": "A fine is due for each day that a loan is late, up to three weeks.",
    "server": "The server listens on one port and answers a request within a second.",
    "token": "A token token token names its reader and the day on which it ends.",
    "index": "The index maps terms to the books that hold them, with positions.",
}
ROWS = [
    ("how are session tokens signed", "sign", 2, "fact"),
    ("how are session tokens signed", "key", 1, "fact"),
    ("how often does the client retry a request", "retry", 2, "fact"),
    ("for how long may a reader keep a book", "loan", 2, "paraphrase"),
    ("for how long may a reader keep a book", "fine", 1, "paraphrase"),
    ("token", "token", 1, "exact"),
    ("token", "sign", 1, "exact"),
    ("where does a book stand", "shelf", 1, "paraphrase"),
    ("who gets a lent book next", "wait", 1, "paraphrase"),
    ("which port does the server use", "server", 1, "exact"),
    ("terms and positions", "index", 1, "exact"),
    ("when is the secret changed", "key", 1, "paraphrase"),
]


@pytest.fixture(scope="module")
def library(
    tmp_path_factory: pytest.TempPathFactory, word_vectors: Any
) -> Iterator[brainkit.Brain]:
    """Ten texts of one chunk each, in a brain."""
    folder = tmp_path_factory.mktemp("evaluation") / "library.brain"
    with brainkit.open(folder, embedder=word_vectors) as brain:
        records = [{"id": name, "text": text} for name, text in TEXTS.items()]
        brain.ingest_texts(records, progress=False)
        yield brain


@pytest.fixture(scope="session")
def questions() -> Dataset:
    """Nine questions about them."""
    rows = [
        {"query": query, "source": source, "grade": grade, "type": kind}
        for query, source, grade, kind in ROWS
    ]
    return load_dataset(rows, name="library")
