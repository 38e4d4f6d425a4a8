"""`brainkit lab` from its first moment: the lesson is open, asks nothing, runs, and looks right."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

PREDICTION = 1  # the cell that only names something
RUN = "return await app.commands.execute('notebook:run-all-cells')"
ASKED = "document.querySelector('.jp-Dialog, .Toastify__toast')"
CODE = "[...panel.content.widgets].filter(c => c.model.type === 'code')"
OUTPUTS = f"{CODE}.map(c => c.model.outputs.toJSON())"
SHADES = """
const rgb = text => text.match(/[\\d.]+/g).slice(0, 3).map(Number);
const light = text => rgb(text).reduce((sum, c) => sum + c, 0) / 765;
const style = getComputedStyle(root.querySelector('.brainkit'));
return [light(style.backgroundColor), light(style.color)];
"""


@pytest.fixture(scope="module")
def lesson(lab: Any) -> Iterator[Any]:
    """The notebook that is open when the page is."""
    opened = lab.start()
    yield opened
    opened.close()


@pytest.fixture
def dark(lab: Any) -> Iterator[None]:
    """JupyterLab's dark theme, until the test is over."""
    lab.theme("JupyterLab Dark")
    yield
    lab.theme("JupyterLab Light")


def test_the_first_lesson_is_open_and_nothing_is_asked(lesson: Any) -> None:
    assert lesson.path == "00_start_here.ipynb"
    assert lesson.page.value(ASKED) is None
    fetched = "await app.serviceManager.settings.fetch(args[0])"
    plugin = "@jupyterlab/apputils-extension:notification"
    default = "schema.properties[name].default"
    body = f"const {{schema}} = {fetched}; return args[1].map(name => {default})"
    assert lesson.do(body, plugin, ["fetchNews", "checkForUpdates"]) == ["false", False]


def test_every_cell_of_the_first_lesson_runs_and_draws(lesson: Any) -> None:
    lesson.do(RUN)
    outputs = lesson.do(f"return {OUTPUTS}")
    assert [one for cell in outputs for one in cell if one["output_type"] == "error"] == []
    assert [n for n, cell in enumerate(outputs) if not cell] == [PREDICTION]
    drawn = "[...panel.content.node.querySelectorAll('brainkit-view-1')].length"
    assert lesson.do(f"return {drawn}") >= 4
    assert lesson.page.value(ASKED) is None


@pytest.mark.usefixtures("dark")
def test_the_explorer_is_dark_in_a_dark_theme_and_light_again_in_a_light_one(
    lab: Any, notebook: Any
) -> None:
    live = notebook.show("explorer = brain.explore('how are sessions signed')\nexplorer")
    live.wait("root.querySelector('.row')")
    ground, ink = live.do(SHADES)
    assert (ground < 0.2, ink > 0.8) == (True, True)
    lab.theme("JupyterLab Light")
    ground, ink = live.do(SHADES)
    assert (ground > 0.8, ink < 0.2) == (True, True)
