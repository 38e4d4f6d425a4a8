"""``brainkit query``: ask, with every setting of a QueryRequest."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click

from brainkit import settings
from brainkit.cli.brains import brain_option, opened
from brainkit.cli.brains import existing as existing_brain
from brainkit.cli.output import NOTHING_FOUND, Function, emit, json_option, show

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

Words = Callable[[], Iterable[str]]


def _weights(
    ctx: click.Context, param: click.Parameter, given: str | None
) -> dict[str, float] | None:
    """Read ``vector=1,bm25=2``; which names and numbers may be given, the request decides."""
    if given is None:
        return None
    weights: dict[str, float] = {}
    for pair in given.split(","):
        name, _, number = (part.strip() for part in pair.partition("="))
        try:
            weight = float(number)
        except ValueError:
            raise click.BadParameter(
                f"{pair!r} is not NAME=NUMBER; write for instance vector=1,bm25=2."
            ) from None
        if name in weights:
            raise click.BadParameter(f"{name!r} is given twice; give each retriever one weight.")
        weights[name] = weight
    return weights


def _modes() -> Iterable[str]:
    from brainkit.models import QueryMode

    return list(QueryMode)


def _literals(name: str) -> Words:
    def words() -> Iterable[str]:
        from brainkit import models

        return get_args(getattr(models, name))

    return words


def _languages() -> Iterable[str]:
    from brainkit.ingest.languages import LANGUAGES

    return LANGUAGES


def _field(
    *names: str, default: object = None, words: Words | None = None, **details: Any
) -> Callable[[Function], Function]:
    """An option for a field of QueryRequest; left out, the request's own default applies.

    default : shown only. None makes a filter, which may be repeated.
    words : what completion offers, loaded when it asks. The request itself checks them, so there is
        one place that knows the words and one message for a wrong one.
    """
    if default is None:
        details.update(multiple=True)
    else:
        details["help"] += f"  [default: {default}]"

    def complete(
        ctx: click.Context, param: click.Parameter, start: str
    ) -> list[str | CompletionItem]:
        return [word for word in (words or list)() if word.startswith(start)]

    return click.option(*names, shell_complete=complete, **details)


_FIELDS: tuple[Callable[[Function], Function], ...] = (
    _field(
        "mode",
        "-m",
        "--mode",
        words=_modes,
        metavar="MODE",
        help="vector (meaning), bm25 (keywords), hybrid (a blend), graph (relations) or multi (a "
        "vote of all).",
        default="hybrid",
    ),
    _field(
        "top_k",
        "-k",
        "--top-k",
        type=int,
        metavar="N",
        help=f"Results to return, 1 to {settings.TOP_K_MAX}.",
        default=settings.TOP_K,
    ),
    _field(
        "alpha",
        "-a",
        "--alpha",
        type=float,
        metavar="A",
        help="Weight of the vector side in hybrid mode, 0 to 1; keywords get the rest.",
        default=settings.ALPHA,
    ),
    _field(
        "depth",
        "--depth",
        type=int,
        metavar="N",
        help=f"Hits fetched per retriever, top-k to {settings.DEPTH_MAX}.",
        default=settings.DEPTH,
    ),
    _field(
        "rrf_k",
        "--rrf-k",
        type=float,
        metavar="K",
        help="1 or more. Larger flattens the lead of top ranks in multi mode.",
        default=settings.RRF_K,
    ),
    _field(
        "normalize",
        "--normalize",
        words=_literals("Normalize"),
        metavar="HOW",
        help="How hybrid mode brings each side to 0-1: max, minmax or none.",
        default="max",
    ),
    _field(
        "weights",
        "--weights",
        callback=_weights,
        metavar="NAME=W,...",
        help="Weight of each retriever's vote in multi mode, such as vector=1,bm25=2; 0 leaves one "
        "out.",
        default="1 each",
    ),
    _field(
        "similarity_threshold",
        "--threshold",
        type=float,
        metavar="S",
        help="Least cosine similarity of a vector hit, 0 to 1.",
        default=settings.SIMILARITY_THRESHOLD,
    ),
    _field(
        "source_types",
        "-t",
        "--type",
        words=_literals("SourceType"),
        metavar="TYPE",
        help="Only doc, code or test; may be repeated.",
    ),
    _field(
        "languages",
        "-l",
        "--language",
        words=_languages,
        metavar="NAME",
        help="Only this language, such as python or markdown; may be repeated.",
    ),
    _field(
        "file_paths",
        "-p",
        "--path",
        metavar="GLOB",
        help="Only sources that match, gitignore style; may be repeated.",
    ),
    _field(
        "filter_stage",
        "--filter-stage",
        words=_literals("FilterStage"),
        metavar="STAGE",
        help="pre filters before retrieval; post cuts to top-k first, to show what that loses.",
        default="pre",
    ),
    _field(
        "collapse",
        "--collapse",
        words=_literals("Collapse"),
        metavar="HOW",
        help="overlap folds chunks that share lines, source keeps the best of each source, none "
        "keeps all.",
        default="none",
    ),
    click.option(
        "--rerank",
        is_flag=True,
        default=None,  # left out, it is no answer to what the brain does by default
        help="Let a model read the question with each of the best results, and order those. "
        "$BRAINKIT_RERANKER says which model: local, or the address of an endpoint.",
    ),
    _field(
        "rerank_depth",
        "--rerank-depth",
        type=int,
        metavar="N",
        help="How many of the best it reads.",
        default=settings.RERANK_DEPTH,
    ),
)


def _takes_fields(command: Function) -> Function:
    for option in reversed(_FIELDS):
        command = option(command)
    return command


@click.command()
@click.argument("text", nargs=-1, required=True, metavar="TEXT...")
@brain_option
@_takes_fields
@click.option("--explain", is_flag=True, help="Show the parts of each score and their arithmetic.")
@json_option
@click.option("--trace", is_flag=True, help="With --json: also every candidate and its raw scores.")
@click.pass_context
def query(
    ctx: click.Context,
    /,
    *,
    text: tuple[str, ...],
    given: Path | None,
    explain: bool,
    as_json: bool,
    trace: bool,
    **fields: Any,
) -> None:
    """Answer a question, with the reason beside each result.

    TEXT... needs no quotes. The exit code is 0 if there are results and 1 if there are none, as
    grep's is.

    \b
    Examples:
    $ brainkit query how are sessions signed
    $ brainkit query "how are sessions signed" --mode bm25 --explain
    $ brainkit query retry --type code --path "**/src/**" --top-k 3
    $ brainkit query "how long is a token good for" --rerank
    $ brainkit query "busy server" --mode multi --weights vector=1,bm25=2 --json
    """
    if trace and not as_json:
        raise click.UsageError("--trace is part of the JSON document; add --json.")
    asked = {name: value for name, value in fields.items() if value not in (None, ())}
    with opened(existing_brain(given)) as brain:
        answer = brain.query(" ".join(text), **asked)
    if as_json:
        emit(answer.response.model_dump(mode="json", exclude=None if trace else {"trace"}))
    else:
        show(answer.to_rich(explain=explain))
    if not answer.results:
        ctx.exit(NOTHING_FOUND)
