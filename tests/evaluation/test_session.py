"""Going through pools: where one is, what is open, and what a restart finds again."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path

import pytest

from brainkit.errors import InvalidSetting, LabelNotWritten, NoSuchSource
from brainkit.evaluation.judgments import Judgments
from brainkit.evaluation.pooling import Item, Pool
from brainkit.evaluation.session import Session

Start = Callable[..., Session]


def item(name: str) -> Item:
    return Item(name, f"id-{name}", f"{name}.md", "1-2", "doc", None, name, "{}", ())


POOLS = [Pool("first", tuple(map(item, "abc"))), Pool("none", ()), Pool("second", (item("a"),))]


@pytest.fixture
def start(tmp_path: Path) -> Start:
    """Begin, as after a restart: nothing is known but what is on disk."""

    def begun(labeller: str = "me", pools: list[Pool] = POOLS) -> Session:
        return Session(Judgments(tmp_path), pools, labeller=labeller)

    return begun


def here(session: Session) -> str:
    page = session.page
    if page is None:
        return "end"
    return f"{page.question}{page.item.content if page.item else '-'}"


def test_grades_go_on_to_what_is_open_and_past_the_empty_question(start: Start) -> None:
    session = start()
    seen = []
    for grade in (0, 1, 2, 3):
        seen.append(here(session))
        session.judge(grade)
    assert seen == ["0a", "0b", "0c", "2a"]
    assert here(session) == "end"
    assert (session.progress().open, session.done(), dict(session.grades())) == (
        *(0, 3),
        {0: 1, 1: 1, 2: 1, 3: 1},
    )
    assert session.judgments.of("first")["a"].grade == 0


def test_a_restart_goes_on_at_the_first_open_chunk(start: Start) -> None:
    first = start()
    first.judge(2)
    first.judge(None)
    again = start()
    assert here(again) == "0c"
    assert (again.progress().graded, again.progress().skipped, again.progress().open) == (1, 1, 2)
    again.go("previous")
    again.go("previous")
    assert again.page is not None
    label = again.label(again.page)
    assert label is not None
    assert label.grade == 2


def test_a_label_of_the_same_text_for_another_question_is_another_label(start: Start) -> None:
    session = start()
    session.judge(3)
    session.go(2)
    assert here(session) == "2a"
    assert session.page is not None
    assert session.label(session.page) is None


def test_labellers_are_kept_apart(start: Start) -> None:
    mine, yours = start("me"), start("you")
    mine.judge(1)
    assert here(yours) == "0a"
    yours.judge(3)
    assert [start(name).progress().graded for name in ("me", "you", "who")] == [1, 1, 0]
    assert {one.labeller: one.grade for one in mine.judgments} == {"me": 1, "you": 3}


def test_a_chunk_out_of_turn_sends_back_to_what_was_passed_over(start: Start) -> None:
    session = start()
    session.go("next")
    session.judge(1)
    assert here(session) == "0c"
    session.judge(1)
    assert here(session) == "0a"  # before the next question


def test_undo_brings_back_what_was_and_goes_there(start: Start) -> None:
    session = start()
    session.judge(1)
    session.go("previous")
    session.judge(3, note="sure")
    session.judge(None)
    assert [session.undo().grade, here(session)] == [None, "0b"]  # type: ignore[union-attr]
    assert [session.undo().grade, here(session)] == [3, "0a"]  # type: ignore[union-attr]
    assert [(one.grade, one.note) for one in session.judgments] == [(1, "")]
    session.undo()
    assert session.undo() is None
    assert len(session.judgments) == 0


def test_undo_after_a_restart_takes_back_the_last_label_of_these_questions(start: Start) -> None:
    session = start()
    session.judge(1)
    session.judge(2)
    other = Session(session.judgments, [Pool("elsewhere", (item("z"),))], labeller="me")
    other.judge(3)
    again = start()
    undone = again.undo()
    assert undone is not None
    assert (undone.content, here(again)) == ("b", "0b")
    assert sorted(one.query for one in again.judgments) == ["elsewhere", "first"]


def test_what_was_changed_elsewhere_since_is_not_taken_back(start: Start) -> None:
    session, other = start(), start()
    session.judge(1)
    other.judge(2)  # the same chunk, in another notebook
    undone = session.undo()
    assert undone is not None
    assert undone.grade == 2  # the last change that is there


def test_a_note_stays_with_its_label_and_counts_as_skipped_alone(start: Start) -> None:
    session = start()
    session.note("  unsure ")
    assert (here(session), session.progress().skipped) == ("0a", 1)
    session.judge(2)
    session.go("previous")
    session.judge(1)
    assert [(one.grade, one.note) for one in session.judgments] == [(1, "unsure")]
    session.go("previous")
    session.note("")
    assert [(one.grade, one.note) for one in session.judgments] == [(1, "")]


def test_skipped_chunks_are_gone_through_one_after_the_other(start: Start) -> None:
    session = start()
    for _ in range(4):
        session.judge(None)
    assert here(session) == "end"
    places = []
    for _ in range(3):
        session.go("skipped")
        places.append(here(session))
    assert places == ["0a", "0b", "0c"]
    session.go("end")
    assert here(session) == "end"


def test_moves_stop_at_both_ends_and_pass_empty_questions_one_by_one(start: Start) -> None:
    session = start()
    session.go("previous")
    assert here(session) == "0a"
    session.go(1)
    assert here(session) == "1-"
    session.go("next")
    assert here(session) == "2a"
    session.go("next")
    session.go("next")
    assert here(session) == "end"
    for wrong in (3, -1, "back"):
        with pytest.raises(InvalidSetting):
            session.go(wrong)  # type: ignore[arg-type]


def test_with_nothing_to_label_the_first_question_is_shown(start: Start) -> None:
    session = start(pools=[Pool("none", ()), Pool("nothing", ())])
    assert here(session) == "0-"
    with pytest.raises(InvalidSetting, match="no chunk here to label"):
        session.judge(1)
    with pytest.raises(NoSuchSource):
        session.find(0, "a")


def test_a_label_that_cannot_be_written_leaves_everything_as_it_was(
    start: Start, tmp_path: Path
) -> None:
    session = start()
    (tmp_path / "judgments.tsv.tmp").mkdir()
    with pytest.raises(LabelNotWritten):
        session.judge(2)
    assert (here(session), session.progress().open) == ("0a", 4)
    (tmp_path / "judgments.tsv.tmp").rmdir()
    session.judge(2)
    assert here(session) == "0b"


def test_a_pool_that_grew_asks_only_for_what_is_new(start: Start) -> None:
    session = start(pools=[POOLS[0]])
    for _ in range(3):
        session.judge(1)
    grown = dataclasses.replace(POOLS[0], items=(item("d"), *POOLS[0].items))
    assert here(start(pools=[grown])) == "0d"


@pytest.mark.parametrize("name", ["", "  ", "a\tb", "a\nb", "x" * 81, "\u202eevil"])
def test_a_name_that_no_table_can_hold_is_refused(name: str, start: Start) -> None:
    with pytest.raises(InvalidSetting, match="is no name"):
        start(name)
