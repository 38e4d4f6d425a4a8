"""``brainkit lab``: JupyterLab on the first lesson, with the sample brain built."""

from __future__ import annotations

from pathlib import Path

import click

from brainkit.cli.output import emit, json_option, note


@click.command()
@click.argument("folder", type=click.Path(path_type=Path), default=Path("brainkit-lab"))
@click.option("--no-browser", is_flag=True, help="Start the server and print its address only.")
@click.option("--port", type=click.IntRange(1, 65535), help="Port of the server.")
@click.option("--prepare-only", is_flag=True, help="Make the folder ready, and start nothing.")
@json_option
def lab(
    folder: Path, no_browser: bool, port: int | None, prepare_only: bool, as_json: bool
) -> None:
    """Open JupyterLab on the first lesson, with the sample brain built.

    The lessons are copied to FOLDER (brainkit-lab in the current folder where none is given) and
    are yours to change: lessons that you edited are never overwritten. The sample brain is built
    there the first time, which takes some seconds. Needs no network and no key. Ctrl-C ends it.
    With --json the folder is made ready, and nothing started.

    \b
    Examples:
    $ brainkit lab
    $ brainkit lab ~/lessons --no-browser
    """
    from brainkit.lab import launch, prepare

    ready = prepare(folder, progress=not as_json)
    if as_json:
        emit(
            {
                "folder": str(ready.folder),
                "copied": list(ready.copied),
                "kept": list(ready.kept),
                "chunks": ready.chunks,
            }
        )
        return
    for name in ready.kept:
        note(f"{ready.folder / name} was edited, and stays as it is.")
    note(f"{ready.folder} is ready: {ready.chunks:,} chunks of the sample are in its brain.")
    if not prepare_only:
        launch(ready, browser=not no_browser, port=port)
