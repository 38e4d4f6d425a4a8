from __future__ import annotations

import math
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brainkit.errors import InvalidDataset, InvalidSetting
from brainkit.evaluation.datasets import load_dataset
from brainkit.evaluation.judgments import (
    Judgment,
    Judgments,
    export_beir,
    export_trec,
    kappa,
)


def label(
    query: str, content: str, grade: int | None, labeller: str = "me", **more: str
) -> Judgment:
    facts = {"source": f"{content}.md", "lines": "1-4", "note": "", "when": "", **more}
    chunk_id = f"id-{content}"
    return Judgment(
        query=query, grade=grade, labeller=labeller, chunk_id=chunk_id, content=content, **facts
    )


@pytest.fixture
def judgments(tmp_path: Path) -> Judgments:
    return Judgments(tmp_path)


def test_a_label_is_on_disk_at_once_and_readable(judgments: Judgments) -> None:
    judgments.put(label("how\tso?", "a", 2, note='says "yes"\nand more', when="2026-01-02"))
    again = Judgments(judgments.path.parent)
    (one,) = again
    assert (one.query, one.grade, one.note) == ("how\tso?", 2, 'says "yes"\nand more')
    first = judgments.path.read_text().splitlines()[0]
    assert first.split("\t")[:5] == ["query", "source", "lines", "grade", "labeller"]


def test_the_last_label_of_a_person_counts_and_persons_stay_apart(judgments: Judgments) -> None:
    judgments.put(label("q", "a", 1))
    judgments.put(label("q", "a", 3))
    judgments.put(label("q", "a", 0, labeller="you"))
    assert len(judgments) == 2
    assert {n: j.grade for n, j in judgments.of("q", labeller="me").items()} == {"a": 3}
    assert judgments.labellers() == ("me", "you")
    assert [one.grade for one in judgments.graded(labeller="you").values()] == [0]


def test_lines_stay_where_they_are_so_that_a_change_is_one_line_of_a_diff(
    judgments: Judgments,
) -> None:
    for content in "cab":
        judgments.put(label("q", content, 1))
    before = judgments.path.read_text().splitlines()
    judgments.put(label("q", "b", 2))
    after = judgments.path.read_text().splitlines()
    assert [line.split("\t")[1] for line in before[1:]] == ["a.md", "b.md", "c.md"]
    assert sum(x != y for x, y in zip(before, after, strict=True)) == 1


def test_undo_takes_back_the_last_label_of_that_person(judgments: Judgments) -> None:
    judgments.put(label("q", "a", 1, when="2026-01-01"))
    judgments.put(label("q", "b", 2, when="2026-01-02"))
    judgments.put(label("q", "c", 3, labeller="you", when="2026-01-03"))
    undone = judgments.undo("me")
    assert undone is not None
    assert undone.content == "b"
    assert sorted(one.content for one in judgments) == ["a", "c"]
    assert judgments.undo("nobody") is None
    assert judgments.remove(("q", "a", "me"))
    assert not judgments.remove(("q", "a", "me"))


def test_threads_lose_no_label(judgments: Judgments) -> None:
    def work(name: str) -> None:
        mine = Judgments(judgments.path.parent)
        for n in range(15):
            mine.put(label(f"q{n}", "a", 1, labeller=name))

    threads = [threading.Thread(target=work, args=(f"t{n}",)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(judgments) == 60


@pytest.mark.parametrize("grade", [-1, 4, 10])
def test_a_grade_out_of_range_is_refused_and_nothing_written(
    judgments: Judgments, grade: int
) -> None:
    with pytest.raises(InvalidSetting, match=r"0 \(not relevant\) to 3 \(perfect\)"):
        judgments.put(label("q", "a", grade))
    assert not judgments.path.exists()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("query\tsource\nx\ty\n", "no column"),
        ("HEAD\nq\ts\t1\t7\tme\t\t\ti\tc\n", "line 2: grade '7'"),
        ("HEAD\nq\ts\n", "line 2"),
    ],
)
def test_a_damaged_file_is_named_by_line_and_kept(
    judgments: Judgments, text: str, told: str
) -> None:
    head = "query\tsource\tlines\tgrade\tlabeller\tnote\twhen\tchunk_id\tcontent"
    written = text.replace("HEAD", head)
    judgments.path.write_text(written)
    with pytest.raises(InvalidDataset, match=told):
        judgments.put(label("q", "a", 1))
    assert judgments.path.read_text() == written


@given(
    labels=st.lists(
        st.tuples(st.text(max_size=9), st.sampled_from("abc"), st.none() | st.integers(0, 3)),
        max_size=8,
    )
)
def test_any_text_survives(
    tmp_path_factory: pytest.TempPathFactory, labels: list[tuple[str, str, int | None]]
) -> None:
    folder = tmp_path_factory.mktemp("labels")
    held = Judgments(folder)
    expected = {}
    for query, content, grade in labels:
        clean = query.encode("utf-8", "replace").decode()
        held.put(label(query, content, grade, when="w"))
        expected[clean, content, "me"] = grade
    assert {one.key: one.grade for one in Judgments(folder)} == expected


def test_labels_become_a_dataset_at_the_place_where_their_text_is_now(
    judgments: Judgments,
) -> None:
    judgments.put(label("q", "a", 2))
    judgments.put(label("q", "b", 0))
    judgments.put(label("q", "c", None))
    plain = judgments.to_dataset()
    assert plain.qrels == {"q": {"a.md": 2, "b.md": 0}}
    moved = judgments.to_dataset(places={"a": ["renamed.md"], "b": ["renamed.md"]})
    assert moved.qrels == {"q": {"renamed.md": 2}}
    assert judgments.to_dataset(unit="chunk").qrels == {"q": {"id-a": 2, "id-b": 0}}


def test_no_label_above_zero_is_no_dataset(judgments: Judgments) -> None:
    with pytest.raises(InvalidDataset, match="label some results first"):
        judgments.to_dataset()
    judgments.put(label("q", "a", 0))
    with pytest.raises(InvalidDataset, match="label some results first"):
        judgments.to_dataset()


def test_exports_can_be_read_back(judgments: Judgments, tmp_path: Path) -> None:
    judgments.put(label("how so", "a", 2, source="my notes/a b.md"))
    judgments.put(label("how so", "b", 0))
    judgments.put(label("MAX", "c", 1))
    dataset = judgments.to_dataset()
    back = load_dataset(export_beir(dataset, tmp_path / "beir"))
    assert list(back.queries.values()) == list(dataset.queries.values())
    assert list(back.qrels.values()) == list(dataset.qrels.values())
    qrels, topics = export_trec(dataset, tmp_path / "trec")
    trec = load_dataset(qrels, queries=topics)
    assert sorted(trec.queries.values()) == ["MAX", "how so"]
    assert {"my%20notes/a%20b.md": 2, "b.md": 0} in trec.qrels.values()


def test_kappa_by_hand(judgments: Judgments) -> None:
    # Both label a b c d; they agree on a (1), b (1), c (0) and not on d (1, 0).
    for content, mine, yours in (
        ("a", 1, 1),
        ("b", 1, 1),
        ("c", 0, 0),
        ("d", 1, 0),
        ("e", 2, None),
    ):
        judgments.put(label("q", content, mine))
        judgments.put(label("q", content, yours, labeller="you"))
    one, other = judgments.graded(labeller="me"), judgments.graded(labeller="you")
    # p_o = 3/4; p_e = P(both 1) + P(both 0) = 3/4 * 2/4 + 1/4 * 2/4 = 1/2.
    assert kappa(one, other) == (pytest.approx((3 / 4 - 1 / 2) / (1 - 1 / 2)), 4)
    assert kappa(one, one) == (1.0, 5)
    value, common = kappa(one, {})
    assert math.isnan(value)
    assert common == 0
