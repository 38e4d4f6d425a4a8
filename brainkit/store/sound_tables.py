"""Whether a database is the tables of a brain, and no more: someone else may have made it.

A macro of a brain's own could stand in for any function of DuckDB, and a column for another, so
there are none; and what is read at every query holds values that can be.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import duckdb

from brainkit.settings import SHAPING, Settings
from brainkit.store.sound import Unsound

Columns = Sequence[tuple[str, str]]
_TABLE: Final = re.compile(r"create table (\w+) \((.*?)\);", re.DOTALL)
_VECTOR: Final = re.compile(r"FLOAT\[\d+\]")
_KEYS_MAX: Final = 200_000_000  # what is looked up by key takes 8 bytes for each below the last
_FOREIGN: Final = {
    "views": "select count(*) from duckdb_views() where not internal",
    "types": "select count(*) from duckdb_types() where not internal and schema_name = 'main' "
    "and database_name = current_database()",
    "functions": "select count(*) from duckdb_functions() where not internal",
}
_COLUMNS: Final = (
    "select table_name, column_name, data_type from duckdb_columns() where not internal "
    "order by table_name, column_index"
)
_ROWS: Final = "select table_name, estimated_size from duckdb_tables()"
_NEEDED: Final = ("chunk_id", "source", "text", "context", "content_hash", "tokens")
_CHUNKS: Final = f"""
select count(*) from chunks where coalesce(key, 0) not between 1 and {_KEYS_MAX}
or {" or ".join(f"{name} is null" for name in _NEEDED)}
or coalesce(start_line, 0) < 1 or coalesce(end_line, 0) < start_line
or source_type is null or source_type not in ('doc', 'code', 'test')
or metadata is null or not json_valid(metadata) or metadata[1] <> '{{'
"""
_FILES: Final = (
    "select count(*) from files where source is null or label is null or relative is null "
    "or chunks is null or size is null"
)
_UNRANKED: Final = "select count(*) from ranks where key not in (select key from chunks)"
_RANKS: Final = (
    "select count(*), count(distinct key), count(distinct ord), min(ord), max(ord) from ranks"
)


def columns_of(sql: str) -> dict[str, Columns]:
    """Return table -> (column, type) of each, as DuckDB calls them, from statements that create.

    >>> columns_of("create table terms (id integer, words varchar[]);")
    {'terms': [('id', 'INTEGER'), ('words', 'VARCHAR[]')]}
    """
    return {
        name: [
            (column, type_.upper())
            for column, _, type_ in (part.strip().partition(" ") for part in inside.split(","))
        ]
        for name, inside in _TABLE.findall(sql)
    }


def meta_of(rows: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """Return what a brain says of itself: name -> value. Raises Unsound.

    rows : names, and their values as JSON.
    """
    try:
        meta = {name: json.loads(value) for name, value in rows}
    except (ValueError, TypeError, RecursionError) as error:
        raise Unsound(f"what it says of itself is no JSON ({str(error)[:80]})") from None
    shape, defaults = meta.get("settings"), Settings()
    if not isinstance(shape, dict) or not all(
        type(shape.get(name)) is type(getattr(defaults, name)) for name in SHAPING
    ):
        raise Unsound("it does not say by which settings it was made")
    if not isinstance(meta.get("analyzer"), dict):
        raise Unsound("it does not say by which analyzer it was made")
    embedder = meta.get("embedder")
    if embedder is not None and not (
        isinstance(embedder, dict)
        and all(isinstance(embedder.get(name), str) for name in ("provider", "model", "revision"))
        and type(embedder.get("dim")) is int
        and embedder["dim"] > 0
    ):
        raise Unsound("it does not say by which embedder it was made")
    if not all(isinstance(meta.get(name, {}), dict) for name in ("graph", "reading")):
        raise Unsound("it does not say how its graph was made")
    return meta


def check(
    connection: duckdb.DuckDBPyConnection, wanted: Mapping[str, Columns], *, file_bytes: int
) -> None:
    """Raise Unsound unless a database is what brainkit writes.

    wanted : table -> its columns. file_bytes : the size of the file; no table can have more rows
        than that, whatever it claims, unless it was made to fill the memory of who reads it.
    """

    def number(sql: str) -> int:
        ((found,),) = connection.execute(sql).fetchall()
        return int(found)

    for what, sql in _FOREIGN.items():
        if number(sql):
            raise Unsound(f"it has {what} of its own, which no brain has")
    found: dict[str, list[tuple[str, str]]] = {}
    for table, column, type_ in connection.execute(_COLUMNS).fetchall():
        found.setdefault(table, []).append((column, type_))
    for table, columns in wanted.items():
        if found.get(table) != list(columns):
            raise Unsound(f"its table {table} has other columns than a brain's")
    vectors = found.get("vectors")
    if vectors is not None and not (
        [name for name, _ in vectors] == ["key", "vector"]
        and vectors[0][1] == "INTEGER"
        and _VECTOR.fullmatch(vectors[1][1])
    ):
        raise Unsound("its table vectors has other columns than a brain's")
    for table, rows in connection.execute(_ROWS).fetchall():
        if rows > file_bytes:
            raise Unsound(f"its table {table} claims {rows:,} rows in {file_bytes:,} bytes")
    if wrong := number(_CHUNKS):
        raise Unsound(f"{wrong:,} of its chunks have values that cannot be")
    if wrong := number(_FILES):
        raise Unsound(f"{wrong:,} of its files have no name or size")
    if number(_UNRANKED):
        raise Unsound("its ranks name chunks that it has not")
    ((rows, keys, orders, first, last),) = connection.execute(_RANKS).fetchall()
    if (keys, orders, first or 0, (last or 0) + 1) != (rows, rows, 0, max(rows, 1)):
        raise Unsound("its ranks are no order of chunks")
