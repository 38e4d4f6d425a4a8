"""Run an embedder over many texts, check what it answers, and count what it cuts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from brainkit.embed.base import Embedder
from brainkit.embed.vectors import flaws, unit_rows
from brainkit.errors import EmbedderFailed
from brainkit.hosted.spending import Spending

OnBatch = Callable[[Sequence[int], NDArray[np.float32]], None]

BATCH_SIZE = 32
UNIT_TOLERANCE = 1e-3
"""How far from 1 the length of a vector may be when its embedder promises normalised ones."""
_EPSILON = float(np.finfo(np.float32).eps)


def batches(
    embedder: Embedder,
    texts: Sequence[str],
    *,
    on_batch: OnBatch,
    spending: Spending | None = None,
) -> dict[int, str]:
    """Embed documents batch by batch and hand over each batch as soon as it is finished.

    What ``on_batch`` has taken stays finished when a later batch fails or the user interrupts.

    texts : embedded longest first, so that a batch holds texts of like length (little padding)
        and a machine with too little memory shows it at once.
    on_batch : called with positions in ``texts`` and their vectors, float32 (len(positions), dim).
        Refused texts are left out; a batch in which all were refused is not handed over.
    spending : the account of the run, for an embedder that is paid for.
    Returns position -> reason for each text whose vector is unusable; it has to stay without one.
    Raises EmbedderFailed if an answer is not one vector of ``identity.dim`` numbers per text.
    """
    refused: dict[int, str] = {}

    def take(positions: Sequence[int], answer: NDArray[np.float32]) -> None:
        vectors = _checked(embedder, answer, size=len(positions))
        bad = flaws(vectors)
        refused.update((positions[row], reason) for row, reason in bad.items())
        good = [row for row in range(len(positions)) if row not in bad]
        if good:
            on_batch([positions[row] for row in good], _of_unit_length(embedder, vectors[good]))

    own = getattr(embedder, "embed_each", None)
    if own is not None:
        refused |= own(texts, on_batch=take, spending=spending)
        return dict(sorted(refused.items()))
    size = getattr(embedder, "batch_size", BATCH_SIZE)
    order = sorted(range(len(texts)), key=lambda position: (-len(texts[position]), position))
    for start in range(0, len(order), size):
        positions = order[start : start + size]
        take(positions, embedder.embed_documents([texts[at] for at in positions]))
    return dict(sorted(refused.items()))


def query_vector(embedder: Embedder, text: str) -> NDArray[np.float32]:
    """Embed one question and check the answer: float32 (dim,), finite and not zero.

    Raises EmbedderFailed if the vector has the wrong shape or no direction.
    """
    vector = np.asarray(embedder.embed_query(text))
    vectors = _checked(embedder, vector[np.newaxis], size=1)
    for reason in flaws(vectors).values():
        raise EmbedderFailed(
            f"{embedder.identity} gave an unusable vector for the query {text[:60]!r}: {reason}. "
            f"Rephrase it, or use mode='bm25', which needs no vector."
        )
    only: NDArray[np.float32] = _of_unit_length(embedder, vectors)[0]
    return only


def room(embedder: Embedder) -> int:
    """Return how many tokens of text a vector can see: window less prefix and special tokens."""
    prefix = embedder.identity.document_prefix
    taken = embedder.count_tokens([prefix])[0] if prefix else 0
    return embedder.max_tokens - getattr(embedder, "special_tokens", 0) - taken


def tokens_cut(embedder: Embedder, texts: Sequence[str]) -> list[int]:
    """Return for each text how many of its tokens the embedder would not see; mostly 0.

    All 0 for an embedder whose window is unknown or unlimited.
    """
    if embedder.identity.max_tokens is None:
        return [0] * len(texts)
    fits = room(embedder)
    return [max(0, count - fits) for count in embedder.count_tokens(texts)]


def _checked(embedder: Embedder, answer: object, *, size: int) -> NDArray[np.float32]:
    identity = embedder.identity
    vectors: NDArray[np.float32] = np.asarray(answer)
    if vectors.shape != (size, identity.dim) or vectors.dtype != np.float32:
        raise EmbedderFailed(
            f"{identity} answered with {vectors.dtype} of shape {vectors.shape} for {size} "
            f"text{'s' if size != 1 else ''}; expected float32 of shape {(size, identity.dim)}."
        )
    return vectors


def _of_unit_length(embedder: Embedder, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Hold the embedder to its promise of unit length, and make up for what float16 lost of it.

    Rows that are as near to length 1 as float32 can be stay bit for bit.
    """
    if not embedder.identity.normalized:
        return vectors
    lengths = np.linalg.norm(vectors.astype(np.float64), axis=1)
    worst = float(lengths[np.abs(lengths - 1).argmax()])
    if abs(worst - 1) > UNIT_TOLERANCE:
        raise EmbedderFailed(
            f"{embedder.identity} promises vectors of length 1 but gave one of length {worst:.4g}; "
            f"normalise them, or set normalized=False in its identity."
        )
    inexact = np.abs(lengths - 1) > _EPSILON
    if not inexact.any():
        return vectors
    exact = vectors.copy()
    exact[inexact] = unit_rows(vectors[inexact])
    return exact
