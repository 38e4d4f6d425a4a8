from __future__ import annotations

from pathlib import Path

import pytest

from shelf import Catalogue, Record, load_catalogue, save_catalogue
from shelf.errors import InvalidQuery, InvalidRecord, RecordNotFound


def test_search_ranks_from_one(catalogue: Catalogue) -> None:
    results = catalogue.search("physics")
    assert [result.rank for result in results] == [1, 2]
    assert results[0].record.title == "Thermal Physics of Kettles"


def test_search_finds_accented_titles_without_accents(catalogue: Catalogue) -> None:
    assert catalogue.search("cafe")[0].record.isbn == "9780000000019"


def test_search_filters_before_the_cut(catalogue: Catalogue) -> None:
    results = catalogue.search("physics", top_k=1, keep=lambda record: record.year == 2011)
    assert [result.record.title for result in results] == ["Letters from the Lighthouse"]
    assert results[0].rank == 1


def test_search_refuses_top_k_zero(catalogue: Catalogue) -> None:
    with pytest.raises(InvalidQuery, match="top_k=0"):
        catalogue.search("physics", top_k=0)


def test_get_accepts_hyphens(catalogue: Catalogue) -> None:
    assert catalogue.get("978-0-306-40615-7").year == 1998


def test_remove_forgets_store_and_index(catalogue: Catalogue) -> None:
    catalogue.remove("9780306406157")
    assert len(catalogue) == 2
    assert len(catalogue.search("physics")) == 1
    with pytest.raises(RecordNotFound):
        catalogue.get("9780306406157")


def test_add_replaces_a_record_with_the_same_isbn(catalogue: Catalogue) -> None:
    catalogue.add(Record(isbn="978-0-306-40615-7", title="Kettles, second edition"))
    assert len(catalogue) == 3
    assert [result.record.year for result in catalogue.search("physics")] == [2011]


def test_save_then_load_gives_the_same_records(catalogue: Catalogue, tmp_path: Path) -> None:
    path = tmp_path / "catalogue.jsonl"
    save_catalogue(catalogue, path)
    assert list(load_catalogue(path)) == list(catalogue)
    assert [file.name for file in tmp_path.iterdir()] == ["catalogue.jsonl"]


def test_load_catalogue_names_the_bad_line(tmp_path: Path) -> None:
    path = tmp_path / "catalogue.jsonl"
    path.write_text('{"isbn": "9780306406157", "title": "T"}\n\n{"isbn": "1"}\n', encoding="utf-8")
    with pytest.raises(InvalidRecord, match="line 3"):
        load_catalogue(path)
