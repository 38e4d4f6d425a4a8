"""``brainkit info``, ``check``, ``remove``: see what is in a brain, verify it, take things out."""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path

import click

from brainkit.cli.brains import brain_option, existing, labels, opened
from brainkit.cli.output import FAULTS, NOTHING_FOUND, emit, json_option, note, show
from brainkit.errors import BrainDamaged, InvalidSetting


@click.command()
@brain_option
@json_option
def info(given: Path | None, as_json: bool) -> None:
    """Say what the brain holds, and what made it.

    \b
    Examples:
    $ brainkit info
    $ brainkit info --json
    """
    with opened(existing(given)) as brain:
        found = brain.info()
    if as_json:
        emit(found.to_dict())
    else:
        show(found)


@click.command()
@brain_option
@json_option
@click.pass_context
def check(ctx: click.Context, given: Path | None, as_json: bool) -> None:
    """Verify every hash, and that all stores agree.

    The exit code is 1 if anything is wrong. Indexes that are damaged are made again at the next
    query.

    \b
    Examples:
    $ brainkit check
    $ brainkit check --json
    """
    from brainkit.info import Check
    from brainkit.store.layout import Layout

    path = existing(given)
    try:
        with opened(path) as brain:
            found = brain.check()
    except BrainDamaged as error:
        found = Check(str(path), Layout(path).current(), (str(error),))
    if as_json:
        emit(found.to_dict())
    else:
        show(found)
    if not found:
        ctx.exit(FAULTS)


@click.command()
@click.argument("target", shell_complete=labels)
@brain_option
@click.option("-y", "--yes", is_flag=True, help="Do not ask first.")
@json_option
@click.pass_context
def remove(ctx: click.Context, target: str, given: Path | None, yes: bool, as_json: bool) -> None:
    """Take a folder or source out of the brain.

    TARGET is a label, a source, a folder of sources, a glob, or the path it was ingested from.
    Files on disk are not touched. On a terminal it asks first; elsewhere it needs --yes.

    \b
    Examples:
    $ brainkit remove "**/test_*.py" --yes
    $ brainkit remove sample/shelf --yes
    $ brainkit remove sample --yes
    """
    from brainkit.engine import Engine
    from brainkit.ingest.roots import sources_of
    from brainkit.markup import terminal

    path = existing(given)
    with closing(Engine(path.expanduser().resolve(), create=False)) as engine:
        with engine.reading() as generation:
            files = generation.chunks.files()
            gone = sources_of(target, list(files), generation.chunks.roots())
        size = f"{len(gone):,} files with {sum(files[s].chunks for s in gone):,} chunks"
        if not yes:
            if as_json or not sys.stdin.isatty():
                raise InvalidSetting(
                    f"{target!r} means {size}; add --yes to remove them without being asked."
                )
            if not click.confirm(terminal(f"Remove {target} ({size}) from {path}?"), err=True):
                note("Nothing was removed.")
                ctx.exit(NOTHING_FOUND)
        report = engine.remove(target)
    if as_json:
        emit(report.to_dict())
    else:
        show(report)
