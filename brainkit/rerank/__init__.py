"""Rerankers: what reads a question together with each of the best chunks, by name or as given."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

from brainkit.embed import has_attribute
from brainkit.errors import InvalidSetting, RerankerUnavailable, nearest
from brainkit.rerank.base import Reranker
from brainkit.rerank.kept import KeptScores

__all__ = ["AnyReranker", "Reranker", "resolve"]

AnyReranker = str | Reranker | Callable[[str, list[str]], Sequence[float]]
DEFAULT = "local"
NAMES = (DEFAULT,)
_VARIABLE = "BRAINKIT_RERANKER"


def resolve(reranker: AnyReranker | None) -> Reranker:
    """Return the reranker that the user means, with a memory for pairs it has read.

    reranker : ``local``, the address of a rerank endpoint (``http://host/v1/rerank#model``), a
        Reranker, any callable ``(query, list[str]) -> scores``, or ``None`` for what the variable
        ``BRAINKIT_RERANKER`` names, else ``local``. No model is loaded yet.
    Raises RerankerUnavailable for an unknown name, InvalidSetting for any other kind of value.

    >>> resolve("local").name
    'local:reranker_en'
    """
    given: Any = reranker
    if given is None:
        given = os.environ.get(_VARIABLE) or DEFAULT
    return given if isinstance(given, KeptScores) else KeptScores(_made(given))


def _made(given: Any) -> Reranker:
    """Return the reranker itself, without a memory."""
    if isinstance(given, str):
        if given.startswith(("http://", "https://")):
            from brainkit.rerank.hosted import HostedReranker

            return HostedReranker(given)
        if given not in NAMES:
            raise RerankerUnavailable(
                f"reranker={given!r} is not one of {', '.join(NAMES)}{nearest(given, NAMES)}. The "
                "address of a rerank endpoint or a callable (query, list[str]) -> scores also "
                "works."
            )
        from brainkit.rerank.local import shared

        return shared(os.environ.get("BRAINKIT_RERANK_MODEL") or None)
    if all(has_attribute(given, name) for name in ("name", "sends", "scores")):
        made: Reranker = given
        return made
    if callable(given):
        from brainkit.rerank.given import GivenReranker

        return GivenReranker(given)
    raise InvalidSetting(
        f"reranker={given!r:.80} is not a reranker; give a name, an address, a Reranker, or a "
        "callable (query, list[str]) -> scores."
    )
