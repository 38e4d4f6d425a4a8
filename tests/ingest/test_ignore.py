"""Ignore rules, against worked examples and against git itself."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
from pathlib import Path

import pytest

from brainkit.errors import InvalidSetting
from brainkit.ingest.deny import DENIED, denied, denied_by_content
from brainkit.ingest.ignore import IgnoreFile, excludes, globs, ignored_by, parse_rules
from brainkit.ingest.walk import Found, walk
from brainkit.settings import Settings

GIT = shutil.which("git")


def files(*given: tuple[str, str, str]) -> list[IgnoreFile]:
    return [
        IgnoreFile(f"{at}/{name}" if at else name, at, parse_rules(text))
        for name, at, text in given
    ]


def test_the_last_matching_line_decides() -> None:
    rules = files((".gitignore", "", "*.log\n!keep.log\n"))
    assert ignored_by(rules, "a/b.log", is_folder=False) == ".gitignore"
    assert ignored_by(rules, "a/keep.log", is_folder=False) is None
    assert ignored_by(rules, "a/b.txt", is_folder=False) is None


def test_the_deepest_file_decides_and_brainignore_is_stronger_beside_it() -> None:
    rules = files(
        (".gitignore", "", "*.md\n"),
        (".brainignore", "", "!*.md\nsecret.md\n"),
        (".gitignore", "docs", "!secret.md\n"),
    )
    assert ignored_by(rules, "a.md", is_folder=False) is None
    assert ignored_by(rules, "secret.md", is_folder=False) == ".brainignore"
    assert ignored_by(rules, "docs/secret.md", is_folder=False) is None


def test_a_rule_names_its_own_path_not_what_lies_below() -> None:
    rules = files((".gitignore", "", "x\n"), (".brainignore", "", "!a\n"))
    assert ignored_by(rules, "a", is_folder=True) is None
    assert ignored_by(rules, "a/x", is_folder=False) == ".gitignore"
    assert ignored_by(rules, "a/x", is_folder=True) == ".gitignore"


@pytest.mark.parametrize(
    ("pattern", "path", "is_folder", "ignored"),
    [
        ("build/", "build", True, True),
        ("build/", "build", False, False),
        ("/a", "a", False, True),
        ("/a", "b/a", False, False),
        ("a/b", "a/b", False, True),
        ("a/b", "x/a/b", False, False),
        ("a/**", "a", True, False),
        ("a/**", "a/x", False, True),
        ("a/**/", "a", True, False),
        ("a/**/", "a/b", True, True),
        ("a/**/", "a/b", False, False),
        ("**/", "a/b", True, True),
        ("**/", "a/b", False, False),
        ("*", "a/b", False, True),
        ("a/*.c", "a/b/x.c", False, False),
        ("a/**/x.c", "a/x.c", False, True),
        ("[[:digit:]].txt", "7.txt", False, True),
        ("[[:digit:]].txt", "d.txt", False, False),
        ("\\#x", "#x", False, True),
        ("# x", "# x", False, False),
        ("x.log\r", "x.log", False, True),
        ("\ufeffx.log", "x.log", False, True),
        ("[", "[", False, False),
        ("[z-a]", "z", False, False),
    ],
)
def test_pattern_forms(pattern: str, path: str, is_folder: bool, ignored: bool) -> None:
    rules = files((".gitignore", "", pattern + "\n"))
    assert (ignored_by(rules, path, is_folder=is_folder) is not None) == ignored


def test_globs_of_a_call() -> None:
    assert globs(["src/**", "!src/gen/**"], field="include").match_file("src/a.py")
    assert not globs(["src/**", "!src/gen/**"], field="include").match_file("src/gen/a.py")
    assert globs("*.py", field="include").match_file("deep/down/a.py")
    assert globs(["./src"], field="include").match_file("src/deep/a.py")
    assert not globs(["src/*.py"], field="include").match_file("src/deep/a.py")
    assert excludes(["gen/"]).verdict("src/gen", is_folder=True)


@pytest.mark.parametrize("patterns", [[], [""], ["/"], ["["], ["# a"], ["*.py", " "]])
def test_a_glob_that_cannot_match_is_refused(patterns: list[str]) -> None:
    with pytest.raises(InvalidSetting, match=r"include.*give"):
        globs(patterns, field="include")


DENIED_FILES = [
    *(".env", ".env.local", ".ENVRC", "server.pem", "id_rsa", "id_ed25519.pub", "tls.KEY", "a.p12"),
    *("package-lock.json", "uv.lock", "Cargo.lock", "go.sum", "Gemfile.lock", "Package.resolved"),
    *(".DS_Store", "._a.py", "Thumbs.db", ".git", ".netrc", "logo.svg"),
]
ORDINARY_FILES = [
    *("environment.py", "env.py", "keys.py", "pem.md", "lock.py", "package.json", "go.mod"),
    *("Cargo.toml", "notes.brain.md", "node_modules.md", "venv.md", "gitignore.md", ".gitignore"),
]
DENIED_FOLDERS = ["node_modules", ".venv", "__pycache__", "notes.brain", "x.egg-info", ".ssh"]
ORDINARY_FOLDERS = [".github", ".vscode", "env", "build", "keys", "brain", "cvs", ".docker"]


@pytest.mark.parametrize(
    ("names", "is_folder", "refused"),
    [
        (DENIED_FILES, False, True),
        (ORDINARY_FILES, False, False),
        (DENIED_FOLDERS, True, True),
        (ORDINARY_FOLDERS, True, False),
    ],
)
def test_the_deny_list(names: list[str], is_folder: bool, refused: bool) -> None:
    wrong = [name for name in names if bool(denied(name, is_folder=is_folder)) is not refused]
    assert wrong == []


def test_denied_patterns_are_in_the_case_they_are_compared_in() -> None:
    for denial in DENIED:
        assert denial.patterns == denial.patterns.casefold()


def test_folders_denied_by_content(tmp_path: Path) -> None:
    assert denied_by_content(tmp_path, ["pyvenv.cfg", "lib"]) == "a virtual environment"
    assert denied_by_content(tmp_path, ["CURRENT", "gen-000001"]) == "a brain's own folder"
    assert denied_by_content(tmp_path, ["CURRENT", "generator.py"]) is None
    (tmp_path / "CACHEDIR.TAG").write_text("Signature: 8a477f597d28d172789f06886806bc55\n# made")
    assert denied_by_content(tmp_path, ["CACHEDIR.TAG"]) == "a cache folder"
    (tmp_path / "CACHEDIR.TAG").write_text("about cache tags")
    assert denied_by_content(tmp_path, ["CACHEDIR.TAG"]) is None


NAMES = ["a", "b", "ab", "c.log", "d.txt", "e"]
PATTERN_PARTS = ["a", "b", "ab", "*", "**", "a*", "*.log", "?.txt", "[ab]", "[!a]", "e", "c.*"]


def random_tree(root: Path, chance: random.Random) -> None:
    folders = [root]
    for _ in range(chance.randint(4, 12)):
        folder = chance.choice(folders) / chance.choice(NAMES)
        if not folder.exists():
            folder.mkdir()
            folders.append(folder)
    for _ in range(chance.randint(8, 24)):
        file = chance.choice(folders) / chance.choice(NAMES)
        if not file.exists():
            file.write_text(str(file))
    for folder in chance.sample(folders, k=min(len(folders), chance.randint(1, 3))):
        lines = [random_pattern(chance) for _ in range(chance.randint(1, 5))]
        (folder / ".gitignore").write_text("\n".join(lines) + "\n")


def random_pattern(chance: random.Random) -> str:
    parts = [chance.choice(PATTERN_PARTS) for _ in range(chance.choice([1, 1, 1, 2, 2, 3]))]
    head = chance.choice(["", "", "", "!", "!", "/", "!/"])
    return head + "/".join(parts) + chance.choice(["", "", "", "/"])


@pytest.mark.skipif(GIT is None, reason="git is not installed, and it is the oracle here")
def test_a_walk_keeps_exactly_what_git_check_ignore_keeps(tmp_path: Path) -> None:
    clean = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
    }
    for seed in range(100):
        root = tmp_path / str(seed)
        root.mkdir()
        subprocess.run([str(GIT), "init", "-q", str(root)], env=clean, check=True)
        random_tree(root, random.Random(seed))
        every = sorted(
            path.relative_to(root).as_posix()
            for path in root.rglob("*")
            if path.is_file() and ".git/" not in path.as_posix().removeprefix(f"{root}/")
        )
        asked = subprocess.run(
            [str(GIT), "-C", str(root), "check-ignore", "--no-index", "--stdin", "-z"],
            input="\0".join(every),
            env=clean,
            capture_output=True,
            text=True,
            check=False,
        )
        assert asked.returncode in (0, 1), asked.stderr
        ignored = set(asked.stdout.split("\0"))
        kept = [one.relative for one in walk(root, settings=Settings()) if isinstance(one, Found)]
        rules = {path: path.read_text() for path in root.rglob(".gitignore")}
        assert kept == [path for path in every if path not in ignored], (seed, rules)
