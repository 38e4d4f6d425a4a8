"""The catalogue: records by ISBN, and an index over their text."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from shelf.errors import InvalidQuery, InvalidRecord, RecordNotFound
from shelf.index import TermIndex
from shelf.records import Record, normalize_isbn


@dataclass(frozen=True)
class SearchResult:
    """A record with its place in the answer. `rank` counts from 1."""

    record: Record
    rank: int
    score: float


class Catalogue:
    """Records and their index, kept in step by every method that changes either.

    >>> catalogue = Catalogue([Record(isbn="9780306406157", title="Thermal Physics")])
    >>> catalogue.search("physics")[0].record.title
    'Thermal Physics'
    """

    def __init__(self, records: Iterable[Record] = ()) -> None:
        self._records: dict[str, Record] = {}
        self._index = TermIndex()
        for record in records:
            self.add(record)

    def __len__(self) -> int:
        return len(self._records)

    def __iter__(self) -> Iterator[Record]:
        return iter(self._records.values())

    def add(self, record: Record) -> None:
        """Add a record, or replace the one with the same ISBN."""
        self._records[record.isbn] = record
        self._index.add(record.isbn, record.searchable_text())

    def remove(self, isbn: str) -> None:
        """Remove a record from the store and from the index.

        Raises RecordNotFound if there is none.
        """
        record = self.get(isbn)
        del self._records[record.isbn]
        self._index.remove(record.isbn)

    def get(self, isbn: str) -> Record:
        """Return the record with this ISBN, with or without hyphens.

        Raises RecordNotFound if there is none, InvalidRecord if the ISBN is malformed.
        """
        key = normalize_isbn(isbn)
        try:
            return self._records[key]
        except KeyError:
            raise RecordNotFound(f"no record has isbn={key}") from None

    def search(
        self, query: str, *, top_k: int = 5, keep: Callable[[Record], bool] | None = None
    ) -> list[SearchResult]:
        """Return at most `top_k` results, best first.

        `keep` filters before the cut to `top_k`: a narrow filter must not starve the answer.
        Raises InvalidQuery if top_k is below 1 or the query has no terms.
        """
        if top_k < 1:
            raise InvalidQuery(f"top_k={top_k} must be 1 or more")
        hits = self._index.search(query, depth=max(1, len(self)))
        found = ((self._records[hit.key], hit.score) for hit in hits)
        kept = [pair for pair in found if keep is None or keep(pair[0])]
        return [
            SearchResult(record, rank, score)
            for rank, (record, score) in enumerate(kept[:top_k], start=1)
        ]


def load_catalogue(path: Path) -> Catalogue:
    """Read one JSON record per line; blank lines are skipped.

    Raises InvalidRecord naming the line that could not be read.
    """
    catalogue = Catalogue()
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip():
            continue
        try:
            catalogue.add(Record.from_dict(json.loads(line)))
        except (json.JSONDecodeError, InvalidRecord) as error:
            raise InvalidRecord(f"{path.name} line {number}: {error}") from None
    return catalogue


def save_catalogue(catalogue: Catalogue, path: Path) -> None:
    """Write one JSON record per line, through a temporary file, so that a crash loses nothing."""
    lines = (json.dumps(record.to_dict(), ensure_ascii=False) + "\n" for record in catalogue)
    temporary = path.with_suffix(path.suffix + ".tmp")
    temporary.write_text("".join(lines), encoding="utf-8")
    temporary.replace(path)
