"""Labels: which folder is the one that a brain knows, now somewhere else."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from brainkit.ingest.roots import label_for
from brainkit.store.chunks import FileRow


def row(source: str, text: str, *, chunks: int = 1) -> FileRow:
    label, _, relative = source.partition("/")
    return FileRow(
        source=source,
        label=label,
        relative=relative or label,
        size=len(text.encode()),
        sha256=hashlib.sha256(text.encode()).hexdigest(),
        source_type="doc",
        language=None,
        decoded_as=None,
        note=None,
        skipped=None if chunks else "empty",
        chunks=chunks,
    )


@pytest.fixture
def src(tmp_path: Path) -> Path:
    """A folder ``src`` of two files, neither of which a brain has yet."""
    folder = tmp_path / "here" / "src"
    folder.mkdir(parents=True)
    (folder / "a.md").write_text("alpha")
    (folder / "b.md").write_text("beta")
    (folder / "empty.md").write_text("")
    return folder


@pytest.mark.parametrize(
    ("known", "label", "notes"),
    [
        ([row("src/a.md", "alpha")], "src", 0),
        ([row("src/a.md", "older"), row("src/b.md", "beta")], "src", 0),
        ([row("src/a.md", "older")], "src-2", 1),  # as a README.md is in every folder
        ([row("src/a.md", "ALPHA")], "src-2", 1),  # of the same size, too
        ([row("src/c.md", "alpha")], "src-2", 1),
        ([row("src/empty.md", "", chunks=0)], "src-2", 1),
        ([], "src-2", 1),
    ],
)
def test_a_folder_moved_if_a_file_of_it_is_here(
    known: list[FileRow], label: str, notes: int, src: Path, tmp_path: Path
) -> None:
    files = {one.source: one for one in known}
    found, told = label_for(src, {"src": str(tmp_path / "gone" / "src")}, files=files)
    assert (found, len(told)) == (label, notes)


def test_of_several_that_are_gone_the_one_with_most_files_here_moved(
    src: Path, tmp_path: Path
) -> None:
    roots: dict[str, str | None] = {
        name: str(tmp_path / name / "src") for name in ("src", "src-2", "mine")
    }
    rows = [row("src/a.md", "alpha"), row("mine/a.md", "alpha"), row("mine/b.md", "beta")]
    files = {one.source: one for one in rows}
    assert label_for(src, roots, files=files) == ("mine", [])
    Path(str(roots["mine"])).mkdir(parents=True)
    assert label_for(src, roots, files=files) == ("src", []), "what exists did not move"


def test_a_single_file_moves_as_well(src: Path, tmp_path: Path) -> None:
    roots: dict[str, str | None] = {"a.md": str(tmp_path / "gone" / "a.md")}
    same, other = ({"a.md": row("a.md", text)} for text in ("alpha", "other"))
    assert label_for(src / "a.md", roots, files=same) == ("a.md", [])
    assert label_for(src / "a.md", roots, files=other)[0] == "a.md-2"
