"""Reading a generation's DuckDB file. Every call uses its own cursor, so threads never mix rows."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from brainkit.errors import BrainDamaged, InvalidSQL
from brainkit.store import database
from brainkit.store.kept_rows import KeptRows
from brainkit.store.moved import rows_of
from brainkit.store.sound import Unsound
from brainkit.store.sound_tables import meta_of

Rows = NDArray[np.int64]

_FIELDS = (
    "key", "chunk_id", "source", "start_line", "end_line", "source_type", "language", "text",
    "context", "metadata",
)  # fmt: skip


_PIECE = 20_000  # rows of vectors fetched at a time


@dataclass(frozen=True, slots=True)
class NewChunk:
    """A chunk to be stored, with its terms and the hash of the text that was embedded."""

    start_line: int
    end_line: int
    text: str
    context: str
    terms: Sequence[str]
    content_hash: bytes
    tokens: int
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class FileRow:
    """One source as the brain knows it; ``skipped`` says why it has no chunks."""

    source: str
    label: str
    relative: str
    size: int
    sha256: str
    source_type: str
    language: str | None
    decoded_as: str | None
    note: str | None
    skipped: str | None
    chunks: int


class ChunkStore:
    """The rows of one generation."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._held = database.HeldFile(path)
        try:
            self._connection, self._schema = database.open_to_read(path)
        except BaseException:
            self._held.close()
            raise
        try:
            with self.cursor() as cursor:
                # Not through Arrow, whose arrays import pandas on their way to NumPy: 0.25 s.
                found = cursor.execute("select key from ranks order by ord").fetchnumpy()
        except BaseException:
            self.close()
            raise
        self.keys: NDArray[np.int32] = found["key"]
        self._kept = KeptRows()
        (self._by_keys,) = self._connection.extract_statements(  # parsed once, for every query
            f"select {', '.join(_FIELDS)} from chunks where key in (select unnest($keys))"
        )
        (self._texts,) = self._connection.extract_statements(
            "select key, text from chunks where key in (select unnest($keys))"
        )

    @contextmanager
    def cursor(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """A cursor of its own for one call; what DuckDB cannot read becomes BrainDamaged."""
        cursor = self._connection.cursor()
        try:
            with database.damage_named(self.path):
                yield cursor
        finally:
            cursor.close()

    @property
    def has_graph(self) -> bool:
        """Whether its schema has the tables of the graph; older ones have not."""
        return self._schema >= database.SCHEMA_OF_GRAPH

    def meta(self) -> dict[str, Any]:
        """Return the brain's own settings and identities, decoded from JSON."""
        with self.cursor() as cursor:
            rows = cursor.execute("select name, value from meta").fetchall()
        try:
            return meta_of(rows)
        except Unsound as error:
            raise BrainDamaged(f"{self.path} cannot be read ({error})") from None

    def roots(self) -> dict[str, str | None]:
        """Return label -> absolute path of every ingested folder; records have no path."""
        with self.cursor() as cursor:
            rows = cursor.execute("select label, path from roots order by label").fetchall()
        return dict(rows)

    def files(self, label: str | None = None) -> dict[str, FileRow]:
        """Return source -> what is known of it, of one root or of all."""
        where = "" if label is None else "where label = $label"
        with self.cursor() as cursor:
            rows = cursor.execute(
                f"select * from files {where} order by source",
                None if label is None else {"label": label},
            ).fetchall()
        return {row[0]: FileRow(*row) for row in rows}

    def records(self, rows: Rows) -> list[dict[str, Any]]:
        """Return the fields of these chunks as models.Chunk takes them, in ascending row order."""
        rows = np.sort(rows)
        orders = dict(zip(self.keys[rows].tolist(), rows.tolist(), strict=True))
        kept = self._kept.found(list(orders))
        if len(kept) < len(orders):
            missing = [key for key in orders if key not in kept]
            with self.cursor() as cursor:
                found = cursor.execute(self._by_keys, {"keys": missing}).fetchall()
            new = {row[0]: dict(zip(_FIELDS, row, strict=True)) for row in found}
            for key, record in new.items():
                record["order"] = orders[key]
            self._kept.keep(new.items())
            kept |= new
            if lost := [key for key in missing if key not in new]:
                raise BrainDamaged(f"{self.path} has no chunk {lost[0]}, though it is ranked")
        records = [kept[key].copy() for key in orders]
        metadata = json.loads(f"[{','.join(record['metadata'] for record in records)}]")
        for record, fields in zip(records, metadata, strict=True):
            record["metadata"] = fields
        return records

    def texts(self, rows: Rows) -> dict[int, str]:
        """Return row -> text of these chunks: 2 ms for 300 of 100,000."""
        orders = dict(zip(self.keys[rows].tolist(), rows.tolist(), strict=True))
        with self.cursor() as cursor:
            found = cursor.execute(self._texts, {"keys": list(orders)}).fetchall()
        return {orders[key]: text for key, text in found}

    def rows_where(
        self,
        *,
        source_types: Sequence[str] | None = None,
        languages: Sequence[str] | None = None,
        sources: Sequence[str] | None = None,
    ) -> NDArray[np.bool_]:
        """Return a mask, shape (n,), of the chunks that pass every filter given."""
        conditions, values = ["true"], {}
        for column, allowed in (
            ("source_type", source_types),
            ("language", languages),
            ("source", sources),
        ):
            if allowed is not None:
                conditions.append(f"{column} in (select unnest(${column}))")
                # No stored value has a lone surrogate, and DuckDB takes none.
                values[column] = [value.encode("utf-8", "replace").decode() for value in allowed]
        with self.cursor() as cursor:
            found = cursor.execute(
                "select ord from chunks join ranks using (key) where " + " and ".join(conditions),
                values,
            ).fetchnumpy()
        mask = np.zeros(len(self.keys), np.bool_)
        mask[found["ord"]] = True
        return mask

    def values_of(self, column: str) -> Mapping[str, int]:
        """Return value -> number of chunks of ``source``, ``source_type`` or ``language``."""
        with self.cursor() as cursor:
            rows = cursor.execute(
                f"select {column}, count(*) from chunks where {column} is not null "
                f"group by 1 order by 1"
            ).fetchall()
        return dict(rows)

    @property
    def dim(self) -> int:
        """Length of the vectors that are stored; 0 where there are none."""
        with self.cursor() as cursor:
            found = cursor.execute(
                "select data_type from duckdb_columns() where table_name = 'vectors' "
                "and column_name = 'vector'"
            ).fetchall()
        sizes = [re.fullmatch(r"FLOAT\[(\d+)\]", name) for (name,) in found]
        return int(sizes[0][1]) if sizes and sizes[0] else 0

    def matrix(self) -> NDArray[np.float32]:
        """Return all vectors in tie order, shape (n, dim); zeros where there is none."""
        with self.cursor() as cursor:
            if not cursor.execute(
                "select 1 from duckdb_tables() where table_name = 'vectors'"
            ).fetchall():
                return np.zeros((len(self.keys), 0), np.float32)
            # By pieces and as they lie: sorted and joined by DuckDB it takes five times as long.
            pieces = cursor.sql("select key, vector from vectors").to_arrow_reader(_PIECE)
            dim = pieces.schema.field("vector").type.list_size
            matrix = np.zeros((len(self.keys), dim), np.float32)
            for piece in pieces:
                keys, vectors = _buffer(piece.column(0), np.int32), piece.column(1).flatten()
                rows = rows_of(keys, self.keys)
                found = _buffer(vectors, np.float32).reshape(-1, dim)
                if (rows < 0).any():  # a damaged database
                    rows, found = rows[rows >= 0], found[rows >= 0]
                matrix[rows] = found
        return matrix

    def documents(
        self, rows: NDArray[np.integer[Any]] | None = None
    ) -> tuple[NDArray[np.int32], NDArray[np.int32], dict[int, str]]:
        """Return (term ids of all chunks in tie order, ids per chunk, term of each id).

        rows : those of which to return it, ascending; None for all.
        """
        keys = self.keys if rows is None else self.keys[rows]
        lists = "select coalesce(term_ids, []) as ids from ranks left join chunk_terms using (key)"
        with self.cursor() as cursor:
            if rows is None:
                found = cursor.sql(f"{lists} order by ord")
                terms = cursor.sql("select id, term from terms order by id")
            else:
                values = {"keys": keys.tolist()}
                where = "where key in (select unnest($keys))"
                found = cursor.sql(f"{lists} {where} order by ord", params=values)
                terms = cursor.sql(
                    "select id, term from terms where id in "
                    f"(select unnest(term_ids) from chunk_terms {where}) order by id",
                    params=values,
                )
            ids = found.to_arrow_table().column("ids").combine_chunks()
            vocabulary = dict(terms.fetchall())
        flat = _buffer(ids.flatten(), np.int32)
        return flat, np.diff(_buffer(ids.offsets, np.int32)), vocabulary

    def table(self, query: str, parameters: Mapping[str, Any] | None = None) -> pa.Table:
        """Return the rows of a query, as it gives them. The database is open read-only.

        Raises InvalidSQL, with the tables there are, for what DuckDB refuses or gives no rows, and
        for columns of one name: a data frame or JSON would lose all but one.
        """
        if parameters is not None and not isinstance(parameters, Mapping):
            raise InvalidSQL(
                f"parameters={parameters!r:.80} is no mapping; write $name in the query and give "
                '{"name": value}.'
            )
        with self.cursor() as cursor:
            try:
                relation = cursor.sql(query, params=dict(parameters or {}))
                if relation is None:
                    reason = "The statement gives no rows; ask with SELECT."
                elif repeated := [n for n, count in Counter(relation.columns).items() if count > 1]:
                    reason = (
                        f"Several columns are named {', '.join(repeated)}; name them apart with AS."
                    )
                else:
                    return relation.to_arrow_table()
            except (duckdb.ProgrammingError, duckdb.DataError, duckdb.NotSupportedError) as error:
                reason = str(error).strip()
            except duckdb.PermissionException as error:
                reason = str(error).strip()
            rows = cursor.execute("select table_name from duckdb_tables() order by 1").fetchall()
        raise InvalidSQL(f"{reason} (read-only; tables: {', '.join(name for (name,) in rows)})")

    def stored(self) -> Iterator[tuple[int, NewChunk]]:
        """Yield (key, chunk) of every chunk in tie order, as given to be stored; without terms."""
        with self.cursor() as cursor:
            found = cursor.execute(
                "select key, start_line, end_line, text, context, content_hash, tokens "
                "from chunks join ranks using (key) order by ord"
            )
            while rows := found.fetchmany(1000):
                for key, start, end, text, context, content_hash, tokens in rows:
                    yield key, NewChunk(start, end, text, context, (), content_hash, tokens)

    def content_hashes(self) -> dict[str, list[bytes]]:
        """Return source -> content hash of each of its chunks, in the order they were added."""
        with self.cursor() as cursor:
            rows = cursor.execute(
                "select source, list(content_hash order by key) from chunks group by source"
            ).fetchall()
        return dict(rows)

    def facts(self, sources: Sequence[str] | None = None) -> dict[str, str | None]:
        """Return source -> its facts as JSON, None where none could be read; {} without a graph.

        sources : those to look for; None takes all.
        """
        if not self.has_graph:
            return {}
        where = "" if sources is None else "where source in (select unnest($sources))"
        values = None if sources is None else {"sources": list(sources)}
        with self.cursor() as cursor:
            rows = cursor.execute(f"select source, facts from facts {where}", values).fetchall()
        return dict(rows)

    def of_records(self) -> dict[str, list[NewChunk]]:
        """Return source -> chunks of every record, in their order; without terms."""
        with self.cursor() as cursor:
            rows = cursor.execute(
                "select source, start_line, end_line, text, context, content_hash, tokens, "
                "metadata from chunks join files using (source) where label = '' order by key"
            ).fetchall()
        found: dict[str, list[NewChunk]] = {}
        for source, start, end, text, context, content_hash, tokens, metadata in rows:
            chunk = NewChunk(
                start, end, text, context, (), content_hash, tokens, json.loads(metadata)
            )
            found.setdefault(source, []).append(chunk)
        return found

    def count(self, table: str) -> int:
        """Return the number of rows of a table; 0 if there is no such table."""
        with self.cursor() as cursor:
            try:
                ((number,),) = cursor.execute(f"select count(*) from {table}").fetchall()
            except duckdb.CatalogException:
                return 0
        return int(number)

    def disagreements(self) -> list[str]:
        """Return what the tables hold that they should not, by chunk key; empty when they agree."""
        checks = {
            "chunks without terms": "select key from chunks except select key from chunk_terms",
            "terms without a chunk": "select key from chunk_terms except select key from chunks",
            "chunks without a rank": "select key from chunks except select key from ranks",
            "ranks without a chunk": "select key from ranks except select key from chunks",
            "chunks of unknown files": "select source from chunks except select source from files",
        }
        if self.count("vectors"):
            gone = "select key from vectors except select key from chunks"
            checks["vectors without a chunk"] = gone
        found = []
        with self.cursor() as cursor:
            for what, query in checks.items():
                ((number,),) = cursor.execute(f"select count(*) from ({query})").fetchall()
                if number:
                    found.append(f"{number} {what}")
        return found

    def sha256(self) -> str:
        """Return the SHA-256 of the database file as hex, while it is open."""
        return self._held.sha256()

    def copy_to(self, target: Path) -> str:
        """Copy the database file while it is open; return the SHA-256 of the copy as hex."""
        return self._held.copy_to(target)

    def is_there(self) -> bool:
        """Tell whether the file at its path is the one that is open here."""
        return self._held.is_at(self.path)

    def close(self) -> None:
        """Close the connection, then the held file."""
        self._connection.close()
        self._held.close()


def _buffer(array: pa.Array, type_: type[np.generic]) -> NDArray[Any]:
    """Return the numbers of an Arrow array, which has no nulls, without a copy.

    Its own way to NumPy imports pandas first: 0.25 s.
    """
    if not len(array):
        return np.empty(0, type_)
    return np.frombuffer(array.buffers()[1], type_)[array.offset : array.offset + len(array)]
