"""The explorer on a page, joined with the one in Python: hands on one side, state on the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

import brainkit
from brainkit import widgets
from brainkit.answer import place
from brainkit.evaluation.judgments import FILE, Judgments
from brainkit.widgets import FilterBar
from brainkit.widgets.reopened import left_behind

ROOT = "window.here.shadowRoot"
HOSTILE = ["<img src=x onerror=hit=1>", "</script><script>hit=1</script>", "\u202egnp", "x" * 300]


@pytest.fixture
def drawn(
    page: Any, tmp_path: Path, support: Callable[[str], ModuleType]
) -> Iterator[Callable[..., Any]]:
    """Draw a widget; returns the widget, its view, and ``carry`` for what they have to say."""
    opened: list[Any] = []

    def made(widget: Any, **options: Any) -> Any:
        opened.append(widget)
        bridge = support("bridge").Bridge(page, widget, tmp_path / "page.html", **options)
        view = support("live").LiveView(page, root=ROOT)
        return SimpleNamespace(widget=widget, view=view, carry=bridge.carry)

    yield made
    assert page.errors == []
    for widget in opened:
        widget.close()


@pytest.fixture
def here(drawn: Any, sample: brainkit.Brain) -> Iterator[Any]:
    """An explorer of the sample, with a first answer."""
    yield drawn(sample.explore("how are sessions signed"))
    (sample.folder / FILE).unlink(missing_ok=True)


def places(answer: brainkit.Answer) -> list[str]:
    return [place(result) for result in answer.results]


def ask(here: Any, query: str) -> None:
    here.view.do("root.querySelector('.query [type=search]').value = args[0]", query)
    here.view.click("[type=submit]")
    here.carry()


def pick(here: Any, name: str, word: str) -> None:
    here.view.do(
        "const options = root.querySelector(`.options[aria-label=${args[0]}]`);"
        "[...options.querySelectorAll('label')].find(l => l.querySelector('bdi').textContent"
        " === args[1]).querySelector('input').click()",
        name,
        word,
    )
    here.carry()


def key(here: Any, name: str) -> str:
    return str(
        here.view.do(
            "const box = root.querySelector('.query [type=search]');"
            "box.dispatchEvent(new KeyboardEvent('keydown', {key: args[0], cancelable: true}));"
            "return box.value",
            name,
        )
    )


def test_a_first_question_is_drawn_and_another_is_asked(here: Any) -> None:
    assert here.view.texts(".place") == places(here.widget.answer)
    ask(here, "normalize isbn")
    assert here.widget.query == "normalize isbn"
    assert here.view.texts(".place") == places(here.widget.answer)
    assert here.view.text(".busy") == ""


def test_a_slider_in_the_browser_moves_the_trait_and_the_trait_moves_the_slider(here: Any) -> None:
    here.view.set("alpha", 0.3, 0.2)
    here.carry()
    assert here.widget.alpha == 0.2
    assert here.view.texts(".place") == places(here.widget.answer)
    here.widget.alpha = 0.95
    here.carry()
    assert here.view.value("alpha") == "0.95"
    assert here.view.texts(".place") == places(here.widget.answer)


@pytest.mark.parametrize("mode", ["vector", "bm25", "hybrid", "graph", "multi"])
def test_every_mode_shows_what_python_holds(mode: str, here: Any) -> None:
    here.view.click(f"input[value={mode}]")
    here.carry()
    assert here.widget.mode == here.widget.answer.request.mode == mode
    shown = [[place(r), f"{r.score:.4f}"] for r in here.widget.answer.results]
    assert here.view.rows() == shown
    assert here.view.text("footer code") == here.widget.code
    walked = here.view.do("return !root.querySelector('.walked').hidden")
    assert walked == (mode in ("graph", "multi"))


def test_filters_are_picked_and_counted(here: Any, sample: brainkit.Brain) -> None:
    assert here.view.text(".left") == f"all {here.widget.answer.trace.total_chunks} chunks"
    pick(here, "languages", "python")
    pick(here, "languages", "go")
    assert here.widget.languages == ("python", "go")
    trace = here.widget.answer.trace
    assert here.view.text(".left") == f"{trace.allowed_chunks} of {trace.total_chunks} chunks"
    assert here.view.texts(".place") == places(
        sample.query("how are sessions signed", languages=["python", "go"])
    )
    here.view.do("[...root.querySelectorAll('.filters > button')].at(-1).click()")
    here.carry()
    assert here.widget.languages is None


def test_globs_are_counted_while_they_are_typed_and_asked_when_done(here: Any) -> None:
    here.view.set("file_paths", "*.md, !sessions.md", settle=False)
    here.carry()
    assert here.widget.file_paths is None
    typed = here.view.text(".left")
    here.view.do("root.querySelector('.paths').dispatchEvent(new Event('change'))")
    here.carry()
    assert here.widget.file_paths == ("*.md", "!sessions.md")
    trace = here.widget.answer.trace
    assert here.view.text(".left") == typed
    assert typed == f"{trace.allowed_chunks} of {trace.total_chunks} chunks"
    here.widget.file_paths = None
    here.carry()
    assert here.view.value("file_paths") == ""


def test_the_walk_is_set(here: Any) -> None:
    here.view.click("input[value=graph]")
    here.view.set("traversal_depth", 1)
    here.view.set("graph_scorer", "pagerank")
    here.carry()
    pick(here, "relationship_types", "calls")
    request = here.widget.answer.request
    assert (request.traversal_depth, request.graph_scorer) == (1, "pagerank")
    assert request.relationship_types == ("calls",)
    assert here.view.texts(".place") == places(here.widget.answer)


def test_earlier_questions_are_under_the_arrow_keys(here: Any) -> None:
    ask(here, "isbn")
    ask(here, "catalogue")
    here.view.do("root.querySelector('.query [type=search]').value = 'half a th'")
    up = [key(here, "ArrowUp") for _ in range(4)]
    assert up == ["catalogue", "isbn", "how are sessions signed", "how are sessions signed"]
    assert [key(here, "ArrowDown") for _ in range(3)] == ["isbn", "catalogue", "half a th"]


def test_from_what_is_on_the_page_up_goes_to_the_one_before(here: Any) -> None:
    ask(here, "isbn")
    assert key(here, "ArrowUp") == "how are sessions signed"


def test_grades_go_to_disk_and_come_back(here: Any, sample: brainkit.Brain) -> None:
    here.view.click(".row:nth-child(2) .grades button", nth=3)
    here.carry()
    (label,) = Judgments(sample.folder)
    second = here.widget.answer.results[1]
    assert (label.chunk_id, label.grade) == (second.chunk_id, 3)
    pressed = ".row:nth-child(2) .grades [aria-pressed=true]"
    assert here.view.texts(pressed) == ["3"]
    ask(here, "isbn")
    assert here.view.texts(".grades [aria-pressed=true]") == []
    ask(here, "how are sessions signed")
    assert here.view.texts(pressed) == ["3"]


def test_a_chunk_opens_with_its_neighbours(here: Any, sample: brainkit.Brain) -> None:
    here.view.do(
        "[...root.querySelectorAll('.row:first-child .actions button')]"
        ".find(b => b.textContent === 'Show neighbours').click()"
    )
    here.carry()
    here.view.wait("root.querySelector('.around')")
    assert here.widget.answer.results[0].text in (here.view.text(".row:first-child .text") or "")


def test_the_answer_is_saved_and_says_where(
    here: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    here.view.do("[...root.querySelectorAll('footer button')].at(-1).click()")
    here.carry()
    saved = tmp_path / "how-are-sessions-signed.html"
    assert here.view.texts("footer button")[-1] == f"Saved as {saved}"
    assert saved.is_file()


def test_an_error_of_the_kernel_is_told_in_place(here: Any) -> None:
    before = here.view.texts(".place")
    here.view.set("file_paths", "!")
    here.carry()
    assert "gitignore-style glob" in (here.view.text(".error") or "")
    assert here.view.texts(".place") == before
    here.view.set("file_paths", "")
    here.carry()
    assert here.view.text(".error") is None
    assert here.widget.error is None


def test_without_a_question_settings_are_kept_for_it(drawn: Any, sample: brainkit.Brain) -> None:
    here = drawn(sample.explore())
    assert here.view.text(".empty") == "Ask a question to begin."
    here.view.click("input[value=bm25]")
    here.carry()
    assert (here.widget.mode, here.view.text(".error")) == ("bm25", None)
    ask(here, "isbn")
    assert here.widget.answer.request.mode == "bm25"
    assert here.view.texts(".place") == places(here.widget.answer)


def test_two_views_of_one_explorer_stay_together(here: Any) -> None:
    here.view.do(
        "const second = document.body.appendChild(document.createElement('div'));"
        "window.second = second; draw({ model, el: second })"
    )
    here.view.set("alpha", 0.1)
    here.carry()
    ask(here, "isbn")
    other = "window.second.shadowRoot"
    page = here.view.page
    shown = f"[...{other}.querySelectorAll('.place')].map(p => p.textContent)"
    assert page.value(f"{other}.querySelector('[aria-label=alpha]').value") == "0.1"
    assert page.value(shown) == here.view.texts(".place") == places(here.widget.answer)


def test_a_kernel_that_is_gone_is_told_and_the_view_stays(here: Any) -> None:
    here.view.do("root.querySelector('.query [type=search]').value = 'isbn'")
    here.view.click("[type=submit]")
    assert here.view.text(".busy") == "Asking…"
    here.view.do("lose()")
    here.view.wait("root.querySelector('.error')")
    assert here.view.text(".busy") == ""
    before = here.view.rows()
    here.view.set("alpha", 0.05)
    assert here.view.rows() != before
    here.view.click("[type=submit]")
    here.view.wait("root.querySelector('.error')")
    assert "run the cell again" in (here.view.text(".error") or "")


def test_what_it_left_for_reopening_is_shown_only_without_it(
    drawn: Any, sample: brainkit.Brain
) -> None:
    explorer = sample.explore("isbn")
    left = left_behind(explorer.answer.view(), of=explorer._name, plain="")["text/html"]
    here = drawn(explorer, head=left)
    height = "document.querySelector('.brainkit-left').getBoundingClientRect().height"
    page = here.view.page
    assert page.value(height) == 0
    here.view.do("stop()")
    page.wait(f"{height} > 200")


def test_hostile_words_are_shown_as_words(drawn: Any, sample: brainkit.Brain) -> None:
    bar = FilterBar(sample, languages=[HOSTILE[1]])
    bar._choices = {"languages": [(word, 1) for word in HOSTILE]}
    here = drawn(bar)
    here.view.click("summary", nth=1)
    assert here.view.texts(".options bdi")[:2] == HOSTILE[:2]
    page = here.view.page
    assert page.value("typeof hit") == "undefined"
    assert here.view.do("return root.querySelectorAll('img, script').length") == 0
    page.resize(320)
    assert page.value("document.documentElement.scrollWidth") <= 320


@pytest.mark.parametrize(
    ("name", "mode", "shows"),
    [
        ("AlphaSlider", "hybrid", "[aria-label=alpha]"),
        ("GraphPath", "graph", ".walk"),
        ("ModePicker", "hybrid", "input[value=hybrid]:checked"),
        ("RankBump", "hybrid", ".alpha-picture .line"),
        ("ResultList", "multi", ".row"),
        ("RrfChart", "multi", ".rrf-chart li"),
        ("ScoreBreakdown", "multi", ".parts tbody tr"),
    ],
)
def test_every_piece_is_drawn_from_an_answer(
    name: str, mode: str, shows: str, drawn: Any, sample: brainkit.Brain
) -> None:
    answer = sample.query("what calls normalize_isbn", mode=mode, trace="full")
    here = drawn(getattr(widgets, name)(answer=answer))
    here.view.wait(f"root.querySelector('{shows}')")
    assert here.view.do("return root.querySelector('[type=submit]')") is None


def test_a_control_alone_moves_in_the_browser(drawn: Any) -> None:
    here = drawn(widgets.AlphaSlider(0.3))
    here.view.set("alpha", 0.8)
    here.carry()
    assert here.widget.value == 0.8
    assert "0.80" in (here.view.text(".value") or "")
    here.widget.value = 0.1
    here.carry()
    assert here.view.value("alpha") == "0.1"


@pytest.mark.parametrize("width", [320, 520, 900, 1600])
def test_no_width_makes_the_page_scroll_sideways(width: int, here: Any) -> None:
    page = here.view.page
    page.resize(width)
    here.view.click("input[value=multi]")
    here.carry()
    here.view.do("for (const one of root.querySelectorAll('details')) one.open = true")
    assert page.value("document.documentElement.scrollWidth") <= width


def test_every_control_has_a_name_and_keys_stay_inside(here: Any) -> None:
    nameless = "!(e.ariaLabel || e.textContent.trim() || e.labels?.length || e.title)"
    controls = (
        "[...root.querySelectorAll('button, input, select, summary, [role]:not([role=status])')]"
    )
    assert here.view.do(f"return {controls}.filter(e => {nameless}).map(e => e.outerHTML)") == []
    loud = "root.querySelectorAll('input:not([data-lm-suppress-shortcuts])')"
    assert here.view.do(f"return [...{loud}].map(e => e.outerHTML)") == []
