"""Rerankers by address, against a server on this machine that behaves, or does not."""

from __future__ import annotations

import json
import traceback
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from brainkit.errors import InvalidSetting, RerankerFailed
from brainkit.rerank import resolve
from brainkit.rerank.hosted import HostedReranker

KEY = "rk-planted-7d1f0c2e9b"
TEXTS = ["a", "bb", "ccc"]
Serve = Callable[..., Any]


def rows(*pairs: tuple[Any, Any], score: str = "relevance_score") -> list[dict[str, Any]]:
    return [{"index": at, score: value} for at, value in pairs]


def asked(server: Any, **options: Any) -> HostedReranker:
    return HostedReranker(f"{server.base_url}/rerank", **{"retries": 0, **options})


@pytest.mark.parametrize(
    "answer",
    [
        {"id": "1", "results": rows((1, 0.9), (2, 0.5), (0, 0.1)), "meta": {}},
        {"object": "list", "data": rows((1, 0.9), (2, 0.5), (0, 0.1)), "usage": {}},
        rows((2, 0.5), (1, 0.9), (0, 0.1), score="score"),
    ],
    ids=["Cohere, Jina, vLLM, llama.cpp", "Voyage", "a bare list"],
)
def test_scores_come_back_in_the_order_of_the_texts(
    answer: Any, serve: Serve, loopback: ModuleType
) -> None:
    server = serve(lambda path, body, nth: loopback.Reply(json.dumps(answer).encode()))
    assert asked(server, model="m").scores("q", TEXTS) == [0.1, 0.9, 0.5]
    ((path, body, _),) = server.requests
    assert path == "/v1/rerank"
    assert body == {"model": "m", "query": "q", "documents": TEXTS, "top_n": 3}


def test_the_model_may_stand_in_the_address_and_is_not_sent_as_part_of_it(serve: Serve) -> None:
    server = serve(lambda path, body, nth: {"results": rows((0, 1.0))})
    named = resolve(f"{server.base_url}/rerank#BAAI/bge-reranker-v2-m3")
    assert named.scores("q", ["a"]) == [1.0]
    bare = resolve(f"{server.base_url}/rerank")
    assert bare.scores("q", ["a"]) == [1.0]
    (path, first, _), (_, second, _) = server.requests
    assert path == "/v1/rerank"
    assert first["model"] == "BAAI/bge-reranker-v2-m3"
    assert "model" not in second
    assert named.name.endswith(":BAAI/bge-reranker-v2-m3")


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ({"results": rows((0, 1.0), (1, 2.0))}, "2 scores for 3 texts"),
        ({"results": rows((0, 1.0), (1, 2.0), (1, 3.0))}, "two scores for text 1"),
        ({"results": rows((0, 1.0), (1, 2.0), (3, 3.0))}, "text 3 of 3"),
        ({"results": rows((0, 1.0), (1, 2.0), (-1, 3.0))}, "text -1 of 3"),
        ({"results": rows((0, 1.0), (1, 2.0), ("2", 3.0))}, "text '2' of 3"),
        ({"results": rows((0, 1.0), (1, 2.0), (2, None))}, "one number per text"),
        ({"results": rows((0, 1.0), (1, 2.0), (2, float("nan")))}, "the score nan"),
        ({"results": rows((0, 1.0), (1, 2.0), (2, float("inf")))}, "the score inf"),
        ({"results": None}, "0 scores for 3 texts"),
        ({"results": ["a", "b", "c"]}, "text None of 3"),
        ({}, "0 scores for 3 texts"),
        (None, "0 scores for 3 texts"),
    ],
)
def test_a_strange_answer_is_said_and_not_used(
    answer: Any, told: str, serve: Serve, loopback: ModuleType
) -> None:
    server = serve(lambda path, body, nth: loopback.Reply(json.dumps(answer).encode()))
    with pytest.raises(RerankerFailed, match=told):
        asked(server).scores("q", TEXTS)


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        ({"body": b'{"results": [{"ind'}, "no JSON"),
        ({"body": b"<html>"}, "no JSON"),
        ({"body": b'{"results": []}', "cut": True}, "broke|reached"),
        ({"body": b'{"results": []}', "reset": True}, "broke|reached"),
        ({"status": 500}, "HTTP 500"),
        ({"status": 404}, "HTTP 404"),
        ({"status": 401}, "HTTP 401"),
        ({"status": 302, "headers": {"Location": "http://127.0.0.1:9/"}}, "HTTP 302"),
        ({"wait_seconds": 30.0}, "within 0.2 s"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_a_server_that_fails_is_a_reason_and_no_crash(
    reply: dict[str, Any], told: str, serve: Serve, loopback: ModuleType
) -> None:
    server = serve(lambda path, body, nth: loopback.Reply(**reply))
    with pytest.raises(RerankerFailed, match=told):
        asked(server, timeout_seconds=0.2).scores("q", TEXTS)


def test_a_busy_server_is_asked_again(serve: Serve, loopback: ModuleType) -> None:
    good = {"results": rows((0, 1.0), (1, 2.0), (2, 3.0))}

    def busy(path: str, body: Any, nth: int) -> Any:
        return loopback.error(429, "slow down", Retry_After="0") if nth < 3 else good

    server = serve(busy)
    assert asked(server, retries=2).scores("q", TEXTS) == [1.0, 2.0, 3.0]
    assert len(server.requests) == 3


def test_nobody_at_the_address() -> None:
    with pytest.raises(RerankerFailed, match=r"127\.0\.0\.1:9"):
        HostedReranker("http://127.0.0.1:9/rerank", retries=0).scores("q", TEXTS)


def test_only_its_own_key_is_sent_and_none_is_ever_said(
    serve: Serve, loopback: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-embedder-5e2a")
    server = serve(lambda path, body, nth: loopback.error(401, f"bad key {KEY}"))
    with pytest.raises(RerankerFailed):
        asked(server).scores("q", TEXTS)
    monkeypatch.setenv("BRAINKIT_RERANK_KEY", KEY)
    with pytest.raises(RerankerFailed) as caught:
        asked(server).scores("q", TEXTS)
    given = asked(server, key=lambda: KEY)
    (_, _, without), (_, _, with_key) = server.requests
    assert "sk-of-the-embedder" not in json.dumps(without)
    assert with_key["authorization"] == f"Bearer {KEY}"
    said = "".join(traceback.format_exception(caught.value))
    assert KEY not in said + repr(given) + given.name
    assert "401" in str(caught.value)


@pytest.mark.parametrize("url", ["http://", "https://user:pw@host/rerank", "http://host:x/rerank"])
def test_an_address_that_is_none(url: str) -> None:
    with pytest.raises(InvalidSetting):
        resolve(url)


def test_an_address_without_a_path_is_told_what_lacks() -> None:
    with pytest.raises(InvalidSetting, match=r"such as http://localhost:8000/v1/rerank"):
        resolve("http://localhost:8000")


def test_nothing_to_rank_asks_nobody() -> None:
    assert HostedReranker("http://127.0.0.1:9/rerank").scores("q", []) == []
