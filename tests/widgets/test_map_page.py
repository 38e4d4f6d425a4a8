"""A map in a page: points, true neighbours, and the way to the results and back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import brainkit
from brainkit.answer import place
from brainkit.chunk_map import ChunkMap

Show = Callable[..., Any]
QUERY = "how are sessions signed by a key"
CURSOR = "root.querySelector('.cursor')"
POINT = """
const [, x, y] = root.querySelectorAll(args[0])[args[1]].getAttribute('transform').match(/([-\\d.]+) ([-\\d.]+)/);
const box = root.querySelector('.map svg[role=group]').getBoundingClientRect();
return [box.left + Number(x), box.top + Number(y)];
"""  # noqa: E501
KEYS = {"ArrowRight": 39, "ArrowLeft": 37, "ArrowUp": 38, "ArrowDown": 40, "Home": 36, "Enter": 13}


@pytest.fixture
def drawn(sample: brainkit.Brain) -> ChunkMap:
    return sample.map(QUERY, top_k=5)


@pytest.fixture
def view(drawn: ChunkMap, show: Show, page: Any) -> Any:
    page.resize(1300, 1200)
    view = show(drawn.view())
    view.wait(CURSOR)
    return view


def kept_words(drawn: ChunkMap, point: int | None) -> str:
    near, whose = (drawn.near, "its") if point is not None else (drawn.query_near, "the question’s")
    assert near is not None
    kept = near.kept[point or 0]
    return (
        f"{kept.sum()} of {whose} {len(kept)} nearest neighbours in all dimensions are near here "
        "too."
    )


def places(drawn: ChunkMap, point: int | None) -> list[str]:
    near = drawn.near if point is not None else drawn.query_near
    assert near is not None
    return [place(drawn.chunks[row]) for row in near.rows[point or 0]]


def point_of(drawn: ChunkMap, rank: int) -> int:
    assert drawn.answer is not None
    ids = [chunk.chunk_id for chunk in drawn.chunks]
    return ids.index(drawn.answer.results[rank - 1].chunk_id)


def test_it_draws_every_point_and_says_what_is_lost(view: Any, drawn: ChunkMap) -> None:
    count = "root.querySelectorAll('.plot svg > path:not(.star)').length"
    assert view.do(f"return {count}") == len(drawn.chunks)
    assert (
        view.text("figcaption")
        == f"{drawn.summary()} Places that are close here need not be similar."
    )
    assert view.do("return root.querySelector('svg[role=group]').ariaLabel") == (
        f"Map. {drawn.summary()}"
    )
    assert view.page.errors == []


def test_the_question_is_picked_first_and_its_true_neighbours_joined(
    view: Any, drawn: ChunkMap
) -> None:
    assert view.text(".picked h4") == QUERY
    assert view.text(".picked p") == kept_words(drawn, None)
    assert view.texts(".neighbours button") == places(drawn, None)
    assert drawn.query_near is not None
    kept = ["kept" if one else "far" for one in drawn.query_near.kept[0]]
    lines = "[...root.querySelectorAll('.links line')].map(line => line.classList[0])"
    assert view.do(f"return {lines}") == kept


def test_a_row_picks_its_point(view: Any, drawn: ChunkMap) -> None:
    for rank in (3, 1):
        view.click(".place", nth=rank - 1)
        point = point_of(drawn, rank)
        assert view.text(".picked h4") == place(drawn.chunks[point])
        assert view.texts(".neighbours button") == places(drawn, point)
        assert kept_words(drawn, point) in view.texts(".picked p")


def test_a_result_on_the_map_chooses_its_row(view: Any, drawn: ChunkMap) -> None:
    for nth in (4, 2):
        view.page.drag([tuple(view.do(POINT, ".rings g", nth))] * 2)
        assert view.text(".row.chosen .place") in [
            place(drawn.chunks[point_of(drawn, rank)]) for rank in range(1, 6)
        ]
        assert view.text(".picked h4") == view.text(".row.chosen .place")


def test_the_mouse_over_one_marks_the_other(view: Any, drawn: ChunkMap) -> None:
    left, top, width, height = view.box(".row:nth-child(2)")
    view.page.drag([(left + width / 2, top + height - 3)])
    meant = "[...root.querySelectorAll('.meant text')].map(text => text.textContent)"
    assert "2" in view.do(f"return {meant}")
    second = place(drawn.chunks[point_of(drawn, 2)])
    assert view.text(".over") == second.rpartition("/")[2]
    x, y = view.do(POINT, ".rings g", 4)
    view.page.drag([(x, y)])
    assert view.do("return root.querySelectorAll('.row.pointed').length") == 1
    view.page.drag([(2, 2)])
    assert view.do("return root.querySelectorAll('.row.pointed').length") == 0
    assert view.text(".over") == ""


def test_a_neighbour_in_the_list_can_be_gone_to(view: Any, drawn: ChunkMap) -> None:
    assert drawn.query_near is not None
    row = int(drawn.query_near.rows[0][3])
    view.click(".neighbours button", nth=3)
    assert view.text(".picked h4") == place(drawn.chunks[row])
    assert view.texts(".neighbours button") == places(drawn, row)


def test_arrow_keys_go_to_the_nearest_point_in_their_direction(view: Any) -> None:
    view.do(f"{CURSOR}.focus()")
    for key, axis, sign in (
        ("ArrowRight", 0, 1),
        ("ArrowLeft", 0, -1),
        ("ArrowDown", 1, 1),
        ("ArrowUp", 1, -1),
    ):
        view.page.press("Home", KEYS["Home"])
        before = view.do(POINT, ".cursor", 0)
        view.page.press(key, KEYS[key])
        after = view.do(POINT, ".cursor", 0)
        assert (after[axis] - before[axis]) * sign > 0, key
        assert view.text(".picked h4") != QUERY
        assert view.do(f"return {CURSOR}.ariaLabel").startswith(view.text(".picked h4"))
        assert view.do(f"return root.activeElement === {CURSOR}")


def test_enter_chooses_the_result_under_the_cursor(sample: brainkit.Brain, show: Show) -> None:
    view = show(sample.map(QUERY, mode="vector").view())  # whose results are the nearest neighbours
    view.wait(CURSOR)
    view.click(".neighbours button", nth=2)
    assert view.text(".row.chosen .rank") == "1"
    view.do(f"{CURSOR}.focus()")
    view.page.press("Enter", KEYS["Enter"])
    assert view.text(".row.chosen .rank") == "3"
    assert view.text(".row.chosen .place") == view.text(".picked h4")
    assert view.do(f"return root.activeElement === {CURSOR}")


def test_colour_and_shape_tell_files_apart_and_the_rest_is_other(
    view: Any, drawn: ChunkMap
) -> None:
    kinds = {chunk.source_type for chunk in drawn.chunks}
    names = view.texts(".map .key bdi")
    assert set(names) == kinds
    view.set("color", "file")
    assert len(view.texts(".map .key bdi")) == 9
    files = len({chunk.source for chunk in drawn.chunks})
    assert view.texts(".map .key bdi")[8] == f"other ({files - 8})"
    classes = "new Set([...root.querySelectorAll('.plot svg > path:not(.star)')].map(p => {what}))"
    assert view.do(f"return {classes.format(what='p.classList[0]')}.size") == 9
    assert view.do(f"return {classes.format(what='p.getAttribute(`d`)')}.size") == 9
    fills = classes.format(what="getComputedStyle(p).fill")
    assert view.do(f"return {fills}.size") == 9


def test_the_answer_has_a_tab_for_it(drawn: ChunkMap, show: Show, page: Any) -> None:
    view = show({**drawn.view(), "kind": "answer"})
    assert "Map" in view.texts("[role=tab]:not([hidden])")
    view.tab("Map")
    view.wait(CURSOR)
    view.set("alpha", 0.9)
    results = view.do("return root.querySelectorAll('.rings g').length")
    assert results == len(view.texts(".place"))
    assert drawn.answer is not None
    without = show(drawn.answer.view())
    assert "Map" not in without.texts("[role=tab]:not([hidden])")


def test_the_map_moves_with_the_reasons_and_keeps_the_focus(
    sample: brainkit.Brain, show: Show, page: Any
) -> None:
    page.resize(500, 1400)
    view = show({**sample.map(QUERY, mode="vector").view(), "kind": "answer"})
    view.tab("Map")
    view.wait(CURSOR)
    view.click(".neighbours button", nth=2)
    view.do(f"{CURSOR}.focus()")
    page.press("Enter", KEYS["Enter"])
    view.wait(f"root.querySelector('.row.chosen aside') && root.activeElement === {CURSOR}")


@pytest.mark.parametrize("width", [320, 520, 860, 1600])
def test_no_width_makes_the_page_scroll_sideways(
    width: int, drawn: ChunkMap, show: Show, page: Any
) -> None:
    page.resize(width)
    view = show(drawn.view())
    view.wait(CURSOR)
    view.set("color", "file")
    assert page.value("document.documentElement.scrollWidth") <= width
    box, point = view.box(".map .plot"), view.do(POINT, ".plot .star", 0)
    assert box[0] <= point[0] <= box[0] + box[2]


def test_a_map_without_a_question(sample: brainkit.Brain, show: Show) -> None:
    drawn = sample.map(projection="axes", axes=("session", "catalogue"), color="file")
    view = show(drawn.view())
    view.wait(CURSOR)
    assert view.texts(".axis-name") == [f"↑ {drawn.axes[1]}", f"{drawn.axes[0]} →"]
    assert view.text(".picked h4") == place(drawn.chunks[0])
    assert view.value("color") == "file"
    assert view.texts(".plot .star") == []


@pytest.mark.parametrize("count", [0, 1, 2])
def test_few_chunks_or_none(count: int, tmp_path: Any, word_vectors: Any, show: Show) -> None:
    with brainkit.open(tmp_path / "few.brain", embedder=word_vectors) as brain:
        texts = ["one chunk of text", "another piece"][:count]
        brain.ingest_texts([{"id": t, "text": t} for t in texts], progress=False)
        drawn = brain.map("one text")
        view = show(drawn.view())
        if count:
            view.wait(CURSOR)
        assert view.text("figcaption").startswith(drawn.summary())
        assert (
            view.do("return root.querySelectorAll('.plot svg > path:not(.star)').length") == count
        )
        assert "NaN" not in view.do("return root.querySelector('.map').innerHTML")
        assert view.page.errors == []


def test_two_thousand_points_are_drawn_in_time(
    tmp_path: Any, word_vectors: Any, show: Show, page: Any
) -> None:
    words = ["session", "token", "key", "signed", "catalogue", "record", "isbn"]
    texts = [f"{words[n % 7]} {words[n // 7 % 7]} {n}" for n in range(2000)]
    with brainkit.open(tmp_path / "many.brain", embedder=word_vectors) as brain:
        brain.ingest_texts([{"id": str(n), "text": t} for n, t in enumerate(texts)], progress=False)
        view = show(brain.map("signed session").view())
    view.wait(CURSOR)
    took = """
      const input = root.querySelector('[aria-label=color]');
      const times = ['file', 'source_type', 'file', 'source_type', 'file'].map(value => {
        const start = performance.now();
        input.value = value;
        input.dispatchEvent(new Event('change'));
        return performance.now() - start;
      });
      return Math.min(...times);
    """
    assert view.do(took) <= 150
    assert page.value("document.documentElement.outerHTML.length") < 1_500_000
