"""The facts of documents and records, each golden fact with its place in the text."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brainkit.extract.facts import Facts, Named, Reference, Run, Target
from brainkit.extract.prose import prose_facts
from brainkit.ingest.chunk_markdown import chunk_markdown
from brainkit.ingest.pieces import Budget, Piece

GUIDE = """\
# Signing guide

Sessions are signed by `SessionSigner`, as [hubs](../hubs.md#finding-them) are.
Ada Lovelace wrote it.

## Keys

A *signing key* is a secret. Use MAX_AGE.

```python
from shelf import SessionSigner
```

## Usage

Ask Ada.
"""


@dataclass
class Chunk:
    text: str
    start_line: int
    end_line: int
    metadata: dict[str, Any] = field(default_factory=dict)


def record(text: str, title: str = "") -> Facts:
    chunk = Chunk(text, 1, text.count("\n") + 1)
    return prose_facts(text, chunks=[chunk], relative="r1", language=None, title=title)


def pieces(text: str) -> list[Piece]:
    budget = Budget(30, overlap_tokens=0, count=lambda texts: [len(t.split()) for t in texts])
    return chunk_markdown(text, budget=budget)


@pytest.fixture
def guide() -> tuple[list[Piece], Facts]:
    chunks = pieces(GUIDE)
    facts = prose_facts(GUIDE, chunks=chunks, relative="docs/guide.md", language="markdown")
    return chunks, facts


def test_a_record_is_named_by_its_title_and_its_names_know_their_sentence() -> None:
    text = "Blind Husbands is a film. It was directed by Erich von Stroheim."
    facts = record(text, title="Blind Husbands (1919 film)")
    second = text.index("It was")
    assert facts == Facts(
        family="prose",
        module="r1",
        named=(
            Named(
                *("", "Blind Husbands (1919 film)", "document", None, (0,)),
                aliases=(("Blind Husbands", 0.9),),
            ),
        ),
        runs=(
            Run("Blind Husbands", "name", 0, 0, 0, len("Blind Husbands is a film."), opens=True),
            Run("Erich von Stroheim", "name", 0, text.index("Erich"), second, len(text)),
        ),
    )


def test_a_record_without_a_title_has_the_name_of_its_id() -> None:
    assert record("nothing").named[0].name == "r1"


def test_a_single_word_that_the_file_has_in_lower_case_counts_as_opening() -> None:
    facts = record("They use Latency and Jinja. The latency is low.")
    assert [(run.text, run.opens) for run in facts.runs] == [("Latency and Jinja", False)]
    facts = record("They use Latency. The latency is low. They use Jinja.")
    assert [(run.text, run.opens) for run in facts.runs] == [("Latency", True), ("Jinja", False)]


def test_the_one_heading_over_all_others_is_the_document(guide: tuple[list[Piece], Facts]) -> None:
    _, facts = guide
    assert [(one.path, one.name, one.kind, one.parent) for one in facts.named] == [
        ("", "Signing guide", "document", None),
        ("# Keys", "Keys", "heading", ""),  # and none for Usage, which names nothing
        ("term signingkey", "signing key", "term", "# Keys"),
    ]


def test_chunks_belong_to_their_document_and_innermost_heading(
    guide: tuple[list[Piece], Facts],
) -> None:
    chunks, facts = guide
    of = {one.path: one.chunks for one in facts.named}
    assert of[""] == tuple(range(len(chunks)))
    assert of["# Keys"] == tuple(
        n for n, c in enumerate(chunks) if "Keys" in c.metadata["heading_path"]
    )
    assert of["term signingkey"] == of["# Keys"][:1]


def test_links_are_resolved_against_their_file(guide: tuple[list[Piece], Facts]) -> None:
    chunks, facts = guide
    (link,) = facts.references
    assert link[:4] == ("", "links_to", (Target("path", "/hubs.md#finding-them"),), 0)
    assert chunks[0].text[link.start : link.end].startswith("Sessions are signed")


def test_code_spans_fences_and_prose_are_runs_of_their_kind(
    guide: tuple[list[Piece], Facts],
) -> None:
    _, facts = guide
    assert {(run.kind, run.text) for run in facts.runs} == {
        ("code", "SessionSigner"),
        ("symbol", "SessionSigner"),  # in the fence
        ("symbol", "MAX_AGE"),
        ("name", "Sessions"),
        ("name", "Ada Lovelace"),
        ("name", "Ask Ada"),
        ("name", "signing key"),  # stressed
    }


def test_labels_of_restructuredtext_are_bound_to_the_heading_below() -> None:
    text = "Guide\n=====\n\n.. _the-keys:\n\nKeys\n----\nText.\n"
    chunks = [
        Chunk("Guide\n=====\n\n.. _the-keys:", 1, 4, {"heading_path": ["Guide"]}),
        Chunk("Keys\n----\nText.", 6, 8, {"heading_path": ["Guide", "Keys"]}),
    ]
    facts = prose_facts(text, chunks=chunks, relative="a.rst", language="restructuredtext")
    assert facts.bindings == {"#the-keys": Target("file", "# Keys")}


@given(st.text(max_size=200), st.sampled_from([None, "markdown", "restructuredtext"]))
def test_offsets_always_slice_the_text_of_the_chunk(text: str, language: str | None) -> None:
    text = text.replace("\r", " ")
    chunk = Chunk(text, 1, text.count("\n") + 1)
    facts = prose_facts(text, chunks=[chunk], relative="a/b", language=language, title="T")
    for run in facts.runs:
        assert text[run.at : run.at + len(run.text)] == run.text
        assert 0 <= run.start <= run.end <= len(text)
    assert Facts.from_json(facts.to_json()) == facts


def test_hostile_texts_have_facts_like_all_others(shared: Path) -> None:
    texts = json.loads((shared / "messy" / "blns.json").read_text(encoding="utf-8"))
    for text in [*texts, "\n".join(texts)]:
        for language in (None, "markdown", "restructuredtext"):
            chunk = Chunk(text, 1, text.count("\n") + 1)
            facts = prose_facts(
                text, chunks=[chunk], relative="blns", language=language, title=text[:50]
            )
            for run in facts.runs:
                assert text[run.at : run.at + len(run.text)] == run.text


@pytest.mark.parametrize(
    "unit", ["[", "`", "``", "*", "<!--", "A ", "A. ", "[a](", ":x:`", "\n", "日"]
)
def test_time_grows_with_the_length_only(unit: str) -> None:
    """A chunk of 100,000 equal characters ends within the test's timeout, not after hours."""
    text = unit * (100_000 // len(unit))
    chunk = Chunk(text, 1, text.count("\n") + 1)
    for language in (None, "markdown", "restructuredtext"):
        facts = prose_facts(text, chunks=[chunk], relative="x", language=language)
        assert facts.named[0].kind == "document"


def test_references_know_their_heading() -> None:
    text = "# A\n\ntext\n\n## Parts\n\nSee [b](b.md).\n"
    start = len("## Parts\n\n")
    end = start + len("See [b](b.md).")
    chunks = pieces(text)
    facts = prose_facts(text, chunks=chunks, relative="a.md", language="markdown")
    assert list(facts.references) == [
        Reference("# Parts", "links_to", (Target("path", "/b.md"),), 1, start, end)
    ]
