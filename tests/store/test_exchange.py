"""Export and import: equal answers, byte-equal second export, nothing half-read."""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import brainkit
from brainkit import Brain
from brainkit.errors import InvalidExport, InvalidSQL, NotABrain

Embedder = Callable[[list[str]], Any]


@pytest.fixture
def brain(tmp_path: Path, word_vectors: Embedder) -> Brain:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.md").write_text("# Sign\n\nA session is signed.\n\n# Key\n\nA key is secret.\n")
    (folder / "b.py").write_text("def sign(key):\n    return key\n")
    (folder / "empty.txt").write_text("")
    brain = brainkit.open(tmp_path / "a.brain", embedder=word_vectors)
    brain.ingest(folder, progress=False)
    brain.ingest_texts(
        [
            {"id": "r1", "title": "Tea", "text": "Green tea. A session of tea.", "year": 7},
            {"id": "r2", "text": "!!!"},  # no words, so a zero vector: refused
            {"id": "r3", "text": "Green tea. A session of tea."},
        ],
        progress=False,
    )
    brain.remove("r3")
    return brain


def answers(brain: Brain) -> list[Any]:
    return [
        [
            (r.chunk_id, r.score, r.source, r.text, r.metadata)
            for r in brain.query(q, mode=m).results
        ]
        for q in ("session", "sign key", "tea")
        for m in ("vector", "bm25", "hybrid", "multi")
    ]


def test_an_import_answers_as_the_original_and_exports_the_same_bytes(
    brain: Brain, tmp_path: Path, word_vectors: Embedder
) -> None:
    first = brain.export(tmp_path / "one.zip")
    other = brainkit.import_brain(first, tmp_path / "b.brain", embedder=word_vectors)
    assert answers(other) == answers(brain)
    assert other.check()
    assert other.info().counts == brain.info().counts | {"terms": other.info().counts["terms"]}
    second = other.export(tmp_path / "two.zip")
    assert second.read_bytes() == first.read_bytes()


def test_an_import_goes_on_with_the_same_folder(
    brain: Brain, tmp_path: Path, word_vectors: Embedder
) -> None:
    archive = brain.export(tmp_path / "one.zip")
    other = brainkit.import_brain(archive, tmp_path / "b.brain", embedder=word_vectors)
    report = other.ingest(tmp_path / "notes", progress=False)
    assert report.counts == {"unchanged": 2, "skipped": 1}


def test_a_damaged_export_is_refused_and_leaves_nothing(brain: Brain, tmp_path: Path) -> None:
    archive = brain.export(tmp_path / "one.zip")
    data = bytearray(archive.read_bytes())
    for name, damaged in {
        "cut": data[: len(data) // 2],
        "empty": b"",
        "text": b"not a zip",
        "flipped": data[:200] + bytes([data[200] ^ 255]) + data[201:],
    }.items():
        path = tmp_path / f"{name}.zip"
        path.write_bytes(bytes(damaged))
        with pytest.raises(InvalidExport, match="is no whole brainkit export"):
            brainkit.import_brain(path, tmp_path / "c.brain")
        assert not (tmp_path / "c.brain").exists()


def test_an_export_of_a_newer_format_says_so(brain: Brain, tmp_path: Path) -> None:
    archive, newer = brain.export(tmp_path / "one.zip"), tmp_path / "newer.zip"
    with zipfile.ZipFile(archive) as old, zipfile.ZipFile(newer, "w") as new:
        for name in old.namelist():
            new.writestr(name, old.read(name).replace(b'"format": 1', b'"format": 99'))
    with pytest.raises(InvalidExport, match=r"format 99.*reads 1; upgrade brainkit"):
        brainkit.import_brain(newer, tmp_path / "c.brain")


def test_an_import_never_overwrites_a_brain(brain: Brain, tmp_path: Path) -> None:
    archive = brain.export(tmp_path / "one.zip")
    before = answers(brain)
    with pytest.raises(NotABrain, match="choose a new folder"):
        brainkit.import_brain(archive, brain.path)
    assert answers(brain) == before


def test_an_export_that_cannot_be_written_leaves_the_old_one(
    brain: Brain, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = brain.export(tmp_path / "one.zip")
    before = archive.read_bytes()
    with pytest.raises(OSError, match="No such file"):
        brain.export(tmp_path / "missing" / "one.zip")
    shutil.copy(archive, tmp_path / "kept.zip")
    assert archive.read_bytes() == before


def test_sql_reads_and_never_writes(brain: Brain, tmp_path: Path) -> None:
    frame = brain.sql("select source, count(*) as n from chunks group by 1 order by 1")
    assert dict(zip(frame["source"], frame["n"], strict=True)) == {
        "notes/a.md": 2,
        "notes/b.py": 1,
        "r1": 1,
        "r2": 1,
    }
    named = brain.sql("select text from chunks where source = $s", {"s": "r1"})
    assert named["text"].tolist() == ["Green tea. A session of tea."]
    for bad, reason in (
        ("select nothing from chunks", "nothing"),
        ("selec 1", "syntax error"),
        ("delete from chunks", "read-only"),
        ("create table x (a integer)", "read-only"),
        (f"select * from read_csv('{tmp_path / 'notes' / 'b.py'}')", "disabled"),
        (f"copy chunks to '{tmp_path / 'out.csv'}'", "disabled"),
        (f"attach '{tmp_path / 'x.db'}'", "disabled"),
        ("set enable_external_access = true", "configuration"),
        ("select 1 where 1 = $a", "a"),
    ):
        with pytest.raises(InvalidSQL, match=f"(?is){reason}.*tables: chunk_terms, chunks, files"):
            brain.sql(bad)
    assert brain.check()


def test_all_chunks_come_as_a_frame_in_tie_order(brain: Brain) -> None:
    frame = brain.to_frame()
    assert frame["source"].tolist() == ["notes/a.md", "notes/a.md", "notes/b.py", "r1", "r2"]
    assert frame["start_line"].tolist()[:2] == [1, 5]
