"""``brainkit doctor`` and ``completion``: the machine that brainkit runs on."""

from __future__ import annotations

from pathlib import Path

import click

from brainkit.cli.ingest import EMBED_MODEL
from brainkit.cli.output import FAULTS, emit, json_option, show

_HOW_TO = {
    "bash": 'put this line into ~/.bashrc:\n#   eval "$(brainkit completion bash)"',
    "zsh": 'put this line into ~/.zshrc, after compinit:\n#   eval "$(brainkit completion zsh)"',
    "fish": "run:\n#   brainkit completion fish > ~/.config/fish/completions/brainkit.fish",
}


@click.command()
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    default=Path(),
    help="Where brains will be written.  [default: the current folder]",
)
@click.option(
    "--endpoint",
    is_flag=True,
    help="Also ask the hosted embedding model for a vector, which costs next to nothing.",
)
@click.option(
    "--reranker", is_flag=True, help="Also let the reranker read two texts, wherever it is."
)
@click.option(
    "--base-url", metavar="URL", help="Its server.  [env: OPENAI_BASE_URL; default: OpenAI]"
)
@click.option("--embed-model", metavar="NAME", help=f"The model.  [default: {EMBED_MODEL}]")
@json_option
@click.pass_context
def doctor(
    ctx: click.Context,
    *,
    folder: Path,
    endpoint: bool,
    reranker: bool,
    base_url: str | None,
    embed_model: str | None,
    as_json: bool,
) -> None:
    """Check that this machine has what brainkit needs.

    Each line says ok, note (an optional part is missing) or broken, and what to do. The exit code
    is 1 if something is broken. Of an API key only whether it is set is shown, and nothing is sent
    unless --endpoint or --reranker asks for it.

    \b
    Examples:
    $ brainkit doctor
    $ brainkit doctor --json
    """
    from brainkit.doctor import examine
    from brainkit.embed.openai import OpenAIEmbedder

    if (base_url or embed_model) and not endpoint:
        raise click.UsageError("--base-url and --embed-model belong to --endpoint.")
    asked = OpenAIEmbedder(embed_model or EMBED_MODEL, base_url=base_url) if endpoint else None
    found = examine(folder, hosted=asked, reranks=reranker)
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
    """Print the completion script of a shell.

    It completes commands, options, modes, source types, languages, and labels to remove.

    \b
    Examples:
    $ brainkit completion bash
    $ brainkit completion fish
    """
    from click.shell_completion import get_completion_class

    made = get_completion_class(shell)
    if made is None:
        raise click.UsageError(f"click knows no completion for {shell}.")
    script = made(ctx.find_root().command, {}, "brainkit", "_BRAINKIT_COMPLETE").source()
    click.echo(f"{script.rstrip()}\n\n# To have this in every new {shell}, {_HOW_TO[shell]}")
