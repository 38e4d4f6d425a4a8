"""The public face: opening, planning, answers as frames and HTML, clear refusals."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import brainkit
from brainkit.errors import (
    BrainClosed,
    EmbedderMismatch,
    EmbedderUnavailable,
    InvalidRecord,
    InvalidSetting,
    NotABrain,
    OverlappingRoots,
)

Embedder = Callable[[list[str]], Any]
HOSTILE = "</script><img src=x onerror=alert(1)> & \"quoted\" 'single'"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "sign.md").write_text("# Sign\n\nA session is signed with a token.\n")
    (folder / "key.py").write_text("def key(token):\n    return token\n")
    return folder


def test_opening_twice_gives_the_same_brain(tmp_path: Path, word_vectors: Embedder) -> None:
    with brainkit.open(tmp_path / "a.brain", embedder=word_vectors) as brain:
        assert brainkit.open(tmp_path / "a.brain") is brain
        assert brainkit.open(tmp_path / "a.brain", embedder=word_vectors) is brain
    with pytest.raises(BrainClosed, match=r"was closed; open it again"):
        brain.query("x")
    assert repr(brain).endswith("closed>")


def test_a_folder_that_is_no_brain_is_left_alone(project: Path, word_vectors: Embedder) -> None:
    before = sorted(project.iterdir())
    with pytest.raises(NotABrain, match=r"other things in it.*choose a new or empty folder"):
        brainkit.open(project, embedder=word_vectors)
    with pytest.raises(NotABrain, match=r"is a file, not a brain"):
        brainkit.open(project / "key.py")
    assert sorted(project.iterdir()) == before


def test_without_create_a_missing_brain_stays_missing(tmp_path: Path) -> None:
    with pytest.raises(NotABrain, match=r"there is no brain at .*brainkit ingest"):
        brainkit.open(tmp_path / "no.brain", create=False)
    assert not (tmp_path / "no.brain").exists()


def test_a_plan_says_what_an_ingest_then_does(
    tmp_path: Path, project: Path, word_vectors: Embedder
) -> None:
    (project / "empty.txt").write_text("")
    (project / ".env").write_text("KEY=1")
    with brainkit.open(tmp_path / "a.brain", embedder=word_vectors) as brain:
        plan = brain.plan(project, progress=False)
        assert plan.dry_run
        assert brain.info().counts["chunks"] == 0
        done = brain.ingest(project, progress=False)
        assert [(r.source, r.status, r.chunks) for r in plan.files] == [
            (r.source, r.status, r.chunks) for r in done.files
        ]
        assert {r.source: r.detail for r in done.rows("skipped")}.keys() == {
            "project/.env",
            "project/empty.txt",
        }
        assert (done.chunks, done.embedded) == (2, 2)
        again = brain.ingest(project, progress=False)
        assert again.generation is None
        assert not again.changed
        assert "nothing changed" in again.summary()


def test_an_overlapping_folder_is_refused_with_the_way_out(
    tmp_path: Path, project: Path, word_vectors: Embedder
) -> None:
    (project / "src").mkdir()
    (project / "src" / "a.py").write_text("a = 1\n")
    with brainkit.open(tmp_path / "a.brain", embedder=word_vectors) as brain:
        brain.ingest(project / "src", progress=False)
        with pytest.raises(OverlappingRoots, match=r"contains .*brain.remove\('src'\) first"):
            brain.ingest(project, progress=False)
        brain.remove("src")
        brain.ingest(project, progress=False)
        with pytest.raises(OverlappingRoots, match=r"lies inside .*ingest .* again"):
            brain.ingest(project / "src", progress=False)


def test_a_moved_root_keeps_its_ids(tmp_path: Path, project: Path, word_vectors: Embedder) -> None:
    with brainkit.open(tmp_path / "a.brain", embedder=word_vectors) as brain:
        brain.ingest(project, progress=False)
        before = [r.chunk_id for r in brain.query("token").results]
        moved = tmp_path / "elsewhere" / "project"
        moved.parent.mkdir()
        project.rename(moved)
        report = brain.ingest(moved, progress=False)
        assert report.counts == {"unchanged": 2}
        assert [r.chunk_id for r in brain.query("token").results] == before
        assert brain.info().roots == {"project": str(moved)}


def test_another_folder_of_that_name_does_not_take_over_a_root_that_is_gone_for_now(
    tmp_path: Path, project: Path, word_vectors: Embedder
) -> None:
    """The disk of the first is not mounted: its chunks must be there when it comes back."""
    other = tmp_path / "elsewhere" / "project"
    other.mkdir(parents=True)
    (other / "sign.md").write_text("# Sign\n\nA zebra is striped.\n")
    away = tmp_path / "away"
    with brainkit.open(tmp_path / "a.brain", embedder=word_vectors) as brain:
        brain.ingest(project, progress=False)
        project.rename(away)
        report = brain.ingest(other, progress=False)
        assert (report.label, report.counts) == ("project-2", {"added": 1})
        (note,) = report.notes
        assert "'project-2'" in note
        assert "label='project'" in note
        assert brain.info().roots == {"project": str(project), "project-2": str(other)}
        assert brain.ingest(other, progress=False).notes == ()
        away.rename(project)
        assert brain.ingest(project, progress=False).counts == {"unchanged": 2}


def test_a_label_says_that_a_folder_moved_whatever_is_in_it(
    tmp_path: Path, project: Path, word_vectors: Embedder
) -> None:
    other = tmp_path / "elsewhere" / "project"
    other.mkdir(parents=True)
    (other / "new.md").write_text("A zebra is striped.\n")
    with brainkit.open(tmp_path / "a.brain", embedder=word_vectors) as brain:
        brain.ingest(project, progress=False)
        shutil.rmtree(project)
        report = brain.ingest(other, label="project", progress=False)
        assert report.counts == {"added": 1, "removed": 2}
        assert brain.info().roots == {"project": str(other)}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"label": 3}, "label=3 is a int; give a text"),
        ({"include": [3]}, r"include=\[3\] is no list of texts"),
        ({"exclude": 3}, "exclude=3 is no list of texts"),
        ({"exclude": b"x"}, "exclude=b'x' is no list of texts"),
    ],
)
def test_an_argument_of_another_type_is_refused(
    given: dict[str, Any], message: str, tmp_path: Path, project: Path, word_vectors: Embedder
) -> None:
    with (
        brainkit.open(tmp_path / "a.brain", embedder=word_vectors) as brain,
        pytest.raises(InvalidSetting, match=message),
    ):
        brain.ingest(project, progress=False, **given)


@pytest.mark.parametrize("records", [None, 3, "text", {"id": "a"}])
def test_what_is_no_list_of_records_is_refused(
    records: Any, tmp_path: Path, word_vectors: Embedder
) -> None:
    with (
        brainkit.open(tmp_path / "a.brain", embedder=word_vectors) as brain,
        pytest.raises(InvalidRecord, match=f"got one {type(records).__name__}; give a list"),
    ):
        brain.ingest_texts(records, progress=False)


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("chunk_tokens", "128", "a whole number, such as 256"),
        ("chunk_tokens", None, "a whole number, such as 256"),
        ("chunk_tokens", 128.5, "a whole number, such as 256"),
        ("max_depth", True, "a whole number, such as 64"),
        ("notebook_outputs", 1, "True or False, such as False"),
        ("analyzer_language", None, "a text, such as 'english'"),
    ],
)
def test_a_setting_of_another_type_is_refused(
    name: str, value: Any, allowed: str, tmp_path: Path
) -> None:
    with pytest.raises(InvalidSetting) as refusal:
        brainkit.open(tmp_path / "a.brain", **{name: value})
    kind = type(value).__name__
    assert str(refusal.value) == f"{name}={value!r} is a {kind}; give {allowed}."
    assert not (tmp_path / "a.brain").exists()


def test_the_embedder_that_made_the_vectors_is_kept(
    tmp_path: Path, project: Path, word_vectors: Embedder
) -> None:
    path = tmp_path / "a.brain"
    with brainkit.open(path, embedder=word_vectors) as brain:
        brain.ingest(project, progress=False)
    with brainkit.open(path) as brain:
        assert brain.query("token", mode="bm25").results
        with pytest.raises(EmbedderUnavailable, match=r"embedder=function.*mode='bm25' works"):
            brain.query("token", mode="vector")
    with pytest.raises(EmbedderMismatch, match=r"vectors of two models cannot be compared"):
        brainkit.open(path, embedder="local")


def test_settings_that_shaped_the_chunks_cannot_change(
    tmp_path: Path, word_vectors: Embedder
) -> None:
    path = tmp_path / "a.brain"
    brainkit.open(path, embedder=word_vectors, chunk_tokens=64).close()
    with pytest.raises(InvalidSetting, match=r"chunk_tokens=128: this brain was made with 64"):
        brainkit.open(path, chunk_tokens=128)
    with pytest.raises(
        InvalidSetting,
        match=r"there is no setting 'chunk_size'; did you mean 'chunk_tokens'\?; settings are",
    ):
        brainkit.open(tmp_path / "b.brain", chunk_size=3)
    with brainkit.open(path) as brain:
        assert brain.info().settings["chunk_tokens"] == 64


def test_one_glob_instead_of_a_list_is_refused(
    tmp_path: Path, project: Path, word_vectors: Embedder
) -> None:
    with (
        brainkit.open(tmp_path / "a.brain", embedder=word_vectors) as brain,
        pytest.raises(InvalidSetting, match=r"include='\*.py' is one string; give a list"),
    ):
        brain.ingest(project, include="*.py")


def test_an_answer_becomes_a_frame_and_frames_become_records(
    tmp_path: Path, word_vectors: Embedder
) -> None:
    frame = pd.DataFrame({"id": ["a", "b"], "text": ["green tea", "coffee"], "year": [1, 2]})
    with brainkit.open(tmp_path / "a.brain", embedder=word_vectors) as brain:
        brain.ingest_texts(frame, progress=False)
        answer = brain.query("tea", top_k=1)
        out = answer.to_frame()
        assert out["source"].tolist() == ["a"]
        assert out["rank"].tolist() == [1]
        assert answer.results[0].metadata == {"year": 1}
        assert brain.query("zebra", mode="bm25").to_frame().empty


def test_explaining_a_rank_that_is_not_there_is_refused(
    tmp_path: Path, word_vectors: Embedder
) -> None:
    with brainkit.open(tmp_path / "a.brain", embedder=word_vectors) as brain:
        brain.ingest_texts([{"id": "a", "text": "tea"}], progress=False)
        with pytest.raises(InvalidSetting, match=r"rank=2: this answer has 1 results"):
            brain.query("tea").explain(2)


def test_nothing_in_a_rich_repr_is_markup(tmp_path: Path, word_vectors: Embedder) -> None:
    with brainkit.open(tmp_path / "a.brain", embedder=word_vectors) as brain:
        report = brain.ingest_texts([{"id": HOSTILE, "text": HOSTILE, "title": HOSTILE}])
        answer = brain.query(f"script {HOSTILE}", file_paths=[HOSTILE, "*"])
        assert answer.results[0].source == HOSTILE
        for shown in (answer, report, brain.info(), brain.check(), brain):
            html = shown._repr_html_()
            assert "<img" not in html
            assert "</script" not in html
        assert "&lt;img src=x onerror=" in answer._repr_html_()


def test_an_embedder_that_cannot_be_had_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(EmbedderUnavailable, match=r"'opneai' is not one of"):
        brainkit.open(tmp_path / "a.brain", embedder="opneai")
    assert not (tmp_path / "a.brain").exists()


def test_a_brain_whose_folder_was_deleted_is_made_anew(
    tmp_path: Path, word_vectors: Embedder
) -> None:
    path = tmp_path / "a.brain"
    before = brainkit.open(path, embedder=word_vectors)
    before.ingest_texts([{"id": "a", "text": "tea"}], progress=False)
    shutil.rmtree(path)
    with brainkit.open(path, embedder=word_vectors) as brain:
        assert brain is not before
        assert brain.info().counts["chunks"] == 0


@pytest.mark.parametrize("path", ["a\0b", "~nobody-of-this-name/x"])
def test_a_path_that_cannot_be_is_refused(path: str) -> None:
    with pytest.raises(NotABrain, match="is no usable path"):
        brainkit.open(path)


def test_a_chunk_without_a_vector_has_no_similarity_and_counts_zero(
    tmp_path: Path, word_vectors: Embedder
) -> None:
    def embedder(texts: list[str]) -> Any:
        vectors = word_vectors(texts)
        vectors[[i for i, text in enumerate(texts) if "coffee" in text]] = 0.0
        return vectors

    embedder.name = "no-coffee"  # type: ignore[attr-defined]
    with brainkit.open(tmp_path / "a.brain", embedder=embedder) as brain:
        records = [{"id": "a", "text": "green tea"}, {"id": "b", "text": "tea and coffee"}]
        assert brain.ingest_texts(records, progress=False).refused == 1
        scores = {r.source: r.vector_score for r in brain.query("tea").results}
        assert scores["b"] is None
        assert scores["a"] is not None
        unusable = brain.query("coffee")
        assert [(r.source, r.vector_score) for r in unusable.results] == [("b", None)]
        parts = {part.name: part for part in unusable.explain(1).parts}
        assert parts["vector"].value == 0.0
        assert "no vector to compare" in parts["vector"].arithmetic
        assert unusable.refuse(alpha=0.4).results[0].score == 0.6
