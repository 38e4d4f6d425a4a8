"""The magics in a real IPython shell: asking, completing, mistakes in one line, unloading."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from IPython.core.completer import provisionalcompleter
from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell
from IPython.testing.globalipapp import get_ipython, start_ipython

import brainkit

NOTES = {
    "tea.md": "# Tea\n\nGreen tea wants water at 80 degrees.\n",
    "coffee.md": "# Coffee\n\nA coarse grind suits the French press. What's new: a finer one.\n",
}


@pytest.fixture(scope="module")
def ipython() -> InteractiveShell:
    """The one shell of this process."""
    return start_ipython() or get_ipython()


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of notes, and a brain of them."""
    folder = tmp_path_factory.mktemp("magics")
    (folder / "notes").mkdir()
    for name, text in NOTES.items():
        (folder / "notes" / name).write_text(text, "utf-8")
    with brainkit.open(folder / "notes.brain", embedder="static") as brain:
        brain.ingest(folder / "notes", progress=False)
    return folder


@pytest.fixture
def shell(
    ipython: InteractiveShell, filled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[InteractiveShell]:
    """A shell with the extension, in a folder with notes/ and notes.brain."""
    shutil.copytree(filled, tmp_path / "here")
    monkeypatch.chdir(tmp_path / "here")
    ipython.extension_manager.load_extension("brainkit")
    yield ipython
    ipython.extension_manager.unload_extension("brainkit")
    brains = {n: one for n, one in ipython.user_ns.items() if isinstance(one, brainkit.Brain)}
    for name, brain in brains.items():
        brain.close()
        del ipython.user_ns[name]


@pytest.fixture
def opened(shell: InteractiveShell) -> InteractiveShell:
    """The same with ``%brain open notes.brain``."""
    shell.run_line_magic("brain", "open notes.brain")
    return shell


def complete(shell: InteractiveShell, line: str) -> list[str]:
    """What Tab offers at the end of a line."""
    with provisionalcompleter():
        return [one.text for one in shell.Completer.completions(line, len(line))]


def refused(run: Callable[..., Any], *words: str) -> str:
    """The one line that a mistake becomes."""
    with pytest.raises(UsageError) as caught:
        run(*words)
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_a_brain_is_opened_filled_and_asked(shell: InteractiveShell) -> None:
    brain = shell.run_line_magic("brain", 'open new.brain --embedder static --into "mine"')
    assert shell.user_ns["mine"] is brain
    assert shell.run_line_magic("brain", "plan notes").dry_run
    report = shell.run_line_magic("brain", "ingest notes --exclude coffee*")
    assert [file.source for file in report.files if file.chunks] == ["notes/tea.md"]
    answer = shell.run_cell_magic("ask", "--mode bm25 --top-k 1", "how hot\nfor green tea\n")
    assert [result.source for result in answer.results] == ["notes/tea.md"]
    assert answer.request.query == "how hot\nfor green tea"
    assert shell.run_line_magic("brain", "") is brain
    shell.run_line_magic("brain", "close")
    with pytest.raises(brainkit.BrainkitError, match="closed"):
        brain.info()


def test_every_setting_reaches_the_request(opened: InteractiveShell) -> None:
    options = (
        "--mode multi --alpha .3 --top-k 2 --depth 9 --rrf-k 7 --normalize minmax"
        " --similarity-threshold .1 --filter-stage post --collapse source --traversal-depth 1"
        " --source-types doc code --file-paths **/*.md --full --into found"
    )
    answer = opened.run_cell_magic("ask", options, "coffee")
    request = answer.request
    assert opened.user_ns["found"] is answer
    assert (request.mode.value, request.alpha, request.top_k, request.depth) == ("multi", 0.3, 2, 9)
    assert (request.rrf_k, request.normalize, request.collapse) == (7, "minmax", "source")
    assert (request.source_types, request.file_paths) == (("doc", "code"), ("**/*.md",))
    assert answer.refuse(mode="hybrid").results  # --full kept what that needs


@pytest.mark.parametrize(
    ("line", "query", "mode"),
    [
        ("green tea", "green tea", "hybrid"),
        ("--mode bm25 what's new", "what's new", "bm25"),
        ("--source-types doc -- --mode", "--mode", "hybrid"),
        ('--mode vector "French press"', '"French press"', "vector"),
    ],
)
def test_a_line_is_options_and_then_the_question_as_written(
    line: str, query: str, mode: str, opened: InteractiveShell
) -> None:
    request = opened.run_line_magic("ask", line).request
    assert (request.query, request.mode.value) == (query, mode)


def test_the_only_brain_of_a_notebook_needs_no_opening(shell: InteractiveShell) -> None:
    assert "no brain is open" in refused(shell.run_line_magic, "ask", "tea")
    shell.run_cell("import brainkit; mine = brainkit.open('notes.brain')")
    assert len(shell.run_line_magic("ask", "tea")) > 0
    shell.run_cell("other = brainkit.open('other.brain', embedder='static')")
    assert "say which" in refused(shell.run_line_magic, "ask", "tea")


def test_info_check_and_the_explorer(opened: InteractiveShell) -> None:
    assert opened.run_line_magic("brain", "info").counts["sources"] == 2
    assert opened.run_line_magic("brain", "check")
    explorer = opened.run_line_magic("brain", "explore green tea")
    assert explorer.request.query == "green tea"
    explorer.close()


@pytest.mark.parametrize(
    ("magic", "line", "told"),
    [
        ("ask", "--mode hybird tea", "'hybird'"),
        ("ask", "--alpha 7 tea", "alpha"),
        ("ask", "--top-k many tea", "'many'"),
        ("ask", "--nonsense tea", "--nonsense"),
        ("ask", "", "query"),
        ("ask", "--into 1st tea", "'1st'"),
        ("ask", "--into class tea", "'class'"),
        ("ask", "--source-types dco -- tea", "'dco'"),
        ("brain", "opne notes.brain", "'opne'"),
        ("brain", "ingest nowhere", "nowhere"),
        ("brain", "open", "path"),
        ("brain", "open other.brain --embedder none", "none"),
    ],
)
def test_a_mistake_is_one_line(magic: str, line: str, told: str, opened: InteractiveShell) -> None:
    assert told in refused(opened.run_line_magic, magic, line)


@pytest.mark.parametrize("name", ["1st", "class", "a.b", "None"])
def test_a_name_that_cannot_be_is_refused_before_anything_is_done(
    name: str, opened: InteractiveShell
) -> None:
    """A brain that was opened all the same would be held by nobody, and locked."""
    brain = opened.run_line_magic("brain", "")
    assert name in refused(opened.run_line_magic, "brain", f"open new.brain --into {name}")
    assert not Path("new.brain").exists()
    assert opened.run_line_magic("brain", "") is brain
    # Without a check beforehand the question would be asked, and this one cannot be.
    assert name in refused(opened.run_line_magic, "ask", f"--top-k 999 --into {name} tea")


def test_help_lists_every_verb_and_option(
    opened: InteractiveShell, capsys: pytest.CaptureFixture[str]
) -> None:
    assert opened.run_line_magic("brain", "--help") is None
    verbs = capsys.readouterr().out
    assert all(verb in verbs for verb in complete(opened, "%brain "))
    assert opened.run_cell_magic("ask", "--help", "ignored") is None
    options = capsys.readouterr().out
    assert all(option in options for option in complete(opened, "%%ask "))
    assert opened.run_line_magic("brain", "open --help") is None
    assert "--into" in capsys.readouterr().out
    assert "%%ask --mode" in opened.find_line_magic("ask").__doc__


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("%brain ", ["open", "plan", "ingest", "info", "check", "explore", "close"]),
        ("%brain in", ["ingest", "info"]),
        ("%brain open no", ["notes", "notes.brain"]),
        ("%brain ingest ./no", ["./notes", "./notes.brain"]),
        ("%%ask --mode ", ["vector", "bm25", "hybrid", "graph", "multi"]),
        ("%ask --normalize m", ["max", "minmax"]),
        ("%%ask --al", ["--alpha"]),
        ("%ask --mode bm25 --t", ["--top-k", "--traversal-depth"]),
    ],
)
def test_completion_offers(line: str, offered: list[str], opened: InteractiveShell) -> None:
    assert sorted(complete(opened, line)) == sorted(offered)


def test_unloading_takes_everything_away_and_leaves_brains_open(ipython: InteractiveShell) -> None:
    ipython.extension_manager.load_extension("brainkit")
    ipython.extension_manager.unload_extension("brainkit")
    assert ipython.find_line_magic("brain") is None
    assert ipython.find_cell_magic("ask") is None
    assert "--alpha" not in complete(ipython, "%%ask --al")


def test_reranking_is_asked_for_in_the_line(opened: InteractiveShell) -> None:
    plain = opened.run_line_magic("ask", "--mode bm25 green tea")
    assert plain.request.rerank is False
    answer = opened.run_line_magic("ask", "--mode bm25 --rerank --rerank-depth 1 green tea")
    assert (answer.request.rerank, answer.request.rerank_depth) == (True, 1)
    assert answer.results[0].rerank_score is not None
