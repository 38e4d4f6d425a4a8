"""Text: whole paragraphs, then lines, then parts of a line. A token here is a word."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from brainkit.ingest.chunk_text import chunk_text
from brainkit.ingest.pieces import Budget, Piece


def words(texts: Sequence[str]) -> list[int]:
    return [len(text.split()) for text in texts]


def letters(texts: Sequence[str]) -> list[int]:
    return [len("".join(text.split())) for text in texts]


def budget(max_tokens: int, overlap_tokens: int = 0) -> Budget:
    return Budget(max_tokens=max_tokens, overlap_tokens=overlap_tokens, count=words)


def ranges(pieces: list[Piece]) -> list[tuple[int, int]]:
    return [(piece.start_line, piece.end_line) for piece in pieces]


def test_whole_paragraphs_are_packed() -> None:
    text = "\n\na b\nc d\n\ne f g\n\n\nh i j k\n"
    # 4 + 3 <= 7, then 4
    assert chunk_text(text, budget=budget(7)) == [
        Piece("a b\nc d\n\ne f g", 3, 6),
        Piece("h i j k", 9, 9),
    ]


def test_a_paragraph_that_fits_is_not_split() -> None:
    # 2 + 5 > 6, and the second paragraph has 5 <= 6 by itself
    assert ranges(chunk_text("a b\n\nc d\ne f g", budget=budget(6))) == [(1, 1), (3, 4)]


def test_a_paragraph_too_large_starts_in_the_room_that_is_left() -> None:
    # the second paragraph has 8 > 6, so it must be split anyway: 2 + 4, then 4
    assert ranges(chunk_text("a b\n\nc d\ne f\ng h\ni j", budget=budget(6))) == [(1, 4), (5, 6)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a b c\nd e f\ng h.\ni j k\nl m n", [(1, 3), (4, 5)]),  # 8 of 11 is in the last third
        ("a b c\nd. e?\ng h i\ni j k\nl m n", [(1, 3), (4, 5)]),  # 5 of 11 is not: all that fits
        ("a b c\nd e f\n他说：“好。”\ni j k l\nl m n", [(1, 3), (4, 5)]),
    ],
)
def test_a_large_paragraph_is_cut_after_a_sentence(
    text: str, expected: list[tuple[int, int]]
) -> None:
    assert ranges(chunk_text(text, budget=budget(10))) == expected


def test_trailing_lines_are_repeated_from_the_start_of_a_sentence() -> None:
    text = "a b\nc d\ne f.\ng h\ni j\nk l\nm n\no p\nq r\ns t\nu v"
    # 10 words fit: lines 1-5. Of them 6 words may be repeated, and line 4 starts a sentence.
    # The last three lines have 6 words, which leaves 4 for lines 7 and 8.
    assert ranges(chunk_text(text, budget=budget(10, 6))) == [(1, 5), (4, 8), (7, 11)]


def test_repeating_never_splits_what_follows() -> None:
    # 5 + 2 <= 7, but 6 + 2 > 7
    assert ranges(chunk_text("a b c\nd e\n\nf g h i j", budget=budget(7, 2))) == [(1, 2), (2, 4)]
    assert ranges(chunk_text("a b c\nd e\n\nf g h i j k", budget=budget(7, 2))) == [(1, 2), (4, 4)]


def test_without_overlap_no_line_is_repeated() -> None:
    pieces = chunk_text("a b\nc d\ne f\ng h\ni j", budget=budget(4, 2), overlap=False)
    assert ranges(pieces) == [(1, 2), (3, 4), (5, 5)]


def test_a_long_line_is_cut_at_sentences() -> None:
    text = "x\n  One two. Three four five? Six seven!  \ny"
    pieces = chunk_text(text, budget=budget(4))
    assert [(p.text, p.start_line, p.metadata) for p in pieces] == [
        ("x", 1, {}),
        ("One two.", 2, {"columns": [2, 10]}),
        ("Three four five?", 2, {"columns": [11, 27]}),
        ("Six seven!", 2, {"columns": [28, 38]}),
        ("y", 3, {}),
    ]


def test_a_long_sentence_is_cut_at_words_if_possible_after_a_clause() -> None:
    pieces = chunk_text("a b c d, e f g h i j", budget=budget(5))
    assert [piece.text for piece in pieces] == ["a b c d,", "e f g h i", "j"]


def test_parts_of_a_line_repeat_a_sentence() -> None:
    pieces = chunk_text("A b c. D e. F g h i.", budget=budget(6, 2))
    # 3 + 2 words fit, 2 may be repeated, 2 + 4 fit again
    assert [piece.text for piece in pieces] == ["A b c. D e.", "D e. F g h i."]
    assert [piece.metadata["columns"] for piece in pieces] == [[0, 11], [7, 20]]


def test_chinese_is_cut_at_its_full_stops() -> None:
    chinese = Budget(max_tokens=6, overlap_tokens=0, count=letters)
    pieces = chunk_text("今天下雨。我们在家。明天出门！", budget=chinese)
    assert [piece.text for piece in pieces] == ["今天下雨。", "我们在家。", "明天出门！"]


def test_a_long_word_is_halved_between_characters() -> None:
    halves = Budget(max_tokens=5, overlap_tokens=0, count=letters)
    pieces = chunk_text("abcdefgh", budget=halves)
    assert [piece.text for piece in pieces] == ["abcd", "efgh"]
    # The middle would tear the accent from its e, so the cut moves one place to the left.
    pieces = chunk_text("abce\u0301fg", budget=Budget(4, overlap_tokens=0, count=letters))
    assert [piece.text for piece in pieces] == ["abc", "e\u0301fg"]


def test_a_family_is_not_torn_apart() -> None:
    family = "👩\u200d👩\u200d👧"
    pieces = chunk_text(family * 2, budget=Budget(6, overlap_tokens=0, count=letters))
    assert [piece.text for piece in pieces] == [family, family]
