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


class Word(click.ParamType):
    """One of some words, which completion loads when it is asked; the request itself checks them.

    So there is one place that knows the words, and one message for a wrong one.
    """

    def __init__(self, name: str, words: Callable[[], Iterable[str]]) -> None:
        self.name = name
        self._words = words

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        return [CompletionItem(word) for word in self._words() if word.startswith(incomplete)]


class WeightsType(click.ParamType):
    """``vector=1,bm25=2`` as a dict; which names and numbers may be given, the request decides."""

    name = "weights"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> dict[str, float]:
        weights: dict[str, float] = {}
        for pair in str(value).split(","):
            name, _, number = (part.strip() for part in pair.partition("="))
            try:
                weight = float(number)
            except ValueError:
                self.fail(f"{pair!r} is not NAME=NUMBER; write for instance vector=1,bm25=2.")
            if name in weights:
                self.fail(f"{name!r} is given twice; give each retriever one weight.")
            weights[name] = weight
        return weights


def _modes() -> list[str]:
    from brainkit.models import QueryMode

    return [mode.value for mode in QueryMode]


def _literals(name: str) -> Callable[[], Iterable[str]]:
    def words() -> Iterable[str]:
        from brainkit import models

        return get_args(getattr(models, name))

    return words


def _languages() -> Iterable[str]:
    from brainkit.ingest.languages import LANGUAGES

    return LANGUAGES


def _field(
    name: str, *flags: str, type: Any, metavar: str, help: str, default: object = None
) -> Callable[[Function], Function]:
    """An option for a field of QueryRequest; left out, the request's own default applies."""
    if default is None:
        return click.option(*flags, name, type=type, metavar=metavar, multiple=True, help=help)
    help = f"{help}  [default: {default}]"
    return click.option(*flags, name, type=type, metavar=metavar, help=help)


_FIELDS: tuple[Callable[[Function], Function], ...] = (
    _field(
        *("mode", "-m", "--mode"),
        type=Word("mode", _modes),
        metavar="MODE",
        help="vector (meaning), bm25 (keywords), hybrid (a blend), graph (relations) or multi (a "
        "vote of all).",
        default="hybrid",
    ),
    _field(
        *("top_k", "-k", "--top-k"),
        type=int,
        metavar="N",
        help=f"Results to return, 1 to {settings.TOP_K_MAX}.",
        default=settings.TOP_K,
    ),
    _field(
        *("alpha", "-a", "--alpha"),
        type=float,
        metavar="A",
        help="Weight of the vector side in hybrid mode, 0 to 1; keywords get the rest.",
        default=settings.ALPHA,
    ),
    _field(
        *("depth", "--depth"),
        type=int,
        metavar="N",
        help=f"Hits fetched per retriever, top-k to {settings.DEPTH_MAX}.",
        default=settings.DEPTH,
    ),
    _field(
        *("rrf_k", "--rrf-k"),
        type=float,
        metavar="K",
        help="1 or more. Larger flattens the lead of top ranks in multi mode.",
        default=settings.RRF_K,
    ),
    _field(
        *("normalize", "--normalize"),
        type=Word("normalize", _literals("Normalize")),
        metavar="HOW",
        help="How hybrid mode brings each side to 0-1: max, minmax or none.",
        default="max",
    ),
    _field(
        *("weights", "--weights"),
        type=WeightsType(),
        metavar="NAME=W,...",
        help="Weight of each retriever's vote in multi mode, such as vector=1,bm25=2; 0 leaves one "
        "out.",
        default="1 each",
    ),
    _field(
        *("similarity_threshold", "--threshold"),
        type=float,
        metavar="S",
        help="Least cosine similarity of a vector hit, 0 to 1.",
        default=settings.SIMILARITY_THRESHOLD,
    ),
    _field(
        *("source_types", "-t", "--type"),
        type=Word("type", _literals("SourceType")),
        metavar="TYPE",
        help="Only doc, code or test; may be repeated.",
    ),
    _field(
        *("languages", "-l", "--language"),
        type=Word("language", _languages),
        metavar="NAME",
        help="Only this language, such as python or markdown; may be repeated.",
    ),
    _field(
        *("file_paths", "-p", "--path"),
        type=str,
        metavar="GLOB",
        help="Only sources that match, gitignore style; may be repeated.",
    ),
    _field(
        *("filter_stage", "--filter-stage"),
        type=Word("filter_stage", _literals("FilterStage")),
        metavar="STAGE",
        help="pre filters before retrieval; post cuts to top-k first, to show what that loses.",
        default="pre",
    ),
    _field(
        *("collapse", "--collapse"),
        type=Word("collapse", _literals("Collapse")),
        metavar="HOW",
        help="overlap folds chunks that share lines, source keeps the best of each source, none "
        "keeps all.",
        default="none",
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
    text: tuple[str, ...],
    given: Path | None,
    explain: bool,
    as_json: bool,
    trace: bool,
    **fields: Any,
) -> None:
    """Answer the question TEXT...; quotes are optional.

    Exits with 0 if there are results, with 1 if there are none, as grep does.

    \b
    $ brainkit query how are sessions signed
    $ brainkit query "how are sessions signed" --mode bm25 --explain
    $ brainkit query retry --type code --path "**/src/**" --top-k 3
    $ brainkit query "busy server" --mode multi --weights vector=1,bm25=2 --json
    """
    asked = {name: value for name, value in fields.items() if value not in (None, ())}
    with opened(existing_brain(given)) as brain:
        answer = brain.query(" ".join(text), **asked)
    if as_json:
        emit(answer.response.model_dump(mode="json", exclude=None if trace else {"trace"}))
    else:
        show(answer.to_rich(explain=explain))
    if not answer.results:
        ctx.exit(NOTHING_FOUND)
