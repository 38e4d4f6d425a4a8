"""What in a sentence may be a name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brainkit.extract.runs import identifiers, runs


def found(text: str) -> list[tuple[str, str]]:
    return [(one.kind, text[one.start : one.end]) for one in runs(text, 0, len(text))]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("a queen by marriage to Lothair II of Lotharingia", ["Lothair II of Lotharingia"]),
        ("The Girl with the Pearl Earring is a film.", ["The Girl with the Pearl Earring"]),
        ("son of Hugh, King of Italy, by Marozia", ["Hugh, King of Italy, by Marozia"]),
        ("by J. R. R. Tolkien's friend", ["J. R. R. Tolkien"]),
        ("in Simmern- Kaiserslautern today", ["Simmern- Kaiserslautern"]),
        ('the film" 10 Things I Hate" was', ["10 Things I Hate"]),
        ("the Apollo 11 mission", ["Apollo 11"]),
        ("with Simon & Garfunkel", ["Simon & Garfunkel"]),
        ("written in C++ and C# by hand", ["C++ and C#"]),
        ("by Tuscany.He died", ["Tuscany.He"]),
        ("東京都は大きい", ["東京都は大きい"]),
        # Nothing that is capitalised for its place, or that only says when or whose.
        ("The film is long.", []),
        ("He came in November 1919.", []),
        ("an American film of 1946", []),
        ("nothing here", []),
    ],
)
def test_names(text: str, names: list[str]) -> None:
    assert found(text) == [("name", name) for name in names]


@pytest.mark.parametrize(
    "identifier",
    ["is_valid", "_private", "MAX_SIZE", "getUserName", "flask.app.Flask", "app.run()", "mRNA"],
)
def test_identifiers_in_prose(identifier: str) -> None:
    assert found(f"then {identifier} is used") == [("symbol", identifier)]


def test_the_first_word_of_a_sentence_cell_or_what_follows_a_colon_opens() -> None:
    text = "Flask is | Django and more: Jinja, not Werkzeug"
    assert [(text[f.start : f.end], f.opens) for f in runs(text, 0, len(text))] == [
        ("Flask", True),
        ("Django", True),
        ("Jinja, not Werkzeug", True),
    ]


def test_identifiers_of_code_each_once() -> None:
    code = "class ShelfClient(Base):\n    retry_with = shelf.retry\n    retry_with()"
    assert [code[one.start : one.end] for one in identifiers(code)] == [
        "ShelfClient",
        "retry_with",
        "shelf.retry",
    ]


@given(st.text(max_size=80))
def test_runs_are_in_order_and_disjoint(text: str) -> None:
    spans = [(one.start, one.end) for one in runs(text, 0, len(text))]
    flat = [at for span in spans for at in span]
    assert flat == sorted(flat)
    assert all(text[start:end].strip() == text[start:end] != "" for start, end in spans)
