from __future__ import annotations

from pathlib import Path

import ir_measures
import pytest

from brainkit.errors import InvalidSetting
from brainkit.evaluation.datasets import Dataset, load_dataset
from brainkit.evaluation.exports import export_beir, export_trec

LABELS = Dataset(
    "labels",
    {"how\tso": "how\tso", "MAX": "MAX"},
    {"how\tso": {"my notes/a b.md": 2, "b.md": 0, "50%.md": 1}, "MAX": {"c.md": 1}},
)


def test_beir_reads_back_the_same(tmp_path: Path) -> None:
    back = load_dataset(export_beir(LABELS, tmp_path / "new" / "beir"))
    assert list(back.queries.values()) == list(LABELS.queries.values())
    assert list(back.qrels.values()) == list(LABELS.qrels.values())


def test_trec_reads_back_with_blanks_written_as_in_urls(tmp_path: Path) -> None:
    qrels, topics = export_trec(LABELS, tmp_path)
    back = load_dataset(qrels, queries=topics)
    assert back.queries == {"1": "how so", "2": "MAX"}
    assert back.qrels["1"] == {"my%20notes/a%20b.md": 2, "b.md": 0, "50%25.md": 1}
    read = {
        (one.query_id, one.doc_id): one.relevance for one in ir_measures.read_trec_qrels(str(qrels))
    }
    assert read["1", "my%20notes/a%20b.md"] == 2
    assert len(read) == 4


@pytest.mark.parametrize("export", [export_trec, export_beir])
def test_a_place_that_cannot_be_written_is_named(export: object, tmp_path: Path) -> None:
    taken = tmp_path / "file"
    taken.write_text("")
    with pytest.raises(InvalidSetting, match="give another folder"):
        export(LABELS, taken)  # type: ignore[operator]


def test_names_that_break_columns_do_not_break_the_file(tmp_path: Path) -> None:
    odd = Dataset("odd", {"q": "q"}, {"q": {"a\tb\nc\u00a0d.md": 1}})
    assert load_dataset(export_beir(odd, tmp_path)).qrels == {"q1": {"a%09b%0Ac\u00a0d.md": 1}}
    qrels, topics = export_trec(odd, tmp_path)
    assert load_dataset(qrels, queries=topics).qrels == {"1": {"a%09b%0Ac%C2%A0d.md": 1}}
