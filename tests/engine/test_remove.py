"""What a user may mean by a name: label, source, folder, glob, record, path on disk."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from brainkit.engine import Engine
from brainkit.errors import InvalidRecord, InvalidSetting, NoSuchFolder, NoSuchSource
from brainkit.models import QueryRequest

FILES = ("docs/a.md", "docs/deep/b.md", "src/c.py", "d.txt")


def make_files(folder: Path) -> None:
    for name in FILES:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"alpha = '{name}'\n")


def fill(engine: Engine, folder: Path) -> None:
    engine.ingest(folder, progress=False)
    records = [{"id": "r1", "text": "alpha"}, {"id": " odd/id/ ", "text": "alpha"}]
    engine.ingest_texts(records, progress=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    make_files(tmp_path / "project")
    return tmp_path / "project"


@pytest.fixture
def engine(tmp_path: Path, folder: Path, word_vectors: Any) -> Iterator[Engine]:
    with closing(Engine(tmp_path / "x.brain", embedder=word_vectors)) as engine:
        fill(engine, folder)
        yield engine


@pytest.fixture(scope="module")
def unchanged(
    tmp_path_factory: pytest.TempPathFactory, word_vectors: Any
) -> Iterator[tuple[Engine, Path]]:
    """The same brain for all tests that may not change it, and a folder that it does not have."""
    home = tmp_path_factory.mktemp("unchanged")
    make_files(home / "project")
    with closing(Engine(home / "x.brain", embedder=word_vectors)) as engine:
        fill(engine, home / "project")
        (home / "other").mkdir()
        yield engine, home / "other"
        assert left(engine) == ALL


def left(engine: Engine) -> set[str]:
    """The sources in every store: by keyword, by vector, and in the table of files."""
    with engine.reading() as generation:
        files = set(generation.chunks.files())
    for mode in ("bm25", "vector"):
        request = QueryRequest(query="alpha", mode=mode, top_k=50)
        assert {result.source for result in engine.search(request).results} == files
    assert engine.faults() == []
    return files


ALL = {f"project/{name}" for name in FILES} | {"r1", " odd/id/ "}


@pytest.mark.parametrize(
    ("target", "gone"),
    [
        ("project", FILES),
        ("project/", FILES),
        ("project/docs", FILES[:2]),
        ("project/docs/", FILES[:2]),
        ("project/docs/a.md", FILES[:1]),
        ("**/docs/**", FILES[:2]),
        ("**/a.md", FILES[:1]),
        ("*.md", FILES[:2]),
        ("docs/*.md", FILES[:1]),
        ("project/**/*.py", FILES[2:3]),
        ("{folder}", FILES),
        ("{folder}/docs", FILES[:2]),
        ("{folder}/src/c.py", FILES[2:3]),
        ("r1", ("r1",)),
        (" odd/id/ ", (" odd/id/ ",)),
    ],
)
def test_a_name_means_what_it_says(
    target: str, gone: tuple[str, ...], engine: Engine, folder: Path
) -> None:
    sources = {name if name in ALL else f"project/{name}" for name in gone}
    report = engine.remove(target.format(folder=folder))
    assert {row.source for row in report.files} == sources
    assert {row.status for row in report.files} == {"removed"}
    assert left(engine) == ALL - sources
    if gone != FILES:
        engine.ingest(folder, progress=False)
        assert left(engine) == ALL - (sources & {"r1", " odd/id/ "}), "ingest brings files back"


@pytest.mark.parametrize(
    "target",
    ["", " ", "/", ".", "*.rst", "nowhere", "~nobody-of-this-name/x", "a\0b", "\ud800", "[", "!"],
)
def test_an_unknown_name_removes_nothing(target: str, unchanged: tuple[Engine, Path]) -> None:
    with pytest.raises(NoSuchSource, match="is no root, source, folder or glob of this brain"):
        unchanged[0].remove(target)


@pytest.mark.parametrize(
    ("word", "here", "everywhere"),
    [
        ("docs", "project/docs", "**/docs/**"),
        ("docs/", "project/docs", "**/docs/**"),
        ("deep", "project/docs/deep", "**/deep/**"),
        ("a.md", "project/docs/a.md", "**/a.md"),
    ],
)
def test_a_bare_word_does_not_mean_that_name_in_every_root(
    word: str, here: str, everywhere: str, unchanged: tuple[Engine, Path]
) -> None:
    with pytest.raises(NoSuchSource, match="lies deeper in it") as refusal:
        unchanged[0].remove(word)
    assert f"give {here!r}, or {everywhere!r} for all" in str(refusal.value)


@pytest.mark.parametrize(
    ("target", "gone"),
    [
        ("../../../project", FILES),
        ("../..", FILES),
        (".", FILES[1:2]),
        ("b.md", FILES[1:2]),
        ("../a.md", FILES[:1]),
        ("{linked}", FILES),
        ("{linked}/docs/a.md", FILES[:1]),
        ("{linked}/docs/deep/../a.md", FILES[:1]),
    ],
)
def test_a_path_is_found_however_it_is_spelled(
    target: str,
    gone: tuple[str, ...],
    engine: Engine,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    linked = folder.with_name("linked")
    linked.symlink_to(folder)
    monkeypatch.chdir(folder / "docs" / "deep")
    report = engine.remove(target.format(linked=linked))
    assert {row.source for row in report.files} == {f"project/{name}" for name in gone}


def test_the_nearest_name_is_suggested(unchanged: tuple[Engine, Path]) -> None:
    engine, _ = unchanged
    with pytest.raises(NoSuchSource, match=r"did you mean 'project/docs/a\.md'"):
        engine.remove("project/docs/a.mdd")


def test_an_emptied_root_is_forgotten_and_its_label_free(
    engine: Engine, folder: Path, tmp_path: Path
) -> None:
    engine.remove("project")
    with engine.reading() as generation:
        assert generation.chunks.roots() == {}
    other = tmp_path / "elsewhere" / "project"
    other.mkdir(parents=True)
    (other / "e.md").write_text("alpha")
    assert engine.ingest(other, progress=False).label == "project"


def test_a_root_without_files_can_be_removed_by_label_and_path(
    engine: Engine, tmp_path: Path
) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    for target in ("empty", str(empty)):
        engine.ingest(empty, progress=False)
        engine.remove(target)
        with engine.reading() as generation:
            assert list(generation.chunks.roots()) == ["project"]


@pytest.mark.parametrize("id_", ["project", "project/new.md", "project/docs/a.md"])
def test_a_record_cannot_lie_where_files_are(id_: str, unchanged: tuple[Engine, Path]) -> None:
    """Else removing the folder would mean the record, or the other way round."""
    with pytest.raises(InvalidRecord, match="a place in the folder ingested as 'project'"):
        unchanged[0].ingest_texts([{"id": id_, "text": "alpha"}], progress=False)


def test_a_folder_cannot_take_the_name_of_a_record(engine: Engine, tmp_path: Path) -> None:
    folder = tmp_path / "r1"
    folder.mkdir()
    (folder / "e.md").write_text("alpha")
    with pytest.raises(InvalidSetting, match="label='r1' is, or begins, the id of a record"):
        engine.ingest(folder, label="r1", progress=False)
    assert engine.ingest(folder, progress=False).label == "r1-2"
    assert left(engine) == ALL | {"r1-2/e.md"}


@pytest.mark.parametrize("label", ["", " ", ".", "..", "a/b", "a\\b", "a\nb", "a\0b", "\ud800"])
def test_a_label_that_is_no_name_is_refused(label: str, unchanged: tuple[Engine, Path]) -> None:
    engine, other = unchanged
    with pytest.raises(InvalidSetting, match="is no name"):
        engine.ingest(other, label=label, progress=False)


@pytest.mark.parametrize("path", ["a\0b", "~nobody-of-this-name/x", "nowhere", "\udcff"])
def test_a_path_that_is_no_folder_is_refused(path: str, unchanged: tuple[Engine, Path]) -> None:
    with pytest.raises(NoSuchFolder):
        unchanged[0].ingest(Path(path), progress=False)
