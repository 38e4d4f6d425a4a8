"""Which brain and which folders a command means."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from brainkit.errors import BrainkitError, InvalidSetting, NoSuchFolder, NotABrain, nearest

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from brainkit.brain import Brain

brain_option = click.option(
    "--brain",
    "given",
    type=click.Path(path_type=Path, file_okay=False),
    envvar="BRAINKIT_BRAIN",
    metavar="PATH",
    help="The brain's folder.  [env: BRAINKIT_BRAIN; default: the only *.brain folder here]",
)


def existing(given: Path | None) -> Path:
    """Return the brain to use: the one given, or the only one here.

    Raises NotABrain if there is none here, InvalidSetting if there are several.
    """
    found = given or _only_one_here()
    if found is None:
        raise NotABrain(
            f"there is no *.brain folder in {Path.cwd()}; name a brain with --brain PATH, "
            "or make one: brainkit ingest FOLDER"
        )
    return found


def existing_or_new(given: Path | None, folders: Sequence[str]) -> Path:
    """Return the brain to fill: as ``existing``, or where there is none, a new one's place."""
    return given or _only_one_here() or Path(f"{_absolute(folders[0]).name or 'root'}.brain")


def check_folders(folders: Sequence[str]) -> None:
    """Raise NoSuchFolder for the first that is missing, before a brain is made for it."""
    for folder in folders:
        path = _absolute(folder)
        if not path.exists():
            siblings = [sibling.name for sibling in path.parent.glob("*")]
            raise NoSuchFolder(
                f"{folder!r} does not exist; give a folder or a file{nearest(path.name, siblings)}"
            )


@contextmanager
def opened(path: Path, *, create: bool = False, **options: Any) -> Iterator[Brain]:
    """Open a brain for one command.

    options : embedder and settings as for ``brainkit.open``; None means not given.
    """
    from brainkit.opening import open_brain

    given = {name: value for name, value in options.items() if value is not None}
    with open_brain(path, create=create, **given) as brain:
        yield brain


def labels(ctx: click.Context, _: click.Parameter, start: str) -> list[CompletionItem]:
    """Complete the label of a folder that the brain has."""
    roots = _asked(ctx, "select label, path from roots order by label")
    return _completed(roots, start)


def entity_names(ctx: click.Context, _: click.Parameter, start: str) -> list[CompletionItem]:
    """Complete the name of an entity, whole or its last part, best known first."""
    named = _asked(
        ctx,
        "select a.name, any_value(e.name) from aliases a join entities e on e.id = a.entity "
        "where starts_with(lower(a.name), lower($start)) group by a.name "
        "order by max(e.documents) desc, a.name limit 50",
        start=start,
    )
    return _completed(named, start)


def entity_kinds(ctx: click.Context, _: click.Parameter, start: str) -> list[CompletionItem]:
    """Complete a kind that some entity of the brain has."""
    kinds = _asked(ctx, "select distinct unnest(kinds), null from entities order by 1")
    return _completed(kinds, start)


def _completed(rows: Sequence[tuple[str, str | None]], start: str) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    wanted = start.casefold()
    return [CompletionItem(n, help=told) for n, told in rows if n.casefold().startswith(wanted)]


def _asked(ctx: click.Context, query: str, **values: str) -> list[tuple[str, str | None]]:
    """Ask the tables themselves, since whoever presses Tab does not wait for the index libraries.

    Without such a brain, or a graph in it, there is nothing to complete.
    """
    import duckdb

    from brainkit.store.database import open_to_read
    from brainkit.store.layout import DATABASE, Layout

    with suppress(BrainkitError, OSError, duckdb.CatalogException):
        brain = Layout(existing(ctx.params.get("given")))
        connection, _ = open_to_read(brain.generation(brain.current()) / DATABASE)
        with connection:
            return connection.execute(query, values).fetchall()
    return []


def _only_one_here() -> Path | None:
    found = sorted(path for path in Path().glob("*.brain") if path.is_dir())
    if len(found) > 1:
        names = ", ".join(map(str, found))
        raise InvalidSetting(f"there are several brains here ({names}); name one: --brain PATH")
    return found[0] if found else None


def _absolute(folder: str) -> Path:
    return Path(folder).expanduser().resolve()
