"""Writes and locks that the system refuses: the change is not made, and the message says why."""

from __future__ import annotations

import dataclasses
import errno
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import portalocker
import pytest

import brainkit
from brainkit.errors import (
    BrainDamaged,
    BrainkitError,
    BrainNotWritten,
    BrainReadOnly,
    LabelNotWritten,
)
from brainkit.evaluation.judgments import Judgment

CODES = {
    errno.ENOSPC: (BrainNotWritten, r"No space left on device; .*nothing was changed.*Make room"),
    errno.EACCES: (BrainReadOnly, r"cannot be written \(Permission denied\).*Queries work all"),
    errno.EIO: (BrainNotWritten, r"\(Input/output error\), so nothing was changed.*Try again"),
}
LABEL = Judgment("q", "notes/f1.txt", "1-2", 2, "me", "", "", "c", "hash")


def write_version(notes: Path, version: int) -> None:
    notes.mkdir(exist_ok=True)
    for number in range(6):
        (notes / f"f{number}.txt").write_text(f"alpha key w{number} of version v{version}")


def reversed_words(process: ModuleType) -> Callable[[Any], Any]:
    """Another embedder, with another name."""

    def other(texts: Any) -> Any:
        return process.words([text[::-1] for text in texts])

    other.name = "other"  # type: ignore[attr-defined]
    return other


@pytest.fixture
def faced(load: Callable[[str], ModuleType]) -> Iterator[Callable[..., Any]]:
    """Begin to count the steps in a folder; all counting ends with the test."""
    module, begun = load("engine/steps.py"), []

    def begin(folder: Path, *, at: int | None = None, code: int = 0) -> Any:
        begun.append(module.Steps(folder, None if at is None else module.denied(at, code)))
        return begun[-1]

    yield begin
    for steps in begun:
        steps.act = None


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, process: ModuleType) -> Path:
    """A folder with notes and a brain of them."""
    home = tmp_path_factory.mktemp("refused")
    write_version(home / "notes", 0)
    with brainkit.open(home / "x.brain", embedder=process.words) as brain:
        brain.ingest(home / "notes", progress=False)
    return home


@pytest.fixture
def brain(made: Path, tmp_path: Path, process: ModuleType) -> Iterator[brainkit.Brain]:
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    with brainkit.open(tmp_path / "x.brain", embedder=process.words) as brain:
        yield brain


def seen(brain: brainkit.Brain) -> list[Any]:
    return [
        (r.chunk_id, r.text, r.score)
        for mode in ("hybrid", "multi")
        for r in brain.query("alpha w3 version", mode=mode).results
    ]


CHANGES: dict[str, Callable[[brainkit.Brain, Path, ModuleType], object]] = {
    "ingest": lambda brain, home, process: brain.ingest(home / "notes", progress=False),
    "reembed": lambda brain, home, process: brain.reembed(reversed_words(process), progress=False),
    "remove": lambda brain, home, process: brain.remove("notes/f1.txt"),
    "use": lambda brain, home, process: brain.use({"alpha": 0.25}),
}


@pytest.mark.parametrize(
    ("code", "change"),
    [
        *((errno.ENOSPC, change) for change in CHANGES),
        *((code, "ingest") for code in (errno.EACCES, errno.EIO)),
    ],
)
def test_a_refused_step_leaves_the_brain_as_it_was(  # noqa: PLR0917  # fixtures
    code: int, change: str, tmp_path: Path, brain: brainkit.Brain, faced: Any, process: ModuleType
) -> None:
    """Refused from the first step on, from the third, the ninth and so on, until none is left."""
    before, generations = seen(brain), names(brain)
    kind, message = CODES[code]
    write_version(tmp_path / "notes", 1)
    at = 1
    while error := refused(
        faced(brain.folder, at=at, code=code), lambda: CHANGES[change](brain, tmp_path, process)
    ):
        assert isinstance(error, kind)
        assert re.search(message, str(error))
        assert (seen(brain), names(brain)) == (before, generations)
        at *= 3
    assert at >= 3
    assert seen(brain) != before or change == "use"
    assert brain.check().faults == ()
    assert list(brain.folder.glob("*.part")) == []


def refused(steps: Any, change: Callable[[], object]) -> BrainkitError | None:
    """Return what a change was refused with, None if it was made; steps are let through again."""
    try:
        change()
    except BrainkitError as error:
        return error
    finally:
        steps.act = None
    return None


def names(brain: brainkit.Brain) -> list[str]:
    return sorted(path.name for path in brain.folder.glob("gen-*[0-9]"))


def test_a_refusal_of_the_swap_itself_leaves_nothing_of_the_new_generation(
    tmp_path: Path, brain: brainkit.Brain, faced: Any
) -> None:
    before, generations = seen(brain), names(brain)
    write_version(tmp_path / "notes", 1)
    steps = faced(brain.folder)

    def act(number: int, event: str) -> None:
        if event == "os.rename" and steps.paths[-1].endswith("CURRENT.tmp"):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    steps.act = act
    error = refused(steps, lambda: brain.ingest(tmp_path / "notes", progress=False))
    assert isinstance(error, BrainNotWritten)
    assert (seen(brain), names(brain)) == (before, generations)
    assert list(brain.folder.glob("*.tmp")) == []


def test_a_refusal_after_the_swap_takes_nothing_back(
    tmp_path: Path, brain: brainkit.Brain, faced: Any
) -> None:
    write_version(tmp_path / "notes", 1)
    brain.ingest(tmp_path / "notes", progress=False)
    write_version(tmp_path / "notes", 2)
    steps, swapped = faced(brain.folder), []

    def act(number: int, event: str) -> None:
        if swapped:
            raise OSError(errno.EROFS, os.strerror(errno.EROFS))
        if event == "os.rename" and steps.paths[-1].endswith("CURRENT.tmp"):
            swapped.append(number)

    steps.act = act
    report = brain.ingest(tmp_path / "notes", progress=False)
    steps.act = None
    assert report.generation == (brain.folder / "CURRENT").read_text().strip()
    assert "version v2" in brain.query("alpha w3", mode="bm25").results[0].text
    assert len(names(brain)) > 2, "an old one could not be deleted"

    write_version(tmp_path / "notes", 3)
    brain.ingest(tmp_path / "notes", progress=False)
    assert len(names(brain)) == 2


@pytest.mark.skipif(os.name != "posix", reason="portalocker locks otherwise there")
@pytest.mark.parametrize("code", [errno.ENOLCK, errno.EOPNOTSUPP])
def test_where_files_cannot_be_locked_a_brain_answers_and_is_not_changed(
    code: int, brain: brainkit.Brain, process: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(file: object, flags: object) -> None:
        raise OSError(code, os.strerror(code))

    before = seen(brain)
    brain.close()
    with monkeypatch.context() as patch:
        patch.setattr("portalocker.portalocker.LOCKER", refuse)
        with brainkit.open(brain.folder, embedder=process.words) as there:
            assert seen(there) == before
            for change in (lambda: there.remove("notes/f1.txt"), lambda: there.use({"alpha": 0.2})):
                with pytest.raises(BrainNotWritten, match=r"cannot be locked .*local disk"):
                    change()
            began = time.perf_counter()
            with pytest.raises(LabelNotWritten, match=r"cannot be locked .*local disk"):
                there.judgments.put(LABEL)
            assert time.perf_counter() - began < 5, "no use in waiting for the lock"
            assert (seen(there), list(there.judgments)) == (before, [])
    with brainkit.open(brain.folder, embedder=process.words) as here:
        here.judgments.put(LABEL)
        here.remove("notes/f1.txt")
        assert here.check().faults == ()


def test_a_label_that_was_refused_is_not_there(brain: brainkit.Brain, faced: Any) -> None:
    kept, _ = brain.judgments.put(LABEL)
    other = dataclasses.replace(LABEL, content="other")
    at = 1
    while error := refused(
        faced(brain.folder, at=at, code=errno.ENOSPC), lambda: brain.judgments.put(other)
    ):
        assert isinstance(error, LabelNotWritten)
        assert "(No space left on device), so nothing was changed; make room" in str(error)
        assert list(brain.judgments) == [kept]
        at += 1
    assert at >= 4, "the lock, the new file, its rename"
    assert len(brain.judgments) == 2
    assert list(brain.folder.glob("judgments*.tmp")) == []


def damaged(brain: brainkit.Brain) -> None:
    """Close, and damage the vector index."""
    brain.close()
    generation = brain.folder / (brain.folder / "CURRENT").read_text().strip()
    (generation / "vectors.npy").write_bytes(b"damaged")


def test_an_index_that_cannot_be_kept_is_made_for_the_session(
    brain: brainkit.Brain, faced: Any, process: ModuleType
) -> None:
    before = seen(brain)
    damaged(brain)
    steps = faced(brain.folder, at=2, code=errno.ENOSPC)
    with brainkit.open(brain.folder, embedder=process.words) as full:
        assert seen(full) == before
        (notice,) = full.query("alpha").response.notices
        assert (
            "for this session only, since the folder cannot be written (No space" in notice.message
        )
    steps.act = None
    with brainkit.open(brain.folder, embedder=process.words) as again:
        assert seen(again) == before
        assert again.check().faults == ()


def test_an_index_for_which_there_is_no_room_at_all_is_a_message(
    brain: brainkit.Brain, faced: Any, process: ModuleType
) -> None:
    before = seen(brain)
    damaged(brain)
    everywhere = [
        faced(brain.folder, at=1, code=errno.ENOSPC),
        faced(Path(tempfile.gettempdir()) / "brainkit-", at=1, code=errno.ENOSPC),
    ]
    with brainkit.open(brain.folder, embedder=process.words) as full:
        with pytest.raises(BrainNotWritten, match=r"the vector index has to be made.*make room"):
            seen(full)
        for steps in everywhere:
            steps.act = None
        assert seen(full) == before


def test_what_a_killed_process_left_of_an_index_goes_when_it_is_made(
    brain: brainkit.Brain, process: ModuleType
) -> None:
    damaged(brain)
    generation = brain.folder / (brain.folder / "CURRENT").read_text().strip()
    dead, fresh, alive = (generation / f"rebuild-{name}" for name in ("dead", "fresh", "alive"))
    for folder in (dead, fresh, alive):
        folder.mkdir()
        (folder / "in-use.lock").touch()
        (folder / "vectors.npy").write_bytes(b"half")
    for folder in (dead, alive):
        os.utime(folder, (0, 0))
    with open(alive / "in-use.lock", "rb") as file:
        portalocker.lock(file, portalocker.LockFlags.SHARED)
        with brainkit.open(brain.folder, embedder=process.words) as again:
            seen(again)
    assert sorted(generation.glob("rebuild-*")) == [alive, fresh]


def test_a_folder_that_cannot_be_read_says_so(brain: brainkit.Brain, process: ModuleType) -> None:
    """A folder in the place of a file cannot be read even by root."""
    before = seen(brain)
    current = brain.folder / "CURRENT"
    name = current.read_text()
    current.unlink()
    current.mkdir()
    with pytest.raises(BrainDamaged, match=r"CURRENT cannot be read \(Is a directory\).*try again"):
        seen(brain)
    current.rmdir()
    current.write_text(name)
    assert seen(brain) == before


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.skipif(not hasattr(os, "fork"), reason="the campaign forks a process for each try")
def test_the_campaign_of_faults_loses_nothing(repository: Path, tmp_path: Path) -> None:
    """Kills, limits, races, moves, copies; the long run is the same script with more tries."""
    script = repository / "tests" / "bench" / "faults.py"
    done = subprocess.run(
        [
            *(sys.executable, str(script), "--kills", "5", "--tries", "2", "--seed", "7"),
            *("--only", "kills", "limits", "races", "moves", "copies"),
        ],
        cwd=tmp_path,
        env={"PYTHONPATH": str(repository), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "kill -9: swap" in done.stdout
