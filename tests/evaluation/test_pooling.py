from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import brainkit
from brainkit.errors import InvalidDataset, InvalidRequest, InvalidSetting
from brainkit.evaluation.datasets import Dataset
from brainkit.evaluation.pooling import CONFIGS, Item, pools, questions, whereabouts

QUERY = "how are session tokens signed"


def pooled(brain: brainkit.Brain, query: str = QUERY, **more: Any) -> tuple[Item, ...]:
    (pool,) = pools(brain, [query], **{"labeller": "me", "progress": False, **more})
    assert pool.query == query
    return pool.items


@pytest.mark.parametrize("depth", [1, 3, 10])
def test_a_pool_is_the_union_of_what_each_retriever_finds_alone(
    library: brainkit.Brain, depth: int
) -> None:
    alone = {
        result.chunk_id
        for config in CONFIGS.values()
        for result in library.query(QUERY, **config, top_k=depth).results  # type: ignore[arg-type]
    }
    found = [item.chunk_id for item in pooled(library, depth=depth)]
    assert set(found) == alone
    assert len(found) == len(alone)


def test_configurations_can_be_chosen(library: brainkit.Brain) -> None:
    items = pooled(library, configs=[{"mode": "bm25"}], depth=2)
    expected = library.query(QUERY, mode="bm25", top_k=2).results
    assert {item.source for item in items} == {result.source for result in expected}
    assert pooled(library, "xylophone", configs=[{"mode": "bm25"}]) == ()


def test_the_order_depends_on_question_labeller_and_text_alone(library: brainkit.Brain) -> None:
    mine = [item.content for item in pooled(library)]
    assert mine == [item.content for item in pooled(library)]
    ranked = [r.source for r in library.query(QUERY, mode="bm25", top_k=10).results]
    assert [item.source for item in pooled(library, configs=[{"mode": "bm25"}])] != ranked
    assert mine != [item.content for item in pooled(library, labeller="you")]
    assert sorted(mine) == sorted(item.content for item in pooled(library, labeller="you"))
    fewer = [item.content for item in pooled(library, depth=2)]
    assert fewer == [one for one in mine if one in fewer]  # what comes later moves nothing


def test_an_item_says_nothing_of_who_found_it() -> None:
    names = {field.name for field in dataclasses.fields(Item)}
    assert names == {
        *("content", "chunk_id", "source", "lines", "source_type", "language", "text"),
        *("metadata", "also"),
    }


@pytest.fixture
def twice(tmp_path: Path, word_vectors: Any) -> Iterator[brainkit.Brain]:
    """A folder in which two files hold the same."""
    for name in ("a.md", "b.md"):
        (tmp_path / "notes").mkdir(exist_ok=True)
        (tmp_path / "notes" / name).write_text("# Loans\n\nA book is lent for three weeks.\n")
    (tmp_path / "notes" / "c.md").write_text("# Fines\n\nA late book costs a fine.\n")
    with brainkit.open(tmp_path / "n.brain", embedder=word_vectors) as brain:
        brain.ingest(tmp_path / "notes", progress=False)
        yield brain


def test_equal_texts_are_one_item_that_names_all_its_places(twice: brainkit.Brain) -> None:
    items = pooled(twice, "for how long is a book lent")
    assert sorted((item.source, len(item.also)) for item in items) == [
        ("notes/a.md", 1),
        ("notes/c.md", 0),
    ]
    (first,) = [item for item in items if item.also]
    assert first.also == (f"notes/b.md:{first.lines}",)
    assert whereabouts(twice, [first.content]) == {first.content: ["notes/a.md", "notes/b.md"]}
    assert len(whereabouts(twice, [first.content], "chunk")[first.content]) == 2


@pytest.mark.parametrize("depth", [0, 1001, "ten", 2.5, None])
def test_an_impossible_depth_is_refused(library: brainkit.Brain, depth: object) -> None:
    with pytest.raises(InvalidSetting, match="not a whole number from 1 to 1,000"):
        pooled(library, depth=depth)


def test_questions_come_from_lists_datasets_files_and_labels(tmp_path: Path) -> None:
    file = tmp_path / "asked.txt"
    file.write_text("\ufefffirst \n\nsecond\nfirst\n", "utf-8")
    assert questions([" first ", "second", "first"], ()) == ["first", "second"]
    assert questions(Dataset("d", {"1": "first"}, {}), ()) == ["first"]
    assert questions(file, ()) == questions(str(file), ()) == ["first", "second"]
    assert questions("one question?", ()) == ["one question?"]
    assert questions(None, ("asked before",)) == ["asked before"]
    assert questions("x" * 255 + "/" * 300, ()) == ["x" * 255 + "/" * 300]


def test_what_is_no_question_is_refused(tmp_path: Path) -> None:
    for nothing in ([], " ", None):
        with pytest.raises(InvalidDataset, match="no question to label"):
            questions(nothing, ())
    with pytest.raises(InvalidDataset, match="3, a int"):
        questions(["first", 3], ())
    with pytest.raises(InvalidDataset, match="cannot be read as questions"):
        questions(tmp_path / "missing.txt", ())
    with pytest.raises(InvalidRequest, match="1001 characters"):
        questions(["x" * 1001], ())
