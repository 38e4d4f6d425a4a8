"""The embedder for a brain: the one that made its vectors, and no other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from brainkit.embed import Embedder, Identity, resolve
from brainkit.errors import EmbedderMismatch, EmbedderUnavailable


def matching(given: Any, stored: Identity | None, *, brain: Path) -> Embedder:
    """Return the embedder to use with a brain.

    given : what the user named, or None. stored : identity of the brain's vectors, or None.
    Raises EmbedderMismatch if they differ, even at equal dimension; EmbedderUnavailable if the
    vectors were made by a function that must be given again.
    """
    if given is None and stored is not None:
        if stored.provider == "callable":
            raise EmbedderUnavailable(
                f"the vectors of {brain} were made by {stored}; pass that function again: "
                "brainkit.open(path, embedder=function). mode='bm25' works without it."
            )
        given = stored.provider
    embedder = resolve(given)
    if stored is not None and embedder.identity.digest != stored.digest:
        raise EmbedderMismatch(
            f"the vectors of {brain} were made by {stored}, and the embedder given is "
            f"{embedder.identity}; vectors of two models cannot be compared. Open the brain "
            "without an embedder to keep its own, or call brain.reembed(...) to switch."
        )
    return embedder
