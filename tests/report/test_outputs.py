"""Every kind of output becomes something that a page without a kernel can show."""

from __future__ import annotations

import base64
from types import ModuleType
from typing import Any

import pytest

from brainkit.report.export import report_html
from brainkit.report.pictures import BYTES_MAX

PLOTLY = "application/vnd.plotly.v1+json"
WIDGET = "application/vnd.jupyter.widget-view+json"
PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n").decode()


def body(make: ModuleType, *outputs: Any, source: str = "", **options: Any) -> str:
    html, _ = report_html(make.notebook(make.code_cell(*outputs, source=source)), **options)
    return html.partition('<main id="report">')[2].partition("</main>")[0]


@pytest.mark.parametrize(
    ("data", "holds"),
    [
        ({"text/plain": "a < b"}, '<pre class="output plain">a &lt; b</pre>'),
        ({"text/html": "<b>x</b>", "text/plain": "x"}, "<b>x</b></div>"),
        ({"text/html": "<script>x()</script>", "text/plain": "the plain"}, "the plain"),
        ({"text/html": "<script>x()</script>"}, "would run code is not in this file (text/html)"),
        ({"text/markdown": "**b**"}, "<strong>b</strong>"),
        ({"text/latex": "$\\frac{1}{2}$"}, "<mfrac>"),
        ({"application/json": {"a": [1]}, "text/plain": "<JSON>"}, '"a": [\n    1\n  ]'),
        ({"application/javascript": "x()", "text/plain": "<JS>"}, "runs JavaScript"),
        (
            {"image/png": PNG + "\n", "text/plain": "<Figure>"},
            'png;base64,iVBORw0KGgo=" alt="&lt;F',
        ),
        ({"image/png": "%%%"}, "its data is damaged"),
        ({"image/svg+xml": "<svg onload='x()'/>"}, 'src="data:image/svg+xml;base64,'),
        ({WIDGET: {}, "text/plain": "IntSlider(value=3)"}, "An interactive widget (IntSlider)"),
        ({"application/vnd.vegalite.v5+json": {}, "image/png": PNG}, "image/png;base64"),
        ({"application/vnd.vegalite.v5+json": {}}, "of a kind that pages cannot show"),
        ({PLOTLY: {"data": [{"type": "scattergeo"}]}}, "fetches its map from the web"),
        ({PLOTLY: {"data": [{"type": "splom"}]}}, "compiles code"),
    ],
)
def test_each_kind_has_a_form(data: dict[str, Any], holds: str, make: ModuleType) -> None:
    html = body(make, make.displayed(data))
    assert holds in html
    assert "x()" not in html


def test_streams_are_joined_coloured_and_as_a_terminal_leaves_them(make: ModuleType) -> None:
    parts = ["10%\r", "100%\n", "\x1b[31mred\x1b[0m <i> \x07"]
    streams = [{"output_type": "stream", "name": "stdout", "text": part} for part in parts]
    html = body(make, *streams)
    assert '<pre class="output stdout">100%\n' in html
    assert '<span class="ansi-red-fg">red</span> &lt;i&gt; ␇</pre>' in html


def test_an_error_is_said_before_its_traceback(make: ModuleType) -> None:
    error = {"output_type": "error", "ename": "ValueError", "evalue": "no <b>", "traceback": ["T"]}
    html = body(make, error)
    assert html.index("ValueError: no &lt;b&gt;") < html.index("<pre>T</pre>")


def test_a_long_output_loses_its_middle(make: ModuleType) -> None:
    stream = {"output_type": "stream", "name": "stdout", "text": "a" * 150_000 + "b" * 150_000}
    html = body(make, stream)
    assert "100,000 characters left out" in html
    assert len(html) < 210_000


def test_a_picture_too_large_is_a_note(make: ModuleType) -> None:
    large = base64.b64encode(b"0" * (BYTES_MAX + 1)).decode()
    html = body(make, make.displayed({"image/png": large, "text/plain": "x"}))
    assert "more than 5.0 MB" in html
    assert len(html) < 10_000


@pytest.mark.parametrize("name", ["fig-cap", "caption"])
def test_captions_are_numbered(name: str, make: ModuleType) -> None:
    source = f'#| {name}: "Two <b>"\nplot()'
    html = body(make, make.displayed({"image/png": PNG}), source=source)
    assert "<figcaption><b>Figure 1.</b> Two &lt;b&gt;</figcaption>" in html
    assert "#|" not in html


@pytest.mark.parametrize(("code", "expected"), [("show", " open>"), ("fold", ">"), ("hide", None)])
def test_code_is_shown_folded_or_left_out(
    code: str, expected: str | None, make: ModuleType
) -> None:
    html = body(make, source="total = 1", code=code)
    assert (f'<details class="code"{expected}' in html) == (expected is not None)
    assert ("total" in html) == (expected is not None)


@pytest.mark.parametrize(
    ("tag", "source", "output"),
    [("hide-input", False, True), ("remove_output", True, False), ("remove-cell", False, False)],
)
def test_tags_hide_parts(tag: str, source: bool, output: bool, make: ModuleType) -> None:
    cell = make.code_cell(make.displayed({"text/plain": "result"}), source="total", tags=[tag])
    html, _ = report_html(make.notebook(cell))
    assert ('<span class="n">total</span>' in html or ">total<" in html) == source
    assert ("result</pre>" in html) == output


def test_gl_is_drawn_without_shaders_and_pictures_of_the_web_are_left_out(
    make: ModuleType,
) -> None:
    figure = {
        "data": [{"type": "scattergl", "y": [1]}],
        "layout": {"images": [{"source": "https://example.org/a.png"}], "height": 300},
    }
    html = body(make, make.displayed({PLOTLY: figure}))
    assert '{"data":[{"type":"scatter","y":[1]}],"layout":{"height":300}}' in html
    assert "min-height:300px" in html
    assert "example.org" not in html


@pytest.mark.parametrize(
    "plain",
    ["reading:   0%|          | 0/91 [00:00<?, ?it/s]", "100%|##########| 3/3", "  0%|  | 0"],
)
def test_a_progress_bar_that_ended_says_nothing(plain: str, make: ModuleType) -> None:
    """A notebook keeps its first moment, which is not how it ended."""
    html = body(make, make.displayed({WIDGET: {}, "text/plain": plain}))
    assert "<section" not in html


def test_the_corpus_is_quoted_as_it_is_and_our_own_paths_are_names(make: ModuleType) -> None:
    own = (
        '<div class="brainkit"><b>/data/ann/r&amp;d.brain</b>'
        "<pre>get(&quot;/records/&quot; + name, '/usr/bin/env')</pre></div>"
    )
    html = body(make, make.displayed({"text/html": own}))
    assert "<b>r&amp;d.brain</b>" in html
    assert """<pre>get("/records/" + name, '/usr/bin/env')</pre>""" in html


def test_plotly_is_in_the_file_once_and_only_if_it_is_used(make: ModuleType) -> None:
    chart = make.displayed({PLOTLY: {"data": [{"y": [1]}], "layout": {}}})
    with_charts, _ = report_html(make.notebook(make.code_cell(chart, chart)))
    without, _ = report_html(make.notebook(make.code_cell()))
    assert with_charts.count('data-library="plotly"') == with_charts.count("plotly.js v") == 1
    assert "plotly.js v" not in without
    assert with_charts.count("'sha256-") == 2
    assert without.count("'sha256-") == 1
