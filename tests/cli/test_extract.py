"""A chat model from the command line: what it would cost, what it read, what goes together."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from brainkit.cli.ingest import MODEL
from brainkit.extract import llm


@pytest.fixture
def notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.md").write_text("engine1 powers wheel1.\n")
    return folder


@pytest.fixture
def server(serve: Callable[..., Any], loopback: ModuleType) -> Any:
    row = {
        "subject": "engine1",
        "subject_kind": "product",
        "predicate": "uses",
        "object": "wheel1",
        "object_kind": "product",
    }
    answer = loopback.completion(json.dumps({"triplets": [row]}))
    return serve(lambda path, request, nth: answer)


def test_plan_estimates_and_ingest_reads(run: Any, notes: Path, server: Any) -> None:
    options = ("--extract", "llm", "--extract-model", "mine", "--base-url", server.base_url)
    plan = json.loads(run("plan", "notes", *options, "--json").stdout)
    assert plan["reports"][0]["estimate"]["chunks"] == 1
    assert server.requests == []
    result = run("ingest", "notes", *options)
    assert f"mine at {server.base_url} read 1 chunk: 1 relation" in result.stdout
    assert server.requests[0][1]["model"] == "mine"
    assert run("path", "engine1", "wheel1").stdout.startswith("engine1 -> uses -> wheel1\n")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--extract-model", "mine"), "belong to --extract llm"),
        (("--max-cost", "1"), "belong to --extract llm"),
        (("--extract", "llm", "--base-url", "localhost"), "is no address"),
        (("--extract", "llm", "--max-cost", "0"), "more than 0"),
        (
            ("--extract", "llm", "--max-cost", "1", "--base-url", "http://localhost:1/v1"),
            "is not known",
        ),
        (("--extract", "llm"), "OPENAI_API_KEY is not set"),
    ],
)
def test_a_mistake_is_explained(options: tuple[str, ...], said: str, run: Any, notes: Path) -> None:
    result = run("ingest", "notes", *options)
    assert result.exit_code == 2
    assert said in " ".join(result.stderr.split())


def test_the_model_in_the_help_is_the_extractors_own() -> None:
    assert MODEL == llm.MODEL
