"""A report in Chromium: one request, no network, and every view moves without a kernel."""

from __future__ import annotations

import base64
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import brainkit
from brainkit.answer import Answer, place
from brainkit.report.export import report_html

Opened = Callable[..., Any]
Live = Callable[..., Any]


@pytest.fixture
def answer(sample: brainkit.Brain) -> Answer:
    return sample.query("how are sessions signed by a key", trace="full", top_k=5)


def rows(answer: Answer) -> list[list[str]]:
    return [[place(result), f"{result.score:.4f}"] for result in answer.results]


def moved(page: Any) -> str:
    return str(page.value("location.hash"))


def test_exactly_one_request_and_the_analysts_settings(
    opened: Opened, live: Live, answer: Answer, make: ModuleType
) -> None:
    page = opened("# Title", make.code_cell(make.shown(answer)))
    assert live(page).rows() == rows(answer)
    asked = [
        event["params"]["request"]["url"].partition(":")[0]
        for event in page._events()
        if event["method"] == "Network.requestWillBeSent"
    ]
    assert asked == ["file"]
    assert moved(page) == ""
    assert page.value("document.querySelector('.view-tools').hidden")


def test_sliders_rerank_by_mouse_and_keyboard(
    opened: Opened, live: Live, answer: Answer, make: ModuleType
) -> None:
    page = opened(make.code_cell(make.shown(answer)))
    view = live(page)
    left, top, width, height = view.box("[aria-label=alpha]")
    y = top + height / 2
    page.drag([(left + width * share, y) for share in (0.5, 0.6, 0.7, 0.8)])
    alpha = float(view.value("alpha"))
    assert alpha == pytest.approx(0.8, abs=0.02)
    assert view.rows() == rows(answer.refuse(alpha=alpha))
    view.do("root.querySelector('[aria-label=alpha]').focus()")
    for _ in range(3):
        page.press("ArrowLeft", 37)
    again = float(view.value("alpha"))
    assert again == pytest.approx(alpha - 0.03)
    assert view.rows() == rows(answer.refuse(alpha=again))
    assert moved(page) == f"#view=1&alpha={again:g}"


def test_a_link_restores_what_was_moved_and_reset_takes_it_back(
    opened: Opened, live: Live, answer: Answer, make: ModuleType
) -> None:
    cells = ("# A", make.code_cell(make.shown(answer)), make.code_cell(make.shown(answer)))
    page = opened(*cells, hash="#view=2&mode=multi&rrf_k=10&weights=1,0.3,0&top_k=3")
    again = answer.refuse(
        mode="multi", rrf_k=10, weights={"vector": 1, "bm25": 0.3, "graph": 0}, top_k=3
    )
    assert live(page, 2).rows() == rows(again)
    assert live(page, 1).rows() == rows(answer)
    page.value("document.querySelectorAll('.view-tools')[1].querySelector('button').click()")
    assert live(page, 2).rows() == rows(answer)
    assert moved(page) == ""
    page.value("location.hash = '#view=1&alpha=0'")
    page.wait("document.querySelector('.view-tools').hidden === false")
    assert live(page, 1).rows() == rows(answer.refuse(alpha=0))


@pytest.mark.parametrize(
    "link",
    [
        "#view=1&alpha=7&top_k=1e9&mode=__proto__&weights=0,0,0&collapse=x&rrf_k=NaN&depth=",
        "#view=1&languages=%E0%A4%A&query=<script>&selected=%00",
        "#view=99&alpha=0.1",
        "#view=1&depth=900",
        "#view=-1&=&==&&",
    ],
)
def test_a_link_that_makes_no_sense_changes_nothing(
    link: str, opened: Opened, live: Live, answer: Answer, make: ModuleType
) -> None:
    page = opened(make.code_cell(make.shown(answer)), hash=link)
    assert live(page).rows() == rows(answer)


def test_what_is_not_in_the_trace_is_refused(
    opened: Opened, live: Live, sample: brainkit.Brain, make: ModuleType
) -> None:
    answer = sample.query("isbn", mode="bm25", depth=7)
    page = opened(make.code_cell(make.shown(answer)), hash="#view=1&mode=vector")
    view = live(page)
    assert view.rows() == rows(answer)
    assert view.do("return root.querySelector('form.query') === null")


@pytest.mark.parametrize(
    ("filters", "link"),
    [
        ({"source_types": ["code", "test"]}, "source_types=code,test"),
        ({"languages": ["markdown"]}, "languages=markdown"),
        (
            {"file_paths": ["**/docs/**", "!searching.md"]},
            "file_paths=**%2Fdocs%2F**,!searching.md",
        ),
        ({"file_paths": ["**/s*.p?", "[a-c]*.md"]}, "file_paths=**%2Fs*.p%3F,%5Ba-c%5D*.md"),
    ],
)
def test_filters_give_what_a_query_over_everything_found_gives(
    *,
    filters: dict[str, Any], link: str, opened: Opened, live: Live, sample: brainkit.Brain,
    make: ModuleType,
) -> None:  # fmt: skip
    everything = sample.query("how are sessions signed", mode="bm25", top_k=5, depth=1000)
    page = opened(make.code_cell(make.shown(everything)), hash=f"#view=1&{link}")
    view = live(page)
    asked = sample.query("how are sessions signed", mode="bm25", top_k=5, depth=1000, **filters)
    assert view.rows() == rows(asked)
    assert len(asked.results) > 0
    assert "candidates of this answer" in view.text(".notices")
    assert f"{next(iter(filters))}=" in view.text("footer code")
    view.click(".filters button")
    assert view.rows() == rows(everything)


def test_a_filter_is_picked_by_hand_and_other_settings_go_on(
    opened: Opened, live: Live, answer: Answer, make: ModuleType
) -> None:
    page = opened(make.code_cell(make.shown(answer)))
    view = live(page)
    view.do(
        "const box = [...root.querySelectorAll('.picker label')]"
        ".find(one => one.textContent.startsWith('code')).querySelector('input');"
        "box.checked = true; box.dispatchEvent(new Event('change'));"
    )
    assert moved(page) == "#view=1&source_types=code"
    view.set("alpha", 0)
    first = view.rows()
    assert first
    kinds = {place(r): r.source_type for r in answer.refuse(alpha=0, top_k=50).results}
    assert {kinds[name] for name, _ in first} == {"code"}


def test_comparison_and_map_are_live(
    opened: Opened, live: Live, sample: brainkit.Brain, make: ModuleType
) -> None:
    comparison = sample.compare("how are sessions signed", a={"alpha": 0.2}, b={"mode": "multi"})
    drawn = sample.map("how are sessions signed", limit=200)
    page = opened(make.code_cell(make.shown(comparison), make.shown(drawn)))
    sides = live(page, 1)
    sides.do(
        "const sliders = root.querySelectorAll('.of-A [aria-label=alpha]');"
        "sliders[0].value = 0.9; sliders[0].dispatchEvent(new Event('input'));"
        "sliders[0].dispatchEvent(new Event('change'));"
        "const k = root.querySelector('.of-B [aria-label=rrf_k]');"
        "k.value = 0; k.dispatchEvent(new Event('input')); k.dispatchEvent(new Event('change'));"
    )
    assert moved(page) == "#view=1&alpha=0.9&b.rrf_k=1"
    code = sides.text("footer code")
    assert '"alpha": 0.9' in code
    assert '"rrf_k": 1' in code
    assert live(page, 2).do("return root.querySelectorAll('.map path').length") >= 200


def test_code_copies_as_python(
    opened: Opened, live: Live, answer: Answer, make: ModuleType, chromium: Any
) -> None:
    chromium.allow("clipboardReadWrite", "clipboardSanitizedWrite")
    page = opened(make.code_cell(make.shown(answer)), hash="#view=1&mode=bm25")
    view = live(page)
    view.do("[...root.querySelectorAll('footer button')].at(-1).click()")
    page.wait("navigator.clipboard.readText().then(text => text.includes('mode=\"bm25\"'))")


def test_code_folds_all_at_once(opened: Opened, make: ModuleType) -> None:
    page = opened(make.code_cell(source="a = 1"), make.code_cell(source="b = 2"))
    count = "document.querySelectorAll('details.code[open]').length"
    assert page.value(count) == 2
    page.value("document.querySelector('[data-folds]').click()")
    page.wait(f"{count} === 0")
    page.wait("document.querySelector('[data-folds]').textContent === 'Show all code'")


def test_a_view_of_another_schema_keeps_its_table_with_a_notice(
    opened: Opened, answer: Answer, make: ModuleType
) -> None:
    output = make.shown(answer)
    html = output["data"]["text/html"]
    html = html.replace("brainkit-view-1", "brainkit-view-9").replace('"schema":1', '"schema":9')
    page = opened(make.code_cell({**output, "data": {**output["data"], "text/html": html}}))
    said = page.value("document.querySelector('.output').innerText")
    assert "view schema 9; this one knows 1" in said
    assert place(answer.results[0]) in said


@pytest.mark.parametrize(
    "spoil", ['"candidates":[{"order":', '"terms":[', '"lists":{', '"request":{']
)
def test_a_damaged_view_keeps_its_table(
    spoil: str, opened: Opened, answer: Answer, make: ModuleType
) -> None:
    output = make.shown(answer)
    html = output["data"]["text/html"].replace(spoil, '"x":[1,{"y":' if "[{" in spoil else
                                               f'"x":{spoil[-1]}', 1)  # fmt: skip
    page = opened(make.code_cell({**output, "data": {**output["data"], "text/html": html}}))
    page.value("window.scrollTo(0, 1e6)")
    assert place(answer.results[0]) in page.value("document.querySelector('.output').innerText")


def test_a_report_of_a_brain_stands_alone(
    page: Any, live: Live, sample: brainkit.Brain, answer: Answer, tmp_path: Path
) -> None:
    file = sample.report(
        ["Words of *mine*, $a<b$.", answer, sample.to_frame()[["source", "tokens"]].head(3)],
        tmp_path / "r.html",
        title="Sessions & keys",
        author="Ada",
    )
    page.open(file)
    assert live(page).rows() == rows(answer)
    assert page.value("document.title") == "Sessions & keys"
    said = page.value("document.body.innerText")
    for words in ("Words of mine", "Ada", "About sample.brain", "606 chunks", "word_vectors"):
        assert words in said


def test_printed_sliders_are_values(
    opened: Opened, live: Live, answer: Answer, make: ModuleType
) -> None:
    page = opened(make.code_cell(make.shown(answer)))
    view = live(page)
    page.media(type="print")
    assert view.do("return getComputedStyle(root.querySelector('.track')).display") == "none"
    assert view.do("return root.querySelector('.slider').innerText").split() == [
        "alpha", "0.50", "·", "balanced",
    ]  # fmt: skip


def test_printed_views_are_drawn_though_nobody_saw_them(
    page: Any, sample: brainkit.Brain, make: ModuleType, tmp_path: Path
) -> None:
    """On paper there is every result, its reason and every point of a map; no control is left."""
    pypdf = pytest.importorskip("pypdf", reason="a development tool")
    question = "how are sessions signed"
    drawn_by = (sample.query(question), sample.map(question, limit=200))
    cells = ("# On paper", *["A paragraph.\n" * 60] * 3, make.code_cell(*map(make.shown, drawn_by)))
    html, _ = report_html(make.notebook(*cells))
    file = tmp_path / "paper.html"
    file.write_text(html, "utf-8")
    page.open(file)
    options = {"preferCSSPageSize": True, "printBackground": True}
    data = page._call("Page.printToPDF", options)["data"]
    drawn = "document.querySelectorAll('[data-view]')[1].shadowRoot.querySelectorAll('.map path')"
    assert page.value(f"{drawn}.length") >= 200
    (tmp_path / "paper.pdf").write_bytes(base64.b64decode(data))
    pages = [one.extract_text() for one in pypdf.PdfReader(tmp_path / "paper.pdf").pages]
    said = "\n".join(pages)
    for result in sample.query(question).results:
        assert result.source.rpartition("/")[2] in said
    for words in ("alpha", "0.50", "Why here", "200 of 606 chunks drawn", "About sample.brain"):
        assert words in said
    for words in ("Copy as code", "Copy citation", "Fold all code", "Contents"):
        assert words not in said


def test_equal_input_gives_an_equal_file(
    sample: brainkit.Brain, answer: Answer, make: ModuleType
) -> None:
    book = make.notebook("# A", make.code_cell(make.shown(answer)), make.code_cell())
    assert report_html(book) == report_html(book)
