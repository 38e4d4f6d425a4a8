"""From facts to the graph: independent of order, whatever the source of the facts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from brainkit.extract.code import code_facts
from brainkit.extract.facts import Facts, Named, Triplet
from brainkit.extract.graph import Edit, Graph, SourceFacts
from brainkit.extract.resolve import resolve

NAMES = ("a", "b", "c", "Session", "session", "_a")
STATEMENTS = (
    "from .{m} import {n}",
    "from .{m} import *",
    "import {m}",
    "import pkg.{m} as {n}",
    "from pkg.{m} import {n} as {o}",
    "{n} = {o}",
    "{n} = {o}()",
    "def {n}(x: {o}):\n    x.{n}()\n    {m}.{n}()",
    "def {n}() -> {o}: ...",
    "class {n}({o}):\n    def {m}(self):\n        self.{n}()\n        super().{m}()",
)

statement = st.builds(
    lambda form, m, n, o: form.format(m=m, n=n, o=o),
    st.sampled_from(STATEMENTS),
    *([st.sampled_from(NAMES)] * 3),
)
modules = st.dictionaries(
    st.sampled_from(
        [f"{folder}{name}.py" for folder in ("pkg/", "", "src/pkg/") for name in NAMES]
    ),
    st.lists(statement, max_size=5).map("\n".join),
    min_size=1,
    max_size=6,
)


def sources_of(files: dict[str, str]) -> list[SourceFacts]:
    found = []
    for number, (relative, text) in enumerate(sorted(files.items()), start=1):
        facts = code_facts(text, language="python", relative=relative, chunk_of=lambda _: (0,))
        assert facts is not None
        found.append(SourceFacts(f"root/{relative}", "root", "code", (number,), facts))
    return found


@given(modules, st.randoms(use_true_random=False))
def test_the_order_of_sources_makes_no_difference(files: dict[str, str], random: Random) -> None:
    sources = sources_of({**files, "pkg/__init__.py": "from .a import *"})
    expected = resolve(sources)
    random.shuffle(sources)
    assert resolve(sources) == expected


@given(modules)
def test_facts_read_back_resolve_alike_and_the_rows_hold_together(files: dict[str, str]) -> None:
    sources = sources_of(files)
    stored = [one._replace(facts=Facts.from_json(one.facts.to_json())) for one in sources]
    graph = resolve(sources)
    assert resolve(stored) == graph
    assert [entity.id for entity in graph.entities] == [*range(len(graph.entities))]
    keys = [entity.key for entity in graph.entities]
    assert keys == sorted({*keys})
    for one in graph.relations:
        assert one.subject != one.object
        assert one.support


def document(name: str, *, key: int, triplets: tuple[Triplet, ...] = ()) -> SourceFacts:
    facts = Facts("prose", name, named=(Named("", name, "document", None, (0,)),))
    return SourceFacts(f"root/{name}", "root", "doc", (key,), replace(facts, triplets=triplets))


def named_relations(graph: Graph) -> set[tuple[str, str, str]]:
    names = [entity.name for entity in graph.entities]
    return {(names[one.subject], one.predicate, names[one.object]) for one in graph.relations}


def test_triplets_join_entities_of_the_same_key_and_keep_their_chunk() -> None:
    one = Triplet("Ada Lovelace", "person", "wrote", "Notes", "work", 0)
    other = Triplet("ada lovelace", "person", "knew", "Charles Babbage", "person", 0)
    graph = resolve(
        [document("x", key=7, triplets=(one,)), document("y", key=8, triplets=(other,))]
    )
    relations = named_relations(graph)
    assert ("Ada Lovelace", "wrote", "Notes") in relations
    assert ("Ada Lovelace", "knew", "Charles Babbage") in relations
    (wrote,) = [row for row in graph.relations if row.predicate == "wrote"]
    assert wrote.support == ((7, 0, 0),)
    (ada,) = [entity for entity in graph.entities if entity.key == "adalovelace"]
    assert ("person" in ada.kinds, ada.documents) == (True, 2)


def test_a_triplet_without_a_name_is_left_out() -> None:
    graph = resolve([document("x", key=1, triplets=(Triplet("…", "", "is", "Box", "", 0),))])
    assert "is" not in {row.predicate for row in graph.relations}


def test_a_merge_moves_relations_to_the_entity_that_stays(
    read_files: Callable[..., list[SourceFacts]],
) -> None:
    sources = read_files({"a.py": "def f(): ...\ndef old(): ...\ndef run():\n    old()\n"})
    graph = resolve(sources, [Edit("merge", "a.old", "a.f")])
    assert ("a.run", "calls", "a.f") in named_relations(graph)
    assert "a.old" not in [entity.name for entity in graph.entities]
