"""Embedders: what turns texts into vectors, by name or as given."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from brainkit.embed.base import Embedder, Identity
from brainkit.errors import EmbedderUnavailable, InvalidSetting, nearest

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

__all__ = ["Embedder", "Identity", "resolve"]

DEFAULT = "local"
_PROTOCOL = ("identity", "max_tokens", "embed_documents", "embed_query", "count_tokens")


def _local() -> Embedder:
    from brainkit.embed.local import shared

    return shared(os.environ.get("BRAINKIT_LOCAL_MODEL") or None)


def _static() -> Embedder:
    from brainkit.embed.static import StaticEmbedder

    return StaticEmbedder()


def _openai() -> Embedder:
    from brainkit.embed.openai import OpenAIEmbedder

    return OpenAIEmbedder()


NAMES: dict[str, Callable[[], Embedder]] = {
    "local": _local,
    "static": _static,
    "openai": _openai,
}
"""Embedders that brainkit makes itself; each calls itself by its name as provider."""


def resolve(embedder: str | Embedder | Callable[[list[str]], ArrayLike] | None) -> Embedder:
    """Return the embedder that the user means.

    embedder : a name (``local``, ``static``, ``openai``), an Embedder, any callable
        ``list[str] -> (n, dim)``, or ``None`` for ``local``. No model is loaded yet.
    Raises EmbedderUnavailable for an unknown name, and InvalidSetting for any other kind of value.

    >>> resolve("local").identity.dim
    384
    """
    if embedder is None:
        embedder = DEFAULT
    if isinstance(embedder, str):
        if embedder not in NAMES:
            raise EmbedderUnavailable(
                f"embedder={embedder!r} is not one of {', '.join(NAMES)}"
                f"{nearest(embedder, NAMES)}. An Embedder or a callable list[str] -> (n, dim) "
                f"also works."
            )
        return NAMES[embedder]()
    # Looked up on the class: asking the object would run its properties, and load its model.
    missing = [name for name in _PROTOCOL if not has_attribute(embedder, name)]
    if not missing:
        return embedder  # type: ignore[return-value]  # has what the protocol asks for
    if callable(embedder):
        from brainkit.embed.given import GivenEmbedder

        return GivenEmbedder(embedder)
    hint = (
        f"it lacks {', '.join(missing)}; pass its function instead: embedder.embed_documents"
        if has_attribute(embedder, "embed_documents")
        else "allowed are a name, an Embedder, or a callable list[str] -> (n, dim)"
    )
    raise InvalidSetting(f"embedder={embedder!r:.80} is not an embedder: {hint}.")


def has_attribute(thing: Any, name: str) -> bool:
    """Tell whether it has an attribute, without asking a property, which may load a model."""
    return hasattr(type(thing), name) or name in getattr(thing, "__dict__", {})
