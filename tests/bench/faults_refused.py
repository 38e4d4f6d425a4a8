"""Writes, reads and locks that the system refuses, from one step on or all at once."""

from __future__ import annotations

import argparse
import errno
import os
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from campaign import Ended, Row, Say, Work, World, digest, in_child, opened

sys.path.append(str(Path(__file__).parents[1] / "engine"))
from steps import Steps, denied

CODES = ((errno.ENOSPC, "no space"), (errno.EACCES, "no right"), (errno.EIO, "I/O error"))
CHANGES = ("ingest", "reembed", "labels", "rebuild")
NOBODY = 65534
_SHIM = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/file.h>
static int no(void) { errno = CODE; return -1; }
int flock(int fd, int how) { return no(); }
#define REFUSE(name) int name(int fd, int what, ...) { \\
    va_list all; va_start(all, what); void *one = va_arg(all, void *); va_end(all); \\
    if (what == F_SETLK || what == F_SETLKW) return no(); \\
    return ((int (*)(int, int, ...)) dlsym(RTLD_NEXT, #name))(fd, what, one); }
REFUSE(fcntl)
REFUSE(fcntl64)
"""
_ASK = """
import sys
sys.path[:0] = {path!r}
from campaign import *
try:
    with opened(Path({brain!r}), {name!r}) as brain:
        sys.stdout.write(digest(brain) + "\\n")
        brain.ingest({notes!r}, progress=False)
except BrainkitError as error:
    sys.stdout.write(f"{{type(error).__name__}}: {{error}}\\n")
try:
    Judgments(Path({brain!r})).put(label(0))
except BrainkitError as error:
    sys.stdout.write(f"{{type(error).__name__}}: {{error}}\\n")
"""


def steps_of(world: World, work: Work) -> int:
    """Return how many steps a change takes, tried on the brain, which is then put back."""
    kept = world.home / "kept"
    shutil.copytree(world.brain, kept)
    ended = in_child(stepped(world, work, lambda number, event: None))
    shutil.rmtree(world.brain)
    kept.rename(world.brain)
    if ended.value is None:
        raise RuntimeError(ended.crash or ended.refused)
    return int(ended.value)


def stepped(world: World, work: Work, act: Callable[[int, str], None]) -> Work:
    """Return the work with something done at its steps; its value is their number."""

    def run(say: Say) -> int:
        steps = Steps(world.brain, act)
        work(say)
        return len(steps.paths)

    return run


def refusals(world: World, given: argparse.Namespace) -> Iterator[Row]:
    """Refuse a step of a change and all that follow, then let the change through."""
    for code, what in CODES:
        row = Row(f"{what}, from a step on")
        for name in CHANGES:
            work, _ = world.change(name)
            total = steps_of(world, work)
            chosen = world.chance.sample(range(1, total + 1), min(total, given.tries))
            for at in sorted(chosen):
                work, after = world.change(name)
                ended = in_child(stepped(world, work, denied(at, code)))
                row.judge(world, ended, world.state, after)
        yield row


def limits(world: World, given: argparse.Namespace) -> Iterator[Row]:
    """Limit the size of every file, as a quota does; native writers meet it too."""
    row = Row("file size limit")
    for at in range(given.tries):
        work, after = world.change(CHANGES[at % 2])
        ended = in_child(limited(work, size=at * (3_000_000 // given.tries)))
        row.judge(world, ended, world.state, after)
    yield row


def limited(work: Work, *, size: int) -> Work:
    """Return the work with no file allowed to become larger."""

    def run(say: Say) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        work(say)

    return run


def disks(world: World, given: argparse.Namespace) -> Iterator[Row]:
    """Fill a small file system but for a little more each time."""
    row = Row("disk full (tmpfs, 0 to 5 MB left)")
    small = World(world.home / "small", seed=given.seed)
    small.home.mkdir()
    with mounted(["-t", "tmpfs", "-o", "size=60m", "tmpfs", str(small.home)]) as ok:
        if not ok:
            row.note = "left out: needs root"
            yield row
            return
        small.begin()
        small.known_all()
        for at in range(given.tries):
            for name in CHANGES:
                work, after = small.change(name)
                free = shutil.disk_usage(small.home).free - at * (5_000_000 // given.tries)
                with open(small.home / "filler", "wb") as file:
                    os.posix_fallocate(file.fileno(), 0, max(1, free))
                ended = in_child(work)
                (small.home / "filler").unlink()
                row.judge(small, ended, small.state, after)
    yield row


@contextmanager
def mounted(arguments: list[str]) -> Iterator[bool]:
    """Mount for the length of a block; False without the right to."""
    ok = not subprocess.run(["mount", *arguments], capture_output=True, check=False).returncode
    try:
        yield ok
    finally:
        if ok:
            subprocess.run(["umount", "-l", arguments[-1]], check=True)


def read_only(world: World, given: argparse.Namespace) -> Iterator[Row]:
    """Ask and change a brain on a file system that is mounted read-only, whole and damaged."""
    row = Row("read-only folder")
    brain = str(world.brain)
    for name in CHANGES:
        work, after = world.change(name)
        with mounted(["--bind", brain, brain]) as ok:
            if not (ok and not _remount(brain)):
                row.note = "left out: needs root"
                break
            ended = in_child(work)
        row.judge(world, ended, world.state, after)
    yield row


def _remount(target: str) -> int:
    command = ["mount", "-o", "remount,bind,ro", target]
    return subprocess.run(command, capture_output=True, check=False).returncode


def rights(world: World, given: argparse.Namespace) -> Iterator[Row]:
    """Take the right to write away at a random moment of a change; to read, between queries."""
    root = os.getuid() == 0
    row = Row("right to write lost in a run")
    if root:
        _given_away(world.home)
    for at in range(given.tries):
        name = CHANGES[at % len(CHANGES)]
        work, after = world.change(name)
        if root:
            _given_away(world.home)
        whole = in_child(as_nobody(lambda say: None)).seconds + 1.0
        ended = in_child(
            as_nobody(work) if root else work,
            kill_after=world.chance.uniform(0, whole),
            meanwhile=lambda: _modes(world.brain, 0o555),
        )
        _modes(world.brain, 0o755)
        row.judge(world, ended, world.state, after, either=name == "rebuild")
    yield row
    row = Row("right to read lost between queries")
    known = world.known(world.state)

    def ask(say: Say) -> str:
        with opened(world.brain, world.state.embedder) as brain:
            first = digest(brain)
            say("asked")
            while world.brain.stat().st_mode & 0o777:
                time.sleep(0.01)
            try:
                digest(brain)
            finally:
                say("refused")
        return first

    for _ in range(3):
        ended = in_child(
            as_nobody(ask) if root else ask,
            kill_after=3.0,
            meanwhile=lambda: world.brain.chmod(0),
        )
        world.brain.chmod(0o755)
        row.told(ended)
        row.must(ended.refused is not None, f"no refusal: {ended.value}")
        found, why = world.verdict(world.look(), [world.state])
        row.must(found is not None, why)
        row.must(known == world.known(world.state), "other answers")
    yield row


def as_nobody(work: Work) -> Work:
    """Return the work as done by a user whom modes bind."""

    def run(say: Say) -> Any:
        os.setgid(NOBODY)
        os.setuid(NOBODY)
        return work(say)

    return run


def _given_away(home: Path) -> None:
    for path in (home, *home.rglob("*")):
        os.chown(path, NOBODY, NOBODY)


def _modes(brain: Path, mode: int) -> None:
    for path in (brain, *(one for one in brain.rglob("*") if one.is_dir())):
        try:
            path.chmod(mode)
        except FileNotFoundError:  # the change goes on meanwhile
            continue


def locks(world: World, given: argparse.Namespace) -> Iterator[Row]:
    """Let the system refuse every lock, of Python's, DuckDB's and SQLite's."""
    row = Row("file locks refused (ENOLCK, EOPNOTSUPP)")
    compiler = shutil.which("cc")
    if compiler is None:
        row.note = "left out: needs a C compiler"
        yield row
        return
    code = _ASK.format(
        path=[str(Path(__file__).parent), str(Path(__file__).parents[2])],
        brain=str(world.brain), name=world.state.embedder, notes=str(world.notes),
    )  # fmt: skip
    world.change("ingest")
    for name in ("ENOLCK", "EOPNOTSUPP"):
        shim = world.home / f"{name}.so"
        source = _SHIM.replace("CODE", name)
        subprocess.run(
            [compiler, "-shared", "-fPIC", "-x", "c", "-", "-o", str(shim), "-ldl"],
            input=source.encode(), check=True,
        )  # fmt: skip
        done = subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "LD_PRELOAD": str(shim)},
            capture_output=True,
            text=True,
            check=False,
        )
        for line in done.stdout.splitlines():
            kind, _, message = line.partition(": ")
            answered = line == world.known(world.state)
            ended = Ended(value=line) if answered else Ended(refused=message, kind=f"{name} {kind}")
            row.told(ended)
            row.must(answered or "lock" in message, line)
        row.must(not done.stderr, done.stderr[-1500:])
        found, why = world.verdict(world.look(), [world.state])
        row.must(found is not None, why)
    yield row
