"""What every reranker offers."""

from __future__ import annotations

import math
import reprlib
from collections.abc import Sequence
from typing import Any, Protocol

from brainkit.errors import RerankerFailed

_SHOWN = 60


class Reranker(Protocol):
    """Reads a question together with each text, and says how well they go together."""

    @property
    def name(self) -> str:
        """What it is, for people and traces; without a key or a user's path."""
        ...

    @property
    def sends(self) -> bool:
        """Whether texts leave this machine, so that those that look like secrets are kept back."""
        ...

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return one finite score per text, in their order; larger is better.

        Raises RerankerFailed with the reason, and RerankerUnavailable if it can never work here.
        """
        ...


def checked(found: Any, texts: Sequence[str], *, name: str) -> list[float]:
    """Return scores as floats. Raises RerankerFailed unless there is one finite number per text.

    >>> checked((1, 0.5), ["a", "b"], name="mine")
    [1.0, 0.5]
    """
    try:
        scores = [float(one) for one in found]
    except (TypeError, ValueError, OverflowError) as error:
        raise RerankerFailed(
            f"{name} answered with {reprlib.repr(found):.{_SHOWN}}, expected one number per text "
            f"({type(error).__name__})"
        ) from error
    if len(scores) != len(texts):
        raise RerankerFailed(f"{name} gave {len(scores)} scores for {len(texts)} texts")
    if not all(map(math.isfinite, scores)):
        strange = next(score for score in scores if not math.isfinite(score))
        raise RerankerFailed(f"{name} gave the score {strange}, which orders nothing")
    return scores
