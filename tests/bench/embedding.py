"""Measure how fast the local model embeds, beside bare onnxruntime on the same tokens.

    python tests/bench/embedding.py --texts 192

The texts are pieces of this Python's standard library of many lengths, some of them twice. Ours and
the bare ways take turns, so that a busy moment hits all. How far the vectors of a bare way lie from
ours is shown too: texts that share a batch of an int8 model change each other's.
"""

from __future__ import annotations

import argparse
import sysconfig
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import onnxruntime
from measured import Timings
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table
from tokenizers import Encoding, Tokenizer

from brainkit.embed.batching import batches
from brainkit.embed.local import SHA256, LocalEmbedder
from brainkit.embed.model_folder import MODEL, TOKENIZER, packaged_file, packaged_folder
from brainkit.embed.onnx import INPUTS, usable_cpus
from brainkit.embed.vectors import unit_rows

Floats = NDArray[np.float32]
SHORTEST, LONGEST = 200, 1_800  # characters of a piece: about 50 to 512 tokens
_WINDOW = 512
_PADDED = (4, 32)


def pieces(count: int) -> list[str]:
    """Return pieces of source files, of many lengths."""
    random = Random(0)
    found: list[str] = []
    files = sorted(Path(sysconfig.get_paths()["stdlib"]).glob("*.py"))
    for path in random.sample(files, len(files)):
        text = path.read_text("utf-8", "replace")
        start = 0
        while start < len(text) and len(found) < count:
            end = start + random.randint(SHORTEST, LONGEST)
            if piece := text[start:end].strip():
                found.append(piece)
            start = end
    return found


class BareModel:
    """The model and its tokenizer with nothing but the libraries.

    threads : of one run.
    """

    def __init__(self, *, threads: int) -> None:
        folder = packaged_folder("bge_small_en")
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.log_severity_level = 4
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        path = packaged_file(folder, MODEL, sha256=SHA256[MODEL])
        self._session = onnxruntime.InferenceSession(
            str(path), options, providers=["CPUExecutionProvider"]
        )
        self._inputs = [argument.name for argument in self._session.get_inputs()]
        path = packaged_file(folder, TOKENIZER, sha256=SHA256[TOKENIZER])
        self.tokenizer = Tokenizer.from_file(str(path))
        self.tokenizer.enable_truncation(_WINDOW)
        self.tokenizer.no_padding()

    def encode(self, texts: Sequence[str]) -> list[Encoding]:
        """Return the tokens."""
        return self.tokenizer.encode_batch_fast(list(texts))

    def run(self, encodings: Sequence[Encoding]) -> Floats:
        """Run one batch, padded to its longest; return the first token's states."""
        longest = max(map(len, encodings))
        feed: dict[str, Any] = {name: [] for name in self._inputs}
        for name, rows in feed.items():
            for one in encodings:
                values = getattr(one, INPUTS[name])
                rows.append(values + [0] * (longest - len(values)))
        arrays = {name: np.array(rows, np.int64) for name, rows in feed.items()}
        states: Floats = self._session.run(None, arrays)[0][:, 0]
        return states


def alone(model: BareModel, encodings: Sequence[Encoding], *, workers: int) -> Floats:
    """Run every text by itself, on so many threads, longest first."""
    order = sorted(range(len(encodings)), key=lambda at: -len(encodings[at]))
    states = np.empty((len(encodings), 384), np.float32)

    def one(at: int) -> None:
        states[at] = model.run([encodings[at]])[0]

    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(one, order))
    return unit_rows(states)


def padded(model: BareModel, encodings: Sequence[Encoding], *, size: int) -> Floats:
    """Run batches of texts of like length, one after the other."""
    order = sorted(range(len(encodings)), key=lambda at: -len(encodings[at]))
    states = np.empty((len(encodings), 384), np.float32)
    for start in range(0, len(order), size):
        at = order[start : start + size]
        states[at] = model.run([encodings[one] for one in at])
    return unit_rows(states)


def through(embedder: LocalEmbedder, texts: Sequence[str]) -> Floats:
    """Embed as an ingest does: batch by batch, each handed over when it is finished."""
    vectors = np.empty((len(texts), 384), np.float32)

    def keep(positions: Sequence[int], rows: Floats) -> None:
        vectors[list(positions)] = rows

    batches(embedder, texts, on_batch=keep)
    return vectors


def measure(count: int, rounds: int) -> Table:
    """Run every way in turn; return the table."""
    texts, cpus = pieces(count), usable_cpus()
    single, threaded, embedder = BareModel(threads=1), BareModel(threads=cpus), LocalEmbedder()
    encodings = single.encode(texts)
    tokens = sum(map(len, encodings))
    ways: dict[str, Callable[[], Any]] = {
        "brainkit, as an ingest": partial(through, embedder, texts),
        "brainkit, one call": partial(embedder.embed_documents, texts),
        f"bare, each text alone, {cpus} at a time": partial(alone, single, encodings, workers=cpus),
        "bare, each text alone, one at a time": partial(alone, single, encodings, workers=1),
        **{
            f"bare, padded batches of {size}, {cpus} threads": partial(
                padded, threaded, encodings, size=size
            )
            for size in _PADDED
        },
        "tokenizing alone": partial(single.encode, texts),
    }
    vectors = {name: way() for name, way in ways.items()}
    ours = vectors["brainkit, as an ingest"]
    timings, processor = Timings(), Timings()
    for _ in range(rounds):
        for name, way in ways.items():
            begin = time.process_time()
            timings.time(name, way)
            processor.add(name, (time.process_time() - begin) * 1000)
    table = Table(title=f"{len(texts)} texts, {tokens:,} tokens, {cpus} CPUs")
    for name in ("way", "texts/s", "tokens/s", "CPU ms a text", "farthest component"):
        table.add_column(name, justify="left" if name == "way" else "right")
    for name, found in vectors.items():
        seconds = timings.median(name) / 1000
        apart = f"{np.abs(found - ours).max():.3f}" if isinstance(found, np.ndarray) else ""
        spent = processor.median(name) / len(texts)
        rate = (f"{len(texts) / seconds:,.1f}", f"{tokens / seconds:,.0f}")
        table.add_row(name, *rate, f"{spent:.2f}", apart)
    return table


def main() -> None:
    """Read the command line, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--texts", type=int, default=192)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    Console(width=110, height=50).print(measure(given.texts, given.rounds))


if __name__ == "__main__":
    main()
