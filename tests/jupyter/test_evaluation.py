"""Evaluations in JupyterLab: live in a cell, by its keys, and again without a kernel."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

EVALUATION, SWEEP = 1, 2
CELLS = {
    EVALUATION: (
        "from brainkit.kit import kit_folder\n"
        "questions = brainkit.load_dataset(kit_folder('data') / 'sample-questions')\n"
        "found = brainkit.evaluate(brain, questions, [{'mode': 'bm25'}, {'mode': 'vector'}],"
        " progress=False)\nfound"
    ),
    SWEEP: "brainkit.sweep(brain, questions, 'normalize', progress=False)",
}


@pytest.fixture(scope="module")
def held(notebook: Any) -> Any:
    """What Python says, while there was a kernel; the notebook is saved."""
    for cell, code in CELLS.items():
        notebook.show(code, cell=cell)
    return notebook.python("list(found.compare()[0].tally)")


def test_arrow_keys_go_to_the_bars_and_not_to_the_cells(held: list[int], notebook: Any) -> None:
    live = notebook.view(cell=EVALUATION)
    live.tab("Query by query")
    assert live.texts(".count b") == [str(count) for count in held]
    live.wait("root.querySelector('rect')")
    live.do("root.querySelector('rect[tabindex=\"0\"]').focus()")
    notebook.page.press("Home", 36)
    notebook.page.press("ArrowRight", 39)
    notebook.page.press("ArrowRight", 39)
    assert "Query 3 of 64" in live.text(".of-query .hint")
    live = notebook.view(cell=SWEEP)
    live.wait("root.querySelector('[role=slider]')")
    live.do("root.querySelector('[role=slider]').focus()")
    notebook.page.press("Home", 36)
    notebook.page.press("ArrowDown", 40)
    assert live.text(".readout b") == "max"
    notebook.page.press("ArrowUp", 38)
    assert live.text(".readout b") == "minmax"


def test_a_reopened_notebook_is_live_and_an_untrusted_one_shows_tables(
    held: list[int], notebook: Any, folder: Path
) -> None:
    notebook.save()
    notebook.close()
    notebook.lab.start().close()
    reopened = notebook.lab.open(notebook.path, kernel=False)
    live = reopened.view(cell=EVALUATION)
    live.tab("Query by query")
    assert live.texts(".count b") == [str(count) for count in held]
    assert "held-out" in reopened.view(cell=SWEEP).text(".verdict")
    theirs = json.loads((folder / reopened.path).read_text("utf-8"))
    theirs["metadata"]["from"] = "someone else"
    (folder / "theirs-evaluated.ipynb").write_text(json.dumps(theirs), "utf-8")
    untrusted = reopened.lab.open("theirs-evaluated.ipynb", kernel=False)
    said = untrusted.do(
        "return panel.content.widgets[args[0]].node.querySelector('.jp-OutputArea').innerText",
        EVALUATION,
    )
    assert "win/tie/loss" in said
    assert "/".join(map(str, held)) in said
