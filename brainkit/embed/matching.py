"""The embedder for a brain: the one that made its vectors, and no other."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from brainkit.embed import NAMES, Embedder, Identity, resolve
from brainkit.errors import EmbedderMismatch, EmbedderUnavailable


def matching(given: Any, stored: Identity | None, *, brain: Path) -> Embedder:
    """Return the embedder to use with a brain.

    given : what the user named, or None. stored : identity of the brain's vectors, or None.
    Raises EmbedderMismatch if they differ, even at equal dimension; EmbedderUnavailable if the
    vectors were made by a function or an Embedder that must be given again.
    """
    named = given
    if given is None and stored is not None:
        if stored.provider not in NAMES:
            what = "function" if stored.provider == "callable" else "embedder"
            raise EmbedderUnavailable(
                f"the vectors of {brain} were made by {stored}; pass that {what} again: "
                f"brainkit.open(path, embedder={what}). mode='bm25' works without it."
            )
        named = stored.provider
        if named == "openai":
            from brainkit.embed.openai import reopened

            named = reopened(stored, brain=brain)
    embedder = resolve(named)
    if stored is not None and not embedder.identity.agrees(stored):
        raise EmbedderMismatch(_difference(embedder.identity, stored, brain=brain, given=given))
    return embedder


def to_store(now: Identity, stored: Identity | None) -> Identity:
    """Return what a brain remembers of the embedder that goes on with its vectors.

    Probes that were taken once stay, where the present embedder has none: they would notice another
    model under the same name later on.
    """
    if stored is None or now.probes is not None or not now.agrees(stored):
        return now
    return replace(now, probes=stored.probes)


def confirm(embedder: Embedder) -> None:
    """Raise EmbedderMismatch if the model behind an embedder has changed since it was asked."""
    ask = getattr(embedder, "confirmed", None)
    if ask is not None and not ask():
        raise EmbedderMismatch(
            f"{embedder!r} answers the same texts with other vectors than before: another model "
            "serves that name now. Nothing was embedded, since vectors of two models cannot be "
            "compared; serve the old one again, or call brain.reembed(...) to switch."
        )


def _difference(found: Identity, stored: Identity, *, brain: Path, given: Any) -> str:
    if found.digest == stored.digest:
        other = "the function of that name given now answers the same texts with other vectors"
    elif given is None:
        other = f"the embedder {stored.provider!r} is now {found}"
        if str(found) == str(stored):
            other += " of another revision"
    else:
        other = f"the embedder given is {found}"
    keep = (
        "Pass the embedder that made them"
        if given is None or stored.provider not in NAMES
        else "Open the brain without an embedder to keep its own"
    )
    return (
        f"the vectors of {brain} were made by {stored}, and {other}; vectors of two models cannot "
        f"be compared. {keep}, or call brain.reembed(...) to switch."
    )
