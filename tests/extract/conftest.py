"""Small corpora as strings, and what is extracted from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import count

import pytest

from brainkit.extract.builder import GraphBuilder
from brainkit.extract.code import code_facts
from brainkit.extract.graph import Graph, SourceFacts
from brainkit.extract.relations import relate_symbols
from brainkit.ingest.languages import source_type_of

CHUNK_ROWS = 5

Files = Mapping[str, str]
Relations = set[tuple[str, str, str]]


def _read(files: Files, *, language: str = "python", label: str = "root") -> list[SourceFacts]:
    found = []
    keys = count(1)
    for relative, text in sorted(files.items()):
        facts = code_facts(
            text, language=language, relative=relative, chunk_of=lambda row: (row // CHUNK_ROWS,)
        )
        assert facts is not None, relative
        chunks = tuple(next(keys) for _ in range(text.count("\n") // CHUNK_ROWS + 1))
        kind = source_type_of(relative, language)
        found.append(SourceFacts(f"{label}/{relative}", label, kind, chunks, facts))
    return found


def _graph(sources: list[SourceFacts]) -> Graph:
    builder = GraphBuilder()
    relate_symbols(sources, builder)
    return builder.build()


@pytest.fixture(scope="session")
def read_files() -> Callable[..., list[SourceFacts]]:
    """``read_files({relative: source}, language=, label=)``: a chunk is five lines."""
    return _read


@pytest.fixture(scope="session")
def graph_of() -> Callable[[list[SourceFacts]], Graph]:
    """The graph of the code alone."""
    return _graph


@pytest.fixture(scope="session")
def relations_of() -> Callable[..., Relations]:
    """Dotted (subject, predicate, object) of some files, but for what is in what."""

    def relations(files: Files, *, language: str = "python", structure: bool = False) -> Relations:
        graph = _graph(_read(files, language=language))
        names = [entity.name for entity in graph.entities]
        return {
            (names[one.subject], one.predicate, names[one.object])
            for one in graph.relations
            if structure or one.predicate not in ("defines", "contains")
        }

    return relations


@pytest.fixture(scope="session")
def relations_inside(relations_of: Callable[..., Relations]) -> Callable[[str], Relations]:
    """Relations of a single module of Python, without its name in front; no imports."""

    def inside(source: str) -> Relations:
        return {
            (subject.removeprefix("m."), predicate, object_.removeprefix("m."))
            for subject, predicate, object_ in relations_of({"m.py": source})
            if predicate != "imports"
        }

    return inside
