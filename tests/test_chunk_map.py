"""A map of a brain: what is drawn, what is said of it, and what cannot be drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import brainkit
from brainkit.errors import InvalidRequest, InvalidSetting
from brainkit.widgets.view import view_html, view_of

QUERY = "how are sessions signed"


@pytest.fixture(scope="module")
def brain(
    tmp_path_factory: pytest.TempPathFactory, repository: Path, word_vectors: Any
) -> Iterator[brainkit.Brain]:
    folder = tmp_path_factory.mktemp("map") / "sample.brain"
    with brainkit.open(folder, embedder=word_vectors) as brain:
        brain.ingest(repository / "data" / "sample", progress=False)
        yield brain


def vectors_of(texts: Sequence[str]) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Three directions: red, green and blue words; a text with none has no vector."""
    words = ("red", "green", "blue")
    counts = [[text.split().count(word) for word in words] for text in texts]
    return np.array(counts, np.float32)


@pytest.fixture
def colours(tmp_path: Path) -> Iterator[brainkit.Brain]:
    """Four chunks: red, green, red and green, and one without a vector."""
    texts = {"r": "red", "g": "green", "rg": "red green", "none": "grey"}
    with brainkit.open(tmp_path / "colours.brain", embedder=vectors_of) as brain:
        brain.ingest_texts([{"id": k, "text": v} for k, v in texts.items()], progress=False)
        yield brain


def test_axes_by_hand(colours: brainkit.Brain) -> None:
    drawn = colours.map("red", projection="axes", axes=("red", "green"))
    places = {c.source: p for c, p in zip(drawn.chunks, drawn.plane.places.tolist(), strict=True)}
    half = pytest.approx(1 / 2**0.5)
    assert places == {"r": [1, 0], "g": [0, 1], "rg": [half, half]}
    assert drawn.plane.query is not None
    assert drawn.plane.query.tolist() == [1, 0]
    assert drawn.axes == (
        "similarity to “red”, 0.00 to 1.00",
        "similarity to “green”, 0.00 to 1.00",
    )
    assert drawn.missing == 1
    assert drawn.summary().startswith("3 of 4 chunks drawn, 1 of the others have no vector.")


def test_the_map_shows_every_chunk_and_tells_what_it_loses(brain: brainkit.Brain) -> None:
    drawn = brain.map(QUERY)
    assert len(drawn.chunks) == drawn.total
    assert [chunk.order for chunk in drawn.chunks] == sorted(c.order for c in drawn.chunks)
    kept = drawn.near.kept.sum(axis=1)
    shares = sum(drawn.plane.shares or ())
    assert f"The axes keep {shares:.0%} of the variance." in drawn.summary()
    assert f"{kept.mean():.1f} on average are among its 10 nearest here" in drawn.summary()
    frame = drawn.to_frame()
    assert frame["neighbours_kept"].tolist() == kept.tolist()
    assert frame[["x", "y"]].to_numpy().tolist() == drawn.plane.places.tolist()


def test_the_answer_is_that_of_a_query(brain: brainkit.Brain) -> None:
    drawn = brain.map(QUERY, mode="multi", top_k=7)
    assert drawn.answer is not None
    assert drawn.answer.results == brain.query(QUERY, mode="multi", top_k=7).results
    similar = brain.query(QUERY, mode="vector", top_k=10).results
    assert drawn.query_near is not None
    nearest = [drawn.chunks[row].chunk_id for row in drawn.query_near.rows[0]]
    assert nearest == [result.chunk_id for result in similar]


def test_a_limit_keeps_the_results(brain: brainkit.Brain) -> None:
    drawn = brain.map(QUERY, limit=20, top_k=12)
    assert drawn.answer is not None
    ids = {chunk.chunk_id for chunk in drawn.chunks}
    assert len(ids) == 20
    assert {result.chunk_id for result in drawn.answer.results} <= ids
    assert drawn.summary().startswith(f"20 of {drawn.total} chunks drawn")


def test_the_same_brain_gives_the_same_map(brain: brainkit.Brain) -> None:
    assert brain.map(QUERY).view()["map"] == brain.map(QUERY).view()["map"]


def test_a_map_needs_no_question(brain: brainkit.Brain) -> None:
    drawn = brain.map(color="file", limit=30)
    view = drawn.view()
    assert (view["kind"], view["trace"], view["map"]["query"]) == ("map", None, None)
    assert view["map"]["color"] == "file"
    assert drawn.answer is None
    for text in (repr(drawn), drawn._repr_html_()):
        assert "Map of the brain" in text


def test_an_empty_brain_has_an_empty_map(tmp_path: Path, word_vectors: Any) -> None:
    with brainkit.open(tmp_path / "empty.brain", embedder=word_vectors) as empty:
        for drawn in (empty.map(), empty.map("anything")):
            assert drawn.chunks == ()
            assert drawn.summary() == "0 of 0 chunks drawn."
            assert drawn.view()["map"]["order"] == []
            assert drawn._repr_html_()


def test_one_chunk_has_a_place_and_no_neighbours(tmp_path: Path, word_vectors: Any) -> None:
    with brainkit.open(tmp_path / "one.brain", embedder=word_vectors) as one:
        one.ingest_texts([{"id": "a", "text": "a single chunk"}], progress=False)
        view = one.map("single").view()
        assert view["map"]["places"] == [[0, 0]]
        assert view["map"]["near"] == {"rows": [[]], "similar": [[]], "kept": [0]}
        assert view["map"]["query"]["near"]["rows"] == [[0]]


def test_a_question_without_a_vector_is_not_placed(colours: brainkit.Brain) -> None:
    drawn = colours.map("grey", mode="bm25")
    assert drawn.plane.query is None
    assert drawn.view()["map"]["query"] is None
    assert drawn.answer is not None
    assert [result.source for result in drawn.answer.results] == ["none"]


def test_columns_say_which_neighbours_are_kept(colours: brainkit.Brain) -> None:
    drawn = colours.map(projection="axes", axes=("red", "green"))
    data = drawn.view()["map"]
    sources = [data["files"][file][0] for file in data["file"]]
    own = sources.index("rg")
    others = [sources[row] for row in data["near"]["rows"][own]]
    assert sorted(others) == ["g", "r"]
    assert data["near"]["similar"][own] == [707, 707]
    assert data["near"]["kept"][own] == 0b11
    assert data["text"][own] == "red green"


def test_a_page_of_it_holds_the_view(brain: brainkit.Brain, tmp_path: Path) -> None:
    drawn = brain.map(QUERY)
    assert drawn.summary() in drawn.save_html(tmp_path / "map.html").read_text("utf-8")
    view = view_of(view_html(drawn.view()))
    assert view is not None
    assert view["map"]["summary"] == drawn.summary()
    assert len(view["trace"]["candidates"]) > 0


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"projection": "tsne"}, "projection='tsne' is not one of pca, axes"),
        ({"color": "author"}, "color='author' is not one of source_type, file"),
        ({"limit": 0}, "limit=0; give how many chunks to draw, 1 to 5,000"),
        ({"limit": True}, "limit=True"),
        ({"projection": "axes"}, "belong together"),
        ({"axes": ("a", "b")}, "belong together"),
        ({"projection": "axes", "axes": "ab"}, "give two different texts"),
        ({"projection": "axes", "axes": ("a", "a")}, "give two different texts"),
        ({"projection": "axes", "axes": ("a", " ")}, "give two different texts"),
        ({"top_k": 3}, "top_k are settings of a question"),
    ],
)
def test_mistakes_are_named(brain: brainkit.Brain, given: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidSetting) as error:
        brain.map(**given)
    assert message in str(error.value)


def test_an_axis_needs_a_vector_and_a_question_its_fields(colours: brainkit.Brain) -> None:
    with pytest.raises(InvalidSetting, match="'grey' cannot be an axis"):
        colours.map(projection="axes", axes=("red", "grey"))
    with pytest.raises(InvalidRequest, match="tok_k"):
        colours.map("red", tok_k=3)
