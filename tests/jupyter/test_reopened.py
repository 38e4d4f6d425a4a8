"""A notebook opened again, on a fresh page without a kernel: what it shows, and what moves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

QUESTION = "how are sessions signed"
ANSWER, EXPLORER, COMPARISON, MAP, PATH = 1, 2, 3, 4, 5
CELLS = {
    ANSWER: f"answer = brain.query({QUESTION!r}, trace='full')\nanswer",
    EXPLORER: f"explorer = brain.explore({QUESTION!r})\nexplorer",
    COMPARISON: f"brain.compare({QUESTION!r}, a={{'mode': 'bm25'}}, b={{'mode': 'vector'}})",
    MAP: f"brain.map({QUESTION!r})",
    PATH: "brain.query('what calls normalize_isbn', mode='graph')",
}
SAYS = {**dict.fromkeys(CELLS, QUESTION), PATH: "what calls normalize_isbn"}


@pytest.fixture(scope="module")
def held(notebook: Any) -> dict[str, list[str]]:
    """Where the results were in each mode, while there was a kernel; the notebook is saved."""
    for cell, code in CELLS.items():
        notebook.show(code, cell=cell)
    notebook.save()
    places = "[f'{r.source}:{r.start_line}' for r in answer.refuse(mode=%r).results]"
    return {mode: notebook.python(places % mode) for mode in ("hybrid", "bm25", "vector", "multi")}


@pytest.fixture(scope="module")
def reopened(held: dict[str, list[str]], notebook: Any) -> Any:
    """The notebook on a page that has run nothing yet, without a kernel."""
    assert held
    notebook.close()
    notebook.lab.start().close()
    return notebook.lab.open(notebook.path, kernel=False)


@pytest.fixture(scope="module")
def untrusted(reopened: Any, folder: Path) -> Any:
    """The same notebook as it came from someone else."""
    theirs = json.loads((folder / reopened.path).read_text("utf-8"))
    theirs["metadata"]["from"] = "someone else"
    (folder / "theirs.ipynb").write_text(json.dumps(theirs), "utf-8")
    return reopened.lab.open("theirs.ipynb", kernel=False)


@pytest.mark.parametrize("cell", [ANSWER, EXPLORER])
def test_an_answer_ranks_again_without_a_kernel(
    cell: int, reopened: Any, held: dict[str, list[str]]
) -> None:
    live = reopened.view(cell=cell)
    for mode in ("bm25", "vector", "multi", "hybrid"):
        live.click(f"input[value={mode}]")
        assert [place.partition("-")[0] for place in live.texts(".place")] == [
            place.partition("-")[0] for place in held[mode]
        ]
    live.set("top_k", 3)
    assert len(live.texts(".place")) == 3


def test_an_explorer_says_what_it_needs_to_ask_again(reopened: Any) -> None:
    said = reopened.text(cell=EXPLORER)
    assert "run its cell again" in said
    assert "rror" not in said


@pytest.mark.parametrize("cell", [COMPARISON, MAP, PATH])
def test_pictures_are_drawn_without_a_kernel(cell: int, reopened: Any) -> None:
    live = reopened.view(cell=cell)
    assert live.do("return root.querySelectorAll('svg, canvas, li, button').length") > 5


@pytest.mark.parametrize("cell", CELLS)
def test_an_untrusted_notebook_shows_a_table_and_runs_nothing(cell: int, untrusted: Any) -> None:
    area = untrusted.output(cell=cell)
    assert untrusted.page.value(f"{area}.querySelectorAll('table').length") == 1
    assert untrusted.page.value(f"{area}.querySelector('script, brainkit-view-1')") is None
    said = untrusted.text(cell=cell)
    assert SAYS[cell] in said
    assert "shelf/" in said
