"""`brainkit lab` up to the moment that JupyterLab starts; tests/jupyter goes on from there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import brainkit
from brainkit.kit import kit_folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A working folder with the sample in a brain of fast vectors."""
    target = tmp_path / "lessons"
    target.mkdir()
    with brainkit.open(target / "sample.brain", embedder="static") as brain:
        brain.ingest(kit_folder("data") / "sample", label="sample", progress=False)
    return target


def test_the_folder_is_made_ready_and_edits_are_named(run: Any, folder: Path) -> None:
    first = run("lab", str(folder), "--prepare-only")
    assert first.exit_code == 0
    assert first.stdout == ""
    assert f"{folder} is ready: " in first.stderr
    lesson = folder / "00_start_here.ipynb"
    lesson.write_text("{}", "utf-8")
    second = run("lab", str(folder), "--prepare-only")
    assert f"{lesson} was edited, and stays as it is." in second.stderr
    assert lesson.read_text("utf-8") == "{}"
    document = json.loads(run("lab", str(folder), "--json").stdout)
    assert document["kept"] == ["00_start_here.ipynb"]
    assert document["folder"] == str(folder)
    assert document["chunks"] > 500


def test_a_file_is_a_mistake(run: Any, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    result = run("lab", str(tmp_path / "file"), "--prepare-only")
    assert result.exit_code == 2
    assert "cannot be the working folder" in result.stderr
