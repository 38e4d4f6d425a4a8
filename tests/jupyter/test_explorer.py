"""The explorer in JupyterLab: what hands do on the page is what Python holds, and the reverse."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

QUESTION = "how are sessions signed"
PLACES = "[f'{r.source}:{r.start_line}-{r.end_line}' for r in %s.results]"
MODES = ["vector", "bm25", "hybrid", "graph", "multi"]
ARROW_LEFT, ARROW_RIGHT, ENTER = ("ArrowLeft", 37), ("ArrowRight", 39), ("Enter", 13)


def explorer(notebook: Any, arguments: str = f"{QUESTION!r}") -> Any:
    """A new explorer named ``explorer``, with its answer on the page."""
    live = notebook.show(f"explorer = brain.explore({arguments})\nexplorer")
    live.wait("root.querySelector('.row')")
    return live


def places(notebook: Any, answer: str = "explorer.answer") -> list[str]:
    """Where the results of an answer in the kernel are, as the page writes it."""
    return [_short(one) for one in notebook.python(PLACES % answer)]


def _short(citation: str) -> str:
    source, _, lines = citation.rpartition(":")
    first, last = lines.split("-")
    return f"{source}:{first}" if first == last else citation


def middle(live: Any, selector: str) -> tuple[float, float]:
    """Where on the page the middle of something is, scrolled to."""
    live.do("root.querySelector(args[0]).scrollIntoView({block: 'center'})", selector)
    left, top, width, height = live.box(selector)
    return left + width / 2, top + height / 2


def test_a_first_question_is_typed_and_asked_with_enter(notebook: Any) -> None:
    live = notebook.show("explorer = brain.explore()\nexplorer")
    assert live.text(".empty") == "Ask a question to begin."
    live.do("root.querySelector('[type=search]').focus()")
    notebook.page.type(QUESTION)
    notebook.page.press(*ENTER)
    live.wait("root.querySelectorAll('.row').length === 5")
    assert live.texts(".place") == places(notebook)
    assert notebook.python("explorer.request.query") == QUESTION
    assert notebook.python("explorer.history") == [QUESTION]
    assert len(notebook.do("return panel.content.widgets.map(c => c.model.id)")) == 2


@pytest.mark.parametrize("mode", MODES)
def test_every_mode_shows_what_a_new_query_in_it_finds(mode: str, notebook: Any) -> None:
    start = "bm25" if mode == "hybrid" else "hybrid"
    live = explorer(notebook, f"'what calls normalize_isbn', mode={start!r}")
    live.click(f"input[value={mode}]")
    live.wait(f"root.querySelector('footer code').textContent.includes('mode=\"{mode}\"')")
    notebook.wait_python("explorer.answer.request.mode.value", mode)
    asked = f"brain.query('what calls normalize_isbn', mode={mode!r})"
    assert live.texts(".place") == places(notebook, asked) == places(notebook)


def test_alpha_follows_the_mouse_and_the_ranking_moves_under_it(notebook: Any) -> None:
    live = explorer(notebook)
    x, y = middle(live, "[aria-label=alpha]")
    left, _, width, _ = live.box("[aria-label=alpha]")
    live.do(
        "window.seen = new Set(); new MutationObserver(() => seen.add("
        "[...root.querySelectorAll('.place')].map(e => e.textContent).join()))"
        ".observe(root.querySelector('.results'), {childList: true})"
    )
    notebook.page.drag([(x, y), *((x + (left - x) * n / 20, y) for n in range(1, 21))])
    assert live.value("alpha") == "0"
    notebook.wait_python("explorer.alpha", 0.0)
    bm25 = f"brain.query({QUESTION!r}, mode='hybrid', alpha=0)"
    assert live.texts(".place") == places(notebook) == places(notebook, bm25)
    assert live.page.value("seen.size") > 2  # orders on the way, not only the last
    assert width > 200


def test_alpha_follows_the_arrow_keys_and_the_notebook_stays_where_it_is(notebook: Any) -> None:
    live = explorer(notebook)
    live.do("root.querySelector('[aria-label=alpha]').focus()")
    for key, alpha in [(ARROW_LEFT, 0.49), (ARROW_LEFT, 0.48), (ARROW_RIGHT, 0.49)]:
        notebook.page.press(*key)
        notebook.wait_python("round(explorer.alpha, 9)", alpha)
    assert live.do("return root.activeElement.ariaLabel") == "alpha"
    assert notebook.do("return panel.content.activeCellIndex") == 1


def test_enter_in_a_field_settles_it(notebook: Any) -> None:
    live = explorer(notebook)
    live.do("root.querySelector('[aria-label=top_k]').select()")
    notebook.page.type("7")
    notebook.page.press(*ENTER)
    notebook.wait_python("explorer.top_k", 7)
    assert live.texts(".place") == places(notebook)
    assert notebook.do("return panel.content.mode") == "command"


def test_settings_of_fusion_go_to_python_and_rank_the_same_there(notebook: Any) -> None:
    live = explorer(notebook, f"{QUESTION!r}, mode='multi'")
    live.set("rrf_k", 0)  # the slider is logarithmic: 10 ** (0 / 100)
    notebook.wait_python("explorer.rrf_k", 1.0)
    live.set("bm25", 2.5)
    notebook.wait_python("explorer.weights", {"vector": 1.0, "bm25": 2.5, "graph": 2.0})
    live.set("top_k", 8)
    notebook.wait_python("explorer.top_k", 8)
    asked = "brain.query(explorer.request)"
    assert len(live.texts(".place")) == 8
    assert live.texts(".place") == places(notebook) == places(notebook, asked)


def test_settings_of_python_go_to_the_page(notebook: Any) -> None:
    live = explorer(notebook)
    notebook.python("explorer.set_trait('alpha', 0.9)")
    live.wait("root.querySelector('[aria-label=alpha]').value === '0.9'")
    notebook.python("explorer.set_trait('query', 'normalize isbn')")
    live.wait("root.querySelector('[type=search]').value === 'normalize isbn'")
    assert live.texts(".place") == places(notebook)


def test_filters_leave_only_what_they_let_through(notebook: Any) -> None:
    live = explorer(notebook)
    code = notebook.python(
        "int(brain.sql(\"select count(*) n from chunks where source_type = 'code'\").n[0])"
    )
    live.do(
        "[...root.querySelectorAll('.picker label')]"
        ".find(l => l.querySelector('bdi').textContent === 'code').click()"
    )
    notebook.wait_python("explorer.source_types", ("code",))
    live.wait(f"root.querySelector('.left').textContent.startsWith('{code:,} of ')")
    notebook.wait_python("{r.source_type for r in explorer.answer.results}", {"code"})
    live.wait("[...root.querySelectorAll('.about')].every(e => !e.textContent.includes('test'))")
    live.set("file_paths", "**/retry.*")
    notebook.wait_python("explorer.answer.request.file_paths", ("**/retry.*",))
    live.wait("[...root.querySelectorAll('.place')].every(e => e.textContent.includes('/retry.'))")
    assert live.texts(".place") == places(notebook)


def test_a_result_opens_into_its_neighbours(notebook: Any) -> None:
    live = explorer(notebook)
    text = notebook.python("explorer.answer.results[0].text")
    live.do(
        "[...root.querySelectorAll('.row:first-child .actions button')]"
        ".find(b => b.innerText === 'Show neighbours').click()"
    )
    live.wait("root.querySelector('.row:first-child .around')")
    shown = live.text(".row:first-child .text")
    assert text in shown
    assert len(shown) > len(text)


def test_a_chosen_result_is_explained_and_known_to_python(notebook: Any) -> None:
    live = explorer(notebook)
    live.click(".place", nth=2)
    third = notebook.python("explorer.answer.results[2].chunk_id")
    notebook.wait_python("explorer.selected", third)
    sentence = notebook.python("explorer.answer.explain(3).sentence")
    assert sentence in live.text("aside")


def test_grades_are_written_beside_the_brain_and_taken_back(notebook: Any, folder: Path) -> None:
    live = explorer(notebook, "'retry with backoff in Go'")
    labels = folder / "sample.brain" / "judgments.tsv"
    live.click(".row:first-child .grades button", nth=3)
    live.wait("root.querySelectorAll('.row:first-child .grades button')[3].ariaPressed === 'true'")
    first = notebook.python("explorer.answer.results[0].chunk_id")
    notebook.wait_python("explorer.labels", {first: 3})
    assert "retry with backoff in Go" in labels.read_text("utf-8")
    live.click(".row:first-child .grades button", nth=3)
    live.wait("root.querySelectorAll('.row:first-child .grades button')[3].ariaPressed === 'false'")
    notebook.wait_python("explorer.labels", {})
    assert "retry with backoff in Go" not in labels.read_text("utf-8")


def test_the_copied_code_gives_the_answer_on_the_page(notebook: Any) -> None:
    live = explorer(notebook, f"{QUESTION!r}, mode='multi', rrf_k=5, languages=['python']")
    live.set("vector", 0.3)
    live.do(
        "[...root.querySelectorAll('footer button')]"
        ".find(b => b.innerText === 'Copy as code').click()"
    )
    live.wait("[...root.querySelectorAll('footer button')].some(b => b.innerText === 'Copied')")
    copied = notebook.page.value("navigator.clipboard.readText()")
    notebook.wait_python("explorer.code", copied)
    assert places(notebook, copied) == live.texts(".place")


def test_a_page_is_saved_beside_the_notebook(notebook: Any, folder: Path) -> None:
    live = explorer(notebook, "'who may borrow'")
    live.do(
        "[...root.querySelectorAll('footer button')]"
        ".find(b => b.innerText === 'Save as HTML').click()"
    )
    live.wait("root.querySelector('footer').innerText.includes('Saved as ')")
    page = folder / "who-may-borrow.html"
    assert f"Saved as {page}" in live.text("footer")
    assert "who may borrow" in page.read_text("utf-8")


def test_two_explorers_on_a_page_know_nothing_of_each_other(notebook: Any) -> None:
    first = explorer(notebook)
    second = notebook.show("other = brain.explore('normalize isbn', mode='bm25')\nother", cell=2)
    second.wait("root.querySelector('.row')")
    first.set("alpha", 0.1)
    second.click("input[value=vector]")
    notebook.wait_python("(explorer.alpha, explorer.mode)", (0.1, "hybrid"))
    notebook.wait_python("(other.alpha, other.mode)", (0.5, "vector"))
    assert first.texts(".place") == places(notebook)
    assert second.texts(".place") == places(notebook, "other.answer")
    notebook.run("other.close()", cell=2)


def test_one_explorer_shown_twice_is_one(notebook: Any) -> None:
    first = explorer(notebook)
    second = notebook.show("explorer", cell=2)
    second.wait("root.querySelector('.row')")
    first.set("alpha", 0.05)
    second.wait("root.querySelector('[aria-label=alpha]').value === '0.05'")
    assert first.texts(".place") == second.texts(".place") == places(notebook)
