"""The figures say what the answer says; how they look is seen in a browser."""

from __future__ import annotations

import numpy as np
import pytest
from plotly import graph_objects as go

import brainkit
from brainkit import viz
from brainkit.errors import InvalidSetting
from brainkit.projection import Near, Plane

FIGURES = {
    "rrf": lambda a: viz.rrf_figure(a.refuse(mode="multi").response),
    "alpha": lambda a: viz.alpha_figure(a.response),
    "bm25": lambda a: viz.bm25_figure(a.response),
    "similarity": lambda a: viz.similarity_figure(a.response),
    "flow": lambda a: viz.flow_figure(a.response),
}


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_is_valid_and_the_same_each_time(answer: brainkit.Answer, name: str) -> None:
    one, other = FIGURES[name](answer), FIGURES[name](answer)
    assert isinstance(one, go.Figure)
    assert one.to_json() == other.to_json()
    go.Figure(one.to_dict())
    assert one.layout.paper_bgcolor is None  # the template's, so a page of any colour shows through
    assert one.layout.template.layout.paper_bgcolor == "rgba(0, 0, 0, 0)"


def test_votes_add_up_to_the_score(answer: brainkit.Answer) -> None:
    multi = answer.refuse(mode="multi")
    figure = viz.rrf_figure(multi.response)
    sums = np.sum([bar.x for bar in figure.data], axis=0)
    assert sums.tolist() == pytest.approx([result.score for result in multi.results], abs=1e-12)
    assert [bar.name for bar in figure.data] == ["meaning", "keywords", "relations"]
    assert len({bar.marker.pattern.shape for bar in figure.data}) == 3


def test_lines_begin_at_keywords_and_end_at_meaning(answer: brainkit.Answer) -> None:
    figure = viz.alpha_figure(answer.response, top=5)
    lines = [t for t in figure.data if t.mode == "lines" and t.showlegend is not False]
    ends = {line.name: tuple(line.y) for line in lines}
    by_place = {viz.fusion.label(r.source, r.start_line): r for r in answer.results[:5]}
    assert ends.keys() >= by_place.keys()
    for place, result in by_place.items():
        b, v = ends[place]
        assert result.score == pytest.approx(0.4 * v + 0.6 * b)


def test_ranks_are_those_of_fusing_at_that_alpha(answer: brainkit.Answer) -> None:
    figure = viz.alpha_figure(answer.response, top=5)
    ranks = [t for t in figure.data if t.mode == "lines" and t.showlegend is False]
    for alpha in (0.123, 0.456, 0.789):
        shown = {}
        for trace in ranks:
            x, y = np.array(trace.x), np.array(trace.y, float)
            at = np.searchsorted(x[1::2], alpha)
            if not np.isnan(y[2 * at]):
                shown[trace.name] = y[2 * at]
        again = answer.refuse(alpha=alpha, top_k=5)
        expected = {viz.fusion.label(r.source, r.start_line): r.rank for r in again.results}
        assert shown == expected


def test_crossings_are_where_two_lines_meet(answer: brainkit.Answer) -> None:
    figure = viz.alpha_figure(answer.response)
    (dots,) = [t for t in figure.data if t.name == "crossings"]
    lines = [np.array(t.y) for t in figure.data if t.mode == "lines" and t.showlegend is not False]
    assert len(dots.x) > 0
    for x, y in zip(dots.x, dots.y, strict=True):
        through = [line for line in lines if abs((1 - x) * line[0] + x * line[1] - y) < 1e-9]
        assert len(through) >= 2


def test_dots_of_saturation_are_the_contributions(answer: brainkit.Answer) -> None:
    figure = viz.bm25_figure(answer.response)
    for dots in (t for t in figure.data if t.mode == "markers"):
        parts = sorted(
            c.bm25_parts[dots.name] for c in answer.trace.candidates if c.term_counts.get(dots.name)
        )
        assert sorted(dots.y) == pytest.approx(parts, rel=1e-5)


def test_other_k1_and_b_follow_the_formula(answer: brainkit.Answer) -> None:
    figure = viz.bm25_figure(answer.response, k1=0.9, b=0.0)
    for curve in (t for t in figure.data if t.mode == "lines"):
        (idf,) = {t.idf for t in answer.trace.terms if t.term == curve.name}
        x, y = np.array(curve.x), np.array(curve.y)
        assert y.tolist() == pytest.approx((idf * x * 1.9 / (x + 0.9)).tolist())


def test_the_histogram_counts_every_candidate_with_a_vector(answer: brainkit.Answer) -> None:
    strict = answer.refuse(similarity_threshold=0.3)
    figure = viz.similarity_figure(strict.response)
    values = [c.vector for c in answer.trace.candidates if c.vector is not None]
    assert sum(figure.data[0].y) == len(values)
    kept = sum(value >= 0.3 for value in values)
    assert (
        figure.layout.title.text == f"{kept} of {len(values)} candidates are at least 0.3 similar"
    )


def test_the_flow_counts_what_the_answer_counts(answer: brainkit.Answer) -> None:
    figure = viz.flow_figure(answer.response)
    text = " ".join(figure.data[0].node.label)
    assert f"{answer.trace.total_chunks:,} chunks" in text
    assert f"{answer.response.candidates:,} candidates" in text
    assert f"results<br>{len(answer.results)}" in text


def test_a_figure_of_another_mode_says_how_to_get_it(answer: brainkit.Answer) -> None:
    with pytest.raises(InvalidSetting, match=r"answer\.refuse\(mode='multi'\)"):
        viz.rrf_figure(answer.response)
    with pytest.raises(InvalidSetting, match=r"answer\.refuse\(mode='hybrid'\)"):
        viz.alpha_figure(answer.refuse(mode="bm25").response)
    with pytest.raises(InvalidSetting, match="1 to 20"):
        viz.alpha_figure(answer.response, top=0)
    with pytest.raises(InvalidSetting, match="k1 of 0 or more"):
        viz.bm25_figure(answer.response, k1=-1)


def test_figures_need_what_was_run(answer: brainkit.Answer) -> None:
    bare = answer.response.model_copy(
        update={"trace": answer.trace.model_copy(update={"candidates": (), "terms": ()})}
    )
    with pytest.raises(InvalidSetting, match="bm25 was not run"):
        viz.bm25_figure(bare)
    with pytest.raises(InvalidSetting, match="vector retriever was not run"):
        viz.similarity_figure(bare)


def test_a_map_joins_the_question_to_its_true_neighbours() -> None:
    plane = Plane(np.array([[0.0, 0.0], [1.0, 0.0], [5.0, 5.0]]), query=np.array([0.2, 0.1]))
    near = Near(np.array([[0, 2]]), np.array([[0.9, 0.8]]), np.array([[True, False]]))
    figure = viz.map_figure(plane, ["doc", "code", "doc"], ["a", "b", "c"], near=near)
    groups = {t.name: (list(t.x), t.marker.symbol) for t in figure.data if t.name}
    assert groups["doc"] == ([0.0, 5.0], "circle")
    assert groups["code"] == ([1.0], "square")
    assert groups["question"][0] == [0.2]
    lines = [(list(t.x), t.line.dash) for t in figure.data if t.mode == "lines"]
    assert lines == [([0.2, 0.0], "solid"), ([0.2, 5.0], "dot")]


def test_many_groups_become_seven_and_others() -> None:
    plane = Plane(np.zeros((20, 2)))
    figure = viz.map_figure(plane, [f"f{n % 12:02}" for n in range(20)], ["x"] * 20)
    assert len(figure.data) == 8
    assert figure.data[-1].name == "other"
    assert sum(len(trace.x) for trace in figure.data) == 20
