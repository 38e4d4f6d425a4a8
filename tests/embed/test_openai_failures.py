"""Every way in which a hosted embedder fails: right vectors, a flagged chunk, or a clear error.

And whatever happened, a second run sends only what is missing.
"""

from __future__ import annotations

import json
import socket
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import pytest

import brainkit
from brainkit.embed.openai import OpenAIEmbedder
from brainkit.errors import BrainkitError, EmbedderFailed, EndpointUnavailable
from brainkit.hosted.pace import Pace
from brainkit.ingest.report import IngestReport

Serve = Callable[..., Any]
Answer = dict[str, Any]
DIM = 16
MODEL = "text-embedding-3-small"
TEXTS = [f"alpha number{n}" for n in range(40)]
BAD = "number13"


class Time:
    """A clock that only waiting moves, so that no test waits; ``waits`` is how long each was."""

    def __init__(self) -> None:
        self.now = 0.0
        self.waits: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds

    def pace(self, retries: int = 5) -> Pace:
        return Pace(retries, clock=lambda: self.now, sleep=self.sleep, chance=lambda: 0.0)


class Sick:
    """A server that answers by ``how`` while ``ill``; ``answered`` counts the texts it did well.

    Asked which model it is, it is always well.
    """

    def __init__(self, loopback: ModuleType, how: Callable[[ModuleType, Answer, int], Any]) -> None:
        self.ill = True
        self.answered: Counter[str] = Counter()
        self._loopback = loopback
        self._how = how
        self._counting = threading.Lock()
        self.asked = 0

    def __call__(self, path: str, request: Answer, nth: int) -> Any:
        if self._loopback.is_probe(request):
            return self._loopback.embeddings(request)
        with self._counting:
            self.asked += 1
            nth = self.asked
        reply = self._how(self._loopback, request, nth) if self.ill else None
        if reply is not None:
            return reply
        with self._counting:
            self.answered.update(request["input"])
        return self._loopback.embeddings(request)


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BRAINKIT_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)


def embedder(server: Any, time: Time | None = None, **options: Any) -> OpenAIEmbedder:
    given = {"base_url": server.base_url, "dimensions": DIM, "batch_size": 8, "timeout": 10}
    return OpenAIEmbedder(MODEL, **{**given, "pace": (time or Time()).pace(), **options})


def ingest(path: Path, one: OpenAIEmbedder, texts: list[str] | None = None) -> IngestReport:
    records = [{"id": text, "text": text} for text in texts or TEXTS]
    with brainkit.open(path, embedder=one) as brain:
        return brain.ingest_texts(records, progress=False)


def has_bad(request: Answer) -> bool:
    return any(BAD in text for text in request["input"])


def changed(loopback: ModuleType, request: Answer, change: Callable[[list[Answer]], Any]) -> Any:
    answer = loopback.embeddings(request)
    change(answer["data"])
    return answer


def nan_at_bad(loopback: ModuleType, request: Answer) -> Any:
    answer = loopback.embeddings(request)
    for text, row in zip(request["input"], answer["data"], strict=True):
        if BAD in text:
            row["embedding"][3] = float("nan")
    return answer


def truncated(loopback: ModuleType, request: Answer) -> Any:
    return loopback.Reply(json.dumps(loopback.embeddings(request)).encode()[:200])


class Case(NamedTuple):
    """how : what the server does, None for a good answer. flagged : texts without a vector."""

    how: Callable[[ModuleType, Answer, int], Any]
    flagged: int = 0
    error: type[BrainkitError] | None = None
    said: str = ""
    timeout: float = 10


def first(nth_max: int, reply: Callable[[ModuleType, Answer], Any]) -> Any:
    """A reply to the first few requests only."""
    return lambda lb, request, nth: reply(lb, request) if nth <= nth_max else None


def at_bad(reply: Callable[[ModuleType, Answer], Any]) -> Any:
    """A reply to requests that hold the bad text."""
    return lambda lb, request, nth: reply(lb, request) if has_bad(request) else None


CASES = {
    "out of order": Case(
        lambda lb, request, nth: changed(lb, request, lambda data: data.reverse())
    ),
    "base64 refused": Case(
        lambda lb, request, nth: (
            None
            if request["encoding_format"] == "float"
            else lb.error(400, "encoding_format: base64 is not supported")
        )
    ),
    "429 with Retry-After": Case(first(3, lambda lb, _: lb.error(429, "slow", Retry_After="7"))),
    "429 without": Case(first(3, lambda lb, _: lb.error(429, "slow down"))),
    "429 for good": Case(
        lambda lb, request, nth: lb.error(429, "slow down"),
        error=EndpointUnavailable, said=r"HTTP 429: slow down \(6 attempts\)",
    ),
    "429 for an hour": Case(
        at_bad(lambda lb, _: lb.error(429, "later", Retry_After="3600")),
        error=EndpointUnavailable, said=r"left alone for 3,600 s.* of 40 texts are embedded",
    ),
    "no quota": Case(
        at_bad(lambda lb, _: lb.error(429, "quota", code="insufficient_quota")),
        error=EndpointUnavailable, said="quota is used up",
    ),
    "a few 500s": Case(first(3, lambda lb, _: lb.error(500, "oops"))),
    "500 for good": Case(
        lambda lb, request, nth: lb.error(503, "down"),
        error=EndpointUnavailable, said="not even an ordinary text is taken: HTTP 503: down",
    ),
    "500 at one text": Case(at_bad(lambda lb, _: lb.error(500, "too large")), flagged=1),
    "400 at one text": Case(at_bad(lambda lb, _: lb.error(400, "invalid input")), flagged=1),
    "413 for more than 3": Case(
        lambda lb, request, nth: lb.error(413, "big") if len(request["input"]) > 3 else None
    ),
    "400 at everything": Case(
        lambda lb, request, nth: lb.error(400, "no model loaded"),
        error=EndpointUnavailable, said="not even an ordinary text is taken: HTTP 400: no model",
    ),
    "401": Case(
        lambda lb, request, nth: lb.error(401, "Incorrect API key", code="invalid_api_key"),
        error=EndpointUnavailable, said="wants a key and was sent none .*check OPENAI_API_KEY",
    ),
    "404": Case(
        lambda lb, request, nth: lb.error(404, "no such model", code="model_not_found"),
        error=EndpointUnavailable, said="no such model or path .*check model=",
    ),
    "redirect": Case(
        lambda lb, request, nth: lb.Reply(b"", status=308, headers={"Location": "http://x/v2"}),
        error=EndpointUnavailable, said="sends on to http://x/v2; give that address",
    ),
    "truncated JSON once": Case(first(1, truncated)),
    "truncated JSON for good": Case(
        at_bad(truncated), error=EmbedderFailed,
        said=r"200 bytes that is not the JSON asked for \(3 attempts\).*embedded and kept",
    ),
    "an HTML page": Case(
        lambda lb, request, nth: lb.Reply(b"<html>It works!</html>"),
        error=EmbedderFailed, said="not the JSON asked for",
    ),
    "hang": Case(
        at_bad(lambda lb, _: lb.Reply({}, wait_seconds=30)), error=EndpointUnavailable,
        said=r"no answer within 1 s \(2 attempts\); give timeout=", timeout=1,
    ),
    "a hang once": Case(first(1, lambda lb, _: lb.Reply({}, wait_seconds=30)), timeout=1),
    "drop by drop": Case(
        at_bad(lambda lb, request: lb.Reply(lb.embeddings(request), drip_seconds=0.05)),
        error=EndpointUnavailable, said="no whole answer within 1 s", timeout=1,
    ),
    "wrong dimension": Case(
        lambda lb, request, nth: lb.embeddings({**request, "dimensions": 8}),
        error=EndpointUnavailable, said="8 numbers for a text, not 16; .* ignores dimensions=",
    ),
    "one row too short": Case(
        first(1, lambda lb, request: changed(lb, request, lambda d: d[0]["embedding"].pop()))
    ),
    "NaN": Case(at_bad(nan_at_bad), flagged=1),
    "null": Case(
        at_bad(lambda lb, request: json.loads(
            json.dumps(nan_at_bad(lb, request)).replace("NaN", "null"))), flagged=1,
    ),
    "duplicate indexes": Case(
        at_bad(lambda lb, request: changed(lb, request, lambda data: data[1].update(index=0))),
        error=EmbedderFailed, said=r"indexes that are not 0 to 7, each once",
    ),
    "a row less": Case(first(1, lambda lb, request: changed(lb, request, lambda d: d.pop()))),
    "reset in the middle": Case(
        first(2, lambda lb, request: lb.Reply(
            json.dumps(lb.embeddings(request)).encode()[:300], reset=True)),
    ),
    "reset for good": Case(
        at_bad(lambda lb, _: lb.Reply(b'{"data": [', reset=True)), error=EndpointUnavailable,
        said=r"connection broke in the middle of the answer \(6 attempts\)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_each_failure_ends_well_and_nothing_is_paid_for_twice(
    name: str, serve: Serve, loopback: ModuleType, tmp_path: Path
) -> None:
    case = CASES[name]
    sick = Sick(loopback, case.how)
    server = serve(sick)
    path = tmp_path / "x.brain"
    time = Time()
    if case.error is not None:
        with pytest.raises(case.error, match=case.said) as caught:
            ingest(path, embedder(server, time, timeout=case.timeout))
        assert caught.value.__cause__ is None
        assert caught.value.__context__ is None
    else:
        report = ingest(path, embedder(server, time, timeout=case.timeout))
        assert (report.embedded, report.refused) == (40 - case.flagged, case.flagged)
        assert any("no vector for" in note for note in report.notes) == bool(case.flagged)
    assert sum(time.waits) < 200, "patience has an end"

    sick.ill = False
    before, asked = len(server.requests), sick.asked
    report = ingest(path, embedder(server))
    if case.error is None:
        assert report.generation is None, "all is done, but for what is flagged"
        assert sick.asked == asked
    else:
        new = [request for _, request, _ in server.requests[before:]]
        sent = [text for one in new if not loopback.is_probe(one) for text in one["input"]]
        assert len(sent) == report.embedded == 40 - report.reused
    paid = {text: count for text, count in sick.answered.items() if text in TEXTS}
    assert max(paid.values(), default=1) == 1
    _check_vectors(path, loopback, but=case.flagged)


def _check_vectors(path: Path, loopback: ModuleType, *, but: int) -> None:
    with brainkit.open(path, embedder=OpenAIEmbedder(MODEL, dimensions=DIM)) as brain:
        rows = brain.sql("select text, vector from chunks left join vectors using (key)")
        found = dict(zip(rows["text"], rows["vector"], strict=True))
        assert brain.check()
        words = brain.query(BAD, mode="bm25").results
    assert words[0].source == f"alpha {BAD}", "found by its words in any case"
    missing = [text for text, vector in found.items() if vector is None]
    assert missing == ([f"alpha {BAD}"] if but else [])
    for text in set(found) - set(missing):
        exact = np.array(loopback.vector(text, DIM))
        assert np.allclose(found[text], exact / np.linalg.norm(exact), atol=1e-6), text


def test_one_poisonous_text_among_500_costs_a_few_requests(
    serve: Serve, loopback: ModuleType, tmp_path: Path
) -> None:
    """256 texts halve to 1 in 8 steps; at each, the other half is taken. It is the longest and so
    the first, before any was taken: an ordinary text shows that the server is well.
    """
    texts = [f"alpha number{n}" for n in range(2000, 2500)]
    texts[313] = "alpha number13 poison"
    sick = Sick(loopback, at_bad(lambda lb, _: lb.error(400, "invalid input")))
    server = serve(sick)
    report = ingest(tmp_path / "x.brain", embedder(server, batch_size=256), texts)
    assert (report.embedded, report.refused) == (499, 1)
    assert report.notes[0] == ("no vector for 'alpha number13 poison': HTTP 400: invalid input")
    assert sick.asked <= 2 + 2 * 8 + 1
    assert set(sick.answered.values()) == {1}


def test_a_server_is_left_alone_as_long_as_it_asks(
    serve: Serve, loopback: ModuleType, tmp_path: Path
) -> None:
    sick = Sick(loopback, first(1, lambda lb, _: lb.error(429, "slow", Retry_After="7")))
    time = Time()
    ingest(tmp_path / "x.brain", embedder(serve(sick), time, concurrency=1))
    assert time.waits == [7.0]


def test_without_a_word_from_it_waits_double_from_one_second(
    serve: Serve, loopback: ModuleType, tmp_path: Path
) -> None:
    sick = Sick(loopback, first(4, lambda lb, _: lb.error(500, "oops")))
    time = Time()
    ingest(tmp_path / "x.brain", embedder(serve(sick), time, concurrency=1))
    assert time.waits == [1.0, 2.0, 4.0, 8.0]


def test_no_server_at_all(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    one = OpenAIEmbedder(MODEL, base_url=address, dimensions=DIM, pace=Time().pace())
    with pytest.raises(EndpointUnavailable, match=f"{address} cannot be reached"):
        ingest(tmp_path / "x.brain", one)


@pytest.mark.parametrize("mode", ["vector", "hybrid", "multi"])
def test_a_question_that_cannot_be_embedded_is_an_error_and_words_still_answer(
    mode: str, serve: Serve, loopback: ModuleType, tmp_path: Path
) -> None:
    sick = Sick(loopback, lambda lb, request, nth: lb.error(503, "down"))
    sick.ill = False
    one = embedder(serve(sick))
    with brainkit.open(tmp_path / "x.brain", embedder=one) as brain:
        brain.ingest_texts([{"id": "a", "text": "alpha"}], progress=False)
        sick.ill = True
        with pytest.raises(
            EndpointUnavailable, match=r"HTTP 503: down .*mode='bm25' works without"
        ):
            brain.query("alpha", mode=mode)
        assert brain.query("alpha", mode="bm25").results[0].source == "a"
        sick.ill = False
        assert brain.query("alpha", mode=mode).results[0].source == "a"


def test_ctrl_c_keeps_what_has_arrived(serve: Serve, loopback: ModuleType, tmp_path: Path) -> None:
    server = serve(Sick(loopback, lambda lb, request, nth: None))
    one = embedder(server, concurrency=1)
    put = brainkit.embed.cache.EmbeddingCache.put_many
    calls = 0

    def interrupted(self: Any, hashes: Any, vectors: Any) -> None:
        nonlocal calls
        calls += 1
        put(self, hashes, vectors)
        if calls == 3:
            raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("brainkit.embed.cache.EmbeddingCache.put_many", interrupted)
        with pytest.raises(KeyboardInterrupt):
            ingest(tmp_path / "x.brain", one)
    report = ingest(tmp_path / "x.brain", one)
    assert report.reused >= 24
    assert report.embedded == 40 - report.reused
