"""Evaluations in one file: as a page, beside answers in a report, and from a notebook."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import brainkit
from brainkit.report.export import report_html
from brainkit.widgets.view import evaluation_source, mimebundle

EVERY = "[...document.querySelectorAll('brainkit-evaluation-1')]"


@pytest.fixture(scope="module")
def questions(repository: Path) -> Any:
    return brainkit.load_dataset(repository / "data" / "sample-questions")


@pytest.fixture(scope="module")
def found(sample: brainkit.Brain, questions: Any) -> Any:
    return brainkit.evaluate(sample, questions, [{"mode": "bm25"}, {}], progress=False)


@pytest.fixture(scope="module")
def swept(sample: brainkit.Brain, questions: Any) -> Any:
    return brainkit.sweep(sample, questions, "normalize", progress=False)


def opened(page: Any, file: Path, count: int) -> None:
    page.open(file)
    page.wait(f"{EVERY}.filter(v => v.shadowRoot?.childElementCount).length === {count}")
    assert page.errors == []


def test_an_evaluation_is_a_page_of_its_own(
    found: Any, page: Any, tmp_path: Path, support: Callable[[str], ModuleType]
) -> None:
    file = found.save_html(tmp_path / "evaluation.html")
    opened(page, file, 1)
    live = support("live").LiveView(page, root=f"{EVERY}[0].shadowRoot")
    live.tab("Query by query")
    assert live.texts(".count b") == [str(count) for count in found.compare()[0].tally]
    assert page.value("document.querySelector('h1').className") == "unseen"
    assert "none" in file.read_text("utf-8").partition("default-src")[2][:10]


def test_one_report_holds_answers_evaluations_and_sweeps_live(
    sample: brainkit.Brain, found: Any, swept: Any, page: Any, tmp_path: Path
) -> None:
    query = "how are sessions signed"
    items = [
        "# What is best?", sample.query(query, trace="full"), found,
        sample.compare(query, a={"mode": "bm25"}, b={}), swept, found,
    ]  # fmt: skip
    file = sample.report(items, tmp_path / "report.html", title="What is best?")
    text = file.read_text("utf-8")
    assert text.count(evaluation_source()) == 1
    assert len(re.findall("'sha256-", text.partition("style-src")[0])) == 2
    opened(page, file, 3)
    page.value("document.querySelectorAll('[data-view]').forEach(v => v.scrollIntoView())")
    page.wait("document.querySelector('[data-view=\"1\"]').shadowRoot?.childElementCount > 0")
    again = sample.report(items, tmp_path / "again.html", title="What is best?")
    assert again.read_bytes() == file.read_bytes()


def test_a_report_without_evaluations_has_no_module_for_them(
    sample: brainkit.Brain, tmp_path: Path
) -> None:
    file = sample.report([sample.query("sessions")], tmp_path / "report.html", title="x")
    assert evaluation_source()[:90] not in file.read_text("utf-8")


def test_a_notebook_with_an_evaluation_exports_live(
    found: Any, swept: Any, page: Any, tmp_path: Path
) -> None:
    outputs = [
        {"output_type": "display_data", "metadata": {}, "data": mimebundle(one.view(), plain="x")}
        for one in (found, swept)
    ]
    cell = {
        "cell_type": "code", "source": "found", "metadata": {}, "execution_count": 1,
        "outputs": outputs,
    }  # fmt: skip
    notebook = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 4}
    html, warnings = report_html(notebook)
    assert warnings == []
    assert html.count(evaluation_source()) == 1
    file = tmp_path / "notebook.html"
    file.write_text(html, "utf-8")
    opened(page, file, 2)


def test_secrets_are_taken_out_of_evaluations(measured: ModuleType, tmp_path: Path) -> None:
    key = "AKIA" + "2E4T7QX9LZB5RW3M"
    one = measured.evaluation(
        {"A": {"q": [f"conf/{key}.md"]}}, {"q": {"d": 1}}, texts={"q": f"what is {key}"}
    )
    text = one.save_html(tmp_path / "evaluation.html").read_text("utf-8")
    assert key not in text
    assert "what is ••••" in text


@pytest.fixture(scope="session")
def measured(support: Callable[[str], ModuleType]) -> ModuleType:
    return support("measured")
