"""Plan and ingest: which brain is filled, what is left behind, and what an interrupt loses."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from brainkit.store.layout import Layout
from brainkit.store.locks import WriterLock

BRAINKIT = [sys.executable, "-c", "from brainkit.cli import main; main(prog_name='brainkit')"]


def everything(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else b""
        for path in folder.rglob("*")
    }


@pytest.mark.parametrize("place", ["bare", "filled"])
def test_a_plan_leaves_nothing_behind(
    place: str,
    run: Any,
    request: pytest.FixtureRequest,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = request.getfixturevalue(place)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    before = everything(folder)

    result = run("plan", "data/sample", "--json")

    (report,) = json.loads(result.stdout)["reports"]
    assert report["dry_run"]
    assert report["counts"] == {"added" if place == "bare" else "unchanged": 4}
    assert everything(folder) == before
    assert list(scratch.iterdir()) == []


def test_a_plan_that_fails_leaves_nothing_behind(
    run: Any, bare: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    assert run("plan", "data/sample", "--include", "").exit_code == 2
    assert list(scratch.iterdir()) == []


def test_a_new_brain_is_named_by_the_folder_and_then_found(run: Any, bare: Path) -> None:
    made = run("ingest", "data/sample/handbook")
    again = run("ingest", "data/sample/handbook")
    assert made.exit_code == again.exit_code == 0
    assert {path.name for path in bare.iterdir()} == {"data", "handbook.brain"}
    assert 'Made handbook.brain. Ask it something: brainkit query "QUESTION"' in made.stderr
    assert "nothing changed (1 unchanged)" in again.stdout
    assert "Brain: handbook.brain" in again.stderr


def test_the_current_folder_can_be_ingested_and_its_brain_is_not_part_of_it(
    run: Any, bare: Path
) -> None:
    run("ingest", ".")
    (report,) = json.loads(run("ingest", ".", "--json").stdout)["reports"]
    assert (bare / "here.brain").is_dir()
    files = {row["source"]: row["status"] for row in report["files"]}
    assert {status for source, status in files.items() if source != "here/here.brain"} == {
        "unchanged"
    }


def test_the_brain_can_be_given_by_option_and_by_environment(run: Any, bare: Path) -> None:
    option = run("ingest", "data/sample/handbook", "--brain", "deep/a.brain", "--json")
    variable = run("ingest", "data/sample/handbook", "--json", env={"BRAINKIT_BRAIN": "b.brain"})
    assert json.loads(option.stdout)["brain"] == str(Path("deep", "a.brain"))
    assert json.loads(variable.stdout)["brain"] == "b.brain"
    assert (bare / "deep" / "a.brain").is_dir()
    assert (bare / "b.brain").is_dir()


def test_among_several_brains_one_must_be_named(run: Any, filled: Path) -> None:
    (filled / "other.brain").mkdir()
    for command in (("ingest", "data"), ("plan", "data"), ("info",), ("query", "q")):
        result = run(*command)
        assert result.exit_code == 2
        assert "(other.brain, sample.brain); name one: --brain PATH" in result.stderr


def test_several_folders_give_one_document_with_a_report_each(run: Any, bare: Path) -> None:
    result = run(
        *("ingest", "data/sample/handbook", "data/sample/shelf", "--brain", "notes.brain"),
        *("--exclude", "test_*.py", "--exclude", "*.md", "--include", "*.py", "--json"),
    )
    reports = json.loads(result.stdout)["reports"]
    assert [report["label"] for report in reports] == ["handbook", "shelf"]
    added = [f["source"] for r in reports for f in r["files"] if f["status"] == "added"]
    assert added == ["shelf/src/shelf/retry.py"]


def test_label_and_chunk_size_reach_the_brain(run: Any, bare: Path) -> None:
    result = run(
        *("ingest", "data/sample/handbook", "--label", "book"),
        *("--chunk-tokens", "40", "--chunk-overlap-tokens", "0"),
    )
    assert result.exit_code == 0
    assert "book/hubs.md" in result.stdout
    settings = json.loads(run("info", "--json").stdout)["settings"]
    assert (settings["chunk_tokens"], settings["chunk_overlap_tokens"]) == (40, 0)


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("nowhere",), "'nowhere' does not exist; give a folder or a file"),
        (("dta",), "did you mean 'data'?"),
        (("data", "nowhere"), "'nowhere' does not exist"),
        (("data", "--chunk-tokens", "3"), "chunk_tokens=3 is too small; the least is 16"),
        (("data", "--chunk-tokens", "many"), "'many' is not a valid integer"),
        (("data", "--embedder", "lokal"), "'lokal' is not one of 'local', 'static'"),
        (("data", "data/sample", "--label", "x"), "--label names one folder"),
        ((), "Missing argument 'FOLDER...'"),
    ],
)
@pytest.mark.parametrize("command", ["plan", "ingest"])
def test_a_mistake_is_explained_and_makes_no_brain(
    command: str, args: tuple[str, ...], said: str, run: Any, bare: Path
) -> None:
    result = run(command, *args)
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stdout == ""
    assert [path.name for path in bare.iterdir()] == ["data"]


def test_a_setting_that_shaped_a_brain_cannot_change_later(run: Any, filled: Path) -> None:
    result = run("ingest", "data/sample", "--chunk-tokens", "64")
    assert result.exit_code == 2
    assert "this brain was made with 256" in result.stderr


def test_a_second_writer_is_told_who_is_first(run: Any, filled: Path) -> None:
    with WriterLock(Layout(filled / "sample.brain")):
        told = run("ingest", "data/sample")
        document = run("remove", "sample", "--yes", "--json")
        query = run("query", "sessions", "--mode", "bm25")
    assert told.exit_code == document.exit_code == 3
    assert f"is being written by process {os.getpid()}" in told.stderr
    assert json.loads(document.stdout)["error"]["type"] == "BrainBusy"
    assert query.exit_code == 0


def kept(brain: Path) -> int:
    """Number of embeddings in the brain's cache; 0 before there is one."""
    for path in brain.glob("embeddings/*.sqlite"):
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
            try:
                return int(connection.execute("select count(*) from vectors").fetchone()[0])
            except sqlite3.OperationalError:  # not made yet, or being written
                return 0
    return 0


@pytest.mark.skipif(os.name != "posix", reason="sends SIGINT to a process")
def test_an_interrupt_says_that_finished_embeddings_are_kept_and_they_are(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ("amber", "birch", "cedar", "dune", "ember", "fjord", "grove", "heath", "inlet")
    lines = (f"The {a} of {b} number {i}." for i in range(9) for a in words for b in words)
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "all.txt").write_text("\n\n".join(lines), encoding="utf-8")
    ingest = ("ingest", "notes", "--chunk-tokens", "16", "--chunk-overlap-tokens", "0", "--json")
    brain = tmp_path / "notes.brain"

    first = subprocess.Popen(
        [*BRAINKIT, *ingest], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    while not kept(brain):
        try:
            first.wait(0.02)
        except subprocess.TimeoutExpired:
            continue
        pytest.fail(f"it ended before anything was embedded: {first.communicate()}")
    first.send_signal(signal.SIGINT)
    stdout, stderr = first.communicate()
    finished = kept(brain)
    second = run(*ingest)

    error = json.loads(stdout)["error"]
    assert first.returncode == 130
    assert error["type"] == "Interrupted"
    assert "finished embeddings are kept" in error["message"]
    assert stderr == ""
    (report,) = json.loads(second.stdout)["reports"]
    assert 0 < finished < report["chunks"]
    assert report["reused"] == finished
    assert report["embedded"] == report["chunks"] - finished
