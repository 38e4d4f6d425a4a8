"""The query flow on real brains: pure ends, re-fusion, filters, notices, explanations."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import brainkit
from brainkit import Answer, Brain
from brainkit.errors import FilterError, InvalidRequest, NotInTrace
from brainkit.models import QueryResponse

WORDS = ["session", "token", "sign", "cookie", "index", "rank", "chunk", "vector", "score", "query"]
Embedder = Callable[[list[str]], Any]


def corpus(seed: int, size: int) -> list[dict[str, str]]:
    """Random texts over few words, so that ties, empty lists and equal texts are common."""
    rng = random.Random(seed)
    return [
        {
            "id": f"{rng.choice('ab')}/{i:03d}.md",
            "text": " ".join(rng.choices(WORDS, k=rng.randint(1, 6))),
        }
        for i in range(size)
    ]


@pytest.fixture(scope="module")
def brains(
    tmp_path_factory: pytest.TempPathFactory, word_vectors: Embedder
) -> Iterator[list[Brain]]:
    opened = []
    for seed, size in ((1, 1), (2, 7), (3, 60), (4, 200)):
        path = tmp_path_factory.mktemp("brains") / f"{seed}.brain"
        brain = brainkit.open(path, embedder=word_vectors)
        brain.ingest_texts(corpus(seed, size), progress=False)
        opened.append(brain)
    yield opened
    for brain in opened:
        brain.close()


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory, word_vectors: Embedder) -> Iterator[Brain]:
    folder = tmp_path_factory.mktemp("project")
    (folder / "docs").mkdir()
    (folder / "tests").mkdir()
    (folder / "docs" / "sign.md").write_text("# Sign\n\nA session is signed with a token.\n")
    (folder / "docs" / "rank.md").write_text("# Rank\n\nA rank is a place in a list.\n")
    (folder / "sign.py").write_text("def sign(token):\n    return token\n")
    (folder / "tests" / "test_sign.py").write_text("def test_sign():\n    assert sign('token')\n")
    path = tmp_path_factory.mktemp("brains") / "files.brain"
    with brainkit.open(path, embedder=word_vectors) as brain:
        brain.ingest(folder, label="p", progress=False)
        yield brain


QUERY = st.lists(st.sampled_from([*WORDS, "the", "unknown", "!"]), min_size=1, max_size=4).map(
    " ".join
)
FILTER = st.sampled_from([{}, {"file_paths": ["a/**"]}, {"file_paths": ["*.md", "!a/*1.md"]}])


def ranking(answer: Answer) -> list[tuple[Any, ...]]:
    return [(r.chunk_id, r.vector_score, r.bm25_score) for r in answer.results]


ENDS = st.fixed_dictionaries(
    {
        "top_k": st.integers(1, 50),
        "similarity_threshold": st.sampled_from([0.0, 0.2, 0.5, 0.9]),
        "file_paths": st.sampled_from([None, ["a/**"], ["*.md", "!a/*1.md"]]),
    }
)


@given(
    which=st.integers(0, 3),
    query=QUERY,
    shared=ENDS,
    normalize=st.sampled_from(["max", "minmax", "none"]),
)
def test_the_ends_of_alpha_are_the_pure_modes(
    brains: list[Brain], which: int, query: str, shared: dict[str, Any], normalize: str
) -> None:
    for alpha, mode in ((1, "vector"), (0, "bm25")):
        hybrid = brains[which].query(
            query, mode="hybrid", alpha=alpha, normalize=normalize, **shared
        )
        assert ranking(hybrid) == ranking(brains[which].query(query, mode=mode, **shared))


@given(
    which=st.integers(0, 3),
    query=QUERY,
    changes=st.fixed_dictionaries(
        {"mode": st.sampled_from(["vector", "bm25", "hybrid", "graph", "multi"])},
        optional={
            "alpha": st.sampled_from([0, 0.3, 0.5, 1]),
            "rrf_k": st.sampled_from([1, 60]),
            "normalize": st.sampled_from(["max", "minmax", "none"]),
            "top_k": st.integers(1, 30),
            "depth": st.integers(30, 50),
            "similarity_threshold": st.sampled_from([0.1, 0.6]),
            "weights": st.sampled_from([{"vector": 0}, {"bm25": 2.5}]),
            "collapse": st.sampled_from(["overlap", "source"]),
        },
    ),
    filters=FILTER,
)
def test_refuse_equals_a_new_query(
    brains: list[Brain], which: int, query: str, changes: dict[str, Any], filters: dict[str, Any]
) -> None:
    full = brains[which].query(query, trace="full", **filters)
    again = full.refuse(**changes)
    fresh = brains[which].query(query, **changes, **filters)
    assert again.results == fresh.results
    assert again.response.notices == fresh.response.notices


@given(
    which=st.integers(0, 3),
    query=QUERY,
    mode=st.sampled_from(["vector", "bm25", "hybrid", "graph", "multi"]),
)
def test_parts_of_every_explanation_sum_to_the_score(
    brains: list[Brain], which: int, query: str, mode: str
) -> None:
    answer = brains[which].query(query, mode=mode, top_k=20)
    for result in answer.results:
        explanation = answer.explain(result.rank)
        total = math.fsum(part.value for part in explanation.parts)
        assert math.isclose(total, result.score, rel_tol=1e-6)
        assert explanation.score == result.score
        assert explanation.sentence.endswith(".")


@given(
    which=st.integers(0, 3),
    query=QUERY,
    settings=st.fixed_dictionaries(
        {
            "mode": st.sampled_from(["bm25", "hybrid", "multi"]),
            "alpha": st.sampled_from([0, 0.3, 0.5, 1]),
            "normalize": st.sampled_from(["max", "minmax", "none"]),
            "similarity_threshold": st.sampled_from([0, 0.4]),
            "weights": st.sampled_from([{}, {"vector": 0.5}]),
        }
    ),
)
def test_the_arithmetic_of_a_part_gives_its_value(
    brains: list[Brain], which: int, query: str, settings: dict[str, Any]
) -> None:
    for result in brains[which].query(query, top_k=20, **settings).results:
        for part in result.explanation.parts:
            arithmetic = part.arithmetic.replace("idf ", "").partition(" (similarity")[0]
            shown = eval(arithmetic, {"__builtins__": {}})
            assert math.isclose(shown, part.value, rel_tol=1e-3, abs_tol=1e-4)


@given(which=st.integers(0, 3), query=QUERY, mode=st.sampled_from(["hybrid", "multi", "bm25"]))
def test_top_k_never_changes_the_order(
    brains: list[Brain], which: int, query: str, mode: str
) -> None:
    ten = ranking(brains[which].query(query, mode=mode, top_k=10))
    assert ranking(brains[which].query(query, mode=mode, top_k=3)) == ten[:3]


def test_a_response_survives_json(files: Brain) -> None:
    response = files.query("how is a session signed", trace="full").response
    assert QueryResponse.model_validate_json(response.model_dump_json()) == response


@pytest.mark.parametrize(
    ("filters", "sources"),
    [
        ({"source_types": ["doc"]}, {"p/docs/sign.md", "p/docs/rank.md"}),
        ({"source_types": ["test"]}, {"p/tests/test_sign.py"}),
        ({"languages": ["python"], "source_types": ["code"]}, {"p/sign.py"}),
        ({"file_paths": ["docs/*"]}, {"p/docs/sign.md", "p/docs/rank.md"}),
        ({"file_paths": ["p/docs/*"]}, {"p/docs/sign.md", "p/docs/rank.md"}),
        ({"file_paths": ["*.py", "!tests/**"]}, {"p/sign.py"}),
        ({"file_paths": ["*/sign.py"]}, {"p/sign.py"}),
        ({"file_paths": ["sign.*"]}, {"p/sign.py", "p/docs/sign.md"}),
    ],
)
@pytest.mark.parametrize("mode", ["vector", "hybrid", "multi"])
def test_filters_hold_before_retrieval(
    files: Brain, filters: dict[str, Any], sources: set[str], mode: str
) -> None:
    answer = files.query("sign a token in a list", mode=mode, top_k=10, **filters)
    assert {r.source for r in answer.results} == sources
    assert answer.trace.allowed_chunks == len(sources)


def test_filters_after_retrieval_starve_and_say_so(files: Brain) -> None:
    asked = {"query": "assert sign", "mode": "bm25", "top_k": 1, "source_types": ["doc"]}
    assert [r.source for r in files.query(**asked).results] == ["p/docs/sign.md"]
    starved = files.query(**asked, filter_stage="post")
    assert starved.results == ()
    assert [n.kind for n in starved.response.notices] == ["starved"]
    assert "1 of the top 1 were dropped" in starved.response.notices[0].message


def test_unknown_languages_are_errors_and_unused_globs_notices(files: Brain) -> None:
    with pytest.raises(
        FilterError, match=r"'pyton'.*did you mean 'python'.*known: markdown, python"
    ):
        files.query("sign", languages=["pyton"])
    answer = files.query("sign", file_paths=["*.py", "nothing/*"])
    assert [n.kind for n in answer.response.notices] == ["no-path"]
    assert "'nothing/*' matches none of the 4 sources" in answer.response.notices[0].message


def test_an_empty_list_says_why(files: Brain) -> None:
    for query, reason in (
        ("the of and", "no word to look for: 'the' (stop word)"),
        ("zebra", "no chunk holds any of: zebra"),
    ):
        answer = files.query(query, mode="bm25")
        assert answer.results == ()
        assert reason in answer.response.notices[0].message


def test_a_mode_without_its_data_says_so(files: Brain) -> None:
    answer = files.query("assert it", mode="graph")
    assert answer.response.fallback == "vector"
    assert answer.results
    assert "the question names no known entity; vector search answered instead" in str(
        answer.response.notices
    )
    multi = files.query("assert it", mode="multi")
    assert multi.results
    assert "graph: the question names no known entity." in [
        n.message for n in multi.response.notices
    ]


def test_re_fusing_beyond_the_trace_names_what_is_missing(files: Brain) -> None:
    only = files.query("sign token", mode="bm25", depth=5)
    with pytest.raises(NotInTrace, match=r"vector retriever was not run.*trace='full'"):
        only.refuse(mode="hybrid")
    with pytest.raises(NotInTrace, match=r"query='other' needs a new query"):
        only.refuse(query="other")
    with pytest.raises(NotInTrace, match=r"similarity_threshold=0: .* cut at 0.5"):
        files.query("sign", mode="vector", similarity_threshold=0.5).refuse(similarity_threshold=0)


def test_the_query_is_embedded_once_at_most_and_not_for_keywords(
    tmp_path: Path, word_vectors: Embedder
) -> None:
    calls: list[list[str]] = []

    def counted(texts: list[str]) -> Any:
        calls.append(list(texts))
        return word_vectors(texts)

    with brainkit.open(tmp_path / "counted.brain", embedder=counted) as brain:
        brain.ingest_texts([{"id": "a", "text": "sign a token"}], progress=False)
        for fields, times in (
            ({"mode": "bm25"}, 0),
            ({"mode": "hybrid", "alpha": 0}, 0),
            ({"mode": "hybrid", "alpha": 0.5}, 1),
            ({"mode": "multi"}, 1),
            ({"mode": "vector"}, 1),
            ({"mode": "graph"}, 1),
        ):
            calls.clear()
            brain.query("token", **fields)
            assert len(calls) == times, fields
        calls.clear()
        brain.query("token", trace="full").refuse(mode="multi", alpha=1)
        assert len(calls) == 1


def test_collapse_folds_chunks_of_one_source(tmp_path: Path, word_vectors: Embedder) -> None:
    text = "\n\n".join(f"Paragraph {i} on how a session token is signed." for i in range(60))
    with brainkit.open(
        tmp_path / "c.brain", embedder=word_vectors, chunk_tokens=32, chunk_overlap_tokens=12
    ) as brain:
        brain.ingest_texts(
            [{"id": "long", "text": text}, {"id": "b", "text": "session"}], progress=False
        )
        whole = brain.query("session token", top_k=50)
        by_source = whole.refuse(collapse="source")
        assert sorted(r.source for r in by_source.results) == ["b", "long"]
        folded = sum(len(r.collapsed) for r in by_source.results)
        assert folded == whole.response.candidates - 2
        apart = whole.refuse(collapse="overlap").results
        lines = [(r.start_line, r.end_line) for r in apart if r.source == "long"]
        assert all(a[1] < b[0] or b[1] < a[0] for a in lines for b in lines if a != b)


def test_a_question_that_is_no_text_is_refused(files: Brain) -> None:
    with pytest.raises(InvalidRequest, match=r"query=3 is a int; give a text or a QueryRequest"):
        files.query(3)  # type: ignore[arg-type]
