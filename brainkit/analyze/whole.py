"""The whole of a chunk, as indexes and embedders see it."""

from __future__ import annotations


def embedded_text(context: str, text: str) -> str:
    r"""Return what is indexed and embedded for a chunk: what encloses it, then the text itself.

    >>> embedded_text("Setup", "Run it."), embedded_text("", "Run it.")
    ('Setup\nRun it.', 'Run it.')
    """
    return f"{context}\n{text}" if context else text
