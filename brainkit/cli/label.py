"""``brainkit label``: the labels of a brain, counted, compared and exported."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from brainkit.cli.brains import brain_option, existing, opened
from brainkit.cli.output import NOTHING_FOUND, emit, json_option, note, show

if TYPE_CHECKING:
    from brainkit.evaluation.judgments import Judgments

labeller_option = click.option(
    "--labeller", metavar="NAME", help="Only labels by this person; by default the latest of all."
)


@click.group()
def label() -> None:
    """Count, compare and export the relevance labels of a brain.

    They are given in a notebook, with brain.label(queries) or the grade buttons of
    brain.explore(), and kept in the brain's judgments.tsv.

    \b
    Examples:
    $ brainkit label show
    $ brainkit label export --trec labels --beir labels
    $ brainkit label agreement ana ben --weights linear
    """


@label.command("show")
@brain_option
@json_option
@click.pass_context
def show_labels(ctx: click.Context, given: Path | None, as_json: bool) -> None:
    """List how many labels each person gave to each question.

    The exit code is 1 if there is none.

    \b
    Examples:
    $ brainkit label show
    $ brainkit label show --json
    """
    with opened(existing(given)) as brain:
        rows = _counted(brain.judgments)
    if as_json:
        emit({"labels": rows})
    elif rows:
        from rich.table import Table

        from brainkit.markup import terminal

        table = Table(*rows[0], box=None)
        for row in rows:
            table.add_row(*(terminal(value) for value in row.values()))
        show(table)
    else:
        note("There are no labels yet; give some with brain.label(queries) in a notebook.")
    if not rows:
        ctx.exit(NOTHING_FOUND)


@label.command("export")
@brain_option
@click.option(
    "--trec", type=click.Path(path_type=Path), metavar="FOLDER",
    help="Write qrels.txt and topics.tsv there, as trec_eval reads them.",
)  # fmt: skip
@click.option(
    "--beir", type=click.Path(path_type=Path), metavar="FOLDER",
    help="Write queries.jsonl and qrels/test.tsv there, as BEIR has them.",
)  # fmt: skip
@labeller_option
@click.option(
    "--unit", type=click.Choice(["source", "chunk"]), default="source", show_default=True,
    help="What is judged; a source has the grade of its best chunk.",
)  # fmt: skip
@json_option
def export_labels(
    *,
    given: Path | None,
    trec: Path | None,
    beir: Path | None,
    labeller: str | None,
    unit: str,
    as_json: bool,
) -> None:
    """Write the grades in the forms of TREC and BEIR.

    A grade counts where its text is now, also after a rename. Skipped chunks are left out.

    \b
    Examples:
    $ brainkit label export --trec labels
    $ brainkit label export --beir labels --labeller ana --unit chunk
    """
    if trec is None and beir is None:
        raise click.UsageError("say in which form: --trec FOLDER, --beir FOLDER, or both.")
    from brainkit.evaluation.exports import export_beir, export_trec

    with opened(existing(given)) as brain:
        dataset = brain.judgments.to_dataset(
            labeller=labeller,
            unit=unit,  # type: ignore[arg-type] # click knows choices as texts only
            whole=True,
        )
    files = [] if trec is None else [str(path) for path in export_trec(dataset, trec)]
    files += [] if beir is None else [str(export_beir(dataset, beir))]
    grades = sum(map(len, dataset.qrels.values()))
    if as_json:
        emit({"queries": len(dataset), "grades": grades, "written": files})
    else:
        note(f"{grades:,} grades of {len(dataset):,} questions: {', '.join(files)}")


@label.command("agreement")
@click.argument("one")
@click.argument("other")
@click.option(
    "--weights", type=click.Choice(["none", "linear", "quadratic"]), default="none",
    show_default=True, help="How far grades that differ a little count as agreement.",
)  # fmt: skip
@brain_option
@json_option
def show_agreement(
    one: str, other: str, *, weights: str, given: Path | None, as_json: bool
) -> None:
    """Compare two labellers by Cohen's kappa, with the grades they gave.

    ONE and OTHER are names of labellers, as `brainkit label show` lists them.

    \b
    Examples:
    $ brainkit label agreement ana ben
    $ brainkit label agreement ana ben --weights quadratic --json
    """
    from brainkit.evaluation.agreement import agreement

    with opened(existing(given)) as brain:
        found = agreement(
            brain.judgments,
            one,
            other,
            weights=weights,  # type: ignore[arg-type] # as above
        )
    if as_json:
        emit(found.to_dict())
    else:
        click.echo(repr(found))


def _counted(judgments: Judgments) -> list[dict[str, str | int]]:
    rows: dict[tuple[str, str], dict[str, str | int]] = {}
    order = {query: n for n, query in enumerate(judgments.queries())}
    for one in sorted(judgments, key=lambda one: (order[one.query], one.labeller)):
        row = rows.setdefault(
            (one.query, one.labeller),
            {
                "question": one.query,
                "labeller": one.labeller,
                **dict.fromkeys(("0", "1", "2", "3", "skipped"), 0),
            },
        )
        name = "skipped" if one.grade is None else str(one.grade)
        row[name] = int(row[name]) + 1
    return list(rows.values())
