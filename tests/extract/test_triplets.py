"""What a model calls by name is what the files define under that name, where there is one such."""

from __future__ import annotations

import pytest

from brainkit.extract.facts import Facts, Named, Triplet
from brainkit.extract.graph import Graph, SourceFacts
from brainkit.extract.resolve import resolve


def module(key: int, path: str, *classes: str) -> SourceFacts:
    named = [Named("", path, "module", None, (0,))]
    named += [Named(name, name, "class", "", (0,)) for name in classes]
    return SourceFacts(
        f"root/{path}.py", "root", "code", (key,), Facts("python", path, named=tuple(named))
    )


def note(key: int, *triplets: Triplet) -> SourceFacts:
    return SourceFacts(
        "root/note.md", "root", "doc", (key,), Facts("prose", "n", triplets=triplets)
    )


def told(graph: Graph, predicate: str) -> list[tuple[str, str]]:
    names = [entity.name for entity in graph.entities]
    return [
        (names[one.subject], names[one.object])
        for one in graph.relations
        if one.predicate == predicate
    ]


USES = Triplet("QueryService", "class", "needs", "query cache", "technology", 0)


def test_a_class_is_meant_by_its_short_name() -> None:
    graph = resolve([module(1, "service", "QueryService"), note(2, USES)])
    assert told(graph, "needs") == [("service.QueryService", "query cache")]
    mentioned = {graph.entities[one.entity].name for one in graph.mentions if one.key == 2}
    assert mentioned == {"service.QueryService", "query cache"}


@pytest.mark.parametrize("classes", [(), ("other",)])
def test_a_name_that_nothing_has_or_several_have_is_one_of_its_own(
    classes: tuple[str, ...],
) -> None:
    sources = [
        module(n, name, "QueryService") for n, name in enumerate(("a", "b")[: 2 * len(classes)])
    ]
    graph = resolve([*sources, note(9, USES)])
    assert told(graph, "needs") == [("QueryService", "query cache")]


def test_one_thing_under_two_names_is_not_related_to_itself() -> None:
    own = Triplet("QueryService", "class", "needs", "service.QueryService", "class", 0)
    graph = resolve([module(1, "service", "QueryService"), note(2, own)])
    assert told(graph, "needs") == []
