"""``brainkit plan`` and ``brainkit ingest``: look at folders, or take them in."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click

from brainkit.cli.brains import brain_option, check_folders, existing_or_new, opened
from brainkit.cli.output import Function, emit, json_option, note, show
from brainkit.settings import Settings

if TYPE_CHECKING:
    from brainkit.embed.openai import OpenAIEmbedder
    from brainkit.extract.llm import ModelExtractor
    from brainkit.ingest.report import IngestReport

EMBEDDERS = ("local", "static", "openai")
MODEL = "gpt-4.1-mini"  # of extract.llm, which help does not load; a test compares the two
EMBED_MODEL = "text-embedding-3-large"  # of embed.openai, likewise

embed_model_option = click.option(
    "--embed-model",
    metavar="NAME",
    help=f"The model that openai embeds with.  [default: {EMBED_MODEL}]",
)
dimensions_option = click.option(
    "--dimensions", type=int, metavar="N", help="Length of its vectors, where it can be chosen."
)
_OPTIONS: tuple[Callable[[Function], Function], ...] = (
    click.argument("folders", nargs=-1, required=True, type=click.Path(), metavar="FOLDER..."),
    brain_option,
    click.option(
        "--include", multiple=True, metavar="GLOB", help="Only files that match; may be repeated."
    ),
    click.option(
        "--exclude", multiple=True, metavar="GLOB", help="No files that match; may be repeated."
    ),
    click.option(
        "--label", help="First part of the sources' names.  [default: the folder's own name]"
    ),
    click.option(
        "--embedder",
        type=click.Choice(EMBEDDERS),
        help="What makes the vectors; openai sends the texts away. Plan first: it says what that "
        "costs.  [default: the brain's own, local for a new one]",
    ),
    embed_model_option,
    dimensions_option,
    click.option(
        "--chunk-tokens",
        type=int,
        metavar="N",
        help=f"Largest chunk, for a new brain.  [default: {Settings.chunk_tokens}]",
    ),
    click.option(
        "--chunk-overlap-tokens",
        type=int,
        metavar="N",
        help="Tokens of prose repeated from the chunk before, for a new brain.  "
        f"[default: {Settings.chunk_overlap_tokens}]",
    ),
    click.option(
        "--extract",
        type=click.Choice(("llm",)),
        help="Let a chat model read relations out of every chunk, too. Plan first: it says what "
        "that costs.",
    ),
    click.option(
        "--extract-model", metavar="NAME", help=f"The chat model that reads.  [default: {MODEL}]"
    ),
    click.option(
        "--base-url",
        metavar="URL",
        help="Server of the hosted models, if it is another OpenAI-compatible one.  "
        "[env: OPENAI_BASE_URL; default: OpenAI]",
    ),
    click.option(
        "--max-cost",
        type=float,
        metavar="DOLLARS",
        help="Stop before a hosted model costs more; what is done is kept.",
    ),
    click.option(
        "--max-tokens",
        type=int,
        metavar="N",
        help="Stop before a hosted model reads and writes more; what is done is kept.",
    ),
    click.option(
        "--send-secrets",
        is_flag=True,
        help="Let hosted models read files that look like they hold secrets.",
    ),
    click.option("--all", "whole", is_flag=True, help="List every file, unchanged ones too."),
    click.option("--no-progress", is_flag=True, help="No progress bars, even on a terminal."),
    json_option,
)


def _takes_folders(command: Function) -> Function:
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@click.command()
@_takes_folders
def plan(folders: tuple[str, ...], given: Path | None, **options: Any) -> None:
    """Show what an ingest would do, and write nothing.

    It says which files would be read, how many chunks and tokens they give, and what would be
    skipped and why. A brain that does not exist yet is not made.

    \b
    Examples:
    $ brainkit plan data/sample
    $ brainkit plan data/sample --include "*.md" --all
    """
    from brainkit.store.layout import Layout

    check_folders(folders)
    brain = existing_or_new(given, folders)
    if Layout(brain).exists():
        _run(folders, brain, brain, dry_run=True, **options)
    else:
        with TemporaryDirectory(prefix="brainkit-plan-") as scratch:
            _run(folders, brain, Path(scratch, brain.name), dry_run=True, **options)


@click.command()
@_takes_folders
def ingest(folders: tuple[str, ...], given: Path | None, **options: Any) -> None:
    """Index folders, or take in what changed.

    Unchanged files cost no work. Interrupted, the brain answers as before and keeps finished
    embeddings. Where there is no brain, one is made, named by the first folder.

    \b
    Examples:
    $ brainkit ingest data/sample
    $ brainkit ingest data/sample --exclude "test_*.py" --json
    $ brainkit ingest data/sample/handbook data/sample/shelf --brain notes.brain
    """
    from brainkit.store.layout import Layout

    check_folders(folders)
    brain = existing_or_new(given, folders)
    is_new = not Layout(brain).exists()
    _run(folders, brain, brain, dry_run=False, **options)
    if is_new:
        name = f" --brain {brain}" if given else ""
        note(f'Made {brain}. Ask it something: brainkit query "QUESTION"{name}')
    elif given is None:
        note(f"Brain: {brain}")


def _run(
    folders: Sequence[str],
    brain: Path,
    place: Path,
    *,
    dry_run: bool,
    include: tuple[str, ...],
    exclude: tuple[str, ...],
    label: str | None,
    embedder: str | None,
    chunk_tokens: int | None,
    chunk_overlap_tokens: int | None,
    extract: str | None,
    extract_model: str | None,
    base_url: str | None,
    max_cost: float | None,
    max_tokens: int | None,
    embed_model: str | None,
    dimensions: int | None,
    send_secrets: bool,
    whole: bool,
    no_progress: bool,
    as_json: bool,
) -> None:
    """Work through the folders on the brain at ``place``, which a plan may only pretend to be."""
    if label is not None and len(folders) > 1:
        raise click.UsageError("--label names one folder; ingest folders one by one to label them.")
    server: dict[str, Any] = {"base_url": base_url, "max_cost": max_cost, "max_tokens": max_tokens}
    if extract is None and embedder != "openai" and any(v is not None for v in server.values()):
        raise click.UsageError(
            "--base-url, --max-cost and --max-tokens belong to --extract llm or --embedder openai."
        )
    extractor = _extractor(extract, model=extract_model, **server)
    hosted = hosted_embedder(embedder, model=embed_model, dimensions=dimensions, **server)
    reports: list[IngestReport] = []
    with opened(
        place,
        create=True,
        embedder=hosted or embedder,
        chunk_tokens=chunk_tokens,
        chunk_overlap_tokens=chunk_overlap_tokens,
    ) as open_brain:
        work = open_brain.plan if dry_run else open_brain.ingest
        for folder in folders:
            report = work(
                folder,
                include=include or None,
                exclude=exclude or None,
                label=label,
                send_secrets=send_secrets,
                extract=extractor,
                progress=sys.stderr.isatty() and not no_progress,
            )
            reports.append(report)
            if not as_json:
                show(report.to_rich(whole=whole, hint="--all lists them"))
    if as_json:
        emit({"brain": str(brain), "reports": [report.to_dict() for report in reports]})


def _extractor(
    extract: str | None, *, model: str | None, base_url: str | None, **caps: Any
) -> ModelExtractor | None:
    if extract is None:
        if model:
            raise click.UsageError("options such as --extract-model belong to --extract llm.")
        return None
    from brainkit.extract.llm import ModelExtractor
    from brainkit.hosted import Endpoint

    endpoint = Endpoint(base_url=base_url)
    return ModelExtractor(model=model or MODEL, endpoint=endpoint, **caps)


def hosted_embedder(
    embedder: str | None, *, model: str | None, dimensions: int | None, **server: Any
) -> OpenAIEmbedder | None:
    """Return the hosted embedder that the options mean, None for one on this machine."""
    if embedder != "openai":
        if model or dimensions is not None:
            raise click.UsageError("--embed-model and --dimensions belong to --embedder openai.")
        return None
    from brainkit.embed.openai import OpenAIEmbedder

    return OpenAIEmbedder(model or EMBED_MODEL, dimensions=dimensions, **server)
