"""Any function from a question and texts to scores, as a reranker."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any


class GivenReranker:
    """Rerank with the user's own function.

    function : ``(query, list[str]) -> scores``, one number per text. It may carry attributes:
        ``name`` says what it is, ``hosted=True`` or ``sends=True`` that it sends the texts to a
        service.
    What it raises becomes a notice on the answer, as an answer in fused order is better than none.
    """

    def __init__(self, function: Callable[[str, list[str]], Any]) -> None:
        self._function = function

    @property
    def name(self) -> str:
        """What the function calls itself, else where it is defined."""
        function = self._function
        named = function if hasattr(function, "__qualname__") else type(function)
        given = getattr(function, "name", None)
        return str(given) if given else f"{named.__module__}.{named.__qualname__}"

    @property
    def sends(self) -> bool:
        """What the function declares as ``hosted`` or ``sends``."""
        return any(getattr(self._function, name, False) for name in ("hosted", "sends"))

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return what the function says; ``KeptScores`` checks it, and names what it raises."""
        found: list[float] = self._function(query, list(texts))
        return found
