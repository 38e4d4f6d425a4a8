"""Readers never meet the writer: other processes, other threads, and who may write."""

from __future__ import annotations

import gc
import re
import shutil
import socket
import subprocess
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType

import pytest

from brainkit.engine import Engine
from brainkit.errors import BrainBusy
from brainkit.models import QueryRequest

Start = Callable[..., subprocess.Popen[str]]
REQUESTS = [
    QueryRequest(query=query, mode=mode, top_k=12)
    for query in ("alpha key", "river session w5")
    for mode in ("hybrid", "bm25", "vector", "multi")
]


def versions_in(engine: Engine, request: QueryRequest) -> set[str]:
    """The versions that the files of one answer are of; each file says it in its text."""
    results = engine.search(request).results
    assert results
    for result in results:
        number = result.source.removeprefix("notes/f").removesuffix(".txt")
        assert f"w{number} of version" in result.text, "a row of another file"
    return {match for result in results for match in re.findall(r"version (v\d+)", result.text)}


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_another_process_ingests_while_this_one_queries(
    tmp_path: Path, process: ModuleType, start: Start
) -> None:
    folder, brain = tmp_path / "notes", tmp_path / "x.brain"
    folder.mkdir()
    process.write_version(folder, 0)
    engine = Engine(brain, embedder=process.words)
    engine.ingest(folder, progress=False)
    writer = start("keep_ingesting", brain, folder, 15)
    asked, seen = 0, []
    while asked < 200 or writer.poll() is None:
        (version,) = versions_in(engine, REQUESTS[asked % len(REQUESTS)])
        seen.append(int(version[1:]))
        asked += 1
    out, err = writer.communicate(timeout=60)
    assert (out, writer.returncode) == ("15", 0), err
    assert seen == sorted(seen), "no answer is older than the one before"
    assert versions_in(engine, REQUESTS[0]) == {"v15"}
    assert len(set(seen)) > 2, "they did run side by side"
    assert engine.faults() == []
    engine.close()


def test_eight_threads_query_while_another_ingests(tmp_path: Path, process: ModuleType) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    process.write_version(folder, 0)
    engine = Engine(tmp_path / "x.brain", embedder=process.words)
    engine.ingest(folder, progress=False)
    done = threading.Event()

    def ask(thread: int) -> int:
        asked = 0
        while not (done.is_set() and asked >= 25):
            (_,) = versions_in(engine, REQUESTS[(asked + thread) % len(REQUESTS)])
            asked += 1
        return asked

    with ThreadPoolExecutor(8) as pool:
        threads = [pool.submit(ask, number) for number in range(8)]
        try:
            for version in range(1, 7):
                process.write_version(folder, version)
                engine.ingest(folder, progress=False)
        finally:
            done.set()
        assert all(thread.result() >= 25 for thread in threads)
    assert versions_in(engine, REQUESTS[0]) == {"v6"}
    engine.close()


def test_a_second_writer_is_refused_by_name(
    tmp_path: Path, process: ModuleType, start: Start
) -> None:
    brain = tmp_path / "x.brain"
    writer = start("hold", brain)
    assert writer.stdout is not None
    assert writer.stdout.readline() == "holding\n"
    engine = Engine(brain, embedder=process.words)
    with pytest.raises(BrainBusy) as refused:
        engine.ingest_texts([{"id": "new", "text": "alpha"}], progress=False)
    assert f"process {writer.pid} on {socket.gethostname()}, for " in str(refused.value)
    assert "Queries go on meanwhile" in str(refused.value)
    assert engine.search(QueryRequest(query="alpha")).results == ()

    writer.communicate("go on\n", timeout=60)
    assert writer.returncode == 0
    assert [r.source for r in engine.search(QueryRequest(query="alpha")).results] == ["held"]
    engine.ingest_texts([{"id": "new", "text": "alpha"}], progress=False)
    engine.close()


def test_a_second_writer_in_the_same_process_is_refused_too(
    tmp_path: Path, process: ModuleType
) -> None:
    inside, refusals = Engine(tmp_path / "x.brain", embedder=process.words), []

    def embed(texts: list[str]) -> object:
        if "alpha" in texts[0]:
            with pytest.raises(BrainBusy, match=r"this very process, another thread") as refused:
                inside.remove("anything")
            refusals.append(refused)
        return process.words(texts)

    embed.name = "words"  # type: ignore[attr-defined]
    engine = Engine(tmp_path / "x.brain", embedder=embed)
    engine.ingest_texts([{"id": "one", "text": "alpha"}], progress=False)
    assert len(refusals) == 1
    inside.remove("one")
    engine.close()
    inside.close()


@pytest.mark.parametrize("content", ["", "{", "[]", '{"pid": 1}', '{"pid": 1, "since": null}'])
def test_a_half_written_name_of_the_writer_is_no_error(
    content: str, tmp_path: Path, process: ModuleType, start: Start
) -> None:
    brain = tmp_path / "x.brain"
    writer = start("hold", brain)
    assert writer.stdout is not None
    assert writer.stdout.readline() == "holding\n"
    engine = Engine(brain, embedder=process.words)
    engine.layout.holder_file.write_text(content)
    with pytest.raises(BrainBusy, match="another process that has not said its name yet"):
        engine.ingest_texts([{"id": "new", "text": "alpha"}], progress=False)
    engine.close()
    writer.kill()
    writer.communicate()


def test_a_new_brain_may_be_opened_by_many_at_once(
    tmp_path: Path, process: ModuleType, start: Start
) -> None:
    brain = tmp_path / "x.brain"
    others = [start("open", brain) for _ in range(3)]
    with ThreadPoolExecutor(4) as pool:
        opened = list(pool.map(lambda _: Engine(brain, embedder=process.words), range(4)))
    for other in others:
        out, err = other.communicate(timeout=60)
        assert (out, other.returncode) == ("gen-000001", 0), err
    assert {engine.layout.current() for engine in opened} == {"gen-000001"}
    for engine in opened:
        engine.close()


def test_a_brain_deleted_and_made_anew_elsewhere_is_noticed(
    tmp_path: Path, process: ModuleType, start: Start
) -> None:
    """Its generations have the numbers of those that went."""
    folder, brain = tmp_path / "notes", tmp_path / "x.brain"
    folder.mkdir()
    (folder / "old.txt").write_text("alpha")
    here = Engine(brain, embedder=process.words)
    here.ingest(folder, progress=False)
    assert [r.source for r in here.search(REQUESTS[0]).results] == ["notes/old.txt"]

    shutil.rmtree(brain)
    (folder / "old.txt").rename(folder / "new.txt")
    there = start("ingest", brain, folder, tmp_path / "log")
    _, err = there.communicate(timeout=60)
    assert there.returncode == 0, err
    assert here.layout.current() == "gen-000002"
    assert [r.source for r in here.search(REQUESTS[0]).results] == ["notes/new.txt"]
    here.close()


def test_a_brain_dropped_without_close_lets_go(tmp_path: Path, process: ModuleType) -> None:
    """A generation whose reader is forgotten can go; and no file is left open, or pytest fails."""
    path = tmp_path / "x.brain"
    forgotten = Engine(path, embedder=process.words)
    assert forgotten.search(REQUESTS[0]).results == ()
    writer = Engine(path, embedder=process.words)
    for number in range(3):
        writer.ingest_texts([{"id": str(number), "text": "alpha"}], progress=False)
    assert "gen-000001" in writer.layout.generations()
    del forgotten
    gc.collect()
    writer.ingest_texts([{"id": "last", "text": "alpha"}], progress=False)
    assert writer.layout.generations() == ["gen-000004", "gen-000005"]
    writer.close()
