"""The view of an evaluation: every score of every query, to be compared in the browser."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from brainkit import markup
from brainkit.evaluation.measures import Measure
from brainkit.evaluation.outcome import Comparison, Evaluation
from brainkit.evaluation.resampling import intervals
from brainkit.models import QueryRequest
from brainkit.widgets.compact import Json
from brainkit.widgets.evaluation_fields import fields_data
from brainkit.widgets.evaluation_rankings import rankings_data
from brainkit.widgets.view import SCHEMA

TESTED_MAX: Final = 20_000
"""Differences of queries that a view tests: the first measure always, the next while they fit."""
_BASELINES_MAX: Final = 12
NOTES_MAX: Final = 20
_NOTE_CHARS: Final = 1000


def evaluation_view(evaluation: Evaluation) -> Json:
    """Return the view of an evaluation (``EvaluationView`` in ``js/evaluation/types.js``).

    Per measure, configuration and query it holds the score, and so can compare by any measure with
    any baseline. Intervals are here for every baseline, up to 12 configurations; p-values, which
    cost more, for the evaluation's own. Rankings end as ``rankings_data`` says. Equal evaluations
    give equal views. Its ``"table"`` is what people read where scripts don't run.
    """
    names = list(evaluation.configs)
    fields, left_out = fields_data(evaluation.dataset)
    first = evaluation.measures[0]
    compared = _compared(evaluation)
    return {
        "schema": SCHEMA,
        "kind": "evaluation",
        "title": title_of(evaluation),
        "dataset": evaluation.dataset.name,
        "done": evaluation.done,
        "unit": evaluation.unit,
        "generation": evaluation.generation,
        "notes": [_cut(note) for note in evaluation.notes[:NOTES_MAX]],
        "notes_left_out": max(0, len(evaluation.notes) - NOTES_MAX),
        "measures": [
            {"name": str(m), "kind": m.name, "cutoff": m.cutoff, "gain": m.gain}
            for m in evaluation.measures
        ],
        "baseline": names.index(evaluation.baseline),
        "unjudged_at": first.cutoff or 10,
        "configs": [_config(evaluation, name) for name in names],
        "ids": list(evaluation.dataset.queries),
        "queries": list(evaluation.dataset.queries.values()),
        "scores": [
            [[plain(v) for v in evaluation.values(name, m).tolist()] for name in names]
            for m in evaluation.measures
        ],
        "against": [
            _against(evaluation, measure, tested)
            for measure, tested in zip(evaluation.measures, compared, strict=True)
        ],
        "fields": fields,
        "fields_left_out": len(left_out),
        **rankings_data(evaluation),
        "table": _table(evaluation, compared[0]),
    }


def title_of(evaluation: Evaluation) -> str:
    """Return what a page of an evaluation is called."""
    return f"{evaluation.dataset.name}: {', '.join(map(str, evaluation.measures))}"


def plain(value: float) -> float | None:
    """Return a number as JSON has it: None where there is none."""
    return float(value) if np.isfinite(value) else None


def settings_of(request: QueryRequest) -> list[list[str]]:
    """Return name and value of what a configuration sets otherwise than by default; its mode first.

    >>> settings_of(QueryRequest(query="-", mode="hybrid", alpha=0.3))
    [['mode', 'hybrid'], ['alpha', '0.3']]
    """
    given = request.model_dump(mode="json", exclude={"query", "mode"})
    usual = QueryRequest(query="-").model_dump(mode="json")
    changed = [[name, _cut(text_of(v))] for name, v in given.items() if v != usual[name]]
    return [["mode", request.mode.value], *changed]


def text_of(value: Any) -> str:
    """Return the value of a setting for people.

    >>> text_of({"vector": 1, "bm25": 0.5}), text_of(0.3333333)
    ('vector 1, bm25 0.5', '0.3333')
    """
    if hasattr(value, "model_dump"):
        value = value.model_dump()
    if isinstance(value, dict):
        return ", ".join(f"{name} {text_of(one)}" for name, one in value.items())
    if isinstance(value, tuple):  # of several settings that are tried together
        return " x ".join(map(text_of, value))
    if isinstance(value, list):
        return ", ".join(map(text_of, value))
    return f"{value:.4g}" if isinstance(value, float) else str(getattr(value, "value", value))


def _config(evaluation: Evaluation, name: str) -> Json:
    ms, unjudged = evaluation.ms.get(name), evaluation.unjudged.get(name)
    ran = ms is not None and bool(np.isfinite(ms).any())
    p50, p95 = np.nanpercentile(ms, [50, 95]).tolist() if ran and ms is not None else (None, None)
    reason = evaluation.not_run.get(name)
    return {
        "name": name,
        "settings": settings_of(evaluation.configs[name]),
        "not_run": None if reason is None else _cut(reason),
        "unjudged": plain(float(np.nanmean(unjudged))) if ran and unjudged is not None else None,
        "ms": [p50, p95],
    }


def _against(
    evaluation: Evaluation, measure: Measure, tested: Sequence[Comparison]
) -> list[list[Json | None] | None]:
    """Return baseline -> configuration -> interval of the mean difference, and the corrected p.

    tested : the comparisons with the evaluation's own baseline, if they were made.
    None for a baseline that was not looked at, and where no query was run by both.
    """
    names = list(evaluation.configs)
    scores = np.array([evaluation.values(name, measure) for name in names])
    own = names.index(evaluation.baseline)
    looked = range(len(names)) if len(names) <= _BASELINES_MAX else [own]
    pairs = [(base, other) for base in looked for other in range(len(names)) if base != other]
    pairs = [(a, b) for a, b in pairs if not np.isnan(scores[b] - scores[a]).all()]
    gains = np.array([scores[b] - scores[a] for a, b in pairs])
    corrected = {(own, names.index(one.config)): one.p_corrected for one in tested}
    found: list[list[Json | None] | None] = [
        [None] * len(names) if base in looked else None for base in range(len(names))
    ]
    columns = gains.reshape(len(pairs), scores.shape[1]).T
    for (base, other), one in zip(pairs, intervals(columns), strict=True):
        row = found[base]
        if row is not None:
            row[other] = {"low": one.low, "high": one.high, "p": corrected.get((base, other))}
    return found


def _compared(evaluation: Evaluation) -> list[list[Comparison]]:
    """Return the tests against the baseline by each measure; none where they would take long."""
    each = (len(evaluation.configs) - 1) * len(evaluation.dataset)
    return [
        evaluation.compare(measure) if at == 0 or (at + 1) * each <= TESTED_MAX else []
        for at, measure in enumerate(evaluation.measures)
    ]


def _table(evaluation: Evaluation, compared: Sequence[Comparison]) -> str:
    """The configurations as HTML that stands without style and without scripts."""
    against = {one.config: one for one in compared}
    first = evaluation.measures[0]
    headers = [
        "configuration", *map(str, evaluation.measures), f"{first} difference, 95 %",
        "win/tie/loss", "p, corrected", f"unjudged@{first.cutoff or 10}", "p50 ms",
    ]  # fmt: skip
    rows = []
    for name in evaluation.configs:
        config, other = _config(evaluation, name), against.get(name)
        said = ["baseline" if name == evaluation.baseline else "", "", ""]
        if other is not None and any(other.tally):
            one = other.difference
            said = [
                f"{one.mean:+.4f} [{one.low:+.4f}, {one.high:+.4f}]",
                "/".join(map(str, other.tally)),
                f"{other.p_corrected:.4f}",
            ]
        means = [plain(evaluation.mean(name, measure)) for measure in evaluation.measures]
        shown = ["not run" if mean is None else f"{mean:.4f}" for mean in means]
        rest = [(config["unjudged"], ".3f"), (config["ms"][0], ".1f")]
        rows.append(
            [name, *shown, *said, *("" if v is None else format(v, how) for v, how in rest)]
        )
    return markup.table(
        headers,
        rows,
        caption=title_of(evaluation),
        footer=" ".join([evaluation.summary() + ".", *evaluation.notes[:NOTES_MAX]]),
        right=range(1, len(headers)),
    )


def _cut(text: str) -> str:
    return text if len(text) <= _NOTE_CHARS else text[: _NOTE_CHARS - 1] + "…"
