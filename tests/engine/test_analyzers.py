"""A brain whose terms another version of the analyzer made: readable at once, mended by a write."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import brainkit
from brainkit.analyze import analyzer
from brainkit.store.layout import Layout
from brainkit.store.locks import WriterLock

Embedder = Callable[[list[str]], Any]


def kinds(brain: brainkit.Brain) -> list[str]:
    return [notice.kind for notice in brain.query("tea", mode="bm25").response.notices]


def test_opening_never_meets_the_writer_and_the_next_ingest_mends_the_terms(
    tmp_path: Path, word_vectors: Embedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.brain"
    with brainkit.open(path, embedder=word_vectors) as brain:
        brain.ingest_texts([{"id": "a", "text": "green tea"}], progress=False)
    monkeypatch.setattr(analyzer, "VERSION", analyzer.VERSION + 1)
    with WriterLock(Layout(path)), brainkit.open(path, embedder=word_vectors) as brain:
        assert kinds(brain) == ["other-analyzer"]
    with brainkit.open(path, embedder=word_vectors) as brain:
        before = brain.info().generation
        brain.ingest_texts([{"id": "b", "text": "black tea"}], progress=False)
        assert brain.info().generation > before
        assert brain.info().analyzer["version"] == analyzer.VERSION
        assert kinds(brain) == []
        assert [r.source for r in brain.query("tea", mode="bm25").results] == ["a", "b"]
        assert brain.check()


def test_a_running_engine_notices_terms_made_by_another_version(
    tmp_path: Path, word_vectors: Embedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.brain"
    with brainkit.open(path, embedder=word_vectors) as brain:
        brain.ingest_texts([{"id": "a", "text": "green tea"}], progress=False)
        with monkeypatch.context() as patch:
            patch.setattr(analyzer, "VERSION", analyzer.VERSION + 1)
            brain.ingest_texts([{"id": "b", "text": "black tea"}], progress=False)
        assert kinds(brain) == ["other-analyzer"]
        brain.ingest_texts([{"id": "c", "text": "white tea"}], progress=False)
        assert kinds(brain) == []


def test_an_ingest_without_vectors_pins_no_embedder(tmp_path: Path, word_vectors: Embedder) -> None:
    path, folder = tmp_path / "a.brain", tmp_path / "empty"
    folder.mkdir()

    def other(texts: list[str]) -> Any:
        return word_vectors(texts)[:, :8]

    with brainkit.open(path, embedder=word_vectors) as brain:
        brain.ingest(folder, progress=False)
    with brainkit.open(path, embedder=other) as brain:
        brain.ingest_texts([{"id": "a", "text": "tea"}], progress=False)
        assert brain.query("tea", mode="vector").results
        brain.remove("a")
    with brainkit.open(path, embedder=word_vectors) as brain:
        brain.ingest_texts([{"id": "a", "text": "tea"}], progress=False)
        assert brain.query("tea", mode="vector").results


def test_a_removed_folder_has_no_say_in_the_next_one(
    tmp_path: Path, word_vectors: Embedder
) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for folder in (first, second):
        folder.mkdir()
        (folder / "a.txt").write_text("\n".join(f"Line {i} of a long text." for i in range(60)))
    (first / "brainkit.toml").write_text("[chunks]\ntokens = 32\noverlap = 0\n")
    with brainkit.open(tmp_path / "a.brain", embedder=word_vectors) as brain:
        brain.ingest(first, progress=False)
        brain.remove("first")
        edited = brain.ingest(second, progress=False).chunks
    with brainkit.open(tmp_path / "b.brain", embedder=word_vectors) as brain:
        assert brain.ingest(second, progress=False).chunks == edited
