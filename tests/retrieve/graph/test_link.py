"""What a question names, what it does not, and why."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from brainkit.models import GraphLink
from brainkit.retrieve.graph.intent import intents

Make = Callable[..., Any]

KINDS = {
    "make_response": "function",
    "abort": "function",
    "value": "function",
    "return": "function",
    "session": "constant",
    "Scaffold": "class",
    "SessionInterface": "class",
    "MAX_CHUNK_SIZE": "constant",
    "Blind Husbands": "document",
    "Monsters, Inc.": "document",
    "Her": "document",
    "1984": "document",
    "Krzysztof Żuławski": "document",
    "apart": "term",
    "Doer.work_hard": "method",
    "doer2.work_hard": "function",
    "lib": "module",
    "lib.inner": "module",
    "lib.inner.Thing": "class",
    "library": "module",
    "a.run": "method",
    "b.run": "method",
    **{f"c{i}.get": "method" for i in range(6)},
}
ALIASES = {
    **{name: [(name.partition(".")[2], 0.9)] for name in KINDS if name[1:2] == "."},
    **{f"c{i}.get": [("get", 0.9)] for i in range(6)},
    "Blind Husbands": [("Blind Husbands (1919 film)", 1.0)],
    "doer2.work_hard": [("doer.work_hard", 0.9)],
}


@pytest.fixture(scope="module")
def brain(make: Make) -> Any:
    return make({"all": ("text", list(KINDS), [])}, kinds=KINDS, aliases=ALIASES)


def links(brain: Any, question: str) -> tuple[GraphLink, ...]:
    found: tuple[GraphLink, ...] = brain.ask(question).trace.graph.links
    return found


def linked(brain: Any, question: str) -> list[str]:
    return [link.text for link in links(brain, question) if link.entities]


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Return the value", []),
        ("return the value of a session", []),
        ("how is the session signed", []),
        ("where do we abort", []),
        ("The value. Session of what?", []),
        ("The value. Scaffold of what?", ["Scaffold"]),
        ("say `value` twice", ["value"]),
        ('what does "session" mean', ["session"]),
        ('what does "the session value" mean', []),
        ("is Session a value", ["Session"]),
        ("IS SESSION A VALUE", []),
        ("Session handling", []),
        ("Scaffold is what", ["Scaffold"]),
        ("what calls abort", ["abort"]),
        ("what does abort call", ["abort"]),
        ("who uses session cookies", []),
        ("what calls make_response", ["make_response"]),
        ("what calls make response", ["make response"]),
        ("What inherits from Scaffold?", ["Scaffold"]),
        ("who directed blind husbands", ["blind husbands"]),
        ("who directed Blind Husbands (1919 film)?", ["Blind Husbands (1919 film"]),
        ("who directed Blind Husbands's sequel", ["Blind Husbands"]),
        ("did Monsters, Inc. win", ["Monsters, Inc"]),
        ("who directed Her", ["Her"]),
        ("who saw her", []),
        ("what happened in 1984", []),
        ("what happened in '1984'", ["1984"]),
        ("why MAX_CHUNK_SIZE and sessionInterface", ["MAX_CHUNK_SIZE", "sessionInterface"]),
        ("is the session interface slow", ["session interface"]),
        ("the parts are a part of it", []),
        ("they stand `apart`", ["apart"]),
        ("a Blind man. Husbands too", []),
        ("is it blind? husbands are", []),
    ],
)
def test_a_question_links_what_it_names(brain: Any, question: str, names: list[str]) -> None:
    assert linked(brain, question) == names


@pytest.mark.parametrize(
    ("question", "text", "reason"),
    [
        ("how is the session signed", "session", "is a plain word here; to mean the name, write"),
        ("Session handling", "Session", "is capitalised only because it opens a sentence"),
        ("what about `get`", "get", "names 6 things; say of which, as in Class.get"),
        ("return it", "return", "is a word of the language"),
        ("why is QueryService slow", "QueryService", "no entity has this name"),
        ("in 1984 it", "1984", "is only a number"),
    ],
)
def test_what_is_not_linked_says_why(brain: Any, question: str, text: str, reason: str) -> None:
    (link,) = (link for link in links(brain, question) if link.text == text)
    assert reason in str(link.reason)
    assert link.entities == ()
    assert question[link.start : link.end] == text


def test_the_seeds_patterns_name_their_types(brain: Any) -> None:
    question = "are make_response, MAX_CHUNK_SIZE, SessionInterface and Scaffold there"
    assert [(link.pattern, link.entity_type) for link in links(brain, question)] == [
        ("snake_case", "function"),
        ("SCREAMING_SNAKE", "constant"),
        ("CamelCase", "class"),
        ("Capitalized", "framework/library"),
    ]
    others = links(brain, "is Blind Husbands a name, as a.run is")
    assert [(link.pattern, link.entity_type) for link in others] == [
        ("title", None),
        ("name", None),
    ]


def test_homonyms_share_the_weight_of_their_name(brain: Any) -> None:
    (link,) = links(brain, "say `run`")
    assert set(link.entities) == {"a.run", "b.run"}
    assert link.weight == pytest.approx(0.9)
    walked = brain.ask("say `run`").trace.graph
    assert [entity.weight for entity in walked.entities] == pytest.approx([0.45, 0.45])
    assert linked(brain, "say a.run") == ["a.run"]


def test_of_code_only_what_is_written_so_is_meant(brain: Any) -> None:
    (method,) = links(brain, "why is Doer.work_hard slow")
    assert method.entities == ("Doer.work_hard",)
    (function,) = links(brain, "why is doer.work_hard slow")
    assert function.entities == ("doer2.work_hard",)


def test_to_import_a_part_of_a_module_is_to_import_it(brain: Any) -> None:
    (link,) = links(brain, "what imports lib")
    assert link.entities == ("lib", "lib.inner")
    (link,) = links(brain, "what calls lib")
    assert link.entities == ("lib",)


def test_a_misspelt_name_is_taken_for_the_nearest_and_says_so(brain: Any) -> None:
    answer = brain.ask("what about make_responze")
    (link,) = answer.trace.graph.links
    # make_response has 10 trigrams of its 12 letters, nine of which make_responze has too: 18 / 20.
    assert (link.pattern, link.entities) == ("similar", ("make_response",))
    assert link.weight == pytest.approx(2 * 8 / (10 + 10))
    assert [n.kind for n in answer.notices] == ["took-for"]
    assert "no entity is named 'make_responze'; took 'make_response'" in answer.notices[0].message
    assert linked(brain, "what about make_the_answer") == []
    assert linked(brain, "who made Blynd Husbands") == ["Blynd Husbands"]


def test_accents_of_a_misspelt_name_do_not_count(brain: Any) -> None:
    # 15 trigrams each, of which "law", "aws" and "wsk" are not those of "lav", "avs" and "vsk".
    for name in ("Krzysztof Zulavski", "Krzysztof Żuławski".replace("w", "v")):
        (link,) = links(brain, f"a film by {name}")
        assert (link.pattern, link.entities) == ("similar", ("Krzysztof Żuławski",))
        assert link.weight == pytest.approx(2 * 12 / (15 + 15))


@pytest.mark.parametrize(
    ("question", "predicates", "forward", "name"),
    [
        ("what calls make_response", ("calls",), False, "make_response"),
        ("Which functions call `abort`?", ("calls",), False, "`abort`"),
        ("where is abort called", ("calls",), False, "abort"),
        ("callers of the method Flask.run()", ("calls",), False, "Flask.run()"),
        ("what does the function abort call", ("calls",), True, "abort"),
        ("what is called by abort", ("calls",), True, "abort"),
        ("what inherits from Scaffold", ("inherits", "implements"), False, "Scaffold"),
        ("subclasses of Scaffold", ("inherits", "implements"), False, "Scaffold"),
        ("base class of Flask", ("inherits", "implements"), True, "Flask"),
        ("which classes implement Reader", ("inherits", "implements"), False, "Reader"),
        ("which tests cover Flask.url_for?", ("tests",), False, "Flask.url_for"),
        ("tests for abort", ("tests",), False, "abort"),
        ("what does test_abort test", ("tests",), True, "test_abort"),
        ("where is werkzeug.routing imported", ("imports",), False, "werkzeug.routing"),
        ("what imports typing", ("imports",), False, "typing"),
        ("what does flask.app import", ("imports",), True, "flask.app"),
        ("who uses Session", ("uses", "calls", "imports"), False, "Session"),
        ("methods of Flask", ("defines", "contains"), True, "Flask"),
    ],
)
def test_a_relation_asked_for_in_words(
    question: str, predicates: tuple[str, ...], forward: bool, name: str
) -> None:
    (intent,) = intents(question)
    assert (intent.asked.predicates, intent.asked.forward) == (predicates, forward)
    assert question[intent.start : intent.end] == name


@pytest.mark.parametrize(
    "question", ["who directed Blind Husbands", "how are sessions signed", "the calling code", ""]
)
def test_other_questions_ask_for_no_relation(question: str) -> None:
    assert intents(question) == ()
