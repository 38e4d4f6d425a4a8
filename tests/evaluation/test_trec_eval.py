"""Every measure, on every public collection, is that of trec_eval as ir_measures runs it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import ir_measures
import numpy as np
import pytest

import brainkit
from brainkit.evaluation.measures import grades_of, parse
from brainkit.models import QueryRequest

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

NAMES = [
    "nDCG@10", "nDCG(exp)@10", "nDCG@100", "R@5", "R@100", "P@5", "RR@10", "RR@100", "AP@100",
    "Success@1", "Success@5",
]  # fmt: skip
TIED = ("npl", "cacm")
"""Collections of short texts, in which several have the very same score."""


def _collections() -> list[str]:
    given = os.environ.get("BRAINKIT_SHARED")
    beside = Path(__file__).resolve().parents[2].parent / "shared" / "datasets"
    folder = Path(given) if given else beside
    return sorted(one.parent.name for one in folder.glob("*/queries.jsonl")) or ["none"]


class Recording:
    """A brain whose bm25 lists are kept: query -> (source, score), best first."""

    def __init__(self, brain: brainkit.Brain) -> None:
        self._brain = brain
        self.lists: dict[str, list[tuple[str, float]]] = {}

    def query(self, query: QueryRequest, *, trace: Any = "needed") -> brainkit.Answer:
        answer = self._brain.query(query, trace=trace)
        source = {one.order: one.source for one in answer.trace.candidates}
        hits = answer.trace.lists["bm25"].hits
        self.lists[query.query] = [(source[hit.order], hit.score) for hit in hits]
        return answer


@pytest.fixture(scope="module", params=_collections())
def measured(
    request: pytest.FixtureRequest, shared: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[brainkit.Evaluation, Recording]]:
    """bm25 on a whole collection, of one chunk per document."""
    dataset = brainkit.load_dataset(shared / request.param)
    if dataset.corpus is not None:
        records = list(dataset.records())
    else:  # judgements of files in repositories: their paths are all there is to search
        paths = sorted({path for row in dataset.qrels.values() for path in row})
        records = [{"id": path, "text": path.replace("/", " ")} for path in paths]
    folder = tmp_path_factory.mktemp(request.param) / "x.brain"

    def one_direction(texts: list[str]) -> np.ndarray[Any, Any]:
        return np.ones((len(texts), 1), np.float32)

    with brainkit.open(folder, embedder=one_direction) as brain:
        brain.ingest_texts(records, split=False, progress=False)
        recording = Recording(brain)
        configs = {"bm25": {"mode": "bm25", "depth": 100}}
        yield (
            brainkit.evaluate(recording, dataset, configs, measures=NAMES, progress=False),
            recording,
        )


def by_trec_eval(
    name: str, qrels: Mapping[str, Mapping[str, int]], run: Mapping[str, Mapping[str, float]]
) -> dict[str, float]:
    """Query id -> value.

    Exponential gain is linear gain of grades that are 2^grade - 1. trec_eval knows no RR@k, which
    is its RR as far as that is 1/k or more.
    """
    least = 0.0
    if "(exp)" in name:
        qrels = {q: {s: 2**g - 1 for s, g in row.items()} for q, row in qrels.items()}
    if name.startswith("RR@"):
        least, name = 1.0 / int(name.removeprefix("RR@")) - 1e-9, "RR"
    measure = ir_measures.parse_measure(name.replace("(exp)", ""))
    plain = {query: dict(row) for query, row in qrels.items()}
    found = dict.fromkeys(qrels, 0.0)  # it leaves out queries without results
    for one in ir_measures.pytrec_eval.iter_calc([measure], plain, run):
        found[one.query_id] = one.value if one.value >= least else 0.0
    return found


@pytest.mark.parametrize("name", NAMES)
def test_every_query_has_the_value_of_trec_eval(
    measured: tuple[brainkit.Evaluation, Recording], name: str
) -> None:
    """Its run file must hold brainkit's order, so ranks stand for scores."""
    found, _ = measured
    run = {
        query: {source: 1.0 / rank for rank, source in enumerate(ranking, 1)}
        for query, ranking in found.rankings["bm25"].items()
    }
    theirs = by_trec_eval(name, found.dataset.qrels, run)
    ours = dict(zip(found.dataset.queries, found.values("bm25", name).tolist(), strict=True))
    assert ours == pytest.approx(theirs, abs=1e-6)
    assert found.mean("bm25", name) == pytest.approx(np.mean(list(theirs.values())), abs=1e-6)


@pytest.mark.parametrize("name", NAMES)
def test_equal_scores_in_the_order_of_trec_eval_have_its_value(
    measured: tuple[brainkit.Evaluation, Recording], name: str
) -> None:
    """trec_eval ranks equal scores by name, last first; so ranked, the values are its own."""
    found, recording = measured
    dataset, tied = found.dataset, 0
    run, ours = {}, {}
    for query, text in dataset.queries.items():
        hits = dict(recording.lists[text][:100])
        tied += len(set(hits.values())) < len(hits)
        run[query] = hits
        ranking = sorted(hits, key=lambda source: source.encode(), reverse=True)
        ranking.sort(key=lambda source: -hits[source])
        judged = dataset.qrels[query]
        grades = grades_of(ranking, judged, 100)[np.newaxis]
        ours[query] = float(parse(name).of(grades, list(judged.values()))[0])
    assert ours == pytest.approx(by_trec_eval(name, dataset.qrels, run), abs=1e-6)
    if dataset.name in TIED:
        assert tied > 0
