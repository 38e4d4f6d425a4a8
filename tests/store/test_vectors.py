"""Exact search and HNSW over one matrix: canonical similarities, filled depth, equal vectors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from brainkit.engine import Engine
from brainkit.models import QueryRequest
from brainkit.store import hnsw
from brainkit.store import vectors as store
from brainkit.store.moved import Moved
from brainkit.store.vectors import VectorIndex, measured_recall

Floats = NDArray[np.float32]


def unit(rows: NDArray[Any]) -> Floats:
    scaled: Floats = (rows / np.linalg.norm(rows, axis=-1, keepdims=True)).astype(np.float32)
    return scaled


def clustered(n: int, *, seed: int = 0, dim: int = 64, clusters: int = 40) -> Floats:
    """Unit vectors around random centres, as embeddings of real text are."""
    random = np.random.default_rng(seed)
    centres = random.standard_normal((clusters, dim))
    return unit(centres[random.integers(0, clusters, n)] + 0.7 * random.standard_normal((n, dim)))


def queries(matrix: Floats, count: int) -> Floats:
    random = np.random.default_rng(1)
    noise = unit(random.standard_normal((count, matrix.shape[1])))
    return unit(matrix[random.integers(0, len(matrix), count)] + 0.5 * noise)


@pytest.fixture(scope="module")
def matrix() -> Floats:
    """2,000 rows: row 7 was refused (zeros), rows 100 to 399 are equal."""
    rows = clustered(2000)
    rows[7] = 0
    rows[100:400] = rows[100]
    return rows


@pytest.fixture(scope="module")
def approximate(matrix: Floats) -> VectorIndex:
    return VectorIndex(matrix, hnsw.build(matrix))


def test_exact_search_is_numpy(matrix: Floats) -> None:
    index = VectorIndex(matrix)
    for query in queries(matrix, 20):
        rows, similar = index.search(query, depth=10)
        truth = matrix.astype(np.float64) @ query.astype(np.float64)
        assert similar == pytest.approx(np.sort(truth)[::-1][:10], abs=1e-6)
        assert truth[rows] == pytest.approx(similar, abs=1e-6)


def test_hnsw_finds_nine_in_ten_and_says_how_many(matrix: Floats, approximate: VectorIndex) -> None:
    exact = VectorIndex(matrix)
    found = [
        len(
            set(exact.search(query, depth=10)[0].tolist())
            & set(approximate.search(query, depth=10)[0].tolist())
        )
        for query in queries(matrix, 100)
    ]
    assert sum(found) / 1000 >= 0.9
    assert measured_recall(approximate, matrix) >= 0.9


def test_similarity_does_not_depend_on_the_index_that_found_the_row(
    matrix: Floats, approximate: VectorIndex
) -> None:
    exact = VectorIndex(matrix)
    for query in queries(matrix, 20):
        rows, similar = approximate.search(query, depth=50)
        assert similar.tolist() == exact.similarities(query, rows).tolist()
        for row, score in zip(rows.tolist(), similar.tolist(), strict=True):
            alone = exact.similarities(query, np.array([row]))
            assert alone.tolist() == [score], "nor on the rows it is asked for with"


@pytest.mark.parametrize("depth", [1, 10, 150, 299, 300, 301, 500])
def test_equal_vectors_come_first_to_last_in_order(
    depth: int, matrix: Floats, approximate: VectorIndex
) -> None:
    """As 300 nodes of an HNSW graph, 173 of them came back, and not the first ones."""
    rows, similar = approximate.search(matrix[100], depth=depth)
    same = min(depth, 300)
    assert rows[:same].tolist() == list(range(100, 100 + same))
    assert len(set(similar[:same].tolist())) == 1
    assert len(rows) == depth


@pytest.mark.parametrize("few", [10, 20_000])
@pytest.mark.parametrize("share", [0.01, 0.1, 0.5, 0.9])
def test_a_filter_leaves_a_full_list(
    few: int, share: float, matrix: Floats, approximate: VectorIndex, monkeypatch: Any
) -> None:
    monkeypatch.setattr(store, "_FEW", few)
    allowed = np.random.default_rng(2).random(len(matrix)) < share
    exact = VectorIndex(matrix)
    for query in queries(matrix, 20):
        rows, _ = approximate.search(query, depth=15, allowed=allowed)
        truth, _ = exact.search(query, depth=15, allowed=allowed)
        assert len(rows) == len(truth)
        assert len(truth) == 15 or share == 0.01, "of 20 allowed rows some are not similar at all"
        assert allowed[rows].all()


def test_zero_rows_are_never_found(matrix: Floats, approximate: VectorIndex) -> None:
    for index in (VectorIndex(matrix), approximate):
        rows, similar = index.search(matrix[0], depth=2000)
        assert 7 not in rows
        assert (similar > 0).all()


def test_an_index_of_nothing_finds_nothing() -> None:
    nothing = np.zeros((5, 8), np.float32)
    index = VectorIndex(nothing, hnsw.build(nothing))
    rows, similar = index.search(unit(np.ones(8)), depth=3)
    assert (rows.tolist(), similar.tolist()) == ([], [])
    assert measured_recall(index, nothing) == 1.0


def test_an_index_comes_back_from_disk(
    matrix: Floats, approximate: VectorIndex, tmp_path: Path
) -> None:
    index = hnsw.build(matrix)
    index.save(tmp_path / "index", tmp_path / "equals.npy")
    opened = VectorIndex(
        matrix, hnsw.open_saved(tmp_path / "index", tmp_path / "equals.npy", matrix)
    )
    built = VectorIndex(matrix, index)
    assert opened.holds(matrix)
    for query in queries(matrix, 20):
        for got, wanted in zip(
            opened.search(query, depth=30), built.search(query, depth=30), strict=True
        ):
            assert got.tolist() == wanted.tolist()


def test_an_index_knows_whether_it_holds_a_matrix(matrix: Floats) -> None:
    other = matrix.copy()
    other[5] = other[6]
    assert VectorIndex(matrix).holds(matrix)
    assert not VectorIndex(matrix).holds(other)
    assert not VectorIndex(other, hnsw.build(matrix)).holds(other), "one node too many"


def test_a_brain_above_the_exact_limit_uses_hnsw_and_records_its_recall(
    tmp_path: Path, word_vectors: Any
) -> None:
    words = [f"w{i}" for i in range(40)]
    random = np.random.default_rng(3)
    records = [
        {"id": f"{i:04}", "text": " ".join(random.choice(words, size=6))} for i in range(400)
    ]
    exact = Engine(tmp_path / "exact.brain", embedder=word_vectors)
    exact.ingest_texts(records, progress=False)
    large = Engine(
        tmp_path / "large.brain", embedder=word_vectors, settings={"exact_limit_chunks": 50}
    )
    large.ingest_texts(records, progress=False)
    with exact.reading() as generation:
        assert generation.manifest is not None
        assert generation.manifest.recall_at_10 is None
    with large.reading() as generation:
        assert generation.manifest is not None
        assert generation.manifest.recall_at_10 is not None
        assert generation.manifest.recall_at_10 >= 0.9
        assert "vectors.usearch" in generation.manifest.files
    assert large.faults() == []

    request = QueryRequest(query="w1 w2 w3", mode="vector", top_k=10)
    here, there = exact.search(request), large.search(request)
    scores = {r.chunk_id: r.score for r in here.results}
    common = [r for r in there.results if r.chunk_id in scores]
    assert len(common) >= 9
    assert all(r.score == scores[r.chunk_id] for r in common)
    exact.close()
    large.close()


def test_an_hnsw_index_made_again_is_the_same_file(tmp_path: Path) -> None:
    random = np.random.default_rng(5)
    matrix = random.standard_normal((3_000, 32)).astype(np.float32)
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
    made = []
    for turn in range(2):
        path = tmp_path / f"{turn}.usearch"
        hnsw.build(matrix).save(path, tmp_path / f"{turn}.npy")
        made.append(path.read_bytes())
    assert made[0] == made[1]


def exchanged(matrix: Floats, *, count: int, seed: int = 9) -> tuple[Floats, Moved]:
    """Take so many rows out of a matrix, and put as many new ones in elsewhere."""
    random = np.random.default_rng(seed)
    keys = np.delete(np.arange(1, len(matrix) + 1), random.choice(len(matrix), count, False))
    places = np.sort(random.choice(len(keys), count, False))
    now = np.insert(keys, places, np.arange(count) + len(matrix) + 1).astype(np.int32)
    moved = Moved.between(np.arange(1, len(matrix) + 1, dtype=np.int32), now)
    other = np.empty((len(now), matrix.shape[1]), np.float32)
    other[moved.rows[moved.kept]] = matrix[moved.kept]
    fresh = random.standard_normal((count, matrix.shape[1]))
    other[moved.added] = fresh / np.linalg.norm(fresh, axis=1, keepdims=True)
    return other, moved


def test_an_index_follows_a_matrix_that_changed(matrix: Floats, tmp_path: Path) -> None:
    """Twice: what went is never found, what came always is, and nothing else is missed more."""
    files = tmp_path / "index", tmp_path / "nodes.npy"
    hnsw.build(matrix).save(*files)
    for turn in range(2):
        matrix, moved = exchanged(matrix, count=len(matrix) // 100, seed=turn)
        index = hnsw.followed(*files, moved, matrix)
        assert index is not None
        index.save_nodes(files[1])
        followed = VectorIndex(matrix, hnsw.open_saved(*files, matrix))
        assert followed.holds(matrix)
        assert not followed.holds(matrix[::-1].copy())
        for row in moved.added:
            rows, similar = followed.search(matrix[row], depth=3)
            assert (rows[0], similar[0]) == (row, pytest.approx(1.0))
        assert measured_recall(followed, matrix) >= 0.95
        exact = VectorIndex(matrix)
        for query in queries(matrix, 20):
            for depth in (1, 30, len(matrix)):
                rows, similar = followed.search(query, depth=depth)
                assert len(rows) == len(exact.search(query, depth=depth)[0])
                assert similar.tolist() == exact.similarities(query, rows).tolist()


def test_what_went_leaves_room_for_what_is_near(tmp_path: Path) -> None:
    """All the nearest are gone: the search goes on until it has as many as it was asked for."""
    random = np.random.default_rng(4)
    matrix = random.standard_normal((2_000, 16)).astype(np.float32)
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
    hnsw.build(matrix).save(tmp_path / "index", tmp_path / "nodes.npy")
    nearest, _ = VectorIndex(matrix).search(matrix[0], depth=60)
    keys = np.arange(1, 2_001, dtype=np.int32)
    moved = Moved.between(keys, np.delete(keys, nearest))
    left = np.delete(matrix, nearest, axis=0)
    index = hnsw.followed(tmp_path / "index", tmp_path / "nodes.npy", moved, left)
    assert index is not None
    rows, _ = VectorIndex(left, index).search(matrix[0], depth=20)
    truth, _ = VectorIndex(left).search(matrix[0], depth=20)
    assert len(set(rows.tolist()) & set(truth.tolist())) >= 19


def test_too_much_change_is_built_anew(matrix: Floats, tmp_path: Path) -> None:
    files = tmp_path / "index", tmp_path / "nodes.npy"
    hnsw.build(matrix).save(*files)
    few, moved = exchanged(matrix, count=len(matrix) // 50)
    assert hnsw.followed(*files, moved, few) is not None
    many, moved = exchanged(matrix, count=len(matrix) // 20)
    assert hnsw.followed(*files, moved, many) is None, "a tenth of it came or went"
    wider = np.hstack([few, few])
    assert hnsw.followed(*files, exchanged(matrix, count=len(matrix) // 50)[1], wider) is None
