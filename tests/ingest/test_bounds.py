"""Every bound that bites is named: in a row, and in a note."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import brainkit
from brainkit.ingest.bounds import first_files, reached
from brainkit.ingest.report import FileReport
from brainkit.ingest.walk import Found, Passed, walk
from brainkit.settings import Settings

Embedder = Callable[[list[str]], Any]


def test_files_beyond_the_limit_are_one_row(tmp_path: Path) -> None:
    for name in ("a/1.md", "a/2.md", "b.md", "c.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("text\n")
    settings = Settings(max_files=2)
    found, passed = first_files(walk(tmp_path, settings=settings), settings=settings)
    assert [one.relative for one in found] == ["a/1.md", "a/2.md"]
    assert passed == [Passed(".", "2 files after a/2.md left out; the limit is 2 (max_files)")]
    settings = Settings(max_files=4)
    found, passed = first_files(walk(tmp_path, settings=settings), settings=settings)
    assert (len(found), passed) == (4, [])


def test_folders_beyond_the_depth_are_not_entered(tmp_path: Path) -> None:
    deep = tmp_path / "1" / "2" / "3"
    deep.mkdir(parents=True)
    for folder in (tmp_path, deep.parent, deep):
        (folder / "a.md").write_text("text\n")
    assert [
        one.relative if isinstance(one, Found) else (one.relative, one.reason)
        for one in walk(tmp_path, settings=Settings(max_depth=2))
    ] == [("1/2/3", "3 folders deep; the limit is 2 (max_depth)"), "1/2/a.md", "a.md"]
    assert all(isinstance(one, Found) for one in walk(tmp_path, settings=Settings(max_depth=3)))


def test_a_note_for_each_bound_and_none_for_other_reasons() -> None:
    rows = [
        FileReport("p/a", "skipped", detail="20 bytes; the limit is 10 (max_file_bytes)"),
        FileReport("p/b", "skipped", detail="30 bytes; the limit is 10 (max_file_bytes)"),
        FileReport("p/c", "added", 1, 9, "5 of 9 pages left out (the limit is 4, max_pages)"),
        FileReport("p/d", "skipped", detail="empty"),
        FileReport("p/max_power", "added", 1, 9),
    ]
    assert reached(rows) == [
        "max_file_bytes: p/a (20 bytes; the limit is 10) and 1 more",
        "max_pages: p/c (5 of 9 pages left out (the limit is 4))",
    ]


def test_the_report_of_an_ingest_names_every_bound(tmp_path: Path, word_vectors: Embedder) -> None:
    root = tmp_path / "p"
    (root / "a" / "b").mkdir(parents=True)
    (root / "a" / "b" / "deep.md").write_text("deep\n")
    (root / "big.md").write_text("big\n" * 100)
    (root / "line.md").write_text("x" * 150)
    (root / "ok.md").write_text("ok\n")
    (root / "zz.md").write_text("last\n")
    bounds = {"max_depth": 1, "max_file_bytes": 300, "max_line_chars": 100, "max_files": 2}
    with brainkit.open(tmp_path / "a.brain", embedder=word_vectors, **bounds) as brain:
        report = brain.ingest(root, progress=False)
    assert [row.source for row in report.rows("added")] == ["p/ok.md"]
    assert sorted(report.notes) == [
        "max_depth: p/a/b (2 folders deep; the limit is 1)",
        "max_file_bytes: p/big.md (400 bytes; the limit is 300)",
        "max_files: p/. (1 files after ok.md left out; the limit is 2)",
        "max_line_chars: p/line.md (a line of 150 characters (the limit is 100): minified or data)",
    ]
