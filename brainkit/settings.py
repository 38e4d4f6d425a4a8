"""Every default once, with its reason; an environment variable BRAINKIT_<NAME> overrides it."""

from __future__ import annotations

import ast
import inspect
import os
from dataclasses import dataclass, fields
from itertools import pairwise

from brainkit.errors import InvalidSetting

# Query defaults; they appear in QueryRequest and nowhere else.
TOP_K = 5
TOP_K_MAX = 50
QUERY_CHARS_MAX = 1000
ALPHA = 0.5
SIMILARITY_THRESHOLD = 0.0  # 0.7 removes nearly every true hit of current models (DESIGN 16)
DEPTH = 50
DEPTH_MAX = 1000
RERANK_DEPTH = 20  # pairs for a reranker: about 0.8 s of two cores for chunks of 150 tokens
RRF_K = 60  # Cormack, Clarke and Buettcher, SIGIR 2009
GRAPH_WEIGHT = 2.0  # in multi mode: R@5 on 2Wiki is .91, .79 with 1; on SciFact it costs .003 nDCG
TRAVERSAL_DEPTH = 2
TRAVERSAL_DEPTH_MAX = 4

# Graph mode.
GRAPH_DECAY = 0.5  # an entity one hop further is worth half: the handbook's example, by hand
GRAPH_MENTION = 0.2  # what a chunk that only names an entity says of it, to one about it: measured
GRAPH_ASIDE = 0.25  # of an entity off the relation that was asked for, where one was
GRAPH_HUB_DEGREE = 64  # of more neighbours, two hops reach everything: such a hub ends paths
GRAPH_FANOUT = 200  # relations walked from one entity, which only a named hub can have more of
GRAPH_REACHED_MAX = 2000  # entities of one walk: more than any reader follows, and about 10 ms
GRAPH_SHOWN = 100  # of these in the trace: more than a picture can hold
GRAPH_HOMONYMS = 5  # a name of more entities says nothing of which is meant
GRAPH_NAME_WORDS = 12  # words of the longest name looked for in a question
GRAPH_SIMILAR = 0.7  # least share of trigrams (Dice) at which a name is taken for another
GRAPH_DAMPING = 0.5  # of personalised PageRank; .85 walks too far from what the question names

WATCH_DEBOUNCE_MS = 500  # changes closer together than this are taken in at once

# BM25 as in the seed.
BM25_K1 = 1.5
BM25_B = 0.75


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Settings of one brain. Sizes are in the unit their name says."""

    chunk_tokens: int = 256
    """Largest chunk, in tokens of the embedder's own tokenizer."""
    chunk_overlap_tokens: int = 32
    """Tokens of the previous prose chunk repeated at the start of the next; 0 switches it off."""
    exact_limit_chunks: int = 100_000
    """Up to this many chunks vectors are searched exactly (about 10 ms); above it HNSW."""
    max_file_bytes: int = 10_000_000
    """Larger files are skipped with the reason."""
    max_line_chars: int = 20_000
    """Files with a longer line are taken for minified or data, and skipped with the reason."""
    max_files: int = 50_000
    """Of a folder with more files, those beyond in the order of their paths are left out."""
    max_depth: int = 64
    """Folders nested deeper than this are not entered."""
    max_pages: int = 2_000
    """Of a longer PDF the first pages are read, at up to a tenth of a second each."""
    max_rows: int = 10_000
    """Of a longer CSV, TSV or JSON Lines file the first records are indexed: all are alike."""
    notebook_outputs: bool = False
    """Whether text outputs of notebooks are indexed: they repeat, and drown what people wrote."""
    analyzer_language: str = "english"
    """Snowball language for stop words and stemming of prose; ``none`` switches both off."""

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if type(value).__name__ != field.type:  # exactly: True is an int, too
                raise InvalidSetting(
                    f"{field.name}={value!r:.60} is a {type(value).__name__}; "
                    f"give {_KINDS[str(field.type)]}, such as {field.default!r}."
                )
        for name, least in _LEAST.items():
            value = getattr(self, name)
            if value < least:
                raise InvalidSetting(f"{name}={value} is too small; the least is {least}.")
        if self.chunk_overlap_tokens * 2 > self.chunk_tokens:
            raise InvalidSetting(
                f"chunk_overlap_tokens={self.chunk_overlap_tokens} is more than half of "
                f"chunk_tokens={self.chunk_tokens}; choose at most {self.chunk_tokens // 2}."
            )


_LEAST = {
    "chunk_tokens": 16,
    "chunk_overlap_tokens": 0,
    "exact_limit_chunks": 0,
    "max_file_bytes": 1,
    "max_line_chars": 100,
    "max_files": 1,
    "max_depth": 1,
    "max_pages": 1,
    "max_rows": 1,
}

_KINDS = {"int": "a whole number", "bool": "True or False", "str": "a text"}
_SWITCHES = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}


SHAPING = ("chunk_tokens", "chunk_overlap_tokens", "analyzer_language")
"""Settings that shape what is stored, so that a brain keeps those it was made with."""


def from_environment() -> Settings:
    """Settings with every ``BRAINKIT_<NAME>`` of the environment applied.

    Raises InvalidSetting if a value is not a whole number or out of range.
    """
    return Settings(**environment())  # type: ignore[arg-type]  # a field's name and its type


def environment() -> dict[str, int | str | bool]:
    """Field -> value of every ``BRAINKIT_<NAME>`` that is set. Raises InvalidSetting."""
    given: dict[str, int | str | bool] = {}
    for field in fields(Settings):
        text = os.environ.get(f"BRAINKIT_{field.name.upper()}")
        if text is None:
            continue
        if field.type == "int":
            try:
                given[field.name] = int(text)
            except ValueError:
                raise InvalidSetting(
                    f"BRAINKIT_{field.name.upper()}={text!r} is not a whole number."
                ) from None
        elif field.type == "bool":
            if text.casefold() not in _SWITCHES:
                raise InvalidSetting(
                    f"BRAINKIT_{field.name.upper()}={text!r} is not one of {', '.join(_SWITCHES)}."
                )
            given[field.name] = _SWITCHES[text.casefold()]
        else:
            given[field.name] = text
    return given


def meanings() -> dict[str, str]:
    """Field -> what it means: the text under it in the source of Settings."""
    (definition,) = ast.parse(inspect.getsource(Settings)).body
    body = definition.body if isinstance(definition, ast.ClassDef) else []
    return {
        field.target.id: " ".join(text.value.value.replace("``", "").split())
        for field, text in pairwise(body)
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(text, ast.Expr)
        and isinstance(text.value, ast.Constant)
        and isinstance(text.value.value, str)
    }
