"""Markdown as notebooks have it, and the formulas in it."""

from __future__ import annotations

import base64
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brainkit.report.markdown import Page, markdown_html
from brainkit.report.maths import mathml
from brainkit.report.pictures import BYTES_MAX, Pictures

PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n").decode()


@pytest.fixture
def page() -> Page:
    return Page(Pictures(None))


def test_headings_have_jupyters_ids_and_each_its_own(page: Page) -> None:
    html = markdown_html("# Two words\n\n## Two words\n\n## `code` and $x$", page)
    assert [one.id for one in page.headings] == ["Two-words", "Two-words-2", "code-and-x"]
    assert [one.level for one in page.headings] == [1, 2, 2]
    assert all(f'id="{one.id}"' in html for one in page.headings)


def test_footnotes_of_two_cells_do_not_meet(page: Page) -> None:
    first, second = (markdown_html(f"a[^1]\n\n[^1]: {n}", page) for n in "xy")
    assert 'id="fn-1-1"' in first
    assert 'id="fn-2-1"' in second
    assert 'href="#fn-2-1"' in second


def test_tables_and_tasks(page: Page) -> None:
    html = markdown_html("| a | b |\n|--:|:--|\n| 1 | 2 |\n\n- [x] done\n- [ ] open", page)
    assert '<td style="text-align:right">1</td>' in html
    assert "☑" in html
    assert "☐" in html
    assert "<input" not in html


@pytest.mark.parametrize(
    ("source", "holds"),
    [
        ("cost $a<b$", "<math><mi>a</mi><mo>&lt;</mo><mi>b</mi></math>"),
        ("$$\\frac{1}{2}$$", '<math display="block"><mfrac><mn>1</mn><mn>2</mn></mfrac></math>'),
        ("\\begin{align}a&=b\\end{align}", "<mtable"),
        ("\\$5 and \\$6", "$5 and $6"),
        ("`$x$`", "<code>$x$</code>"),
        ("$\\nonsense$", '<code class="tex" title="This formula cannot be shown.">\\nonsense<'),
    ],
)
def test_formulas(source: str, holds: str, page: Page) -> None:
    assert holds in markdown_html(source, page)


@pytest.mark.parametrize(
    "tex", [r"\text{<img src=x onerror=x()>}", r"\href{javascript:x()}{a}", r"\style{x}{a}", "<b>"]
)
def test_a_formula_holds_no_markup_of_others(tex: str) -> None:
    html = mathml(tex, block=False)
    assert "<img" not in html
    assert "<b>" not in html
    assert "href=" not in html


@pytest.mark.parametrize(
    "source",
    [
        "&#xE000;",
        "$x$ &#xE000;0&#xE001; &#57344;7&#57345;",
        '<a href="https://e.org/&#xE000;0&#xE001;">$x$</a>',
        '<b title="&#xE000;0&#xE001;">$x$</b>',
        "$x$ `formula-0;` formula-0; \ue0000\ue001",
    ],
)
def test_no_text_stands_for_a_formula(source: str, page: Page) -> None:
    """However it is written: it cannot know what does, which is made of all of it."""
    html = markdown_html(source, page)
    assert html.count("<math>") == source.count("$x$")
    assert not re.search(r"<[^>]*<math", html)


def test_html_around_a_formula_gets_it_as_it_was_written(page: Page) -> None:
    html = markdown_html('<div title="\n\n$x<y$ <img src=x onerror=x()>\n\n">\n\n$z$', page)
    assert html.count("<math") == 1
    assert "<img" not in html
    assert "x&lt;y" in html


@given(st.lists(st.sampled_from([
    *("$", "$$", "x", "`", "*", "[a](", ")", "<b title='", '<a href="https://', '">', "'>", "\n\n"),
    *("&#xE000;", "&#xE001;", "\ue000", "0", "[^1]", "\\begin{align}", "\\end{align}", "|", "#"),
]), max_size=14))  # fmt: skip
def test_no_mixture_ends_the_export_or_an_attribute(parts: list[str]) -> None:
    html = markdown_html("".join(parts), Page(Pictures(None)))
    assert not re.search(r'<\w+(?: [\w-]+="[^"]*")* [\w-]+="[^"]*<math[^"]*"', html)
    assert "formula-" not in html


def test_scripts_and_raw_html(page: Page) -> None:
    html = markdown_html('a <script>x()</script><b onclick="x()">b</b>\n\n<u id="u">c</u>', page)
    assert "script" not in html
    assert "<b>b</b>" in html
    assert '<u id="u">' in html
    assert 'id="u"' not in markdown_html('<u id="u">again</u>', page)


def test_a_picture_with_a_title_is_a_figure(page: Page) -> None:
    html = markdown_html(
        '![alt](attachment:a.png "A caption")', page, attachments={"a.png": {"image/png": PNG}}
    )
    assert f'<figure><img src="data:image/png;base64,{PNG}" alt="alt">' in html
    assert "<figcaption>A caption</figcaption>" in html


def test_only_pictures_of_the_notebooks_folder_are_read(tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    (tmp_path / "secret.png").write_bytes(b"secret")
    (folder / "a b.png").write_bytes(b"own")
    (folder / "link.png").symlink_to(tmp_path / "secret.png")
    (folder / "large.png").write_bytes(b"0" * (BYTES_MAX + 1))
    page = Page(Pictures(folder))
    html = markdown_html(
        "![a](a%20b.png) ![b](../secret.png) ![c](link.png) ![d](large.png) ![e](none.png) "
        f"![f]({tmp_path}/secret.png) ![g](https://example.org/x.png) ![h](notes.txt)"
        '\n\n<img src="a b.png" alt="i">',
        page,
    )
    own, secret = (base64.b64encode(one).decode() for one in (b"own", b"secret"))
    assert html.count(own) == 2
    assert secret not in html
    assert html.count("not in this file]") == 7
    reasons = [note.rpartition("(")[2] for note in page.pictures.notes]
    assert reasons == [
        "it is not in the notebook's folder).",
        "it is not in the notebook's folder).",
        "more than 5.0 MB).",
        "no such file or directory).",
        "it is not in the notebook's folder).",
        "it is elsewhere on the web).",
        "it is no picture that browsers show).",
    ]
