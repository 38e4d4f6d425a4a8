"""A browser, a brain and notebooks for the tests of reports."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import brainkit
from brainkit.report.export import report_html
from brainkit.widgets.view import mimebundle


@pytest.fixture(scope="session")
def chromium(start_chromium: Callable[[], Any]) -> Iterator[Any]:
    """A headless Chromium with an empty profile and no network; skips where there is none."""
    with start_chromium() as browser:
        yield browser


@pytest.fixture(scope="session")
def live(load: Callable[[str], ModuleType]) -> Callable[[Any, int], Any]:
    """The n-th view of a report, from 1, as a hand moves it."""
    module = load("widgets/live.py")

    def view(tab: Any, number: int = 1) -> Any:
        root = f"document.querySelector('[data-view=\"{number}\"]').shadowRoot"
        tab.value(f"document.querySelector('[data-view=\"{number}\"]').scrollIntoView()")
        tab.wait(f"{root}?.childElementCount > 0")
        return module.LiveView(tab, root=root)

    return view


@pytest.fixture(scope="session")
def sample(
    tmp_path_factory: pytest.TempPathFactory, repository: Path, word_vectors: Any
) -> Iterator[brainkit.Brain]:
    """A brain of the sample folder."""
    folder = tmp_path_factory.mktemp("sample") / "sample.brain"
    with brainkit.open(folder, embedder=word_vectors) as brain:
        brain.ingest(repository / "data" / "sample", progress=False)
        yield brain


def code_cell(*outputs: Mapping[str, Any], source: str = "x", **metadata: Any) -> dict[str, Any]:
    """A cell that was run and put these out."""
    return {
        "cell_type": "code", "source": source, "metadata": metadata, "execution_count": 1,
        "outputs": list(outputs),
    }  # fmt: skip


def shown(drawn: Any) -> dict[str, Any]:
    """What a notebook holds of an answer, a comparison or a map."""
    return displayed(mimebundle(drawn.view(), plain=repr(drawn)))


def displayed(data: Mapping[str, Any]) -> dict[str, Any]:
    """What a notebook holds of something that has these forms."""
    return {"output_type": "display_data", "data": dict(data), "metadata": {}}


def notebook(*cells: Mapping[str, Any] | str, **metadata: Any) -> dict[str, Any]:
    """A notebook of these cells; a text is a cell of Markdown."""
    made = [
        {"cell_type": "markdown", "source": one, "metadata": {}} if isinstance(one, str) else one
        for one in cells
    ]
    return {"cells": made, "metadata": metadata, "nbformat": 4, "nbformat_minor": 4}


@pytest.fixture
def make() -> ModuleType:
    """``notebook``, ``code_cell``, ``shown`` and ``displayed``."""
    module = ModuleType("make")
    module.__dict__.update(notebook=notebook, code_cell=code_cell, shown=shown, displayed=displayed)
    return module


@pytest.fixture
def opened(page: Any, tmp_path: Path) -> Callable[..., Any]:
    """Open the report of cells in the browser, and wait until its module has run."""

    def show(*cells: Any, hash: str = "", **options: Any) -> Any:
        file = tmp_path / "report.html"
        html, _ = report_html(notebook(*cells), **options)
        file.write_text(html, "utf-8")
        return visit(page, file, hash)

    return show


def visit(tab: Any, file: Path, hash: str = "") -> Any:
    tab.resize(1300, 900)
    tab.visit(file.as_uri() + hash)
    tab.wait("document.documentElement?.dataset.brainkit === '1'")
    return tab
