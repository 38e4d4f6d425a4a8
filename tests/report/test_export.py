"""One exporter: from Python, from nbconvert, from the command line; its sizes and its validity."""

from __future__ import annotations

import json
import logging
import re
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from click.testing import CliRunner

import brainkit
from brainkit.cli import main
from brainkit.errors import InvalidReport, InvalidSetting, ReportFailed
from brainkit.report.export import report_html

PLOTLY = "application/vnd.plotly.v1+json"


@pytest.fixture
def book(make: ModuleType, tmp_path: Path) -> Path:
    """A notebook on disk that prints, and one of its cells is code."""
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    cells = ("# A book\n\nof words", make.code_cell(source="print(6 * 7)"))
    file = tmp_path / "book.ipynb"
    file.write_text(json.dumps(make.notebook(*cells, kernelspec=kernel)), "utf-8")
    return file


def test_it_is_written_beside_the_notebook_which_is_not_touched(book: Path) -> None:
    before = book.read_bytes()
    file = brainkit.export_html(book)
    page = file.read_text("utf-8")
    assert file == book.with_suffix(".html")
    assert page.startswith("<!doctype html>")
    assert "<title>A book</title>" in page
    assert page.count("<h1") == 1
    assert book.read_bytes() == before
    assert brainkit.export_html(book, title="Other").read_text("utf-8").count("<h1") == 2


def test_it_runs_first_if_asked_and_the_notebook_stays_as_it_is(book: Path) -> None:
    before = book.read_bytes()
    printed = '<pre class="output stdout">42\n</pre>'
    assert printed not in brainkit.export_html(book).read_text("utf-8")
    page = brainkit.export_html(book, execute=True).read_text("utf-8")
    assert printed in page
    assert book.read_bytes() == before


def test_a_failing_cell_is_told_and_no_report_is_written(make: ModuleType, tmp_path: Path) -> None:
    cells = ("# One\n\n## Where it fails", make.code_cell(source="a = 1\nraise KeyError('k')"))
    file = tmp_path / "bad.ipynb"
    file.write_text(json.dumps(make.notebook(*cells)), "utf-8")
    done = CliRunner().invoke(main, ["report", str(file), "--execute"])
    assert done.exit_code == 2
    assert "cell 1 of 1" in done.stderr
    assert "Cell 2 of 2 failed, under “Where it fails”, so no report was written:" in done.stderr
    assert "    raise KeyError('k')\nKeyError: 'k'" in done.stderr
    assert not file.with_suffix(".html").exists()


def test_a_cell_that_takes_too_long_is_told(make: ModuleType, tmp_path: Path) -> None:
    file = tmp_path / "slow.ipynb"
    cell = make.code_cell(source="import time; time.sleep(60)")
    file.write_text(json.dumps(make.notebook(cell)), "utf-8")
    with pytest.raises(ReportFailed, match="longer than 1 seconds, the time for one cell"):
        brainkit.export_html(file, execute=True, timeout_s=1)


def test_nbconvert_gives_the_same_file(book: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "nbconvert",
        "--to",
        "brainkit.report.exporter.BrainkitExporter",
    ]
    done = subprocess.run([*command, book], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    made = book.with_suffix(".html").read_bytes()
    assert made == brainkit.export_html(book).read_bytes()


def test_the_menu_finds_it_and_importing_it_loads_nothing_of_ours(repository: Path) -> None:
    named = re.search(r'^brainkit = "(brainkit\.report\.exporter:\w+)"', (
        repository / "pyproject.toml").read_text("utf-8"), re.M)  # fmt: skip
    assert named is not None
    installed = [one.value for one in entry_points(group="nbconvert.exporters", name="brainkit")]
    assert installed in ([], [named[1]])
    code = (
        "import sys; import brainkit.report.exporter as one\n"
        "heavy = {'numpy', 'duckdb', 'nh3', 'math_core', 'mdit_py_plugins', 'plotly'}\n"
        "assert not heavy & set(sys.modules), heavy & set(sys.modules)\n"
        "assert one.BrainkitExporter().export_from_notebook\n"
        "assert one.BrainkitExporter().file_extension == '.html'\n"
    )
    subprocess.run([sys.executable, "-c", code], cwd=repository, check=True)


def test_the_command_says_what_it_did(book: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.html"
    run = CliRunner(env={"COLUMNS": None})  # a pipe as wide as may be, so that no path is wrapped
    done = run.invoke(
        main, ["report", str(book), "-o", str(target), "--no-code", "--author", "Ada"]
    )
    assert done.exit_code == 0
    assert str(target) in done.stdout
    page = target.read_text("utf-8")
    assert '<p class="author">Ada</p>' in page
    assert "6 * 7" not in page
    done = run.invoke(main, ["report", str(book), "--json"])
    assert json.loads(done.stdout)["warnings"] == []
    assert run.invoke(main, ["report", str(book), "--timeout", "5"]).exit_code == 2


def test_a_secret_is_warned_of(
    make: ModuleType, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "s.ipynb"
    source = "password = 'q8Zr" + "4mT1xKc7Vb2N'"
    file.write_text(json.dumps(make.notebook(make.code_cell(source=source))), "utf-8")
    with caplog.at_level(logging.WARNING):
        page = brainkit.export_html(file).read_text("utf-8")
    assert "4mT1xKc7Vb2N" not in page
    assert caplog.messages == ["s.html: password or token taken out of cell 1"]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.ipynb", "{", "is no notebook"),
        ("a.ipynb", "[]", "is no notebook"),
        ("missing.ipynb", None, "cannot be read"),
    ],
)
def test_what_is_no_notebook_is_refused(
    name: str, content: str | None, message: str, tmp_path: Path
) -> None:
    if content is not None:
        (tmp_path / name).write_text(content, "utf-8")
    with pytest.raises(InvalidReport, match=message):
        brainkit.export_html(tmp_path / name)


def test_mistakes_are_named(book: Path, sample: brainkit.Brain, tmp_path: Path) -> None:
    with pytest.raises(InvalidSetting, match="is not one of show, fold, hide"):
        brainkit.export_html(book, code="off")  # type: ignore[arg-type]
    with pytest.raises(InvalidSetting, match="is the notebook itself"):
        brainkit.export_html(book, book)
    with pytest.raises(InvalidSetting, match="is a folder"):
        brainkit.export_html(book, tmp_path)
    with pytest.raises(InvalidReport, match="is a int; give answers"):
        sample.report([3], tmp_path / "r.html")
    with pytest.raises(InvalidReport, match="give a list"):
        sample.report([], tmp_path / "r.html")
    assert not (tmp_path / "r.html").exists()


def test_old_notebooks_are_read(tmp_path: Path) -> None:
    cells = [{"cell_type": "heading", "level": 1, "source": ["Old"], "metadata": {}},
             {"cell_type": "code", "input": ["1"], "language": "python", "metadata": {},
              "outputs": [{"output_type": "pyout", "text": ["one"], "metadata": {},
                           "prompt_number": 1}]}]  # fmt: skip
    old = {"metadata": {"name": ""}, "nbformat": 3, "nbformat_minor": 0,
           "worksheets": [{"cells": cells, "metadata": {}}]}  # fmt: skip
    file = tmp_path / "old.ipynb"
    file.write_text(json.dumps(old), "utf-8")
    page = brainkit.export_html(file).read_text("utf-8")
    assert '<h1 id="Old">Old</h1>' in page
    assert "one</pre>" in page


def test_a_hundred_answers_fit_and_are_drawn(
    sample: brainkit.Brain, make: ModuleType, page: Any, tmp_path: Path
) -> None:
    """Up to 3 x 200 candidates each; how fast they are is measured by ``tests/bench/report.py``."""
    words = (
        "session",
        "key",
        "token",
        "score",
        "query",
        "chunk",
        "vector",
        "entity",
        "isbn",
        "log",
    )
    cells = [
        make.code_cell(
            make.shown(sample.query(f"how is a {a} of the {b}", depth=200, trace="full"))
        )
        for a in words
        for b in words
    ]
    html, _ = report_html(make.notebook("# Many", *cells))
    assert len(html.encode()) < 15_000_000
    file = tmp_path / "many.html"
    file.write_text(html, "utf-8")
    page.open(file)
    page.wait("document.querySelector('[data-view]').shadowRoot?.childElementCount > 0")
    assert page.value("document.querySelectorAll('[data-view]').length") == 100


def test_the_author_stands_under_the_title(make: ModuleType, book: Path) -> None:
    by = '<p class="author">Ada</p>'
    page = brainkit.export_html(book, author="Ada").read_text("utf-8")
    assert re.search(rf'<h1 id="A-book">A book</h1>\n?<header>{by}', page)
    page = brainkit.export_html(book, author="Ada", title="Other").read_text("utf-8")
    assert f"<header><h1>Other</h1>{by}" in page
    page, _ = report_html(make.notebook("no heading"), author="Ada", otherwise="name")
    assert f"<header><h1>name</h1>{by}" in page


def test_the_html_is_valid(sample: brainkit.Brain, make: ModuleType) -> None:
    html5lib = pytest.importorskip("html5lib", reason="a development tool")
    answer = sample.query("how are sessions signed", trace="full")
    chart = {"data": [{"y": [1]}], "layout": {}}
    for title in ("", "Another"):
        page, _ = report_html(
            make.notebook(
                "# A\n\n## B[^1]\n\n### C\n\n#### D\n\n## E $x$\n\n| a |\n|--|\n| b |\n\n[^1]: n",
                make.code_cell(
                    make.shown(answer),
                    make.displayed({PLOTLY: chart}),
                    make.displayed({"text/html": "<p><div><table><td>x</p><li>y"}),
                    source="a = '<b>'",
                ),
            ),
            title=title,
            author="Ada <a@example.org>",
        )
        parser = html5lib.HTMLParser(strict=True)
        parser.parse(page)
        ids = re.findall(r'\sid="([^"]*)"', page.partition("<script")[0])
        assert len(ids) == len(set(ids))
