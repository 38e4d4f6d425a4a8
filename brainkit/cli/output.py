"""What reaches stdout and stderr: text for people, or exactly one JSON document."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any, NoReturn, TextIO, TypeVar

import click

from brainkit.errors import BrainBusy, BrainkitError

if TYPE_CHECKING:
    from rich.console import RenderableType

Function = TypeVar("Function", bound=Callable[..., Any])

NOTHING_FOUND = FAULTS = 1
MISTAKE = 2
BUSY = 3
INTERRUPTED = 128 + 2
READER_GONE = 128 + 13
"""As a shell reports the signals SIGINT and SIGPIPE."""

_UNWRAPPED = 10_000
"""Columns of a pipe: whoever reads it can wrap lines, but not join them again."""

json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON document, and nothing else, to stdout."
)


def show(renderable: RenderableType) -> None:
    """Print for people: wrapped and styled on a terminal (unless NO_COLOR is set), else plain."""
    from rich.console import Console

    plain = {"color_system": None} if os.environ.get("NO_COLOR") else {}
    console = Console(highlight=False, markup=False, emoji=False, **plain)  # type: ignore[arg-type]
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = _UNWRAPPED
    with console.capture() as captured:
        console.print(renderable)
    text = captured.get()
    if not console.is_terminal:
        text = "\n".join(line.rstrip() for line in text.split("\n"))
    click.echo(text, nl=False, color=console.is_terminal)


def emit(document: dict[str, Any]) -> None:
    """Print one JSON document. It is ASCII, so that no terminal or locale can trip over it."""
    click.echo(json.dumps(document, indent=2))


def note(message: str) -> None:
    """Tell a person something beside the output."""
    from brainkit.markup import terminal

    click.echo(terminal(message), err=True)


def wants_json(args: Sequence[str]) -> bool:
    """Tell whether ``--json`` is among the options, even if they cannot be parsed.

    >>> wants_json(["query", "x", "--json"]), wants_json(["query", "--", "--json"])
    (True, False)
    """
    options = args[: args.index("--")] if "--" in args else args
    return "--json" in options


def tolerate_any_text(*streams: TextIO) -> None:
    """Let streams print what their encoding lacks, as escapes instead of an error.

    Arguments that are not UTF-8 reach Python as lone surrogates, which no encoding has.
    """
    for stream in streams:
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


@contextmanager
def failures(ctx: click.Context, *, as_json: bool) -> Iterator[None]:
    """Turn what goes wrong in the block into a message and an exit code."""

    def fail(kind: str, message: str, code: int) -> NoReturn:
        try:
            if as_json:
                emit({"error": {"type": kind, "message": message}})
            else:
                note(message)
        except OSError:  # stdout itself is what failed: a full disk, for instance
            _abandon_stdout()
            note(message)
        ctx.exit(code)

    try:
        yield
    except BrokenPipeError:
        _abandon_stdout()
        ctx.exit(READER_GONE)
    except (KeyboardInterrupt, click.Abort):
        if not as_json:
            click.echo(err=True)  # ends the line with the terminal's ^C
        fail("Interrupted", _interrupted(ctx), INTERRUPTED)
    except click.UsageError as error:
        if not as_json:
            raise
        fail(type(error).__name__, error.format_message(), error.exit_code)
    except BrainkitError as error:
        message = str(error) if as_json else f"Error: {error}"
        fail(type(error).__name__, message, BUSY if isinstance(error, BrainBusy) else MISTAKE)
    except OSError as error:
        fail(type(error).__name__, str(error) if as_json else f"Error: {error}", MISTAKE)


def _abandon_stdout() -> None:
    """Send what is still buffered nowhere, or Python fails again when it flushes at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _interrupted(ctx: click.Context) -> str:
    if ctx.invoked_subcommand != "ingest":
        return "Interrupted."
    return (
        "Interrupted. The brain answers as before, and finished embeddings are kept, as is what a "
        "model read: run the same command again to go on from there."
    )
