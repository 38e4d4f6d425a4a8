from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import portalocker
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brainkit.errors import InvalidDataset, InvalidSetting, LabelNotWritten
from brainkit.evaluation import judgments as module
from brainkit.evaluation.datasets import load_dataset
from brainkit.evaluation.judgments import GRADES, MEANINGS, TEXT_MAX, Judgment, Judgments

FOR_EVER = """
import itertools, sys
from pathlib import Path
from brainkit.evaluation.judgments import Judgment, Judgments
held = Judgments(Path(sys.argv[1]))
for n in itertools.count():
    held.put(Judgment(f"q{n}", "a.md", "1", 2, "me", "", "", "c", "content"))
    print(n, flush=True)
"""


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


@pytest.mark.parametrize("grade", [-1, 4, 10, True, 2.0, "2"])
def test_a_grade_that_is_none_is_refused_and_nothing_written(
    judgments: Judgments, grade: int
) -> None:
    with pytest.raises(InvalidSetting, match=r"0 \(not relevant\) to 3 \(perfect\)"):
        judgments.put(label("q", "a", grade))
    assert not judgments.path.exists()


def test_a_text_that_no_reader_could_take_back_is_refused(judgments: Judgments) -> None:
    longest = replace(label("q", "a", 1), note='"' * TEXT_MAX)
    judgments.put(longest)
    assert [one.note for one in judgments] == [longest.note]
    with pytest.raises(InvalidSetting, match="note has 50,001 characters; at most 50,000 fit"):
        judgments.put(replace(longest, note="n" * (TEXT_MAX + 1)))
    assert len(judgments) == 1


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


def test_with_whole_questions_without_a_relevant_chunk_are_kept(judgments: Judgments) -> None:
    judgments.put(label("q", "a", 0))
    judgments.put(label("r", "a", None))
    assert judgments.to_dataset(whole=True).qrels == {"q": {"a.md": 0}}


def test_whereabouts_are_asked_for_the_texts_that_have_grades(judgments: Judgments) -> None:
    judgments.put(label("q", "a", 2))
    judgments.put(label("q", "b", None))
    asked = []

    def whereabouts(contents: object, unit: str) -> dict[str, list[str]]:
        asked.append((contents, unit))
        return {"a": ["new.md", "copy.md"]}

    held = Judgments(judgments.path.parent, whereabouts=whereabouts)
    assert held.to_dataset().qrels == {"q": {"new.md": 2, "copy.md": 2}}
    assert load_dataset(held).qrels == {"q": {"new.md": 2, "copy.md": 2}}
    assert asked == [({"a"}, "source")] * 2


def test_a_file_of_labels_is_a_dataset_whatever_its_name(
    judgments: Judgments, tmp_path: Path
) -> None:
    judgments.put(label("q", "a", 1, note="two\nlines"))
    judgments.put(label("q", "b", 3, source="a.md", labeller="you"))
    judgments.put(label("q", "c", None))
    for path in (judgments.path, judgments.path.rename(tmp_path / "of-ana.tsv")):
        if path.exists():
            assert load_dataset(path).qrels == {"q": {"a.md": 3}}


def test_what_was_before_is_brought_back_unless_it_changed_since(judgments: Judgments) -> None:
    first, _ = judgments.put(label("q", "a", 1))
    second, before = judgments.put(label("q", "a", 3))
    assert before == first
    assert judgments.take_back(second, before)
    assert list(judgments) == [first]
    judgments.put(label("q", "a", 2, note="elsewhere"))
    assert not judgments.take_back(first, None)
    assert [one.note for one in judgments] == ["elsewhere"]


def test_undo_among_keys_leaves_other_labels_alone(judgments: Judgments) -> None:
    judgments.put(label("q", "a", 1))
    judgments.put(label("r", "b", 2))
    undone = judgments.undo("me", among={("q", "a", "me")})
    assert undone is not None
    assert undone.query == "q"
    assert judgments.undo("me", among=set()) is None


def test_questions_come_in_the_order_in_which_they_were_first_labelled(
    judgments: Judgments,
) -> None:
    judgments.put(label("z", "a", 1, when="2026-01-01"))
    judgments.put(label("a", "a", 1, when="2026-01-02"))
    judgments.put(label("z", "b", 1, when="2026-01-03"))
    assert judgments.queries() == ("z", "a")


def test_a_killed_process_loses_no_label_that_it_had_acknowledged(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", FOR_EVER, str(tmp_path)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if int(line) == 25:
                break
        process.kill()
        acknowledged = 26 + len(process.stdout.readlines())
    assert len(Judgments(tmp_path)) in (acknowledged, acknowledged + 1)


def test_a_file_that_cannot_be_written_is_said_and_stays_as_it_was(
    judgments: Judgments, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, _ = judgments.put(label("q", "a", 1))
    temporary = judgments.path.with_name(judgments.path.name + ".tmp")
    temporary.mkdir()  # as good as a full disk: the new file cannot come to be
    with pytest.raises(LabelNotWritten, match=r"cannot be written \(Is a directory\)"):
        judgments.put(label("q", "b", 1))
    assert list(judgments) == [kept]
    temporary.rmdir()
    monkeypatch.setattr(module, "_PATIENCE_S", 0.05)
    lock = judgments.path.with_name(f".{judgments.path.name}.lock")
    with (
        portalocker.Lock(lock, "a"),
        pytest.raises(LabelNotWritten, match="being written by another process"),
    ):
        judgments.put(label("q", "b", 1))
    with contextlib.chdir(judgments.path.parent):
        os.unlink(lock)
    judgments.put(label("q", "b", 1))
    assert len(judgments) == 2


def test_every_grade_has_a_name_and_a_meaning() -> None:
    assert len(GRADES) == len(MEANINGS) == 4
