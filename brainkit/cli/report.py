"""``brainkit report``: a notebook as one live HTML file."""

from __future__ import annotations

from pathlib import Path

import click

from brainkit.cli.output import emit, json_option, note, show


@click.command()
@click.argument("notebook", type=click.Path(path_type=Path), metavar="NOTEBOOK")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), metavar="FILE",
    help="Where to write it.  [default: beside the notebook, as .html]",
)  # fmt: skip
@click.option("--execute", is_flag=True, help="Run the notebook first; the file stays as it is.")
@click.option(
    "--timeout", type=float, metavar="SECONDS",
    help="With --execute: the longest that one cell may run.  [default: 600]",
)  # fmt: skip
@click.option("--no-code", "code", flag_value="hide", help="Leave the code out.")
@click.option("--fold-code", "code", flag_value="fold", help="Fold the code behind a line each.")
@click.option("--title", default="", metavar="TEXT", help="Title, instead of the notebook's.")
@click.option("--author", default="", metavar="TEXT", help="Author, under the title.")
@json_option
def report(
    *,
    notebook: Path,
    output: Path | None,
    execute: bool,
    timeout: float | None,
    code: str | None,
    title: str,
    author: str,
    as_json: bool,
) -> None:
    """Make one HTML file of a notebook, in which answers, comparisons and maps stay live.

    It opens in any browser without a network or a kernel, so it can be mailed. Secrets are taken
    out, with a note on each.

    \b
    Examples:
    $ brainkit report notes.ipynb
    $ brainkit report notes.ipynb --execute --fold-code -o notes.html
    """
    if timeout is not None and not execute:
        raise click.UsageError("--timeout is about running the notebook; add --execute.")
    from brainkit.report.export import export
    from brainkit.report.run import CELL_TIMEOUT_S

    done = export(
        notebook,
        output,
        title=title,
        author=author,
        code=code or "show",  # type: ignore[arg-type] # click knows flag values as texts only
        execute=execute,
        timeout_s=CELL_TIMEOUT_S if timeout is None else timeout,
        progress=None if as_json else lambda at, of: note(f"cell {at} of {of}"),
    )
    if as_json:
        emit({"file": str(done.file), "bytes": done.bytes, "warnings": list(done.warnings)})
        return
    for warning in done.warnings:
        note(f"note: {warning}")
    show(f"{done.file} ({done.size})")
