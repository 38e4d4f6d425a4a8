"""Which chunker cuts which language."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from brainkit.ingest.languages import LANGUAGES, PARSED
from brainkit.ingest.pieces import Budget, Piece


def chunk(text: str, *, language: str | None, budget: Budget) -> list[Piece]:
    """Cut a text into pieces by the rules of its language.

    text : line ends are ``\\n`` only; lines are ``text.split("\\n")``, numbered from 1.
    language : a key of LANGUAGES. Markdown and its kin are cut by heading, code in the languages
        of PARSED by definition, other prose (and ``None``) by paragraph with overlap, other code
        and data likewise but without: a thought may run on over the cut, a record does not.
    Returns pieces by ascending start line. Every line that is not blank is in one of them, none
    lies inside another, and ``context + "\\n" + text`` is within the budget.
    """
    if language in _CHUNKERS:
        return _CHUNKERS[language](text, budget)
    prose = language not in LANGUAGES or LANGUAGES[language].kind == "prose"
    return _text(text, budget, overlap=prose)


# Chunkers load on first use: tree-sitter only when there is code to cut.


def _text(text: str, budget: Budget, *, overlap: bool) -> list[Piece]:
    from brainkit.ingest.chunk_text import chunk_text

    return chunk_text(text, budget=budget, overlap=overlap)


def _markdown(text: str, budget: Budget) -> list[Piece]:
    from brainkit.ingest.chunk_markdown import chunk_markdown

    return chunk_markdown(text, budget=budget)


def _code(text: str, budget: Budget, *, language: str) -> list[Piece]:
    from brainkit.ingest.chunk_code import chunk_code

    return chunk_code(text, language=language, budget=budget)


_CHUNKERS: dict[str, Callable[[str, Budget], list[Piece]]] = {
    "markdown": _markdown,
    "quarto": _markdown,
    "rmarkdown": _markdown,
    **{language: partial(_code, language=language) for language in PARSED},
}
