"""kill -9 at any moment: the old answers or the new, whole stores, and no embedding made twice."""

from __future__ import annotations

import json
import random
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from brainkit.engine import Engine

Start = Callable[..., subprocess.Popen[str]]
KILLS = 20
BATCH = 4


def write_version(folder: Path, version: int) -> None:
    """Half the files of each version are new or changed, and one is gone."""
    folder.mkdir(exist_ok=True)
    for number in range(16):
        changed = version - (version + number) % 2
        sections = [
            f"## Part {part}\n\nalpha key w{number} session in part {part} since v{changed}\n"
            for part in range(4)
        ]
        (folder / f"f{number}.md").write_text("\n".join(sections))
    (folder / f"only{version}.txt").write_text(f"alpha river w7 only in v{version}\n")
    (folder / f"only{version - 1}.txt").unlink(missing_ok=True)


def run_to_the_end(start: Start, *arguments: object) -> float:
    """Seconds from the moment all is loaded."""
    process = start("ingest", *arguments)
    assert process.stdout is not None
    process.stdout.readline()
    began = time.perf_counter()
    _, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    return time.perf_counter() - began


def kill_after(start: Start, seconds: float, *arguments: object) -> None:
    process = start("ingest", *arguments)
    assert process.stdout is not None
    process.stdout.readline()
    try:
        process.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
    process.communicate()


def numbers(brain: Path) -> dict[str, bytes]:
    """Which content each generation's number stands for."""
    return {path.parent.name: path.read_bytes() for path in brain.glob("gen-*[0-9]/manifest.json")}


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory, process: ModuleType) -> Callable[[int], Any]:
    """The answers of a fresh brain for each version; version 0 is a brain without a file."""
    made: dict[int, Any] = {}

    def answers(version: int) -> Any:
        if version not in made:
            home = tmp_path_factory.mktemp("known")
            engine = Engine(home / "x.brain", embedder=process.words)
            if version:
                write_version(home / "notes", version)
                engine.ingest(home / "notes", progress=False)
            made[version] = process.answers(engine)
            engine.close()
        return made[version]

    return answers


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_kills_at_random_moments(
    tmp_path: Path, process: ModuleType, start: Start, known: Callable[[int], Any]
) -> None:
    folder, brain, log = tmp_path / "notes", tmp_path / "x.brain", tmp_path / "log"
    write_version(folder, 1)
    whole = run_to_the_end(start, tmp_path / "first.brain", folder, tmp_path / "other log")
    chance = random.Random(11)
    version, seen = 0, {}
    for _ in range(KILLS):
        write_version(folder, version + 1)
        kill_after(start, chance.uniform(0.0, whole), brain, folder, log)
        engine = Engine(brain, embedder=process.words)
        found = process.answers(engine)
        assert found in (known(version), known(version + 1))
        assert engine.faults() == []
        engine.close()
        for name, content in numbers(brain).items():
            assert seen.setdefault(name, content) == content, "a number was used twice"
        if found == known(version + 1):
            version += 1
    write_version(folder, version + 1)
    run_to_the_end(start, brain, folder, log)
    engine = Engine(brain, embedder=process.words)
    assert process.answers(engine) == known(version + 1)
    assert engine.faults() == []
    engine.close()

    embedded = [t for t in map(json.loads, log.read_text().splitlines()) if "alpha" in t]
    assert len(embedded) - len(set(embedded)) <= KILLS * BATCH, "only what was in flight is lost"
    left = {path.name for path in brain.iterdir() if not path.name.startswith("gen-0")}
    assert left == {"CURRENT", "SEQUENCE", "embeddings", "writer.lock"}
    assert len(list(brain.glob("gen-*"))) == 2, "the current one and the one before it"


def test_a_dead_writer_does_not_block(tmp_path: Path, process: ModuleType, start: Start) -> None:
    brain = tmp_path / "x.brain"
    writer = start("hold", brain)
    assert writer.stdout is not None
    assert writer.stdout.readline() == "holding\n"
    writer.kill()
    writer.communicate()
    engine = Engine(brain, embedder=process.words)
    report = engine.ingest_texts([{"id": "new", "text": "alpha"}], progress=False)
    assert report.generation is not None
    assert not engine.layout.holder_file.exists()
    engine.close()
