"""Sentence bounds in prose and Markdown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brainkit.extract.sentences import sentences


def cut(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize(
    "one",
    [
        "J. R. R. Tolkien was born in Bloemfontein.",
        "It was directed by I. V. Sasi, written by T. Damodaran.",
        "Dr. Strange met Mr. Fox on St. Mary's Street.",
        "It costs 3.5 pounds, i.e. more than 2.",
        "The U.S. Army came.",
        "See vol. 3 and No. 5.",
        'He said "no." and left.',
        "Wait... what?",
        "Version 3.11.2 is out.",
    ],
)
def test_no_end_inside(one: str) -> None:
    assert cut(one) == [one]
    assert cut(f"{one} Another one.") == [one, "Another one."]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("He met Dr. No. It ended.", ["He met Dr. No.", "It ended."]),
        ("So am I. He left.", ["So am I.", "He left."]),
        ("Really?! Yes.", ["Really?!", "Yes."]),
        ("One (two.) Three.", ["One (two.)", "Three."]),
        ("東京に行く。京都も見た！", ["東京に行く。", "京都も見た！"]),
        (
            "# Title\nText goes\non.\n- item\n- other",
            ["# Title\nText goes\non.", "- item", "- other"],
        ),
        ("First\n\nSecond", ["First", "Second"]),
        ("| a | b |\n| c | d |", ["| a | b |", "| c | d |"]),
        ("", []),
        (" \n\n ", []),
    ],
)
def test_ends(text: str, parts: list[str]) -> None:
    assert cut(text) == parts


@given(st.text("aB. \n-|!?。1", max_size=60))
def test_sentences_are_in_order_disjoint_and_hold_all_but_white_space(text: str) -> None:
    spans = list(sentences(text))
    assert all(start < end for start, end in spans)
    assert [s for span in spans for s in span] == sorted(s for span in spans for s in span)
    kept = "".join(text[start:end] for start, end in spans)
    assert "".join(kept.split()) == "".join(text.split())
