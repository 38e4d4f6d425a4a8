"""A hosted embedder from the command line: what it would cost, what it cost, what goes together."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from brainkit.cli.ingest import EMBED_MODEL
from brainkit.embed import openai

TOKEN = "ghp_" + "q8Zr4mT1xK" "c7Vb2NwE5y" "Ls9Gd3HfJ6" "pAoU0i"  # fmt: skip


@pytest.fixture
def notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BRAINKIT_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.md").write_text("Alpha powers the wheel.\n")
    (folder / "copy.md").write_text("Alpha powers the wheel.\n")
    (folder / "b.md").write_text("Beta turns it off again.\n")
    (folder / "secret.py").write_text(f"token = '{TOKEN}'\n")
    return folder


@pytest.fixture
def server(serve: Callable[..., Any], loopback: ModuleType) -> Any:
    return serve(lambda path, request, nth: loopback.embeddings(request))


def options(server: Any, *more: str) -> tuple[str, ...]:
    return ("--embedder", "openai", "--embed-model", "mine", "--base-url", server.base_url, *more)


def test_plan_of_openai_sends_nothing_and_needs_no_key(run: Any, notes: Path) -> None:
    """Of 2 chunks with one text each, 5 tokens and 5: "Alpha powers the wheel." is 1 + 2 + 1 + 1
    and the mark, 6; "Beta turns it off again." 6, too. 12 tokens at $0.13 a million.
    """
    result = run("plan", "notes", "--embedder", "openai", "--json")
    (report,) = json.loads(result.stdout)["reports"]
    assert report["bill"] == {
        "model": "text-embedding-3-large",
        "address": "openai",
        "chunks": 3,
        "duplicates": 1,
        "kept": 0,
        "texts": 2,
        "tokens": 12,
        "cost": 12 * 0.13 / 1e6,
        "price_source": "prices of June 2026 (developers.openai.com/api/docs/pricing)",
        "withheld": 1,
        "planned": True,
    }
    told = run("plan", "notes", "--embedder", "openai").stdout
    assert (
        "text-embedding-3-large at OpenAI: 2 texts to send of 3 chunks (1 duplicate); about 12 "
        in told
    )
    assert "tokens, about $0.000002 at prices of June 2026" in told
    assert "1 file not sent, for what looks like secrets" in told
    assert not list(notes.parent.glob("*.brain"))


def test_ingest_pays_once_and_queries_find_the_server_again(
    run: Any, notes: Path, server: Any
) -> None:
    first = run("ingest", "notes", *options(server), "--json")
    (report,) = json.loads(first.stdout)["reports"]
    assert report["embedded"] == 3
    assert report["bill"]["texts"] == 2
    assert report["bill"]["tokens"] == 9, "as the server counts: by words"
    sent = json.dumps([request for _, request, _ in server.requests])
    assert TOKEN not in sent
    again = run("ingest", "notes", *options(server))
    assert "nothing changed" in again.stdout
    found = run("query", "alpha", "wheel", "--mode", "vector", "--json")
    assert json.loads(found.stdout)["results"][0]["source"] == "notes/a.md"
    planned = run("plan", "notes", *options(server), "--json")
    assert json.loads(planned.stdout)["reports"][0]["bill"]["texts"] == 0


def sent(server: Any, loopback: ModuleType) -> list[list[str]]:
    return [r["input"] for _, r, _ in server.requests if not loopback.is_probe(r)]


def test_a_cap_ends_with_what_to_do(
    run: Any, notes: Path, server: Any, loopback: ModuleType
) -> None:
    """The shorter text goes first, to see how the server counts; 40 words do not fit then."""
    (notes / "b.md").write_text("go " * 40)
    result = run("ingest", "notes", *options(server, "--max-tokens", "14"))
    assert result.exit_code == 2
    assert "Stopped before max_tokens=14 would be passed: 1 of 2 texts" in result.stderr
    assert len(sent(server, loopback)) == 1
    result = run("ingest", "notes", *options(server, "--max-tokens", "90"))
    assert result.exit_code == 0
    assert len(sent(server, loopback)) == 2


def test_reembed_plans_moves_and_says_what_it_cost(
    run: Any, notes: Path, server: Any, loopback: ModuleType
) -> None:
    where = ("--embed-model", "mine", "--base-url", server.base_url)
    assert run("ingest", "notes", "--exclude", "secret.py", "--embedder", "static").exit_code == 0
    plan = json.loads(run("reembed", "openai", "--plan", *where, "--json").stdout)
    assert (plan["chunks"], plan["embedded"], plan["dry_run"]) == (3, 3, True)
    assert (plan["bill"]["texts"], plan["bill"]["tokens"]) == (2, 12)
    assert sent(server, loopback) == []
    assert "static" in json.loads(run("info", "--json").stdout)["embedder"]
    done = run("reembed", "openai", *where)
    assert "3 chunks, now with vectors of openai mine (16 dims)" in done.stdout
    assert "2 texts sent of 3 chunks (1 duplicate); 9 tokens" in done.stdout
    assert "openai mine" in json.loads(run("info", "--json").stdout)["embedder"]
    assert run("reembed", "static", "--max-cost", "1").exit_code == 2


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("--embed-model", "mine"), "belong to --embedder openai"),
        (("--dimensions", "8"), "belong to --embedder openai"),
        (("--max-tokens", "8"), "belong to --extract llm or --embedder openai"),
        (("--embedder", "openai", "--dimensions", "9999"), "1 to 3,072"),
        (("--embedder", "openai", "--base-url", "localhost"), "is no address"),
        (("--embedder", "openai"), "OPENAI_API_KEY is not set"),
    ],
)
def test_a_mistake_is_explained(given: tuple[str, ...], said: str, run: Any, notes: Path) -> None:
    result = run("ingest", "notes", *given)
    assert result.exit_code == 2
    assert said in " ".join(result.stderr.split())


def test_the_model_in_the_help_is_the_embedders_own() -> None:
    assert EMBED_MODEL == openai.MODEL


def test_doctor_asks_the_endpoint_only_when_told(
    run: Any, notes: Path, server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
    names = [f["name"] for f in json.loads(run("doctor", "--json").stdout)["findings"]]
    assert "endpoint" not in names
    assert server.requests == []
    result = run("doctor", "--endpoint", "--embed-model", "mine", "--json")
    (found,) = [f for f in json.loads(result.stdout)["findings"] if f["name"] == "endpoint"]
    assert found["state"] == "ok"
    assert f"mine at {server.base_url}: 16 dimensions" in found["detail"]
    assert "dimensions= can be chosen; 64 or more texts in one request" in found["detail"]


def test_doctor_says_what_is_wrong_with_an_endpoint(
    run: Any, notes: Path, serve: Callable[..., Any], loopback: ModuleType
) -> None:
    server = serve(lambda *_: loopback.error(404, "model not found", code="model_not_found"))
    result = run("doctor", "--endpoint", "--base-url", server.base_url, "--json")
    assert result.exit_code == 1
    (found,) = [f for f in json.loads(result.stdout)["findings"] if f["name"] == "endpoint"]
    assert found["state"] == "broken"
    assert "no such model or path" in found["detail"]
