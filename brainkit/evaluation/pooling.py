"""The pool: what several configurations find, to be judged without knowing which found it.

A label that is given to what one ranker shows judges that ranker well: whatever another finds is
unjudged. A pool is the union of what several find, each chunk once, in an order that says nothing.
Source: Sparck Jones and van Rijsbergen, British Library R&D Report 5266, 1975.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

from brainkit.errors import InvalidDataset, InvalidSetting
from brainkit.evaluation.candidates import Searcher, Unit, at_depth, fetch, groups
from brainkit.evaluation.configs import Config, named
from brainkit.evaluation.datasets import Dataset
from brainkit.models import QueryRequest
from brainkit.progress import bar
from brainkit.settings import DEPTH_MAX, QUERY_CHARS_MAX

DEPTH: Final = 10
CONFIGS: Final[Mapping[str, Config]] = {
    "keywords": {"mode": "bm25"},
    "meaning": {"mode": "vector"},
    "relations": {"mode": "graph"},
}
"""Each retriever alone, so that no blend of them is favoured."""

_ITEMS: Final = """
with pooled as (select content_hash from chunks where chunk_id in (select unnest($chunks)))
select lower(hex(content_hash)) as content, chunk_id, source, start_line, end_line, source_type,
  language, text, metadata
from chunks join ranks using (key) where content_hash in (select content_hash from pooled)
order by ord
"""
_WHERE: Final = """
select lower(hex(content_hash)) as content, source, chunk_id from chunks join ranks using (key)
where lower(hex(content_hash)) in (select unnest($contents)) order by ord
"""


class Tables(Protocol):
    """A brain's tables, as ``brain.sql_table`` gives them."""

    def sql_table(self, query: str, parameters: Mapping[str, Any] | None = None) -> Any:
        """Return the rows of a query as an Arrow table."""
        ...


class Poolable(Searcher, Tables, Protocol):
    """A brain, as far as pooling looks at it."""


@dataclass(frozen=True, slots=True)
class Item:
    """A text to be judged, and nothing of who found it.

    content : hash of the text; equal texts are one item. ``also`` has the other places of that
    text as ``source:lines``. metadata : what the chunk is, as JSON.
    """

    content: str
    chunk_id: str
    source: str
    lines: str
    source_type: str
    language: str | None
    text: str
    metadata: str
    also: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Pool:
    """What is to be judged for one question, in the order to judge it."""

    query: str
    items: tuple[Item, ...]


def pools(
    brain: Poolable,
    queries: Sequence[str],
    *,
    labeller: str,
    configs: Mapping[str, Config] | Sequence[Config] | None = None,
    depth: int = DEPTH,
    progress: bool = True,
) -> list[Pool]:
    """Return the pool of each question.

    configs : as for ``evaluate``; by default bm25, vector and graph, each alone.
    depth : how many chunks of each configuration, 1 to 1,000. A measure at a cutoff beyond it sees
        unjudged chunks. What configurations share is in the pool once.
    Raises InvalidSetting for an impossible depth, and as ``evaluate`` for its configurations.
    """
    if depth not in range(1, DEPTH_MAX + 1):
        raise InvalidSetting(f"depth={depth!r} is not a whole number from 1 to {DEPTH_MAX:,}.")
    requests = named(CONFIGS if configs is None else configs)
    made = []
    with bar(total=len(queries), what="pooling", unit="query", on=progress) as step:
        for query in queries:
            items = _items(brain, _union(brain, query, requests, depth))
            made.append(Pool(query, tuple(shuffled(items, query=query, labeller=labeller))))
            step(1)
    return made


def shuffled(items: Iterable[Item], *, query: str, labeller: str) -> list[Item]:
    """Return items in an order that depends on nothing but the question, labeller and each text.

    So it is the same at every start, and what comes to a pool later moves nothing that is there.
    """

    def place(item: Item) -> bytes:
        return hashlib.sha256("\0".join((labeller, query, item.content)).encode()).digest()

    return sorted(items, key=place)


def questions(given: Any, asked_before: Sequence[str]) -> list[str]:
    """Return the questions to label, each once, trimmed as a request trims them.

    given : a list of texts, a Dataset, a text file with one question a line (a Path, or its name),
        one question, or None for ``asked_before``.
    Raises InvalidDataset if there is none, or the file cannot be read; InvalidRequest for a
    question that cannot be asked.
    """
    texts = _texts(given, asked_before)
    found = list(dict.fromkeys(QueryRequest(query=text).query for text in texts if text.strip()))
    if not found:
        raise InvalidDataset(
            "there is no question to label: give some, as brain.label(['first', 'second']), or a "
            "file with one question a line."
        )
    return found


def whereabouts(
    tables: Tables, contents: Collection[str], unit: Unit = "source"
) -> dict[str, list[str]]:
    """Return content hash -> where that text is now: its sources, or chunk ids, each once."""
    rows = tables.sql_table(_WHERE, {"contents": list(contents)}).to_pylist()
    found: dict[str, dict[str, None]] = {}
    for row in rows:
        at = row["source" if unit == "source" else "chunk_id"]
        found.setdefault(row["content"], {})[at] = None
    return {content: list(places) for content, places in found.items()}


def _union(
    searcher: Searcher, query: str, requests: Mapping[str, QueryRequest], depth: int
) -> set[str]:
    found: set[str] = set()
    for together in groups(requests):
        asked = list(together.values())
        candidates = fetch(searcher, query, asked, unit="chunk", least=depth)
        reached, _ = candidates.asked
        for request in asked:
            found.update(candidates.ranking(at_depth(request, reached))[:depth])
    return found


def _items(tables: Tables, chunk_ids: Collection[str]) -> list[Item]:
    """One item per text, with every place of it in the brain."""
    if not chunk_ids:
        return []
    rows = tables.sql_table(_ITEMS, {"chunks": list(chunk_ids)}).to_pylist()
    together: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        first, last = row.pop("start_line"), row.pop("end_line")
        row["lines"] = f"{first}" if first == last else f"{first}-{last}"
        together.setdefault(row["content"], []).append(row)
    return [
        Item(**first, also=tuple(f"{row['source']}:{row['lines']}" for row in others))
        for first, *others in together.values()
    ]


def _texts(given: Any, asked_before: Sequence[str]) -> Iterable[str]:
    if given is None:
        return asked_before
    if isinstance(given, Dataset):
        return given.queries.values()
    if isinstance(given, str):
        path = Path(given) if len(given) < QUERY_CHARS_MAX and "\0" not in given else None
        if path is None or not _is_file(path):
            return [given]
        return _lines(path)
    if isinstance(given, Path):
        return _lines(given)
    texts = list(given)
    if wrong := [one for one in texts if not isinstance(one, str)]:
        raise InvalidDataset(
            f"queries has {wrong[0]!r:.60}, a {type(wrong[0]).__name__}; give texts, a Dataset, or "
            "a file with one question a line."
        )
    return texts


def _is_file(path: Path) -> bool:
    try:
        return path.expanduser().is_file()
    except (OSError, RuntimeError):  # a question may be no name that a file can have
        return False


def _lines(path: Path) -> list[str]:
    try:
        return path.expanduser().read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidDataset(
            f"{path} cannot be read as questions ({error}); give a UTF-8 text, one question a line."
        ) from None
