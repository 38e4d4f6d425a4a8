"""ONNX models on the CPU: opened once, and given one text at a time on several threads."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from brainkit.errors import EmbedderUnavailable

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Encoding, Tokenizer

INPUTS = {"input_ids": "ids", "attention_mask": "attention_mask", "token_type_ids": "type_ids"}
"""What an encoder may take, and what a tokenizer calls it."""
WORKERS_MAX = 8
"""Each text under way costs about 35 MB of activations."""


def usable_cpus() -> int:
    """Return how many CPUs this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def open_tokenizer(path: Path) -> Tokenizer:
    """Return the tokenizer in a file, with neither padding nor truncation.

    Raises EmbedderUnavailable if the file is none.
    """
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # the library raises nothing narrower
        raise EmbedderUnavailable(
            f"{path} is not a tokenizer that can be read: {error}."
        ) from error
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def open_session(path: Path) -> InferenceSession:
    """Return a model that is ready to run, each run on one thread.

    Raises EmbedderUnavailable if onnxruntime or the file cannot be loaded.
    """
    try:
        import onnxruntime
    except ImportError as error:
        raise EmbedderUnavailable(
            f"onnxruntime cannot be loaded here ({error}), so {path.name} cannot be run; use "
            "a callable instead, or embedder='static'."
        ) from error

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4  # its warnings are about the model's making; errors are raised
    options.intra_op_num_threads = options.inter_op_num_threads = (
        1  # texts run side by side instead
    )
    # Without VNNI instructions int8 products saturate and give other vectors; with them, no effect.
    options.add_session_config_entry("session.x64quantprecision", "1")
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # one class per kind of damage, all outside the public API
        raise EmbedderUnavailable(f"{path} is not a model that can be run: {error}.") from error


def run_one(session: InferenceSession, encoding: Encoding) -> NDArray[np.float32]:
    """Return a model's first output for one text, without the batch axis."""
    wanted = (argument.name for argument in session.get_inputs())
    feed = {name: np.array([getattr(encoding, INPUTS[name])], np.int64) for name in wanted}
    first: NDArray[np.float32] = session.run(None, feed)[0][0]
    return first


def run_all(
    run: Callable[[Encoding], Any], encodings: Sequence[Encoding], *, workers: int
) -> list[Any]:
    """Run every text alone, on so many threads, and return the outputs in the order of the texts.

    An int8 model scales its activations by the extremes of the whole *batch*, so texts that share
    one change each other's output. Alone, a text has one, whatever runs beside it.
    """
    if len(encodings) == 1:
        return [run(encodings[0])]
    # Longest first, so that no worker starts a long text when the others are done.
    order = sorted(range(len(encodings)), key=lambda at: -len(encodings[at]))
    pool = ThreadPoolExecutor(workers, thread_name_prefix="brainkit-model")
    try:
        found = list(pool.map(lambda at: run(encodings[at]), order))
    finally:
        pool.shutdown(cancel_futures=True)
    outputs: list[Any] = [None] * len(encodings)
    for at, output in zip(order, found, strict=True):
        outputs[at] = output
    return outputs
