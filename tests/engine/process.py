"""What the other process does in these tests: run as a script, with a command and its arguments."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import random
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from brainkit.embed.openai import OpenAIEmbedder
from brainkit.engine import Engine
from brainkit.errors import BrainkitError
from brainkit.models import QueryRequest

QUERIES = ("alpha key", "session w3 w5 river")
MODES = ("vector", "bm25", "hybrid", "graph", "multi")
ALL_INDEXES = ("hybrid", "graph")


def words(texts: Sequence[str]) -> NDArray[np.float32]:
    """32 numbers per text: the sum of a vector per word, the same in every process."""
    rows = [
        sum(
            (np.frombuffer(hashlib.sha256(w.encode()).digest(), np.uint8) - 127.5)
            for w in text.casefold().split()
        )
        for text in texts
    ]
    return np.array([row if np.ndim(row) else np.zeros(32) for row in rows], np.float32)


words.name = "words"  # type: ignore[attr-defined]


def logged(log: Path) -> Callable[[Sequence[str]], NDArray[np.float32]]:
    """``words``, slowly, in batches of 4, with a line in the log for each text before its batch."""

    def slowly(texts: Sequence[str]) -> NDArray[np.float32]:
        with open(log, "ab") as file:
            file.writelines(json.dumps(text).encode() + b"\n" for text in texts)
        hashlib.pbkdf2_hmac("sha256", b"slow", b"down", 15_000)
        return words(texts)

    slowly.name = "words"  # type: ignore[attr-defined]
    slowly.batch_size = 4  # type: ignore[attr-defined]
    return slowly


def answers(engine: Engine, modes: Sequence[str] = MODES) -> list[list[Any]]:
    """What a user sees for every query in these modes."""
    return [
        [
            [r.chunk_id, r.source, r.start_line, r.end_line, r.text, r.score]
            for r in engine.search(QueryRequest(query=query, mode=mode, top_k=10)).results
        ]
        for query in QUERIES
        for mode in modes
    ]


def ingest(brain: str, folder: str, log: str) -> None:
    """Say that all is loaded, then ingest a folder once, slowly."""
    sys.stdout.write("started\n")
    sys.stdout.flush()
    engine = Engine(Path(brain), embedder=logged(Path(log)))
    engine.ingest(Path(folder), progress=False)
    engine.close()


def keep_ingesting(brain: str, folder: str, versions: str) -> None:
    """Write version after version of every file, and ingest each; then say how many there were."""
    engine = Engine(Path(brain), embedder=words)
    for version in range(1, int(versions) + 1):
        write_version(Path(folder), version)
        engine.ingest(Path(folder), progress=False)
    engine.close()
    json.dump(int(versions), sys.stdout)


def write_version(folder: Path, version: int) -> None:
    """Every file of a version says which one it is of."""
    for number in range(12):
        lines = [f"alpha key w{number} of version v{version}", f"session river w{number + 1}"]
        (folder / f"f{number}.txt").write_text("\n".join(lines))


def open_it(brain: str) -> None:
    """Open a brain, new or not, and say which generation it is at."""
    engine = Engine(Path(brain), embedder=words)
    with engine.reading() as generation:
        sys.stdout.write(generation.name)
    engine.close()


def reembed(brain: str, base_url: str, cache: str) -> None:
    """Move a brain to the model ``new`` of a server, in batches of 8."""
    os.environ["BRAINKIT_CACHE"] = cache
    engine = Engine(Path(brain))
    new = OpenAIEmbedder("new", base_url=base_url, batch_size=8, concurrency=1, retries=0)
    engine.reembed(new, progress=False)
    engine.close()


def ask(brain: str) -> None:
    """Answer every query in every mode."""
    with open_small(Path(brain)) as engine:
        json.dump(answers(engine), sys.stdout)


def hold(brain: str) -> None:
    """Begin to write a brain, say so, and never come to an end."""

    def wait(texts: Sequence[str]) -> NDArray[np.float32]:
        if "alpha" in texts[0]:
            sys.stdout.write("holding\n")
            sys.stdout.flush()
            sys.stdin.read()
        return words(texts)

    wait.name = "words"  # type: ignore[attr-defined]
    engine = Engine(Path(brain), embedder=wait)
    engine.ingest_texts([{"id": "held", "text": "alpha"}], progress=False)


def damage(brain: str, name: str, seed: str, flips: str) -> None:
    """Damage one file of the current generation in every way, and say what each came to."""
    path = Path(brain)
    generation = path / (path / "CURRENT").read_text().strip()
    whole = path.with_name("whole")
    shutil.copytree(generation, whole)
    with open_small(path) as engine:
        wanted = answers(engine, ALL_INDEXES)
    for what, content in damaged((generation / name).read_bytes(), int(seed), int(flips)):
        shutil.rmtree(generation)
        shutil.copytree(whole, generation)
        (generation / name).unlink()
        if content is not None:
            (generation / name).write_bytes(content)
        json.dump({"what": what, **outcome(path, wanted)}, sys.stdout)
        sys.stdout.write("\n")
        sys.stdout.flush()


def damaged(good: bytes, seed: int, flips: int) -> Iterator[tuple[str, bytes | None]]:
    """One byte changed, so many times over; 200 at once; half of it, nothing, not there, other."""
    chance = random.Random(seed)
    for _ in range(flips):
        at, change = chance.randrange(len(good)), chance.randrange(1, 256)
        yield f"byte {at} ^ {change}", good[:at] + bytes([good[at] ^ change]) + good[at + 1 :]
    many = bytearray(good)
    for at in chance.sample(range(len(good)), min(200, len(good))):
        many[at] ^= chance.randrange(1, 256)
    yield "200 bytes", bytes(many)
    yield "half", good[: len(good) // 2]
    yield "empty", b""
    yield "deleted", None
    yield "longer", good + b"\0"
    yield "text", b"this is not the file you are looking for\n" * 300


def outcome(path: Path, wanted: list[list[Any]]) -> dict[str, Any]:
    """Open and ask; the answers, the messages, and whether all is well afterwards."""
    messages: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: messages.append(record.getMessage())  # type: ignore[method-assign]
    logging.getLogger("brainkit").addHandler(handler)
    found: dict[str, Any] = {"error": None, "same": False, "faults": None}
    try:
        with open_small(path) as engine:
            found["same"] = answers(engine, ALL_INDEXES) == wanted
            request = QueryRequest(query="alpha", mode="hybrid")
            found["notices"] = [n.message for n in engine.search(request).notices]
            found["faults"] = engine.faults()
        if messages:
            with open_small(path) as engine:
                found["same"] = found["same"] and answers(engine, ALL_INDEXES) == wanted
    except BrainkitError as error:
        found["error"], found["kind"] = str(error), type(error).__name__
    finally:
        logging.getLogger("brainkit").removeHandler(handler)
    return {**found, "messages": messages}


class open_small:
    """An engine for the length of a block, with HNSW above 50 chunks."""

    def __init__(self, path: Path) -> None:
        self._engine = Engine(path, embedder=words, settings={"exact_limit_chunks": 50})

    def __enter__(self) -> Engine:
        return self._engine

    def __exit__(self, *_: object) -> None:
        self._engine.close()


COMMANDS = {
    "ingest": ingest,
    "keep_ingesting": keep_ingesting,
    "open": open_it,
    "reembed": reembed,
    "ask": ask,
    "hold": hold,
    "damage": damage,
}

if __name__ == "__main__":
    COMMANDS[sys.argv[1]](*sys.argv[2:])
