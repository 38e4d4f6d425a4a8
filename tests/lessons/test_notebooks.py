"""Every lesson is run as shipped and with its solutions, and its text says what it computes.

One kernel runs a notebook twice, as shipped and then solved, without a network and with warnings as
errors; its report is then opened without a kernel. ``claims.tsv`` holds sentences of the lessons
with Python that has to give the same words.
"""

from __future__ import annotations

import ast
import csv
import importlib
import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbclient
import nbformat
import pytest
from click.testing import CliRunner

from brainkit.cli import main
from brainkit.kit import kit_folder
from brainkit.lessons import LESSONS
from brainkit.widgets.view import EVALUATION_TAG, LESSON_TAG, MIME

FOLDER = kit_folder("notebooks")
PATHS = {path.name[:2]: path for path in sorted(FOLDER.glob("*.ipynb")) if path.name[:2] in LESSONS}
SOLUTIONS = FOLDER / "solutions"
TIMEOUT_S = 300
CPU_S = 60  # 30 s on the two cores of a small machine
CODE_CELLS = 20
GUARD = """
import socket, time, warnings

here = ("127.0.0.1", "::1")

def only_here(connect):
    def guarded(self, address, *rest):
        far = self.family in (socket.AF_INET, socket.AF_INET6) and address[0] not in here
        if far:
            raise OSError(f"a lesson asked the network for {address}")
        return connect(self, address, *rest)
    return guarded

socket.socket.connect = only_here(socket.socket.connect)
socket.socket.connect_ex = only_here(socket.socket.connect_ex)
warnings.simplefilter("error")
began = time.process_time()
"""
# Given in the text rather than computed: settings, and the numbers of a worked problem.
GIVEN = {
    *("0.2", "0.25", "0.5", "0.7", "0.75", "0.8", "1.5", "2.5", "2.4", "3.11.2"),
    *("0.01", "0.02", "0.04"),  # 09: an interval, and a gain worth having
}
_EQUATION = re.compile(r"(?<![\w.])((?:[\d.]+|[()+*/-]| )+?[\d)]) = (\d+\.\d+)(?!\d|\.\d| [*/+])")
_DECIMAL = re.compile(r"(?<![\w.])\d+\.\d+(?:\.\d+)?")
# Every view of a report that shows something, and the first slider to be seen in each.
TAGS = f"[data-view], {LESSON_TAG}, {EVALUATION_TAG}"
VIEWS = f"[...document.querySelectorAll('{TAGS}')]"
SLIDER = (
    "[...one.shadowRoot.querySelectorAll('input[type=range], [role=slider]')]"
    ".find(slider => slider.checkVisibility())"
)
SEEN = "[...one.shadowRoot.querySelectorAll('.number, svg')].map(n => n.outerHTML).join()"
MOVABLE = f"{VIEWS}.map((one, n) => {SLIDER} ? n : -1).filter(n => n >= 0)"


def read(number: str) -> Any:
    return nbformat.read(PATHS[number], as_version=4)


def prose(number: str) -> str:
    """The text of a lesson as one string, its lines joined."""
    cells = [cell.source for cell in read(number).cells if cell.cell_type == "markdown"]
    return " ".join("\n".join(cells).split())


def equations(number: str) -> list[tuple[str, str]]:
    """Sides of each ``arithmetic = decimal`` in the text; those with letters in them are claims."""
    found = [(left.strip(), right) for left, right in _EQUATION.findall(prose(number))]
    return [
        (left, right)
        for left, right in found
        if left.count("(") == left.count(")") and left[0] not in "+*/)" and "=" not in left
    ]


def solutions(number: str) -> dict[str, str]:
    """Name -> the statements that give it its value, from the top of the file or the last name."""
    text = (SOLUTIONS / f"{number}.py").read_text("utf-8")
    found: dict[str, str] = {}
    before = ""
    for node in ast.parse(text).body:
        if not isinstance(node, ast.Assign):
            continue
        target = ast.unparse(node.targets[0])
        before += (ast.get_source_segment(text, node) or "") + "\n"
        if target.startswith(("answer_", "prediction")):
            found[target], before = before, ""
    return found


def claims() -> list[tuple[str, str, str]]:
    with (Path(__file__).parent / "claims.tsv").open(encoding="utf-8") as file:
        rows = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [(number, text, code) for number, text, code in rows]


@dataclass(frozen=True)
class Ran:
    """What the cells of a lesson put out, by id, and what its claims compute."""

    shipped: dict[str, str]
    solved: dict[str, str]
    computed: list[str]
    cpu_s: float
    notebook: Any


def said(cell: Any) -> str:
    return "\n".join(
        output.get("text") or output["data"].get("text/plain", "") for output in cell.outputs
    )


@pytest.fixture(scope="module")
def ran(request: pytest.FixtureRequest, lab: Path) -> Ran:
    number = request.param
    lesson, code = read(number), nbformat.v4.new_code_cell
    given = solutions(number)
    shipped = [cell for cell in lesson.cells if cell.cell_type == "code"]
    solved = [code(injected(cell.source, given), id=f"solved-{cell.id}") for cell in shipped]
    told = [code for of, _, code in claims() if of == number]
    end = code("import json\nprint(json.dumps([" + ", ".join(f"str({one})" for one in told) + "]))")
    clock = code("print(time.process_time() - began)")
    lesson.cells = [code(GUARD), *shipped, clock, *solved, end]
    nbclient.NotebookClient(
        lesson, timeout=TIMEOUT_S, resources={"metadata": {"path": str(lab)}}
    ).execute()
    return Ran(
        {cell.id: said(cell) for cell in shipped},
        {cell.id.removeprefix("solved-"): said(cell) for cell in solved},
        json.loads(said(end)),
        float(said(clock)),
        nbformat.from_dict({**read(number), "cells": executed(read(number), shipped)}),
    )


def executed(lesson: Any, code: list[Any]) -> list[Any]:
    """The cells of a lesson with the outputs that its code cells, by id, have now."""
    ran = {cell.id: cell for cell in code}
    return [ran.get(cell.id, cell) for cell in lesson.cells]


def injected(source: str, given: dict[str, str]) -> str:
    """Replace ``name = ...`` by the solution of that name."""
    for name, solution in given.items():
        source = re.sub(rf"^{name} = \.\.\..*$", lambda _, s=solution: s, source, flags=re.M)
    return source


every = pytest.mark.parametrize("number", LESSONS)
every_run = pytest.mark.parametrize("ran", LESSONS, indirect=True)


def test_every_lesson_that_is_checked_has_a_notebook_and_solutions() -> None:
    assert sorted(PATHS) == sorted(LESSONS)
    assert sorted(path.stem for path in SOLUTIONS.glob("*.py")) == sorted(LESSONS)


@every
def test_a_notebook_is_short_whole_and_holds_no_outputs(number: str) -> None:
    lesson = read(number)
    nbformat.validate(lesson)
    code = [cell for cell in lesson.cells if cell.cell_type == "code"]
    assert len(code) <= CODE_CELLS
    assert all(cell.outputs == [] and cell.execution_count is None for cell in code)
    assert not any(re.search(r"^[!%]|https?:|/home/|\\\\", cell.source, re.M) for cell in code)
    assert set(lesson.metadata) == {"kernelspec", "language_info"}


@every
def test_a_lesson_has_the_parts_that_every_lesson_has(number: str) -> None:
    text = prose(number)
    for part in ("**Claim.**", "Before: ", "Time: ", "## Predict first", "## Where it fails"):
        assert text.count(part) == 1, part
    assert text.count("## Exercises") == 1
    assert "## What to read next" in text
    assert 'sample_brain() # or: brain = brainkit.open("notes.brain")' in " ".join(
        " ".join(cell.source for cell in read(number).cells).split()
    )


@every
def test_every_exercise_is_asked_in_its_lesson_and_solved(number: str) -> None:
    module = importlib.import_module(f"brainkit.lessons.of_{number}")
    code = "\n".join(cell.source for cell in read(number).cells if cell.cell_type == "code")
    for exercise in module.EXERCISES:
        assert f"check.exercise_{exercise}(answer_{exercise}" in code
        assert f"answer_{exercise} = ..." in code
        assert f"**{exercise}.**" in prose(number)
        assert f"answer_{exercise}" in solutions(number)
    assert 2 <= len(module.EXERCISES) <= 4
    for prediction in module.PREDICTIONS:
        assert f'check.predict("{prediction}", ' in code


@every
def test_links_and_named_pages_exist(number: str) -> None:
    text = prose(number)
    links = re.findall(r"\]\(([^)#\s]+)\)", text)
    assert links
    assert [link for link in links if not (FOLDER / link).is_file()] == []
    named = re.findall(r"`(handbook/[\w./-]+)`", text)
    sample = kit_folder("data") / "sample"
    assert [name for name in named if not (sample / name).is_file()] == []


@every
def test_equations_in_the_text_are_true(number: str) -> None:
    for left, right in equations(number):
        digits = len(right.partition(".")[2])
        value = eval(compile(ast.parse(left, mode="eval"), "text", "eval"), {})
        # the left side shows rounded numbers: two units of the last place are theirs
        assert math.isclose(value, float(right), abs_tol=2.01 * 10**-digits), f"{left} = {right}"


@every
def test_every_decimal_in_the_text_is_given_or_checked(number: str) -> None:
    text = prose(number)
    checked = {d for of, words, _ in claims() if of == number for d in _DECIMAL.findall(words)}
    for left, right in equations(number):
        checked |= {*_DECIMAL.findall(left), right}
    assert set(_DECIMAL.findall(text)) - checked - GIVEN == set()


@pytest.mark.slow
@pytest.mark.timeout(2 * TIMEOUT_S)
class TestRun:
    """What the kernel says; the module-wide fixture runs each notebook once."""

    @every_run
    def test_as_shipped_nothing_is_answered_yet(self, ran: Ran) -> None:
        checks = list(exercises(ran.shipped))
        assert checks
        assert [text for text in checks if text != "not answered yet"] == []

    @every_run
    def test_with_the_solutions_every_checker_says_right(self, ran: Ran) -> None:
        assert [text for text in exercises(ran.solved) if not text.startswith("right: ")] == []
        guesses = [text for text in ran.solved.values() if "you said" in text]
        assert guesses
        assert all("and so it is" in text for text in guesses)

    @every_run
    def test_it_is_quick(self, ran: Ran) -> None:
        assert ran.cpu_s < CPU_S

    @every_run
    def test_its_claims_are_what_it_computes(
        self, ran: Ran, request: pytest.FixtureRequest
    ) -> None:
        number = request.node.callspec.params["ran"]
        text = prose(number)
        told = [words for of, words, _ in claims() if of == number]
        assert told
        assert ran.computed == told
        assert [words for words in told if " ".join(words.split()) not in text] == []

    @every_run
    def test_its_report_keeps_its_pictures_live(
        self, ran: Ran, lab: Path, page: Any, request: pytest.FixtureRequest
    ) -> None:
        number = request.node.callspec.params["ran"]
        file = lab / f"executed-{number}.ipynb"
        nbformat.write(ran.notebook, file)
        done = CliRunner().invoke(main, ["report", str(file), "--json"])
        assert done.exit_code == 0, done.output
        warnings = json.loads(done.stdout)["warnings"]
        assert ["password" in one for one in warnings] == [True] * (number == "10")
        views = sum(MIME in out.get("data", {}) for out in outputs(ran.notebook))
        page.resize(1000, 900)
        page.visit(file.with_suffix(".html").as_uri())
        page.wait("document.documentElement?.dataset.brainkit === '1'")
        assert page.value(f"{VIEWS}.length") == views > 0
        for n in range(views):
            page.value(f"{VIEWS}[{n}].scrollIntoView()")
            page.wait(f"{VIEWS}[{n}].shadowRoot?.childElementCount > 0")
        for n in page.value(MOVABLE):
            page.value(f"(one => {{ one.scrollIntoView(); {SLIDER}.focus(); }})({VIEWS}[{n}])")
            before = page.value(f"(one => {SEEN})({VIEWS}[{n}])")
            page.press("ArrowLeft", 37)
            page.wait(f"(one => {SEEN})({VIEWS}[{n}]) !== {json.dumps(before)}")


def outputs(notebook: Any) -> Iterator[Any]:
    return (out for cell in notebook.cells if cell.cell_type == "code" for out in cell.outputs)


def exercises(outputs: dict[str, str]) -> Iterator[str]:
    return (text for id_, text in outputs.items() if id_.startswith("exercise-"))
