"""``brainkit eval``: which settings find what people judged relevant."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from brainkit.cli.brains import brain_option, existing, existing_or_new, opened
from brainkit.cli.ingest import EMBEDDERS
from brainkit.cli.output import FAULTS, INTERRUPTED, Function, emit, json_option, note, show
from brainkit.cli.settings import configs_of, settings_of
from brainkit.errors import InvalidDataset, InvalidSetting, NotABrain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from brainkit.brain import Brain
    from brainkit.evaluation.datasets import Dataset
    from brainkit.widgets.evaluated import Evaluation, Sweep

SAMPLE = "sample"  # of evaluation.datasets, which help does not load; a test compares the two
_MEASURES = "nDCG@10,R@5,RR@10,AP@100"

_OPTIONS: tuple[Callable[[Function], Function], ...] = (
    click.argument("source", metavar="DATASET"),
    brain_option,
    click.option(
        "-c", "--configs", "configs", multiple=True, metavar="NAME:SETTINGS",
        help="What to compare, such as both:mode=hybrid,alpha=.3, or bm25 alone, or a JSON or TOML "
        "file of settings by name; may be repeated.  [default: each mode, and the brain's own "
        "defaults]",
    ),
    click.option(
        "--baseline", "baselines", multiple=True, metavar="NAME",
        help="What the others are compared with; may be repeated.  [default: the first]",
    ),
    click.option(
        "--measures", default=_MEASURES, metavar="NAME,...",
        help=f"The first decides comparisons and sweeps.  [default: {_MEASURES}]",
    ),
    click.option(
        "--unit", default="source", metavar="UNIT",
        help="source ranks distinct sources, the best chunk of each counting; chunk ranks chunks.  "
        "[default: source]",
    ),
    click.option(
        "--split", default="test", metavar="NAME",
        help="Which judgements of a BEIR folder.  [default: test]",
    ),
    click.option(
        "--queries", type=click.Path(path_type=Path), metavar="FILE",
        help="The topics, where DATASET is a TREC qrels file.",
    ),
    click.option(
        "--by", metavar="FIELD", help="Also show the means by a field of the queries, such as type."
    ),
    click.option(
        "-s", "--sweep", "sweeps", multiple=True, metavar="SETTING",
        help='Measure a setting over its range, such as alpha, rrf_k or "k1 x b", and what tuning '
        "it gains on held-out queries; may be repeated.",
    ),
    click.option(
        "--base", metavar="SETTINGS",
        help="The other settings of a sweep, such as mode=hybrid,normalize=minmax.",
    ),
    click.option(
        "--folds", type=int, default=5, metavar="N",
        help="A sweep holds out one of so many parts after the other; 0 holds out none.  "
        "[default: 5]",
    ),
    click.option(
        "--hold-out", metavar="SPLIT",
        help="Instead of folds: --split chooses, and this split of the folder measures; so do "
        "--configs, with what was chosen among them.",
    ),
    click.option("--seed", type=int, default=0, metavar="N", help="Of the folds.  [default: 0]"),
    click.option(
        "--use", is_flag=True, help="Store what the last sweep chose as the brain's defaults."
    ),
    click.option(
        "--ingest", is_flag=True,
        help="First take in the documents that the dataset brings; makes the brain where there is "
        "none.",
    ),
    click.option(
        "--embedder", type=click.Choice(EMBEDDERS),
        help="With --ingest: what makes the vectors.  [default: the brain's own, local for a new "
        "one]",
    ),
    click.option(
        "--html", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
        help="Also write a live report, one page that opens anywhere.",
    ),
    click.option(
        "--out", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
        help="Also write to a file what --json prints.",
    ),
    click.option("--no-progress", is_flag=True, help="No progress bars, even on a terminal."),
    json_option,
)  # fmt: skip


@dataclass
class _Asked:
    """What is to be done, once the files are read."""

    configs: Mapping[str, Mapping[str, Any]]
    baselines: Sequence[str]
    measures: Sequence[str]
    unit: Any
    sweeps: Sequence[str]
    base: Mapping[str, Any] | None
    folds: int
    seed: int
    progress: bool


@dataclass
class _Done:
    """What has been done, also where it was interrupted."""

    sweeps: list[Sweep] = field(default_factory=list)
    evaluation: Evaluation | None = None
    interrupted: bool = False

    def faulty(self) -> bool:
        """Whether some configuration could not be run."""
        return bool(self.evaluation and self.evaluation.not_run)


def _takes_options(command: Function) -> Function:
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@click.command("eval")
@_takes_options
@click.pass_context
def eval_(
    ctx: click.Context,
    /,
    *,
    source: str,
    given: Path | None,
    configs: tuple[str, ...],
    baselines: tuple[str, ...],
    measures: str,
    unit: str,
    split: str,
    queries: Path | None,
    by: str | None,
    sweeps: tuple[str, ...],
    base: str | None,
    folds: int,
    hold_out: str | None,
    seed: int,
    use: bool,
    ingest: bool,
    embedder: str | None,
    html: Path | None,
    out: Path | None,
    no_progress: bool,
    as_json: bool,
) -> None:
    """Measure settings on judged questions, and tune them honestly.

    DATASET is a BEIR folder, a TREC qrels file with --queries, a CSV or TSV table of query, source
    and grade, a brain's judgments.tsv, or sample for the questions about the sample. Interrupted,
    it shows what is done. The exit code is 1 if a configuration could not be run.

    \b
    Examples:
    $ brainkit eval sample -c bm25 -c both:mode=hybrid,alpha=.3 --by type
    $ brainkit eval sample --sweep alpha
    $ brainkit eval sample --sweep "k1 x b" --folds 3 --html tuned.html
    """
    _check_options(sweeps, hold_out=hold_out, base=base, use=use, ingest=ingest, embedder=embedder)
    from brainkit.evaluation.datasets import load_dataset

    asked = _Asked(
        configs=configs_of(configs),
        baselines=baselines,
        measures=[one.strip() for one in measures.split(",") if one.strip()],
        unit=unit,
        sweeps=sweeps,
        base=settings_of(base) if base else None,
        folds=0 if hold_out else folds,
        seed=seed,
        progress=sys.stderr.isatty() and not no_progress,
    )
    dataset = load_dataset(source, split=split, queries=queries)
    held = load_dataset(source, split=hold_out) if hold_out else None
    with _brain(given, source, dataset, ingest=ingest, embedder=embedder) as brain:
        if ingest:
            _take_in(brain, source, dataset, progress=asked.progress)
        done = _run(brain, asked, dataset, held)
        if use and done.sweeps and not done.interrupted:
            brain.use(done.sweeps[-1])
        document = _document(brain, done)
        if out is not None:
            _write(out, document)
        if as_json:
            emit(document)
        else:
            _show(done, asked, by)
            if use:
                note(brain.defaults().summary())
                tuned = done.sweeps[-1].held if done.sweeps else None
                if tuned is None or not tuned.beyond_noise:
                    note("No gain beyond noise was shown; `brainkit defaults --reset` undoes it.")
        if html is not None and (items := [*done.sweeps, *filter(None, [done.evaluation])]):
            note(f"Report: {brain.report(items, html, title=f'Evaluation on {dataset.name}')}")
    if done.interrupted:
        note("Interrupted. What is shown is of the queries that were run.")
        ctx.exit(INTERRUPTED)
    if done.faulty():
        ctx.exit(FAULTS)


def _check_options(
    sweeps: Sequence[str],
    *,
    hold_out: str | None,
    base: str | None,
    use: bool,
    ingest: bool,
    embedder: str | None,
) -> None:
    given = {"--hold-out": hold_out, "--base": base, "--use": use or None}
    alone = [name for name, value in given.items() if value is not None]
    if alone and not sweeps:
        raise click.UsageError(f"{alone[0]} is about a sweep; add --sweep SETTING.")
    if embedder and not ingest:
        raise click.UsageError("--embedder is about taking documents in; add --ingest.")


@contextmanager
def _brain(
    given: Path | None, source: str, dataset: Dataset, *, ingest: bool, embedder: str | None
) -> Iterator[Brain]:
    if ingest:
        with opened(existing_or_new(given, [source]), create=True, embedder=embedder) as brain:
            yield brain
        return
    try:
        with opened(existing(given)) as brain:
            yield brain
    except NotABrain as error:
        if dataset.corpus is None and source != SAMPLE:
            raise
        raise NotABrain(
            f"{error}\nOr add --ingest: it makes the brain of the documents of {dataset.name}."
        ) from None


def _take_in(brain: Brain, source: str, dataset: Dataset, *, progress: bool) -> None:
    from brainkit.kit import kit_folder

    if dataset.corpus is not None:
        report = brain.ingest_texts(dataset.records(), split=False, progress=progress)
    elif source == SAMPLE:
        report = brain.ingest(kit_folder("data") / SAMPLE, progress=progress)
    else:
        raise InvalidDataset(
            f"{dataset.name} brings no documents; take in the folder that it is about: "
            f"brainkit ingest FOLDER --brain {brain.folder}"
        )
    note(report.summary())


def _run(brain: Brain, asked: _Asked, dataset: Dataset, held: Dataset | None) -> _Done:
    """Sweep, then compare; an interrupt ends it with what there is."""
    import brainkit

    done = _Done()
    common: dict[str, Any] = {"unit": asked.unit, "progress": asked.progress}
    try:
        for setting in asked.sweeps:
            found = brainkit.sweep(
                brain,
                dataset,
                setting,
                base=asked.base,
                measure=asked.measures[0] if asked.measures else "",
                folds=min(asked.folds, len(dataset)),
                test=held,
                seed=asked.seed,
                **common,
            )
            done.sweeps.append(found)
            if found.interrupted:
                done.interrupted = True
                return done
        configs = _compared(brain, asked, done.sweeps, is_held=held is not None)
        if configs:
            done.evaluation = brainkit.evaluate(
                brain,
                held or dataset,
                configs,
                measures=asked.measures,
                baseline=asked.baselines[0] if asked.baselines else None,
                **common,
            )
            done.interrupted = done.evaluation.interrupted
    except KeyboardInterrupt:
        if not done.sweeps:
            raise
        done.interrupted = True
    return done


def _compared(
    brain: Brain, asked: _Asked, sweeps: Sequence[Sweep], *, is_held: bool
) -> dict[str, Mapping[str, Any]]:
    """Return the configurations to compare; after a sweep with folds only those asked for."""
    configs = dict(asked.configs)
    if not configs and (is_held or not sweeps):
        configs = {name: {"mode": name} for name in ("bm25", "vector", "hybrid", "graph", "multi")}
        if own := brain.defaults().own:
            configs["defaults"] = own
    if is_held:
        for found in sweeps:
            name = f"tuned {found.setting}"
            if name in configs:
                raise InvalidSetting(f"{name!r} is what the sweep is called; choose another name.")
            configs[name] = found.config
    return configs


def _document(brain: Brain, done: _Done) -> dict[str, Any]:
    return {
        "brain": str(brain.folder),
        "evaluation": None if done.evaluation is None else done.evaluation.to_dict(),
        "sweeps": [found.to_dict() for found in done.sweeps],
        "interrupted": done.interrupted,
        "defaults": brain.defaults().to_dict(),
    }


def _show(done: _Done, asked: _Asked, by: str | None) -> None:
    from brainkit.cli.eval_tables import evaluation_text, sweep_text

    for number, found in enumerate(done.sweeps):
        show(sweep_text(found) if not number else _below(sweep_text(found)))
    if done.evaluation is not None:
        baselines = asked.baselines or (done.evaluation.baseline,)
        text = evaluation_text(done.evaluation, baselines=baselines, by=by)
        show(_below(text) if done.sweeps else text)


def _below(renderable: Any) -> Any:
    from rich.padding import Padding

    return Padding(renderable, (1, 0, 0, 0))


def _write(path: Path, document: Mapping[str, Any]) -> None:
    from brainkit.store.layout import write_whole

    write_whole(path, (json.dumps(document, indent=2) + "\n").encode())
