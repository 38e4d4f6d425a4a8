"""``await brain.aquery(...)``: the loop goes on, answers are the same, nothing is left behind."""

from __future__ import annotations

import asyncio
import contextvars
import gc
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook

import brainkit
from brainkit import Brain
from brainkit.background import AT_ONCE, Background
from brainkit.errors import BrainClosed, InvalidRequest

PATIENCE_SECONDS = 30.0
THREADS = "brainkit-query"


class Gate:
    """An embedder whose questions wait until the test lets them through."""

    def __init__(self, embed: Callable[[list[str]], Any]) -> None:
        self._embed = embed
        self.name = "gate"
        self.open = threading.Event()
        self.entered = threading.Semaphore(0)
        self.inside = self.most = self.calls = 0
        self._counting = threading.Lock()

    def forget(self) -> None:
        """Count from here."""
        self.calls = self.most = 0
        self.entered = threading.Semaphore(0)

    def __call__(self, texts: list[str]) -> Any:
        with self._counting:
            self.inside += 1
            self.calls += 1
            self.most = max(self.most, self.inside)
        self.entered.release()
        assert self.open.wait(PATIENCE_SECONDS)
        with self._counting:
            self.inside -= 1
        return self._embed(texts)


@pytest.fixture
def gate(word_vectors: Callable[[list[str]], Any]) -> Gate:
    return Gate(word_vectors)


@pytest.fixture
def brain(tmp_path: Path, gate: Gate) -> Iterator[Brain]:
    gate.open.set()
    with brainkit.open(tmp_path / "b.brain", embedder=gate) as opened:
        opened.ingest_texts(
            [{"id": str(n), "text": f"session {n} token {n % 3}"} for n in range(30)],
            progress=False,
        )
        gate.forget()
        yield opened
        gate.open.set()


def running() -> list[str]:
    return [one.name for one in threading.enumerate() if one.name.startswith(THREADS)]


def test_the_loop_ticks_while_a_slow_embedder_works(brain: Brain, gate: Gate) -> None:
    gate.open.clear()

    async def ask() -> tuple[int, list[str]]:
        asked = asyncio.create_task(brain.aquery("session 3", mode="vector"))
        ticks = 0
        while ticks < 100:  # the question cannot be answered before these are over
            assert not asked.done()
            await asyncio.sleep(0)
            ticks += 1
        gate.open.set()
        return ticks, [result.source for result in (await asked).results]

    ticks, found = asyncio.run(ask())
    assert ticks == 100
    assert found == [r.source for r in brain.query("session 3", mode="vector").results]


def test_twenty_at_once_are_as_one_after_another(brain: Brain, gate: Gate) -> None:
    asked: list[dict[str, Any]] = [
        {"query": f"session {n} token", "mode": mode, "top_k": n % 7 + 1}
        for n, mode in enumerate(["vector", "bm25", "hybrid", "multi"] * 5)
    ]

    async def ask() -> list[brainkit.Answer]:
        return await asyncio.gather(*(brain.aquery(**one) for one in asked))

    answers = asyncio.run(ask())
    assert len(answers) == 20
    for one, answer in zip(asked, answers, strict=True):
        assert answer.response.results == brain.query(**one).response.results
    assert 1 <= gate.most <= AT_ONCE


def test_no_more_than_some_run_at_once(brain: Brain, gate: Gate) -> None:
    gate.open.clear()

    async def ask() -> None:
        tasks = [asyncio.create_task(brain.aquery(f"session {n}")) for n in range(10)]
        for _ in range(AT_ONCE):
            assert await asyncio.to_thread(gate.entered.acquire, timeout=PATIENCE_SECONDS)
        assert len(running()) == AT_ONCE
        gate.open.set()
        await asyncio.gather(*tasks)

    asyncio.run(ask())
    assert gate.most == AT_ONCE


def test_a_query_that_was_cancelled_leaves_the_brain_as_it_is(brain: Brain, gate: Gate) -> None:
    before = brain.query("session 3").response.results
    gate.forget()
    gate.open.clear()

    async def ask() -> None:
        tasks = [asyncio.create_task(brain.aquery(f"session {n}")) for n in range(AT_ONCE + 3)]
        for _ in range(AT_ONCE):
            assert await asyncio.to_thread(gate.entered.acquire, timeout=PATIENCE_SECONDS)
        for task in tasks:
            task.cancel()
        ends = await asyncio.gather(*tasks, return_exceptions=True)
        assert all(isinstance(end, asyncio.CancelledError) for end in ends)
        words = await asyncio.wait_for(brain.aquery("session 3", mode="bm25"), PATIENCE_SECONDS)
        assert words.results  # those that were cancelled still run, and block nobody
        gate.open.set()
        answer = await brain.aquery("session 3")
        assert answer.response.results == before

    asyncio.run(ask())
    assert gate.calls == AT_ONCE + 1  # those that waited never began
    assert brain.check()


def test_a_server_that_never_answers_does_not_keep_python_from_ending(tmp_path: Path) -> None:
    code = (
        "import asyncio, sys, threading, brainkit\n"
        "from brainkit.background import Background\n"
        "async def ask():\n"
        "    began, never = threading.Event(), threading.Event()\n"
        "    def hang():\n"
        "        began.set()\n"
        "        never.wait()\n"
        "    task = asyncio.create_task(Background('brainkit-query').run(hang))\n"
        "    await asyncio.to_thread(began.wait)\n"
        "    task.cancel()\n"
        "asyncio.run(ask())\n"
        "print('ended')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=True,
    )
    assert done.stdout == "ended\n"


def test_a_timeout_is_a_cancellation(brain: Brain, gate: Gate) -> None:
    gate.open.clear()

    async def ask() -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(brain.aquery("session 3"), 0.01)
        gate.open.set()

    asyncio.run(ask())
    assert brain.query("session 3").results


def test_what_a_query_raises_the_await_raises(brain: Brain) -> None:
    async def ask(**fields: Any) -> None:
        await brain.aquery("session", **fields)

    with pytest.raises(InvalidRequest, match="mode='hybird' is not one of"):
        asyncio.run(ask(mode="hybird"))
    with pytest.raises(InvalidRequest, match="did you mean 'alpha'"):
        asyncio.run(ask(alhpa=1))


def test_reranking_does_not_block_the_loop_either(brain: Brain) -> None:
    brain.reranker = lambda query, texts: [float(len(text)) for text in texts]
    fields = {"rerank": True, "trace": "full", "top_k": 3}

    async def ask() -> brainkit.Answer:
        return await brain.aquery("session", **fields)

    here = brain.query("session", **fields)
    assert asyncio.run(ask()).response.results == here.response.results


def test_a_closed_brain_says_so_and_its_threads_end(brain: Brain) -> None:
    async def ask() -> None:
        await brain.aquery("session")

    asyncio.run(ask())
    brain.close()
    for thread in threading.enumerate():
        if thread.name.startswith(THREADS):
            thread.join(PATIENCE_SECONDS)
    assert not running()
    with pytest.raises(BrainClosed):
        asyncio.run(ask())


def test_what_waits_when_the_brain_is_closed_ends_with_an_error(brain: Brain, gate: Gate) -> None:
    gate.open.clear()

    async def ask() -> list[Any]:
        tasks = [asyncio.create_task(brain.aquery(f"session {n}")) for n in range(AT_ONCE + 2)]
        for _ in range(AT_ONCE):
            assert await asyncio.to_thread(gate.entered.acquire, timeout=PATIENCE_SECONDS)
        await asyncio.to_thread(brain.close)
        gate.open.set()
        return await asyncio.gather(*tasks, return_exceptions=True)

    ends = asyncio.run(ask())
    assert [isinstance(end, BrainClosed) for end in ends] == [False] * AT_ONCE + [True] * 2
    assert all(isinstance(end, brainkit.Answer) for end in ends[:AT_ONCE])


def test_a_forgotten_owner_leaves_no_thread() -> None:
    work = Background(THREADS)
    assert asyncio.run(work.run(lambda: 1)) == 1
    threads = [one for one in threading.enumerate() if one.name.startswith(THREADS)]
    del work
    gc.collect()
    for thread in threads:
        thread.join(PATIENCE_SECONDS)
    assert not running()


def test_context_variables_are_those_of_the_caller() -> None:
    said = contextvars.ContextVar("said", default="nothing")
    work = Background(THREADS)

    async def ask() -> str:
        said.set("this")
        return await work.run(said.get)

    assert asyncio.run(ask()) == "this"
    work.close()


def test_a_notebook_awaits_it_at_top_level(tmp_path: Path) -> None:
    code = (
        "import asyncio, brainkit\n"
        f"brain = brainkit.open({str(tmp_path / 'b.brain')!r}, embedder='static')\n"
        "brain.ingest_texts([{'id': 'a', 'text': 'session token'}], progress=False)\n"
        "answers = await asyncio.gather(*(brain.aquery('session') for _ in range(20)))\n"
        "print(len(answers), {r.source for a in answers for r in a.results})\n"
        "brain.close()"
    )
    notebook = new_notebook(cells=[new_code_cell(code)])
    NotebookClient(notebook, timeout=60).execute()
    (output,) = notebook.cells[0].outputs
    assert output["text"] == "20 {'a'}\n"
