from __future__ import annotations

import pytest

from shelf.errors import InvalidRecord
from shelf.records import Record, isbn_check_digit, normalize_isbn


def test_isbn_check_digit_by_hand() -> None:
    # 9*1+7*3+8*1+0*3+3*1+0*3+6*1+4*3+0*1+6*3+1*1+5*3 = 93; 93 + 7 = 100
    assert isbn_check_digit("978030640615") == 7


def test_isbn_check_digit_can_be_zero() -> None:
    # 9*1 + 7*3 + 8*1 + 4*3 = 50, already a multiple of ten
    assert isbn_check_digit("978000000004") == 0


@pytest.mark.parametrize("text", ["978-0-306-40615-7", "978 0306406157", "9780306406157"])
def test_normalize_isbn_gives_one_key_per_book(text: str) -> None:
    assert normalize_isbn(text) == "9780306406157"


@pytest.mark.parametrize("text", ["", "978030640615", "97803064061577", "97803064o6157"])
def test_normalize_isbn_refuses_anything_but_thirteen_digits(text: str) -> None:
    with pytest.raises(InvalidRecord, match="13 digits"):
        normalize_isbn(text)


def test_normalize_isbn_names_the_right_last_digit() -> None:
    with pytest.raises(InvalidRecord, match="should end in 7"):
        normalize_isbn("9780306406151")


def test_record_round_trips_through_plain_data() -> None:
    record = Record(isbn="978-0-306-40615-7", title="Thermal Physics", authors=("A. Brewer",))
    assert Record.from_dict(record.to_dict()) == record
    assert record.isbn == "9780306406157"


@pytest.mark.parametrize(
    "data",
    [{"isbn": "9780306406157"}, {"isbn": "9780306406157", "title": "T", "pages": 9}],
)
def test_record_from_dict_refuses_missing_and_unknown_fields(data: dict[str, object]) -> None:
    with pytest.raises(InvalidRecord):
        Record.from_dict(data)


def test_record_needs_a_title() -> None:
    with pytest.raises(InvalidRecord, match="no title"):
        Record(isbn="9780306406157", title="  ")


def test_searchable_text_leaves_out_the_isbn() -> None:
    record = Record(isbn="9780306406157", title="Kettles", subjects=("tea",), year=1998)
    assert record.searchable_text() == "Kettles\ntea\n"
