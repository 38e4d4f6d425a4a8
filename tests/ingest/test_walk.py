"""Walking real trees: order, links, limits, and what is never entered."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from brainkit.errors import InvalidSetting, NoSuchFolder
from brainkit.ingest.walk import Found, Passed, walk
from brainkit.settings import Settings

POSIX_ONLY = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX links or pipes")


def make(root: Path, *names: str) -> None:
    """Create files, each holding its own name."""
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{name}\n")


def found(root: Path, settings: Settings | None = None, **options: Any) -> list[str]:
    walked = walk(root, settings=settings or Settings(), **options)
    return [one.relative for one in walked if isinstance(one, Found)]


def passed(root: Path, settings: Settings | None = None, **options: Any) -> dict[str, str]:
    walked = walk(root, settings=settings or Settings(), **options)
    return {one.relative: one.reason for one in walked if isinstance(one, Passed)}


def test_order_is_that_of_the_whole_relative_path(tmp_path: Path) -> None:
    make(tmp_path, "a/z.md", "a-b/y.md", "B.md", "a.md", "é.md", "a/b/c.md", "日.md")
    # "-" < "." < "/" < letters, capitals first, then by code point
    assert found(tmp_path) == ["B.md", "a-b/y.md", "a.md", "a/b/c.md", "a/z.md", "é.md", "日.md"]


def test_found_tells_size_time_and_inode(tmp_path: Path) -> None:
    make(tmp_path, "a.md")
    status = (tmp_path / "a.md").stat()
    assert list(walk(tmp_path, settings=Settings())) == [
        Found(
            tmp_path.resolve() / "a.md",
            "a.md",
            size=len("a.md\n"),
            mtime_ns=status.st_mtime_ns,
            inode=(status.st_dev, status.st_ino),
        )
    ]


def test_nested_ignore_files_with_negation(tmp_path: Path) -> None:
    make(tmp_path, "a.log", "keep.log", "sub/b.log", "sub/keep.log", "sub/deep/c.log", "b.md")
    (tmp_path / ".gitignore").write_text("*.log\n!keep.log\n")
    (tmp_path / "sub/.gitignore").write_text("!b.log\n")
    (tmp_path / "sub/.brainignore").write_text("keep.log\n")
    assert found(tmp_path) == [
        ".gitignore",
        "b.md",
        "keep.log",
        "sub/.brainignore",
        "sub/.gitignore",
        "sub/b.log",
    ]
    assert passed(tmp_path) == {
        "a.log": "ignored by .gitignore",
        "sub/deep/c.log": "ignored by .gitignore",
        "sub/keep.log": "ignored by sub/.brainignore",
    }


def test_ignored_denied_and_excluded_folders_are_never_scanned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(
        tmp_path, "src/a.py", "build/keep.py", "node_modules/x/index.js", ".git/config", "gen/x.py"
    )
    make(tmp_path, *(f"build/{number}/x.py" for number in range(50)))
    (tmp_path / ".gitignore").write_text("build/\n!build/keep.py\n")
    scanned: list[str] = []
    scandir = os.scandir

    def recording(path: str) -> Any:
        scanned.append(Path(path).relative_to(tmp_path.resolve()).as_posix())
        return scandir(path)

    monkeypatch.setattr(os, "scandir", recording)
    assert found(tmp_path, exclude=["gen/"]) == [".gitignore", "src/a.py"]
    assert sorted(scanned) == [".", "src"]
    assert passed(tmp_path, exclude=["gen/"]) == {
        ".git": "left out: version control data",
        "build": "ignored by .gitignore",
        "gen": "excluded by a pattern",
        "node_modules": "left out: installed packages",
    }


def test_secrets_stay_out_even_if_included_or_negated(tmp_path: Path) -> None:
    make(tmp_path, ".env", "conf/.env.local", "id_rsa", "tls.pem", "uv.lock", "a.py", "other.lock")
    (tmp_path / ".brainignore").write_text("!.env\n!id_rsa\n")
    everything = [".env", "*.local", "id_rsa", "*.pem", "*.lock", "*.py"]
    assert found(tmp_path, include=everything) == ["a.py", "other.lock"]
    assert passed(tmp_path)["conf/.env.local"].startswith("left out: an environment file")
    assert sorted(passed(tmp_path)) == [".env", "conf/.env.local", "id_rsa", "tls.pem", "uv.lock"]


def test_environments_brains_and_caches_are_known_by_content(tmp_path: Path) -> None:
    make(tmp_path, "env/pyvenv.cfg", "env/lib/x.py", "env/lib/y/z.py", "ok/env/settings.py")
    make(tmp_path, "memory/CURRENT", "memory/gen-000001/chunks.duckdb", "other.brain/CURRENT")
    make(tmp_path, "docs/CURRENT", "docs/CACHEDIR.TAG")
    assert found(tmp_path) == ["docs/CACHEDIR.TAG", "docs/CURRENT", "ok/env/settings.py"]
    assert passed(tmp_path) == {
        "env": "left out: a virtual environment",
        "memory": "left out: a brain's own folder",
        "other.brain": "left out: a brain's own folder",
    }
    assert passed(tmp_path / "memory") == {".": "left out: a brain's own folder"}


def test_avoided_folders_are_never_entered(tmp_path: Path) -> None:
    make(tmp_path, "a.md", "state/inner/b.md")
    own = "excluded: the brain's own folder"
    assert found(tmp_path, avoid=[tmp_path / "state"]) == ["a.md"]
    assert passed(tmp_path, avoid=[tmp_path / "a" / ".." / "state"]) == {"state": own}
    for root in ("state", "state/inner", "state/inner/b.md"):
        assert passed(tmp_path / root, avoid=[tmp_path / "state"]) == {".": own}


@pytest.mark.parametrize(
    ("include", "exclude", "expected"),
    [
        (["*.py"], None, ["a.py", "src/b.py", "src/deep/c.py"]),
        (["src/*.py"], None, ["src/b.py"]),
        (["src/**/*.py"], None, ["src/b.py", "src/deep/c.py"]),
        (["src"], None, ["src/b.py", "src/deep/c.py", "src/deep/d.md"]),
        (["./src/deep"], None, ["src/deep/c.py", "src/deep/d.md"]),
        (["/*.py"], None, ["a.py"]),
        ("*.md", None, ["src/deep/d.md"]),
        (None, ["*.py"], ["src/deep/d.md"]),
        (None, "src/deep", ["a.py", "src/b.py"]),
        (None, ["src/*", "!src/deep"], ["a.py", "src/deep/c.py", "src/deep/d.md"]),
        (["*.py"], ["deep/"], ["a.py", "src/b.py"]),
        (["nothing"], None, []),
    ],
)
def test_include_and_exclude(
    tmp_path: Path,
    include: Sequence[str] | None,
    exclude: Sequence[str] | None,
    expected: list[str],
) -> None:
    make(tmp_path, "a.py", "src/b.py", "src/deep/c.py", "src/deep/d.md")
    assert found(tmp_path, include=include, exclude=exclude) == expected


def test_what_no_include_names_is_not_reported(tmp_path: Path) -> None:
    make(tmp_path, "a.py", "b.md", ".env")
    assert passed(tmp_path, include=["*.py"]) == {}
    assert passed(tmp_path, exclude=["*.md"])["b.md"] == "excluded by a pattern"


@pytest.mark.parametrize("option", ["include", "exclude"])
def test_a_pattern_that_cannot_match_is_an_error(tmp_path: Path, option: str) -> None:
    with pytest.raises(InvalidSetting, match=rf"{option} pattern '/' is not a glob"):
        found(tmp_path, None, **{option: ["/"]})


def test_too_large_files_are_passed_with_the_limit(tmp_path: Path) -> None:
    (tmp_path / "eleven.txt").write_bytes(b"x" * 11)
    (tmp_path / "ten.txt").write_bytes(b"x" * 10)
    settings = Settings(max_file_bytes=10)
    assert found(tmp_path, settings) == ["ten.txt"]
    assert passed(tmp_path, settings) == {
        "eleven.txt": "11 bytes; the limit is 10 (max_file_bytes)"
    }


def test_each_inode_once_and_the_first_path_keeps_it(tmp_path: Path) -> None:
    make(tmp_path, "z/original.md")
    os.link(tmp_path / "z/original.md", tmp_path / "copy.md")
    assert found(tmp_path) == ["copy.md"]
    assert passed(tmp_path) == {"z/original.md": "the same file as copy.md"}


@POSIX_ONLY
class TestLinks:
    def test_a_real_file_comes_before_a_link_to_it(self, tmp_path: Path) -> None:
        make(tmp_path, "z/real.md")
        (tmp_path / "alias.md").symlink_to("z/real.md")
        assert found(tmp_path) == ["z/real.md"]
        assert passed(tmp_path) == {"alias.md": "the same file as z/real.md"}

    def test_a_link_stands_in_for_a_file_not_found_otherwise(self, tmp_path: Path) -> None:
        make(tmp_path, "README.md", "docs/a.md")
        (tmp_path / "docs/index.md").symlink_to("../README.md")
        (one, two) = walk(tmp_path, include=["docs"], settings=Settings())
        assert [one.relative, two.relative] == ["docs/a.md", "docs/index.md"]
        assert isinstance(two, Found)
        assert two.path == tmp_path.resolve() / "README.md"

    def test_links_out_of_the_root_to_folders_to_nowhere_and_in_circles(
        self, tmp_path: Path
    ) -> None:
        make(tmp_path, "outside.md", "root/a.md", "root/sub/b.md", "root-2/c.md")
        root = tmp_path / "root"
        links = {
            "escape.md": "../outside.md",
            "neighbour.md": "../root-2/c.md",
            "absolute.md": str(tmp_path / "outside.md"),
            "folder": "sub",
            "sub/up": "..",
            "gone.md": "missing.md",
            "self.md": "self.md",
            "ping": "pong",
            "pong": "ping",
        }
        for name, target in links.items():
            (root / name).symlink_to(target)
        assert found(root) == ["a.md", "sub/b.md"]
        assert passed(root) == {
            "escape.md": "a link to a file outside the folder",
            "neighbour.md": "a link to a file outside the folder",
            "absolute.md": "a link to a file outside the folder",
            "folder": "a link to a folder; such links are not followed",
            "sub/up": "a link to a folder; such links are not followed",
            "gone.md": "a link that leads nowhere",
            "self.md": "a link that leads nowhere",
            "ping": "a link that leads nowhere",
            "pong": "a link that leads nowhere",
        }

    def test_a_link_opens_no_back_door_to_what_is_left_out(self, tmp_path: Path) -> None:
        make(tmp_path, ".env", ".git/config", "env/pyvenv.cfg", "env/x.py", "state/b.md")
        targets = (".env", ".git/config", "env/x.py", "state/b.md")
        for number, target in enumerate(targets):
            (tmp_path / f"link{number}.md").symlink_to(target)
        assert found(tmp_path, avoid=[tmp_path / "state"]) == []
        reasons = passed(tmp_path, avoid=[tmp_path / "state"])
        assert [reasons[f"link{number}.md"] for number in range(4)] == [
            "a link to something left out: an environment file, which may hold secrets",
            "a link to something left out: version control data",
            "a link into a folder left out",
            "a link into a folder left out",
        ]

    def test_the_root_may_be_a_link(self, tmp_path: Path) -> None:
        make(tmp_path, "real/a.md")
        (tmp_path / "alias").symlink_to("real")
        (one,) = walk(tmp_path / "alias", settings=Settings())
        assert isinstance(one, Found)
        assert (one.relative, one.path) == ("a.md", tmp_path.resolve() / "real/a.md")

    def test_a_linked_ignore_file_does_not_count(self, tmp_path: Path) -> None:
        make(tmp_path, "a.md")
        (tmp_path / "rules").write_text("*.md\n")
        (tmp_path / ".gitignore").symlink_to("rules")
        assert found(tmp_path) == ["a.md", "rules"]


@POSIX_ONLY
def test_pipes_and_sockets_are_passed_without_opening(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(tmp_path, "a.md")
    os.mkfifo(tmp_path / "pipe.md")
    os.mkfifo(tmp_path / ".gitignore")
    monkeypatch.chdir(tmp_path)  # a socket's path may have about 100 characters at most
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("socket")
        assert found(tmp_path) == ["a.md"]
        special = "not a file but a pipe, socket or device"
        assert passed(tmp_path) == dict.fromkeys([".gitignore", "pipe.md", "socket"], special)


@POSIX_ONLY
def test_names_that_would_break_a_report_are_passed_escaped(tmp_path: Path) -> None:
    make(tmp_path, "a\nb.md", "tab\there/c.md", "fine name, ü.md")
    try:
        (tmp_path / os.fsdecode(b"caf\xe9.md")).write_text("latin-1")
    except OSError:
        pytest.skip("this file system allows UTF-8 names only")
    reason = "its name has a line break, a control character or undecodable bytes"
    assert found(tmp_path) == ["fine name, ü.md"]
    assert passed(tmp_path) == dict.fromkeys(["a\\nb.md", "caf\\udce9.md", "tab\\there"], reason)


@pytest.mark.skipif(
    sys.platform == "win32" or os.geteuid() == 0, reason="permissions do not bind this user"
)
def test_a_folder_without_permission_is_passed_and_the_walk_goes_on(tmp_path: Path) -> None:
    make(tmp_path, "a.md", "closed/b.md")
    (tmp_path / "closed").chmod(0)
    try:
        assert found(tmp_path) == ["a.md"]
        assert passed(tmp_path) == {"closed": "cannot be read: Permission denied"}
        with pytest.raises(NoSuchFolder, match="cannot be read"):
            walk(tmp_path / "closed", settings=Settings())
    finally:
        (tmp_path / "closed").chmod(0o700)


def test_a_folder_that_vanishes_meanwhile_is_passed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(tmp_path, "a.md", "soon/b.md")
    scandir = os.scandir

    def removing(path: str) -> Any:
        if path.endswith("soon"):
            (tmp_path / "soon/b.md").unlink()
            (tmp_path / "soon").rmdir()
        return scandir(path)

    monkeypatch.setattr(os, "scandir", removing)
    walked = list(walk(tmp_path, settings=Settings()))
    assert [one.relative for one in walked] == ["a.md", "soon"]
    assert walked[1] == Passed("soon", "cannot be read: No such file or directory")


@pytest.mark.skipif(sys.platform != "linux", reason="paths this long need Linux")
def test_trees_deeper_than_the_recursion_limit(tmp_path: Path) -> None:
    depth = sys.getrecursionlimit() + 200
    make(tmp_path, "leaf.md")
    top, spare = tmp_path / "d", tmp_path / "spare"
    (tmp_path / "leaf.md").rename(spare)
    for _ in range(depth):
        top.mkdir()
        spare.rename(top / ("leaf.md" if spare.is_file() else "d"))
        top.rename(spare)
    spare.rename(top)
    try:
        assert found(tmp_path, Settings(max_depth=depth + 1)) == ["d/" * depth + "leaf.md"]
    finally:
        while (top / "d").exists():  # what removes temporary folders recurses
            (top / "d").rename(spare)
            top.rmdir()
            spare.rename(top)


def test_a_single_file_is_a_root_of_its_own(tmp_path: Path) -> None:
    make(tmp_path, "a.md", "b.md", ".env")
    (tmp_path / ".gitignore").write_text("*.md\n")
    assert found(tmp_path / "a.md", include=["*.py"]) == ["a.md"]
    assert list(passed(tmp_path / ".env")) == [".env"]


def test_an_empty_folder_yields_nothing(tmp_path: Path) -> None:
    assert list(walk(tmp_path, settings=Settings())) == []


def test_a_missing_root_says_so_at_once_and_suggests_the_nearest_name(tmp_path: Path) -> None:
    make(tmp_path, "project/a.md")
    with pytest.raises(NoSuchFolder, match=r"projct.*No such file.*did you mean 'project'\?"):
        walk(tmp_path / "projct", settings=Settings())


@POSIX_ONLY
def test_a_root_that_is_neither_folder_nor_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(NoSuchFolder, match="neither a folder nor a file"):
        walk(tmp_path / "pipe", settings=Settings())
    (tmp_path / "self").symlink_to("self")
    with pytest.raises(NoSuchFolder, match="cannot be opened"):
        walk(tmp_path / "self", settings=Settings())
