"""CSV and TSV: whole records, with the names of the columns as context."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from typing import Final

from brainkit.ingest.formats.document import Extracted, Heading, Section
from brainkit.settings import Settings

_DELIMITERS: Final = ",;\t|"


def extract(text: str, *, settings: Settings) -> Extracted:
    """Return the file as one section that is cut between records.

    A record may span lines, where a quoted field does. The delimiter is the one of comma,
    semicolon, tab and bar that the first line has most of. At most ``settings.max_rows`` records
    are indexed; the note says when there are more.
    """
    lines = text.rstrip("\n").split("\n")
    delimiter = max(_DELIMITERS, key=lines[0].count)
    starts: list[int] = []
    header: list[str] = []
    end = len(lines)
    note = None
    for start, record in _records(lines, delimiter):
        if not starts:
            header = record if _is_header(record) else []
        if len(starts) == settings.max_rows:
            end = start - 1
            limit = f"the limit is {settings.max_rows:,}, max_rows"
            note = f"records from line {start:,} of {len(lines):,} left out ({limit})"
            break
        starts.append(start)
    names = ", ".join(name.strip() for name in header)
    headings = (Heading(1, 1, 1, names),) if names else ()
    section = Section(1, end, "csv", headings=headings, units=tuple(starts))
    return Extracted(text, (section,), {}, note)


def _records(lines: Sequence[str], delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield (first line, fields) of each record; where quotes go wrong, each line is one."""
    reader = csv.reader((f"{line}\n" for line in lines), delimiter=delimiter)
    start = 1
    try:
        for record in reader:
            if record:
                yield start, record
            start = reader.line_num + 1
    except csv.Error:  # above all a quote that is never closed, whose field passes csv's limit
        for line in range(start, len(lines) + 1):
            yield line, lines[line - 1].split(delimiter)


def _is_header(record: Sequence[str]) -> bool:
    """Names are all there, differ, and none is a number."""
    names = [name.strip() for name in record]
    return (
        len(names) > 1
        and all(names)
        and len({*names}) == len(names)
        and not any(map(_number, names))
    )


def _number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
