"""Help: every command and option is documented, the examples run, and nothing heavy is loaded."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import nbformat
import pytest
from click.testing import Result
from nbformat.v4 import new_code_cell, new_notebook

import brainkit
from brainkit.cli import main
from brainkit.cli.ingest import EMBEDDERS
from brainkit.embed import resolve
from brainkit.models import QueryRequest

COMMANDS = list(main.commands)
FIRST = {"import": ("export", "sample.zip")}
ENDLESS = {"watch", "lab"}


def help_of(run: Any, *path: str) -> str:
    result: Result = run(*path, "--help")
    assert result.exit_code == 0
    return result.stdout


def examples(text: str) -> list[str]:
    return re.findall(r"^  \$ (.+)$", text, flags=re.MULTILINE)


def test_the_root_lists_every_command_with_a_whole_sentence_and_every_exit_code(run: Any) -> None:
    text = help_of(run)
    listed = text.split("Commands:")[1]
    assert re.findall(r"^  (\w+) ", listed, flags=re.MULTILINE) == COMMANDS
    assert "..." not in listed
    assert re.findall(r"(\d+) (?:done|nothing|a mistake|the brain|interrupted)", text) == [
        *("0", "1", "2", "3", "130")
    ]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_is_explained(name: str) -> None:
    options = [p for p in main.commands[name].params if isinstance(p, click.Option)]
    assert [option.name for option in options if not option.help] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_examples_run_in_order(name: str, run: Any, request: pytest.FixtureRequest) -> None:
    request.getfixturevalue("bare" if name in ("plan", "ingest") else "filled")
    if name in FIRST:
        run(*FIRST[name])
    if name == "report":
        nbformat.write(new_notebook(cells=[new_code_cell("1 + 1")]), "notes.ipynb")
    if name == "label":
        with brainkit.open("sample.brain") as brain:
            for labeller in ("ana", "ben"):
                brain.label("hubs", labeller=labeller, progress=False).label(2)
    found = examples(help_of(run, name))
    assert found
    for example in found:
        program, command, *args = shlex.split(example)
        assert (program, command) == ("brainkit", name)
        if name in ENDLESS:
            assert main.commands[name].make_context(name, args).params
            continue
        result = run(command, *args)
        assert result.exit_code == 0, f"{example}\n{result.output}"


def test_the_examples_of_the_root_run(run: Any, bare: Path) -> None:
    for example in examples(help_of(run)):
        assert run(*shlex.split(example)[1:]).exit_code == 0


def test_defaults_in_the_help_of_query_are_the_requests_own() -> None:
    shown = {
        str(option.name): match[1]
        for option in main.commands["query"].params
        if isinstance(option, click.Option)
        and (match := re.search(r"\[default: ([\w. ]+)\]", option.help or ""))
    }
    assert shown.pop("weights") == "1 each"
    own = {name: QueryRequest.model_fields[name].default for name in shown}
    assert {name: str(default) for name, default in own.items()} == shown
    assert len(shown) == 10


def test_the_embedders_offered_are_those_that_have_a_name() -> None:
    for name in EMBEDDERS:
        assert resolve(name).identity.provider == name
    with pytest.raises(brainkit.BrainkitError, match=f"not one of {', '.join(EMBEDDERS)}"):
        resolve("none of them")


def test_help_and_completion_of_commands_load_no_heavy_library(tmp_path: Path) -> None:
    code = (
        "import sys\nfrom brainkit.cli import main\n"
        "main(['query', '--help'], standalone_mode=False)\n"
        "import json; print(json.dumps(sorted(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    loaded = {name.partition(".")[0] for name in json.loads(done.stdout.splitlines()[-1])}
    assert loaded & {"duckdb", "numpy", "pydantic", "rich", "tqdm", "onnxruntime"} == set()
    assert "click" in loaded


def test_version(run: Any) -> None:
    assert run("--version").stdout == f"brainkit, version {brainkit.__version__}\n"


def complete(run: Any, *words: str) -> list[str]:
    environment = {
        "_BRAINKIT_COMPLETE": "bash_complete",
        "COMP_WORDS": " ".join(("brainkit", *words)),
        "COMP_CWORD": str(len(words)),
    }
    result = run(prog_name="brainkit", env=environment)
    return [line.partition(",")[2] for line in result.stdout.splitlines() if line]


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("query", "--mode", ""), ["vector", "bm25", "hybrid", "graph", "multi"]),
        (("query", "--type", ""), ["doc", "code", "test"]),
        (("query", "--language", "pyth"), ["python"]),
        (("query", "--normalize", "m"), ["max", "minmax"]),
        (("query", "--filter-stage", ""), ["pre", "post"]),
        (("query", "--collapse", "o"), ["overlap"]),
        (("ingest", "--embedder", ""), ["local", "static", "openai"]),
        (("completion", "b"), ["bash"]),
        (("remove", ""), ["sample"]),
        (("remove", "--brain", "sample.brain", "s"), ["sample"]),
        (("remove", "--brain", "nowhere.brain", ""), []),
        (("inf",), ["info"]),
        (("query", "--exp"), ["--explain"]),
    ],
)
def test_completion_offers(
    words: tuple[str, ...], offered: list[str], run: Any, reading: Path
) -> None:
    assert complete(run, *words) == offered


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts_call_brainkit_and_say_how_to_keep_them(shell: str, run: Any) -> None:
    script = run("completion", shell).stdout
    assert f"_BRAINKIT_COMPLETE={shell}_complete" in script
    comment = script.split(f"# To have this in every new {shell}, ")[1]
    assert f"brainkit completion {shell}" in comment
    assert script.startswith("#compdef brainkit") == (shell == "zsh")
