"""From runs, titles, links and terms to entities, mentions and relations."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping

import pytest

from brainkit.extract.builder import GraphBuilder
from brainkit.extract.graph import Graph, SourceFacts
from brainkit.extract.naming import resolve_names
from brainkit.extract.of_file import facts_of
from brainkit.ingest.chunk_markdown import chunk_markdown
from brainkit.ingest.pieces import Budget, Piece

BUDGET = Budget(60, overlap_tokens=0, count=lambda texts: [len(t.split()) for t in texts])


def record(number: int, title: str, text: str) -> SourceFacts:
    """A record is one chunk, whose key is its number."""
    chunks = [Piece(text, 1, text.count("\n") + 1)]
    facts = facts_of(text, chunks=chunks, relative=f"r{number}", language=None, title=title)
    return SourceFacts(f"r{number}", "", "doc", (number,), facts)


def records(*rows: tuple[str, str]) -> list[SourceFacts]:
    return [record(number, *row) for number, row in enumerate(rows, start=1)]


def files(texts: Mapping[str, str]) -> list[SourceFacts]:
    """Chunk keys go on from file to file."""
    found = []
    key = 0
    for relative, text in texts.items():
        chunks = chunk_markdown(text, budget=BUDGET)
        facts = facts_of(text, chunks=chunks, relative=relative, language="markdown")
        keys = tuple(range(key + 1, key + 1 + len(chunks)))
        key += len(chunks)
        found.append(SourceFacts(f"docs/{relative}", "docs", "doc", keys, facts))
    return found


def graph_of(sources: Iterable[SourceFacts]) -> Graph:
    builder = GraphBuilder()
    resolve_names(list(sources), builder, symbols={})
    return builder.build()


def relations(graph: Graph) -> set[tuple[str, str, str]]:
    return {
        (graph.entities[one.subject].name, one.predicate, graph.entities[one.object].name)
        for one in graph.relations
    }


def named(graph: Graph, kind: str = "name") -> list[str]:
    return [one.name for one in graph.entities if kind in one.kinds]


def test_a_title_is_mentioned_by_the_passage_that_names_it_with_its_sentence() -> None:
    text = "Teutberga was a queen. She was married to Lothair II of Lotharingia."
    graph = graph_of(records(("Teutberga", text), ("Lothair II", "Lothair II was a king.")))
    assert relations(graph) >= {("Teutberga", "mentions", "Lothair II")}
    (support,) = next(one.support for one in graph.relations)
    key, start, end = support
    assert (key, text[start:end]) == (1, "She was married to Lothair II of Lotharingia.")


def test_what_a_passage_is_about_it_does_not_mention() -> None:
    graph = graph_of(records(("Lothair II", "Lothair II was a king. King Lothair died.")))
    assert graph.relations == ()
    assert [(one.role, one.weight) for one in graph.mentions] == [("about", 1.0)]


def test_case_accents_and_brackets_do_not_part_names() -> None:
    graph = graph_of(
        records(
            ("Żuławski (director)", "A director."),
            ("Xawery", "He is the son of ZULAWSKI and a director."),
        )
    )
    assert relations(graph) == {("Xawery", "mentions", "Żuławski (director)")}
    assert [one.weight for one in graph.mentions if one.role == "mentions"] == [0.9]


def test_longest_names_win_from_the_left_and_tokens_stay_whole() -> None:
    graph = graph_of(
        records(
            ("New York", "A city."),
            ("New York Times", "A paper."),
            ("Therapist", "A film."),
            ("Essay", "About the New York Times and The Rapist and Times Square."),
        )
    )
    assert relations(graph) >= {("Essay", "mentions", "New York Times")}
    mentioned = {object_ for subject, _, object_ in relations(graph) if subject == "Essay"}
    assert not mentioned & {"New York", "Therapist"}


def test_a_word_of_a_longer_name_is_no_mention_but_king_oswiu_is_oswiu() -> None:
    others = [
        (f"{one} Land", f"The {one} Empire was large.")
        for one in ("Khmer", "Mali", "Inca", "Aztec")
    ]
    graph = graph_of(
        records(
            ("Empire (2002 film)", "A film."),
            ("Oswiu", "A king."),
            ("Osthryth", "She was a daughter of King Oswiu."),
            *others,
        )
    )
    assert ("Osthryth", "mentions", "Oswiu") in relations(graph)
    assert not [one for one in relations(graph) if one[2] == "Empire (2002 film)"]


def test_homonyms_share_a_mention_and_six_are_none() -> None:
    cities = [(f"Springfield ({state})", "A town.") for state in "ABCDE"]
    visit = ("Visit", "We saw Springfield there.")
    graph = graph_of(records(*cities, visit))
    weights = [one.weight for one in graph.mentions if one.role == "mentions"]
    assert weights == [pytest.approx(0.9 / 5)] * 5
    graph = graph_of(records(*cities, ("Springfield (F)", "A town."), visit))
    assert not [one for one in graph.mentions if one.role == "mentions"]


def test_names_of_several_words_and_repeated_words_are_entities_and_nothing_else_is() -> None:
    graph = graph_of(
        records(
            ("One", "They saw Paris with Ada Lovelace. However they left in November."),
            ("Two", "Then Paris again. Return the value to Turing, an American."),
            ("Three", "In Paris. The Return was late. Later, Paris slept."),
        )
    )
    assert named(graph) == ["Ada Lovelace", "Paris"]


def test_a_word_that_begins_more_names_than_it_is_alone_is_part_of_names() -> None:
    others = [
        (f"T{n}", f"a man called John {name} here")
        for n, name in enumerate(["Ford", "Wayne", "Huston"])
    ]
    graph = graph_of(records(*others, ("U", "we met John there"), ("V", "we saw John there")))
    assert "John" not in named(graph)


def test_a_part_of_a_name_stands_for_the_whole_in_its_own_text() -> None:
    graph = graph_of(
        records(
            ("Lester Young", "A saxophonist."),
            ("Goodbye", "An elegy for Lester Young. The late Young wore a hat."),
        )
    )
    assert relations(graph) == {("Goodbye", "mentions", "Lester Young")}


def test_records_of_one_title_are_one_entity_and_files_are_not() -> None:
    graph = graph_of(records(("Namibia", "A country."), ("Namibia", "It has a desert.")))
    (entity,) = graph.entities
    assert (entity.name, entity.documents) == ("Namibia", 2)
    graph = graph_of(files({"a/x.md": "# Introduction\n", "b/x.md": "# Introduction\n"}))
    assert [one.key for one in graph.entities] == [
        "introduction@docs/a/x.md",
        "introduction@docs/b/x.md",
    ]


def test_titles_name_what_their_texts_do_not() -> None:
    graph = graph_of(
        records(
            ("Alcohol laws of Indiana", "Sold to those over 21."),
            ("Baure, Nigeria", "A town."),
            ("Indiana", "A state."),
            ("Nigeria", "A country."),
        )
    )
    assert relations(graph) == {
        ("Alcohol laws of Indiana", "mentions", "Indiana"),
        ("Baure, Nigeria", "mentions", "Nigeria"),
    }


DOCS = {
    "README.md": "# Handbook\n\nSee [hubs](graphs/hubs.md#taming-them), [paths](graphs/paths).\n",
    "graphs/hubs.md": "# Hubs\n\nA *seed entity* is named.\n\n## Taming them\n\nCap.\n",
    "graphs/paths.md": "# Paths\n\nThe Seed Entity. Back to [it](../README.md). [x](no.md)\n",
}


def test_links_lead_to_files_and_headings() -> None:
    assert {one for one in relations(graph_of(files(DOCS))) if one[1] == "links_to"} == {
        ("Handbook", "links_to", "Taming them"),
        ("Handbook", "links_to", "Paths"),
        ("Paths", "links_to", "Handbook"),
    }


def test_headings_are_part_of_what_encloses_them_and_terms_are_mentioned() -> None:
    found = relations(graph_of(files(DOCS)))
    assert ("Taming them", "part_of", "Hubs") in found
    assert ("Paths", "mentions", "seed entity") in found


def test_a_chunk_is_about_its_document_and_its_innermost_heading() -> None:
    graph = graph_of(files({"a.md": "# A guide\n\n## Keys\n\n### Rotation\n\nText.\n"}))
    about = {graph.entities[one.entity].name: one.key for one in graph.mentions}
    assert about == {"A guide": 1, "Keys": 1, "Rotation": 1}
    assert relations(graph) == {("Keys", "part_of", "A guide"), ("Rotation", "part_of", "Keys")}


def test_symbols_of_code_are_named_as_written_and_those_of_tests_come_last() -> None:
    builder = GraphBuilder()
    flask = builder.entity("flask.app.flask", name="flask.app.Flask", kind="class")
    builder.alias(flask, "Flask", 1.0)
    double = builder.entity("tests.flask", name="tests.Flask", kind="class")
    builder.alias(double, "Flask", 1.0)
    session = builder.entity("flask.session", name="flask.session", kind="variable")
    builder.alias(session, "session", 1.0)
    app = SourceFacts(
        "r/app.py", "r", "code", (8,), facts_of("", chunks=[], relative="app.py", language="python")
    )
    test = SourceFacts("r/test_app.py", "r", "test", (9,), app.facts)
    doc = record(1, "Guide", "We use Flask here. A Session is kept in the dark.")
    symbols = {
        ("r/app.py", "Flask"): flask,
        ("r/app.py", "session"): session,
        ("r/test_app.py", "Flask"): double,
    }
    resolve_names([doc, app, test], builder, symbols=symbols)
    graph = builder.build()
    assert relations(graph) == {("Guide", "mentions", "flask.app.Flask")}


def test_the_graph_does_not_depend_on_the_order_of_files() -> None:
    sources = [
        *files(DOCS),
        record(101, "Lothair II", "He met Ada Lovelace in New York."),
        record(102, "Lothair II", "NEW YORK and ADA LOVELACE and Babbage."),
        record(103, "Node", "By Babbage, in Node.js and Node js, with is_valid."),
        record(104, "Other", "Of is_valid and Babbage."),
    ]
    expected = graph_of(sources)
    for seed in range(5):
        shuffled = random.Random(seed).sample(sources, len(sources))
        assert graph_of(shuffled) == expected
