"""Which facts a file of which kind has."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from brainkit.extract.facts import Facts
from brainkit.extract.graph import SourceFacts
from brainkit.extract.of_file import BESIDE_CODE, facts_of
from brainkit.extract.resolve import resolve
from brainkit.ingest.formats import Extracted, pieces_of
from brainkit.ingest.formats.document import Section
from brainkit.ingest.formats.jupyter import extract
from brainkit.ingest.pieces import Budget, Piece
from brainkit.settings import Settings

BUDGET = Budget(40, overlap_tokens=0, count=lambda texts: [len(t.split()) for t in texts])


def facts(text: str, *, language: str | None, relative: str, title: str = "") -> Facts:
    chunks = pieces_of(
        Extracted(text, (Section(1, text.count("\n") + 1, language),)), budget=BUDGET
    )
    return facts_of(text, chunks=chunks, relative=relative, language=language, title=title)


def notebook(*cells: tuple[str, str]) -> tuple[Extracted, list[Piece]]:
    plain = {
        "nbformat": 4,
        "metadata": {"kernelspec": {"name": "python3", "language": "python"}},
        "cells": [{"cell_type": kind, "source": source} for kind, source in cells],
    }
    found = extract(json.dumps(plain), settings=Settings())
    assert isinstance(found, Extracted)
    return found, pieces_of(found, budget=BUDGET)


def of_notebook(*cells: tuple[str, str]) -> tuple[Facts, Sequence[Piece]]:
    found, chunks = notebook(*cells)
    return (
        facts_of(
            found.text,
            chunks=chunks,
            relative="lessons/one.ipynb",
            language="jupyter",
            sections=found.sections,
        ),
        chunks,
    )


def test_code_has_symbols_and_no_runs() -> None:
    found = facts("def f():\n    'Ada Lovelace'\n", language="python", relative="src/a.py")
    assert (found.family, found.module, found.runs) == ("python", "src.a", ())
    assert [one.path for one in found.named] == ["", "f"]


def test_prose_has_runs_and_a_document() -> None:
    found = facts("By Ada Lovelace.", language="text", relative="a/notes.txt")
    assert (found.family, found.module) == ("prose", "a.notes")
    assert [(one.name, one.kind) for one in found.named] == [("notes.txt", "document")]
    assert [run.text for run in found.runs] == ["By Ada Lovelace"]


def test_code_without_a_grammar_has_its_identifiers() -> None:
    found = facts("run retry_with $HOME\nretry_with", language="shell", relative="run.sh")
    assert [(run.text, run.kind) for run in found.runs] == [("retry_with", "symbol")]
    assert found.named[0].name == "run.sh"


@pytest.mark.parametrize("language", ["csv", "json", "jsonl", "tsv"])
def test_records_of_data_have_a_name_only(language: str) -> None:
    found = facts('{"max_age": "Ada Lovelace"}', language=language, relative="a.json")
    assert found.runs == ()
    assert [(one.name, one.kind) for one in found.named] == [("a.json", "document")]


def test_a_notebook_has_prose_and_code_whose_cells_share_names() -> None:
    found, chunks = of_notebook(
        ("markdown", "# Signing\n\nBy Ada Lovelace."),
        ("code", "%matplotlib inline\nclass Signer:\n    pass"),
        ("markdown", "## Use"),
        ("code", "def sign():\n    return Signer()"),
    )
    assert found.family == "python"
    named = {one.path: (one.name, one.kind) for one in found.named}
    assert named[BESIDE_CODE] == ("Signing", "document")
    assert named["Signer"] == ("Signer", "class")
    assert named[""][1] == "module"
    where = {one.path: one.chunks for one in found.named}
    assert all("def sign" in chunks[n].text for n in where["sign"])
    uses = [one for one in found.references if one.subject == "sign"]
    assert [target.path for one in uses for target in one.targets] == ["Signer"]
    assert {(run.kind, run.text) for run in found.runs} == {("name", "By Ada Lovelace")}


def test_a_notebook_is_one_document_and_one_module_in_the_graph() -> None:
    found, chunks = of_notebook(
        ("markdown", "# Signing\n\n## Keys\n\nText."), ("code", "class Signer:\n    pass")
    )
    keys = tuple(range(1, len(chunks) + 1))
    graph = resolve([SourceFacts("r/lessons/one.ipynb", "r", "doc", keys, found)])
    assert sorted((one.name, one.kinds) for one in graph.entities) == [
        ("Keys", ("heading",)),
        ("Signing", ("document",)),
        ("one", ("module",)),
        ("one.Signer", ("class",)),
    ]
    names = [one.name for one in graph.entities]
    assert {(names[r.subject], r.predicate, names[r.object]) for r in graph.relations} == {
        ("Keys", "part_of", "Signing"),
        ("one", "part_of", "Signing"),
        ("one", "defines", "one.Signer"),
    }


def test_a_notebook_without_code_is_a_document() -> None:
    found, _ = of_notebook(("markdown", "# Signing"))
    assert found.family == "prose"
    assert [one.path for one in found.named] == [""]


def test_code_that_does_not_parse_has_its_identifiers() -> None:
    found = facts("<<< ((( max_age\n)))\n((((", language="python", relative="a.py")
    assert found.family == "prose"
    assert [run.text for run in found.runs] == ["max_age"]
