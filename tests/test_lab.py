"""The working folder of `brainkit lab`, and the first lesson as it is there."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import nbclient
import nbformat
import pytest

import brainkit
from brainkit.errors import InvalidSetting
from brainkit.kit import kit_folder
from brainkit.lab import BRAIN, FIRST, prepare, sample_brain

EDITED = b'{"cells": [], "mine": true}'
LESSON_S = 300


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample in a brain of fast vectors."""
    folder = tmp_path_factory.mktemp("built") / BRAIN
    with brainkit.open(folder, embedder="static") as brain:
        brain.ingest(kit_folder("data") / "sample", label="sample", progress=False)
    return folder


@pytest.fixture
def folder(built: Path, tmp_path: Path) -> Path:
    """A working folder that has the brain and no lessons yet."""
    shutil.copytree(built, tmp_path / "lessons" / BRAIN)
    return tmp_path / "lessons"


def lessons(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("*.ipynb"))


def first_lesson(repository: Path) -> Any:
    return nbformat.read(repository / "notebooks" / FIRST, as_version=4)


def test_lessons_and_brain_are_there_and_a_second_time_nothing_is_done(folder: Path) -> None:
    ready = prepare(folder, progress=False)
    assert ready.folder == folder
    assert FIRST in ready.copied
    assert lessons(folder) == lessons(kit_folder("notebooks"))
    with brainkit.open(folder / BRAIN) as brain:
        assert ready.chunks == brain.info().counts["chunks"] > 500
    again = prepare(folder, progress=False)
    assert (again.copied, again.kept, again.chunks) == ((), (), ready.chunks)


def test_what_was_edited_stays_and_what_was_not_is_brought_up_to_date(
    folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    kit = tmp_path / "kit"
    kit.mkdir()
    monkeypatch.setattr("brainkit.lab.kit_folder", lambda name: {"notebooks": kit}.get(name, data))
    data = kit_folder("data")
    for name in ("00_edited.ipynb", "01_read.ipynb", "02_theirs.ipynb"):
        (kit / name).write_bytes(b'{"version": 1}')
    (folder / "02_theirs.ipynb").write_bytes(EDITED)
    ready = prepare(folder, progress=False)
    assert (ready.copied, ready.kept) == (
        ("00_edited.ipynb", "01_read.ipynb"),
        ("02_theirs.ipynb",),
    )
    (folder / "00_edited.ipynb").write_bytes(EDITED)
    for version in (2, 3):
        new = b'{"version": %d}' % version
        for lesson in kit.iterdir():
            lesson.write_bytes(new)
        ready = prepare(folder, progress=False)
        assert ready.copied == ("01_read.ipynb",)
        assert ready.kept == ("00_edited.ipynb", "02_theirs.ipynb")
        assert (folder / "01_read.ipynb").read_bytes() == new
        assert (folder / "00_edited.ipynb").read_bytes() == EDITED
        assert (folder / "02_theirs.ipynb").read_bytes() == EDITED


@pytest.mark.parametrize("record", [b"", b"[1]", b"\xff", b'{"00_start_here.ipynb": 3}'])
def test_a_damaged_record_of_copies_loses_nothing(record: bytes, folder: Path) -> None:
    prepare(folder, progress=False)
    (folder / FIRST).write_bytes(EDITED)
    (folder / ".brainkit-lessons.json").write_bytes(record)
    assert FIRST in prepare(folder, progress=False).kept
    assert (folder / FIRST).read_bytes() == EDITED


def test_solutions_and_what_runs_leave_behind_are_not_copied(
    folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    kit, data = tmp_path / "kit", kit_folder("data")
    monkeypatch.setattr("brainkit.lab.kit_folder", lambda name: {"notebooks": kit}.get(name, data))
    for name in (
        *("00_a.ipynb", "images/a.png", ".ipynb_checkpoints/00_a.ipynb", "page.html"),
        *("sample.brain/CURRENT", "__pycache__/a.pyc", "solutions/00.py"),
    ):
        (kit / name).parent.mkdir(parents=True, exist_ok=True)
        (kit / name).write_bytes(b"")
    assert prepare(folder, progress=False).copied == ("00_a.ipynb", "images/a.png")


def test_a_file_cannot_be_the_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    with pytest.raises(InvalidSetting, match=r"file' cannot be the working folder"):
        prepare(tmp_path / "file", progress=False)


def test_the_first_lesson_is_short_and_holds_no_outputs(repository: Path) -> None:
    lesson = first_lesson(repository)
    nbformat.validate(lesson)
    code = [cell for cell in lesson.cells if cell.cell_type == "code"]
    assert len(code) <= 20
    assert all(cell.outputs == [] and cell.execution_count is None for cell in code)
    assert not any(re.search(r"^[!%]|https?:|/home/|\\", cell.source, re.M) for cell in code)


@pytest.mark.slow
@pytest.mark.timeout(LESSON_S)
def test_the_first_lesson_says_what_is_true(tmp_path: Path, repository: Path) -> None:
    lesson = first_lesson(repository)
    cells = {cell.id: cell for cell in lesson.cells}
    nbclient.NotebookClient(
        lesson, timeout=LESSON_S, resources={"metadata": {"path": str(tmp_path)}}
    ).execute()

    def said(name: str) -> str:
        outputs = cells[name].outputs
        return "\n".join(o.get("text") or o["data"]["text/plain"] for o in outputs)

    assert "Not predicted. cosine-similarity.md is first." in said("words")
    assert "1. sample/shelf/docs/sessions.md:1-4" in said("vector")
    assert re.search(r"1\. sample/shelf/docs/retries.md:30-33", said("multi"))
    assert "client.py" in said("graph")
    assert "fetch -> calls -> shelf.records.normalize_isbn" in said("path")
    assert "not answered yet" in said("answer")
    assert (tmp_path / "sessions.html").stat().st_size > 50_000
    with sample_brain(tmp_path, progress=False) as brain:
        votes = brain.query("what happens after too many attempts", mode="multi").results[0]
        assert votes.explanation.sentence.startswith("Third by meaning")
        assert "third by keywords" in votes.explanation.sentence
        said_by = {a: answered(brain, cells["answer"].source, a) for a in ("0.45", "0.9", "0.1")}
    assert said_by == {
        "0.45": "right",
        "0.9": "sessions.md is first there, but already before: go lower",
        "0.1": "sessions.md is not first there: go higher",
    }


def answered(brain: brainkit.Brain, exercise: str, answer: str) -> str:
    """What the exercise says of an answer."""
    told: list[str] = []
    names = {"brain": brain, "question": "how are sessions signed", "print": told.append}
    exec(exercise.replace("answer = ...", f"answer = {answer}", 1), names)
    return told[0]
