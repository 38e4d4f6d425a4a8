"""What an explorer asks of a brain besides answers: counts, choices, and what stands around."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from brainkit.errors import InvalidSQL, NoSuchSource
from brainkit.filters import PathFilter


class Tables(Protocol):
    """A brain's tables, as ``brain.sql_table`` gives them."""

    def sql_table(self, query: str, parameters: Mapping[str, Any] | None = None) -> Any:
        """Return the rows of a query as an Arrow table."""
        ...


_ALLOWED = """
select source, count(*) as n from chunks
where ($types is null or source_type in (select unnest($types)))
  and ($languages is null or language in (select unnest($languages)))
group by source
"""
_VALUES = """
select {column} as word, count(*) as n from chunks where {column} is not null
group by 1 order by n desc, word
"""
_KINDS = "select kind as word, count(*) as n from (select unnest(kinds) as kind from entities) "
_KINDS += "group by 1 order by n desc, word"
_PREDICATES = "select predicate as word, count(*) as n from relations group by 1 "
_PREDICATES += "order by n desc, word"
_CHOICES = {
    "source_types": _VALUES.format(column="source_type"),
    "languages": _VALUES.format(column="language"),
    "entity_types": _KINDS,
    "relationship_types": _PREDICATES,
}
_AROUND = """
with here as (select source, ord from chunks join ranks using (key) where chunk_id = $chunk)
select ord - here_ord as step, text, start_line, end_line from (
  select c.text, c.start_line, c.end_line, r.ord, here.ord as here_ord
  from chunks c join ranks r using (key) join here on c.source = here.source
  where r.ord between here.ord - 1 and here.ord + 1
) order by step
"""
_PLACES = """
select chunk_id, source, start_line, end_line, lower(hex(content_hash)) as content
from chunks where chunk_id in (select unnest($chunks))
"""


def allowed(brain: Tables, filters: Mapping[str, Any]) -> tuple[int, int]:
    """Return how many chunks filters let through, and how many there are.

    filters : ``source_types``, ``languages`` and ``file_paths`` of a request; others are ignored.
    Raises FilterError for a glob that cannot match.
    """
    parameters = {"types": filters["source_types"], "languages": filters["languages"]}
    rows = brain.sql_table(_ALLOWED, parameters).to_pydict()
    ((total,),) = brain.sql_table("select count(*) as n from chunks").to_pydict().values()
    paths = PathFilter(filters["file_paths"]) if filters["file_paths"] else None
    counted = zip(rows["source"], rows["n"], strict=True)
    return sum(n for source, n in counted if paths is None or paths.keeps(source)), total


def choices(brain: Tables) -> dict[str, list[tuple[str, int]]]:
    """Return what can be filtered by: (word, chunks or entities or relations) by filter."""
    found = {}
    for name, query in _CHOICES.items():
        try:
            rows = brain.sql_table(query).to_pydict()
        except InvalidSQL:  # a brain of an older schema has no graph
            continue
        found[name] = list(zip(rows["word"], rows["n"], strict=True))
    return found


def around(brain: Tables, chunk_id: str) -> dict[str, str]:
    """Return the text ``before``, of and ``after`` a chunk in its source: its neighbours' texts.

    Lines that two chunks share are given once. Raises NoSuchSource if the chunk is gone.
    """
    rows = brain.sql_table(_AROUND, {"chunk": chunk_id}).to_pylist()
    texts = {row["step"]: row for row in rows}
    if 0 not in texts:
        raise NoSuchSource(
            f"chunk {chunk_id} is not in this brain any more; ask again to see what is."
        )
    here = texts[0]
    before = _lines(texts[-1], last=here["start_line"] - 1) if -1 in texts else ""
    after = _lines(texts[1], first=here["end_line"] + 1) if 1 in texts else ""
    return {"before": before, "text": here["text"], "after": after}


def places(brain: Tables, chunk_ids: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Return chunk_id -> source, lines, and the hash of its content, as labels hold them."""
    rows = brain.sql_table(_PLACES, {"chunks": list(chunk_ids)}).to_pylist()
    return {row.pop("chunk_id"): row for row in rows}


def _lines(row: Mapping[str, Any], *, first: int = 0, last: int | None = None) -> str:
    """The lines of a chunk that lie within these bounds."""
    start = row["start_line"]
    lines = row["text"].split("\n")
    end = len(lines) if last is None else last - start + 1
    return "\n".join(lines[max(0, first - start) : max(0, end)])
