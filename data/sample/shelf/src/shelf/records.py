"""One record of the catalogue, and the rules of its ISBN."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from shelf.errors import InvalidRecord

ISBN_LENGTH = 13


def isbn_check_digit(first_twelve: str) -> int:
    """Return the thirteenth digit: weights 1 and 3 in turn, topped up to a multiple of ten.

    >>> isbn_check_digit("978030640615")
    7
    """
    total = sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(first_twelve))
    return -total % 10


def normalize_isbn(text: str) -> str:
    """Strip hyphens and blanks and check the last digit, so that one book has one key.

    Raises InvalidRecord if the rest is not thirteen digits or the check digit is wrong.

    >>> normalize_isbn("978-0-306-40615-7")
    '9780306406157'
    """
    digits = text.replace("-", "").replace(" ", "")
    if len(digits) != ISBN_LENGTH or not (digits.isascii() and digits.isdigit()):
        raise InvalidRecord(f"isbn={text!r} does not have {ISBN_LENGTH} digits")
    if int(digits[-1]) != (right := isbn_check_digit(digits[:-1])):
        raise InvalidRecord(f"isbn={text!r} should end in {right}; check the digits")
    return digits


@dataclass(frozen=True, kw_only=True)
class Record:
    """A book as the catalogue knows it. The ISBN is stored in its normalised form."""

    isbn: str
    title: str
    authors: tuple[str, ...] = ()
    year: int | None = None
    subjects: tuple[str, ...] = ()
    summary: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "isbn", normalize_isbn(self.isbn))
        if not self.title.strip():
            raise InvalidRecord(f"the record with isbn={self.isbn} has no title")

    def searchable_text(self) -> str:
        """Return what the index sees: title, authors, subjects and summary, one per line.

        The ISBN and the year are left out on purpose; they are looked up, not searched.
        """
        return "\n".join((self.title, *self.authors, *self.subjects, self.summary))

    def to_dict(self) -> dict[str, Any]:
        """Return plain data that JSON can hold."""
        return {**asdict(self), "authors": list(self.authors), "subjects": list(self.subjects)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Record:
        """Build a record from parsed JSON.

        Raises InvalidRecord if the ISBN or title is missing or a field is unknown.
        """
        try:
            return cls(
                **{
                    **data,
                    "authors": tuple(data.get("authors", ())),
                    "subjects": tuple(data.get("subjects", ())),
                }
            )
        except TypeError as error:
            raise InvalidRecord(f"not a record: {error}") from None
