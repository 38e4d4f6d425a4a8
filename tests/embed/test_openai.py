"""The hosted embedder, against a server on this machine that answers as the real API does."""

from __future__ import annotations

import base64
import struct
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import brainkit
from brainkit.embed import Identity
from brainkit.embed.openai import OpenAIEmbedder, reopened
from brainkit.embed.vectors import PROBES
from brainkit.errors import (
    BudgetReached,
    EmbedderFailed,
    EmbedderMismatch,
    EmbedderUnavailable,
    EndpointUnavailable,
    InvalidSetting,
)
from brainkit.hosted.pace import Pace

Serve = Callable[..., Any]
DIM = 16


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BRAINKIT_CACHE", str(tmp_path / "cache"))
    for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY", "AZURE_OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def good(serve: Serve, loopback: ModuleType) -> Any:
    return serve(lambda path, request, nth: loopback.embeddings(request))


def embedder(server: Any, model: str = "mine", **options: Any) -> OpenAIEmbedder:
    pace = Pace(2, sleep=lambda seconds: None, clock=iter(range(10**9)).__next__)
    return OpenAIEmbedder(
        model, **{"base_url": server.base_url, "pace": pace, "timeout": 5, **options}
    )


def asked(server: Any) -> list[list[str]]:
    """The texts of each request, but for probes."""
    every = [request["input"] for _, request, _ in server.requests]
    return [texts for texts in every if len(texts) == 1 or not set(texts) <= set(PROBES)]


def test_documents_come_back_in_order_and_of_length_1(good: Any, loopback: ModuleType) -> None:
    texts = ["alpha beta", "gamma", "alpha beta gamma delta"]
    vectors = embedder(good, batch_size=2).embed_documents(texts)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    for text, row in zip(texts, vectors, strict=True):
        exact = np.array(loopback.vector(text, DIM))
        assert np.allclose(row, exact / np.linalg.norm(exact), atol=1e-6)


def test_the_request_asks_for_numbers_and_names_the_model(good: Any) -> None:
    embedder(good, dimensions=8).embed_query("alpha")
    path, request, headers = good.requests[-1]
    assert path == "/v1/embeddings"
    assert request == {
        "model": "mine", "input": ["alpha"], "encoding_format": "float", "dimensions": 8
    }  # fmt: skip
    assert headers["authorization"] == "Bearer none", "no key is needed here, and none is sent"


def test_a_question_is_asked_once(good: Any) -> None:
    one = embedder(good)
    first = one.embed_query("alpha")
    assert one.embed_query("alpha") is first
    assert asked(good).count(["alpha"]) == 1


def test_only_openais_own_models_at_openai_are_known_without_a_request(good: Any) -> None:
    known = OpenAIEmbedder("text-embedding-3-large")
    assert (known.identity.dim, known.max_tokens, known.identity.probes) == (3072, 8191, None)
    assert OpenAIEmbedder("text-embedding-3-small", dimensions=256).identity.dim == 256
    other = embedder(good)
    assert (other.identity.dim, other.max_tokens) == (DIM, 512)
    assert other.identity.probes
    assert len(good.requests) == 1


@pytest.mark.parametrize(("model", "dim"), [("text-embedding-3-large", 3072),
                                            ("text-embedding-3-small", 1536)])  # fmt: skip
def test_a_name_of_openais_is_believed_at_openai_and_asked_for_elsewhere(
    model: str, dim: int, serve: Serve, loopback: ModuleType
) -> None:
    server = serve(lambda path, request, nth: loopback.embeddings(request, dim=dim))
    first, there = OpenAIEmbedder(model), embedder(server, model)
    assert there.identity.agrees(first.identity)
    assert (first.identity.probes, len(there.identity.probes or ())) == (None, 32)
    assert first.identity.address == "openai"
    assert there.identity.address == server.base_url


def test_another_model_under_one_name_is_noticed(serve: Serve, loopback: ModuleType) -> None:
    turn = 1.0

    def script(path: str, request: dict[str, Any], nth: int) -> Any:
        answer = loopback.embeddings(request)
        for row in answer["data"]:
            row["embedding"] = [turn * row["embedding"][0], *row["embedding"][1:]]
        return answer

    here, elsewhere = serve(script), serve(script)
    before = embedder(here).identity
    assert embedder(elsewhere).identity.agrees(before), "the same model at another address"
    turn = -1.0
    assert not embedder(here).identity.agrees(before), "another model at the same address"


def test_asked_dimensions_are_part_of_the_identity(good: Any) -> None:
    whole, asked_for = embedder(good).identity, embedder(good, dimensions=DIM).identity
    assert whole.dim == asked_for.dim
    assert not whole.agrees(asked_for)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"model": " "}, "is no name"),
        ({"dimensions": 0}, "1 to 3,072"),
        ({"dimensions": 4000}, "1 to 3,072"),
        ({"model": "text-embedding-ada-002", "dimensions": 8}, "1536 and no other"),
        ({"model": "mine", "dimensions": True}, "whole number"),
        ({"batch_size": 2049}, "1 to 2,048"),
        ({"concurrency": 0}, "1 to 64"),
        ({"window": -1}, "1 or more"),
        ({"max_cost": 0}, "more than 0"),
        ({"max_tokens": -5}, "more than 0"),
        ({"max_cost": float("nan")}, "more than 0"),
        ({"max_cost": 1, "base_url": "http://localhost:1/v1"}, "is not known"),
        ({"base_url": "localhost:8080"}, "is no address"),
        ({"key": "sk-text"}, "key is a text"),
        ({"timeout": 0}, "timeout_seconds=0: allowed is a number, above 0"),
        ({"timeout": "60"}, "timeout_seconds='60': allowed is a number"),
        ({"timeout": float("nan")}, "timeout_seconds=nan"),
        ({"timeout": float("inf")}, "timeout_seconds=inf"),
        ({"timeout": True}, "timeout_seconds=True"),
        ({"retries": 1.5}, "retries=1.5: allowed is a whole number, 0 or more"),
        ({"retries": -1}, "retries=-1"),
        ({"max_tokens": float("inf")}, "max_tokens=inf: give a whole number"),
        ({"max_tokens": True}, "max_tokens=True"),
        ({"max_cost": float("inf")}, "max_cost=inf: give a number"),
        ({"max_cost": "1"}, "max_cost='1': give a number"),
        ({"headers": {"x": "line\nend"}}, "cannot be sent"),
    ],
)
def test_mistakes_are_named_before_anything_is_sent(options: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidSetting, match=said) as caught:
        OpenAIEmbedder(**options)
    assert "sk-text" not in str(caught.value)
    assert "line" not in str(caught.value) or "headers" not in options


def test_without_a_key_openai_is_not_asked(tmp_path: Path) -> None:
    with (
        brainkit.open(tmp_path / "x.brain", embedder="openai") as brain,
        pytest.raises(EndpointUnavailable, match="OPENAI_API_KEY is not set"),
    ):
        brain.ingest_texts([{"id": "a", "text": "alpha"}], progress=False)


def test_prefixes_go_before_texts_of_their_role(good: Any) -> None:
    one = embedder(good, query_prefix="query: ", document_prefix="passage: ")
    one.embed_documents(["alpha"])
    one.embed_query("beta")
    assert asked(good) == [["passage: alpha"], ["query: beta"]]
    assert (one.identity.query_prefix, one.identity.document_prefix) == ("query: ", "passage: ")


def test_batches_keep_to_the_number_of_texts_and_to_the_tokens(
    good: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("brainkit.hosted.batches.BATCH_TOKENS", 10)
    one = embedder(good, batch_size=4, concurrency=1)
    one.embed_documents([*["one two three four five six"] * 3, *["short"] * 6])
    sizes = [len(texts) for texts in asked(good)]
    assert sizes == [1, 1, 4, 3], "6, 6, 6 + 1 + 1 + 1 tokens and 4 texts, and the rest"


def test_a_text_beyond_the_window_loses_its_end(good: Any) -> None:
    one = embedder(good, window=3)
    one.embed_documents(["one two three four five"])
    assert asked(good) == [["one two three"]]
    assert one.identity.max_tokens == 3


def test_blank_texts_and_lone_surrogates_are_no_error(good: Any) -> None:
    vectors = embedder(good).embed_documents(["  ", "alpha \ud800"])
    assert np.isnan(vectors[0]).all()
    assert not np.isnan(vectors[1]).any()
    assert asked(good) == [["alpha ?"]]


def test_base64_is_read_though_numbers_were_asked_for(serve: Serve, loopback: ModuleType) -> None:
    def script(path: str, request: dict[str, Any], nth: int) -> Any:
        answer = loopback.embeddings(request)
        for row in answer["data"]:
            packed = struct.pack(f"<{DIM}f", *row["embedding"])
            row["embedding"] = base64.b64encode(packed).decode()
        return answer

    found = embedder(serve(script)).embed_query("alpha")
    exact = np.array(loopback.vector("alpha", DIM))
    assert np.allclose(found, exact / np.linalg.norm(exact), atol=1e-6)


def test_an_azure_address_keeps_its_query_and_sends_the_key_as_azure_reads_it(
    good: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "of-openai-itself")
    monkeypatch.setenv("AZURE_OPENAI_API_KEY", "of-azure-itself")
    base = good.base_url.replace("/v1", "/openai/deployments/large")
    one = embedder(good, base_url=f"{base}?api-version=2024-10-21")
    one.embed_query("alpha")
    path, _, headers = good.requests[-1]
    assert path == "/openai/deployments/large/embeddings?api-version=2024-10-21"
    assert headers["api-key"] == "of-azure-itself"
    assert "authorization" not in headers
    assert "api-version" not in str(one.identity.address)


def test_the_key_is_asked_for_at_each_request(good: Any) -> None:
    now = ["first-key"]
    one = embedder(good, "text-embedding-3-small", dimensions=8, key=lambda: now[0])
    one.embed_query("alpha")
    now[0] = "second-key\n"
    one.embed_query("beta")
    sent = [headers["authorization"] for *_, headers in good.requests[1:]]
    assert sent == ["Bearer first-key", "Bearer second-key"]


def test_organisation_and_headers_are_sent(good: Any) -> None:
    embedder(good, organization="org-1", headers={"X-Team": "search"}).embed_query("alpha")
    headers = good.requests[-1][2]
    assert (headers["openai-organization"], headers["x-team"]) == ("org-1", "search")


def test_a_server_is_found_again_by_a_brain_only_on_this_machine(good: Any, tmp_path: Path) -> None:
    path = tmp_path / "x.brain"
    with brainkit.open(path, embedder=embedder(good, dimensions=8)) as brain:
        brain.ingest_texts([{"id": "a", "text": "alpha beta"}], progress=False)
    with brainkit.open(path) as brain:
        assert brain.query("alpha", mode="vector").results[0].source == "a"
    assert good.requests[-1][1]["dimensions"] == 8


@pytest.mark.parametrize("address", ["https://elsewhere.example.com/v1", "other", None])
def test_a_brain_does_not_choose_where_questions_and_keys_go(
    address: str | None, monkeypatch: pytest.MonkeyPatch, good: Any
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-precious")
    for model, dim in (("mine", DIM), ("text-embedding-3-large", 3072)):
        stored = Identity(provider="openai", model=model, dim=dim, revision="", address=address)
        with pytest.raises(EmbedderUnavailable, match="a brain may not choose"):
            reopened(stored, brain="x.brain")
    monkeypatch.setenv("OPENAI_BASE_URL", good.base_url)
    assert reopened(stored, brain="x.brain").endpoint.address == good.base_url


def test_a_server_named_by_a_brain_gets_no_key(monkeypatch: pytest.MonkeyPatch, good: Any) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-precious")
    stored = Identity(provider="openai", model="mine", dim=DIM, revision="", address=good.base_url)
    reopened(stored, brain="x.brain").embed_query("alpha")
    assert {headers["authorization"] for *_, headers in good.requests} == {"Bearer none"}


def test_an_exported_brain_is_the_same_model_elsewhere(good: Any, tmp_path: Path) -> None:
    with brainkit.open(tmp_path / "x.brain", embedder=embedder(good)) as brain:
        brain.ingest_texts([{"id": "a", "text": "alpha beta"}], progress=False)
        brain.export(tmp_path / "x.zip")
    before = len(asked(good))
    with brainkit.import_brain(tmp_path / "x.zip", tmp_path / "y.brain") as brain:
        assert brain.query("alpha", mode="vector").results[0].source == "a"
    assert asked(good)[before:] == [["alpha"]], "nothing is embedded again"


def test_openais_models_are_reopened_as_they_were() -> None:
    short = OpenAIEmbedder("text-embedding-3-small", dimensions=512).identity
    again = reopened(Identity.from_dict(short.to_dict()), brain="x.brain")
    assert again.identity.agrees(short)
    assert again.endpoint.address == "openai"


def test_equal_dimension_is_not_the_same_model(good: Any, tmp_path: Path) -> None:
    path = tmp_path / "x.brain"
    with brainkit.open(path, embedder=embedder(good, "first")) as brain:
        brain.ingest_texts([{"id": "a", "text": "alpha"}], progress=False)
    with pytest.raises(EmbedderMismatch, match=r"openai first .*openai second .*reembed"):
        brainkit.open(path, embedder=embedder(good, "second"))


CAPPED = [f"alpha beta gamma delta number{n}" for n in range(40)]  # 5 words: billed as 5


@pytest.mark.parametrize("concurrency", [1, 4])
def test_a_cap_stops_before_it_is_passed_and_the_next_run_pays_for_the_rest(
    good: Any, tmp_path: Path, concurrency: int
) -> None:
    records = [{"id": f"r{n}", "text": text} for n, text in enumerate(CAPPED)]
    options: dict[str, Any] = {"batch_size": 4, "concurrency": concurrency}
    capped = embedder(good, max_tokens=100, **options)
    with brainkit.open(tmp_path / "x.brain", embedder=capped) as brain:
        with pytest.raises(BudgetReached, match=r"max_tokens=100 .*of 40 texts are embedded"):
            brain.ingest_texts(records, progress=False)
        first = [text for texts in asked(good) for text in texts]
        assert 40 <= 5 * len(first) <= 100, "as much as fits, and no more"
        assert brain.query("alpha", mode="bm25").results == (), "nothing half done is shown"
    with brainkit.open(tmp_path / "x.brain", embedder=embedder(good, **options)) as brain:
        report = brain.ingest_texts(records, progress=False)
    assert (report.reused, report.embedded) == (len(first), 40 - len(first))
    sent = [text for texts in asked(good) for text in texts if text in CAPPED]
    assert sorted(sent) == sorted(CAPPED), "each text was paid for once"


def test_a_cap_in_dollars_counts_what_the_server_counts(good: Any) -> None:
    """5 tokens a text at $1 a token: 3 fit into $15, where the estimate says 7 a text."""
    price = brainkit.Price(1_000_000)
    one = embedder(good, max_cost=16, price=price, batch_size=1, concurrency=1)
    with pytest.raises(BudgetReached, match=r"max_cost=\$16.00 would be passed: 3 of 40"):
        one.embed_documents(CAPPED)


def test_what_a_server_takes_is_learned_and_remembered(
    serve: Serve, loopback: ModuleType, tmp_path: Path
) -> None:
    def script(path: str, request: dict[str, Any], nth: int) -> Any:
        if len(request["input"]) > 10:
            return loopback.error(422, "batch size 32 > maximum allowed batch size 10")
        return loopback.embeddings(request)

    server = serve(script)
    texts = [f"alpha number{n}" for n in range(64)]
    vectors = embedder(server, batch_size=32, concurrency=1).embed_documents(texts)
    assert not np.isnan(vectors).any()
    sizes = [len(texts) for texts in asked(server)]
    assert sizes[:3] == [32, 16, 8]
    assert set(sizes[3:]) == {8, 16}, "16 was tried again for the other half"
    kept = (tmp_path / "cache" / "servers.json").read_text()
    assert '"batch_texts": 8' in kept
    again = len(asked(server))
    embedder(server, batch_size=32).embed_documents(texts)
    assert {len(texts) for texts in asked(server)[again:]} == {8}, "a new session knows it"


def test_repr_and_info_name_the_model_and_no_key(
    good: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-precious-thing")
    one = embedder(good, headers={"X-Key": "another-precious-thing"})
    assert repr(one) == f"<OpenAIEmbedder mine at {good.base_url}>"
    with brainkit.open(tmp_path / "x.brain", embedder=one) as brain:
        brain.ingest_texts([{"id": "a", "text": "alpha"}], progress=False)
        assert f"openai mine ({DIM} dims)" in repr(brain.info())
    assert "precious" not in repr(one.endpoint) + repr(vars(one))


def test_an_unusable_question_is_an_error_of_its_own(serve: Serve, loopback: ModuleType) -> None:
    def script(path: str, request: dict[str, Any], nth: int) -> Any:
        if "poison" in request["input"][0]:
            return loopback.error(400, "content not allowed")
        return loopback.embeddings(request)

    one = embedder(serve(script))
    with pytest.raises(EmbedderFailed, match="refuses 'poison': HTTP 400: content not allowed"):
        one.embed_query("poison")
