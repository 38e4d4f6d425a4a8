"""What a campaign of faults is made of: a small brain, what can be done to it, and what must hold.

What touches the brain runs in a child, forked from a process that has only loaded the libraries.
"""

from __future__ import annotations

import hashlib
import importlib
import itertools
import json
import logging
import os
import random
import select
import shutil
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import brainkit
from brainkit.errors import BrainkitError, EmbedderMismatch
from brainkit.evaluation.judgments import Judgment, Judgments

QUERIES = ("alpha key", "session river w3")
MODES = ("vector", "bm25", "hybrid", "graph", "multi")
FILES, PARTS, VERSIONS, LABELS = 10, 3, 6, 25


def embedder(
    name: str, begun: Callable[[], None] | None = None
) -> Callable[[Sequence[str]], NDArray[np.float32]]:
    """An embedder by name: 16 numbers per text, a sum over its words, the same in any process.

    begun : called whenever it is asked.
    """

    def embed(texts: Sequence[str]) -> NDArray[np.float32]:
        if begun is not None:
            begun()
        out = np.zeros((len(texts), 16), np.float32)
        for row, text in enumerate(texts):
            for word in text.casefold().split():
                digest = hashlib.md5(f"{name} {word}".encode(), usedforsecurity=False).digest()
                out[row] += np.frombuffer(digest, np.uint8) - np.float32(127.5)
        return out

    embed.name = name  # type: ignore[attr-defined]
    return embed


@dataclass(frozen=True)
class State:
    """What a brain holds: which version of the files, whose vectors, how many labels."""

    version: int = 0
    embedder: str = "one"
    labels: int = 0


@dataclass
class Ended:
    """How a child ended. refused : the message of a BrainkitError. crash : any other traceback."""

    value: Any = None
    said: list[str] = field(default_factory=list)
    refused: str | None = None
    kind: str | None = None
    crash: str | None = None
    killed: bool = False
    seconds: float = 0.0


Say = Callable[[str], None]
Work = Callable[[Say], Any]


def in_child(
    work: Callable[[Say], Any],
    *,
    kill_after: float | None = None,
    meanwhile: Callable[[], None] | None = None,
    after_word: bool = False,
) -> Ended:
    """Run ``work`` in a forked child; kill -9 it after so many seconds, if it still runs.

    meanwhile : is called at that moment instead of the kill. after_word : the seconds count from
    the first word that the child says.
    """
    reading, writing = os.pipe()
    began = time.perf_counter()
    child = os.fork()
    if child == 0:
        _be_child(work, writing)
    os.close(writing)
    ended, received = Ended(), b""
    if kill_after is not None:
        if after_word:
            received = os.read(reading, 1 << 16)
            began = time.perf_counter()
        more, open_still = _until(reading, began + kill_after)
        received += more
        if meanwhile is not None:
            meanwhile()
        elif open_still:
            os.kill(child, signal.SIGKILL)
            ended.killed = True
    while block := os.read(reading, 1 << 16):
        received += block
    os.close(reading)
    _, status = os.waitpid(child, 0)
    ended.seconds = time.perf_counter() - began
    for line in received.decode().splitlines(keepends=True):
        with suppress(ValueError):  # the last line may be half there
            found = json.loads(line) if line.endswith("\n") else {}
            ended.said += found.pop("say", [])
            for name, value in found.items():
                setattr(ended, name, value)
    if os.WIFSIGNALED(status):
        ended.killed = True
    return ended


def _until(reading: int, deadline: float) -> tuple[bytes, bool]:
    received = b""
    while (left := deadline - time.perf_counter()) > 0:
        if select.select([reading], [], [], left)[0]:
            block = os.read(reading, 1 << 16)
            if not block:
                return received, False
            received += block
    return received, True


def _be_child(work: Callable[[Say], Any], writing: int) -> None:
    def send(**found: Any) -> None:
        os.write(writing, json.dumps(found).encode() + b"\n")

    logging.getLogger("brainkit").propagate = False
    logging.getLogger("brainkit").addHandler(logging.NullHandler())
    try:
        send(value=work(lambda line: send(say=[line])))
    except BrainkitError as error:
        send(refused=str(error), kind=type(error).__name__)
    except BaseException:  # noqa: BLE001  # whatever it is, the table shows it
        send(crash=traceback.format_exc()[-1500:])
    finally:
        os._exit(0)


def write_version(folder: Path, version: int) -> None:
    """Write a version of the files: half of them differ from the one before, one is new."""
    folder.mkdir(exist_ok=True, parents=True)
    for number in range(FILES):
        changed = version - (version + number) % 2
        parts = [
            f"## Part {part}\n\nalpha key w{number} session in part {part} since v{changed}\n"
            for part in range(PARTS)
        ]
        (folder / f"f{number}.md").write_text("\n".join(parts))
    for old in folder.glob("only*.txt"):
        old.unlink()
    (folder / f"only{version}.txt").write_text(f"alpha river w7 only in v{version}\n")


class World:
    """A folder of notes and a brain of it, and what is known of both."""

    def __init__(self, home: Path, *, seed: int = 1) -> None:
        self.home = home
        self.notes, self.brain = home / "notes", home / "x.brain"
        self.chance = random.Random(seed)
        self.state = State()
        self._known: dict[tuple[int, str], str] = {}

    def begin(self) -> None:
        """Make the brain of version 0, and load here what its child had to load."""
        write_version(self.notes, 0)

        def work(say: Say) -> list[str]:
            before = set(sys.modules)
            self._ingest(self.brain, self.notes, "one")
            with opened(self.brain, "one") as brain:
                digest(brain)
                brain.check()
                list(brain.judgments)
            return sorted(set(sys.modules) - before)

        done = in_child(work)
        if done.value is None:
            raise RuntimeError(done.crash or done.refused)
        for name in done.value:
            with suppress(ImportError):
                importlib.import_module(name)

    def known(self, state: State) -> str:
        """Return the digest of all answers of a fresh brain in this state."""
        key = (state.version % VERSIONS, state.embedder)
        if key not in self._known:
            home = self.home / f"known-{key[0]}-{key[1]}"
            write_version(home / "notes", key[0])

            def work(say: Say) -> str:
                self._ingest(home / "x.brain", home / "notes", key[1])
                with opened(home / "x.brain", key[1]) as brain:
                    return digest(brain)

            done = in_child(work)
            if not done.value:
                raise RuntimeError(done.crash or done.refused)
            self._known[key] = done.value
            shutil.rmtree(home)
        return self._known[key]

    def look(self, path: Path | None = None) -> Ended:
        """Open the brain as anybody would: value = [embedder, answers, faults, labels]."""

        def work(say: Say) -> list[Any]:
            for name in ("one", "two"):
                with suppress(EmbedderMismatch), opened(path or self.brain, name) as brain:
                    labels = [one.query for one in brain.judgments]
                    return [name, digest(brain), list(brain.check().faults), labels]
            raise RuntimeError("the vectors are of neither embedder")

        return in_child(work)

    def verdict(self, found: Ended, allowed: Sequence[State]) -> tuple[State | None, str]:
        """Return which of the allowed states a look found, or None and what was found instead."""
        if found.value is None:
            return None, found.refused or found.crash or "killed"
        name, answers, faults, labels = found.value
        if faults:
            return None, f"check: {faults}"
        if labels != [f"q{number:04}" for number in range(len(labels))]:
            return None, f"labels {labels}"
        for state in allowed:
            same = (name, len(labels)) == (state.embedder, state.labels)
            if same and answers == self.known(state):
                return state, ""
        return None, f"answers of no allowed state (embedder {name}, {len(labels)} labels)"

    def known_all(self) -> None:
        """Work out the answers of every state now, while there is room."""
        for version, name in itertools.product(range(VERSIONS), ("one", "two")):
            self.known(State(version, name))

    def change(self, name: str) -> tuple[Work, State]:
        """Return what to run in a child for a change, and the state that it leads to."""
        return getattr(self, name)()  # type: ignore[no-any-return]

    def settle(self, name: str) -> float:
        """Make a change without any fault; return the seconds it took."""
        work, self.state = self.change(name)
        ended = in_child(work)
        found, why = self.verdict(self.look(), [self.state])
        if found is None:
            raise RuntimeError(f"{name}: {ended.crash or ended.refused or why}")
        return ended.seconds

    def ingest(self) -> tuple[Work, State]:
        """Take in the next version of the files."""
        write_version(self.notes, (self.state.version + 1) % VERSIONS)
        after = replace(self.state, version=self.state.version + 1)
        name = self.state.embedder
        return lambda say: self._ingest(self.brain, self.notes, name, say), after

    def reembed(self) -> tuple[Work, State]:
        """Change to the other embedder."""
        name, other = self.state.embedder, {"one": "two", "two": "one"}[self.state.embedder]

        def work(say: Say) -> None:
            with opened(self.brain, name) as brain:
                brain.reembed(embedder(other, lambda: say("begun")), progress=False)

        return work, replace(self.state, embedder=other)

    def rebuild(self) -> tuple[Work, State]:
        """Damage an index, then ask: it is made again, and the state stays."""
        generation = self.brain / (self.brain / "CURRENT").read_text().strip()
        names = ("vectors.npy", "manifest.json", "keywords/lengths.npy", "graph/words.json")
        (generation / self.chance.choice(names)).write_bytes(b"damaged")
        name = self.state.embedder

        def work(say: Say) -> None:
            with opened(self.brain, name) as brain:
                digest(brain)

        return work, self.state

    def labels(self) -> tuple[Work, State]:
        """Give labels one after the other, saying each that is given."""
        start, folder = self.state.labels, self.brain

        def work(say: Say) -> None:
            judgments = Judgments(folder)
            for number in range(start, start + LABELS):
                judgments.put(label(number))
                say(str(number))

        return work, replace(self.state, labels=start + LABELS)

    @staticmethod
    def _ingest(brain_folder: Path, notes: Path, name: str, say: Say = lambda _: None) -> None:
        with opened(brain_folder, name, lambda: say("begun")) as brain:
            brain.ingest(notes, progress=False)


@dataclass
class Row:
    """One line of the table: tries, how many changes were made or refused, and what was lost."""

    fault: str
    tries: int = 0
    done: int = 0
    refused: int = 0
    lost: list[str] = field(default_factory=list)
    messages: dict[str, str] = field(default_factory=dict)
    note: str = ""

    def judge(
        self, world: World, ended: Ended, before: State, after: State, *, either: bool = False
    ) -> None:
        """Count one try by how its child ended and by what another process then finds.

        either : the fault came from outside, so that a change may be made and still be refused.
        """
        self.told(ended)
        allowed = _allowed(ended, before, after)
        if not (ended.killed or ended.crash or either):
            allowed = allowed[:1] if ended.refused else allowed[-1:]
        found, why = world.verdict(world.look(), allowed)
        if found is None:
            self.lost.append(why)
        else:
            self.done += found == after and not ended.refused
            world.state = found

    def told(self, ended: Ended) -> None:
        """Count a try, and the message it ended with."""
        self.tries += 1
        if ended.crash:
            self.lost.append(f"an error that is not brainkit's own: {ended.crash}")
        elif ended.refused:
            self.refused += 1
            self.messages.setdefault(ended.kind or "", ended.refused)

    def must(self, holds: bool, why: str) -> None:
        """Count as lost what does not hold."""
        if not holds:
            self.lost.append(why)


def _allowed(ended: Ended, before: State, after: State) -> list[State]:
    """The states that a brain may be in: of labels, those acknowledged and the one under way."""
    if after.labels == before.labels:
        return [before, after]
    least = replace(before, labels=before.labels + len(ended.said))
    return [least, replace(least, labels=min(least.labels + 1, after.labels))]


@contextmanager
def opened(
    path: Path, name: str, begun: Callable[[], None] | None = None
) -> Iterator[brainkit.Brain]:
    """The brain, with HNSW above 20 chunks, for the length of a block."""
    with brainkit.open(path, embedder=embedder(name, begun), exact_limit_chunks=20) as brain:
        yield brain


def digest(brain: brainkit.Brain) -> str:
    """Return one hash of what a user sees for every query in every mode."""
    found = [
        results(brain.query(query, mode=mode, top_k=10)) for query in QUERIES for mode in MODES
    ]
    return hashlib.sha256("".join(found).encode()).hexdigest()


def results(answer: Any) -> str:
    """Return one hash of what a user sees of an answer."""
    found = [
        [r.chunk_id, r.source, r.start_line, r.end_line, r.text, r.score] for r in answer.results
    ]
    return hashlib.sha256(json.dumps(found).encode()).hexdigest()


def label(number: int) -> Judgment:
    """Return the n-th label."""
    return Judgment(
        query=f"q{number:04}", source="notes/f1.md", lines="1-3", grade=number % 4, labeller="me",
        note="", when="", chunk_id="c", content=f"{number:08x}",
    )  # fmt: skip
