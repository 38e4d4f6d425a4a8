"""The BM25 index: the seed's formula by hand, contributions, and what is kept on disk."""

from __future__ import annotations

import math
from pathlib import Path

import bm25s
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brainkit.store.keywords import FILES, KeywordIndex
from brainkit.store.moved import Moved

# Four documents of the terms 3 = cat, 5 = dog, 8 = owl; the gaps are terms that nothing holds now.
DOCUMENTS = [[3, 3, 5], [3], [5, 8, 8, 8], []]
VOCABULARY = {2: "gone", 3: "cat", 5: "dog", 8: "owl"}


def index() -> KeywordIndex:
    flat = np.array([id_ for document in DOCUMENTS for id_ in document], np.int32)
    lengths = np.array([len(document) for document in DOCUMENTS], np.int32)
    return KeywordIndex.build(flat, lengths, VOCABULARY)


def ids(keywords: KeywordIndex, *terms: str) -> list[int]:
    found = [keywords.statistics(term) for term in terms]
    return [one.id for one in found if one is not None]


def test_scores_are_the_seeds_formula() -> None:
    """idf * f * (k1 + 1) / (f + k1 * (1 - b + b * |D| / avgdl)); k1 1.5, b 0.75, avgdl 8 / 4."""
    cat = math.log(1 + (4 - 2 + 0.5) / (2 + 0.5))  # 2 of 4 documents hold it
    keywords = index()
    expected = [
        cat * 2 * 2.5 / (2 + 1.5 * (0.25 + 0.75 * 3 / 2)),
        cat * 1 * 2.5 / (1 + 1.5 * (0.25 + 0.75 * 1 / 2)),
        0.0,
        0.0,
    ]
    assert keywords.average_length == 2.0
    assert keywords.scores(ids(keywords, "cat")).tolist() == pytest.approx(expected, abs=1e-6)


def test_a_repeated_query_term_counts_each_time() -> None:
    keywords = index()
    once, twice = (keywords.scores(ids(keywords, *["owl"] * n)) for n in (1, 2))
    assert twice.tolist() == pytest.approx((2 * once).tolist(), rel=1e-6)


def test_postings_sum_to_the_score_and_count_the_terms() -> None:
    keywords = index()
    cat, dog, owl = ids(keywords, "cat", "dog", "owl")
    rows = np.arange(4)
    parts = np.sum([keywords.postings(term, rows)[0] for term in (cat, dog, owl)], axis=0)
    assert parts.tolist() == pytest.approx(keywords.scores([cat, dog, owl]).tolist(), rel=1e-6)
    assert keywords.postings(cat, rows)[1].tolist() == [2, 1, 0, 0]
    assert keywords.postings(owl, np.array([3, 2]))[1].tolist() == [0, 3], "rows in any order"
    assert [part.tolist() for part in keywords.postings(owl, np.array([3, 0]))] == [[0, 0]] * 2


def test_statistics_count_documents_not_occurrences() -> None:
    owl = index().statistics("owl")
    assert owl is not None
    assert owl.documents == 1
    assert owl.idf == pytest.approx(math.log(1 + (4 - 1 + 0.5) / (1 + 0.5)))


@pytest.mark.parametrize("term", ["gone", "never"])
def test_a_term_that_no_document_holds_is_unknown(term: str) -> None:
    assert index().statistics(term) is None


@pytest.mark.parametrize("lengths", [[], [0, 0, 0]])
def test_an_index_without_terms_scores_nothing(lengths: list[int], tmp_path: Path) -> None:
    built = KeywordIndex.build(np.empty(0, np.int32), np.array(lengths, np.int32), {})
    built.save(tmp_path / "keywords")
    for keywords in (built, KeywordIndex.open(tmp_path / "keywords")):
        assert keywords.statistics("cat") is None
        assert keywords.scores([]).tolist() == [0.0] * len(lengths)
        rows = np.arange(len(lengths))
        assert [part.tolist() for part in keywords.postings(0, rows)] == [[0] * len(lengths)] * 2


def test_an_index_comes_back_from_disk(tmp_path: Path) -> None:
    built = index()
    built.save(tmp_path / "keywords")
    opened = KeywordIndex.open(tmp_path / "keywords")
    terms = ids(built, "cat", "dog", "owl")
    assert ids(opened, "cat", "dog", "owl") == terms
    assert opened.scores(terms).tolist() == built.scores(terms).tolist()
    assert opened.lengths.tolist() == [3, 1, 4, 0]


def test_the_hosts_log_stays_quiet(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """bm25s sets its own logger to DEBUG, which reaches every handler of the host."""
    index().save(tmp_path / "keywords")
    KeywordIndex.open(tmp_path / "keywords")
    assert [record for record in caplog.records if record.name == "bm25s"] == []


@pytest.mark.parametrize(("k1", "b"), [(0.0, 0.5), (0.9, 0.4), (1.2, 0.0), (2.0, 1.0), (1.5, 0.7)])
@pytest.mark.parametrize("seed", range(3))
def test_other_k1_and_b_give_what_an_index_built_with_them_gives(
    k1: float, b: float, seed: int
) -> None:
    """Bit for bit, from the counts and lengths of an index that was built with the usual ones."""
    generator = np.random.default_rng(seed)
    lengths = generator.integers(0, 30, 40).astype(np.int32)
    flat = generator.zipf(1.5, int(lengths.sum())).clip(max=20).astype(np.int32)
    words = {id_: f"t{id_}" for id_ in range(21)}
    keywords = KeywordIndex.build(flat, lengths, words)
    documents = np.split(flat, np.cumsum(lengths)[:-1])
    fresh = bm25s.BM25(k1=k1, b=b, method="atire", idf_method="lucene", dtype="float32")
    fresh.index([[words[int(id_)] for id_ in one] for one in documents], show_progress=False)
    query = [word for word in ("t1", "t3", "t1", "t17", "t2") if keywords.statistics(word)]
    theirs = fresh.get_scores(query)
    ours = keywords.scores(ids(keywords, *query), k1=k1, b=b)
    assert ours.tolist() == theirs.tolist()
    rows = np.arange(40)
    for word in set(query):
        (id_,) = ids(keywords, word)
        parts, _ = keywords.postings(id_, rows, k1=k1, b=b)
        assert parts.tolist() == fresh.get_scores([word]).tolist()


def built(documents: list[list[int]]) -> KeywordIndex:
    flat = np.array([id_ for document in documents for id_ in document], np.int32)
    lengths = np.array([len(document) for document in documents], np.int32)
    return KeywordIndex.build(flat, lengths, {id_: f"t{id_}" for id_ in range(24)})


known = st.lists(st.integers(0, 11), max_size=9)
any_ = st.lists(st.integers(0, 23), max_size=9)  # 12 to 23 are new terms


@given(
    before=st.lists(known, max_size=8),
    stay=st.lists(st.booleans(), min_size=8, max_size=8),
    new=st.lists(st.tuples(st.integers(0, 8), any_), max_size=5),
)
def test_an_index_that_follows_is_the_one_built_anew(
    before: list[list[int]],
    stay: list[bool],
    new: list[tuple[int, list[int]]],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """Whatever went, came and moved up or down: byte for byte, so in every score."""
    used = {id_ for document in before for id_ in document}
    rows = [(key, before[key]) for key in range(len(before)) if stay[key]]
    for number, (place, document) in enumerate(new):
        fresh = [id_ for id_ in document if id_ in used or id_ > 11]  # ids are never given again
        rows.insert(min(place, len(rows)), (100 + number, fresh))
    moved = Moved.between(
        np.arange(len(before), dtype=np.int32), np.array([key for key, _ in rows], np.int32)
    )
    added = [rows[row][1] for row in moved.added]
    followed = built(before).moved(
        moved,
        np.array([id_ for document in added for id_ in document], np.int32),
        np.array([len(document) for document in added], np.int32),
        {id_: f"t{id_}" for document in added for id_ in document},
    )
    folders = [tmp_path_factory.mktemp("keywords") for _ in range(2)]
    followed.save(folders[0])
    built([document for _, document in rows]).save(folders[1])
    files = [
        {n: (folder / n).read_bytes() for n in FILES if (folder / n).exists()} for folder in folders
    ]
    assert files[0] == files[1]
