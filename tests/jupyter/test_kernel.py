"""What a kernel does to live views: it fails, is busy, restarts, runs a cell again and again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

QUESTION = "how are sessions signed"
PLACES = "[f'{r.source}:{r.start_line}-{r.end_line}' for r in %s.results]"
MODELS = "len(__import__('ipywidgets').Widget.widgets)"
RERUNS = 50


@pytest.fixture
def again(notebook: Any) -> Iterator[None]:
    """The brain is open again after a test that closed it."""
    yield
    notebook.run('brain = brainkit.open("sample.brain")', cell=0)


@pytest.mark.usefixtures("again")
def test_an_error_of_the_kernel_is_shown_in_the_view_and_the_view_lives_on(notebook: Any) -> None:
    live = notebook.show(f"explorer = brain.explore({QUESTION!r})\nexplorer")
    live.wait("root.querySelector('.row')")
    notebook.run("brain.close()", cell=2)
    live.do("root.querySelector('[type=search]').value = 'normalize isbn'")
    live.click("[type=submit]")
    live.wait("root.querySelector('.error')")
    assert "closed" in live.text(".error")
    assert notebook.python("explorer.error") in live.text(".error")
    live.set("alpha", 0.2)  # what the trace holds needs no brain
    notebook.wait_python("explorer.alpha", 0.2)
    assert len(live.texts(".place")) == 5
    assert live.text(".error") is None


def test_a_question_is_answered_while_a_cell_runs(notebook: Any) -> None:
    live = notebook.show(f"explorer = brain.explore({QUESTION!r})\nexplorer")
    live.wait("root.querySelector('.row')")
    notebook.start(
        "import threading\n"
        "answered = threading.Event()\n"
        "explorer.observe(lambda _: answered.set(), 'answer')\n"
        "print('waiting', flush=True)\n"
        "answered.wait(50)",
        cell=2,
    )
    cell = "window.panels['test_kernel.ipynb'].content.widgets[2].node"
    notebook.lab.wait(f"{cell}.innerText.includes('waiting\\n')")
    live.do("root.querySelector('[type=search]').value = 'normalize isbn'")
    live.click("[type=submit]")
    live.wait("root.querySelector('.busy').textContent === ''")
    notebook.finish()
    assert notebook.text(cell=2).strip().endswith("True")  # what the event says: set during the run
    assert notebook.python("explorer.answer.request.query") == "normalize isbn"
    assert len(live.texts(".place")) == len(notebook.python(PLACES % "explorer.answer"))


def test_running_a_cell_again_leaves_as_many_models_and_nodes_as_once(notebook: Any) -> None:
    code = f"explorer = brain.explore({QUESTION!r})\nexplorer"
    notebook.run("None", cell=2)
    notebook.show(code).wait("root.querySelector('.row')")
    before = notebook.python(MODELS)
    kept = "return panel.sessionContext.session.kernel._comms.size"
    comms = notebook.do(kept)
    for _ in range(3):  # the page settles: fonts, the first windowed cells
        notebook.show(code).wait("root.querySelector('.row')")
    nodes = notebook.page.counted()["nodes"]
    for _ in range(RERUNS):
        notebook.run(code)
    notebook.view().wait("root.querySelector('.row')")
    assert notebook.python(MODELS) == before
    assert notebook.do(kept) == comms
    assert notebook.page.counted()["nodes"] < nodes * 1.1
    area = "panel.content.widgets[1].node.querySelectorAll('.jp-Cell-outputArea *')"
    assert (
        notebook.do(f"return [...{area}].filter(e => e.shadowRoot && e.checkVisibility()).length")
        == 1
    )


def test_an_answer_outlives_its_kernel_and_an_explorer_says_what_it_needs(notebook: Any) -> None:
    answer = notebook.show(f"answer = brain.query({QUESTION!r}, trace='full')\nanswer")
    answer.wait("root.querySelector('.row')")
    explorer = notebook.show(f"explorer = brain.explore({QUESTION!r})\nexplorer", cell=2)
    explorer.wait("root.querySelector('.row')")
    expected = notebook.python(PLACES % "answer.refuse(alpha=0.0)")
    notebook.restart()
    answer.set("alpha", 0)
    assert [p.partition(":")[0] for p in answer.texts(".place")] == [
        place.partition(":")[0] for place in expected
    ]
    notebook.run('import brainkit\nbrain = brainkit.open("sample.brain")', cell=0)
    explorer = notebook.show(f"explorer = brain.explore({QUESTION!r})\nexplorer", cell=2)
    explorer.wait("root.querySelector('.row')")
    explorer.set("alpha", 0)
    notebook.wait_python("explorer.alpha", 0.0)
    assert answer.texts(".place") == explorer.texts(".place")
