"""The documents keep their promises: code runs, links lead somewhere, the public is documented."""

from __future__ import annotations

import ast
import dataclasses
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

import brainkit
from brainkit.cli import main
from brainkit.settings import Settings

REPOSITORY = Path(__file__).resolve().parent.parent
README = (REPOSITORY / "README.md").read_text(encoding="utf-8")
DOCUMENTS = [
    *("README.md", "CONTRIBUTING.md", "CHANGELOG.md"),
    *("data/sample/README.md", "notebooks/README.md"),
]


def blocks(text: str, language: str) -> list[tuple[int, str]]:
    """(line number of the first code line, code) of each fenced block in this language."""
    fences = re.finditer(rf"^```{language}\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)
    return [(text.count("\n", 0, fence.start(1)) + 1, fence[1]) for fence in fences]


def section(text: str, heading: str) -> str:
    return re.split(r"^## ", text.split(f"## {heading}\n", 1)[1], maxsplit=1, flags=re.MULTILINE)[0]


def anchors(document: Path) -> set[str]:
    """The fragments that GitHub gives to the headings of a Markdown file."""
    headings = re.findall(r"^#+ (.+)$", document.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def run_as_cells(code: str, first_line: int, names: dict[str, object]) -> None:
    """Run the code as a notebook would, so that a bare expression is also displayed."""
    tree = ast.increment_lineno(ast.parse(code), first_line - 1)
    origin = str(REPOSITORY / "README.md")
    for node in tree.body:
        if not isinstance(node, ast.Expr):
            exec(compile(ast.Module([node], []), origin, "exec"), names)
            continue
        value = eval(compile(ast.Expression(node.value), origin, "eval"), names)
        if value is not None:
            assert repr(value)
            if hasattr(value, "_repr_html_"):
                assert value._repr_html_()


def commands(group: click.Group, path: str = "brainkit") -> Iterator[str]:
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from commands(command, f"{path} {name}")
        elif not command.hidden:
            yield f"{path} {name}"


def test_readme_python_runs_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(REPOSITORY / "data", tmp_path / "data")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "__main__"}

    for first_line, code in blocks(README, "python"):
        run_as_cells(code, first_line, names)


def test_set_up_is_two_commands_and_no_other_bash_block_hides_elsewhere() -> None:
    job, tests = (code for _, code in blocks(section(README, "Set-up"), "bash"))
    assert job.rstrip().endswith("brainkit lab")
    assert "pytest" in tests
    assert len(blocks(README, "bash")) == 2


@pytest.mark.parametrize("document", DOCUMENTS)
def test_links_lead_to_files_and_headings_that_exist(document: str) -> None:
    here = REPOSITORY / document
    links = re.findall(r"\]\(([^)\s]+)\)", here.read_text(encoding="utf-8"))
    for link in links:
        if re.match(r"[a-z]+:", link):
            continue
        path, _, fragment = link.partition("#")
        target = (here.parent / path).resolve() if path else here
        assert target.exists(), f"{document} links to {link}"
        assert not fragment or fragment in anchors(target), f"{document} links to {link}"


def test_paths_that_contributing_names_exist() -> None:
    text = (REPOSITORY / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = re.findall(r"`((?:brainkit|tests|data|notebooks|\.ci)/[\w./]*)`", text)
    assert len(named) > 20
    assert [path for path in named if not (REPOSITORY / path).exists()] == []


def test_every_command_is_in_the_readme() -> None:
    assert [name for name in commands(main) if f"`{name}" not in README] == []


def test_every_setting_is_in_the_readme_with_its_default() -> None:
    table = section(README, "Settings")
    for field in dataclasses.fields(Settings):
        default = f"{field.default:,}" if isinstance(field.default, int) else field.default
        row = f"| `BRAINKIT_{field.name.upper()}` | {default}"
        assert row.replace(",", "") in table.replace(",", ""), f"README lacks: {row}"


def test_every_public_name_is_in_the_readme_or_has_its_own_docstring() -> None:
    undocumented = [
        name
        for name in brainkit.__all__
        if not re.search(rf"\b{name}\b", README)
        and not (getattr(brainkit, name).__dict__.get("__doc__") or "").strip()
    ]
    assert undocumented == []
