"""Brains that are moved, replaced or copied while they are used, and writers that race."""

from __future__ import annotations

import argparse
import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from campaign import Row, Say, World, digest, in_child, opened

from brainkit.errors import BrainBusy, BrainDamaged

WRITERS = 4


def races(world: World, given: argparse.Namespace) -> Iterator[Row]:
    """Let writers that try again when refused add records to one brain; none may be missing."""
    records = min(given.tries, 6)
    row = Row(f"{WRITERS} writers racing, {records} records each")

    def write(number: int, say: Say) -> int:
        refused = 0
        for record in range(records):
            while True:
                try:
                    with opened(world.brain, "one") as brain:
                        text = {"id": f"r{number}-{record}", "text": f"racing w{record}"}
                        brain.ingest_texts([text], progress=False)
                    break
                except BrainBusy:
                    refused += 1
                    time.sleep(0.1)
        return refused

    def race(say: Say) -> int:
        """Fork the writers from one that has no thread."""
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(WRITERS) as pool:
            each = [
                pool.submit(in_child, lambda say, n=n: write(n, say))  # type: ignore[misc]
                for n in range(WRITERS)
            ]
            ended = [one.result() for one in each]
        for one in ended:
            if one.value is None:
                raise RuntimeError(one.crash or one.refused)
        return sum(one.value for one in ended)

    def count(say: Say) -> list[Any]:
        with opened(world.brain, "one") as brain:
            found = brain.sql("select count(*) n from files where source like 'r%-%'")
            return [int(found["n"][0]), list(brain.check().faults)]

    ended = in_child(race)
    row.tries = WRITERS * records
    row.must(ended.value is not None, str(ended.crash))
    row.refused = ended.value or 0
    held, faults = in_child(count).value
    row.done = held
    row.must(held == WRITERS * records, f"{held} records of {WRITERS * records}")
    row.must(not faults, str(faults))
    yield row


def moves(world: World, given: argparse.Namespace) -> Iterator[Row]:
    """Move a brain, and put another in its place, while it is read and while it is written."""
    moved = world.home / "moved.brain"
    row = Row("moved while it is read")
    name = world.state.embedder

    def ask(say: Say) -> list[str]:
        with opened(world.brain, name) as brain:
            before = digest(brain)
            world.brain.rename(moved)
            try:
                digest(brain)
                told = "answered"
            except BrainDamaged as error:
                told = str(error)
            with opened(moved, name) as there:
                new = digest(there)
            moved.rename(world.brain)
            return [before, told, new, digest(brain)]

    for _ in range(3):
        ended = in_child(ask)
        row.told(ended)
        if ended.value:
            before, told, new, back = ended.value
            row.messages.setdefault("BrainDamaged", told)
            row.must(before == new == back == world.known(world.state), "other answers")
            row.must("moved" in told, f"no word of the move: {told}")
            row.done += 1
    yield row

    for replaced in (False, True):
        yield _written(world, given, replaced=replaced)


def _written(world: World, given: argparse.Namespace, *, replaced: bool) -> Row:
    """Move a brain away in the middle of a change."""
    other, moved = world.home / "other.brain", world.home / "moved.brain"
    what = "replaced by another" if replaced else "moved"
    row = Row(f"{what} while it is written")
    shutil.copytree(world.brain, other, dirs_exist_ok=True)
    held = _tree(other)
    whole = world.settle("ingest")
    for at in range(given.tries):
        work, after = world.change(("ingest", "reembed")[at % 2])

        def move(put: bool = replaced) -> None:
            world.brain.rename(moved)
            if put:
                other.rename(world.brain)

        # Before it has begun, the other is simply the brain that it opens.
        shutil.rmtree(world.brain / "embeddings", ignore_errors=True)
        moment = world.chance.uniform(0, whole / 2)
        ended = in_child(work, kill_after=moment, meanwhile=move, after_word=True)
        if replaced:
            now = _tree(world.brain)
            changed = sorted(n for n in {*now, *held} if now.get(n) != held.get(n))
            row.must(not changed, f"the other brain was changed: {changed[:5]}")
            world.brain.rename(other)
            _restore(other, held)
        else:
            row.must(not world.brain.exists(), "a ghost where it was")
            shutil.rmtree(world.brain, ignore_errors=True)
        moved.rename(world.brain)
        row.judge(world, ended, world.state, after)
    shutil.rmtree(other)
    return row


def copies(world: World, given: argparse.Namespace) -> Iterator[Row]:
    """Copy a brain file by file while it is written, to the end or not."""
    copy = world.home / "copy.brain"
    for whole in (True, False):
        row = Row("copied while it is written" if whole else "copied, but not to the end")
        seconds = world.settle("ingest")
        for _ in range(given.tries):
            work, after = world.change("ingest")
            before = world.state
            share = 1.0 if whole else world.chance.random()
            ended = in_child(
                work,
                kill_after=world.chance.uniform(0, seconds),
                meanwhile=lambda s=share: _copy(world, copy, share=s),  # type: ignore[misc]
            )
            row.judge(world, ended, before, after)
            _judge_copy(row, world, copy, [before, after])
            shutil.rmtree(copy)
        yield row


def _copy(world: World, copy: Path, *, share: float) -> None:
    """Copy files in a random order, what is there when its turn comes; the last one only half."""
    files = [path for path in world.brain.rglob("*") if path.is_file()]
    world.chance.shuffle(files)
    copy.mkdir()
    taken = files[: round(len(files) * share)]
    for at, path in enumerate(taken):
        target = copy / path.relative_to(world.brain)
        target.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileNotFoundError):  # gone meanwhile
            data = path.read_bytes()
            half = share < 1 and at == len(taken) - 1
            target.write_bytes(data[: len(data) // 2] if half else data)


def _judge_copy(row: Row, world: World, copy: Path, allowed: list[Any]) -> None:
    """A copy answers right, is empty, or says what is wrong; what it advises must then work."""
    found = world.look(copy)
    state, why = world.verdict(found, allowed)
    if state is not None or _is_new(copy):
        row.done += 1
        return
    row.must(found.refused is not None, f"copy: {why}")
    if found.refused is None:
        return
    row.refused += 1
    row.messages.setdefault(found.kind or "", found.refused)
    _, named, _ = found.refused.partition(" was kept: write its name into")
    if named:
        kept = found.refused.partition(" was kept:")[0].rpartition(" ")[2]
        (copy / "CURRENT").write_text(f"{kept}\n")
        again = world.look(copy)
        row.must(again.value is not None or again.refused is not None, f"way back: {again.crash}")


def _is_new(copy: Path) -> bool:
    """Whether nothing of a generation was copied, so that an empty brain was begun."""
    return (copy / "CURRENT").is_file() and [p.name for p in copy.glob("gen-*")] == ["gen-000001"]


def _tree(folder: Path) -> dict[str, bytes]:
    """What a brain holds; numbers used, embeddings and what a dead writer left do not count."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
        and path.name not in ("writer.lock", "writer.json", "SEQUENCE")
        and path.parent.name != "embeddings"
        and ".part" not in str(path.relative_to(folder))
    }


def _restore(folder: Path, held: dict[str, bytes]) -> None:
    shutil.rmtree(folder)
    for name, data in held.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
