"""``brainkit export``, ``import``, ``sql``: a brain as a file, a file as a brain, and its rows."""

from __future__ import annotations

import math
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from brainkit.cli.brains import brain_option, existing, opened
from brainkit.cli.output import emit, json_option, note, show
from brainkit.errors import InvalidSQL

if TYPE_CHECKING:
    import pyarrow as pa

SHOWN_ROWS = 200


@click.command("export")
@click.argument("target", type=click.Path(path_type=Path, dir_okay=False))
@brain_option
@json_option
def export(target: Path, given: Path | None, as_json: bool) -> None:
    """Write the brain to one zip of Parquet and JSON.

    Equal brains give equal files, byte for byte. An existing TARGET is replaced.

    \b
    Examples:
    $ brainkit export sample.zip
    """
    with opened(existing(given)) as brain:
        path = brain.export(target)
    if as_json:
        emit({"path": str(path), "bytes": path.stat().st_size})
    else:
        from brainkit.markup import size

        note(f"Wrote {path} ({size(path.stat().st_size)}).")


@click.command("import")
@click.argument("source", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option(
    "--brain",
    "given",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    metavar="PATH",
    help="The new brain's folder.",
)
@json_option
def import_(source: Path, given: Path, as_json: bool) -> None:
    """Make a new brain from what ``brainkit export`` wrote. Nothing is embedded again.

    \b
    Examples:
    $ brainkit import sample.zip --brain copy.brain
    """
    from brainkit.opening import import_brain

    with import_brain(source, given) as brain:
        found = brain.info()
    if as_json:
        emit(found.to_dict())
    else:
        note(f"Made {found.path} with {found.counts['chunks']:,} chunks.")


@click.command()
@click.argument("query")
@brain_option
@json_option
def sql(query: str, given: Path | None, as_json: bool) -> None:
    """Ask the brain's DuckDB file with SQL, read-only.

    Tables: chunks, files, roots, vectors, terms, chunk_terms, ranks.

    \b
    Examples:
    $ brainkit sql "select source_type, count(*) as n from chunks group by 1"
    $ brainkit sql "select source, skipped from files where skipped is not null" --json
    """
    from rich.table import Table
    from rich.text import Text

    from brainkit.markup import terminal

    with opened(existing(given)) as brain:
        if as_json:
            found = brain.sql_table(query)
            emit({"columns": found.column_names, "rows": _rows(found)})
            return
        frame = brain.sql(query)
    grid = Table(box=None, pad_edge=False, header_style="dim")
    for name in frame.columns:
        grid.add_column(terminal(name), overflow="fold")
    for row in frame.head(SHOWN_ROWS).itertuples(index=False):
        grid.add_row(*(Text(terminal(value)) for value in row))
    show(grid)
    if len(frame) > SHOWN_ROWS:
        note(f"{SHOWN_ROWS} of {len(frame):,} rows; --json prints all.")


def _rows(table: pa.Table) -> list[dict[str, Any]]:
    try:
        return [{name: _plain(value) for name, value in row.items()} for row in table.to_pylist()]
    except (OverflowError, ValueError) as error:  # a date beyond the year 9999
        raise InvalidSQL(f"JSON has no such value ({error}); cast it to varchar.") from None


def _plain(value: Any) -> Any:
    """Return a value of a row as JSON has it: bytes as hex, what it has no form for as text."""
    plain: Any
    match value:
        case None | bool() | int() | str():
            plain = value
        case float():
            plain = value if math.isfinite(value) else None
        case bytes():
            plain = value.hex()
        case Decimal():
            plain = int(value) if value == value.to_integral_value() else float(value)
        case dict():
            plain = {str(name): _plain(one) for name, one in value.items()}
        case list() | tuple() if not hasattr(value, "_fields"):  # an interval is a named tuple
            plain = [_plain(one) for one in value]
        case _:
            plain = value.isoformat() if hasattr(value, "isoformat") else str(value)
    return plain
