"""What a server bills stays within a cap, however it counts and whatever goes wrong."""

from __future__ import annotations

import json
import math
import random
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from brainkit.embed.openai import OpenAIEmbedder
from brainkit.errors import BrainkitError, BudgetReached
from brainkit.hosted.pace import Pace
from brainkit.hosted.tokens import billable

Serve = Callable[..., Any]


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BRAINKIT_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)


class Billing:
    """A server that bills each text its estimate times a factor, also where it answers badly."""

    def __init__(self, loopback: ModuleType) -> None:
        self._loopback = loopback
        self._counting = threading.Lock()
        self.begin(1.0, fails=0.0, seed=0)

    def begin(self, factor: float, *, fails: float, seed: int) -> None:
        self.billed, self.factor, self.fails = 0, factor, fails
        self.chance = random.Random(seed)

    def __call__(self, path: str, request: dict[str, Any], nth: int) -> Any:
        answer = self._loopback.embeddings(request)
        tokens = sum(math.ceil(billable(text) * self.factor) for text in request["input"])
        answer["usage"] = {"prompt_tokens": tokens, "total_tokens": tokens}
        if self._loopback.is_probe(request):
            return answer
        with self._counting:
            self.billed += tokens
            fails, how = self.chance.random() < self.fails, self.chance.choice((False, True))
        if fails:
            return self._loopback.Reply(json.dumps(answer).encode()[:100], reset=how)
        return answer


def embedder(server: Any, **options: Any) -> OpenAIEmbedder:
    pace = Pace(3, sleep=lambda seconds: None, clock=iter(range(10**9)).__next__)
    return OpenAIEmbedder("mine", base_url=server.base_url, timeout=30, pace=pace, **options)


def test_no_more_is_billed_than_the_cap(serve: Serve, loopback: ModuleType) -> None:
    billing = Billing(loopback)
    server = serve(billing)

    @settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
    @given(
        factor=st.floats(0.2, 5),
        cap=st.integers(100, 3000),
        fails=st.sampled_from([0.0, 0.1, 0.5, 1.0]),
        lengths=st.lists(st.integers(1, 12), min_size=1, max_size=60),
        batch_size=st.integers(1, 64),
        concurrency=st.sampled_from([1, 4]),
        seed=st.integers(0, 99),
    )
    def check(*, factor: float, cap: int, fails: float, lengths: list[int],
              batch_size: int, concurrency: int, seed: int) -> None:  # fmt: skip
        billing.begin(factor, fails=fails, seed=seed)
        one = embedder(server, max_tokens=cap, batch_size=batch_size, concurrency=concurrency)
        texts = [f"{'word ' * words}t{n}" for n, words in enumerate(lengths)]
        with suppress(BrainkitError):
            one.embed_documents(texts)
        assert billing.billed <= cap

    check()


def test_a_first_text_that_fits_the_whole_cap_goes(serve: Serve, loopback: ModuleType) -> None:
    billing = Billing(loopback)
    one = embedder(serve(billing), max_tokens=100)
    vectors = one.embed_documents([" ".join(["word"] * 62)])
    assert np.isfinite(vectors).all()
    with pytest.raises(BudgetReached, match="0 of 1 texts"):
        one.embed_documents([" ".join(["word"] * 101)])
    both = one.embed_documents([" ".join(["word"] * 60), "short"])
    assert np.isfinite(both).all()


@pytest.mark.parametrize("usage", [0, 1, None, "12", True])
def test_a_server_that_does_not_really_count_does_not_lift_the_cap(
    usage: Any, serve: Serve, loopback: ModuleType
) -> None:
    """7 tokens a text by estimate: 14 texts are 98."""

    def script(path: str, request: dict[str, Any], nth: int) -> Any:
        answer = loopback.embeddings(request)
        answer["usage"] = {"prompt_tokens": usage, "total_tokens": usage}
        return answer

    server = serve(script)
    one = embedder(server, max_tokens=100, batch_size=2, concurrency=1)
    texts = [f"alpha beta gamma delta number{n}" for n in range(40)]
    with pytest.raises(BudgetReached, match="14 of 40 texts"):
        one.embed_documents(texts)


def test_an_outage_is_not_remembered_as_a_limit(
    serve: Serve, loopback: ModuleType, tmp_path: Path
) -> None:
    ill = True

    def script(path: str, request: dict[str, Any], nth: int) -> Any:
        if ill and len(request["input"]) > 8:
            return loopback.error(503, "down")
        return loopback.embeddings(request)

    server = serve(script)
    texts = [f"alpha number{n}" for n in range(40)]
    assert np.isfinite(embedder(server, batch_size=40).embed_documents(texts)).all()
    ill = False
    before = len(server.requests)
    embedder(server, batch_size=40).embed_documents(texts)
    assert len(server.requests[before:]) == 2, "the probe, and all texts at once"


@pytest.mark.parametrize(("batches", "learned"), [(1, False), (2, True)])
def test_a_400_is_a_limit_where_two_batches_were_refused_and_taken_in_parts(
    batches: int, learned: bool, serve: Serve, loopback: ModuleType, tmp_path: Path
) -> None:
    def script(path: str, request: dict[str, Any], nth: int) -> Any:
        if len(request["input"]) > 8:
            return loopback.error(400, "no")
        return loopback.embeddings(request)

    one = embedder(serve(script), batch_size=16, concurrency=1)
    one.embed_documents([f"alpha number{n}" for n in range(16 * batches)])
    assert (one.service.memory.known.batch_texts == 8) is learned


def test_a_busy_server_is_not_remembered_as_one_that_cannot_shorten(
    serve: Serve, loopback: ModuleType
) -> None:
    def script(path: str, request: dict[str, Any], nth: int) -> Any:
        if "dimensions" in request:
            return loopback.error(status, "no")
        return loopback.embeddings(request)

    status = 429
    one = embedder(serve(script))
    with pytest.raises(BrainkitError, match="429"):
        one.examined()
    assert one.service.memory.known.takes_dimensions is None
    status = 400
    assert "cannot be chosen" in one.examined()
    assert one.service.memory.known.takes_dimensions is False
