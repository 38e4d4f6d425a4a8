"""An answer of the sample brain to draw, made once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import brainkit


@pytest.fixture(scope="session")
def answer(
    tmp_path_factory: pytest.TempPathFactory, repository: Path, word_vectors: Any
) -> Iterator[brainkit.Answer]:
    """A hybrid answer with a full trace, so that it can be fused in every mode."""
    folder = tmp_path_factory.mktemp("viz") / "sample.brain"
    with brainkit.open(folder, embedder=word_vectors) as brain:
        brain.ingest(repository / "data" / "sample" / "shelf", progress=False)
        yield brain.query("how are sessions signed", alpha=0.4, top_k=8, trace="full")
