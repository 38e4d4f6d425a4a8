from __future__ import annotations

import pytest

from shelf.tokens import fold_accents, tokenize


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Session expired, new session!", ["session", "expired", "new", "session"]),
        ("MAX_RETRIES is 4", ["max_retries", "4"]),
        ("Straße", ["strasse"]),
        ("the of and", []),
        ("", []),
    ],
)
def test_tokenize(text: str, terms: list[str]) -> None:
    assert tokenize(text) == terms


def test_tokenize_keeps_stop_words_on_request() -> None:
    assert tokenize("the key", stop_words=frozenset()) == ["the", "key"]


@pytest.mark.parametrize("text", ["Café", "Cafe\u0301"])
def test_fold_accents_treats_both_spellings_alike(text: str) -> None:
    assert fold_accents(text) == "Cafe"


def test_fold_accents_leaves_other_scripts_readable() -> None:
    assert fold_accents("한글") == "한글"
