"""Judged questions about any brain, for lessons that measure: prepared, labelled, or stood in."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from brainkit.errors import InvalidDataset
from brainkit.evaluation.datasets import SAMPLE, Dataset, load_dataset

if TYPE_CHECKING:
    from brainkit.brain import Brain

LABELLER: Final = "lesson 09"
"""Under whose name the lesson labels, so that its labels never pass for the reader's."""
OWN_MIN: Final = 20
"""Labelled questions from which on they are taken instead of a stand-in."""
STAND_INS: Final = 64
_WORDS_MIN, _WORDS_MAX = 2, 8
_WORD: Final = re.compile(r"[^\W_]+")
_CHUNKS: Final = """
select source, metadata, left(text, 200) as text from chunks join ranks using (key) order by ord
"""


def questions_about(brain: Brain) -> Dataset:
    """Return judged questions that a lesson can measure with.

    Those that come with the sample, if the brain holds it; else the reader's own labels, from 20
    questions on. Until then headings and names stand in, each asking for the one source that has
    it: known items, whose wording is that of the answer. ``name`` and ``notes`` say which it is.
    Raises InvalidDataset for a brain with too little text to ask about.
    """
    prepared = load_dataset(SAMPLE)
    wanted = {one for row in prepared.qrels.values() for one, grade in row.items() if grade}
    known = {row["source"] for row in _rows(brain, "select distinct source from chunks")}
    if wanted <= known:
        return prepared
    own = _labelled(brain)
    if own is not None and len(own) >= OWN_MIN:
        return own
    count = len(own) if own else 0
    note = (
        f"These questions are headings and names out of the files. {count} questions have labels "
        f"of yours; from {OWN_MIN} on, those are taken."
    )
    return replace(_stand_ins(brain), notes=(note,))


def _labelled(brain: Brain) -> Dataset | None:
    """Return the questions that somebody other than the lesson labelled."""
    labels = brain.judgments
    theirs = {one.query for one in labels if one.labeller != LABELLER}
    try:
        found = labels.to_dataset()
    except InvalidDataset:
        return None
    ids = [one for one, text in found.queries.items() if text in theirs]
    return found.only(ids) if ids else None


def _stand_ins(brain: Brain) -> Dataset:
    rows = _rows(brain, _CHUNKS)
    asked = dict(_alone((_name(row), row["source"]) for row in rows))
    if len(asked) < OWN_MIN:
        asked = {**dict(_alone((_opening(row), row["source"]) for row in rows)), **asked}
    turns = Counter[str]()
    placed = []
    for at, (text, source) in enumerate(asked.items()):
        placed.append((turns[source], at, text, source))  # a file's second after all files' first
        turns[source] += 1
    if len(placed) < _WORDS_MIN:
        raise InvalidDataset("this brain has too little text to ask about; ingest more files.")
    table = [
        {"query": text, "source": source, "grade": 3}
        for _, _, text, source in sorted(placed)[:STAND_INS]
    ]
    return load_dataset(table, name="headings and names")


def _alone(pairs: Iterator[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield the questions that lead to one source only, each once."""
    found: dict[str, set[str]] = {}
    for text, source in pairs:
        if text:
            found.setdefault(text, set()).add(source)
    return ((text, min(sources)) for text, sources in found.items() if len(sources) == 1)


def _name(row: Mapping[str, Any]) -> str:
    """Return the heading or name of a chunk in words; "" for a short one, which says too little."""
    facts = json.loads(row["metadata"] or "{}")
    headings = facts.get("heading_path") or [""]
    words = _WORD.findall(str(facts.get("symbol_name") or headings[-1]).rpartition(".")[2])
    return " ".join(words[:_WORDS_MAX]) if len(words) >= _WORDS_MIN else ""


def _opening(row: Mapping[str, Any]) -> str:
    words = _WORD.findall(row["text"])
    return " ".join(words[:_WORDS_MAX]) if len(words) >= _WORDS_MIN else ""


def _rows(brain: Brain, query: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = brain.sql_table(query).to_pylist()
    return found
