"""The end of a report: which corpora it is about, how they were read, and by what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Any

from brainkit import markup


def footer_html(corpora: Sequence[Mapping[str, Any]], *, charts: bool) -> str:
    """Return what a reader must know to make the report again.

    The date is that of the data, as a report of the same data is the same report.
    """
    parts = [_corpus(one) for one in corpora]
    made = f"Made with brainkit {version('brainkit')}"
    if charts:
        made += f" and plotly {version('plotly')}"
    return f"{''.join(parts)}<p>{made}. This file needs no network and no kernel.</p>"


def _corpus(corpus: Mapping[str, Any]) -> str:
    rows = [
        ("Corpus", f"{_count(corpus, 'chunks', 'chunk')} of {_count(corpus, 'sources', 'source')}"),
        ("Data of", f"{corpus.get('created') or 'unknown'} ({corpus.get('generation', '')})"),
        ("Embedder", corpus.get("embedder") or "none"),
        ("Settings", _pairs(corpus.get("settings"))),
        ("Versions", _pairs(corpus.get("versions"))),
    ]
    cells = "".join(
        f"<dt>{name}</dt><dd>{markup.text(markup.terminal(value))}</dd>"
        for name, value in rows
        if value
    )
    name = markup.text(markup.terminal(corpus.get("name", "")))
    return f"<section><h2>About {name}</h2><dl>{cells}</dl></section>"


def _count(corpus: Mapping[str, Any], name: str, noun: str) -> str:
    number = corpus.get(name)
    if not isinstance(number, int):
        return f"an unknown number of {noun}s"
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _pairs(values: object) -> str:
    if not isinstance(values, Mapping):
        return ""
    return ", ".join(f"{name} {value}" for name, value in values.items())
