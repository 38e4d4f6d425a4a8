from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from brainkit.errors import InvalidDataset
from brainkit.evaluation.datasets import Dataset, load_dataset

Make = Callable[..., Path]
QUERIES = [
    {"_id": "q1", "text": "how are sessions signed", "metadata": {"type": "paraphrase"}},
    {"_id": "q2", "text": "MAX_RETRIES"},
]
QRELS = ["query-id\tcorpus-id\tscore", "q1\ta.md\t2", "q1\tb.md\t0", "q2\tc.py\t1"]


@pytest.fixture
def beir(tmp_path: Path) -> Make:
    """Write a BEIR folder."""

    def make(
        queries: list[Any] = QUERIES, qrels: list[str] = QRELS, *, zipped: bool = False
    ) -> Path:
        folder = tmp_path / "set"
        (folder / "qrels").mkdir(parents=True, exist_ok=True)
        lines = "".join(f"{q if isinstance(q, str) else json.dumps(q)}\n" for q in queries)
        judged = "".join(f"{line}\n" for line in qrels)
        if zipped:
            (folder / "queries.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
            (folder / "qrels" / "test.tsv.gz").write_bytes(gzip.compress(judged.encode()))
        else:
            (folder / "queries.jsonl").write_text(lines, "utf-8")
            (folder / "qrels" / "test.tsv").write_text(judged, "utf-8")
        return folder

    return make


@pytest.mark.parametrize("zipped", [False, True])
def test_a_beir_folder(beir: Make, zipped: bool) -> None:
    found = load_dataset(beir(zipped=zipped))
    assert found.name == "set"
    assert found.queries == {"q1": "how are sessions signed", "q2": "MAX_RETRIES"}
    assert found.qrels == {"q1": {"a.md": 2, "b.md": 0}, "q2": {"c.py": 1}}
    assert found.metadata == {"q1": {"type": "paraphrase"}, "q2": {}}
    assert found.corpus is None
    assert "2 queries, 2 relevant sources, 1 judged not relevant" in repr(found)


def test_documents_come_from_the_corpus(beir: Make) -> None:
    folder = beir()
    with pytest.raises(InvalidDataset, match="no documents"):
        list(load_dataset(folder).records())
    (folder / "corpus.jsonl").write_text('{"_id": "a.md", "text": "x", "title": "t"}\n')
    assert list(load_dataset(folder).records()) == [{"_id": "a.md", "text": "x", "title": "t"}]


def test_trec_files(tmp_path: Path) -> None:
    (tmp_path / "x.qrels").write_text("301 0 FT1 1\n301 0 FT2 0\n302 0 FT3 2\n")
    topics = "<top>\n<num> Number: 301\n<title> Crime\n\n<desc> d\n</top>\n"
    topics += "<top><num>302</num><title>Wild\n life</title></top>"
    (tmp_path / "topics").write_text(topics)
    found = load_dataset(tmp_path / "x.qrels", queries=tmp_path / "topics")
    assert found.queries == {"301": "Crime", "302": "Wild life"}
    assert found.qrels == {"301": {"FT1": 1, "FT2": 0}, "302": {"FT3": 2}}
    topics = '<topics><topic number="301"><query>Crime &amp; law</query><question>?</question>'
    topics += "</topic>\n<topic number='302' type=\"f\">\n<title>Wild\nlife</title></topic>"
    (tmp_path / "topics").write_text(topics)
    found = load_dataset(tmp_path / "x.qrels", queries=tmp_path / "topics")
    assert found.queries == {"301": "Crime & law", "302": "Wild life"}
    (tmp_path / "topics").write_text("301\tCrime abroad\n302\tWild life\n")
    found = load_dataset(tmp_path / "x.qrels", queries=tmp_path / "topics")
    assert found.queries["301"] == "Crime abroad"


ROWS = [
    {"query": "a, b", "source": 'x "1".md', "grade": 2, "type": "t"},
    {"query": "a, b", "source": "y.md", "grade": 0, "type": "t"},
    {"query": "c", "source": "z.md", "grade": 1, "type": "u"},
]


def test_tables_of_every_kind_say_the_same(tmp_path: Path) -> None:
    frame = pd.DataFrame(ROWS)
    frame.to_csv(tmp_path / "t.csv", index=False)
    for given in (frame, ROWS, tmp_path / "t.csv", str(tmp_path / "t.csv")):
        found = load_dataset(given)
        assert found.queries == {"a, b": "a, b", "c": "c"}
        assert found.qrels == {"a, b": {'x "1".md': 2, "y.md": 0}, "c": {"z.md": 1}}
        assert found.metadata["c"] == {"type": "u"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "is empty"),
        ("query,source,grade\nwhat, then,a.md,1\n", "line 2: 4 columns, .* in quotes"),
        ("query,source,grade\nwhat,a.md\n", "line 2: 2 columns, and the header has 3"),
        ("question,source,grade\nwhat,a.md,1\n", "no column query .* question, source, grade"),
    ],
)
def test_what_is_wrong_with_a_table_is_named_by_line(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "t.csv").write_text(text)
    with pytest.raises(InvalidDataset, match=told):
        load_dataset(tmp_path / "t.csv")


def test_a_gzipped_table_and_columns_without_an_id(tmp_path: Path) -> None:
    frame = pd.DataFrame([{**row, "query_id": None} for row in ROWS])
    frame.to_csv(tmp_path / "t.csv.gz", index=False)
    assert load_dataset(tmp_path / "t.csv.gz").queries == {"a, b": "a, b", "c": "c"}


def test_a_query_id_keeps_two_like_queries_apart() -> None:
    rows = [{**ROWS[2], "query_id": n, "source": f"s{n}"} for n in (1, 2)]
    assert load_dataset(rows).qrels == {"1": {"s1": 1}, "2": {"s2": 1}}


WRONG = {
    "judgement of an unknown query": ([*QRELS, "q9\ta.md\t1"], "line 5: judges query 'q9'"),
    "two that disagree": ([*QRELS, "q1\ta.md\t1"], "line 5: grades 'a.md' .* with 1, .* with 2"),
    "a grade below 0": ([*QRELS, "q1\tz\t-1"], "line 5: grade '-1'; grades are whole numbers"),
    "a half grade": ([*QRELS, "q1\tz\t0.5"], "whole numbers"),
    "no number": ([*QRELS, "q1\tz\thigh"], "'high' is no whole number"),
    "not a number": ([*QRELS, "q1\tz\tnan"], "is no whole number"),
    "infinite": ([*QRELS, "q1\tz\tinf"], "is no whole number"),
    "too few columns": ([*QRELS, "q1\tz"], "line 5: 2 columns"),
    "an empty split": (QRELS[:1], "set has no judgements"),
    "nothing relevant": (["q1\ta.md\t0"], "no query with a source of grade above 0"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_with_judgements_is_named_by_line(beir: Make, case: str) -> None:
    qrels, told = WRONG[case]
    with pytest.raises(InvalidDataset, match=told):
        load_dataset(beir(qrels=qrels))


@pytest.mark.parametrize(
    ("queries", "told"),
    [
        ([*QUERIES, "{"], "line 3 is no JSON"),
        ([*QUERIES, {"text": "x"}], "line 3: needs _id and text"),
        ([*QUERIES, "[1]"], "line 3: needs _id and text"),
        ([QUERIES[0], {"_id": "q2", "text": " "}], "'q2' has no text"),
    ],
)
def test_what_is_wrong_with_queries_is_named(beir: Make, queries: list[Any], told: str) -> None:
    with pytest.raises(InvalidDataset, match=told):
        load_dataset(beir(queries=queries))


def test_what_can_be_tolerated_is_told(beir: Make) -> None:
    long = {"_id": "q3", "text": "x" * 1500}
    found = load_dataset(
        beir([*QUERIES, long], [*QRELS, "q1\ta.md\t2", "q2\td.md\t0", "q3\te.md\t1"])
    )
    assert found.cut == ("q3",)
    assert len(found.queries["q3"]) == 1000
    assert found.notes == (
        "1 judgements were given twice, alike.",
        "1 queries cut to 1,000 characters: 'q3'.",
    )
    none_relevant = load_dataset(beir([*QUERIES, long], [*QRELS, "q3\te.md\t0"]))
    assert list(none_relevant.queries) == ["q1", "q2"]
    many = [{"_id": f"n{n}", "text": "y" * 1001} for n in range(7)]
    cut = load_dataset(beir([*QUERIES, *many], [*QRELS, *(f"n{n}\ta.md\t1" for n in range(7))]))
    assert cut.cut == tuple(f"n{n}" for n in range(7))
    assert (
        "7 queries cut to 1,000 characters: 'n0', 'n1', 'n2', 'n3', 'n4' and 2 more." in cut.notes
    )
    assert none_relevant.notes == ("1 queries without a relevant source left out.",)


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("nowhere", "neither a folder nor a file"),
        ([{"query": "a", "source": "b"}], "line 1: no column grade"),
        ([{"query": "a", "source": "b", "grade": None}], "is no whole number"),
        ([{"query": float("nan"), "source": "b", "grade": 1}], "line 1: no query"),
        ([{"query": "a", "source": None, "grade": 1}], "line 1: no source"),
        ([], "table has no judgements"),
    ],
)
def test_a_source_that_cannot_be_read(source: Any, told: str) -> None:
    with pytest.raises(InvalidDataset, match=told):
        load_dataset(source)


def test_a_folder_without_judgements_and_a_split_that_is_not_there(
    beir: Make, tmp_path: Path
) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(InvalidDataset, match="no BEIR collection"):
        load_dataset(tmp_path / "empty")
    with pytest.raises(InvalidDataset, match="no split 'train'; it has test"):
        load_dataset(beir(), split="train")


def test_trec_qrels_need_their_topics(tmp_path: Path) -> None:
    (tmp_path / "q.tsv").write_text("1\t0\tdoc\t1\n2\t0\tdoc\t1\n")
    with pytest.raises(InvalidDataset, match="give its topics too"):
        load_dataset(tmp_path / "q.tsv")
    (tmp_path / "bad").write_text("1 0 d\n")
    with pytest.raises(InvalidDataset, match="line 1: 3 columns"):
        load_dataset(tmp_path / "bad", queries=tmp_path / "q.tsv")


@pytest.fixture
def forty() -> Dataset:
    rows = [{"query": f"q{n}", "source": f"s{n}", "grade": 1} for n in range(40)]
    return load_dataset(rows)


@pytest.mark.parametrize("count", [2, 5, 40])
def test_folds_test_every_query_once_and_never_train_on_it(forty: Dataset, count: int) -> None:
    folds = forty.folds(count, seed=1)
    assert sorted(q for _, test in folds for q in test.queries) == sorted(forty.queries)
    for train, test in folds:
        assert not train.queries.keys() & test.queries.keys()
        assert len(train) + len(test) == 40
        assert train.qrels.keys() == train.queries.keys()
    assert folds == forty.folds(count, seed=1)
    assert folds != forty.folds(count, seed=2)


def test_folds_out_of_range_are_refused(forty: Dataset) -> None:
    for count in (0, 1, 41):
        with pytest.raises(InvalidDataset, match="2 to 40 folds"):
            forty.folds(count)


def test_shuffled_judgements_are_the_same_ones_of_other_queries(forty: Dataset) -> None:
    dealt = forty.shuffled(seed=0)
    assert dealt.queries == forty.queries
    assert sorted(map(str, dealt.qrels.values())) == sorted(map(str, forty.qrels.values()))
    same = sum(dealt.qrels[one] == forty.qrels[one] for one in forty.queries)
    assert same < 5


def test_only_refuses_unknown_ids(forty: Dataset) -> None:
    assert list(forty.only(["q3", "q1"]).queries) == ["q1", "q3"]
    with pytest.raises(InvalidDataset, match="no query 'q77'"):
        forty.only(["q77"])


def test_every_public_collection_loads(shared: Path) -> None:
    folders = sorted(one.parent for one in shared.glob("*/queries.jsonl"))
    assert len(folders) >= 12
    for folder in folders:
        found = load_dataset(folder)
        assert len(found) > 0
        assert found.qrels.keys() == found.queries.keys()


def test_the_samples_own_questions_load(repository: Path) -> None:
    found = load_dataset(repository / "data" / "sample-questions")
    assert len(found) == 64
    by_name = load_dataset("sample")
    assert by_name.name == "sample"
    assert by_name.qrels == found.qrels
    assert {facts["type"] for facts in found.metadata.values()} >= {"exact"}


def test_labels_are_a_dataset_by_file_and_by_folder(tmp_path: Path) -> None:
    """One is skipped, and of two people's labels of a text the latest counts."""
    rows = [
        [*("query", "source", "lines", "grade", "labeller", "note", "when", "chunk_id", "content")],
        ["q", "a.md", "1-2", "0", "ann", "", "2026-01-01", "c1", "h1"],
        ["q", "a.md", "1-2", "2", "bob", "", "2026-01-02", "c1", "h1"],
        ["q", "b.md", "1-9", "", "ann", "no idea", "2026-01-01", "c2", "h2"],
    ]
    lines = ["\t".join(row) + "\n" for row in rows]
    (tmp_path / "judgments.tsv").write_text("".join(lines))
    for given in (tmp_path, tmp_path / "judgments.tsv"):
        assert load_dataset(given).qrels == {"q": {"a.md": 2}}
