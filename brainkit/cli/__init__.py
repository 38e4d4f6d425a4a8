"""The command line. Importing it loads no more than click and the defaults, so help is fast."""

from __future__ import annotations

import sys
from typing import Any

import click

from brainkit import __version__
from brainkit.cli.defaults import defaults
from brainkit.cli.eval import eval_
from brainkit.cli.exchange import export, import_, sql
from brainkit.cli.graph import entities, path
from brainkit.cli.ingest import ingest, plan
from brainkit.cli.init import init
from brainkit.cli.lab import lab
from brainkit.cli.label import label
from brainkit.cli.machine import completion, doctor
from brainkit.cli.output import failures, tolerate_any_text, wants_json
from brainkit.cli.query import query
from brainkit.cli.reembed import reembed
from brainkit.cli.report import report
from brainkit.cli.upkeep import check, info, remove
from brainkit.cli.watch import watch

__all__ = ["main"]


class Commands(click.Group):
    """The root: every command's failure becomes a message, or a JSON document, and an exit code."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)  # in the order of use

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        # click's own cuts a long line off; a wrapped one says more.
        rows = [(name, self.commands[name].get_short_help_str(200)) for name in self.commands]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        tolerate_any_text(sys.stdout, sys.stderr)
        ctx.meta[__name__] = wants_json(args)
        with failures(ctx, as_json=ctx.meta[__name__]):
            return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        with failures(ctx, as_json=ctx.meta[__name__]):
            return super().invoke(ctx)


@click.group("brainkit", cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="brainkit")
def main() -> None:
    """Index folders into a brain, ask it questions, and see why each result ranks where it does.

    \b
    Examples:
    $ brainkit ingest data/sample
    $ brainkit query how are sessions signed --explain
    $ brainkit info

    \b
    Exit codes: 0 done; 1 nothing found, or faults found; 2 a mistake in what
    was asked; 3 the brain is being written by another process; 130 interrupted.
    """


_COMMANDS = (
    *(init, plan, ingest, watch, query, entities, path, info, check, remove, reembed),
    *(label, eval_, defaults, report, export, import_, sql, lab, doctor, completion),
)
for command in _COMMANDS:
    main.add_command(command)
