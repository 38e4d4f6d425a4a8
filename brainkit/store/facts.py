"""What the sources of a draft say, and the graph that is made of it when it is published."""

from __future__ import annotations

import gc
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import duckdb
import pyarrow as pa

from brainkit.extract.facts import FACTS_VERSION, Facts
from brainkit.extract.graph import GRAPH_VERSION, Edit, Graph, SourceFacts
from brainkit.store import database
from brainkit.store.graph_tables import RESOLVED, lay_down
from brainkit.store.sound import contradictions_named

Each = Callable[[Sequence[Any], str], Iterable[Any]]
_MADE_BY = {"facts": FACTS_VERSION, "rules": GRAPH_VERSION}
_TEXT = pa.string()


def has_current_facts(meta: Mapping[str, Any]) -> bool:
    """Tell whether the facts of a generation are of the version that is made now."""
    return bool(meta.get("graph", {}).get("facts") == FACTS_VERSION)


def unwatched(items: Sequence[Any], what: str) -> Iterable[Any]:
    """Work through a list without a progress bar."""
    return items


class DraftFacts:
    """The facts and edits in the database of a draft.

    Facts of another version are dropped at once: files are read again for them by the next ingest
    of their folder.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection
        self._made_by = _MADE_BY
        rows = connection.execute("select value from meta where name = 'graph'").fetchall()
        meta = {"graph": json.loads(rows[0][0])} if rows else {}
        self._differ = meta != {"graph": _MADE_BY}
        if not has_current_facts(meta):
            connection.execute("delete from facts")
            if rows:
                database.set_meta(connection, "reading", {})

    def set(self, facts: Mapping[str, Facts | None]) -> None:
        """Store what each source says, in place of what it said; None where nothing could be read.

        A source that was never asked has no entry, so that it can be told from those.
        """
        if facts:
            self.drop(list(facts))
            self._differ = True
            told = [None if one is None else one.to_json() for one in facts.values()]
            rows = {"source": pa.array(list(facts), _TEXT), "facts": pa.array(told, _TEXT)}
            database.insert(self._connection, "facts", pa.table(rows))

    def drop(self, sources: Sequence[str]) -> None:
        """Forget what these sources say."""
        dropped = self._connection.execute(
            "delete from facts where source in (select unnest($sources)) returning 1",
            {"sources": list(sources)},
        ).fetchall()
        self._differ |= bool(dropped)

    def leave_for_later(self) -> None:
        """Say that there are none of the present version yet, so that the next write makes them."""
        self._made_by = {**_MADE_BY, "facts": 0}

    def edits(self) -> list[Edit]:
        """Return what users said of entities, in its order."""
        rows = self._connection.execute(
            "select kind, name, other from entity_edits order by ord"
        ).fetchall()
        return [Edit(*row) for row in rows]

    def set_edits(self, edits: Sequence[Edit]) -> None:
        """Replace what users said of entities."""
        self._differ = True
        self._connection.execute("delete from entity_edits")
        columns = zip(*edits, strict=True) if edits else ([], [], [])
        arrays = [pa.array(range(len(edits)), pa.int32()), *(pa.array(c, _TEXT) for c in columns)]
        rows = pa.table(arrays, names=["ord", *Edit._fields])
        database.insert(self._connection, "entity_edits", rows)

    def relate(self, each: Each) -> None:
        """Resolve the facts of all sources to one graph, unless neither they nor edits differ.

        Then the tables hold it already: they came with the base of the draft.
        """
        if self._differ:
            for table in RESOLVED:
                self._connection.execute(f"delete from {table}")
            with _uncollected(), contradictions_named("the graph"):
                lay_down(self._resolved(each), self._connection)
        database.set_meta(self._connection, "graph", self._made_by)

    def _resolved(self, each: Each) -> Graph:
        rows = self._connection.execute(
            "select source, label, files.source_type, any_value(facts), "
            "list(chunks.key order by chunks.key) from facts join files using (source) "
            "join chunks using (source) where facts is not null group by all order by source"
        ).fetchall()
        if not rows:
            return Graph()
        from brainkit.extract.resolve import resolve

        sources = (
            SourceFacts(source, label, source_type, tuple(keys), Facts.from_json(facts))
            for source, label, source_type, facts, keys in each(rows, "relating")
        )
        return resolve(sources, self.edits())


@contextmanager
def _uncollected() -> Iterator[None]:
    """Keep the collector of cycles off: a million small objects, no cycle, all alive to the end.

    It would walk them over and over, a third of the time that resolving takes.
    """
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
