"""Brains that are moved, replaced or copied while they are used: nothing lost, and a word of it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import brainkit
from brainkit.errors import BrainDamaged, BrainNotWritten, LabelNotWritten
from brainkit.evaluation.judgments import Judgment

GONE = r"is not there any more: it was moved, renamed or deleted.*Open the brain where it is now"
LABEL = Judgment("q", "notes/f1.txt", "1-2", 2, "me", "", "", "c", "hash")


def write_version(notes: Path, version: int) -> None:
    notes.mkdir(exist_ok=True)
    for number in range(6):
        (notes / f"f{number}.txt").write_text(f"alpha key w{number} of version v{version}")


def seen(brain: brainkit.Brain) -> list[Any]:
    return [
        (r.chunk_id, r.text, r.score)
        for mode in ("hybrid", "multi")
        for r in brain.query("alpha w3 version", mode=mode).results
    ]


def files(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*.*")}


class Meddler:
    """An embedder in whose middle something happens once."""

    name = "words"

    def __init__(self, words: Callable[[Any], Any]) -> None:
        self._words = words
        self.meddle: Callable[[], object] | None = None

    def __call__(self, texts: Any) -> Any:
        if self.meddle is not None and len(texts) > 1:
            meddle, self.meddle = self.meddle, None
            meddle()
        return self._words(texts)


@pytest.fixture
def meddler(process: ModuleType) -> Meddler:
    return Meddler(process.words)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, process: ModuleType) -> Path:
    """A folder with notes and a brain in its third generation, with the second kept, one label."""
    home = tmp_path_factory.mktemp("misplaced")
    with brainkit.open(home / "x.brain", embedder=process.words) as brain:
        for version in range(2):
            write_version(home / "notes", version)
            brain.ingest(home / "notes", progress=False)
        brain.judgments.put(LABEL)
    return home


@pytest.fixture
def brain(made: Path, tmp_path: Path, meddler: Meddler) -> Iterator[brainkit.Brain]:
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    with brainkit.open(tmp_path / "x.brain", embedder=meddler) as brain:
        yield brain


def test_a_brain_that_was_moved_says_so_and_works_where_it_is(
    tmp_path: Path, brain: brainkit.Brain, meddler: Meddler
) -> None:
    before, new = seen(brain), tmp_path / "moved.brain"
    brain.folder.rename(new)
    with pytest.raises(BrainDamaged, match=GONE):
        seen(brain)
    with pytest.raises(BrainNotWritten, match=GONE):
        brain.ingest(tmp_path / "notes", progress=False)
    with pytest.raises(BrainDamaged, match=GONE):
        brain.use({"alpha": 0.2})
    assert "moved, renamed or deleted" in repr(brain)
    with pytest.raises(LabelNotWritten, match=GONE):
        brain.judgments.put(LABEL)
    assert not brain.folder.exists(), "no ghost of it"
    with brainkit.open(new, embedder=meddler) as there:
        assert seen(there) == before
        there.remove("notes/f1.txt")
        assert there.check().faults == ()
    new.rename(brain.folder)
    assert all("w1 " not in text for _, text, _ in seen(brain)), "back, it is the same brain"


@pytest.mark.parametrize("change", ["ingest", "reembed"])
@pytest.mark.parametrize("replaced", [False, True])
def test_a_brain_that_is_moved_while_it_is_written_is_as_it_was(
    *, replaced: bool, change: str, tmp_path: Path, brain: brainkit.Brain, meddler: Meddler
) -> None:
    """Another that takes its place must not get what was meant for it."""
    before, new, other = seen(brain), tmp_path / "moved.brain", tmp_path / "other.brain"
    with brainkit.open(other, embedder=meddler) as another:
        another.ingest_texts([{"id": "a", "text": "alpha of another brain"}], progress=False)
    held = files(other)

    def move() -> None:
        brain.folder.rename(new)
        if replaced:
            other.rename(brain.folder)

    meddler.meddle = move
    write_version(tmp_path / "notes", 7)
    given = tmp_path / "notes" if change == "ingest" else meddled(meddler)
    with pytest.raises(BrainNotWritten, match=GONE):
        getattr(brain, change)(given, progress=False)
    if replaced:
        now = files(brain.folder)
        assert {name: now.get(name) for name in held} == held
        assert [name for name in now if "gen-" in name] == [n for n in held if "gen-" in n]
    else:
        assert not brain.folder.exists(), "no ghost of it"
    with brainkit.open(new, embedder=meddler) as there:
        assert seen(there) == before
        there.ingest(tmp_path / "notes", progress=False)
        assert "v7" in there.query("alpha w3", mode="bm25").results[0].text
        assert there.check().faults == ()
        assert [one.content for one in there.judgments] == ["hash"]


def meddled(meddler: Meddler) -> Meddler:
    """Another embedder by name, with the same thing to happen in its middle."""
    other = Meddler(lambda texts: meddler([text[::-1] for text in texts]))
    other.name = "other"
    return other


MISSING = {
    "CURRENT": ["CURRENT"],
    "the sequence": ["SEQUENCE"],
    "the manifest": ["gen-000003/manifest.json"],
    "the lock": ["gen-000003/in-use.lock", "writer.lock"],
    "an index": ["gen-000003/keywords", "gen-000003/vectors.npy"],
    "the kept generation": ["gen-000002"],
    "the embeddings": ["embeddings"],
}


@pytest.mark.parametrize("missing", MISSING)
def test_a_copy_that_lacks_what_can_be_made_again_answers(
    missing: str, tmp_path: Path, brain: brainkit.Brain, meddler: Meddler
) -> None:
    copy = copied(brain, tmp_path, MISSING[missing])
    with brainkit.open(copy, embedder=meddler) as there:
        assert seen(there) == seen(brain)
        assert there.check().faults == ()
        assert [one.content for one in there.judgments] == ["hash"]


def test_a_copy_without_its_newest_database_names_the_kept_one(
    tmp_path: Path, brain: brainkit.Brain, meddler: Meddler
) -> None:
    copy = copied(brain, tmp_path, ["gen-000003/chunks.duckdb"])
    with pytest.raises(BrainDamaged, match="gen-000002 was kept: write its name into"):
        brainkit.open(copy, embedder=meddler)
    (copy / "CURRENT").write_text("gen-000002")
    with brainkit.open(copy, embedder=meddler) as there:
        assert "version v0" in there.query("alpha w3", mode="bm25").results[0].text


@pytest.mark.parametrize(
    "missing", [["gen-000002", "gen-000003/chunks.duckdb"], ["gen-000002", "gen-000003"]]
)
def test_a_copy_without_any_database_says_how_to_begin_again_and_keep_the_labels(
    missing: list[str], tmp_path: Path, brain: brainkit.Brain, meddler: Meddler
) -> None:
    copy = copied(brain, tmp_path, missing)
    with pytest.raises(BrainDamaged, match=r"copy it again.*delete CURRENT and every gen-\* in"):
        brainkit.open(copy, embedder=meddler)
    (copy / "CURRENT").unlink()
    for generation in copy.glob("gen-*"):
        shutil.rmtree(generation)
    with brainkit.open(copy, embedder=meddler) as there:
        report = there.ingest(tmp_path / "notes", progress=False)
        assert (report.embedded, report.reused) == (0, 6), "finished embeddings are kept"
        assert [one.content for one in there.judgments] == ["hash"]


@pytest.mark.parametrize("half", ["chunks.duckdb", "vectors.npy", "manifest.json"])
def test_a_file_of_a_copy_that_is_half_there_is_noticed(
    half: str, tmp_path: Path, brain: brainkit.Brain, meddler: Meddler
) -> None:
    copy = copied(brain, tmp_path, [])
    path = copy / "gen-000003" / half
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    if half == "chunks.duckdb":
        with pytest.raises(BrainDamaged, match="gen-000002 was kept"):
            brainkit.open(copy, embedder=meddler)
        return
    with brainkit.open(copy, embedder=meddler) as there:
        assert seen(there) == seen(brain)
        assert there.check().faults == ()


def test_a_copy_taken_in_the_middle_of_an_ingest_is_the_brain_before_it(
    tmp_path: Path, brain: brainkit.Brain, meddler: Meddler
) -> None:
    before, copy = seen(brain), tmp_path / "copy.brain"
    meddler.meddle = lambda: shutil.copytree(brain.folder, copy)
    write_version(tmp_path / "notes", 7)
    brain.ingest(tmp_path / "notes", progress=False)
    with brainkit.open(copy, embedder=meddler) as there:
        assert seen(there) == before
        there.remove("notes/f1.txt")
        assert there.check().faults == ()
    assert "v7" in brain.query("alpha w3", mode="bm25").results[0].text


def copied(brain: brainkit.Brain, home: Path, missing: list[str]) -> Path:
    """A copy of the brain without these files and folders."""
    copy = home / "copy.brain"
    shutil.copytree(brain.folder, copy)
    for name in missing:
        if (copy / name).is_dir():
            shutil.rmtree(copy / name)
        else:
            (copy / name).unlink()
    return copy
