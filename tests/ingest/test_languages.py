"""Languages and source types, with the names that only look like tests."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from brainkit.ingest.languages import LANGUAGES, PARSED, language_of, source_type_of
from brainkit.parse.table import PARSERS


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


@pytest.mark.parametrize(
    ("relative", "head", "language"),
    [
        ("a.h", "#pragma once\n\nnamespace shop {\n", "cpp"),
        ("a.h", "#ifndef A_H\n#include <string>\n", "cpp"),
        ("a.h", "// doors\nclass SHOP_API Door final : public Thing {\n", "cpp"),
        ("a.h", "template <typename T>\nT twice(T x);\n", "cpp"),
        ("a.h", "struct door {\n public:\n  int open();\n};\n", "cpp"),
        ("a.h", "#include <stdio.h>\nint open(const char *name);\n", "c"),
        ("a.h", "/* a class of doors: std. */\nstruct door { int class; };\n", "c"),
        (
            "a.h",
            "#import <Foundation/Foundation.h>\n@interface Door : NSObject\n@end\n",
            "objective-c",
        ),
        ("a.m", "\n/**\n * A door.\n */\n@implementation Door\n", "objective-c"),
        ("a.m", "% a door\nfunction y = door(x)\n  f = @sin;\n", "matlab"),
        ("a.pp", "{$mode objfpc}\nunit door;\n", "pascal"),
        ("a.pp", "\nclass doors::front (\n  String $name,\n) {\n", "puppet"),
        ("a.inc", "<?php\nreturn 1;\n", "php"),
        ("a.inc", "{$IFDEF UNIX}\n", "pascal"),
        ("a.inc", "procedure Close(Door: TDoor);\nbegin\n", "pascal"),
        ("a.inc", "#define DOORS 3\n", "c"),
        ("a.inc", "some words\n", None),
        ("a.ts", "import x from 'y';\n", "typescript"),
        ("a.d", "main.o: main.c door.h\n", "make"),
        ("a.d", "module door;\n", "d"),
        ("a.fs", "module Door\nlet x = 1\n", "fsharp"),
        ("a.fs", "#version 330 core\n", "glsl"),
        ("a.v", "Require Import Arith.\nLemma a : 1 = 1.\n", "coq"),
        ("a.v", "module door(input clk);\n", "verilog"),
        ("door.1", ".TH DOOR 1\n", "roff"),
        ("door.1", "one\n", None),
        ("web.config", '<?xml version="1.0"?>\n', "xml"),
        ("web.config", "key = value\n", None),
        ("vector", "// Doors -*- C++ -*-\n", "cpp"),
        ("rc", "# vim: set ft=python ts=4:\n", "python"),
        ("rc", "# -*- mode: sh; tab-width: 2 -*-\n", "shell"),
        ("rc", "# -*- klingon -*-\n", None),
        ("page", "<!DOCTYPE html>\n<html>\n", "html"),
        ("feed", '<?xml version="1.0"?>\n', "xml"),
        ("BUILD", "cc_library(name = 'door')\n", "starlark"),
        ("build", "#!/bin/sh\nmake\n", "shell"),
        ("rules", "#!/usr/bin/make -f\n", "make"),
        ("a.h", "x;\n" * 2000 + "class Door {\n", "c"),
    ],
)
def test_the_beginning_decides_where_the_name_is_silent(
    relative: str, head: str, language: str | None
) -> None:
    assert language_of(relative, head) == language


def test_real_paths_have_their_language_and_source_type() -> None:
    header, *rows = (Path(__file__).parent / "paths.tsv").read_text("utf-8").splitlines()
    assert header == "path\tsource_type\tlanguage"
    assert len(rows) >= 300
    wrong = []
    for row in rows:
        path, source_type, language = row.split("\t")
        found = language_of(path)
        if (source_type_of(path, found), found or "") != (source_type, language):
            wrong.append((row, found))
    assert wrong == []


def test_the_languages_cut_by_definition_are_those_with_a_parser() -> None:
    assert set(PARSERS) == PARSED
    assert set(LANGUAGES) > PARSED


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
