"""``brainkit defaults``: the settings that a brain answers with where a question gives none."""

from __future__ import annotations

from pathlib import Path

import click

from brainkit.cli.brains import brain_option, existing, opened
from brainkit.cli.output import emit, json_option, show
from brainkit.cli.settings import settings_of


@click.command()
@click.argument("settings", nargs=-1, metavar="[NAME=VALUE]...")
@click.option("--reset", is_flag=True, help="Take the stored ones back.")
@brain_option
@json_option
def defaults(settings: tuple[str, ...], reset: bool, given: Path | None, as_json: bool) -> None:
    """Show the settings in force where a question gives none, or store others.

    Those given replace those stored before. They hold for every query of this brain, from
    notebooks too, and stay through ingests. `brainkit eval DATASET --sweep SETTING --use` stores
    what a sweep chose.

    \b
    Examples:
    $ brainkit defaults
    $ brainkit defaults mode=hybrid alpha=.7
    $ brainkit defaults --reset
    """
    if reset and settings:
        raise click.UsageError("--reset takes settings back, so give none with it.")
    with opened(existing(given)) as brain:
        if reset:
            found = brain.use(None)
        elif settings:
            found = brain.use(settings_of(",".join(settings)))
        else:
            found = brain.defaults()
    if as_json:
        emit(found.to_dict())
    else:
        show(found)
