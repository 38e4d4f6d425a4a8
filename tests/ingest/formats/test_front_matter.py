"""Front matter of Markdown, Quarto and reStructuredText, and how little it may do."""

from __future__ import annotations

import pytest

from brainkit.ingest.formats.front_matter import CHARS_MAX, front_matter


def read(text: str) -> tuple[dict[str, object], str | None]:
    return front_matter(text.split("\n"))


def test_yaml_and_toml() -> None:
    assert read('---\ntitle: "A: b"\ntags: [x, y]\ndraft: false\n...\nText') == (
        {"title": "A: b", "tags": ["x", "y"], "draft": False},
        None,
    )
    assert read('+++\ntitle = "A"\n[extra]\nn = 1\n+++\nText') == (
        {"title": "A", "extra": {"n": 1}},
        None,
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Text",
        "---",
        "---\nnever closed: 1",
        "---\n---\n",
        "---\njust words\n---",
        "----\na: 1\n----",
    ],
)
def test_what_is_not_front_matter_says_nothing(text: str) -> None:
    assert read(text) == ({}, None)


@pytest.mark.parametrize(
    ("block", "problem"),
    [
        ("a: [1", "expected ',' or ']'"),
        ("a: 2024-13-45", "month must be in 1..12"),
        ("a: &x [1]\nb: *x", "it has an alias (*)"),
        ("a: !!python/object/apply:os.getcwd []", "could not determine a constructor"),
        ("a: " + "[" * 15_000, "it is nested more than 20 deep"),
        ("a: " + "9" * 5_000, "Exceeds the limit"),
    ],
)
def test_what_is_broken_or_hostile_is_not_understood(block: str, problem: str) -> None:
    facts, note = read(f"---\n{block}\n---\nText")
    assert facts == {}
    assert note is not None
    assert note.startswith(f"front matter not understood: {problem}")


def test_merges_cannot_multiply() -> None:
    levels = [f"a{i}: &a{i} {{<<: [{', '.join([f'*a{i - 1}'] * 9)}]}}" for i in range(1, 30)]
    _, note = read("\n".join(["---", "a0: &a0 {k: v}", *levels, "---"]))
    assert note == "front matter not understood: it has an alias (*)"


@pytest.mark.parametrize(
    ("block", "problem"), [("a = ", "Invalid value"), ("a = " + "[" * 15_000, "nested too deep")]
)
def test_broken_toml_has_its_reason(block: str, problem: str) -> None:
    facts, note = read(f"+++\n{block}\n+++")
    assert facts == {}
    assert note is not None
    assert note.startswith(f"front matter not understood: {problem}")


def test_a_long_block_is_not_read() -> None:
    _, note = read(f"---\na: {'x' * CHARS_MAX}\n---")
    assert note == "front matter of 20,003 characters not read (the limit is 20,000)"  # a: and x
