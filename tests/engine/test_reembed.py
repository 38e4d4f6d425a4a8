"""Moving a brain to another embedder: refused by accident, done on request, never half done."""

from __future__ import annotations

import json
import logging
import subprocess
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import brainkit
from brainkit.embed.openai import OpenAIEmbedder
from brainkit.engine import Engine
from brainkit.errors import (
    BrainNotWritten,
    BudgetReached,
    EmbedderFailed,
    EmbedderMismatch,
    EndpointUnavailable,
    SecretsFound,
)
from brainkit.models import QueryRequest

Serve = Callable[..., Any]
DIM = 16
RECORDS = [{"id": f"r{n}", "text": f"alpha number{n}"} for n in range(60)]
TOKEN = "ghp_" + "q8Zr4mT1xK" "c7Vb2NwE5y" "Ls9Gd3HfJ6" "pAoU0i"  # fmt: skip


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BRAINKIT_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)


class Models:
    """Two models of one dimension at one address: ``new`` is ``old`` with all signs turned.

    gate : while it is closed, ``new`` answers nothing after its probe and two batches.
    answered : how often ``new`` was paid for each text.
    """

    def __init__(self, loopback: ModuleType) -> None:
        self._loopback = loopback
        self._counting = threading.Lock()
        self.gate = threading.Event()
        self.gate.set()
        self.waiting = threading.Event()
        self.answered: Counter[str] = Counter()
        self.poison = ""

    def __call__(self, path: str, request: dict[str, Any], nth: int) -> Any:
        answer = self._loopback.embeddings(request)
        if request["model"] == "old":
            return answer
        if self.poison and any(self.poison in text for text in request["input"]):
            return self._loopback.error(400, "not this one")
        if sum(self.answered.values()) >= 8 + 2 * 8 and not self.gate.is_set():
            self.waiting.set()
            self.gate.wait(30)
        for row in answer["data"]:
            row["embedding"] = [-number for number in row["embedding"]]
        with self._counting:
            self.answered.update(request["input"])
        return answer


@pytest.fixture
def models(loopback: ModuleType) -> Any:
    one = Models(loopback)
    yield one
    one.gate.set()


def embedder(server: Any, model: str, **options: Any) -> OpenAIEmbedder:
    given = {"base_url": server.base_url, "batch_size": 8, "concurrency": 1, "retries": 0}
    return OpenAIEmbedder(model, **{**given, **options})


def filled(path: Path, one: Any) -> brainkit.Brain:
    brain = brainkit.open(path, embedder=one)
    brain.ingest_texts(RECORDS, progress=False)
    return brain


def paid_once(models: Models) -> bool:
    texts = {record["text"] for record in RECORDS}
    return all(count == 1 for text, count in models.answered.items() if text in texts)


def test_the_refusal_names_both_models_and_the_way_out(
    serve: Serve, models: Any, tmp_path: Path
) -> None:
    server = serve(models)
    path = tmp_path / "x.brain"
    filled(path, embedder(server, "old")).close()
    with pytest.raises(EmbedderMismatch) as caught:
        brainkit.open(path, embedder=embedder(server, "new"))
    for said in ("openai old (16 dims)", "openai new (16 dims)", "brain.reembed(...) to switch"):
        assert said in str(caught.value)
    with brainkit.open(path) as brain:
        assert brain.query("alpha number7", mode="vector").results[0].source == "r7"


def test_a_switch_changes_all_vectors_and_none_by_half(
    serve: Serve, models: Any, tmp_path: Path
) -> None:
    server = serve(models)
    path = tmp_path / "x.brain"
    with filled(path, embedder(server, "old")) as brain:
        assert brain.reembed(embedder(server, "new"), progress=False) == 60
        assert brain.query("alpha number7", mode="vector").results[0].source == "r7"
        assert brain.check()
    with brainkit.open(path) as brain:  # a new process knows which model to ask
        assert brain.query("alpha number7", mode="vector").results[0].source == "r7"
        assert server.requests[-1][1]["model"] == "new"
        back = len(models.answered)
        assert brain.reembed(embedder(server, "old"), progress=False) == 60
        assert len(models.answered) == back, "the old vectors were kept"


def test_the_old_generation_answers_while_the_new_one_is_made(
    serve: Serve, models: Any, tmp_path: Path
) -> None:
    server = serve(models)
    path = tmp_path / "x.brain"
    with filled(path, embedder(server, "old")) as brain:
        models.gate.clear()
        moving = threading.Thread(
            target=brain.reembed, args=(embedder(server, "new"),), kwargs={"progress": False}
        )
        moving.start()
        assert models.waiting.wait(30)
        for number in range(10):
            answer = brain.query(f"alpha number{number}", mode="vector")
            assert answer.results[0].source == f"r{number}"
            assert answer.trace.corpus.embedder == "openai old (16 dims)"
        assert {r["model"] for _, r, _ in server.requests[-3:]} == {"old"}
        models.gate.set()
        moving.join(60)
        assert paid_once(models)
        answer = brain.query("alpha number7", mode="vector")
        assert answer.results[0].source == "r7"
        assert answer.trace.corpus.embedder == "openai new (16 dims)"


def test_killed_in_the_middle_the_brain_is_the_old_one_and_going_on_pays_the_rest(
    serve: Serve, models: Any, tmp_path: Path, start: Callable[..., subprocess.Popen[str]]
) -> None:
    server = serve(models)
    path = tmp_path / "x.brain"
    filled(path, embedder(server, "old")).close()
    models.gate.clear()
    process = start("reembed", path, server.base_url, tmp_path / "cache")
    assert models.waiting.wait(60)
    process.kill()
    process.communicate()
    models.gate.set()
    with brainkit.open(path) as brain:
        assert brain.query("alpha number7", mode="vector").results[0].source == "r7"
        assert brain.check()
        before = Counter(models.answered)
        assert brain.reembed(embedder(server, "new"), progress=False) == 60
    again = models.answered - before
    texts = {record["text"] for record in RECORDS}
    lost = [text for text in texts if models.answered[text] > 1]
    assert len(lost) <= 8, "only what was in flight is paid for twice"
    assert sum(again[text] for text in texts) <= 60 - 16
    with brainkit.open(path) as brain:
        assert brain.query("alpha number7", mode="vector").results[0].source == "r7"


def test_a_cap_and_a_dead_server_leave_the_old_one(
    serve: Serve, models: Any, loopback: ModuleType, tmp_path: Path
) -> None:
    server = serve(models)
    path = tmp_path / "x.brain"
    with filled(path, embedder(server, "old")) as brain:
        with pytest.raises(BudgetReached, match=r"max_tokens=60 .*do the same again"):
            brain.reembed(embedder(server, "new", max_tokens=60), progress=False)
        assert brain.query("alpha number7", mode="vector").results[0].source == "r7"
        healthy, server.script = server.script, lambda *_: loopback.error(503, "down")
        with pytest.raises(EndpointUnavailable, match="HTTP 503"):
            brain.reembed(embedder(server, "new"), progress=False)
        server.script = healthy
        assert brain.query("alpha number8", mode="vector").results[0].source == "r8"
        assert brain.reembed(embedder(server, "new"), progress=False) == 60
    assert paid_once(models)


def test_a_text_that_the_new_model_refuses_is_said_and_found_by_its_words(
    serve: Serve, models: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    server = serve(models)
    models.poison = "number33"
    with filled(tmp_path / "x.brain", embedder(server, "old")) as brain:
        with caplog.at_level(logging.WARNING, logger="brainkit"):
            brain.reembed(embedder(server, "new"), progress=False)
        assert "1 of 60 chunks has no usable vector" in caplog.text
        assert "'alpha number33': HTTP 400: not this one" in caplog.text
        assert brain.query("number33", mode="bm25").results[0].source == "r33"
        assert brain.check()


def test_a_switch_has_a_plan_and_a_bill(serve: Serve, models: Any, tmp_path: Path) -> None:
    """By estimate each text is 1 + 2 + 1 tokens, a number last; the server counts 2 words."""
    server = serve(models)
    price = brainkit.Price(1_000_000)
    with filled(tmp_path / "x.brain", embedder(server, "old")) as brain:
        plan = brain.plan_reembed(embedder(server, "new", price=price))
        assert (plan, plan.embedded, plan.reused, plan.dry_run) == (60, 60, 0, True)
        assert plan.bill is not None
        assert (plan.bill.texts, plan.bill.tokens, plan.bill.cost) == (60, 240, 240.0)
        assert not [text for text in models.answered if text.startswith("alpha number")]
        assert brain.info().embedder == "openai old (16 dims)"
        with pytest.raises(BudgetReached):
            brain.reembed(embedder(server, "new", max_tokens=60), progress=False)
        again = brain.plan_reembed(embedder(server, "new", price=price))
        assert again.bill is not None
        assert 0 < again.reused == again.bill.kept == 60 - again.bill.texts
        done = brain.reembed(embedder(server, "new", price=price), progress=False)
        assert (done, done.embedded, done.reused) == (60, again.embedded, again.reused)
        assert done.bill is not None
        assert done.bill.tokens == 2 * done.embedded
        assert "60 chunks, now with vectors of openai new (16 dims)" in repr(done)


def test_a_model_that_refuses_every_text_leaves_the_brain_as_it_is(
    serve: Serve, models: Any, tmp_path: Path
) -> None:
    server = serve(models)
    models.poison = "alpha"
    with filled(tmp_path / "x.brain", embedder(server, "old")) as brain:
        with pytest.raises(EmbedderFailed, match=r"none of 60 chunks .*keeps the vectors"):
            brain.reembed(embedder(server, "new"), progress=False)
        assert brain.query("alpha number7", mode="vector").results[0].source == "r7"


def test_a_secret_in_a_title_is_not_sent_by_a_switch(
    serve: Serve, models: Any, tmp_path: Path, word_vectors: Any
) -> None:
    server = serve(models)
    with brainkit.open(tmp_path / "x.brain", embedder=word_vectors) as brain:
        titled = {"id": "s", "title": f"token = {TOKEN}", "text": "alpha"}
        brain.ingest_texts([*RECORDS[:3], titled], progress=False)
        for move in (brain.plan_reembed, brain.reembed):
            with pytest.raises(SecretsFound, match="Nothing was sent"):
                move(embedder(server, "new"))
    assert TOKEN not in json.dumps([request for _, request, _ in server.requests])


class Weights:
    """One model name whose weights can change: all signs turned."""

    def __init__(self, loopback: ModuleType) -> None:
        self._loopback = loopback
        self.sign = 1
        self.paid: Counter[str] = Counter()

    def __call__(self, path: str, request: dict[str, Any], nth: int) -> Any:
        answer = self._loopback.embeddings(request)
        if not self._loopback.is_probe(request):
            self.paid.update(request["input"])
        for row in answer["data"]:
            row["embedding"] = [self.sign * number for number in row["embedding"]]
        return answer


@pytest.mark.parametrize("model", ["mine", "text-embedding-3-small"])
def test_weights_that_change_within_a_session_are_noticed_before_anything_is_mixed(
    model: str, serve: Serve, loopback: ModuleType, tmp_path: Path
) -> None:
    weights = Weights(loopback)
    server = serve(weights)
    one = embedder(server, model, dimensions=DIM)
    with filled(tmp_path / "x.brain", one) as brain:
        weights.sign = -1
        with pytest.raises(EmbedderMismatch, match="another model serves that name now"):
            brain.ingest_texts([{"id": "new", "text": "alpha zulu"}], progress=False)
        assert "alpha zulu" not in weights.paid
        with pytest.raises(EmbedderMismatch):
            brain.query("alpha number7", mode="vector")
        assert brain.reembed(one, progress=False) == 60
        assert brain.query("alpha number8", mode="vector").results[0].source == "r8"
        weights.sign = 1
        before = weights.paid.total()
        assert brain.reembed(embedder(server, model, dimensions=DIM), progress=False).reused == 60
        assert weights.paid.total() == before, "both models' vectors were kept, apart"


def test_another_model_behind_a_name_of_openais_is_refused_in_the_next_session(
    serve: Serve, loopback: ModuleType, tmp_path: Path
) -> None:
    weights = Weights(loopback)
    server = serve(weights)
    path = tmp_path / "x.brain"
    filled(path, embedder(server, "text-embedding-3-small", dimensions=DIM)).close()
    weights.sign = -1
    with pytest.raises(EmbedderMismatch):
        brainkit.open(path, embedder=embedder(server, "text-embedding-3-small", dimensions=DIM))


def test_what_could_not_be_kept_is_not_paid_for(serve: Serve, models: Any, tmp_path: Path) -> None:
    server = serve(models)
    path = tmp_path / "x.brain"
    with brainkit.open(path, embedder=embedder(server, "new")) as brain:
        (path / "embeddings").write_text("in the way")
        with pytest.raises(BrainNotWritten, match="nothing more is sent: make the folder writable"):
            brain.ingest_texts(RECORDS, progress=False)
        assert not [text for text in models.answered if text.startswith("alpha number")]
        (path / "embeddings").unlink()
        assert brain.ingest_texts(RECORDS, progress=False).embedded == 60
    assert paid_once(models)


def test_what_looks_like_a_secret_is_not_sent_by_a_switch(
    serve: Serve, models: Any, tmp_path: Path, word_vectors: Any
) -> None:
    server = serve(models)
    with brainkit.open(tmp_path / "x.brain", embedder=word_vectors) as brain:
        secret = {"id": "s", "text": f"token = {TOKEN}"}
        brain.ingest_texts([*RECORDS[:3], secret], progress=False)
        with pytest.raises(SecretsFound, match="Nothing was sent"):
            brain.reembed(embedder(server, "new"), progress=False)
        assert TOKEN not in json.dumps([request for _, request, _ in server.requests])
        assert brain.reembed(embedder(server, "new"), send_secrets=True, progress=False) == 4


def test_a_reader_elsewhere_moves_along(serve: Serve, models: Any, tmp_path: Path) -> None:
    server = serve(models)
    path = tmp_path / "x.brain"
    with filled(path, embedder(server, "old")) as brain:
        reader = Engine(path)  # as in another process
        request = QueryRequest(query="alpha number7", mode="vector")
        assert reader.search(request).results[0].source == "r7"
        brain.reembed(embedder(server, "new"), progress=False)
        assert reader.search(request).results[0].source == "r7"
        assert server.requests[-1][1]["model"] == "new"
        reader.close()
