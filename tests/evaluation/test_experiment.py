from __future__ import annotations

import json
import math
from typing import Any

import ir_measures
import numpy as np
import pytest

import brainkit
from brainkit.errors import (
    FilterError,
    InvalidDataset,
    InvalidMeasure,
    InvalidRequest,
    InvalidSetting,
)
from brainkit.evaluation.datasets import Dataset, load_dataset
from brainkit.evaluation.experiment import Evaluation, evaluate, named
from brainkit.models import QueryRequest

CONFIGS = {
    "keywords": {"mode": "bm25"},
    "meaning": {"mode": "vector"},
    "both": {"mode": "hybrid", "alpha": 0.4},
    "ranges": QueryRequest(query="-", mode="hybrid", normalize="minmax"),
    "ranks": {"mode": "multi", "weights": {"vector": 1, "bm25": 1, "graph": 0}},
}


@pytest.fixture(scope="module")
def found(library: brainkit.Brain, questions: Dataset) -> Evaluation:
    return evaluate(library, questions, CONFIGS, progress=False)


@pytest.mark.parametrize("name", CONFIGS)
def test_rankings_are_those_of_queries(
    library: brainkit.Brain, questions: Dataset, found: Evaluation, name: str
) -> None:
    request = named(CONFIGS)[name]
    for query, text in questions.queries.items():
        asked = request.with_(query=text, top_k=10, depth=50)
        sources = [result.source for result in library.query(asked).results]
        assert list(found.rankings[name][query])[:10] == sources


@pytest.mark.parametrize("name", CONFIGS)
def test_scores_are_those_of_ir_measures(questions: Dataset, found: Evaluation, name: str) -> None:
    run = {
        query: {source: 1.0 / rank for rank, source in enumerate(ranking, 1)}
        for query, ranking in found.rankings[name].items()
    }
    for measure in found.measures:
        oracle = ir_measures.calc_aggregate(
            [ir_measures.parse_measure(str(measure))],
            {q: dict(row) for q, row in questions.qrels.items()},
            run,
        )
        assert found.mean(name, measure) == pytest.approx(next(iter(oracle.values())), abs=1e-9)


def test_candidates_are_fetched_once_for_what_differs_only_in_fusion(
    library: brainkit.Brain, questions: Dataset
) -> None:
    asked = []

    class Counting:
        def query(self, query: QueryRequest, *, trace: Any = "needed") -> Any:
            asked.append(query)
            return library.query(query, trace=trace)

    evaluate(Counting(), questions, CONFIGS, progress=False)
    assert len(asked) == len(questions)
    filtered = {**CONFIGS, "docs": {"mode": "bm25", "source_types": ["doc"]}}
    asked.clear()
    evaluate(Counting(), questions, filtered, progress=False)
    assert len(asked) == 2 * len(questions)


def test_keywords_alone_embed_nothing(questions: Dataset, library: brainkit.Brain) -> None:
    only = evaluate(library, questions, {"a": {"mode": "bm25"}}, progress=False)
    one = library.query("token", mode="bm25")
    assert "embed" not in one.response.timings_ms
    assert (only.ms["a"] > 0).all()


def test_a_query_without_results_counts_zero_and_is_listed(library: brainkit.Brain) -> None:
    rows = [
        {"query": "zzz qqq", "source": "sign", "grade": 1},
        {"query": "token", "source": "token", "grade": 1},
    ]
    dataset = load_dataset(rows)
    result = evaluate(library, dataset, {"k": {"mode": "bm25"}}, progress=False)
    assert result.values("k", "nDCG@10").tolist() == [0.0, 1.0]
    assert "1 (configuration, query) pairs found nothing and count 0: ('k', 'zzz qqq')." in (
        result.notes
    )
    assert result.empty == (("k", "zzz qqq"),)


def test_what_cannot_run_is_not_run_and_not_zero(
    library: brainkit.Brain, questions: Dataset
) -> None:
    class Monolingual:
        def query(self, query: QueryRequest, *, trace: Any = "needed") -> Any:
            if query.languages:
                raise FilterError("languages=('klingon',): none of that here.")
            return library.query(query, trace=trace)

    bad = {**CONFIGS, "klingon": {"mode": "bm25", "languages": ["klingon"]}}
    result = evaluate(Monolingual(), questions, bad, progress=False)
    assert np.isnan(result.values("klingon", "nDCG@10")).all()
    assert math.isnan(result.mean("klingon", "R@5"))
    assert "klingon was not run: " in " ".join(result.notes)
    assert [one.config for one in result.compare()] == ["meaning", "both", "ranges", "ranks"]
    assert result.to_dict()["configs"]["klingon"]["means"]["nDCG@10"] is None


def test_an_interrupt_keeps_what_is_done(library: brainkit.Brain, questions: Dataset) -> None:
    class Interrupted:
        left = 4

        def query(self, query: QueryRequest, *, trace: Any = "needed") -> Any:
            self.left -= 1
            if self.left < 0:
                raise KeyboardInterrupt
            return library.query(query, trace=trace)

    result = evaluate(Interrupted(), questions, CONFIGS, progress=False)
    values = result.values("both", "nDCG@10")
    assert result.done == 4
    assert np.isnan(values[4:]).all()
    assert not np.isnan(values[:4]).any()
    whole = evaluate(library, questions, CONFIGS, progress=False).values("both", "nDCG@10")
    assert values[:4].tolist() == whole[:4].tolist()
    assert result.mean("both", "nDCG@10") == pytest.approx(whole[:4].mean())
    assert "4 of 9 queries" in result.summary()
    assert "Interrupted: what was not run is missing, not 0." in result.notes


def test_depth_grows_until_the_cutoff_is_filled(
    library: brainkit.Brain, questions: Dataset
) -> None:
    shallow = {"k": {"mode": "vector", "depth": 1, "top_k": 1}}
    result = evaluate(library, questions, shallow, measures=["R@8"], progress=False)
    for query, text in questions.queries.items():
        deep = library.query(text, mode="vector", top_k=10).results
        assert list(result.rankings["k"][query])[:8] == [one.source for one in deep][:8]
    assert result.depths["k"] >= 8


def test_comparison_with_the_baseline_by_hand(found: Evaluation) -> None:
    (one,) = (c for c in found.compare() if c.config == "both")
    difference = found.values("both", "nDCG@10") - found.values("keywords", "nDCG@10")
    assert one.difference.mean == pytest.approx(float(difference.mean()))
    assert one.tally == (
        int((difference > 1e-12).sum()),
        int((np.abs(difference) <= 1e-12).sum()),
        int((difference < -1e-12).sum()),
    )
    assert one.p_corrected >= one.p


def test_another_baseline(library: brainkit.Brain, questions: Dataset) -> None:
    result = evaluate(library, questions, CONFIGS, baseline="meaning", progress=False)
    assert {one.baseline for one in result.compare()} == {"meaning"}
    with pytest.raises(InvalidSetting, match="did you mean 'meaning'"):
        evaluate(library, questions, CONFIGS, baseline="meening", progress=False)


def test_unjudged_results_are_counted(library: brainkit.Brain, found: Evaluation) -> None:
    first = next(iter(found.dataset.queries))
    top = list(found.rankings["meaning"][first])[:10]
    judged = found.dataset.qrels[first]
    assert found.unjudged["meaning"][0] == sum(s not in judged for s in top) / len(top)


def test_tables(found: Evaluation) -> None:
    table = found.table()
    assert list(table.index) == list(CONFIGS)
    assert table.loc["both", "nDCG@10"] == found.mean("both", "nDCG@10")
    assert table.loc["keywords", "wins/ties/losses"] == ""
    assert table.loc["both", "wins/ties/losses"].count("/") == 2
    rows = found.per_query("RR@10")
    assert list(rows.columns) == ["query", *CONFIGS]
    assert rows["both"].tolist() == found.values("both", "RR@10").tolist()
    by_type = found.breakdown("type")
    assert dict(by_type["queries"]) == {"exact": 3, "fact": 2, "paraphrase": 4}
    weighted = (by_type["both"] * by_type["queries"]).sum() / 9
    assert weighted == pytest.approx(found.mean("both", "nDCG@10"))
    with pytest.raises(InvalidSetting, match="have the fields type"):
        found.breakdown("kind")
    assert "nDCG@10" in repr(found)


def test_what_only_one_configuration_finds(found: Evaluation) -> None:
    only = found.found_only_by(1)
    for name, pairs in only.items():
        for query, unit in pairs:
            assert found.rankings[name][query][0] == unit
            others = [r[query][:1] for other, r in found.rankings.items() if other != name]
            assert [unit] not in [list(other) for other in others]


def test_plain_data_is_json(found: Evaluation) -> None:
    back = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert back["configs"]["both"]["means"]["nDCG@10"] == found.mean("both", "nDCG@10")
    assert back["query_ids"] == list(found.dataset.queries)


def test_judgements_of_what_is_not_there_are_told(
    library: brainkit.Brain, questions: Dataset
) -> None:
    known = {"sign", "key"}
    result = evaluate(library, questions, {"k": {"mode": "bm25"}}, known=known, progress=False)
    assert any("of 10 relevant sources are not in this brain" in note for note in result.notes)
    with pytest.raises(InvalidDataset, match="none of the 10 relevant sources"):
        evaluate(library, questions, {"k": {"mode": "bm25"}}, known={"other"}, progress=False)


def test_chunks_can_be_ranked_instead_of_sources(
    library: brainkit.Brain, questions: Dataset
) -> None:
    ids = dict(library.to_frame()[["source", "chunk_id"]].itertuples(index=False))
    rows = [
        {"query": text, "source": ids[source], "grade": grade}
        for query, text in questions.queries.items()
        for source, grade in questions.qrels[query].items()
    ]
    dataset = load_dataset(rows)
    by_chunk = evaluate(library, dataset, CONFIGS, unit="chunk", progress=False)
    by_source = evaluate(library, questions, CONFIGS, progress=False)
    for name in CONFIGS:
        assert by_chunk.mean(name, "nDCG@10") == by_source.mean(name, "nDCG@10")


def test_names_come_from_what_is_set() -> None:
    assert list(named([{"mode": "bm25"}, {"alpha": 0.3}])) == ["bm25", "hybrid alpha=0.3"]
    with pytest.raises(InvalidSetting, match="two configurations are called 'bm25'"):
        named([{"mode": "bm25"}, {"mode": "bm25"}])
    with pytest.raises(InvalidRequest, match="did you mean 'hybrid'"):
        named({"a": {"mode": "hybird"}})


def test_neighbours_change_no_figure(library: brainkit.Brain, questions: Dataset) -> None:
    shallow = {"mode": "multi", "rrf_k": 1, "depth": 2, "top_k": 2}
    deep = {**shallow, "depth": 50}
    alone = evaluate(library, questions, {"a": shallow}, measures=["nDCG@2"], progress=False)
    both = evaluate(
        library, questions, {"a": shallow, "b": deep}, measures=["nDCG@2"], progress=False
    )
    assert both.rankings["a"] == alone.rankings["a"]
    assert both.rankings["a"] != both.rankings["b"]
    assert (both.depths["a"], both.depths["b"]) == (alone.depths["a"], 50)


@pytest.mark.parametrize("configs", [["bm25"], {"a": "bm25"}, {"a": None}])
def test_a_configuration_that_is_no_settings_is_refused(configs: Any) -> None:
    with pytest.raises(InvalidSetting, match="give fields of QueryRequest"):
        named(configs)


@pytest.mark.parametrize("configs", [{}, [], "bm25", QueryRequest(query="x")])
def test_no_configurations_are_refused_with_an_example(
    library: brainkit.Brain, questions: Dataset, configs: Any
) -> None:
    with pytest.raises(InvalidSetting, match="give settings by name"):
        evaluate(library, questions, configs, progress=False)


def test_unknown_measures_and_units_are_refused(
    library: brainkit.Brain, questions: Dataset
) -> None:
    with pytest.raises(InvalidMeasure, match="nDCG@k"):
        evaluate(library, questions, CONFIGS, measures=["nCDG@10"], progress=False)
    with pytest.raises(InvalidSetting, match="source, chunk"):
        evaluate(library, questions, CONFIGS, unit="page", progress=False)  # type: ignore[arg-type]
    with pytest.raises(InvalidSetting, match="measures is empty"):
        evaluate(library, questions, CONFIGS, measures=[], progress=False)
