"""Two settings side by side: what is shared, what moves, and in words."""

from __future__ import annotations

from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import brainkit
from brainkit.comparison import Comparison
from brainkit.errors import InvalidRequest, InvalidSetting, NotInTrace
from brainkit.widgets.view import view_html, view_of

QUERY = "how are sessions signed"


@pytest.fixture(scope="module")
def brain(
    tmp_path_factory: pytest.TempPathFactory, repository: Path, word_vectors: Any
) -> Iterator[brainkit.Brain]:
    folder = tmp_path_factory.mktemp("compare") / "sample.brain"
    with brainkit.open(folder, embedder=word_vectors) as brain:
        brain.ingest(repository / "data" / "sample", progress=False)
        yield brain


@pytest.fixture
def comparison(brain: brainkit.Brain) -> Comparison:
    return brain.compare(QUERY, a={"alpha": 0.1}, b={"mode": "multi"}, top_k=6)


def test_each_side_is_what_a_query_gives(brain: brainkit.Brain, comparison: Comparison) -> None:
    for side, fields in ((comparison.a, {"alpha": 0.1}), (comparison.b, {"mode": "multi"})):
        assert side.results == brain.query(QUERY, top_k=6, trace="full", **fields).results


def test_rows_are_all_that_is_shown_by_better_rank(comparison: Comparison) -> None:
    a = {result.chunk_id: result.rank for result in comparison.a.results}
    b = {result.chunk_id: result.rank for result in comparison.b.results}
    best = [min(a.get(c, 99), b.get(c, 99)) for c in (r.result.chunk_id for r in comparison.rows)]
    assert best == sorted(best)
    assert {row.result.chunk_id for row in comparison.shared} == a.keys() & b.keys()
    assert {row.result.chunk_id for row in comparison.only_a} == a.keys() - b.keys()
    assert {row.result.chunk_id for row in comparison.only_b} == b.keys() - a.keys()
    for row in comparison.shared:
        assert row.move == a[row.result.chunk_id] - b[row.result.chunk_id]


def test_ranks_go_on_beyond_what_is_shown(brain: brainkit.Brain, comparison: Comparison) -> None:
    deep = {r.chunk_id: r for r in brain.query(QUERY, mode="multi", top_k=50).results}
    beyond = [row for row in comparison.only_a if row.b and row.b.rank <= 50]
    assert beyond
    for row in beyond:
        assert row.b == deep[row.result.chunk_id]
        assert row.b.rank > 6


def test_the_same_settings_find_the_same(brain: brainkit.Brain) -> None:
    same = brain.compare(QUERY, a={}, b={}, top_k=3)
    assert same.changes == {}
    assert same.summary() == (
        "3 shared, 0 only in A, 0 only in B: the same results in the same order."
    )


def test_what_differs_is_said_in_words(comparison: Comparison) -> None:
    assert comparison.changes == {"mode": ("hybrid", "multi"), "alpha": (0.1, 0.5)}
    moves = [row.move or 0 for row in comparison.shared]
    up, down = sum(m > 0 for m in moves), sum(m < 0 for m in moves)
    assert comparison.summary().startswith(
        f"{len(moves)} shared, {6 - len(moves)} only in A, {6 - len(moves)} only in B. "
        f"Of the shared, B ranks {up} higher, {down} lower and {len(moves) - up - down} the same. "
    )


def test_a_side_without_results_is_said(brain: brainkit.Brain) -> None:
    one = brain.compare("zzzz", a={"mode": "bm25"}, b={"mode": "vector"})
    assert one.summary() == "0 shared, 0 only in A, 5 only in B. Only B has results."
    assert all(row.a is None for row in one.rows)
    none = brain.compare("zzzz", a={"mode": "bm25"}, b={"mode": "bm25", "top_k": 9})
    assert none.summary() == "Neither side has results."
    assert none.rows == ()
    assert len(none.to_frame()) == 0
    for text in (repr(none), none._repr_html_()):
        assert "Neither side has results." in text


def test_one_trace_serves_settings_of_fusion_and_two_serve_others(brain: brainkit.Brain) -> None:
    fused = brain.compare(QUERY, a={"depth": 10}, b={"depth": 200, "similarity_threshold": 0.3})
    assert fused.a.trace is fused.b.trace
    apart = brain.compare(QUERY, a={"languages": ["python"]}, b={})
    assert apart.a.trace is not apart.b.trace
    assert {row.result.language for row in apart.only_a} <= {"python"}
    for one, fields in ((fused.b, fused.b.request), (apart.a, apart.a.request)):
        assert one.results == brain.query(fields).results


def test_refuse_moves_either_side(brain: brainkit.Brain, comparison: Comparison) -> None:
    moved = comparison.refuse(b={"mode": "hybrid", "alpha": 0.9})
    assert moved.a.results == comparison.a.results
    assert moved.b.results == brain.query(QUERY, alpha=0.9, top_k=6).results
    with pytest.raises(NotInTrace, match="traversal_depth"):
        comparison.refuse(a={"traversal_depth": 1})


def test_the_frame_has_both_ranks_and_reasons(comparison: Comparison) -> None:
    frame = comparison.to_frame()
    assert list(frame["chunk_id"]) == [row.result.chunk_id for row in comparison.rows]
    for row, one in zip(comparison.rows, frame.itertuples(), strict=True):
        for side, result in (("a", row.a), ("b", row.b)):
            if result is not None:
                assert getattr(one, f"rank_{side}") == result.rank
                assert getattr(one, f"score_{side}") == result.score
                assert getattr(one, f"why_{side}") == result.explanation.sentence


def test_texts_and_tables_name_every_chunk(comparison: Comparison) -> None:
    console = Console(width=200, file=StringIO())
    console.print(comparison)
    for text in (repr(comparison), comparison._repr_html_(), console.file.getvalue()):
        for row in comparison.rows:
            assert f"{row.result.source}:{row.result.start_line}" in text
        assert comparison.summary() in " ".join(text.split())


def test_a_page_of_it_holds_the_view(comparison: Comparison, tmp_path: Path) -> None:
    page = comparison.save_html(tmp_path / "compare.html").read_text("utf-8")
    assert comparison.summary() in page
    view = view_of(view_html(comparison.view()))
    assert view is not None
    assert (view["kind"], view["other"]["trace"]) == ("compare", None)
    assert view["other"]["request"]["mode"] == "multi"
    shown = {row.result.chunk_id: row.result.text for row in comparison.rows}
    texts = {one["chunk_id"]: one["text"] for one in view["trace"]["candidates"]}
    assert {chunk_id: texts[chunk_id] for chunk_id in shown} == shown


def test_plain_data_survives(comparison: Comparison) -> None:
    data = comparison.to_dict()
    assert data["changes"] == {"mode": ["hybrid", "multi"], "alpha": [0.1, 0.5]}
    assert [one["where"] for one in data["rows"]] == [row.where for row in comparison.rows]


def test_mistakes_are_named(brain: brainkit.Brain) -> None:
    with pytest.raises(InvalidSetting, match=r"a=0.2 is a float; give settings"):
        brain.compare(QUERY, a=0.2, b={})  # type: ignore[arg-type]
    with pytest.raises(InvalidSetting, match="b has a query"):
        brain.compare(QUERY, a={}, b={"query": "other"})
    with pytest.raises(InvalidRequest, match="alhpa"):
        brain.compare(QUERY, a={"alhpa": 0.2}, b={})
    with pytest.raises(InvalidSetting, match="two questions"):
        Comparison(brain.query("one"), brain.query("two"))
