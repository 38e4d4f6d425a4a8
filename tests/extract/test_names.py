"""Canonical keys, spellings and patterns of names."""

from __future__ import annotations

from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brainkit.extract.names import (
    folded,
    is_spelling,
    key_of,
    never_a_name,
    pattern_of,
    tokens_of,
    words_of,
)

LETTERS = st.text(st.characters(categories=("Lu", "Ll", "Nd"), max_codepoint=0x24F))


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("QueryService", "queryservice"),
        ("query_service", "queryservice"),
        ("Query-Service", "queryservice"),
        ("flask.app.Flask", "flask.app.flask"),
        ("Flask.route", "flask.route"),
        ("Dr. No", "drno"),
        ("St. Maurice's Abbey", "stmauricesabbey"),
        ("J. R. R. Tolkien", "jrrtolkien"),
        ("J.R.R. Tolkien", "jrrtolkien"),
        ("J.R.R.Tolkien", "jrrtolkien"),
        ("U.S.A.", "usa"),
        ("C++", "c++"),
        ("C#", "c#"),
        (".NET", ".net"),
        ("ASP.NET", "asp.net"),
        ("Node.js", "node.js"),
        ("3.11", "3.11"),
        ("Żuławski", "zulawski"),
        ("Søren Ørsted", "sorenorsted"),
        ("ﬁle", "file"),
        ("東京都", "東京都"),
        ("서울", "서울"),
        ("Ivan's", "ivans"),
        ("???", ""),
    ],
)
def test_a_key_is_folded_and_joined_and_keeps_the_dots_of_a_path(name: str, key: str) -> None:
    assert key_of(name) == key


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("query service", "QueryService"),
        ("Query Service", "query_service"),
        ("MacDonald Hall", "Macdonald Hall"),
        ("dark  city", "Dark City"),
        ("Xawery Zulawski", "Xawery Żuławski"),
        ("QueryService", "query service"),
        ("C++", "c++"),
        ("東京", "東京"),
    ],
)
def test_spellings(text: str, name: str) -> None:
    assert is_spelling(text, name)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("the rapist", "Therapist"),
        ("no where", "Nowhere"),
        ("C", "C++"),
        ("C#", "C++"),
        ("net", ".NET"),
        ("art", "start"),
        ("flask app", "flask.app"),
        ("New York Times", "New York"),
    ],
)
def test_not_spellings(text: str, name: str) -> None:
    assert not is_spelling(text, name)


@pytest.mark.parametrize(
    ("word", "pattern", "entity_type"),
    [
        # The table of the description of the query flow.
        ("QueryService", "CamelCase", "class"),
        ("VectorStoreManager", "PascalCase", "class"),
        ("execute_query", "snake_case", "function"),
        ("MAX_CHUNK_SIZE", "SCREAMING_SNAKE", "constant"),
        ("FastAPI", "Capitalized", "framework/library"),
        # What follows from it.
        ("HTTPServer", "CamelCase", "class"),
        ("getUserName", "CamelCase", "function"),
        ("_private", "snake_case", "function"),
        ("Flask", "Capitalized", "framework/library"),
    ],
)
def test_patterns(word: str, pattern: str, entity_type: str) -> None:
    assert pattern_of(word) == (pattern, entity_type)


@pytest.mark.parametrize("word", ["word", "two words", "", "3", "C++", "a.b", "naïve"])
def test_no_pattern(word: str) -> None:
    assert pattern_of(word) is None


@pytest.mark.parametrize(
    "word",
    # stop words, openers, keywords, the calendar, peoples, numbers, single letters
    [
        *("The", "However", "Return", "None", "function", "async", "self", "__init__"),
        *("November", "Monday", "American", "1984", "I"),
    ],
)
def test_never_names(word: str) -> None:
    assert never_a_name(word)


@pytest.mark.parametrize("word", ["Flask", "London", "Rust", "BM25", "America", "Mingus", "東京"])
def test_names(word: str) -> None:
    assert not never_a_name(word)


@given(LETTERS)
def test_case_and_accents_change_no_key(name: str) -> None:
    assert folded(folded(name)) == folded(name)
    assert tokens_of(normalize("NFD", name)) == tokens_of(normalize("NFC", name))
    assert key_of(name.swapcase()) == key_of(name)


@given(st.text())
def test_a_key_is_its_words_joined(name: str) -> None:
    joined = "".join(words_of(name))
    assert key_of(name).replace(".", "") == joined.replace(".", "")
    assert "".join(tokens_of(name)) == joined


@given(st.text())
def test_a_text_spells_itself_if_it_has_any_word(name: str) -> None:
    assert is_spelling(name, name) == bool(tokens_of(name))
