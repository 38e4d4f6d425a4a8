"""The pictures of the lessons in Chromium: what they say under the hand is what Python computes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import brainkit
from brainkit.errors import InvalidSetting
from brainkit.lessons.four import ASKED, CHUNKS, VECTORS, bm25, cosines
from brainkit.lessons.pictures import Picture, bm25_sliders, unit_vectors
from brainkit.report.kinds import kind_of
from brainkit.widgets.view import LESSON_TAG, mimebundle, view_html

KEYS = {"ArrowRight": 39, "ArrowLeft": 37, "ArrowUp": 38, "Home": 36, "PageUp": 33, "End": 35}
ROOT = f"document.querySelector('{LESSON_TAG}').shadowRoot"


@pytest.fixture(scope="module")
def four(tmp_path_factory: pytest.TempPathFactory, word_vectors: Any) -> Iterator[brainkit.Brain]:
    folder = tmp_path_factory.mktemp("four") / "four.brain"
    with brainkit.open(folder, embedder=word_vectors) as brain:
        records = [{"id": name, "text": text} for name, text in CHUNKS.items()]
        brain.ingest_texts(records, split=False, progress=False)
        yield brain


@pytest.fixture(scope="module")
def look(support: Callable[[str], ModuleType]) -> ModuleType:
    """JupyterLab's colours, and text that tries to break out."""
    return support("test_look")


@pytest.fixture(scope="module")
def axe(repository: Path) -> str:
    """The checker's source; skips where the tools of the front end are not installed."""
    tools = repository / "brainkit" / "widgets" / "js" / "node_modules"
    if not (tools / "axe-core").is_dir():
        pytest.skip("no axe-core: npm install --no-package-lock in brainkit/widgets/js")
    return (tools / "axe-core" / "axe.min.js").read_text("utf-8")


@pytest.fixture
def show(page: Any, tmp_path: Path) -> Callable[[Picture], Any]:
    def shown(picture: Picture, head: str = "") -> Any:
        file = tmp_path / "page.html"
        body = f"<main><h1>Lesson</h1><h2>A picture</h2>{view_html(picture.view())}</main>"
        file.write_text(
            f'<!doctype html><html lang="en"><meta charset="utf-8"><title>A</title>{head}{body}',
            "utf-8",
        )
        page.open(file)
        page.wait(f"{ROOT}?.querySelector('svg[role]')")
        return page

    return shown


def said(page: Any) -> str:
    return str(page.value(f"{ROOT}.querySelector('[role=status]').textContent"))


def listed(scores: dict[str, float]) -> str:
    best = sorted(scores, key=lambda name: (-round(scores[name], 9), name))
    return ", ".join(f"{at}. {name} {scores[name]:.4f}" for at, name in enumerate(best, 1))


def slide(page: Any, name: str, value: float) -> None:
    page.run(
        "(name, value) => {"
        f"  const input = {ROOT}.querySelector(`input[aria-label=${{name}}]`);"
        "  input.value = value;"
        "  input.dispatchEvent(new Event('input'));"
        "  input.dispatchEvent(new Event('change'));"
        "}",
        name,
        value,
    )


def test_the_sliders_of_bm25_rank_as_python_does(
    four: brainkit.Brain, show: Callable[[Picture], Any]
) -> None:
    page = show(bm25_sliders(four.query("cat sat", mode="bm25")))
    rows = f"[...{ROOT}.querySelectorAll('.score-row .number')].map(n => n.textContent)"
    assert page.value(rows) == [f"{score:.4f}" for score in bm25("cat sat").values()]
    slide(page, "k1", 0)
    assert said(page) == listed(bm25("cat sat", k1=0))
    slide(page, "b", 0)
    slide(page, "k1", 3)
    assert said(page) == listed(bm25("cat sat", k1=3, b=0))
    arithmetic = page.value(f"{ROOT}.querySelector('.arithmetic .line').textContent")
    left, _, right = arithmetic.removeprefix("cat: ").rpartition(" = ")
    assert math.isclose(eval(left), float(right), abs_tol=2e-4)
    assert page.value(f"{ROOT}.querySelectorAll('.ghost').length") == 2
    page.run(f"() => {ROOT}.querySelector('.knobs button').click()")
    assert said(page) == listed(bm25("cat sat"))


def test_sliders_and_rows_of_bm25_work_by_keyboard(
    four: brainkit.Brain, show: Callable[[Picture], Any]
) -> None:
    page = show(bm25_sliders(four.query("cat sat", mode="bm25")))
    page.run(f"() => {ROOT}.querySelector('input[aria-label=b]').focus()")
    page.press("End", KEYS["End"])
    page.wait(f"{ROOT}.querySelector('[role=status]').textContent !== ''")
    assert said(page) == listed(bm25("cat sat", b=1))
    page.run(
        f"() => {{ const row = {ROOT}.querySelectorAll('.score-row')[1];"
        " row.focus(); row.click(); }"
    )
    assert page.value(f"{ROOT}.querySelector('.arithmetic b').textContent").startswith("b: ")
    assert page.value(f"{ROOT}.activeElement.getAttribute('aria-pressed')") == "true"


def test_vectors_are_turned_by_mouse_and_by_keyboard(show: Callable[[Picture], Any]) -> None:
    page = show(unit_vectors(VECTORS, ASKED))
    found = sorted(cosines().items(), key=lambda one: -one[1])
    assert said(page) == ", ".join(f"{name} {value:.3f}" for name, value in found)
    place = page.value(
        f"(() => {{ const b = {ROOT}.querySelector('svg').getBoundingClientRect();"
        f" const d = {ROOT}.querySelectorAll('.hand')[4].getBoundingClientRect();"
        " return [b.left + b.width / 2, b.top + b.height / 2, d.left + d.width / 2,"
        " d.top + d.height / 2]; })()"
    )
    x, y, from_x, from_y = place
    page.drag([(from_x, from_y), (x - 60, y - 60), (x - 80, y)])
    page.wait(f"{ROOT}.querySelector('[role=status]').textContent.includes('d -1.000')")
    assert page.value(f"{ROOT}.querySelectorAll('li.idle').length") == 1
    page.press("Home", KEYS["Home"])
    page.press("PageUp", KEYS["PageUp"])
    turned = round(math.degrees(math.atan2(0.7, 2.4)) + 15)
    assert f"d {math.cos(math.radians(turned)):.3f}" in said(page)
    label = page.value(f"{ROOT}.activeElement.getAttribute('aria-valuetext')")
    assert label == f"{turned} degrees, cosine {math.cos(math.radians(turned)):.3f}"


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [420, 1000])
def test_axe_finds_nothing(
    *, theme: str, width: int, axe: str, look: ModuleType, four: brainkit.Brain,
    show: Callable[..., Any], page: Any,
) -> None:  # fmt: skip
    page.resize(width)
    style = {"light": look.LIGHT, "dark": look.DARK}[theme]
    ground = "body{background:var(--jp-layout-color0)}h1,h2{color:var(--jp-ui-font-color1)}"
    for picture in (bm25_sliders(four.query("cat sat", mode="bm25")), unit_vectors(VECTORS, ASKED)):
        show(picture, f"<style>:root{{{style}}}{ground}</style>")
        page.value(f"{axe}; 0")
        found = page.value(
            "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations"
            ".map(one => [one.id, one.nodes.map(node => [node.html, node.failureSummary])]))"
        )
        assert found == []
        wide = page.value("document.documentElement.scrollWidth")
        assert wide <= width  # nothing is cut off or has to be scrolled to


def test_marks_of_terms_that_are_as_rare_do_not_hide_each_other(
    four: brainkit.Brain, show: Callable[[Picture], Any]
) -> None:
    page = show(bm25_sliders(four.query("cat sat", mode="bm25")))
    marks = page.value(
        f"[...{ROOT}.querySelectorAll('.plot .mark')].map(mark => [mark.textContent,"
        " mark.getBoundingClientRect().left, mark.getBoundingClientRect().top])"
    )
    of_a = [place for said, *place in marks if said.startswith("a: ")]
    (cat, sat) = of_a
    assert sat[0] - cat[0] > 10
    assert abs(sat[1] - cat[1]) < 2


def test_a_shadow_is_as_long_as_its_cosine_and_beside_the_others(
    show: Callable[[Picture], Any],
) -> None:
    page = show(unit_vectors(VECTORS, ASKED))
    lines = page.value(
        f"[...{ROOT}.querySelectorAll('.shadow')].map(line =>"
        " ['x1', 'y1', 'x2', 'y2'].map(name => Number(line.getAttribute(name))))"
    )
    whole = page.value(f"Number({ROOT}.querySelector('.unit').getAttribute('r'))")
    lengths = [(right - left) / whole for left, _, right, _ in lines]
    assert lengths == pytest.approx(list(cosines().values()), abs=0.001)
    heights = [top for _, top, _, _ in lines]
    assert [round(one - heights[0]) for one in heights] == [0, 7, 14, 21]


def test_a_picture_is_live_in_reports_and_a_table_elsewhere(four: brainkit.Brain) -> None:
    picture = bm25_sliders(four.query("cat sat", mode="bm25"))
    view = picture.view()
    kind = kind_of(view)
    assert kind is not None
    assert kind.element == LESSON_TAG
    assert "1.2718" in view["table"]
    assert "a  1.2718" in repr(picture)
    assert set(mimebundle(view, plain=repr(picture))) == {
        "text/plain", "text/html", "application/vnd.brainkit.view+json",
    }  # fmt: skip


def test_what_cannot_be_drawn_is_refused(four: brainkit.Brain) -> None:
    with pytest.raises(InvalidSetting, match="bm25 found nothing"):
        bm25_sliders(four.query("unicorn", mode="bm25"))
    with pytest.raises(InvalidSetting, match=r"'a' is \(0, 0\); give two numbers"):
        unit_vectors({"a": (0, 0)}, (1, 0))


def test_a_term_that_is_asked_twice_counts_twice(four: brainkit.Brain) -> None:
    answer = four.query("cat cat", mode="bm25")
    (term,) = bm25_sliders(answer).view()["terms"]
    assert term["idf"] == pytest.approx(2 * math.log(2))
