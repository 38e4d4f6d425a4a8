"""The table of entities: order, names and kinds to choose by, and how it shows itself."""

from __future__ import annotations

import json
from io import StringIO
from typing import Any

import pytest
from rich.console import Console

import brainkit
from brainkit.errors import FilterError, InvalidSetting
from brainkit.store.chunks import ChunkStore


def names(table: Any) -> list[str]:
    return [entity.name for entity in table]


def test_the_best_connected_come_first_then_the_most_frequent_then_by_key(
    shared: brainkit.Brain,
) -> None:
    table = shared.entities(limit=None)
    order = [(-one.degree, -one.documents, one.key) for one in table]
    assert order == sorted(order)
    assert names(table)[0] == "manager.VectorStoreManager"
    assert (len(table), table.total) == (12, 12)
    top = shared.entities(limit=2)
    assert (names(top), top.total) == (names(table)[:2], 12)
    assert "the 2 best connected of 12 entities" in repr(top)


def test_a_row_has_kinds_other_names_and_counts(shared: brainkit.Brain) -> None:
    (row,) = shared.entities("service.QueryService.ask")
    assert (row.key, row.kinds, row.documents, row.degree) == (
        *("service.queryservice.ask", ("method",), 1, 2),
    )
    assert "ask" in row.aliases
    assert row.name not in row.aliases


@pytest.mark.parametrize(
    ("like", "found"),
    [
        ("green", ["Green Tea"]),
        ("GREENTEA", ["Green Tea"]),
        ("query service", ["service.QueryService"]),
        ("*.search", ["manager.VectorStoreManager.search"]),
        ("?reen*", ["Green Tea"]),
        ("nothing like it", []),
        ("%", []),
        ("", None),
    ],
)
def test_like_is_part_of_a_name_or_a_glob(
    shared: brainkit.Brain, like: str, found: list[str] | None
) -> None:
    listed = names(shared.entities(like, limit=None))
    if found is None:
        assert len(listed) == 12
    else:
        assert [one for one in listed if not one.startswith("service.QueryService.")] == found


def test_an_exact_name_is_first_however_little_connected(shared: brainkit.Brain) -> None:
    assert names(shared.entities("service"))[0] == "service"
    assert shared.entities("service")[0].degree < shared.entities("service")[1].degree


def test_kinds_may_be_one_or_several_and_a_wrong_one_is_named(shared: brainkit.Brain) -> None:
    assert names(shared.entities(kind="Module")) == ["service", "manager"]
    both = shared.entities(kind=["module", "name"])
    assert {kind for one in both for kind in one.kinds} == {"module", "name"}
    with pytest.raises(FilterError, match=r"did you mean 'class'\? \(known: class, document, "):
        shared.entities(kind="clas")


@pytest.mark.parametrize("options", [{"limit": 0}, {"limit": "3"}, {"like": 3}])
def test_what_may_be_given_is_said(shared: brainkit.Brain, options: dict[str, Any]) -> None:
    with pytest.raises(InvalidSetting, match="give"):
        shared.entities(**options)


def test_an_empty_brain_has_none(tmp_path: Any, word_vectors: Any) -> None:
    with brainkit.open(tmp_path / "empty.brain", embedder=word_vectors) as brain:
        assert repr(brain.entities()) == "0 entities."
        assert brain.entities().to_frame().empty
        assert brain.graph().igraph.vcount() == len(brain.graph().relations) == 0
        assert len(brain.merges()) == 0


def test_a_brain_from_before_graphs_says_so_and_keeps_the_columns(
    brain: brainkit.Brain, word_vectors: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    frames = ("entities", "relations", "mentions")
    columns = {name: list(getattr(brain.graph(), name).columns) for name in frames}
    brain.close()
    monkeypatch.setattr(ChunkStore, "has_graph", False)
    with brainkit.open(brain.folder, embedder=word_vectors) as old:
        told = "0 entities; this brain was made before graphs; ingest again."
        assert repr(old.entities()) == told
        assert repr(old.entities("tea")) == told.replace("entities;", "entities like 'tea';")
        graph = old.graph()
        assert {name: list(getattr(graph, name).columns) for name in frames} == columns
        assert graph.igraph.vcount() == len(graph.mentions) == len(old.merges()) == 0


def test_it_is_a_frame_json_text_and_html(shared: brainkit.Brain) -> None:
    table = shared.entities("tea")
    frame = table.to_frame()
    assert list(frame.columns) == ["name", "key", "kinds", "aliases", "documents", "degree"]
    assert frame["name"].tolist() == names(table) == ["Black Tea", "Green Tea"]
    assert json.loads(json.dumps(table.to_dict()))["entities"][1]["kinds"] == ["document"]
    html = table._repr_html_()
    assert html.count("<tr>") == 3
    assert "Green Tea" in html
    console = Console(width=90, record=True, file=StringIO())
    console.print(table)
    assert "Black Tea" in console.export_text()
