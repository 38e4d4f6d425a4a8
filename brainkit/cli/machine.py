"""``brainkit doctor`` and ``completion``: the machine that brainkit runs on."""

from __future__ import annotations

from pathlib import Path

import click

from brainkit.cli.output import FAULTS, emit, json_option, show

_HOW_TO = {
    "bash": "# To have it in every new bash:  echo 'eval \"$(brainkit completion bash)\"' >> ~/.bashrc",
    "zsh": "# To have it in every new zsh, after compinit:\n"
    "#   echo 'eval \"$(brainkit completion zsh)\"' >> ~/.zshrc",
    "fish": "# To have it in every new fish:\n"
    "#   brainkit completion fish > ~/.config/fish/completions/brainkit.fish",
}


@click.command()
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    default=Path(),
    help="Where brains will be written.  [default: the current folder]",
)
@json_option
@click.pass_context
def doctor(ctx: click.Context, folder: Path, as_json: bool) -> None:
    """Say whether this machine has what brainkit needs, and what to do if not.

    Exits with 1 if something needed is broken; a missing optional part is only noted. Whether an
    API key is set is shown, never the key.

    \b
    $ brainkit doctor
    $ brainkit doctor --json
    """
    from brainkit.doctor import examine

    found = examine(folder)
    if as_json:
        emit(found.to_dict())
    else:
        show(found)
    if not found:
        ctx.exit(FAULTS)


@click.command()
@click.argument("shell", type=click.Choice(list(_HOW_TO)))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the script that lets SHELL complete commands, options, modes, languages and labels.

    \b
    $ eval "$(brainkit completion bash)"
    $ brainkit completion fish > brainkit.fish
    """
    from click.shell_completion import get_completion_class

    made = get_completion_class(shell)
    if made is None:
        raise click.UsageError(f"click knows no completion for {shell}.")
    script = made(ctx.find_root().command, {}, "brainkit", "_BRAINKIT_COMPLETE").source()
    click.echo(f"{script.rstrip()}\n\n{_HOW_TO[shell]}")
