"""``brainkit export``, ``import``, ``sql``: a brain as a file, a file as a brain, and its rows."""

from __future__ import annotations

from pathlib import Path

import click

from brainkit.cli.brains import brain_option, existing, opened
from brainkit.cli.output import emit, json_option, note, show

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
        from brainkit.info import size

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
    from brainkit.brain import import_brain

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
        frame = brain.sql(query)
    if as_json:
        import json

        rows = json.loads(frame.to_json(orient="records", default_handler=str))
        emit({"columns": list(frame.columns), "rows": rows})
        return
    grid = Table(box=None, pad_edge=False, header_style="dim")
    for name in frame.columns:
        grid.add_column(terminal(name), overflow="fold")
    for row in frame.head(SHOWN_ROWS).itertuples(index=False):
        grid.add_row(*(Text(terminal(value)) for value in row))
    show(grid)
    if len(frame) > SHOWN_ROWS:
        note(f"{SHOWN_ROWS} of {len(frame):,} rows; --json prints all.")
