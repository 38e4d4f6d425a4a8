"""``brainkit init``: a commented `brainkit.toml` to begin with."""

from __future__ import annotations

import os
from pathlib import Path

import click

from brainkit.cli.output import emit, json_option, note
from brainkit.errors import InvalidSetting


@click.command()
@click.argument("folder", type=click.Path(path_type=Path), default=Path())
@click.option("--force", is_flag=True, help="Replace a brainkit.toml that is there.")
@json_option
def init(folder: Path, force: bool, as_json: bool) -> None:
    """Write a brainkit.toml that explains what a folder can say about itself.

    It names every key with its default, switched off: which files are read, the size of chunks,
    what counts as a document, code or a test. FOLDER is the current folder where none is given.

    \b
    Examples:
    $ brainkit init
    $ brainkit init data/sample
    """
    from brainkit.ingest.config import CONFIG_FILE
    from brainkit.ingest.config_template import template

    path = folder / CONFIG_FILE
    if not folder.is_dir():
        raise InvalidSetting(f"{str(folder)!r} is no folder; give one that exists.")
    if os.path.lexists(path) and not force:
        raise InvalidSetting(f"{path} is there already; --force replaces it.")
    if path.is_symlink() or (path.exists() and not path.is_file()):
        raise InvalidSetting(f"{path} is a link or no file; remove it first.")
    path.write_text(template(), encoding="utf-8", newline="\n")
    if as_json:
        emit({"path": str(path)})
    else:
        note(f"Wrote {path}. Every key in it is switched off until you remove the # before it.")
