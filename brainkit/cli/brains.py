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
    from brainkit.brain import open_brain

    given = {name: value for name, value in options.items() if value is not None}
    with open_brain(path, create=create, **given) as brain:
        yield brain


def labels(ctx: click.Context, _: click.Parameter, start: str) -> list[CompletionItem]:
    """Complete the label of a folder that the brain has."""
    from click.shell_completion import CompletionItem

    from brainkit.store.database import open_to_read
    from brainkit.store.layout import DATABASE, Layout

    roots: list[tuple[str, str | None]] = []
    with suppress(BrainkitError, OSError):
        # The table itself, since whoever presses Tab does not wait for the index libraries.
        brain = Layout(existing(ctx.params.get("given")))
        with open_to_read(brain.generation(brain.current()) / DATABASE) as connection:
            roots = connection.execute("select label, path from roots order by label").fetchall()
    return [CompletionItem(label, help=path) for label, path in roots if label.startswith(start)]


def _only_one_here() -> Path | None:
    found = sorted(path for path in Path().glob("*.brain") if path.is_dir())
    if len(found) > 1:
        names = ", ".join(map(str, found))
        raise InvalidSetting(f"there are several brains here ({names}); name one: --brain PATH")
    return found[0] if found else None


def _absolute(folder: str) -> Path:
    return Path(folder).expanduser().resolve()
