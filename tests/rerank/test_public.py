"""Rerankers through the public face: whatever they do, an answer comes and no secret goes."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha512
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import brainkit
from brainkit import Answer, Brain, Dataset, HostedReranker

Serve = Callable[..., Any]
TEXTS = {"a": "session token", "b": "session token and more", "c": "session token and more still"}
KEY = "rk-planted-51ce0b77aa"
TOKEN = "ghp_" + "q8Zr4mT1xKc7Vb2NpL5wYd9eHs3uJg6fAo0i"
# Made up; it only looks like one.
PEM = "\n".join(
    [
        "-----BEGIN RSA PRIVATE KEY-----",
        *(b64encode(sha512(b"%d" % n).digest()[:48]).decode() for n in range(60)),
        "-----END RSA PRIVATE KEY-----",
    ]
)


@pytest.fixture
def brain(tmp_path: Path, word_vectors: Callable[[list[str]], Any]) -> Iterator[Brain]:
    with brainkit.open(tmp_path / "b.brain", embedder=word_vectors) as opened:
        opened.ingest_texts([{"id": i, "text": t} for i, t in TEXTS.items()], progress=False)
        yield opened


def longest(path: str, body: Any, nth: int) -> Any:
    """A server that prefers long texts."""
    return {
        "results": [
            {"index": at, "relevance_score": float(len(text))}
            for at, text in enumerate(body["documents"])
        ]
    }


def sources(answer: Answer) -> str:
    return "".join(result.source for result in answer.results)


def failure(answer: Answer) -> str:
    (notice,) = (one for one in answer.response.notices if one.kind == "rerank-failed")
    return notice.message


def test_a_hosted_reranker_can_be_given_as_an_object(
    tmp_path: Path, word_vectors: Any, serve: Serve
) -> None:
    server = serve(longest)
    hosted = HostedReranker(f"{server.base_url}/rerank", key=lambda: KEY, headers={"X-Team": "a"})
    with brainkit.open(tmp_path / "b.brain", embedder=word_vectors, reranker=hosted) as brain:
        brain.ingest_texts([{"id": i, "text": t} for i, t in TEXTS.items()], progress=False)
        assert sources(brain.query("session", rerank=True)) == "cba"
        assert KEY not in repr(brain.reranker) + repr(hosted)
    ((_, _, headers),) = server.requests
    assert headers["authorization"] == f"Bearer {KEY}"
    assert headers["x-team"] == "a"


class Own:
    """A reranker of one's own, whose attributes belong to the instance."""

    def __init__(self, answer: Callable[[Sequence[str]], Any], *, sends: bool = False) -> None:
        self.name = "own"
        self.sends = sends
        self.read: list[str] = []
        self._answer = answer

    def scores(self, query: str, texts: Sequence[str]) -> Any:
        self.read += texts
        return self._answer(texts)


def test_a_reranker_of_ones_own_may_keep_its_name_in_the_instance(brain: Brain) -> None:
    brain.reranker = Own(lambda texts: [float(len(text)) for text in texts])
    answer = brain.query("session", rerank=True)
    assert sources(answer) == "cba"
    assert answer.trace.reranked is not None
    assert answer.trace.reranked.reranker == "own"


def raises(texts: Sequence[str]) -> Any:
    raise TimeoutError("too slow")


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (raises, "own raised TimeoutError: too slow"),
        (lambda texts: [1.0], "own gave 1 scores for 3 texts"),
        (lambda texts: [float("nan")] * len(texts), "the score nan"),
        (lambda texts: [10**400] * len(texts), "one number per text"),
        (lambda texts: None, "one number per text"),
    ],
    ids=["raises", "short", "nan", "huge", "nothing"],
)
def test_one_that_fails_leaves_the_fused_order(
    answer: Callable[[Sequence[str]], Any], told: str, brain: Brain
) -> None:
    brain.reranker = Own(answer)
    plain = brain.query("session")
    found = brain.query("session", rerank=True)
    assert told in failure(found)
    assert sources(found) == sources(plain)


@pytest.mark.parametrize(
    "body",
    [
        b"\x80abc",
        b"[" * 200_000,
        b'{"results": [{"index": 0, "score": 1' + b"0" * 400 + b"}]}",
        b'{"results": {"index": 0}}',
        b'{"results": [[0, 1.0]]}',
        b'"text"',
        b"",
    ],
    ids=["no utf-8", "deep", "huge", "mapping", "lists", "string", "empty"],
)
def test_no_answer_of_a_server_loses_the_query(
    body: bytes, brain: Brain, serve: Serve, loopback: ModuleType
) -> None:
    server = serve(lambda path, asked, nth: loopback.Reply(body))
    brain.reranker = f"{server.base_url}/rerank"
    found = brain.query("session", rerank=True)
    assert failure(found)
    assert sources(found) == sources(brain.query("session"))


@pytest.mark.parametrize("param", [["a"], {"a": 1}, None])
def test_an_error_of_odd_types_is_told(
    param: Any, brain: Brain, serve: Serve, loopback: ModuleType
) -> None:
    error = {"error": {"message": ["no"], "param": param, "code": {"x": 1}}}
    server = serve(lambda path, asked, nth: loopback.Reply(json.dumps(error).encode(), status=400))
    brain.reranker = f"{server.base_url}/rerank"
    assert "HTTP 400" in failure(brain.query("session", rerank=True))


def test_a_key_function_that_fails_is_told(brain: Brain, serve: Serve) -> None:
    def locked() -> str:
        raise RuntimeError("the vault is locked")

    server = serve(longest)
    brain.reranker = HostedReranker(f"{server.base_url}/rerank", key=locked)
    assert "RuntimeError" in failure(brain.query("session", rerank=True))
    assert not server.requests


def test_an_answer_that_drips_is_not_waited_for(
    brain: Brain, serve: Serve, loopback: ModuleType
) -> None:
    reply = {"results": [{"index": n, "score": 1.0} for n in range(3)]}
    server = serve(lambda path, asked, nth: loopback.Reply(reply, drip_seconds=0.1))
    brain.reranker = HostedReranker(f"{server.base_url}/rerank", timeout_seconds=0.5)
    assert "no answer within 0.5 s" in failure(brain.query("session", rerank=True))


def test_a_long_retry_after_is_not_obeyed_by_a_person_who_waits(
    brain: Brain, serve: Serve, loopback: ModuleType
) -> None:
    def busy(path: str, body: Any, nth: int) -> Any:
        return (
            loopback.error(429, "slow down", Retry_After="119")
            if nth == 1
            else longest(path, body, nth)
        )

    server = serve(busy)
    brain.reranker = HostedReranker(f"{server.base_url}/rerank", timeout_seconds=10.0)
    assert sources(brain.query("session", rerank=True)) == "cba"


@pytest.mark.parametrize("as_object", [True, False])
def test_what_looks_secret_is_not_sent_by_half(
    as_object: bool, tmp_path: Path, word_vectors: Any, serve: Serve
) -> None:
    server = serve(longest)
    url = f"{server.base_url}/rerank"
    given = HostedReranker(url) if as_object else url
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "key.txt").write_text(PEM)
    (folder / "plain.txt").write_text(f"session key of a {PEM[40:50]} kind")
    with brainkit.open(
        tmp_path / "s.brain", embedder=word_vectors, reranker=given, chunk_tokens=64
    ) as brain:
        brain.ingest(folder, progress=False)
        brain.ingest_texts([{"id": "t", "title": TOKEN, "text": "session"}], progress=False)
        assert sum(source == "project/key.txt" for source in brain.sql("from chunks").source) > 3
        answer = brain.query("session key", top_k=50, rerank=True)
    sent = [text for _, body, _ in server.requests for text in body["documents"]]
    assert any("of a" in text for text in sent)
    lines = PEM.split("\n")
    assert not [text for text in sent if any(part in text for part in (TOKEN, *lines))]
    (notice,) = (one for one in answer.response.notices if one.kind == "rerank-withheld")
    assert "were not sent" in notice.message


def test_a_callable_that_says_it_sends_is_shown_no_secret(brain: Brain) -> None:
    read: list[str] = []

    class Caller:
        def __init__(self) -> None:
            self.name, self.sends = "caller", True

        def __call__(self, query: str, texts: list[str]) -> list[float]:
            read.extend(texts)
            return [1.0] * len(texts)

    brain.ingest_texts([{"id": "s", "text": f"session {TOKEN}"}], progress=False)
    brain.reranker = Caller()
    answer = brain.query("session", rerank=True)
    assert read
    assert not [text for text in read if TOKEN in text]
    assert answer.trace.reranked is not None
    assert len(answer.trace.reranked.withheld) == 1


def test_a_deeper_refuse_says_what_was_not_read_though_all_that_was_asked_was_withheld(
    brain: Brain,
) -> None:
    brain.ingest_texts([{"id": "s", "text": f"session {TOKEN}"}], progress=False)
    brain.reranker = Own(lambda texts: [float(len(text)) for text in texts], sends=True)
    first = brain.query("session", mode="bm25", rerank=True, rerank_depth=1)
    order = [c.source for c in sorted(first.trace.candidates, key=lambda c: -(c.bm25 or 0.0))]
    if order[0] != "s":  # then the secret is asked for alone
        first = brain.query(f"session {TOKEN}", mode="bm25", rerank=True, rerank_depth=1)
    assert first.trace.reranked is not None
    assert first.trace.reranked.scored == 0
    deeper = first.refuse(rerank_depth=4)
    assert "rerank-unread" in [notice.kind for notice in deeper.response.notices]


def test_an_evaluation_does_not_pass_fused_figures_for_reranked_ones(
    brain: Brain, serve: Serve, loopback: ModuleType
) -> None:
    server = serve(lambda path, body, nth: loopback.error(503, "down"))
    brain.reranker = f"{server.base_url}/rerank"
    dataset = Dataset(name="one", queries={"1": "session"}, qrels={"1": {"a": 1}})
    configs = {"plain": {}, "reranked": {"rerank": True}}
    found = brainkit.evaluate(brain, dataset, configs, progress=False)
    assert "HTTP 503" in found.not_run["reranked"]
    assert "reranked was not run" in repr(found)
    assert "plain" not in found.not_run
