"""Whose vectors these are: refused ones, another embedder, none given, a switch, an interrupt."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from brainkit.embed import Identity
from brainkit.engine import Engine
from brainkit.errors import EmbedderFailed, EmbedderMismatch, EmbedderUnavailable
from brainkit.models import QueryRequest, QueryResponse

Embed = Callable[[Sequence[str]], NDArray[np.float32]]
TEXTS = {"good": "alpha beta", "bad": "alpha broken", "other": "gamma delta"}


def records(**texts: str) -> list[dict[str, str]]:
    return [{"id": id_, "text": text} for id_, text in texts.items()]


def ask(engine: Engine, query: str = "alpha", **more: Any) -> QueryResponse:
    return engine.search(QueryRequest(query=query, **more))


def sources(engine: Engine, query: str = "alpha", **more: Any) -> list[str]:
    return [result.source for result in ask(engine, query, **more).results]


def wrapped(inner: Embed, *, name: str, change: Callable[[str, Any], Any]) -> Embed:
    """An embedder of its own name that changes the vectors of some texts."""

    def embed(texts: Sequence[str]) -> NDArray[np.float32]:
        return np.array(
            [change(text, row) for text, row in zip(texts, inner(texts), strict=True)], np.float32
        )

    embed.name = name  # type: ignore[attr-defined]
    return embed


@pytest.mark.parametrize("flaw", [0.0, np.nan, np.inf, -np.inf])
def test_a_refused_vector_leaves_the_chunk_to_keywords(
    flaw: float, tmp_path: Path, word_vectors: Embed
) -> None:
    def spoil(text: str, row: NDArray[np.float32]) -> Any:
        return np.full_like(row, flaw) if "broken" in text else row

    embed = wrapped(word_vectors, name="spoilt", change=spoil)
    engine = Engine(tmp_path / "x.brain", embedder=embed)
    report = engine.ingest_texts(records(**TEXTS), progress=False)
    assert (report.embedded, report.refused) == (2, 1)
    assert "no vector for 'alpha broken'" in report.notes[0]
    assert "1 without a usable vector" in report.summary()

    assert sources(engine, mode="vector") == ["good"]
    assert sorted(sources(engine, mode="bm25")) == ["bad", "good"]
    assert sorted(sources(engine, mode="hybrid")) == ["bad", "good"]
    assert engine.faults() == []
    with engine.reading() as generation:
        assert generation.chunks.count("vectors") == 2

    again = engine.ingest_texts(records(bad="alpha mended"), progress=False)
    assert (again.embedded, again.refused) == (1, 0)
    assert sources(engine, mode="vector") == ["good", "bad"]
    engine.close()


def test_a_brain_of_refused_vectors_alone_says_so(tmp_path: Path, word_vectors: Embed) -> None:
    embed = wrapped(word_vectors, name="zero", change=lambda text, row: row * 0)
    engine = Engine(tmp_path / "x.brain", embedder=embed)
    assert engine.ingest_texts(records(**TEXTS), progress=False).refused == 3
    answer = ask(engine, mode="vector")
    assert answer.results == ()
    assert [n.message for n in answer.notices] == ["vector: no chunk of this brain has a vector."]
    assert len(sources(engine, mode="hybrid")) == 2
    assert engine.faults() == []
    engine.close()


@pytest.mark.parametrize("flaw", [0.0, np.nan])
def test_a_query_without_a_vector_is_answered_by_keywords_and_says_why(
    flaw: float, tmp_path: Path, word_vectors: Embed
) -> None:
    def spoil(text: str, row: NDArray[np.float32]) -> Any:
        return row * flaw if text == "alpha" else row

    engine = Engine(
        tmp_path / "x.brain", embedder=wrapped(word_vectors, name="query", change=spoil)
    )
    engine.ingest_texts(records(**TEXTS), progress=False)
    assert sorted(sources(engine, mode="hybrid")) == ["bad", "good"]
    answer = ask(engine, mode="vector")
    assert answer.results == ()
    assert "unusable vector for the query 'alpha'" in answer.notices[0].message
    engine.close()


def test_another_embedder_is_refused_even_at_equal_dimension(
    tmp_path: Path, word_vectors: Embed
) -> None:
    path = tmp_path / "x.brain"
    engine = Engine(path, embedder=word_vectors)
    engine.ingest_texts(records(**TEXTS), progress=False)
    engine.close()
    turned = wrapped(word_vectors, name="turned", change=lambda text, row: row[::-1])
    smaller = wrapped(word_vectors, name="smaller", change=lambda text, row: row[:32])
    for other in (turned, smaller, "local"):
        with pytest.raises(EmbedderMismatch, match=r"were made by callable .*word_vectors"):
            Engine(path, embedder=other)
    same = Engine(path, embedder=word_vectors)
    assert sources(same, mode="vector") == ["good", "bad"]
    same.close()


def test_without_its_function_a_brain_answers_by_keywords_and_says_what_to_do(
    tmp_path: Path, word_vectors: Embed
) -> None:
    path = tmp_path / "x.brain"
    engine = Engine(path, embedder=word_vectors)
    engine.ingest_texts(records(**TEXTS), progress=False)
    engine.close()

    without = Engine(path)
    assert sorted(sources(without, mode="bm25")) == ["bad", "good"]
    assert sorted(sources(without, mode="hybrid", alpha=0)) == ["bad", "good"]
    for mode in ("vector", "hybrid", "multi"):
        with pytest.raises(EmbedderUnavailable, match=r"pass that function again.*mode='bm25'"):
            ask(without, mode=mode)
    with pytest.raises(EmbedderUnavailable, match="pass that function again"):
        without.ingest_texts(records(new="alpha"), progress=False)
    report = without.remove("bad")
    assert "word_vectors" in report.embedder, "removing embeds nothing, so it needs no function"
    assert sources(without, mode="bm25") == ["good"]
    without.close()

    again = Engine(path, embedder=word_vectors)
    assert sources(again, mode="vector") == ["good"]
    again.close()


def test_reembed_switches_all_vectors_at_once(tmp_path: Path, word_vectors: Embed) -> None:
    path = tmp_path / "x.brain"
    smaller = wrapped(word_vectors, name="smaller", change=lambda text, row: row[:32])
    engine = Engine(path, embedder=word_vectors)
    engine.ingest_texts(records(**TEXTS), progress=False)
    reader = Engine(path)  # as in another process, which has not heard of the switch
    fresh = Engine(tmp_path / "fresh.brain", embedder=smaller)
    fresh.ingest_texts(records(**TEXTS), progress=False)

    assert engine.reembed(smaller, progress=False) == 3
    for mode in ("vector", "bm25", "hybrid"):
        assert ask(engine, mode=mode).results == ask(fresh, mode=mode).results
    fresh.close()
    with engine.reading() as generation:
        assert generation.vectors.dim == 32
    assert engine.faults() == []
    assert engine.ingest_texts(records(new="alpha"), progress=False).embedded == 1
    assert set(sources(reader, mode="bm25")) == {"good", "bad", "new"}
    reader.close()
    engine.close()

    with pytest.raises(EmbedderMismatch):
        Engine(path, embedder=word_vectors)
    switched = Engine(path, embedder=smaller)
    assert {"good", "bad", "new"} <= set(sources(switched, mode="vector"))
    switched.close()


def test_a_switch_made_elsewhere_never_mixes_vectors(tmp_path: Path, word_vectors: Embed) -> None:
    """The old function's query vectors against the new one's chunks: equal size, another space."""
    path = tmp_path / "x.brain"
    turned = wrapped(word_vectors, name="turned", change=lambda text, row: row[::-1])
    here = Engine(path, embedder=word_vectors)
    here.ingest_texts(records(**TEXTS), progress=False)
    assert sources(here, mode="vector") == ["good", "bad"]
    there = Engine(path)
    there.reembed(turned, progress=False)
    there.close()
    with pytest.raises(EmbedderMismatch, match="turned"):
        ask(here, mode="vector")
    assert sorted(sources(here, mode="bm25")) == ["bad", "good"]
    with pytest.raises(EmbedderMismatch, match="turned"):
        here.ingest_texts(records(new="alpha"), progress=False)
    here.close()


class Unscaled:
    """An embedder, not a function, whose vectors have any length."""

    identity = Identity(provider="test", model="unscaled", dim=2, revision="1", normalized=False)
    max_tokens = 512

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.array([[3.0, 4.0] if "alpha" in text else [5.0, 0.0] for text in texts], "f4")

    def embed_query(self, text: str) -> NDArray[np.float32]:
        return np.array([0.0, 7.0], "f4")

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) for text in texts]


def test_similarity_is_a_cosine_whatever_the_vectors_lengths(tmp_path: Path) -> None:
    """(3, 4) . (0, 7) / (5 * 7) = 0.8"""
    engine = Engine(tmp_path / "x.brain", embedder=Unscaled())
    engine.ingest_texts(records(a="alpha", b="beta"), progress=False)
    (result,) = ask(engine, mode="vector").results
    assert (result.source, result.score) == ("a", pytest.approx(0.8, abs=1e-6))
    engine.ingest_texts(records(c="alpha"), progress=False)  # its vector comes from the cache
    assert [r.score for r in ask(engine, mode="vector").results] == [result.score] * 2
    engine.close()


@pytest.mark.parametrize("error", [KeyboardInterrupt, EmbedderFailed, MemoryError])
def test_an_interrupted_ingest_keeps_what_was_embedded(
    error: type[BaseException], tmp_path: Path, word_vectors: Embed
) -> None:
    seen: list[str] = []
    fails = True

    def embed(texts: Sequence[str]) -> NDArray[np.float32]:
        words = [text for text in texts if text.startswith("alpha")]
        if fails and len(seen) + len(words) > 20:
            raise error("in the middle")
        seen.extend(words)
        return word_vectors(texts)

    embed.name = "fails"  # type: ignore[attr-defined]
    embed.batch_size = 8  # type: ignore[attr-defined]
    texts = {f"{i:02}": f"alpha w{i}" for i in range(40)}
    engine = Engine(tmp_path / "x.brain", embedder=embed)
    before = engine.layout.current()
    with pytest.raises(error):
        engine.ingest_texts(records(**texts), progress=False)
    assert engine.layout.current() == before
    assert ask(engine, mode="bm25").results == ()

    fails = False
    report = engine.ingest_texts(records(**texts), progress=False)
    assert (report.reused, report.embedded) == (16, 24), "two batches of eight were finished"
    assert sorted(seen) == sorted(texts.values()), "each text once"
    assert engine.faults() == []
    engine.close()


def test_a_function_of_the_same_name_that_changed_is_refused(tmp_path: Path) -> None:
    """Counts cubed: the same dimension, the same largest components, another space."""

    def letters_to_the(power: int) -> Callable[[list[str]], NDArray[np.float64]]:
        def letters(texts: list[str]) -> NDArray[np.float64]:
            return np.array([[text.count(c) for c in "aeglmpt"] for text in texts], float) ** power

        return letters

    path = tmp_path / "x.brain"
    engine = Engine(path, embedder=letters_to_the(1))
    engine.ingest_texts(records(**TEXTS), progress=False)
    before = ask(engine, mode="vector").results
    engine.close()
    with pytest.raises(EmbedderMismatch, match=r"of that name .* other vectors\; .*reembed"):
        Engine(path, embedder=letters_to_the(3))

    same = Engine(path, embedder=letters_to_the(1))
    assert ask(same, mode="vector").results == before
    fresh = Engine(tmp_path / "fresh.brain", embedder=letters_to_the(3))
    fresh.ingest_texts(records(**TEXTS), progress=False)
    assert same.reembed(letters_to_the(3), progress=False) == 3
    assert ask(same, mode="vector").results == ask(fresh, mode="vector").results != before
    fresh.close()
    same.close()


def test_without_its_own_embedder_a_brain_asks_for_it(tmp_path: Path) -> None:
    path = tmp_path / "x.brain"
    engine = Engine(path, embedder=Unscaled())
    engine.ingest_texts(records(a="alpha"), progress=False)
    engine.close()
    without = Engine(path)
    with pytest.raises(EmbedderUnavailable, match=r"test unscaled .*pass that embedder again"):
        ask(without, mode="vector")
    assert sources(without, mode="bm25") == ["a"]
    without.close()
    with pytest.raises(EmbedderMismatch, match="Pass the embedder that made them, or call"):
        Engine(path, embedder="local")
    again = Engine(path, embedder=Unscaled())
    assert sources(again, mode="vector") == ["a"]
    again.close()


@pytest.mark.parametrize(("hosted", "found"), [(None, []), (True, []), (False, ["key"])])
def test_an_embedder_says_itself_whether_texts_leave_the_machine(
    hosted: bool | None, found: list[str], tmp_path: Path
) -> None:
    own = Unscaled()
    own.identity = dataclasses.replace(Unscaled.identity, hosted=hosted)  # type: ignore[misc]
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "key.py").write_text("token = 'ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5'\n")
    engine = Engine(tmp_path / "x.brain", embedder=own)
    engine.ingest(folder, progress=False)
    assert [Path(source).stem for source in sources(engine, "token", mode="bm25")] == found
    engine.close()
