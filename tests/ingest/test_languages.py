"""Languages and source types, with the names that only look like tests."""

from __future__ import annotations

import re

import pytest

from brainkit.ingest.languages import LANGUAGES, language_of, source_type_of


@pytest.mark.parametrize(
    ("relative", "language"),
    [
        ("a.py", "python"),
        ("a.pyi", "python"),
        ("a.JS", "javascript"),
        ("a.jsx", "javascript"),
        ("a.ts", "typescript"),
        ("a.tsx", "tsx"),
        ("A.java", "java"),
        ("a.go", "go"),
        ("a.rs", "rust"),
        ("a.c", "c"),
        ("a.h", "c"),
        ("a.cc", "cpp"),
        ("a.hpp", "cpp"),
        ("A.cs", "csharp"),
        ("A.kt", "kotlin"),
        ("A.swift", "swift"),
        ("a.pas", "pascal"),
        ("a.R", "r"),
        ("a.md", "markdown"),
        ("a.qmd", "quarto"),
        ("a.rst", "restructuredtext"),
        ("a.ipynb", "jupyter"),
        ("a.pdf", "pdf"),
        ("a.html", "html"),
        ("a.yml", "yaml"),
        ("pyproject.toml", "toml"),
        ("x/Dockerfile", "dockerfile"),
        ("Dockerfile.dev", "dockerfile"),
        ("web.dockerfile", "dockerfile"),
        ("Makefile", "make"),
        ("CMakeLists.txt", "cmake"),
        ("notes.txt", "text"),
        ("README", "text"),
        ("LICENSE-MIT", "text"),
        ("README.md", "markdown"),
        ("Gemfile", "ruby"),
        (".bashrc", "shell"),
        (".gitignore", "ignore"),
        ("nginx.conf.j2", "ini"),
        ("config.yaml.example", "yaml"),
        ("page.j2", "template"),
        ("archive.tar.xyz", None),
        ("md", None),
        (".py", None),
        ("a.py/b", None),
        ("", None),
    ],
)
def test_language_by_name(relative: str, language: str | None) -> None:
    assert language_of(relative) == language


@pytest.mark.parametrize(
    ("first_line", "language"),
    [
        ("#!/usr/bin/python", "python"),
        ("#!/usr/bin/python3.11 -u", "python"),
        ("#! /usr/bin/env python3", "python"),
        ("#!/usr/bin/env -S uv run --script", "python"),
        ("#!/usr/bin/env -u HOME LANG=C python", "python"),
        ("#!/bin/sh", "shell"),
        ("#!/usr/local/bin/bash -e\r", "shell"),
        ("#!/usr/bin/env node", "javascript"),
        ("#!/usr/bin/env Rscript", "r"),
        ("#!/usr/bin/perl5.36", "perl"),
        ("#!/opt/unknown", None),
        ("#!", None),
        ("#!/usr/bin/env", None),
        ("# python", None),
    ],
)
def test_language_by_shebang(first_line: str, language: str | None) -> None:
    assert language_of("bin/tool", first_line) == language
    assert language_of("a.md", first_line) == "markdown"


@pytest.mark.parametrize(
    ("relative", "first_line", "language"),
    [
        ("a.m", "function y = f(x)", "matlab"),
        ("a.m", "% solve", "matlab"),
        ("a.m", "#import <Foundation/Foundation.h>", "objective-c"),
        ("a.m", "// AppDelegate.m", "objective-c"),
        ("a.m", "@interface A", "objective-c"),
        ("a.pp", "unit Unit1;", "pascal"),
        ("a.pp", "class ntp::config {", "puppet"),
        ("a.ts", "import x from 'y';", "typescript"),
        ("a.ts", '<?xml version="1.0"?>', "xml"),
    ],
)
def test_a_first_line_decides_a_shared_extension(
    relative: str, first_line: str, language: str
) -> None:
    assert language_of(relative, first_line) == language


def test_no_word_of_the_table_belongs_to_two_languages() -> None:
    for column in ("extensions", "names", "interpreters"):
        words = [word for row in LANGUAGES.values() for word in getattr(row, column).split()]
        assert len(words) == len(set(words)), column
        assert all(word == word.casefold() for word in words), column
    assert len(LANGUAGES) >= 100
    assert all(re.fullmatch(r"[a-z][a-z0-9-]*", language) for language in LANGUAGES)


TESTS = [
    *("tests/helper.py", "test/a.py", "src/test_a.py", "a_test.py", "conftest.py", "app/tests.py"),
    *("pkg/walk_test.go", "pkg/testdata/a.go", "src/a.spec.ts", "a.test.js", "a.test.jsx"),
    *("a.test.tsx", "src/__tests__/a.js", "spec/a.js", "e2e/a.ts", "app.e2e-spec.ts", "a.cy.ts"),
    *("src/AppTest.java", "src/AppTests.java", "src/TestApp.java", "src/AppIT.java"),
    *("src/test/java/App.java", "AppTest.kt", "src/commonTest/kotlin/App.kt", "AppSpec.scala"),
    *("AppTests.cs", "App.Tests/Helper.cs", "AppUnitTests/Helper.cs", "Tests/AppTests/A.swift"),
    *(
        "AppTests.swift",
        "app_spec.rb",
        "spec/helper.rb",
        "app_test.rb",
        "tests/a.rs",
        "src/tests.rs",
    ),
    *("AppTest.php", "app_test.exs", "t/basic.t", "test-app.R", "runtests.jl", "a_SUITE.erl"),
    *("a_unittest.cc", "test_a.c", "a.bats", "Module.Tests.ps1", "AppSpec.hs", "TestApp.pas"),
    *("tests/fixtures/a.json", "tests/data.csv", "tests/config.yaml", "Test/A.sql"),
]
CODE = [
    *("testing.py", "attest.py", "latest/app.py", "contest.py", "latest.py", "pkg/testing/a.py"),
    *(
        "protest_x.py",
        "testimony.py",
        "test-results.py",
        "contests/a.py",
        "fastest.go",
        "test_a.go",
    ),
    *("Latest.java", "Testament.java", "Contest.java", "KeySpec.java", "EDIT.java", "Testbed.cs"),
    *("Latest/A.cs", "AnimationSpec.kt", "CipherSuite.java", "openapi.spec.py", "inspect.rb"),
    *(
        "spec/openapi.py",
        "src/latest/App.kt",
        "latest.js",
        "openapi-spec.ts",
        "spec.ts",
        "fittest.rs",
    ),
    *("Makefile", "Dockerfile", "a.sql", "a.sh", "a.css", "main.tf", "a.proto", "a.vue"),
]
DOCS = [
    *("README.md", "tests/README.md", "test_plan.md", "tests/page.html", "tests/a.rst", "a.ipynb"),
    *("tests/test_a.ipynb", "a.pdf", "a.json", "pyproject.toml", "a.yaml", "a.csv", "a.xml"),
    *("test_data.json", "latest/config.yaml", "notes.txt", "tests/unknown.xyz", "a.tex"),
]


@pytest.mark.parametrize(
    ("relative", "source_type"),
    [
        *((name, "test") for name in TESTS),
        *((name, "code") for name in CODE),
        *((name, "doc") for name in DOCS),
    ],
)
def test_source_type(relative: str, source_type: str) -> None:
    assert source_type_of(relative, language_of(relative)) == source_type


def test_an_unknown_language_is_a_document() -> None:
    assert source_type_of("tests/a.xyz", None) == "doc"
    assert source_type_of("tests/a.xyz", "klingon") == "doc"
