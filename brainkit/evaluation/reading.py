"""The files of collections, as lines, rows and topics."""

from __future__ import annotations

import csv
import gzip
import html
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from brainkit.errors import InvalidDataset

_TOPIC: Final = re.compile(r"<top>(.*?)</top>", re.S | re.I)
_NUMBER: Final = re.compile(r"<num>\s*(?:Number:)?\s*([^\s<]+)", re.I)
_TITLE: Final = re.compile(r"<title>\s*(?:Topic:)?\s*(.*?)\s*(?=<|$)", re.S | re.I)
_XML: Final = re.compile(
    r"<topic\s[^>]*?number=[\"']?([^\s\"'>]+)[^>]*>(?:(?!</topic>).)*?<(query|title)>(.*?)</\2>",
    re.S | re.I,
)
_QRELS_COLUMNS: Final = 4


def topics_of(path: Path) -> dict[str, str]:
    """Return query id -> text of TREC topics, in SGML, in XML, or as lines of id, tab, text.

    Of SGML topics the title is the query; of XML ones ``query``, or the title.
    """
    text = "\n".join(lines_of(path))
    found = {}
    for topic in _TOPIC.findall(text):
        id_, title = _NUMBER.search(topic), _TITLE.search(topic)
        if id_ and title:
            found[id_[1]] = " ".join(title[1].split())
    for id_, _, query in _XML.findall(text):
        found[id_] = " ".join(html.unescape(query).split())
    if not found:
        found = {
            cells[0]: " ".join(cells[1:]).strip()
            for _, cells in separated(path, "\t")
            if len(cells) > 1
        }
    if not found:
        raise InvalidDataset(
            f"{path} holds no topics: needs <top> entries with <num> and <title>, or <topic "
            "number=...> with <query>, or lines of query id, tab, text."
        )
    return found


def table_rows(path: Path) -> list[tuple[int, dict[str, Any]]]:
    """Return (line number, cells by column) of a CSV or TSV file with a header.

    Raises InvalidDataset for a row of other columns than the header has.
    """
    delimiter = "," if ".csv" in path.suffixes else "\t"
    (_, first), *rows = list(separated(path, delimiter)) or [(0, [])]
    if not first:
        raise InvalidDataset(f"{path} is empty.")
    header = [cell.strip().casefold() for cell in first]
    if len(header) == _QRELS_COLUMNS and "query" not in header and _is_number(header[-1]):
        raise InvalidDataset(f"{path} looks like TREC qrels; give its topics too, as queries=.")
    for number, cells in rows:
        if len(cells) != len(header):
            raise InvalidDataset(
                f"{path}, line {number}: {len(cells)} columns, and the header has {len(header)}"
                + ("; put a text that holds a comma in quotes." if delimiter == "," else ".")
            )
    return [(number, dict(zip(header, cells, strict=True))) for number, cells in rows]


def _is_number(cell: str) -> bool:
    return cell.lstrip("-").isdigit()


def lines_of(path: Path) -> Iterator[str]:
    """Yield the lines of a text file, gzipped or not. Raises InvalidDataset."""
    try:
        opened = gzip.open if path.suffix == ".gz" else open
        with opened(path, "rt", encoding="utf-8-sig", newline="") as file:
            for line in file:
                yield line.rstrip("\r\n")
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise InvalidDataset(f"{path} cannot be read ({error}).") from None


def separated(path: Path, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield (line number, cells) of the lines that are not blank."""
    lines = (f"{line}\n" for line in lines_of(path))
    if delimiter == ",":
        rows = csv.reader(lines)
    else:  # as collections write them: a quotation mark is a quotation mark
        rows = csv.reader(lines, delimiter=delimiter, quoting=csv.QUOTE_NONE)
    for row in rows:
        if any(cell.strip() for cell in row):
            yield rows.line_num, row


def json_lines(path: Path) -> Iterator[Any]:
    """Yield the value of each line that is not blank. Raises InvalidDataset naming the line."""
    for number, line in enumerate(lines_of(path), 1):
        if not line.strip():
            continue
        try:
            yield json.loads(line)
        except (ValueError, RecursionError) as error:
            raise InvalidDataset(f"{path}, line {number} is no JSON ({error}).") from None
