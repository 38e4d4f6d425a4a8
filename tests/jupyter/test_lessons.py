"""Every lesson run in JupyterLab: its views are drawn, and move under the keyboard."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from brainkit.kit import kit_folder

LESSONS = sorted(path.name for path in kit_folder("notebooks").glob("*.ipynb"))
LESSON_S = 120.0
KEYS = {"ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}
PRESSES = 5
# JupyterLab's debugger and widget manager ask for what has ended with the notebook that was closed
# before; where a widget is missing in the notebook that is open, its view is not drawn.
LABS_OWN = ("Could not restore the debugger state", "widget model not found")
RUN = (
    "window.ran = false;"
    "app.commands.execute('notebook:run-all-cells').then(() => { window.ran = true; });"
)
CODE = "panel.content.widgets.filter(cell => cell.model.type === 'code')"
NOT_RUN = f"return {CODE}.filter(c => c.model.executionCount === null).map(c => c.model.id)"
ERRORS = (
    f"return {CODE}.flatMap(cell => cell.model.outputs.toJSON())"
    ".filter(output => output.output_type === 'error').map(output => output.evalue)"
)
LIVE = (
    "return panel.content.widgets.map(cell => cell.model.type !== 'code' ? 0 :"
    " cell.model.outputs.toJSON().filter(output =>"
    " 'application/vnd.brainkit.view+json' in (output.data ?? {})).length)"
)
# A slider to be seen; where there is none, how many of several results are shown, or which tab is.
CONTROL = (
    "['input[type=range], [role=slider]', '.brainkit:has(.row + .row) [aria-label=top_k]',"
    " '[role=tab][tabindex=\"0\"]']"
    ".flatMap(kind => [...root.querySelectorAll(kind)]).find(one => one.checkVisibility())"
)
# Not the control itself, whose knob and value move with it anyway.
SEEN = (
    "[...root.querySelectorAll('.number, [role=tabpanel]')].map(n => n.textContent).join()"
    " + [...root.querySelectorAll('svg')].map(n => n.outerHTML).join()"
)


@pytest.fixture(scope="module", params=LESSONS)
def lesson(request: pytest.FixtureRequest, lab: Any) -> Iterator[Any]:
    """A lesson as it is shipped, with every cell run; nothing in the page went wrong meanwhile."""
    before = len(lab.page.errors)
    opened = lab.open(request.param)
    opened.do(RUN)
    lab.page.wait("window.ran", timeout_s=LESSON_S)
    yield opened
    errors = lab.page.errors[before:]
    opened.close()
    assert [error for error in errors if not any(own in error for own in LABS_OWN)] == []


@pytest.mark.slow
@pytest.mark.timeout(2 * LESSON_S)
class TestLesson:
    """One page and one server for all; each lesson has a kernel of its own."""

    def test_every_cell_runs(self, lesson: Any) -> None:
        assert lesson.do(ERRORS) == []
        assert lesson.do(NOT_RUN) == []

    def test_every_view_is_drawn_and_moves_under_the_keyboard(self, lesson: Any) -> None:
        live = [(cell, nth) for cell, count in enumerate(lesson.do(LIVE)) for nth in range(count)]
        assert live
        for cell, nth in live:
            view = lesson.view(cell=cell, nth=nth)
            view.do("for (let n = 0; n < 2; n++) await new Promise(requestAnimationFrame)")
            if view.do("return root.querySelector('.results:empty') !== null"):
                continue  # nothing was found, and it says why
            assert moves(view, lesson), f"cell {cell}: {view.text('*')}"


def moves(view: Any, lesson: Any) -> bool:
    """Press a key until what is seen changes: three results are not fewer with top_k 4."""
    key = view.do(
        f"const one = {CONTROL}; one?.focus(); window.seen = {SEEN};"
        "if (one === undefined) return null;"
        "if (one.role === 'tab') return 'ArrowRight';"
        "return one.value === one.min ? 'ArrowUp' : 'ArrowDown';"
    )
    for _ in range(PRESSES if key else 0):
        lesson.page.press(key, KEYS[key])
        view.do("await new Promise(requestAnimationFrame)")
        if view.do(f"return {SEEN} !== window.seen"):
            return True
    return key is None and view.do("return root.querySelector('svg, button') !== null")
