"""Paths through the public face: what leads where, by which chunk, and how that is drawn."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import brainkit
from brainkit import settings
from brainkit.errors import InvalidSetting, NoSuchEntity

HOSTILE = "</script><img src=x onerror=alert(1)>"


def test_every_hop_has_the_place_and_the_line_that_says_so(shared: brainkit.Brain) -> None:
    path = shared.path("QueryService", "VectorStoreManager")
    assert path.line() == (
        "service.QueryService -> defines -> service.QueryService.__init__ -> uses -> "
        "manager.VectorStoreManager"
    )
    assert [hop.evidence.place for hop in path.hops] == ["project/service.py:5"] * 2
    assert path.hops[1].evidence.sentence == (
        "def __init__(self, store: VectorStoreManager) -> None:"
    )
    assert repr(path).splitlines()[-1] == (
        "note: As short: service.QueryService <- defines <- service -> imports -> "
        "manager.VectorStoreManager"
    )
    assert path.count == len(path.paths) == 2


def test_a_relation_walked_backwards_points_backwards(shared: brainkit.Brain) -> None:
    path = shared.path("Sencha", "Green Tea")
    assert path.line() == "Sencha -> mentions -> Black Tea <- mentions <- Green Tea"
    assert [str(hop) for hop in path.hops] == [
        "Sencha -> mentions -> Black Tea",
        "Green Tea -> mentions -> Black Tea",
    ]
    assert [hop.evidence.sentence for hop in path.hops] == [
        "Black Tea is not.",
        "Green Tea is older than Black Tea.",
    ]
    back = shared.path("green tea", "sencha")
    assert back.line() == "Green Tea -> mentions -> Black Tea <- mentions <- Sencha"


def test_without_a_path_it_says_what_each_end_is_connected_to(shared: brainkit.Brain) -> None:
    path = shared.path("VectorStoreManager", "An Island")
    assert not path
    assert path.hops == ()
    assert path.notes == (
        "No relations lead from manager.VectorStoreManager to An Island.",
        "manager.VectorStoreManager is connected to 10 entities, such as "
        "manager.VectorStoreManager.search, manager, service.",
        "An Island has no relations.",
    )
    assert path.to_dict()["path"] is None
    assert "no path" in path._repr_html_()
    assert {node for trace in path.figure().data for node in trace.text or ()} >= {
        "<b>An Island</b>"
    }


def test_a_hub_is_gone_through_only_where_there_is_no_way_around_and_named(
    shared: brainkit.Brain, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert shared.path("Sencha", "Green Tea").hubs == ()
    monkeypatch.setattr(settings, "GRAPH_HUB_DEGREE", 1)  # two neighbours make a hub
    path = shared.path("Sencha", "Green Tea")
    assert [hub.name for hub in path.hubs] == ["Black Tea"]
    assert path.notes[-1] == (
        "It goes through Black Tea, which is related to 2 entities: there is no way around."
    )


def test_two_names_of_one_entity_are_no_hop_apart(shared: brainkit.Brain) -> None:
    path = shared.path("service.QueryService", "query_service")
    assert path
    assert (path.hops, path.count) == ((), 1)
    assert path.notes == ("Both names mean service.QueryService.",)
    assert path.figure() is not None


def test_names_that_mean_nothing_or_too_much_list_what_is_meant(
    brain: brainkit.Brain, project: Path
) -> None:
    with pytest.raises(NoSuchEntity) as caught:
        brain.path("QueryServce", "Green Tea")
    assert str(caught.value) == (
        "no entity is named 'QueryServce'; did you mean 'QueryService'? The nearest: "
        "service.queryservice (class)."
    )
    (project / "other.py").write_text("class QueryService:\n    pass\n")
    brain.ingest(project, progress=False)
    with pytest.raises(NoSuchEntity) as caught:
        brain.path("QueryService", "Green Tea")
    assert str(caught.value) == (
        "'QueryService' may mean 2 entities; give the key of one: other.queryservice (class), "
        "service.queryservice (class)."
    )
    assert brain.path("service.queryservice", "Green Tea")
    assert brain.path("service.QueryService", "Green Tea")
    with pytest.raises(InvalidSetting, match="3 is a int; give an entity's name"):
        brain.path("Green Tea", 3)  # type: ignore[arg-type]


def test_the_picture_has_the_path_and_some_of_what_is_beside_it(shared: brainkit.Brain) -> None:
    path = shared.path("Sencha", "Green Tea")
    figure = path.figure()
    drawn = {trace.name: list(trace.text) for trace in figure.data if trace.name}
    assert drawn == {
        "asked for": ["<b>Sencha</b>", "<b>Green Tea</b>"],
        "on the path": ["<b>Black Tea</b>"],
        "beside it": ["Guide"],
    }
    bare = path.figure(neighbours=False)
    assert [list(trace.text) for trace in bare.data if trace.name == "beside it"] == [[]]
    assert figure.to_json() == shared.path("Sencha", "Green Tea").figure().to_json()


def test_a_well_connected_path_shows_no_more_than_a_picture_holds(
    brain: brainkit.Brain, project: Path
) -> None:
    for n in range(40):
        (project / f"more{n}.md").write_text(f"# Kind {n}\n\nIt is like Black Tea.\n")
    brain.ingest(project, progress=False)
    path = brain.path("Sencha", "Black Tea")
    assert 0 < len(path.beside) <= 24
    assert max(sum(one.at == at for one in path.beside) for at in range(2)) <= 6


def test_it_is_text_json_and_html_and_obeys_nothing_that_it_shows(
    brain: brainkit.Brain, project: Path
) -> None:
    (project / "evil.md").write_text(f"# Evil {HOSTILE} \x1b[31m\n\nLike Black Tea {HOSTILE}.\n")
    brain.ingest(project, progress=False)
    (evil,) = brain.entities("Evil*")
    path = brain.path(evil.key, "Sencha")
    html = path._repr_html_()
    assert HOSTILE not in html
    assert "&lt;/script&gt;" in html
    assert 'role="img" aria-label="Evil' in html
    assert HOSTILE not in brain.neighbours(evil.key)._repr_html_()
    assert HOSTILE not in brain.entities("Evil*")._repr_html_()
    console = Console(width=200, record=True, file=StringIO())
    console.print(path)
    for text in (repr(path), console.export_text()):
        assert "\x1b" not in text
        assert "Sencha" in text
    plain: Any = json.loads(json.dumps(path.to_dict()))
    assert plain["path"] == path.line()
    assert plain["paths"][0][0]["evidence"]["source"] == "project/evil.md"
