"""What users say of entities, through the public face: it survives what happens to files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import brainkit
from brainkit.errors import InvalidEdit, NoSuchEntity


def merged(brain: brainkit.Brain) -> dict[str, tuple[str, ...]]:
    return {row.name: row.names for row in brain.merges() if row.reason == "merged by hand"}


def test_a_merge_is_one_entity_until_it_is_taken_back(brain: brainkit.Brain) -> None:
    before = brain.graph().entities
    brain.merge_entities("Sencha", "Green Tea", progress=False)
    assert merged(brain) == {"Green Tea": ("Green Tea", "Sencha")}
    (tea,) = brain.entities("sencha")
    assert (tea.name, "Sencha" in tea.aliases) == ("Green Tea", True)
    assert brain.path("Sencha", "Black Tea").line() == "Green Tea -> mentions -> Black Tea"
    assert brain.path("Sencha", "Black Tea").hops[0].evidence.chunks == 2
    with pytest.raises(InvalidEdit, match="one entity already"):
        brain.merge_entities("Sencha", "Green Tea", progress=False)
    brain.unmerge("Sencha", "Green Tea", progress=False)
    assert merged(brain) == {}
    assert brain.graph().entities.equals(before)


def test_another_name_is_one_until_it_is_taken_back(brain: brainkit.Brain) -> None:
    brain.alias("Black Tea", "The Fermented One", progress=False)
    assert brain.path("Sencha", "the fermented one").end.name == "Black Tea"
    answer = brain.query("what mentions The Fermented One", mode="graph")
    assert {"project/sencha.md", "project/tea.md"} <= {result.source for result in answer.results}
    with pytest.raises(InvalidEdit, match="other names: blacktea is also The Fermented One"):
        brain.unalias("Black Tea", "Oolong", progress=False)
    brain.unalias("Black Tea", "the fermented one", progress=False)
    with pytest.raises(NoSuchEntity):
        brain.path("Sencha", "The Fermented One")
    with pytest.raises(InvalidEdit, match="other names: none"):
        brain.unalias("Black Tea", "The Fermented One", progress=False)


def test_what_was_said_survives_another_ingest_and_a_rename(
    brain: brainkit.Brain, project: Path
) -> None:
    brain.merge_entities("Sencha", "Green Tea", progress=False)
    brain.alias("QueryService", "the front desk", progress=False)
    (project / "tea.md").rename(project / "leaves.md")
    (project / "service.py").rename(project / "desk.py")
    (project / "sencha.md").write_text("# Sencha\n\nSencha grows in the sun.\n")
    brain.ingest(project, progress=False)
    assert merged(brain) == {"Green Tea": ("Green Tea", "Sencha")}
    assert brain.path("The Front Desk", "Guide").start.name == "desk.QueryService"


def test_all_that_was_said_is_listed_with_the_way_to_take_it_back(brain: brainkit.Brain) -> None:
    brain.merge_entities("Sencha", "Green Tea", progress=False)
    brain.alias("Black Tea", "Oolong", progress=False)
    listed = brain.merges()
    assert repr(listed).splitlines() == [
        "1 entity has several names that were taken for one; 2 edits by hand.",
        "Green Tea: Green Tea, Sencha (merged by hand)",
        "sencha is greentea: unmerge('sencha', 'greentea') undoes it",
        "blacktea is also called Oolong: unalias('blacktea', 'Oolong') undoes it",
    ]
    assert json.loads(json.dumps(listed.to_dict()))["edits"][1]["other"] == "Oolong"
    assert listed.to_frame()["reason"].tolist() == ["merged by hand"]
    assert "unmerge(" in listed._repr_html_()
    brain.unmerge("sencha", "greentea", progress=False)
    brain.unalias("blacktea", "Oolong", progress=False)
    assert (len(brain.merges()), brain.merges().edits) == (0, ())
