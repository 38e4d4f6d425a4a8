"""``brainkit watch``: keep a brain up to date while a person works on the folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from brainkit.cli.brains import brain_option, check_folders, existing_or_new, opened
from brainkit.cli.output import note, show
from brainkit.settings import WATCH_DEBOUNCE_MS


@click.command()
@click.argument("folder", type=click.Path())
@brain_option
@click.option("--include", multiple=True, metavar="GLOB", help="Only files that match.")
@click.option("--exclude", multiple=True, metavar="GLOB", help="No files that match.")
@click.option("--label", help="First part of the sources' names.")
@click.option(
    "--debounce-ms",
    type=click.IntRange(min=50),
    default=WATCH_DEBOUNCE_MS,
    show_default=True,
    help="Changes closer together than this are taken in at once.",
)
def watch(folder: str, given: Path | None, debounce_ms: int, **options: Any) -> None:
    """Index a folder, then take in every change until Ctrl-C.

    The brain itself, caches and ignored files start no update.

    \b
    Examples:
    $ brainkit watch data/sample
    """
    from brainkit.ingest.watch import Watcher

    check_folders([folder])
    include, exclude = options["include"] or None, options["exclude"] or None
    with opened(existing_or_new(given, [folder]), create=True) as brain:

        def once() -> Any:
            return brain.ingest(
                folder, include=include, exclude=exclude, label=options["label"], progress=False
            )

        watcher = Watcher(
            once,
            Path(folder).expanduser().resolve(),
            avoid=[brain.folder],
            debounce_ms=debounce_ms,
            on_report=show,
        )
        show(watcher.report)
        note(f"Watching {watcher.folder}; Ctrl-C ends it.")
        try:
            watcher.join()
        finally:
            watcher.stop()
