"""``brainkit path`` and ``brainkit entities``: what is related to what, and by which names."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from brainkit.cli.brains import brain_option, entity_kinds, entity_names, existing, opened
from brainkit.cli.output import NOTHING_FOUND, emit, json_option, note, show

if TYPE_CHECKING:
    from brainkit.brain import Brain

Pair = tuple[str, str]


@click.command()
@click.argument("start", shell_complete=entity_names, metavar="FROM")
@click.argument("end", shell_complete=entity_names, metavar="TO")
@brain_option
@json_option
@click.pass_context
def path(ctx: click.Context, start: str, end: str, given: Path | None, as_json: bool) -> None:
    """Show the shortest path of relations between two entities.

    FROM and TO are names, as `brainkit entities` lists them, or any other name of theirs. Each hop
    has the place that says so. The exit code is 1 if no relations lead from one to the other.

    \b
    Examples:
    $ brainkit path retry_with_backoff MAX_DELAY_SECONDS
    $ brainkit path Sessions HMAC-SHA256 --json
    """
    with opened(existing(given)) as brain:
        found = brain.path(start, end)
    if as_json:
        emit(found.to_dict())
    else:
        show(found)
    if not found:
        ctx.exit(NOTHING_FOUND)


@click.command()
@click.argument("like", required=False, shell_complete=entity_names)
@brain_option
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    metavar="KIND",
    shell_complete=entity_kinds,
    help="Only class, function, document, name, ...; may be repeated.",
)
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=20,
    show_default=True,
    metavar="N",
    help="Rows to list.",
)
@click.option(
    "--merge",
    type=(str, str),
    metavar="NAME OTHER",
    shell_complete=entity_names,
    help="Make one entity of two; it keeps the name of OTHER.",
)
@click.option(
    "--alias",
    type=(str, str),
    metavar="NAME NEW",
    shell_complete=entity_names,
    help="Let an entity be found by a new name too.",
)
@click.option("--undo", is_flag=True, help="Take back that --merge or --alias.")
@click.option("--merges", is_flag=True, help="List which names were taken for one entity, and why.")
@json_option
@click.pass_context
def entities(
    ctx: click.Context,
    /,
    *,
    like: str | None,
    given: Path | None,
    kinds: tuple[str, ...],
    limit: int,
    merge: Pair | None,
    alias: Pair | None,
    undo: bool,
    merges: bool,
    as_json: bool,
) -> None:
    """List what the brain knows by name, best connected first; merge names, or add some.

    LIKE is part of a name, case and separators aside, or a glob such as "shelf.*". The exit code is
    1 if nothing is like it.

    \b
    Examples:
    $ brainkit entities
    $ brainkit entities retry --kind function --kind module
    $ brainkit entities --alias retry_with_backoff "polite retry"
    $ brainkit entities --alias retry_with_backoff "polite retry" --undo
    $ brainkit entities --merges --json
    """
    if undo and not (merge or alias):
        raise click.UsageError("--undo takes back a --merge or an --alias; name which.")
    if sum(map(bool, (merge, alias, merges, like or kinds))) > 1:
        raise click.UsageError("--merge, --alias, --merges and LIKE or --kind go one at a time.")
    with opened(existing(given)) as brain:
        if merge or alias:
            _edit(brain, merge=merge, alias=alias, undo=undo)
        if merge or alias or merges:
            listed = brain.merges()
            if as_json:
                emit(listed.to_dict())
            else:
                show(listed)
            return
        found = brain.entities(like, kind=kinds or None, limit=limit)
    if as_json:
        emit(found.to_dict())
    else:
        show(found)
    if not found:
        ctx.exit(NOTHING_FOUND)


def _edit(brain: Brain, *, merge: Pair | None, alias: Pair | None, undo: bool) -> None:
    if merge:
        change = brain.unmerge if undo else brain.merge_entities
        change(*merge, progress=False)
        told = "are two entities again" if undo else f"are one entity now: {merge[1]}"
        note(f"{merge[0]} and {merge[1]} {told}.")
    elif alias:
        name, other = alias
        change = brain.unalias if undo else brain.alias
        change(name, other, progress=False)
        note(f"{name} is {'no longer' if undo else 'now'} also called {other}.")
