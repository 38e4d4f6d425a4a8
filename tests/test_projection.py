"""Projections against NumPy's SVD, neighbours against a loop, and what is degenerate."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from brainkit.errors import InvalidSetting
from brainkit.projection import (
    Plane,
    by_axes,
    neighbours,
    principal,
    query_neighbours,
    spread,
)

Floats = NDArray[np.float64]


def unit(count: int, dim: int, seed: int = 0) -> Floats:
    rows = np.random.default_rng(seed).standard_normal((count, dim))
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def by_svd(vectors: Floats) -> tuple[Floats, Floats, Floats]:
    """Places, shares and directions of PCA by singular values, signs as ours."""
    centred = vectors - vectors.mean(axis=0)
    _, sizes, directions = np.linalg.svd(centred, full_matrices=False)
    directions = directions[:2]
    largest = directions[np.arange(2), np.abs(directions).argmax(axis=1)]
    directions = directions * np.sign(largest)[:, np.newaxis]
    return centred @ directions.T, sizes[:2] ** 2 / (sizes**2).sum(), directions


@pytest.mark.parametrize(("count", "dim"), [(40, 8), (8, 40), (3, 3), (200, 64)])
def test_principal_is_what_singular_values_give(count: int, dim: int) -> None:
    vectors, query = unit(count, dim), unit(1, dim, seed=9)[0]
    plane = principal(vectors, query=query)
    places, shares, directions = by_svd(vectors)
    np.testing.assert_allclose(plane.places, places, atol=1e-9)
    assert plane.shares == pytest.approx(shares.tolist(), abs=1e-12)
    np.testing.assert_allclose(plane.query, directions @ (query - vectors.mean(0)), atol=1e-9)


def test_a_plane_by_hand() -> None:
    # Around (1, 0, 0) the points are (-1,0,0), (1,0,0), (0,2,0), (0,-2,0): along y the squares add
    # up to 8, along x to 2, so y comes first with 8/10 of the variance.
    plane = principal([[0, 0, 0], [2, 0, 0], [1, 2, 0], [1, -2, 0]])
    assert plane.places.tolist() == [[0, -1], [0, 1], [2, 0], [-2, 0]]
    assert plane.shares == pytest.approx((0.8, 0.2))


@given(st.permutations(range(12)))
def test_the_order_of_rows_does_not_matter(order: list[int]) -> None:
    vectors = unit(12, 5, seed=3)
    here, there = principal(vectors), principal(vectors[order])
    np.testing.assert_allclose(there.places, here.places[order], atol=1e-9)


@pytest.mark.parametrize("count", [0, 1])
def test_too_few_vectors_lie_in_the_middle(count: int) -> None:
    plane = principal(unit(count, 4))
    assert plane.places.tolist() == [[0, 0]] * count
    assert plane.shares == (0, 0)
    assert neighbours(unit(count, 4), plane).rows.shape == (count, 0)


def test_equal_vectors_lie_in_the_middle_and_two_on_a_line() -> None:
    same = principal([[0.6, 0.8]] * 5)
    assert not same.places.any()
    assert same.shares == (0, 0)
    two = principal([[1, 0, 0], [0, 1, 0]])
    assert two.places[:, 1].tolist() == [0, 0]
    assert two.shares == pytest.approx((1, 0))


def test_axes_are_the_similarities_themselves() -> None:
    vectors, (x, y, query) = unit(20, 6), unit(3, 6, seed=5)
    plane = by_axes(vectors, x, y, query=query)
    np.testing.assert_allclose(plane.places, np.stack([vectors @ x, vectors @ y], axis=1))
    np.testing.assert_allclose(plane.query, [query @ x, query @ y])
    assert plane.shares is None


@pytest.mark.parametrize("count", [2, 7, 1100])
def test_neighbours_are_what_a_loop_finds(count: int) -> None:
    vectors = unit(count, 16)
    plane = principal(vectors)
    near = neighbours(vectors, plane)
    k = min(10, count - 1)
    assert near.rows.shape == (count, k)
    for own in range(0, count, 97):
        others = [row for row in range(count) if row != own]
        similar = sorted(others, key=lambda row: -float(vectors[own] @ vectors[row]))[:k]
        apart = {row: float(np.hypot(*(plane.places[row] - plane.places[own]))) for row in others}
        close = set(sorted(others, key=lambda row: apart[row])[:k])
        assert near.rows[own].tolist() == similar
        assert near.kept[own].tolist() == [row in close for row in similar]
        np.testing.assert_allclose(near.similar[own], vectors[similar] @ vectors[own])


def test_equal_vectors_are_neighbours_in_row_order() -> None:
    vectors = np.tile([[0.6, 0.8]], (15, 1))
    near = neighbours(vectors, principal(vectors), k=3)
    assert near.rows[[0, 1, 14]].tolist() == [[1, 2, 3], [0, 2, 3], [0, 1, 2]]
    assert near.agreement == 3


def test_a_plane_that_shows_everything_keeps_all_neighbours() -> None:
    angles = np.linspace(0, 1.5, 30) ** 1.3  # on a line in two dimensions; no two gaps are equal
    vectors = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    plane = principal(vectors)
    assert sum(plane.shares or ()) == pytest.approx(1)
    assert neighbours(vectors, plane, k=5).agreement == 5


def test_the_question_has_neighbours_too() -> None:
    vectors, query = unit(30, 8), unit(1, 8, seed=4)[0]
    near = query_neighbours(vectors, query, principal(vectors, query=query), k=4)
    assert near.rows.tolist() == [np.argsort(-(vectors @ query))[:4].tolist()]
    with pytest.raises(InvalidSetting, match="made without the query"):
        query_neighbours(vectors, query, principal(vectors))


def test_agreement_is_a_mean() -> None:
    near = neighbours(np.eye(3), Plane(np.array([[0.0, 0], [1, 0], [9, 0]])), k=1)
    # All are equally similar, so the first other row: 1, 0, 0. Nearest in the plane: 1, 0, 1.
    assert near.rows.ravel().tolist() == [1, 0, 0]
    assert near.agreement == pytest.approx(2 / 3)


@given(st.integers(1, 30), st.sets(st.integers(0, 40)), st.integers(0, 40))
def test_chosen_rows_are_spread_and_hold_the_first(limit: int, always: set[int], size: int) -> None:
    rows = np.arange(size)
    first = np.array(sorted(always), np.int64)
    chosen = spread(rows, limit, always=first).tolist()
    assert chosen == sorted(set(chosen))
    assert len(chosen) == min(limit, size)
    assert set(chosen) >= set([row for row in sorted(always) if row < size][:limit])


def test_one_vector_is_no_table() -> None:
    with pytest.raises(InvalidSetting, match=r"shape \(3,\)"):
        principal([1, 2, 3])
