"""What broke once, and must not again: each input with the target that met it.

Found by tests/bench/fuzz.py, or by hand where a bound was asked for; larger ones are made here.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from brainkit.errors import BrainkitError
from brainkit.filters import PathFilter
from brainkit.globs import glob
from brainkit.ingest.ignore import parse_rules
from brainkit.ingest.toml_text import toml_of
from brainkit.report.maths import mathml

LONG = 60_000
FOUND: tuple[tuple[str, bytes], ...] = (
    ("request", b'{"query": "how", "lan.": null}'),
    ("request", b'{"query": "how", "mode": "' + b"x" * LONG + b'"}'),
    ("configs-toml", b"[a]\nm" + b".a" * 90 + b" = 1\n"),
    ("configs-toml", b"[a]\nm" + b".a" * LONG + b" = 1\n"),
    ("configs-json", b"[" * LONG),
    ("config", b"[ingest]\na" + b".a" * LONG + b" = 1\n"),
    ("file-md", b"+++\na" + b".a" * 9_000 + b" = 1\n+++\n\n# Text\n\nmore\n"),
    ("file-word", b'<?xml version="1.0" encoding="klingon"?><w/>'),
    ("report", b'{"worksheets": [{"cells": [{"cell_type": "x"}]}], "nbformat": 1, "metadata": {}}'),
    ("report", b'{"cells": ' + b"[" * LONG),
    ("beir-corpus.jsonl", b"[" * LONG),
    ("beir-queries.jsonl", b"[" * LONG),
    ("ignore", b"*a*a*a*a*a*a*a*a*a*ab\n"),
    ("ignore", b"a/**/a/**/a/**/a/**/a/**/a/**/x\n[z-a]\n[!\n"),
    ("query", b"[z-a]"),
    ("query", b"*s*s*s*s*s*s*s*s*s*sx"),
)


def seconds(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


@pytest.mark.parametrize(("name", "raw"), FOUND, ids=[f"{n}-{r[:12]!r}" for n, r in FOUND])
def test_what_broke_once(name: str, raw: bytes, targets: ModuleType, folder: Path) -> None:
    target = targets.TARGETS[name.removesuffix(".jsonl")]
    target.seeds()  # a library or a brain may have to be loaded

    def work() -> None:
        try:
            target.run(raw, folder)
        except (BrainkitError, *target.allowed):
            pass

    assert seconds(work) < 10 * targets.SECONDS


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        ("*a" * 40 + "b", "a" * 200, False),
        ("*a" * 40 + "b", "a" * 200 + "b", True),
        ("[a-z]*" * 40 + "0", "a" * 200, False),
        ("?*" * 40 + "0", "a" * 200, False),
        ("a/**/" * 30 + "x", "a/" * 100 + "y", False),
        ("a/**/" * 30 + "x", "a/" * 100 + "x", True),
        ("**/a*/" * 30 + "x", "ab/" * 100 + "y", False),
    ],
)
def test_no_glob_takes_long_whatever_it_matches(pattern: str, path: str, matches: bool) -> None:
    (rule,) = parse_rules(pattern)
    spent = seconds(lambda: rule.matches(path, is_folder=False))
    assert rule.matches(path, is_folder=False) == matches
    assert PathFilter([pattern]).keeps(f"x/{path}") == matches
    assert spent < 1.0


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("a*b*c", "abbxbc"), ("a*b*c", "abbxb"), ("*.tar.*", "x.tar.tar.gz"), ("a**b", "aXb"),
        ("a/**/b/**/c", "a/b/b/x/c"), ("a/**/b/**/c", "a/b/c"), ("a/**/b/**/c", "a/bc/c"),
        ("**/a/**/b", "x/a/y/b/z"), ("**/a/**/b", "a/b"), ("a/**/b*/**/c", "a/x/bb/b/c"),
        ("a?*b*", "ab"), ("a?*b*", "axb"), ("/a/*/b", "a/x/b/c"), ("*/a/**/*b*/c", "q/a/bb/b/c"),
    ],
)  # fmt: skip
def test_a_glob_matches_as_pathspecs_own(pattern: str, path: str) -> None:
    from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

    theirs, ours = GitIgnoreSpecPattern(pattern).match_file(path), glob(pattern).match_file(path)
    assert (ours is None) == (theirs is None)


@pytest.mark.parametrize(
    "tex",
    ["{" * LONG, r"\} {" * LONG, "x^{" * 5_000 + "y" + "}" * 5_000, r"\color{red}" * LONG,
     r"\left(" * LONG, r"\begin{matrix}" * LONG, r"\hat" * LONG],
    ids=lambda tex: tex[:6],
)  # fmt: skip
def test_a_formula_without_end_does_not_end_the_process(tex: str) -> None:
    assert mathml(tex, block=False).startswith('<code class="tex" title="This formula cannot be')


def test_a_formula_may_be_as_long_and_deep_as_people_write_them() -> None:
    assert mathml("a^{b}+" * 3_000 + "c", block=True).startswith("<math")
    assert mathml("{" * 90 + "x" + "}" * 90, block=True).startswith("<math")


def test_a_name_of_many_parts_is_refused_at_its_line() -> None:
    for name in ("a" + ".a" * LONG, "a" + " .\ta" * LONG):
        for text in (f"b = 1\n{name} = 1", f"b = 1\nc = {{ {name} = 1 }}", f"b = 1\n[{name}]"):
            with pytest.raises(ValueError, match="line 2 has a name of more than 100 parts"):
                toml_of(text)
    assert toml_of('globs = ["**/*.tar.gz", "a.b.c"]')["globs"] == ["**/*.tar.gz", "a.b.c"]
