"""Neighbours and the whole graph: nothing left out, nothing twice, by number and by name."""

from __future__ import annotations

import json

import pytest

import brainkit
from brainkit.errors import FilterError, InvalidSetting, NoSuchEntity


def test_relations_of_both_sides_come_with_their_place(shared: brainkit.Brain) -> None:
    found = shared.neighbours("QueryService")
    assert [f"{hop} ({hop.evidence.place})" for hop in found] == [
        "service.QueryService -> defines -> service.QueryService.ask (project/service.py:8)",
        "service.QueryService -> defines -> service.QueryService.__init__ (project/service.py:5)",
        "service -> defines -> service.QueryService (project/service.py:4)",
        "Guide -> mentions -> service.QueryService (project/guide.md:3)",
    ]


def test_a_predicate_and_a_direction_choose_among_them(shared: brainkit.Brain) -> None:
    def told(**options: object) -> list[str]:
        return [str(hop) for hop in shared.neighbours("QueryService", **options)]  # type: ignore[arg-type]

    assert told(direction="in", predicate="mentions") == [
        "Guide -> mentions -> service.QueryService"
    ]
    assert len(told(direction="out")) == 2
    assert len(told(predicate=["defines", "mentions"])) == 4
    assert told(direction="out", predicate="mentions") == []
    with pytest.raises(FilterError, match=r"did you mean 'calls'\? \(known: calls, defines, "):
        told(predicate="call")
    with pytest.raises(InvalidSetting, match="direction='up' is not one of 'out', 'in', None"):
        told(direction="up")
    with pytest.raises(NoSuchEntity):
        shared.neighbours("nobody")


def test_neighbours_are_a_frame_json_and_html(shared: brainkit.Brain) -> None:
    found = shared.neighbours("QueryService")
    frame = found.to_frame()
    assert list(frame.columns) == [
        *("subject", "predicate", "object", "place", "sentence", "chunks"),
    ]
    assert frame.iloc[3][["subject", "object"]].tolist() == ["Guide", "service.QueryService"]
    assert len(json.loads(json.dumps(found.to_dict()))["neighbours"]) == 4
    assert found._repr_html_().count("<tr>") == 5
    assert repr(found).startswith("service.QueryService: 4 relations.\n")


def test_the_whole_graph_agrees_with_itself(shared: brainkit.Brain) -> None:
    graph = shared.graph()
    drawn = graph.igraph
    assert drawn.is_directed()
    assert drawn.vs["name"] == graph.entities["name"].tolist()
    assert drawn.vs["key"] == graph.entities["key"].tolist()
    assert drawn.vs["kind"] == [", ".join(kinds) for kinds in graph.entities["kinds"]]
    ends = graph.relations[["subject_id", "object_id"]].to_numpy().tolist()
    assert [list(edge) for edge in drawn.get_edgelist()] == ends
    assert drawn.es["predicate"] == graph.relations["predicate"].tolist()
    for entity in shared.entities(limit=None):
        mentions = graph.mentions.query("entity == @entity.name")
        assert mentions["chunk_id"].nunique() == entity.documents
        assert len(set(drawn.neighbors(entity.name))) == entity.degree
        rows = graph.relations.query("subject == @entity.name or object == @entity.name")
        assert len(shared.neighbours(entity.key)) == len(rows)


def test_the_graph_is_a_copy(shared: brainkit.Brain) -> None:
    first = shared.graph().igraph
    first.delete_vertices(range(first.vcount()))
    assert shared.graph().igraph.vcount() == 12
    assert "12 entities, 13 relations, 17 mentions" in repr(shared.graph())
    assert "mentions" in shared.graph()._repr_html_()
