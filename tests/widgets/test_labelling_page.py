"""Labelling on a page, joined with Python: keys on one side, the brain's file on the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

import brainkit
from brainkit.evaluation.judgments import FILE, GRADES
from brainkit.widgets.labelled import labels_html
from brainkit.widgets.reopened import only_without

ROOT = "window.here.shadowRoot"
QUESTIONS = ["how are sessions signed", "who may borrow a book"]
HOSTILE = ["<img src=x onerror=hit=1>", "</script><script>hit=1</script>", "\u202egnp", "x" * 300]
SKIP, UNDO, NOTE, HELP = ("s", 83), ("u", 85), ("n", 78), ("?", 191)
LEFT, RIGHT, DOWN = ("ArrowLeft", 37), ("ArrowRight", 39), ("ArrowDown", 40)
ENTER, ESCAPE = ("Enter", 13), ("Escape", 27)
INSIDE = "root.activeElement !== null && root.activeElement.checkVisibility()"
# Its own theme, so that contrast is checked on both grounds.
THEMES = {
    "light": ":root{--jp-layout-color0:white;--jp-ui-font-color1:rgba(0,0,0,.87);"
    "--jp-brand-color1:#1976d2;--jp-error-color1:#d32f2f} body{background:white}",
    "dark": ":root{--jp-layout-color0:#111;--jp-ui-font-color1:rgba(255,255,255,.87);"
    "--jp-brand-color1:#2196f3;--jp-error-color1:#f44336} body{background:#111}",
}


@pytest.fixture
def look(load: Callable[[str], ModuleType]) -> ModuleType:
    """What finds faint text and controls without a name."""
    return load("widgets/test_look.py")


@pytest.fixture
def draw(
    page: Any, tmp_path: Path, support: Callable[[str], ModuleType]
) -> Iterator[Callable[..., Any]]:
    """Draw a labelling; returns it, its view, and what presses keys and carries messages."""
    opened: list[Any] = []

    def made(widget: Any, **options: Any) -> Any:
        opened.append(widget)
        bridge = support("bridge").Bridge(page, widget, tmp_path / "page.html", **options)
        view = support("live").LiveView(page, root=ROOT)
        view.do("root.querySelector('.labelling').focus()")

        def press(*keys: Any) -> None:
            for key in keys:
                page.press(*((str(key), 48 + key) if isinstance(key, int) else key))
                bridge.carry()

        return SimpleNamespace(widget=widget, view=view, carry=bridge.carry, press=press)

    yield made
    assert page.errors == []
    for widget in opened:
        widget.close()


@pytest.fixture
def here(draw: Any, sample: brainkit.Brain) -> Iterator[Any]:
    """A labelling of two questions on the sample, with the focus in it."""
    yield draw(sample.label(QUESTIONS, depth=4, progress=False))
    (sample.folder / FILE).unlink(missing_ok=True)


def place(here: Any) -> str:
    item = here.widget.item
    return f"{item.source}:{item.lines}"


def test_the_chunk_is_shown_with_the_question_and_the_grades_in_words(here: Any) -> None:
    assert here.view.text("h3 bdi") == QUESTIONS[0]
    assert here.view.text(".where") == place(here)
    assert here.view.text(".body") == here.widget.item.text
    assert here.view.texts(".scale button") == [f"{n}{name}" for n, name in enumerate(GRADES)]
    total = len(here.widget._session.pools[0].items)
    assert here.view.text(".going span") == f"chunk 1 of {total} · 0 done"
    assert here.view.text("header .dim") == "0 of 2 questions done · as me"


def test_keys_grade_skip_undo_and_move(here: Any, sample: brainkit.Brain) -> None:
    first = place(here)
    here.press(2)
    assert here.view.text(".said") == f"Saved: 2 relevant, {first}"
    here.press(SKIP)
    assert [one.grade for one in sorted(sample.judgments, key=lambda one: one.when)] == [2, None]
    third = place(here)
    here.press(LEFT)
    assert here.view.text(".state") == "skipped"
    here.press(LEFT)
    assert (here.view.text(".where"), here.view.text(".state")) == (first, "2 relevant")
    assert here.view.do("return root.querySelector('.scale [aria-pressed=true]').innerText") == (
        "2\nrelevant"
    )
    here.press(RIGHT, RIGHT)
    assert here.view.text(".where") == third
    here.press(UNDO, UNDO)
    assert here.view.text(".said") == f"Taken back: 2 relevant, {first}"
    assert len(sample.judgments) == 0
    here.press(UNDO)
    assert here.view.text(".said") == "There is nothing to take back."


def test_everything_can_be_clicked(here: Any, sample: brainkit.Brain) -> None:
    def click(name: str) -> None:
        here.view.do(
            "[...root.querySelectorAll('button')].find(b => b.innerText.startsWith(args[0]))"
            ".click()",
            name,
        )
        here.carry()

    here.view.click(".scale button", nth=3)
    here.carry()
    click("Skip")
    click("← Previous")
    click("Next →")
    click("Undo")
    click("Note")
    here.view.do("root.querySelector('.note input').value = 'clicked'")
    click("Save note")
    assert [(one.grade, one.note) for one in sorted(sample.judgments, key=lambda j: j.when)] == [
        (3, ""),
        (None, "clicked"),
    ]
    click("Help")
    assert here.view.do("return !root.querySelector('.help').hidden")


def test_no_key_counts_before_the_last_one_is_saved(here: Any, page: Any) -> None:
    first = here.widget.item
    page.press("1", 49)
    page.press("3", 51)
    assert page.value("outbox.length") == 1
    assert here.view.text(".said") == "…"
    assert here.view.text(".where") == f"{first.source}:{first.lines}"
    here.carry()
    assert [one.grade for one in here.widget._session.judgments] == [1]
    assert here.view.text(".said").startswith("Saved: 1 related")


def test_a_label_that_cannot_be_written_is_said_and_the_chunk_stays(
    here: Any, sample: brainkit.Brain
) -> None:
    before = place(here)
    (blocking := sample.folder / f"{FILE}.tmp").mkdir()
    here.press(2)
    assert "cannot be written (Is a directory), so nothing was changed" in here.view.text(".error")
    assert (here.view.text(".where"), here.view.text(".said")) == (before, "")
    assert len(sample.judgments) == 0
    blocking.rmdir()
    here.press(2)
    assert here.view.do("return root.querySelector('.error').hidden")
    assert [one.grade for one in sample.judgments] == [2]


def test_a_note_is_typed_kept_and_goes_with_the_grade(
    here: Any, page: Any, sample: brainkit.Brain
) -> None:
    here.press(NOTE)
    page.type("only 3 of them")
    here.press(ENTER)
    assert here.view.text(".said").endswith("it counts as skipped so far")
    here.press(2)
    assert [(one.grade, one.note) for one in sample.judgments] == [(2, "only 3 of them")]
    here.press(LEFT, NOTE)
    page.type(" not this")
    here.press(ESCAPE)
    assert here.view.value("Note") == "only 3 of them"
    here.press(NOTE)
    page.type("!")
    here.view.click(".scale button", nth=1)  # what is written is kept with the grade
    here.carry()
    assert [(one.grade, one.note) for one in sample.judgments] == [(1, "only 3 of them!")]
    assert here.view.do(f"return {INSIDE}")


def test_digits_typed_into_a_note_grade_nothing(here: Any, page: Any) -> None:
    here.press(NOTE, 2, SKIP, UNDO)
    assert page.value("outbox.length") == 0
    assert len(here.widget._session.judgments) == 0


def test_the_whole_way_ends_with_what_was_given_and_keeps_the_keys(
    here: Any, sample: brainkit.Brain
) -> None:
    total = here.widget.progress.total
    for _ in range(total - 2):
        here.press(1)
    here.press(SKIP)
    here.view.do("root.querySelectorAll('.scale button')[3].focus()")
    here.view.do("root.activeElement.click()")
    here.carry()
    assert here.view.text(".end h3") == "Done: every chunk is graded or skipped"
    assert here.view.texts(".counts .n") == ["0", str(total - 2), "0", "1"]
    assert here.view.do(f"return {INSIDE}")  # else the next key would be the notebook's
    code = here.view.text(".code")
    found: dict[str, Any] = {"brainkit": brainkit, "brain": sample}
    exec(code.rpartition("\n")[0], found)
    assert len(found["data"]) == 2
    here.view.do(
        "[...root.querySelectorAll('.end button')].find(b => b.innerText.includes('skipped'))"
        ".click()"
    )
    here.carry()
    assert here.view.text(".state") == "skipped"
    here.press(2)
    assert here.view.text(".end h3") == "Done: every chunk is graded"


def test_a_question_is_picked_and_its_state_is_in_the_list(here: Any) -> None:
    here.press(1)
    here.view.set("Question", 1)
    here.carry()
    assert here.view.text("h3 bdi") == QUESTIONS[1]
    assert here.view.texts("option") == [f"○ 1. {QUESTIONS[0]}", f"○ 2. {QUESTIONS[1]}", "End"]


def test_a_question_that_finds_nothing_says_so(draw: Any, sample: brainkit.Brain) -> None:
    configs = {"keywords": {"mode": "bm25"}}
    here = draw(sample.label(["xylophone zither"], configs=configs, progress=False))
    assert "nothing to grade" in here.view.text(".empty")
    assert here.view.do("return root.querySelector('.scale').checkVisibility()") is False
    here.press(2)
    assert here.widget.error is None


def test_a_restarted_kernel_is_told_and_nothing_more_is_sent(here: Any, page: Any) -> None:
    here.press(2)
    page.value("lose()")
    assert "run this cell again to go on" in here.view.text(".error")
    page.press("3", 51)
    assert page.value("outbox.length") == 0


def test_a_chunk_that_is_longer_than_its_box_is_scrolled_by_keys(
    draw: Any, tmp_path: Path, word_vectors: Any
) -> None:
    with brainkit.open(tmp_path / "long.brain", embedder=word_vectors) as brain:
        text = "\n".join(f"line {n} of the loan" for n in range(400))
        brain.ingest_texts([{"id": "long", "text": text}], split=False, progress=False)
        here = draw(brain.label(["loan"], progress=False))
        here.press(DOWN)
        assert here.view.do("return root.querySelector('.body').scrollTop") > 0
        assert here.view.box(".labelling")[3] < 700
        here.widget.close()


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("width", [320, 420, 1100])
def test_it_is_readable_in_both_themes_and_every_width(
    *, theme: str, width: int, draw: Any, sample: brainkit.Brain, page: Any, look: ModuleType
) -> None:
    page.resize(width)
    widget = sample.label(QUESTIONS, depth=4, progress=False)
    here = draw(widget, head=f"<style>{THEMES[theme]}</style>")
    (blocking := sample.folder / f"{FILE}.tmp").mkdir()
    here.press(HELP, 1)
    blocking.rmdir()
    assert here.view.text(".error")
    for _ in range(2):
        assert here.view.do(look.FAINT) == []
        nameless = here.view.do(f"return {look.NAMELESS}")
        assert [one for one in nameless if 'role="status"' not in one] == []
        assert page.value("document.documentElement.scrollWidth") <= width
        while widget.item is not None:
            widget.label(1)
        here.carry()
    (sample.folder / FILE).unlink(missing_ok=True)


def test_a_checker_finds_nothing_serious(here: Any, page: Any, repository: Path) -> None:
    axe = repository / "brainkit" / "widgets" / "js" / "node_modules" / "axe-core" / "axe.min.js"
    if not axe.is_file():
        pytest.skip("no axe-core: npm install --no-package-lock in brainkit/widgets/js")
    here.press(HELP, NOTE)
    page.value(f"{axe.read_text('utf-8')}; 0")
    found = page.value(
        "axe.run('#here', { resultTypes: ['violations'] }).then(({ violations }) => violations"
        ".filter(one => ['serious', 'critical'].includes(one.impact))"
        ".map(one => [one.id, one.nodes.map(node => [node.html, node.failureSummary])]))"
    )
    assert found == []


def test_hostile_texts_are_shown_and_never_run(
    draw: Any, tmp_path: Path, word_vectors: Any, page: Any, look: ModuleType
) -> None:
    with brainkit.open(tmp_path / "hostile.brain", embedder=word_vectors) as brain:
        records = [{"id": text, "title": text, "text": f"loan {text}"} for text in HOSTILE]
        brain.ingest_texts(records, progress=False)
        here = draw(brain.label([f"loan {HOSTILE[0]}"], progress=False))
        for text in HOSTILE:
            here.press(NOTE)
            page.type(text)
            here.press(ENTER, 1)
        here.press(LEFT)
        assert here.view.do(f"return {look.LOADED}") == 0
        assert page.value("typeof window.hit") == "undefined"
        assert {one.note for one in brain.judgments} == {text.strip() for text in HOSTILE}
        here.widget.close()


def test_what_is_left_behind_is_hidden_while_the_view_is_there(here: Any, page: Any) -> None:
    left = only_without(labels_html(here.widget._session, "sample.brain"), of=here.widget._name)
    page.run("html => document.body.insertAdjacentHTML('beforeend', html)", left)
    height = "document.querySelector('.brainkit-left').getBoundingClientRect().height"
    assert page.value(height) == 0
    page.value("stop()")
    page.wait(f"{height} > 20")
    assert "Run this cell again" in page.value("document.querySelector('.brainkit-left').innerText")
