"""``brainkit reembed``: move a brain to another embedder, or see what that would cost."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from brainkit.cli.brains import brain_option, existing, opened
from brainkit.cli.ingest import (
    EMBEDDERS,
    dimensions_option,
    embed_model_option,
    hosted_embedder,
)
from brainkit.cli.output import emit, json_option, show


@click.command()
@click.argument("embedder", type=click.Choice(EMBEDDERS))
@brain_option
@click.option(
    "--plan", "only_plan", is_flag=True, help="Say what would be sent and cost; change nothing."
)
@embed_model_option
@dimensions_option
@click.option(
    "--base-url",
    metavar="URL",
    help="Its server, if it is another OpenAI-compatible one.  "
    "[env: OPENAI_BASE_URL; default: OpenAI]",
)
@click.option(
    "--max-cost",
    type=float,
    metavar="DOLLARS",
    help="Stop before it costs more; what is done is kept.",
)
@click.option(
    "--max-tokens",
    type=int,
    metavar="N",
    help="Stop before it reads more; what is done is kept.",
)
@click.option(
    "--send-secrets", is_flag=True, help="Let it read chunks that look like they hold secrets."
)
@click.option("--no-progress", is_flag=True, help="No progress bars, even on a terminal.")
@json_option
def reembed(
    embedder: str,
    *,
    given: Path | None,
    only_plan: bool,
    embed_model: str | None,
    dimensions: int | None,
    base_url: str | None,
    max_cost: float | None,
    max_tokens: int | None,
    send_secrets: bool,
    no_progress: bool,
    as_json: bool,
) -> None:
    """Make all vectors anew with another embedder.

    EMBEDDER is local, static or openai, which sends every chunk away: --plan says what that costs.
    Until all vectors are made the old ones answer; interrupted or stopped by a cap, nothing has
    changed, and the same again goes on from there.

    \b
    Examples:
    $ brainkit reembed openai --plan
    $ brainkit reembed static
    """
    server = {"base_url": base_url, "max_cost": max_cost, "max_tokens": max_tokens}
    if embedder != "openai" and any(value is not None for value in server.values()):
        raise click.UsageError("--base-url, --max-cost and --max-tokens belong to openai.")
    hosted = hosted_embedder(embedder, model=embed_model, dimensions=dimensions, **server)
    with opened(existing(given)) as brain:
        if only_plan:
            report = brain.plan_reembed(hosted or embedder, send_secrets=send_secrets)
        else:
            report = brain.reembed(
                hosted or embedder,
                send_secrets=send_secrets,
                progress=sys.stderr.isatty() and not no_progress,
            )
    if as_json:
        emit(report.to_dict())
    else:
        show(report.summary())
