"""``brainkit init``: a file that explains itself, changes nothing, and replaces nothing unasked."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from brainkit.ingest.config import Config, read_config
from brainkit.ingest.config_template import template

Run = Callable[..., Result]


def test_it_writes_the_defaults_into_the_current_folder(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("init")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == (
        "Wrote brainkit.toml. Every key in it is switched off until you remove the # before it.\n"
    )
    assert Path("brainkit.toml").read_text("utf-8") == template()
    assert read_config(tmp_path) == Config(tmp_path / "brainkit.toml")


def test_it_does_not_replace_a_file_unless_told(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "brainkit.toml"
    path.write_text("# mine\n")
    result = run("init", str(tmp_path))
    assert result.exit_code == 2
    assert result.stderr == f"Error: {path} is there already; --force replaces it.\n"
    assert path.read_text() == "# mine\n"
    assert run("init", str(tmp_path), "--force").exit_code == 0
    assert path.read_text("utf-8") == template()


def test_it_writes_through_no_link(run: Run, tmp_path: Path) -> None:
    folder, outside = tmp_path / "folder", tmp_path / "outside.toml"
    folder.mkdir()
    for target in (outside, tmp_path / "missing.toml"):
        outside.write_text("kept")
        (folder / "brainkit.toml").symlink_to(target)
        assert run("init", str(folder)).exit_code == 2
        forced = run("init", str(folder), "--force")
        assert forced.exit_code == 2
        assert "is a link or no file; remove it first" in forced.stderr
        (folder / "brainkit.toml").unlink()
    assert outside.read_text() == "kept"
    assert not (tmp_path / "missing.toml").exists()


def test_a_folder_that_is_not_there(run: Run, tmp_path: Path) -> None:
    result = run("init", str(tmp_path / "gone"))
    assert result.exit_code == 2
    assert "is no folder; give one that exists" in result.stderr


def test_json_is_one_document(run: Run, tmp_path: Path) -> None:
    result = run("init", str(tmp_path), "--json")
    assert json.loads(result.stdout) == {"path": str(tmp_path / "brainkit.toml")}
    failed = run("init", str(tmp_path), "--json")
    assert json.loads(failed.stdout)["error"]["type"] == "InvalidSetting"
