"""Any function from texts to vectors, as an embedder."""

from __future__ import annotations

import functools
import hashlib
import re
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from brainkit.embed.base import Identity
from brainkit.embed.vectors import PROBES, projected, unit_rows
from brainkit.errors import EmbedderFailed

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

MAX_TOKENS = 512
"""Window assumed when the function does not say; the smallest among common models."""
_NEARLY = 1e-4  # components this close to the largest are as large: rounding may not decide
_PIECES = re.compile(
    r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"  # Thai, CJK: one character each
    r"|[^\W\d_]{1,5}|\d{1,3}|_|[^\w\s]"
)


class GivenEmbedder:
    """Embed with the user's own function.

    Rows are scaled to length 1. Errors that the function raises pass through unchanged.

    function : ``list[str] -> (n, dim)``, anything that NumPy can read as numbers. It may carry
        attributes: ``name`` (and ``revision``) say which model it is, ``max_tokens`` its window,
        ``batch_size`` how many texts it gets per call (default 32), ``hosted=True`` that it sends
        them to a service. Without a ``name`` its first call embeds eight probe texts, and their
        vectors become part of the identity: two functions of one qualified name, such as two
        lambdas, or one before and after a change, are then told apart. A ``name`` is believed.
    Raises EmbedderFailed on first use if the answer is not one row of numbers per text.
    """

    def __init__(self, function: Callable[[list[str]], ArrayLike]) -> None:
        self._function = function
        self._probing = threading.Lock()
        self._identity: Identity | None = None
        self.batch_size: int = getattr(function, "batch_size", 32)

    @property
    def identity(self) -> Identity:
        """Found by one call to the function, the first time it is asked for."""
        with self._probing:
            if self._identity is None:
                self._identity = self._probe()
            return self._identity

    @property
    def max_tokens(self) -> int:
        """What the function declares, else 512."""
        return int(getattr(self._function, "max_tokens", None) or MAX_TOKENS)

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return unit vectors, float32 (n, dim); rows without a direction stay as they came."""
        dim = self.identity.dim
        if not texts:
            return np.empty((0, dim), np.float32)
        matrix = self._matrix(texts)
        if matrix.shape[1] != dim:
            raise EmbedderFailed(
                f"{self.identity} answered with {matrix.shape[1]} numbers per text; its first "
                f"answer had {dim}, and all must be alike."
            )
        return unit_rows(matrix)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return the unit vector of a question, float32 (dim,), by the same function."""
        vector: NDArray[np.float32] = self.embed_documents([text])[0]
        return vector

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Estimate the tokens of each text, since the function's tokenizer is unknown.

        Every 5 letters, 3 digits, symbol, or Thai or CJK character counts one. Against BERT's word
        pieces that is 17 % more on English abstracts and 3 % more on Python: better than cut.
        """
        return [len(_PIECES.findall(text)) for text in texts]

    def _matrix(self, texts: Sequence[str]) -> NDArray[np.floating[Any]]:
        answer = self._function(list(texts))
        expected = (
            f"expected numbers of shape ({len(texts)}, dim), one row per text, in their order"
        )
        try:
            matrix = np.asarray(answer)
        except (TypeError, ValueError, RuntimeError) as error:  # ragged rows; tensors on a device
            raise EmbedderFailed(
                f"{_name(self._function)} answered with {type(answer).__name__}, which NumPy "
                f"cannot read ({error}); {expected}."
            ) from error
        if matrix.ndim != 2 or len(matrix) != len(texts) or not matrix.shape[1]:
            raise EmbedderFailed(
                f"{_name(self._function)} answered with {type(answer).__name__} of shape "
                f"{matrix.shape} for {len(texts)} texts; {expected}."
            )
        if matrix.dtype.kind not in "fiu":
            raise EmbedderFailed(
                f"{_name(self._function)} answered with values of type {matrix.dtype}; {expected}."
            )
        return matrix.astype(np.float64) if matrix.dtype.kind != "f" else matrix

    def _probe(self) -> Identity:
        matrix = self._matrix(PROBES)
        named = getattr(self._function, "name", None)
        units = np.nan_to_num(unit_rows(matrix).astype(np.float64), posinf=0.0, neginf=0.0)
        return Identity(
            provider="callable",
            model=str(named) if named else _name(self._function),
            dim=matrix.shape[1],
            revision=str(getattr(self._function, "revision", "")) if named else _stand_out(units),
            max_tokens=getattr(self._function, "max_tokens", None),
            probes=None if named else projected(units),
            hosted=getattr(self._function, "hosted", None),
        )


def _stand_out(units: NDArray[np.float64]) -> str:
    """Return a coarse fingerprint of a vector space that rounding errors do not change.

    Of each row less the mean of all rows, only *which* component is largest counts: most other
    models have others, and so a name, and a file of kept vectors, of their own.
    """
    centred = units - units.mean(axis=0)
    largest = (centred >= centred.max(axis=1, keepdims=True) - _NEARLY).argmax(axis=1).tolist()
    return hashlib.sha256(repr(largest).encode()).hexdigest()[:16]


def _name(function: Callable[..., Any]) -> str:
    if isinstance(function, functools.partial):
        return _name(function.func)
    named = function if hasattr(function, "__qualname__") else type(function)
    return f"{named.__module__}.{named.__qualname__}"
